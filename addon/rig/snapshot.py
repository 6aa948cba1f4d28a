# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Channels of an armature and an object, kept so that they can be put back to the bit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_CHANNELS = ("location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle", "scale")

Values = tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Snapshot:
    """What objects and pose bones were set to, by name."""

    objects: dict[str, Values]
    """Channels of objects."""
    bones: dict[str, dict[str, Values]]
    """Channels of the pose bones of armature objects."""


def take_snapshot(*objects: Any) -> Snapshot:
    """The channels of some objects, and of all pose bones of those that are armatures."""
    return Snapshot(
        {obj.name: _read(obj) for obj in objects},
        {obj.name: {bone.name: _read(bone) for bone in obj.pose.bones} for obj in objects if obj.type == "ARMATURE"},
    )


def put_back(snapshot: Snapshot, *objects: Any, view_layer: Any) -> None:
    """Set the same objects to what they were."""
    for obj in objects:
        _write(obj, snapshot.objects[obj.name])
        for name, values in snapshot.bones.get(obj.name, {}).items():
            _write(obj.pose.bones[name], values)
    view_layer.update()


def put_back_untouched(before: Snapshot, shown: Snapshot, *objects: Any, view_layer: Any) -> None:
    """Set the same objects to what they were before, but for channels that someone changed since they were shown."""
    for obj in objects:
        _write_untouched(obj, before.objects[obj.name], shown.objects[obj.name])
        for name, values in before.bones.get(obj.name, {}).items():
            _write_untouched(obj.pose.bones[name], values, shown.bones[obj.name][name])
    view_layer.update()


def _write_untouched(owner: Any, before: Values, shown: Values) -> None:
    now = _read(owner)
    _write(owner, tuple(old if here == seen else here for old, seen, here in zip(before, shown, now, strict=True)))


def _read(owner: Any) -> Values:
    return tuple(tuple(getattr(owner, name)) for name in _CHANNELS)


def _write(owner: Any, values: Values) -> None:
    for name, value in zip(_CHANNELS, values, strict=True):
        if tuple(getattr(owner, name)) != value:
            setattr(owner, name, value)
