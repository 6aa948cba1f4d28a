# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Practise on a tab of the scenario's own: open a section, drag a slider, scroll, leave a modal operator."""

from __future__ import annotations

from typing import Any

import bpy
from gui_blender.gui import Gui
from gui_blender.steps import CONTEXT, Steps, settle

SEEN: list[str] = []


class PRACTICE_OT_wait(bpy.types.Operator):  # noqa: N801 - Blender's naming
    """Wait for Esc"""

    bl_idname = "practice.wait"
    bl_label = "Wait for Esc"

    def invoke(self, context: Any, event: Any) -> set[str]:
        """Start to wait."""
        SEEN.append("started")
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: Any, event: Any) -> set[str]:
        """Wait for Esc, whatever else comes."""
        if event.type == "ESC":
            SEEN.append("left with Esc")
            return {"CANCELLED"}
        return {"RUNNING_MODAL"}


class PRACTICE_PT_closed(bpy.types.Panel):  # noqa: N801 - Blender's naming
    """Closed until its header is clicked"""

    bl_label = "Closed"
    bl_category = "Practice"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_options = {"DEFAULT_CLOSED"}  # noqa: RUF012 - Blender reads a set

    def draw(self, context: Any) -> None:
        """One button."""
        self.layout.operator("object.delete")


class PRACTICE_PT_long(bpy.types.Panel):  # noqa: N801 - Blender's naming
    """More than fits below each other"""

    bl_label = "Long"
    bl_category = "Practice"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"

    def draw(self, context: Any) -> None:
        """A slider, a row of three buttons, and the wanted button far below."""
        self.layout.prop(context.scene, "practice_value", slider=True)
        row = self.layout.row()
        row.operator("object.select_all", text="All").action = "SELECT"
        row.operator("object.select_all", text="None").action = "DESELECT"
        row.operator("object.select_all", text="Invert").action = "INVERT"
        for i in range(45):
            self.layout.label(text=str(i))
        self.layout.operator("practice.wait")


def play(gui: Gui) -> Steps[None]:
    """Use every helper that Prehend's own scenarios do not use yet."""
    bpy.types.Scene.practice_value = bpy.props.FloatProperty(name="Value", min=0.0, max=1.0)
    for cls in (PRACTICE_OT_wait, PRACTICE_PT_closed, PRACTICE_PT_long):
        bpy.utils.register_class(cls)
    gui.drawn.watch(PRACTICE_PT_closed)
    yield from settle()
    yield from gui.sidebar.open()
    yield from gui.sidebar.click_tab("Practice")

    gui.records["closed_drawn_at_first"] = gui.drawn.of("PRACTICE_PT_closed")
    yield from gui.sidebar.open_panels("PRACTICE_PT_closed")
    yield from gui.sidebar.find_button("object.delete")
    yield from gui.screenshot(50, "opened")

    yield from gui.sidebar.drag_slider("practice_value", 60)
    gui.records["slider"] = CONTEXT.scene.practice_value
    middle, _ = yield from gui.sidebar.find_button("object.select_all(action='DESELECT'")
    right, _ = yield from gui.sidebar.find_button("object.select_all(action='INVERT'")
    gui.records["row"] = [middle, right]

    yield from gui.sidebar.click_button("practice.wait")
    yield from gui.screenshot(51, "scrolled")
    yield from gui.hands.move(gui.sidebar.viewport_centre)
    yield from gui.hands.press("ESC")
    gui.records["modal"] = list(SEEN)
