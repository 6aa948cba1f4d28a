# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Demo hands on arms: a character small enough for tests."""

from __future__ import annotations

from typing import Any

import bpy
from mathutils import Matrix, Vector

from addon.core.handmap import HandMap
from addon.services.demo import HandSpec, Placement, add_demo_hand, add_demo_prop
from addon.services.poses import hands_of

UPPER, FORE = 0.30, 0.26
"""Lengths in [m]."""


def add_arm_hand(*, side: str = "R", at: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> tuple[Any, HandMap]:
    """A demo hand that hangs on chest, upper arm and forearm, a little bent; +z along the forearm."""
    layer, collection = bpy.context.view_layer, bpy.context.scene.collection
    made = add_demo_hand(Placement(collection, layer), HandSpec(side=side))  # type: ignore[arg-type]
    armature = bpy.data.objects[made.armature]
    hand = hands_of(armature)[0]
    layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    bones = armature.data.edit_bones
    wrist = bones[hand.wrist]
    elbow = wrist.head - Vector((0.0, 0.0, FORE))
    shoulder = elbow - Vector((0.0, 0.3, 1.0)).normalized() * UPPER
    points = [shoulder - Vector((0.0, 0.0, 0.2)), shoulder, elbow, wrist.head.copy()]
    parent = None
    for name, head, tail in zip(("chest", "upper_arm", "forearm"), points, points[1:], strict=False):
        bone = bones.new(f"{name}.{side}")
        bone.head, bone.tail, bone.parent, bone.use_deform = head, tail, parent, False
        parent = bone
    wrist.parent = parent
    bpy.ops.object.mode_set(mode="OBJECT")
    armature.matrix_world = Matrix.Translation(at)
    layer.update()
    return armature, hand


def add_prop(key: str, at: tuple[float, float, float]) -> Any:
    """A demo prop somewhere."""
    layer = bpy.context.view_layer
    prop = bpy.data.objects[add_demo_prop(Placement(bpy.context.scene.collection, layer, at), key)]
    layer.update()
    return prop


def select(armature: Any, prop: Any) -> None:
    """Select both, the armature last."""
    for obj in bpy.context.view_layer.objects:
        obj.select_set(obj in (armature, prop))
    bpy.context.view_layer.objects.active = armature
    bpy.context.scene.prehend.prop = prop
