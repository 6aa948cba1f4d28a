# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that bring a character's hand to a place."""

from __future__ import annotations

import math
from typing import Any

import bpy

from ..properties.choices import SIDE_ITEMS
from ..services.poses import hands_of
from ..services.reach import add_wrist_target, choose_wrist_target, reach_wrist
from ..services.tips import owner_of
from .reporting import OnArmature, OnTargets, run_service


class PREHEND_OT_add_wrist_target(OnArmature, bpy.types.Operator):
    """Add an empty at the wrist, with the hand's orientation, for the hand to reach"""

    bl_idname = "prehend.add_wrist_target"
    bl_label = "Add Wrist Target"
    bl_options = {"REGISTER", "UNDO"}

    side: bpy.props.EnumProperty(name="Side", description="Which hand", items=SIDE_ITEMS)

    def execute(self, context: Any) -> set[str]:
        """Add the empty."""

        def add() -> str:
            hand = hands_of(context.object, side=self.side)[0]
            return f"Added {add_wrist_target(context.object, hand, scene=context.scene)}"

        return run_service(self, add)


class PREHEND_OT_reach_wrist(OnTargets, bpy.types.Operator):
    """Move the active armature's hand, with its arm, to the other selected object or else to its wrist target"""

    bl_idname = "prehend.reach_wrist"
    bl_label = "Reach Wrist"
    bl_options = {"REGISTER", "UNDO"}

    side: bpy.props.EnumProperty(name="Side", description="Which hand", items=SIDE_ITEMS)
    use_rotation: bpy.props.BoolProperty(
        name="Rotation",
        description="Take on the object's orientation: z along the fingers, y out of the back",
        default=True,
    )

    def execute(self, context: Any) -> set[str]:
        """Move the hand."""
        armature = owner_of(context.object)
        others = [obj for obj in context.selected_objects if obj != armature]

        def reach() -> str:
            hand = hands_of(armature, side=self.side)[0]
            target = choose_wrist_target(armature, hand, others, scene=context.scene)
            report = reach_wrist(armature, hand, target, view_layer=context.view_layer, use_rotation=self.use_rotation)
            left = f"{1000.0 * report.gap:.1f} mm and {math.degrees(report.turn):.1f} degrees away"
            arrived = report.gap < 1e-3 and report.turn < 0.02
            return f"Moved {report.way}; " + ("the hand is there" if arrived else f"the hand stays {left}")

        return run_service(self, reach)


CLASSES = (PREHEND_OT_add_wrist_target, PREHEND_OT_reach_wrist)
