# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Named hand poses: joint angles per finger, as data files."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, cast

from .toml import PresetError, check_keys, load_toml

_FINGER_KEYS = {"flexion_deg", "abduction_deg", "twist_deg"}
_OPTIONAL = {"order", "group", "base", "shape", "motion", "turn_deg", "contacts", "fingers"}
GROUPS = ("everyday", "letters", "digits", "counting")
"""Kinds of poses, in the order they are offered."""
_EVERYDAY, *_ = GROUPS


@dataclass(frozen=True)
class FingerAngles:
    """Angles of one finger's joints, root first; joints that are not named stay at 0."""

    flexion_deg: tuple[float, ...] = ()
    """Positive closes towards the palm; 0 is a straight finger."""
    abduction_deg: tuple[float, ...] = ()
    """Positive leaves the middle finger; for a thumb, the palm's plane."""
    twist_deg: tuple[float, ...] = ()
    """Positive turns about the bone."""


@dataclass(frozen=True)
class Pose:
    """A hand pose that any hand can take on."""

    label: str
    """Shown to the user."""
    description: str
    """One line without a full stop."""
    fingers: dict[str, FingerAngles]
    """By finger name."""
    group: str = _EVERYDAY
    """One of `GROUPS`."""
    shape: str = ""
    """How the hand looks, written out, for those who compare."""
    motion: str = ""
    """What moves, where a sign is more than its hand shape."""
    turn_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Turn of the hand in pictures: about the forearm, towards the viewer and in the picture; posing leaves it out."""
    contacts: tuple[tuple[str, str], ...] = ()
    """Pairs that touch: "palm", a finger, or one of its bones such as "index.1", root first."""


@cache
def load_poses() -> dict[str, Pose]:
    """All poses that come with the extension, by key, in the order they are offered.

    Raises:
        PresetError: A file is damaged.
    """
    folder = files(__package__ or "") / "poses"
    data = {each.name.removesuffix(".toml"): load_toml(each) for each in folder.iterdir() if _is_pose(each.name)}
    poses = {key: parse_pose(key, content, known=data) for key, content in data.items()}
    order = sorted(poses, key=lambda key: (GROUPS.index(poses[key].group), data[key].get("order", 0), key))
    return {key: poses[key] for key in order}


def parse_pose(key: str, data: dict[str, Any], *, known: dict[str, dict[str, Any]] | None = None) -> Pose:
    """A pose from the content of its file.

    Args:
        key: File name without its ending.
        data: What is in the file.
        known: Contents of other poses by key, which this one may be based on.

    Raises:
        PresetError: A key is unknown or missing, an angle is no number, or a pose is based on none.
    """
    check_keys(key, data, required={"label", "description"}, optional=_OPTIONAL)
    if data.get("group", _EVERYDAY) not in GROUPS:
        raise PresetError(f"Pose '{key}' has the unknown group '{data['group']}'. Available: {', '.join(GROUPS)}.")
    base = _base_of(key, data, known or {})
    try:
        contacts = tuple((str(first), str(second)) for first, second in data.get("contacts", ()))
        about, towards, within = (float(each) for each in data.get("turn_deg", (0.0, 0.0, 0.0)))
    except (TypeError, ValueError) as error:
        raise PresetError(f"Pose '{key}': contacts are pairs of names, turn_deg is three numbers.") from error
    return Pose(
        label=str(data["label"]),
        description=str(data["description"]),
        fingers={**(base.fingers if base else {}), **parse_fingers(key, data.get("fingers", {}))},
        group=str(data.get("group", _EVERYDAY)),
        shape=str(data.get("shape", "")),
        motion=str(data.get("motion", "")),
        turn_deg=(about, towards, within),
        contacts=contacts or (base.contacts if base else ()),
    )


def parse_fingers(key: str, data: Any) -> dict[str, FingerAngles]:
    """Angles by finger from the content of a file.

    Raises:
        PresetError: A key is unknown, or an angle is no number.
    """
    if not isinstance(data, dict):
        raise PresetError(f"Pose '{key}': fingers must be a table of angles by finger.")
    fingers: dict[str, FingerAngles] = {}
    for name, angles in cast("dict[str, Any]", data).items():
        if not isinstance(angles, dict):
            raise PresetError(f"Pose '{key}': the angles of '{name}' must be lists of numbers.")
        rows = cast("dict[str, Any]", angles)
        check_keys(f"{key}, {name}", rows, required=set(), optional=_FINGER_KEYS, header=False)
        try:
            fingers[name] = FingerAngles(**{kind: _numbers(row) for kind, row in rows.items()})
        except (TypeError, ValueError) as error:
            raise PresetError(f"Pose '{key}': the angles of '{name}' must be lists of numbers.") from error
    return fingers


def _numbers(row: Any) -> tuple[float, ...]:
    values = tuple(float(each) for each in row)
    if not all(math.isfinite(each) for each in values):
        raise ValueError(row)
    return values


def _base_of(key: str, data: dict[str, Any], known: dict[str, dict[str, Any]]) -> Pose | None:
    if "base" not in data:
        if "fingers" not in data:
            raise PresetError(f"'{key}' lacks fingers.")
        return None
    base = data["base"]
    if base not in known or "base" in known[base]:
        raise PresetError(f"Pose '{key}' is based on '{base}', which is no pose with angles of its own.")
    return parse_pose(base, known[base])


def _is_pose(name: str) -> bool:
    return name.endswith(".toml")
