# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keyframes of objects and pose bones, each in its own rotation mode: set, styled, found and removed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..compat import action_fcurves, remove_fcurve
from ..core.errors import PrehendError
from .channels import rotation_property

Values = tuple[float, ...]


class LockedCurveError(PrehendError):
    """Keys cannot be set because a channel is locked in its action."""


@dataclass(frozen=True)
class Track:
    """The location or the rotation of an object, or of one of its pose bones."""

    path: str
    """Data path, as F-curves have it."""
    bone: str
    """Name of the pose bone; empty for the object itself."""
    name: str
    """Name of the property."""

    def owner(self, obj: Any) -> Any:
        """The object or its pose bone."""
        return obj.pose.bones[self.bone] if self.bone else obj

    def read(self, obj: Any) -> Values:
        """Present values."""
        return tuple(float(value) for value in getattr(self.owner(obj), self.name))

    def write(self, obj: Any, values: Iterable[float]) -> None:
        """Set the values; nothing is updated."""
        setattr(self.owner(obj), self.name, tuple(values))


def rotation_track(obj: Any, bone: str = "") -> Track:
    """The rotation of an object or of one of its bones, in its rotation mode."""
    owner = obj.pose.bones[bone] if bone else obj
    return _track(owner, bone, rotation_property(owner))


def location_track(obj: Any, bone: str = "") -> Track:
    """The location of an object or of one of its bones."""
    return _track(obj.pose.bones[bone] if bone else obj, bone, "location")


def _track(owner: Any, bone: str, name: str) -> Track:
    return Track(owner.path_from_id(name) if bone else name, bone, name)


def key_rotations(armature: Any, bone_names: Iterable[str], frame: int) -> None:
    """Key the current rotation of the named pose bones at a frame, one channel group per bone."""
    for name in bone_names:
        pose_bone = armature.pose.bones[name]
        pose_bone.keyframe_insert(rotation_property(pose_bone), frame=frame, group=name)


def key_locations(armature: Any, bone_names: Iterable[str], frame: int) -> None:
    """Key the current location of the named pose bones at a frame, one channel group per bone."""
    for name in bone_names:
        armature.pose.bones[name].keyframe_insert("location", frame=frame, group=name)


def insert_keys(obj: Any, track: Track, values: Mapping[int, Values], *, interpolation: str = "BEZIER") -> None:
    """Key values at whole frames, with handles that never overshoot; the property is left at the last value.

    Raises:
        LockedCurveError: The channel is locked.
    """
    owner = track.owner(obj)
    for frame, value in values.items():
        setattr(owner, track.name, value)
        try:
            done = owner.keyframe_insert(track.name, frame=frame, group=track.bone or "Object Transforms")
        except RuntimeError as error:
            raise LockedCurveError(f"'{track.path}' of '{obj.name}' cannot be keyed: {error}".strip()) from error
        if not done:
            raise LockedCurveError(f"'{track.path}' of '{obj.name}' is locked in its action: unlock it first.")
    frames = set(values)
    for curve in curves_of(obj, {track.path}):
        for point in curve.keyframe_points:
            if round(point.co[0]) in frames:
                point.interpolation = interpolation
                point.handle_left_type = point.handle_right_type = "AUTO_CLAMPED"
        curve.update()


def curves_of(obj: Any, paths: Iterable[str]) -> list[Any]:
    """F-curves of an object's present action with these data paths."""
    data = obj.animation_data
    if data is None or data.action is None:
        return []
    wanted = set(paths)
    return [curve for curve in action_fcurves(data.action, obj) if curve.data_path in wanted]


@dataclass(frozen=True)
class Key:
    """A key as it was, to set it again."""

    path: str
    """Data path."""
    index: int
    """Of the channel."""
    frame: float
    value: float
    interpolation: str
    handle_types: tuple[str, str]
    """Left and right."""
    handles: tuple[float, float, float, float]
    """Frame and value of the left one, then of the right one."""


def keys_between(obj: Any, paths: Iterable[str], first: int, last: int) -> list[Key]:
    """Keys within a range, ends included."""
    return [
        Key(
            curve.data_path,
            curve.array_index,
            float(point.co[0]),
            float(point.co[1]),
            point.interpolation,
            (point.handle_left_type, point.handle_right_type),
            (*point.handle_left, *point.handle_right),
        )
        for curve in curves_of(obj, paths)
        for point in curve.keyframe_points
        if first - 1e-3 <= point.co[0] <= last + 1e-3
    ]


def insert_again(obj: Any, keys: Iterable[Key]) -> None:
    """Set keys as they were; curves that are gone by now are made anew."""
    for key in keys:
        curve = _curve(obj, key)
        if curve is None:
            obj.path_resolve(key.path)[key.index] = key.value
            obj.keyframe_insert(key.path, index=key.index, frame=key.frame)
            curve = _curve(obj, key)
        point = curve.keyframe_points.insert(key.frame, key.value)
        point.interpolation = key.interpolation
        point.handle_left_type, point.handle_right_type = key.handle_types
        point.handle_left, point.handle_right = key.handles[:2], key.handles[2:]
        curve.update()


def _curve(obj: Any, key: Key) -> Any:
    return next((each for each in curves_of(obj, {key.path}) if each.array_index == key.index), None)


def remove_between(obj: Any, keys: Iterable[Key]) -> None:
    """Remove keys that `keys_between` gave, wherever on the time line they are."""
    wanted: dict[tuple[str, int], list[float]] = {}
    for key in keys:
        wanted.setdefault((key.path, key.index), []).append(key.frame)
    for curve in curves_of(obj, {path for path, _ in wanted}):
        frames = wanted.get((curve.data_path, curve.array_index), [])
        for point in reversed(list(curve.keyframe_points)):
            if any(abs(point.co[0] - frame) < 1e-3 for frame in frames):
                curve.keyframe_points.remove(point, fast=True)
        curve.update()


def remove_keys(obj: Any, keys: Mapping[str, Iterable[int]]) -> None:
    """Remove keys at frames, by data path; curves that are left without keys go too."""
    wanted = {path: set(frames) for path, frames in keys.items()}
    for curve in curves_of(obj, wanted):
        frames = wanted[curve.data_path]
        for point in reversed(list(curve.keyframe_points)):
            if abs(point.co[0] - round(point.co[0])) < 1e-3 and round(point.co[0]) in frames:
                curve.keyframe_points.remove(point, fast=True)
        curve.update()
        if not len(curve.keyframe_points) and not len(curve.modifiers):
            remove_fcurve(obj.animation_data.action, obj, curve)
