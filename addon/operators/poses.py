# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that pose the hands of the active armature."""

from __future__ import annotations

from typing import Any

import bpy

from ..preferences import conventions_folder, poses_folder
from ..properties.choices import FINGER_ITEMS, SIDE_ITEMS, SIDES_ITEMS
from ..properties.library import DEFAULT_POSE, pose_keys
from ..properties.shared import pose_fingers, pose_flip, pose_share
from ..services.pose_library import load_library
from ..services.poses import (
    PoseReport,
    apply_pose,
    apply_random_pose,
    copy_pose,
    hands_of,
    key_hands,
    mirror_pose,
)
from .reporting import OnArmature, run_service


class PREHEND_OT_apply_pose(OnArmature, bpy.types.Operator):
    """Give the hands of the active armature a pose"""

    bl_idname = "prehend.apply_pose"
    bl_label = "Apply Pose"
    bl_options = {"REGISTER", "UNDO"}

    pose: bpy.props.StringProperty(name="Pose", description="Pose to apply", default=DEFAULT_POSE, search=pose_keys)
    side: bpy.props.EnumProperty(name="Side", description="Which hands to pose", items=SIDES_ITEMS)
    factor: pose_share("Factor")
    fingers: pose_fingers()
    flip: pose_flip()
    key: bpy.props.BoolProperty(name="Key", description="Insert keyframes for the finger bones at the current frame")

    def execute(self, context: Any) -> set[str]:
        """Pose, and key if asked to."""

        def pose() -> str:
            armature = context.object
            side = str({"L": "R", "R": "L"}.get(self.side, self.side) if self.flip else self.side)
            hands = hands_of(armature, side=side, convention_folders=[conventions_folder()])
            every = len(self.fingers) == len(FINGER_ITEMS)
            report = apply_pose(
                armature,
                hands,
                self.pose,
                view_layer=context.view_layer,
                factor=self.factor,
                fingers=None if every else self.fingers,
                flip=self.flip,
                library=load_library(poses_folder()),
            )
            if self.key:
                key_hands(armature, hands, context.scene.frame_current)
            return _sentence("Posed", report)

        return run_service(self, pose)


class PREHEND_OT_random_pose(OnArmature, bpy.types.Operator):
    """Give the hands of the active armature natural poses by chance"""

    bl_idname = "prehend.random_pose"
    bl_label = "Random Pose"
    bl_options = {"REGISTER", "UNDO"}

    side: bpy.props.EnumProperty(name="Side", description="Which hands to pose", items=SIDES_ITEMS)
    seed: bpy.props.IntProperty(name="Seed", description="The same seed gives the same pose", min=0)
    amount: bpy.props.FloatProperty(
        name="Amount",
        description="0 is the mean of all our postures, 1 as different as these are",
        default=1.0,
        min=0.0,
        soft_max=1.5,
        max=3.0,
    )
    key: bpy.props.BoolProperty(name="Key", description="Insert keyframes for the finger bones at the current frame")

    def execute(self, context: Any) -> set[str]:
        """Pose, and key if asked to."""

        def pose() -> str:
            hands = hands_of(context.object, side=self.side, convention_folders=[conventions_folder()])
            report = apply_random_pose(
                context.object, hands, view_layer=context.view_layer, seed=self.seed, amount=self.amount
            )
            if self.key:
                key_hands(context.object, hands, context.scene.frame_current)
            return _sentence("Posed", report)

        return run_service(self, pose)


class PREHEND_OT_mirror_pose(OnArmature, bpy.types.Operator):
    """Give the other hand of the active armature the mirrored pose of this one"""

    bl_idname = "prehend.mirror_pose"
    bl_label = "Mirror Pose"
    bl_options = {"REGISTER", "UNDO"}

    source: bpy.props.EnumProperty(name="From", description="Hand whose pose is mirrored", items=SIDE_ITEMS)

    def execute(self, context: Any) -> set[str]:
        """Mirror from the source side to the other."""

        def mirror() -> str:
            report = mirror_pose(
                context.object,
                source_side=self.source,
                view_layer=context.view_layer,
                convention_folders=[conventions_folder()],
            )
            return _sentence("Mirrored to", report)

        return run_service(self, mirror)


class PREHEND_OT_copy_pose(OnArmature, bpy.types.Operator):
    """Give the active armature's hands the poses of the other selected armature's"""

    bl_idname = "prehend.copy_pose"
    bl_label = "Copy Pose"
    bl_options = {"REGISTER", "UNDO"}

    side: bpy.props.EnumProperty(name="Side", description="Which hands to pose", items=SIDES_ITEMS)

    def execute(self, context: Any) -> set[str]:
        """Copy from the one other selected armature."""
        others = [obj for obj in context.selected_objects if obj.type == "ARMATURE" and obj != context.object]
        if len(others) != 1:
            self.report({"ERROR"}, "Select the armature to copy from, then with Shift the one to pose.")
            return {"CANCELLED"}

        def copy() -> str:
            report = copy_pose(
                others[0],
                context.object,
                side=self.side,
                view_layer=context.view_layer,
                convention_folders=[conventions_folder()],
            )
            return _sentence(f"Copied from {others[0].name} to", report)

        return run_service(self, copy)


class PREHEND_OT_key_hands(OnArmature, bpy.types.Operator):
    """Insert keyframes for all finger bones of the active armature at the current frame"""

    bl_idname = "prehend.key_hands"
    bl_label = "Key Hands"
    bl_options = {"REGISTER", "UNDO"}

    side: bpy.props.EnumProperty(name="Side", description="Which hands to key", items=SIDES_ITEMS)

    def execute(self, context: Any) -> set[str]:
        """Key the finger bones."""

        def key() -> str:
            frame = context.scene.frame_current
            hands = hands_of(context.object, side=self.side, convention_folders=[conventions_folder()])
            count = key_hands(context.object, hands, frame)
            return f"Keyed {count} bones at frame {frame}"

        return run_service(self, key)


def _sentence(done: str, report: PoseReport) -> str:
    text = f"{done} {', '.join(report.hands)}"
    return f"{text}; left as locked: {', '.join(report.locked)}" if report.locked else text


CLASSES = (
    PREHEND_OT_apply_pose,
    PREHEND_OT_random_pose,
    PREHEND_OT_mirror_pose,
    PREHEND_OT_copy_pose,
    PREHEND_OT_key_hands,
)
