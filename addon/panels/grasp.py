# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Grasp section: the prop, how to hold it, what was found and what touches."""

from __future__ import annotations

from typing import Any

import bpy

from ..properties.choices import USUAL_MOVEMENT
from .section import Section


class PREHEND_PT_grasp(Section, bpy.types.Panel):
    """Grasps of a prop"""

    bl_idname = "PREHEND_PT_grasp"
    bl_label = "Grasp"

    def draw(self, context: Any) -> None:
        """Offer to find a grasp and to close the hand where it is, and tell what touches."""
        settings = context.scene.prehend
        column = self.layout.column(align=True)
        column.prop(settings, "prop", text="")
        column.prop(settings, "movement", text="")
        _draw_grasp(self.layout, settings)
        row = self.layout.row(align=True)
        close = row.operator("prehend.close_fingers", icon="FULLSCREEN_EXIT")
        close.side, close.depth, close.use_obstacles = settings.side, settings.depth, settings.use_obstacles
        open_ = row.operator("prehend.open_hand", text="Open", icon="LOOP_BACK")
        open_.side = settings.side
        # Closing where the hand is needs one movement.
        movement = settings.movement if settings.movement != "auto" else USUAL_MOVEMENT
        close.movement = open_.movement = movement
        _draw_options(self.layout, settings)
        armature = context.object
        if armature is not None and armature.type == "ARMATURE" and len(armature.data.prehend.contacts.fingers):
            _draw_contacts(self.layout.box(), armature.data.prehend.contacts)


def _draw_options(layout: Any, settings: Any) -> None:
    shown = settings.show_grasp_options
    layout.prop(
        settings, "show_grasp_options", icon="DOWNARROW_HLT" if shown else "RIGHTARROW", emboss=False, toggle=True
    )
    if shown:
        column = layout.column()
        for name in ("attempts", "seed", "depth", "place", "use_cursor", "use_obstacles"):
            column.prop(settings, name)


def _draw_grasp(layout: Any, settings: Any) -> None:
    column = layout.column(align=True)
    row = column.row(align=True)
    row.scale_y = 1.4
    # Invoked, so that the hand is seen improving and Esc cancels.
    row.operator_context = "INVOKE_DEFAULT"
    grasp = row.operator("prehend.grasp", icon="VIEW_PAN")
    for name in ("movement", "side", "attempts", "seed", "depth", "place", "use_cursor", "use_obstacles"):
        setattr(grasp, name, getattr(settings, name))
    row = column.row(align=True)
    for step, text, icon in ((-1, "Previous", "TRIA_LEFT"), (0, "Again", "FILE_REFRESH"), (1, "Next", "TRIA_RIGHT")):
        operator = row.operator("prehend.step_grasp", text=text, icon=icon)
        operator.step, operator.side, operator.depth, operator.place = (
            step,
            settings.side,
            settings.depth,
            settings.place,
        )


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
