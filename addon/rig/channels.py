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
        else:
            # Blender locks four values as if they were three angles.
            _set_values(bone, nearest_values(bone, _locked_turn(get_rotation(bone), rotation, locks)), [False] * 4)
            return any(locks)
    _set_values(bone, nearest_values(bone, rotation), locks)
    return any(locks)


def nearest_values(bone: Any, rotation: FloatArray) -> FloatArray:
    """Values of a bone's or an object's rotation mode for a turn (3, 3), of all equal ones those nearest to its own."""
    old = np.array(getattr(bone, rotation_property(bone)), dtype=np.float64)
    if bone.rotation_mode == "QUATERNION":
        new = quaternion_from_matrix(rotation)
        # q and -q are the same turn: the nearer one keeps keyframes from going the long way round.
        return -new if np.dot(old, new) < 0.0 else new
    if bone.rotation_mode == "AXIS_ANGLE":
        axis, angle = axis_angle_from_matrix(rotation)
        if abs(angle) < 1e-9 and np.any(old[1:]):
            axis = unit(old[1:])
        if np.dot(axis, old[1:]) < 0.0:
            axis, angle = -axis, -angle
        angle += 2.0 * np.pi * round((old[0] - angle) / (2.0 * np.pi))
        return np.array([angle, *axis])
    return euler_from_matrix(rotation, bone.rotation_mode, old)


def place_object(obj: Any, T_world_object: FloatArray) -> None:
    """Bring an object to a place by its channels, near to their present values, whatever its rotation mode and parent.

    Blender's own way from a matrix to Euler angles is off by a few ten-thousandths of a radian near gimbal lock, so
    that the turn is taken from it as a quaternion. Locks do not count, and constraints are not looked at.

    Args:
        obj: The object.
        T_world_object: Wanted world matrix, scale included. Shape (4, 4).
    """
    mode, name = obj.rotation_mode, rotation_property(obj)
    before = tuple(getattr(obj, name))
    obj.rotation_mode = "QUATERNION"
    obj.matrix_world = Matrix(np.asarray(T_world_object).tolist())
    turn = obj.delta_rotation_quaternion @ obj.rotation_quaternion
    obj.rotation_mode = mode
    setattr(obj, name, before)
    if mode in ("QUATERNION", "AXIS_ANGLE"):
        delta = obj.delta_rotation_quaternion if mode == "QUATERNION" else None
    else:
        delta = obj.delta_rotation_euler.to_quaternion()
    turn = delta.inverted() @ turn if delta is not None else turn
    wanted = matrix_from_quaternion(unit(np.array(turn, dtype=np.float64)))
    setattr(obj, name, nearest_values(obj, wanted).tolist())


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


def _set_values(bone: Any, new: FloatArray, locks: list[bool]) -> None:
    name = rotation_property(bone)
    old = np.array(getattr(bone, name), dtype=np.float64)
    values = np.where(locks, old, new)
    if bone.rotation_mode == "QUATERNION":
        values = unit(values) if np.any(values) else old
    setattr(bone, name, values.tolist())
