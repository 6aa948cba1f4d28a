# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Generated hands to Blender armatures with a bound skin."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

from ..core.arrays import FloatArray
from ..core.skeleton import Skeleton
from ..shapes.hand.spec import HandBuild
from ..shapes.materials import FLUSH_ATTRIBUTE
from .objects import create_mesh_object

FREE_TURN = 1e-6
"""Ranges in [rad] narrower than this lock an axis."""


def create_hand_objects(name: str, build: HandBuild, collection: Any) -> tuple[Any, Any]:
    """A new armature object and its skin, a child of it, both linked to `collection`.

    Nothing else in the file changes: not the mode, the selection or the active object, whether or not the collection
    is part of a view layer.
    """
    armature = create_armature_object(name, build.skeleton, collection)
    # The bones lie inside the skin: thin and drawn over it, they can be seen and clicked.
    armature.show_in_front = True
    armature.data.display_type = "STICK"
    set_joint_limits(armature, build.skeleton.names, build.limits)
    skin = create_mesh_object(f"{name} Skin", build.mesh, collection)
    bind_skin(skin, armature, build.skeleton, build.weights)
    flush = skin.data.attributes.new(FLUSH_ATTRIBUTE, "FLOAT", "POINT")
    flush.data.foreach_set("value", build.flush.astype(np.float32))
    return armature, skin


def create_armature_object(name: str, skeleton: Skeleton, collection: Any, *, connect: bool = True) -> Any:
    """A new armature object whose rest pose is `skeleton`, linked to `collection`.

    Bones that begin where their parent ends are connected to it unless `connect` is off: connected ones cannot move.
    """
    data = bpy.data.armatures.new(name)
    obj = bpy.data.objects.new(name, data)
    with _editing(obj):
        bones: list[Any] = []
        for k, bone_name in enumerate(skeleton.names):
            bone = data.edit_bones.new(bone_name)
            bone.head = Vector(skeleton.heads[k])
            bone.tail = Vector(skeleton.tails[k])
            bone.align_roll(Vector(skeleton.rotations[k][:, 2]))
            bone.use_deform = bool(skeleton.deform[k])
            parent = int(skeleton.parents[k])
            if parent >= 0:
                bone.parent = bones[parent]
                touches = np.allclose(skeleton.heads[k], skeleton.tails[parent], atol=1e-9)
                bone.use_connect = connect and bool(touches)
            bones.append(bone)
    collection.objects.link(obj)
    return obj


def set_joint_limits(armature: Any, names: tuple[str, ...], limits: FloatArray) -> None:
    """Store joint limits where Blender keeps them: the IK limits and locks of the pose bones.

    Args:
        armature: Armature object.
        names: Bones. Length n.
        limits: Lowest and highest turn about x, y, z from rest in [rad]. Shape (n, 3, 2).
    """
    for bone_name, bone_limits in zip(names, limits, strict=True):
        bone = armature.pose.bones[bone_name]
        for axis, (low, high) in zip("xyz", bone_limits, strict=True):
            setattr(bone, f"lock_ik_{axis}", bool(high - low < FREE_TURN))
            setattr(bone, f"use_ik_limit_{axis}", True)
            setattr(bone, f"ik_min_{axis}", float(low))
            setattr(bone, f"ik_max_{axis}", float(high))


def bind_skin(skin: Any, armature: Any, skeleton: Skeleton, weights: FloatArray) -> None:
    """Parent a mesh object to an armature that deforms it linearly by `weights` (vertices, bones)."""
    for k, bone_name in enumerate(skeleton.names):
        if not skeleton.deform[k]:
            continue
        group = skin.vertex_groups.new(name=bone_name)
        column = weights[:, k]
        touched = np.flatnonzero(column)
        # Vertices of equal weight go in one call; most of a finger is ruled by one bone alone.
        values, places = np.unique(column[touched], return_inverse=True)
        order = np.argsort(places, kind="stable")
        for value, members in zip(values, np.split(touched[order], np.cumsum(np.bincount(places))[:-1]), strict=True):
            group.add(members.tolist(), float(value), "REPLACE")
    skin.parent = armature
    modifier = skin.modifiers.new("Armature", "ARMATURE")
    modifier.object = armature
    modifier.use_deform_preserve_volume = False


@contextmanager
def _editing(obj: Any) -> Iterator[None]:
    """Have an armature object in edit mode, in a scene of its own that is gone afterwards."""
    scene = bpy.data.scenes.new("Prehend Bones")
    try:
        scene.collection.objects.link(obj)
        view_layer = scene.view_layers[0]
        view_layer.objects.active = obj
        context = bpy.context  # noqa: TID251 - entering edit mode is an operator, which takes its object from there
        with context.temp_override(scene=scene, view_layer=view_layer, active_object=obj, object=obj):
            bpy.ops.object.mode_set(mode="EDIT")
            try:
                yield
            finally:
                bpy.ops.object.mode_set(mode="OBJECT")
        view_layer.update()
    finally:
        bpy.data.scenes.remove(scene)
