# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Animate section: a held grasp as keys, and keys for the hands as they are."""

from __future__ import annotations

from typing import Any

import bpy

from ..properties.animation import PARTS
from .section import Section, fold

FINGERS = ("Thumb", "Index", "Middle", "Ring", "Little", "Sixth")
"""What the delays of fingers are called; grippers' fingers take them in their order."""


class PREHEND_PT_animate(Section, bpy.types.Panel):
    """Keyframes for the active armature's hands"""

    bl_idname = "PREHEND_PT_animate"
    bl_label = "Animate"

    def draw(self, context: Any) -> None:
        """Offer to animate the grasp, with its timing first."""
        settings = context.scene.prehend.animation
        column = self.layout.column(align=True)
        row = column.row(align=True)
        start = row.row(align=True)
        start.active = not settings.at_playhead
        start.prop(settings, "start")
        row.prop(settings, "at_playhead", text="", icon="TIME")
        ending = "_s" if settings.unit == "SECONDS" else ""
        for name in PARTS:
            if name == "carry" and settings.target is None and settings.path is None and not settings.lifts:
                continue
            if name in ("release", "retreat") and not settings.releases:
                continue
            column.prop(settings, f"{name}{ending}")
        column = self.layout.column(align=True)
        column.prop(settings, "target")
        row = column.row(align=True)
        row.prop(settings, "path")
        if settings.path is not None:
            row.prop(settings, "path_here", text="", icon="SNAP_ON")
        column.prop(settings, "attach")
        column.prop(settings, "existing")
        _draw_buttons(self.layout, context.scene.prehend)
        _draw_options(self.layout, settings)
        self.layout.operator("prehend.key_hands", icon="KEY_HLT").side = context.scene.prehend.side


def _draw_buttons(layout: Any, scene_settings: Any) -> None:
    column = layout.column(align=True)
    row = column.row(align=True)
    row.scale_y = 1.4
    # Invoked, so that it is seen running and Esc cancels.
    row.operator_context = "INVOKE_DEFAULT"
    animate = row.operator("prehend.animate_grasp", icon="PLAY")
    animate.use_panel, animate.add = True, False
    row = column.row(align=True)
    row.operator_context = "INVOKE_DEFAULT"
    another = row.operator("prehend.animate_grasp", text="Add Another", icon="ADD")
    another.use_panel, another.add = True, True
    remove = row.operator("prehend.remove_animation", text="Remove", icon="X")
    remove.side = scene_settings.side


def _draw_options(layout: Any, settings: Any) -> None:
    if not fold(layout, settings, "show_options"):
        return
    column = layout.column()
    for name in ("unit", "begin"):
        column.prop(settings, name)
    _draw_delays(column, settings)
    for name in ("smooth", "lift", "lifts", "releases", "bake"):
        column.prop(settings, name)


def _draw_delays(layout: Any, settings: Any) -> None:
    """How much later fingers close: evenly, or each by frames of its own, which count instead."""
    row = layout.row()
    row.active = not any(settings.delays)
    row.prop(settings, "overlap")
    column = layout.column(align=True)
    column.label(text="Delays in Frames")
    grid = column.grid_flow(row_major=True, columns=2, even_columns=True, align=True)
    for number, name in enumerate(FINGERS):
        grid.prop(settings, "delays", index=number, text=name)
