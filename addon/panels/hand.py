# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Hand section: which hand is worked on, and demo hands and props to begin with."""

from __future__ import annotations

from typing import Any

import bpy

from .section import Section


class PREHEND_PT_hand(Section, bpy.types.Panel):
    """Hands and props to work with"""

    bl_idname = "PREHEND_PT_hand"
    bl_label = "Hand"

    def draw(self, context: Any) -> None:
        """Offer the demo hands and props."""
        settings = context.scene.prehend
        column = self.layout.column(align=True)
        column.prop(settings, "demo_variant", text="")
        # Invoked, so that the preferences' side and size are taken.
        column.operator_context = "INVOKE_DEFAULT"
        column.operator("prehend.add_demo_hand", icon="VIEW_PAN").variant = settings.demo_variant
        column = self.layout.column(align=True)
        column.prop(settings, "demo_prop", text="")
        column.operator("prehend.add_demo_prop", icon="MESH_UVSPHERE").prop = settings.demo_prop
