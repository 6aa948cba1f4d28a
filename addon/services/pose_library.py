# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The library of poses: those that come with the extension and the user's own."""

from __future__ import annotations

import re
import zlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.errors import OutputError, PrehendError, UnknownChoiceError
from ..core.handmap import HandMap
from ..hands.poses import pose_from_angles
from ..presets.pose_packs import ANY_SIDE, PackedPose, check_name, read_pack, with_free_name, write_pack
from ..presets.poses import load_poses
from ..presets.toml import PresetError
from ..rig.read import read_pose
from .posture import model_of

MINE = "mine"
"""Group of the user's own poses."""
ENDING = ".json"
USER_LICENSE = "its author's"


@dataclass(frozen=True)
class LibraryPose:
    """One pose of the library."""

    key: str
    """What it is called in properties and scripts; "mine:" begins those of the user."""
    group: str
    """One of `presets.poses.GROUPS`, or `MINE`."""
    pose: PackedPose
    """Its name and angles."""
    turn_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Turn of the hand in pictures, as in `presets.poses.Pose`."""


@dataclass(frozen=True)
class Library:
    """All poses that can be had."""

    poses: dict[str, LibraryPose]
    """By key, in the order they are offered."""
    damaged: tuple[str, ...] = ()
    """Why files of the user's were left out, one sentence each."""

    def find(self, key: str) -> LibraryPose:
        """A pose by key.

        Raises:
            UnknownChoiceError: There is no such pose.
        """
        if key not in self.poses:
            raise UnknownChoiceError("pose", key, tuple(self.poses))
        return self.poses[key]


def load_library(folder: Path) -> Library:
    """The poses that come with the extension, and those in a folder of the user's."""
    poses = {
        key: LibraryPose(
            key, each.group, PackedPose(each.label, {ANY_SIDE: each.fingers}, each.description), each.turn_deg
        )
        for key, each in load_poses().items()
    }
    damaged: list[str] = []
    for path in sorted(folder.glob(f"*{ENDING}")) if folder.is_dir() else ():
        try:
            for pose in read_pack(path):
                key = f"{MINE}:{pose.name}"
                if key not in poses:
                    poses[key] = LibraryPose(key, MINE, pose)
        except PresetError as error:
            damaged.append(str(error))
    return Library(poses, tuple(damaged))


def search_library(library: Library, *, words: str = "", group: str = "") -> list[LibraryPose]:
    """Poses of a group, or of all, whose name, group or description has every one of some words."""
    wanted = words.casefold().split()
    return [
        each
        for each in library.poses.values()
        # Words are looked for everywhere, whatever group is open.
        if (wanted or not group or each.group == group)
        and all(word in f"{each.pose.name} {each.group} {each.pose.description}".casefold() for word in wanted)
    ]


def save_pose(
    folder: Path, armature: Any, hands: Sequence[HandMap], name: str, *, description: str = ""
) -> LibraryPose:
    """Keep the present pose of hands as one of the user's own; a name that is taken gets a number.

    One hand, or two alike, give a shape that either hand can take on; two that differ are both kept.

    Raises:
        PresetError: The name is empty or too long.
        OutputError: The file cannot be written.
        PrehendError: The armature cannot be read.
    """
    shapes: dict[str, Any] = {}
    for hand in hands:
        model = model_of(armature, hand)
        shapes[hand.side or ANY_SIDE] = pose_from_angles(model, read_pose(armature, model).angles)
    kinds = list(shapes.values())
    if all(each == kinds[0] for each in kinds):
        shapes = {ANY_SIDE: kinds[0]}
    return _keep(folder, [PackedPose(check_name(name), shapes, description)])[0]


def delete_pose(folder: Path, key: str) -> None:
    """Remove one of the user's own poses.

    Raises:
        PrehendError: It is not the user's own, or its file cannot be changed.
    """
    name = key.removeprefix(f"{MINE}:")
    if name == key:
        raise PrehendError(f"'{key}' comes with Prehend and cannot be deleted: only your own poses can.")
    for path in sorted(folder.glob(f"*{ENDING}")):
        try:
            poses = read_pack(path)
        except PresetError:
            continue
        rest = [each for each in poses if each.name != name]
        if len(rest) < len(poses):
            _write_or_remove(path, rest)
            return
    raise PrehendError(f"There is no pose of your own called '{name}'.")


def export_pack(library: Library, keys: Collection[str], path: Path) -> int:
    """Write poses into one file to give away, and tell how many.

    Raises:
        PrehendError: There are none.
        OutputError: The file cannot be written.
    """
    poses = [library.find(key).pose for key in keys]
    if not poses:
        raise PrehendError("There are no poses to export: save one of your own first, or search for some.")
    try:
        write_pack(path, poses, source="Exported from Prehend's pose library", licence=USER_LICENSE)
    except OSError as error:
        raise OutputError(f"{path} could not be written: {error.strerror or error}.") from error
    return len(poses)


def import_pack(folder: Path, path: Path) -> list[LibraryPose]:
    """Add the poses of a pack to the user's own, all or none; names that are taken get a number.

    Raises:
        PresetError: The file is no pack of poses. Nothing was added.
        OutputError: They could not be kept. Nothing was added.
    """
    return _keep(folder, read_pack(path))


def _keep(folder: Path, poses: list[PackedPose]) -> list[LibraryPose]:
    taken = [each.pose.name for each in load_library(folder).poses.values() if each.group == MINE]
    named: list[PackedPose] = []
    for pose in poses:
        named.append(with_free_name(pose, [*taken, *(each.name for each in named)]))
    path = _free_path(folder, named[0].name if len(named) == 1 else f"pack {named[0].name}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_pack(path, named, source="Saved by the user", licence=USER_LICENSE)
    except OSError as error:
        raise OutputError(f"{path} could not be written: {error.strerror or error}.") from error
    return [LibraryPose(f"{MINE}:{each.name}", MINE, each) for each in named]


def _free_path(folder: Path, name: str) -> Path:
    # Names may be of any script; the number tells apart those that are spelt alike in letters that all disks know.
    stem = re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_") or "pose"
    path = folder / f"{stem}{ENDING}"
    number = zlib.crc32(name.encode())
    while path.exists():
        path, number = folder / f"{stem}_{number:08x}{ENDING}", number + 1
    return path


def _write_or_remove(path: Path, poses: list[PackedPose]) -> None:
    try:
        if poses:
            write_pack(path, poses, source="Saved by the user", licence=USER_LICENSE)
        else:
            path.unlink()
    except OSError as error:
        raise OutputError(f"{path} could not be changed: {error.strerror or error}.") from error
