# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's own inverse kinematics on a set of targets: a bone chain with limits and an IK constraint."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Euler, Matrix

from addon.core import rotations

from .ik_sets import LENGTHS, LIMITS_DEG, Answer, TargetSet, best_time

_CHAIN_FROM_BONE = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
"""Bones have y along them and z out of the finger's back; the chain's frames have z along and y there, mirrored."""


def solve_in_blender(targets: TargetSet, solver: str) -> Answer:
    """Move the constraint's target, update, read the bones.

    Args:
        targets: The set; Blender knows no coupling, so DIP is free in both.
        solver: The armature's solver, LEGACY or ITASC.
    """
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene  # noqa: TID251 (a script has no other way to the scene)
    view_layer = bpy.context.view_layer  # noqa: TID251
    rig, goal = _build(scene, view_layer, solver, targets)
    points = [tuple(_CHAIN_FROM_BONE.T @ point) for point in targets.targets]
    angles = np.zeros((len(points), 3, 3))

    def work() -> None:
        for point in points:
            goal.location = point
            view_layer.update()

    seconds = best_time(work)
    for row, point in enumerate(points):
        goal.location = point
        view_layer.update()
        frames = [np.array(bone.matrix.to_3x3()) for bone in rig.pose.bones]
        before = np.eye(3)
        for joint, frame in enumerate(frames):
            turn = _CHAIN_FROM_BONE @ before.T @ frame @ _CHAIN_FROM_BONE.T
            angles[row, joint] = rotations.angles_from_rotation(rotations.nearest_rotation(turn))
            before = frame
    return Answer(targets, angles, 1e6 * seconds / len(points), swings=True)


def _build(scene: bpy.types.Scene, view_layer: bpy.types.ViewLayer, solver: str, targets: TargetSet):
    rig = bpy.data.objects.new("Finger", bpy.data.armatures.new("Finger"))
    goal = bpy.data.objects.new("Goal", None)
    for each in (rig, goal):
        scene.collection.objects.link(each)
    view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    parent, along = None, 0.0
    for number, length in enumerate(LENGTHS):
        bone = rig.data.edit_bones.new(f"bone {number}")
        bone.head, bone.tail, bone.parent = (0.0, along, 0.0), (0.0, along + length, 0.0), parent
        bone.use_connect = parent is not None
        parent, along = bone, along + length
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.pose.ik_solver = solver
    flexion, abduction, pip, dip = np.radians(LIMITS_DEG).tolist()
    for bone, (low, high) in zip(rig.pose.bones, (flexion, pip, dip), strict=True):
        bone.use_ik_limit_x, bone.ik_min_x, bone.ik_max_x = True, low, high
        bone.lock_ik_y = bone.lock_ik_z = True
    first = rig.pose.bones[0]
    first.lock_ik_z, first.use_ik_limit_z, first.ik_min_z, first.ik_max_z = False, True, *abduction
    start = targets.start
    for bone, angle in zip(rig.pose.bones, (start[0], *start[2:]), strict=True):
        bone.rotation_mode = "XYZ"
        bone.rotation_euler = Euler((angle, 0.0, 0.0))
    constraint = rig.pose.bones[-1].constraints.new("IK")
    constraint.target, constraint.chain_count, constraint.iterations = goal, len(LENGTHS), 500
    rig.matrix_world = Matrix.Identity(4)
    return rig, goal
