# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rotation and location channels of pose bones: every rotation mode, locks kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from mathutils import Matrix

from ..core.arrays import FloatArray
from ..core.rotations import (
    axis_angle_from_matrix,
    euler_from_matrix,
    matrix_from_axis_angle,
    matrix_from_euler,
    matrix_from_quaternion,
    nearest_rotation,
    quaternion_from_matrix,
    unit,
)

SAME = 1e-7
"""Difference of quaternions that single precision hardly tells from none."""
_SKEW = 1e-6
"""The same for products of a matrix's columns."""


@dataclass(frozen=True)
class Channels:
    """Values of one pose bone, to put them back."""

    location: tuple[float, ...]
    """Shape (3,)."""
    rotation: tuple[float, ...]
    """In the bone's own rotation mode. Shape (3,) or (4,)."""


def rotation_property(bone: Any) -> str:
    """Name of the property that a bone's rotation mode uses."""
    return {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}.get(
        bone.rotation_mode, "rotation_euler"
    )


def get_channels(bone: Any) -> Channels:
    """Present values of a pose bone."""
    return Channels(tuple(bone.location), tuple(getattr(bone, rotation_property(bone))))


def set_channels(bone: Any, channels: Channels) -> None:
    """Put values back."""
    bone.location = channels.location
    setattr(bone, rotation_property(bone), channels.rotation)


def get_rotation(bone: Any) -> FloatArray:
    """The turn that a pose bone's channels make. Shape (3, 3)."""
    if bone.rotation_mode == "QUATERNION":
        return matrix_from_quaternion(unit(np.array(bone.rotation_quaternion, dtype=np.float64)))
    if bone.rotation_mode == "AXIS_ANGLE":
        angle, *axis = bone.rotation_axis_angle
        return matrix_from_axis_angle(unit(np.array(axis, dtype=np.float64)), float(angle))
    return matrix_from_euler(bone.rotation_euler, bone.rotation_mode)


def get_turn(bone: Any) -> Matrix:
    """As `get_rotation`, as Blender's own matrix of four rows."""
    if bone.rotation_mode == "QUATERNION":
        return bone.rotation_quaternion.normalized().to_matrix().to_4x4()
    return Matrix(get_rotation(bone).tolist()).to_4x4()


def set_turn(bone: Any, basis: Matrix) -> bool:
    """As `set_rotation` with the turn that is nearest to a matrix, which need not be free of scale.

    Bones with quaternions that nothing locks, as most are, need no arrays: they cost ten times what this does.
    """
    free = bone.rotation_mode == "QUATERNION" and not any(bone.lock_rotation)
    if not free or (bone.lock_rotations_4d and bone.lock_rotation_w) or not _is_turn(basis):
        return set_rotation(bone, nearest_rotation(np.array(basis, dtype=np.float64)[:3, :3]))
    old, new = bone.rotation_quaternion, basis.to_quaternion()
    if old.dot(new) < 0.0:
        new.negate()
    if (old - new).magnitude > SAME:
        bone.rotation_quaternion = new
    return False


def _is_turn(matrix: Matrix) -> bool:
    x, y, z = matrix.col[0].xyz, matrix.col[1].xyz, matrix.col[2].xyz
    skew = max(abs(x.dot(y)), abs(y.dot(z)), abs(z.dot(x)))
    stretch = max(abs(x.dot(x) - 1.0), abs(y.dot(y) - 1.0), abs(z.dot(z) - 1.0))
    return skew < _SKEW and stretch < _SKEW and x.cross(y).dot(z) > 0.0


def set_rotation(bone: Any, rotation: FloatArray) -> bool:
    """Turn a pose bone by its channels, near to their present values; give whether locks kept any of them.

    Args:
        bone: The pose bone.
        rotation: Wanted turn from rest. Shape (3, 3).
    """
    locks = [bool(lock) for lock in bone.lock_rotation]
    if bone.rotation_mode in ("QUATERNION", "AXIS_ANGLE"):
        if bone.lock_rotations_4d:
            locks = [bool(bone.lock_rotation_w), *locks]
            return _set_four(bone, rotation, locks)
        # Blender locks four values as if they were three angles.
        _set_four(bone, _locked_turn(get_rotation(bone), rotation, locks), [False] * 4)
        return any(locks)
    old = np.array(bone.rotation_euler, dtype=np.float64)
    angles = euler_from_matrix(rotation, bone.rotation_mode, old)
    bone.rotation_euler = np.where(locks, old, angles).tolist()
    return any(locks)


def set_location(bone: Any, location: FloatArray) -> bool:
    """Move a pose bone by its channels; give whether locks kept any of them."""
    locks = [bool(lock) for lock in bone.lock_location]
    bone.location = np.where(locks, np.array(bone.location, dtype=np.float64), location).tolist()
    return any(locks)


def _locked_turn(old: FloatArray, new: FloatArray, locks: list[bool]) -> FloatArray:
    if not any(locks):
        return new
    before = euler_from_matrix(old, "XYZ")
    return matrix_from_euler(np.where(locks, before, euler_from_matrix(new, "XYZ", before)), "XYZ")


def _set_four(bone: Any, rotation: FloatArray, locks: list[bool]) -> bool:
    if bone.rotation_mode == "QUATERNION":
        old = np.array(bone.rotation_quaternion, dtype=np.float64)
        new = quaternion_from_matrix(rotation)
        # q and -q are the same turn: the nearer one keeps keyframes from going the long way round.
        new = -new if np.dot(old, new) < 0.0 else new
        new = np.where(locks, old, new)
        bone.rotation_quaternion = (unit(new) if np.any(new) else old).tolist()
        return any(locks)
    old = np.array(bone.rotation_axis_angle, dtype=np.float64)
    axis, angle = axis_angle_from_matrix(rotation)
    if abs(angle) < 1e-9 and np.any(old[1:]):
        axis = unit(old[1:])
    if np.dot(axis, old[1:]) < 0.0:
        axis, angle = -axis, -angle
    angle += 2.0 * np.pi * round((old[0] - angle) / (2.0 * np.pi))
    bone.rotation_axis_angle = np.where(locks, old, [angle, *axis]).tolist()
    return any(locks)
