# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists of the Grasp section: places where the prop can be taken, and grasps to choose from."""

from __future__ import annotations

from typing import Any

import bpy

from ..properties.pictures import icon_of

PICTURE = 3.0
"""Size of a grasp's picture in the list, in heights of a button."""


class PREHEND_UL_hooks(bpy.types.UIList):
    """Places found on the prop's mesh"""

    bl_idname = "PREHEND_UL_hooks"

    def draw_item(self, context: Any, layout: Any, data: Any, item: Any, icon: int, active: Any, name: str) -> None:
        """A tick, what it is and how thick."""
        row = layout.row(align=True)
        row.prop(item, "use", text="")
        row.label(text=item.title)
        side = row.row()
        side.alignment = "RIGHT"
        side.label(text=f"{item.thickness_mm:.0f} mm")


class PREHEND_UL_grasps(bpy.types.UIList):
    """Grasps kept with the prop"""

    bl_idname = "PREHEND_UL_grasps"

    def draw_item(
        self,
        context: Any,
        layout: Any,
        data: Any,
        item: Any,
        icon: int,
        active: Any,
        name: str,
        index: int = 0,
        *_: Any,
    ) -> None:
        """A picture and a button that takes it."""
        settings = context.scene.prehend
        row = layout.row(align=True)
        number = icon_of(item.picture)
        if number:
            row.template_icon(icon_value=number, scale=PICTURE)
        column = row.column(align=True)
        apply = column.operator("prehend.apply_grasp", text=item.title, emboss=False)
        apply.number, apply.side, apply.place = index, settings.side, settings.place
        apply.depth_mm, apply.use_obstacles = settings.depth_mm, settings.use_obstacles
        line = column.row(align=True)
        line.enabled = False
        line.alignment = "CENTER"
        line.label(text=f"{item.contacts} {'contact' if item.contacts == 1 else 'contacts'}, {item.depth_mm:.1f} mm")
