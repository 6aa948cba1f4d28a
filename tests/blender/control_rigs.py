# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Control rigs with the layout of Auto-Rig Pro's hands, skinned, built in code."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from addon.core.rotations import unit
from addon.core.skeleton import Skeleton
from addon.rig.armatures import create_armature_object
from tests.unit.detection_rigs import RigBuilder, arm_placement, finger_points

FINGERS = ("thumb", "index", "middle", "ring", "pinky")
RADIUS = 0.007


def add_split_rig(side: str, *, copy: str = "COPY_TRANSFORMS") -> Any:
    """As generated rigs are: finger controls deform themselves, but for the first ones, whose twins copy them.

    Second bones hang on the twin, with a helper for automatic bending in between. The hand's deforming bone follows a
    forward and an inverse kinematic control, and carries the fingers.
    """
    s = side.lower()
    rig = _arm(side)
    copies = {}
    for finger in FINGERS:
        points = arm_placement(side)(finger_points(finger, metacarpal=finger != "thumb"))
        parent = f"hand.{s}"
        if finger != "thumb":
            parent = rig.add(f"c_{finger}1_base.{s}", parent, points[0], points[1])
            points = points[1:]
        rig.add(f"c_{finger}1.{s}", parent, points[0], points[1], deform=False)
        twin = rig.add(f"{finger}1.{s}", parent, points[0], points[1])
        copies[twin] = f"c_{finger}1.{s}"
        helper = rig.add(f"c_{finger}2_rot.{s}", twin, points[1], points[2], deform=False)
        second = rig.add(f"c_{finger}2.{s}", helper, points[1], points[2])
        helper = rig.add(f"c_{finger}3_rot.{s}", second, points[2], points[3], deform=False)
        rig.add(f"c_{finger}3.{s}", helper, points[2], points[3])
    return _object(rig, copies, side, copy)


def add_twin_rig(side: str, *, copy: str = "COPY_TRANSFORMS") -> Any:
    """Two whole hands: controls that do not deform, and under the hand's bone a deforming one that copies them."""
    s = side.lower()
    rig = _arm(side)
    copies = {}
    for finger in FINGERS:
        points = arm_placement(side)(finger_points(finger, metacarpal=finger != "thumb"))
        bones = [f"{finger}{k}.{s}" for k in (1, 2, 3)]
        if finger != "thumb":
            bones.insert(0, f"{finger}1_base.{s}")
        rig.chain([f"c_{bone}" for bone in bones], f"hand.{s}", list(points), deform=False)
        rig.chain(bones, f"hand.{s}", list(points))
        copies |= {bone: f"c_{bone}" for bone in bones}
    return _object(rig, copies, side, copy)


def _arm(side: str) -> RigBuilder:
    s, place = side.lower(), arm_placement(side)
    rig = RigBuilder()
    wrist, end = place(np.zeros(3)), place(np.array([0.0, 0.0, 0.03]))
    elbow = place(np.array([0.0, 0.0, -0.25]))
    rig.add("c_traj", None, np.zeros(3), np.array([0.0, 0.2, 0.0]), deform=False)
    rig.add(f"c_forearm_fk.{s}", "c_traj", elbow, wrist, deform=False)
    rig.add(f"c_hand_fk.{s}", f"c_forearm_fk.{s}", wrist, end, deform=False)
    rig.add(f"c_hand_ik.{s}", "c_traj", wrist, end, deform=False)
    rig.add(f"forearm_stretch.{s}", "c_traj", elbow, wrist)
    rig.add(f"hand.{s}", f"forearm_stretch.{s}", wrist, end)
    return rig


def _object(rig: RigBuilder, copies: dict[str, str], side: str, copy: str) -> Any:
    skeleton = rig.build()
    armature = create_armature_object("rig", skeleton, bpy.context.scene.collection)
    s = side.lower()
    _constrain(armature, f"forearm_stretch.{s}", f"c_forearm_fk.{s}", "COPY_TRANSFORMS")
    _constrain(armature, f"hand.{s}", f"c_hand_fk.{s}", "COPY_ROTATION")
    _constrain(armature, f"hand.{s}", f"c_hand_ik.{s}", "COPY_ROTATION", influence=0.0)
    for bone, control in copies.items():
        _constrain(armature, bone, control, copy)
    for bone in armature.pose.bones:
        if bone.name.startswith("c_"):
            bone.rotation_mode = "XYZ" if "thumb" in bone.name else "QUATERNION"
    _skin(armature, skeleton)
    bpy.context.view_layer.update()
    return armature


def _constrain(armature: Any, bone: str, control: str, kind: str, *, influence: float = 1.0) -> None:
    constraint = armature.pose.bones[bone].constraints.new(kind)
    constraint.target, constraint.subtarget, constraint.influence = armature, control, influence


def _skin(armature: Any, skeleton: Skeleton) -> None:
    """Rings of skin round every deforming bone, each of one bone alone."""
    points, groups = [], {}
    for k in np.flatnonzero(skeleton.deform):
        head, tail = skeleton.heads[k], skeleton.tails[k]
        y = unit(tail - head)
        x = unit(np.cross(y, np.eye(3)[int(np.argmin(np.abs(y)))]))
        first = len(points)
        for t in np.linspace(0.05, 0.95, 6):
            for angle in np.linspace(0.0, 2.0 * np.pi, 8, endpoint=False):
                out = np.cos(angle) * x + np.sin(angle) * np.cross(x, y)
                points.append(head + t * (tail - head) + RADIUS * out)
        groups[skeleton.names[k]] = range(first, len(points))
    mesh = bpy.data.meshes.new("skin")
    mesh.from_pydata(points, [], [])
    skin = bpy.data.objects.new("skin", mesh)
    bpy.context.scene.collection.objects.link(skin)
    skin.parent = armature
    for name, vertices in groups.items():
        skin.vertex_groups.new(name=name).add(vertices, 1.0, "REPLACE")
    skin.modifiers.new("rig", "ARMATURE").object = armature
