# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Packs of poses as JSON: what users save, give away and get."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from .poses import FingerAngles, parse_fingers
from .toml import PresetError, check_keys

ANY_SIDE = "any"
"""Key of a shape that either hand can take on."""
SIDES = (ANY_SIDE, "L", "R")
SCHEMA_VERSION = 1
LONGEST_NAME = 60
MOST_POSES = 10_000
"""More poses than that are no pack but a mistake."""


@dataclass(frozen=True)
class PackedPose:
    """A pose as users keep it: one shape for either hand, or one for each."""

    name: str
    """Shown to the user; unique in a library."""
    hands: dict[str, dict[str, FingerAngles]]
    """Fingers by side: `ANY_SIDE` alone, or "L" or "R" or both."""
    description: str = ""
    """One line."""

    def fingers(self, side: str, *, flip: bool = False) -> dict[str, FingerAngles]:
        """The fingers of a hand of some side: its own shape where there is one, else that of the other side."""
        if ANY_SIDE in self.hands:
            return self.hands[ANY_SIDE]
        wanted = {"L": "R", "R": "L"}.get(side, side) if flip else side
        return self.hands.get(wanted) or next(iter(self.hands.values()))


def read_pack(path: Path) -> list[PackedPose]:
    """The poses of a pack's file.

    Raises:
        PresetError: It cannot be read, is no pack, or has a key that nobody knows.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise PresetError(f"{path.name} is no pack of poses: {error}.") from error
    return parse_pack(path.name, data)


def parse_pack(name: str, data: Any) -> list[PackedPose]:
    """The poses of a pack from its content.

    Raises:
        PresetError: It is no pack, or has a key that nobody knows.
    """
    if not isinstance(data, dict):
        raise PresetError(f"{name} is no pack of poses.")
    content = cast("dict[str, Any]", data)
    check_keys(name, content, required={"poses"}, optional=set())
    listed = cast("list[Any]", content["poses"]) if isinstance(content["poses"], list) else []
    if not 0 < len(listed) <= MOST_POSES:
        raise PresetError(f"{name} has no list of poses.")
    poses = [_parse_pose(name, each) for each in listed]
    names = [each.name for each in poses]
    twice = sorted({each for each in names if names.count(each) > 1})
    if twice:
        raise PresetError(f"{name} has two poses called '{twice[0]}'.")
    return poses


def write_pack(path: Path, poses: Iterable[PackedPose], *, source: str, licence: str) -> None:
    """Write a pack whole or not at all; a file that is there is replaced.

    Raises:
        OSError: The file cannot be written.
    """
    data = {
        "schema_version": SCHEMA_VERSION,
        "source": source,
        "license": licence,
        "poses": [_entry(each) for each in poses],
    }
    draft = path.with_name(f".{path.name}.part")
    try:
        draft.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def with_free_name(pose: PackedPose, taken: Collection[str]) -> PackedPose:
    """The pose under its name, or with a number after it where that is taken."""
    lower = {each.casefold() for each in taken}
    name, number = pose.name, 2
    while name.casefold() in lower:
        name, number = f"{pose.name} {number}", number + 1
    return replace(pose, name=name)


def check_name(name: str) -> str:
    """A name without blanks round it.

    Raises:
        PresetError: Nothing is left, or too much.
    """
    short = " ".join(name.split())
    if not short or len(short) > LONGEST_NAME or not short.isprintable():
        raise PresetError(f"A pose needs a name of 1 to {LONGEST_NAME} letters.")
    return short


def _parse_pose(pack: str, data: Any) -> PackedPose:
    if not isinstance(data, dict):
        raise PresetError(f"{pack} has a pose that is none.")
    content = cast("dict[str, Any]", data)
    label = str(content.get("name", "a pose without a name"))
    check_keys(f"{pack}, {label}", content, required={"name", "hands"}, optional={"description"}, header=False)
    hands = cast("dict[str, Any]", content["hands"]) if isinstance(content["hands"], dict) else {}
    if not isinstance(content["name"], str) or not hands:
        raise PresetError(f"{pack}: '{label}' needs a name and hands.")
    if not set(hands) <= set(SIDES) or (ANY_SIDE in hands and len(hands) > 1):
        raise PresetError(f"{pack}: '{label}' has hands {', '.join(map(str, hands))}; give any, or L, R or both.")
    parsed = {side: parse_fingers(label, fingers) for side, fingers in hands.items()}
    if not all(parsed.values()):
        raise PresetError(f"{pack}: '{label}' has a hand without fingers.")
    return PackedPose(name=check_name(label), hands=parsed, description=str(content.get("description", "")))


def _entry(pose: PackedPose) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": pose.name}
    if pose.description:
        entry["description"] = pose.description
    entry["hands"] = {
        side: {
            finger: {kind: list(row) for kind, row in vars(angles).items() if row} for finger, angles in fingers.items()
        }
        for side, fingers in pose.hands.items()
    }
    return entry
