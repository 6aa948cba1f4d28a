# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Fingertips part of the Pose section: targets for fingertips, and what goes on with them."""

from __future__ import annotations

from typing import Any

import bpy

from .section import Section


def rate_lines(rate: float, solve_ms: float, update_ms: float) -> list[str]:
    """What following takes, for people: how often it comes, and whose time that is."""
    if update_ms <= 0.0:
        return ["Move a target or the wrist"]
    whole = f" of {1000.0 / rate:.0f} ms" if rate > 0.0 else " ms"
    lines = [f"{rate:.0f} updates a second"] if rate > 0.0 else []
    return [*lines, f"Solver {solve_ms:.1f}, with rig {update_ms:.1f}{whole}"]


class PREHEND_PT_tips(Section, bpy.types.Panel):
    """Targets for fingertips"""

    bl_idname = "PREHEND_PT_tips"
    bl_label = "Fingertips"
    bl_parent_id = "PREHEND_PT_pose"

    def draw(self, context: Any) -> None:
        """Offer targets, solving, following and baking."""
        settings, shown = context.scene.prehend, context.window_manager.prehend
        column = self.layout.column(align=True)
        column.operator("prehend.add_tip_targets", icon="EMPTY_AXIS").side = settings.side
        column.operator("prehend.pin_tips", icon="PINNED").side = settings.side
        column = self.layout.column(align=True)
        column.prop(settings, "tip_method", text="")
        if settings.tip_method == "closed_form":
            column.prop(settings, "tip_bend")
        solve = column.operator("prehend.solve_tips", icon="CON_KINEMATIC")
        solve.method, solve.bend, solve.side = settings.tip_method, settings.tip_bend, settings.side
        column = self.layout.column(align=True)
        column.operator("prehend.follow_tips", icon="SNAP_ON", depress=settings.follow_tips)
        if settings.follow_tips:
            for line in rate_lines(shown.follow_rate, shown.follow_solve_ms, shown.follow_ms):
                column.label(text=line)
            if shown.follow_message:
                column.label(text=shown.follow_message, icon="ERROR")
        bake = self.layout.operator("prehend.bake_tips", icon="KEYINGSET")
        bake.method, bake.bend, bake.side = settings.tip_method, settings.tip_bend, settings.side
        column = self.layout.column(align=True)
        side = "L" if settings.side == "L" else "R"
        column.operator("prehend.add_wrist_target", icon="EMPTY_ARROWS").side = side
        column.operator("prehend.reach_wrist", icon="CON_ARMATURE").side = side
