# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Pose section: named poses and mirroring for the hands of the active armature."""

from __future__ import annotations

from typing import Any

import bpy

from .section import Section


class PREHEND_PT_pose(Section, bpy.types.Panel):
    """Poses for the active armature's hands"""

    bl_idname = "PREHEND_PT_pose"
    bl_label = "Pose"

    def draw(self, context: Any) -> None:
        """Offer the poses and mirroring."""
        settings = context.scene.prehend
        self.layout.row().prop(settings, "side", expand=True)
        column = self.layout.column(align=True)
        column.prop(settings, "pose", text="")
        apply = column.operator("prehend.apply_pose", icon="POSE_HLT")
        apply.pose, apply.side = settings.pose, settings.side
        row = self.layout.row(align=True)
        row.operator("prehend.mirror_pose", text="Left to Right", icon="MOD_MIRROR").source = "L"
        row.operator("prehend.mirror_pose", text="Right to Left", icon="MOD_MIRROR").source = "R"
        self.layout.operator("prehend.copy_pose", icon="PASTEDOWN").side = settings.side
