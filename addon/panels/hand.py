# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Hand section: which hands are worked on, and demo hands and props to begin with."""

from __future__ import annotations

from typing import Any

import bpy

from .section import Section


class PREHEND_PT_hand(Section, bpy.types.Panel):
    """Hands and props to work with"""

    bl_idname = "PREHEND_PT_hand"
    bl_label = "Hand"

    def draw(self, context: Any) -> None:
        """Show the active armature's hands and offer demo hands and props."""
        armature = context.object
        self.layout.operator("prehend.detect_hands", icon="VIEWZOOM")
        if armature is not None and armature.type == "ARMATURE":
            _draw_skin(self.layout, armature.data.prehend.skin_off)
            for number, hand in enumerate(armature.data.prehend.hands):
                _draw_hand(self.layout.box(), armature, number, hand)
        settings = context.scene.prehend
        column = self.layout.column(align=True)
        column.prop(settings, "demo_variant", text="")
        # Invoked, so that the preferences' side and size are taken.
        column.operator_context = "INVOKE_DEFAULT"
        column.operator("prehend.add_demo_hand", icon="VIEW_PAN").variant = settings.demo_variant
        column = self.layout.column(align=True)
        column.prop(settings, "demo_prop", text="")
        column.operator("prehend.add_demo_prop", icon="MESH_UVSPHERE").prop = settings.demo_prop


def _draw_skin(layout: Any, off: str) -> None:
    """How far the skin lies off the bones, and what mends it."""
    if off:
        column = layout.column(align=True)
        column.label(text=f"The skin lies {off} off its bones", icon="ERROR")
        column.operator("prehend.align_skin", icon="SNAP_ON")


def _draw_hand(layout: Any, armature: Any, number: int, hand: Any) -> None:
    row = layout.row(align=True)
    row.prop(
        hand, "show_bones", text=hand.wrist, icon="DOWNARROW_HLT" if hand.show_bones else "RIGHTARROW", emboss=False
    )
    row.prop(hand, "side", text="")
    layout.label(
        text=f"{hand.title or hand.convention}, {len(hand.fingers)} fingers, {100 * hand.confidence:.0f} % sure"
    )
    for note in hand.notes.splitlines():
        layout.label(text=note, icon="ERROR")
    if not hand.show_bones:
        return
    bones = armature.data
    column = layout.column(align=True)
    column.prop_search(hand, "wrist", bones, "bones", text="Wrist")
    for index, finger in enumerate(hand.fingers):
        column = layout.column(align=True)
        row = column.row(align=True)
        row.label(text=finger.finger.title())
        add = row.operator("prehend.add_bone_slot", text="", icon="ADD")
        add.hand, add.finger = number, index
        column.prop_search(finger, "metacarpal", bones, "bones", text="Palm")
        for joint, slot in enumerate(finger.chain):
            column.prop_search(slot, "bone", bones, "bones", text=str(joint + 1))
        column.prop_search(finger, "tip", bones, "bones", text="Tip")
    row = layout.row(align=True)
    row.operator("prehend.apply_hand_bones", icon="CHECKMARK")
    row.operator("prehend.refresh_hand_bones", text="", icon="FILE_REFRESH")
    row.operator("prehend.save_convention", text="", icon="FILE_TICK").hand = number
