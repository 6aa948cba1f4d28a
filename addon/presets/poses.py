# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Named hand poses: joint angles per finger, as data files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from .toml import PresetError, check_keys, load_toml

_FINGER_KEYS = {"flexion_deg", "abduction_deg", "twist_deg"}


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


@cache
def load_poses() -> dict[str, Pose]:
    """All poses that come with the extension, by key, in the order they are offered.

    Raises:
        PresetError: A file is damaged.
    """
    folder = files(__package__ or "") / "poses"
    found = [
        (each.name.removesuffix(".toml"), load_toml(each)) for each in folder.iterdir() if each.name.endswith(".toml")
    ]
    found.sort(key=lambda item: (item[1].get("order", 0), item[0]))
    return {key: parse_pose(key, data) for key, data in found}


def parse_pose(key: str, data: dict[str, Any]) -> Pose:
    """A pose from the content of its file.

    Raises:
        PresetError: A key is unknown or missing, or an angle is no number.
    """
    check_keys(key, data, required={"label", "description", "fingers"}, optional={"order"})
    fingers: dict[str, FingerAngles] = {}
    for name, angles in data["fingers"].items():
        check_keys(f"{key}, {name}", angles, required=set(), optional=_FINGER_KEYS, header=False)
        try:
            fingers[name] = FingerAngles(**{kind: tuple(float(each) for each in row) for kind, row in angles.items()})
        except (TypeError, ValueError) as error:
            raise PresetError(f"Pose '{key}': the angles of '{name}' must be lists of numbers.") from error
    return Pose(label=data["label"], description=data["description"], fingers=fingers)
