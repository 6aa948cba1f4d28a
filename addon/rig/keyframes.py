# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keyframes of pose bones, each in its own rotation mode."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .channels import rotation_property


def key_rotations(armature: Any, bone_names: Iterable[str], frame: int) -> None:
    """Key the current rotation of the named pose bones at a frame, one channel group per bone."""
    for name in bone_names:
        pose_bone = armature.pose.bones[name]
        pose_bone.keyframe_insert(rotation_property(pose_bone), frame=frame, group=name)


def key_locations(armature: Any, bone_names: Iterable[str], frame: int) -> None:
    """Key the current location of the named pose bones at a frame, one channel group per bone."""
    for name in bone_names:
        armature.pose.bones[name].keyframe_insert("location", frame=frame, group=name)


def key_place(obj: Any, frame: int) -> None:
    """Key where an object is at a frame, in its own rotation mode."""
    obj.keyframe_insert("location", frame=frame)
    obj.keyframe_insert(rotation_property(obj), frame=frame)
