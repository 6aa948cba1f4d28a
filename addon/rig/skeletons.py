# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Armature objects to skeletons in world metres, and the marks that stay on bones when they are renamed."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.skeleton import Skeleton

ROLES_KEY = "prehend_roles"
"""Custom property of a bone: what it is in the hands of its armature, one role a line."""


def read_skeleton(armature: Any) -> Skeleton:
    """The rest pose of an armature object in world space, its scale folded in."""
    if armature.mode == "EDIT":
        armature.update_from_editmode()
    bones = list(armature.data.bones)
    order = _parents_first(bones)
    place = {bone.name: number for number, bone in enumerate(order)}
    T_world_armature = np.array(armature.matrix_world, dtype=np.float64)
    count = len(order)
    frames = np.array([bone.matrix_local for bone in order], dtype=np.float64).reshape(count, 4, 4)
    return Skeleton(
        names=tuple(bone.name for bone in order),
        parents=np.array([place[bone.parent.name] if bone.parent else -1 for bone in order], dtype=np.int64),
        heads=_to_world(T_world_armature, [bone.head_local for bone in order]),
        tails=_to_world(T_world_armature, [bone.tail_local for bone in order]),
        rotations=_orthonormal(T_world_armature[:3, :3] @ frames[:, :3, :3]),
        deform=np.array([bone.use_deform for bone in order], dtype=np.bool_),
    )


def left_of(armature: Any) -> FloatArray:
    """World direction to the left of the character: the armature's own +X, as it faces its own -Y. Shape (3,)."""
    axis = np.array(armature.matrix_world, dtype=np.float64)[:3, 0]
    length = float(np.linalg.norm(axis))
    return axis / length if length > 0.0 else np.array([1.0, 0.0, 0.0])


def read_roles(armature: Any) -> dict[str, list[str]]:
    """Names of the bones that carry each role."""
    found: dict[str, list[str]] = {}
    for bone in armature.data.bones:
        for role in str(bone.get(ROLES_KEY, "")).splitlines():
            found.setdefault(role, []).append(bone.name)
    return found


def write_roles(armature: Any, roles: dict[str, list[str]]) -> None:
    """Mark bones with their roles and clear the marks of all others.

    Args:
        armature: The armature object.
        roles: Roles by bone name.
    """
    for bone in armature.data.bones:
        if bone.name in roles:
            bone[ROLES_KEY] = "\n".join(roles[bone.name])
        elif ROLES_KEY in bone:
            del bone[ROLES_KEY]


def _parents_first(bones: list[Any]) -> list[Any]:
    depth = {bone.name: len(bone.parent_recursive) for bone in bones}
    return bones if _is_ordered(bones) else sorted(bones, key=lambda bone: depth[bone.name])


def _is_ordered(bones: list[Any]) -> bool:
    seen: set[str] = set()
    for bone in bones:
        if bone.parent is not None and bone.parent.name not in seen:
            return False
        seen.add(bone.name)
    return True


def _to_world(T_world_armature: FloatArray, points: list[Any]) -> FloatArray:
    local = np.array(points, dtype=np.float64).reshape(-1, 3)
    return local @ T_world_armature[:3, :3].T + T_world_armature[:3, 3]


def _orthonormal(matrices: FloatArray) -> FloatArray:
    """The rotations nearest to matrices with scale, shear or mirroring in them. Shape (n, 3, 3)."""
    U, _, Vt = np.linalg.svd(matrices)
    flip = np.ones((len(matrices), 1, 3))
    flip[:, 0, 2] = np.sign(np.linalg.det(U @ Vt))
    return (U * flip) @ Vt
