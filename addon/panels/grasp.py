# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Grasp section: the prop, how to hold it, and what touches."""

from __future__ import annotations

from typing import Any

import bpy

from .section import Section


class PREHEND_PT_grasp(Section, bpy.types.Panel):
    """Grasps of a prop"""

    bl_idname = "PREHEND_PT_grasp"
    bl_label = "Grasp"

    def draw(self, context: Any) -> None:
        """Offer to close the hand on a prop, and tell what touches."""
        settings = context.scene.prehend
        column = self.layout.column(align=True)
        column.prop(settings, "prop", text="Prop")
        column.prop(settings, "movement", text="Movement")
        row = self.layout.row(align=True)
        close = row.operator("prehend.close_fingers", icon="VIEW_PAN")
        close.movement, close.side = settings.movement, settings.side
        close.depth, close.use_obstacles = settings.depth, settings.use_obstacles
        open_ = row.operator("prehend.open_hand", text="Open", icon="LOOP_BACK")
        open_.movement, open_.side = settings.movement, settings.side
        column = self.layout.column(align=True)
        column.prop(settings, "depth")
        column.prop(settings, "use_obstacles")
        armature = context.object
        if armature is not None and armature.type == "ARMATURE" and len(armature.data.prehend.contacts.fingers):
            _draw_contacts(self.layout.box(), armature.data.prehend.contacts)


def _draw_contacts(layout: Any, contacts: Any) -> None:
    layout.label(text=f"{contacts.hand} on {contacts.prop}")
    column = layout.column(align=True)
    for finger in contacts.fingers:
        row = column.row(align=True)
        row.label(text=finger.finger.title(), icon="CHECKMARK" if finger.touching else "RADIOBUT_OFF")
        row.label(text=_gap(finger))
    if contacts.note:
        layout.label(text=contacts.note, icon="INFO")


def _gap(finger: Any) -> str:
    if finger.gap_mm <= 0.0:
        return f"{-finger.gap_mm:.2f} mm deep"
    if finger.gap_mm > 2.0:
        return "away"
    return f"{finger.gap_mm:.2f} mm off"
