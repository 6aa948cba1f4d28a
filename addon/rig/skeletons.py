# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Armature objects to skeletons in world metres, and the marks that stay on bones when they are renamed."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.rotations import nearest_rotation
from ..core.skeleton import Skeleton

ROLES_KEY = "prehend_roles"
"""Custom property of a bone: what it is in the hands of its armature, one role a line."""


def read_skeleton(armature: Any) -> Skeleton:
    """The rest pose of an armature object in world metres, its scale folded in.

    The bones' frames are turned, and mirrored where the object mirrors them, but not scaled.
    """
    if armature.mode == "EDIT":
        armature.update_from_editmode()
    bones = armature.data.bones
    names = [bone.name for bone in bones]
    place = {name: number for number, name in enumerate(names)}
    parents = np.array([place[bone.parent.name] if bone.parent else -1 for bone in bones], dtype=np.int64)
    order = _parents_first(parents)
    T_world_armature = np.array(armature.matrix_world, dtype=np.float64)
    # Blender keeps matrices column by column.
    frames = np.swapaxes(_read(bones, "matrix_local", 16).reshape(-1, 4, 4), -1, -2)
    deform = np.empty(len(names), dtype=np.bool_)
    bones.foreach_get("use_deform", deform)
    new = np.empty(len(names) + 1, dtype=np.int64)
    new[order] = np.arange(len(names))
    new[-1] = -1
    return Skeleton(
        names=tuple(names[number] for number in order),
        parents=new[parents[order]],
        heads=_to_world(T_world_armature, _read(bones, "head_local", 3)[order]),
        tails=_to_world(T_world_armature, _read(bones, "tail_local", 3)[order]),
        rotations=nearest_rotation(T_world_armature[:3, :3]) @ nearest_rotation(frames[order, :3, :3]),
        deform=deform[order],
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


def _read(bones: Any, name: str, width: int) -> FloatArray:
    """A property of all bones. Shape (n, width)."""
    flat = np.empty(width * len(bones), dtype=np.float32)
    bones.foreach_get(name, flat)
    return flat.astype(np.float64).reshape(-1, width)


def _parents_first(parents: IntArray) -> IntArray:
    """Numbers of bones in an order in which parents come first: the given one where it is such. Shape (n,)."""
    count = len(parents)
    if np.all(parents < np.arange(count)):
        return np.arange(count)
    depth = np.zeros(count, dtype=np.int64)
    above = parents
    while np.any(above >= 0):
        depth += above >= 0
        above = np.where(above >= 0, parents[above], -1)
    return np.argsort(depth, kind="stable")


def _to_world(T_world_armature: FloatArray, local: FloatArray) -> FloatArray:
    return local @ T_world_armature[:3, :3].T + T_world_armature[:3, 3]
