# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keyframes of pose bones, each in its own rotation mode."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

_ROTATION_PATHS = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}


def rotation_path(pose_bone: Any) -> str:
    """Data path of the channel that turns the bone in its rotation mode."""
    return _ROTATION_PATHS.get(pose_bone.rotation_mode, "rotation_euler")


def key_rotations(armature: Any, bone_names: Iterable[str], frame: int) -> None:
    """Key the current rotation of the named pose bones at a frame, one channel group per bone."""
    for name in bone_names:
        pose_bone = armature.pose.bones[name]
        pose_bone.keyframe_insert(rotation_path(pose_bone), frame=frame, group=name)
