# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Export section: files for other programs, and poses for the asset browser."""

from __future__ import annotations

from typing import Any

import bpy

from .section import Section

_SETTINGS = ("ending", "preset", "takes", "frames", "frame_start", "frame_end", "deform_only", "hidden")


class PREHEND_PT_export(Section, bpy.types.Panel):
    """Export of hands and props"""

    bl_idname = "PREHEND_PT_export"
    bl_label = "Export"

    def draw(self, context: Any) -> None:
        """Offer the file dialog with what is chosen here, and to keep the pose as an asset."""
        settings = context.scene.prehend.export
        column = self.layout.column(align=True)
        column.prop(settings, "ending", text="")
        column.prop(settings, "preset")
        column.prop(settings, "takes")
        if settings.takes == "timeline":
            column.prop(settings, "frames")
            if settings.frames == "custom":
                row = column.row(align=True)
                row.prop(settings, "frame_start")
                row.prop(settings, "frame_end")
        column.prop(settings, "deform_only")
        column.prop(settings, "hidden")
        # Invoked, so that the file dialog asks where to.
        row = self.layout.row()
        row.operator_context = "INVOKE_DEFAULT"
        operator = row.operator("prehend.export_grasp", icon="EXPORT")
        for name in _SETTINGS:
            setattr(operator, name, getattr(settings, name))
        self.layout.operator("prehend.save_pose_asset", icon="ASSET_MANAGER").side = context.scene.prehend.side
