# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that give fingertips targets and bring them there."""

from __future__ import annotations

from typing import Any

import bpy

from ..properties.choices import SIDES_ITEMS
from ..properties.shared import tip_bend, tip_method
from ..services.finger_ik import TipOptions
from ..services.poses import hands_of
from ..services.tip_pins import pin_tips
from ..services.tips import TipReport, add_tip_targets, owner_of, solve_tips
from .follow_tips import FOLLOWER
from .reporting import OnArmature, OnTargets, run_service


class TipMethod:
    """Mix-in of operators that solve fingers."""

    method: tip_method()
    bend: tip_bend()

    def tip_options(self) -> TipOptions:
        """What the properties say."""
        return TipOptions(method=self.method, theta_u=self.bend)


class ChosenFingers:
    """Mix-in of operators that work on some fingers."""

    side: bpy.props.EnumProperty(name="Side", description="Which hands", items=SIDES_ITEMS)
    fingers: bpy.props.StringProperty(
        name="Fingers", description="Names of fingers, with commas; empty for those with selected bones, or all"
    )

    def names(self) -> list[str]:
        """The named fingers."""
        return [name.strip() for name in self.fingers.split(",") if name.strip()]


def selected_bones(context: Any) -> list[str]:
    """Names of the bones that are selected in pose mode."""
    if context.mode != "POSE":
        return []
    return [bone.name for bone in context.selected_pose_bones or () if bone.id_data == context.object]


class PREHEND_OT_add_tip_targets(ChosenFingers, OnTargets, bpy.types.Operator):
    """Add an empty at each fingertip that has none, for the fingertip to go to"""

    bl_idname = "prehend.add_tip_targets"
    bl_label = "Add Tip Targets"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: Any) -> set[str]:
        """Add the empties."""

        def add() -> str:
            armature = owner_of(context.object)
            made = add_tip_targets(
                armature,
                hands_of(armature, side=self.side),
                scene=context.scene,
                fingers=self.names(),
                selected=selected_bones(context),
            )
            return f"Added {', '.join(made)}" if made else "Every one of these fingers has a target already"

        return run_service(self, add)


class PREHEND_OT_solve_tips(TipMethod, OnTargets, bpy.types.Operator):
    """Bring the fingertips of the active armature to their targets, within the joints' limits"""

    bl_idname = "prehend.solve_tips"
    bl_label = "Solve Tips"
    bl_options = {"REGISTER", "UNDO"}

    side: bpy.props.EnumProperty(name="Side", description="Which hands", items=SIDES_ITEMS)

    def execute(self, context: Any) -> set[str]:
        """Solve once."""

        def solve() -> str:
            with FOLLOWER.paused():
                report = solve_tips(
                    owner_of(context.object),
                    scene=context.scene,
                    view_layer=context.view_layer,
                    options=self.tip_options(),
                    side=self.side,
                )
            return _sentence(report)

        return run_service(self, solve)


class PREHEND_OT_pin_tips(ChosenFingers, OnArmature, bpy.types.Operator):
    """Pin fingertips of the active armature to the other selected object, so that they stay while the wrist moves"""

    bl_idname = "prehend.pin_tips"
    bl_label = "Pin Fingertips"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: Any) -> set[str]:
        """Put the targets on the surface and have the fingertips follow them."""
        surfaces = [obj for obj in context.selected_objects if obj.type == "MESH"]
        if len(surfaces) != 1:
            self.report({"ERROR"}, "Select the object to pin to, then with Shift the armature.")
            return {"CANCELLED"}

        def pin() -> str:
            pinned = pin_tips(
                context.object,
                hands_of(context.object, side=self.side),
                surfaces[0],
                scene=context.scene,
                depsgraph=context.evaluated_depsgraph_get(),
                fingers=self.names(),
                selected=selected_bones(context),
            )
            context.scene.prehend.follow_tips = True
            context.view_layer.update()
            return f"Pinned {len(pinned)} fingertips to {surfaces[0].name}"

        return run_service(self, pin)


def _sentence(report: TipReport) -> str:
    arrived = len(report.outcomes) - len(report.missed)
    text = f"{arrived} of {len(report.outcomes)} fingertips arrived, solved in {1e3 * report.solve_seconds:.1f} ms"
    away = ", ".join(f"{each.finger} {1000.0 * each.gap:.1f} mm ({each.reason})" for each in report.missed)
    return f"{text}; away from their targets: {away}" if away else text


CLASSES = (PREHEND_OT_add_tip_targets, PREHEND_OT_solve_tips, PREHEND_OT_pin_tips)
