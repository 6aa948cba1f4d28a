# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The limits of the active bone's joint, below the Hand section."""

from __future__ import annotations

from typing import Any

import bpy

from .section import Section


class PREHEND_PT_joint_limits(Section, bpy.types.Panel):
    """Limits of the active bone's joint"""

    bl_idname = "PREHEND_PT_joint_limits"
    bl_label = "Joint Limits"
    bl_parent_id = "PREHEND_PT_hand"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Any) -> bool:
        """Whether an armature is active."""
        return context.object is not None and context.object.type == "ARMATURE"

    def draw(self, context: Any) -> None:
        """Show the active bone's own limits, or offer to begin them."""
        bone = context.object.data.bones.active
        if bone is None:
            self.layout.label(text="Select a finger bone", icon="BONE_DATA")
            return
        self.layout.label(text=bone.name, icon="BONE_DATA")
        if not bone.prehend.use_own_limits:
            self.layout.operator("prehend.start_own_limits", icon="CON_ROTLIMIT").bone = bone.name
            return
        self.layout.prop(bone.prehend, "use_own_limits")
        column = self.layout.column()
        for channel in ("flexion", "abduction", "twist"):
            row = column.row(align=True)
            row.prop(bone.prehend, f"{channel}_min")
            row.prop(bone.prehend, f"{channel}_max")
