# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's own inverse kinematics on a set of targets: a bone chain with limits and an IK constraint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from addon.core import rotations

from .ik_sets import LENGTHS, LIMITS_DEG, Answer, TargetSet, best_time

_KNUCKLE = 1e-5
"""Length in [m] of a bone for the base joint's flexion alone."""
_CHAIN_FROM_BONE = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
"""Bones have y along them and z out of the palm; the chain's frames have z along and y out of the back."""


@dataclass(frozen=True)
class Setup:
    """A way to set Blender's solver up."""

    name: str
    solver: str
    """The armature's, LEGACY or ITASC."""
    split: bool = False
    """Whether the base joint is two bones, one of them tiny, as no rig has it: Blender limits a bone that both flexes
    and abducts by a swing that it often does not get along with."""


SETUPS = (
    Setup("Blender IK", "LEGACY"),
    Setup("Blender IK, base joint split", "LEGACY", split=True),
    Setup("Blender iTaSC", "ITASC"),
)


def solve_in_blender(targets: TargetSet, setup: Setup) -> Answer:
    """Move the constraint's target, update, read the bones.

    Args:
        targets: The set; Blender knows no coupling, so DIP is free in both.
        setup: How the solver is set up.
    """
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    context: Any = bpy.context  # noqa: TID251 (a script has no other way to the scene)
    rig, goal = _build(context.scene, context.view_layer, setup, targets)
    points = [tuple(_CHAIN_FROM_BONE.T @ point) for point in targets.targets]
    angles = np.zeros((len(points), 3, 3))

    def work() -> None:
        for point in points:
            goal.location = point
            context.view_layer.update()

    seconds = best_time(work, threads=True)
    for row, point in enumerate(points):
        goal.location = point
        context.view_layer.update()
        before = np.eye(3)
        for joint, bone in enumerate(rig.pose.bones[-3:]):
            frame = np.array(bone.matrix.to_3x3())
            turn = _CHAIN_FROM_BONE @ before.T @ frame @ _CHAIN_FROM_BONE.T
            angles[row, joint] = rotations.angles_from_rotation(rotations.nearest_rotation(turn))
            before = frame
    return Answer(targets, angles, 1e6 * seconds / len(points), swings=not setup.split)


def _build(scene: bpy.types.Scene, view_layer: bpy.types.ViewLayer, setup: Setup, targets: TargetSet):
    rig = bpy.data.objects.new("Finger", bpy.data.armatures.new("Finger"))
    goal = bpy.data.objects.new("Goal", None)
    for each in (rig, goal):
        scene.collection.objects.link(each)
    view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    parent, along = None, 0.0
    lengths = (_KNUCKLE, LENGTHS[0] - _KNUCKLE, *LENGTHS[1:]) if setup.split else LENGTHS
    for number, length in enumerate(lengths):
        bone = rig.data.edit_bones.new(f"bone {number}")
        bone.head, bone.tail, bone.parent = (0.0, along, 0.0), (0.0, along + length, 0.0), parent
        bone.use_connect = parent is not None
        parent, along = bone, along + length
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.pose.ik_solver = setup.solver
    for bone in rig.pose.bones:
        bone.rotation_mode = "XYZ"
        bone.lock_ik_x = bone.lock_ik_y = bone.lock_ik_z = True
    owners = (0, 1, 2, 3) if setup.split else (0, 0, 1, 2)
    for owner, axis, limits, angle in zip(owners, "xzxx", np.radians(LIMITS_DEG).tolist(), targets.start, strict=True):
        bone = rig.pose.bones[owner]
        setattr(bone, f"lock_ik_{axis}", False)
        setattr(bone, f"use_ik_limit_{axis}", True)
        setattr(bone, f"ik_min_{axis}", limits[0])
        setattr(bone, f"ik_max_{axis}", limits[1])
        bone.rotation_euler["xyz".index(axis)] = angle
    constraint = rig.pose.bones[-1].constraints.new("IK")
    constraint.target, constraint.chain_count, constraint.iterations = goal, len(lengths), 500
    return rig, goal
