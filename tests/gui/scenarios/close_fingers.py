# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Close the demo hand on a ball with the button of the Grasp section, undo, redo."""

from __future__ import annotations

from typing import Any

import bpy
from gui_blender.gui import Gui
from gui_blender.steps import CONTEXT, Steps, settle

BALL_BEFORE_PALM = (0.0, -0.068, 0.105)
"""Where the ball's middle is, seen from the wrist, in [m]: clear of the open hand, in reach of its fingers."""
RADIUS = 0.0365


def play(gui: Gui) -> Steps[None]:
    """Add a hand by its button and a ball, press Close Fingers, then Ctrl+Z and Ctrl+Shift+Z."""
    yield from gui.sidebar.open()
    yield from gui.sidebar.click_tab("Prehend")
    yield from gui.sidebar.click_button("prehend.add_demo_hand")
    armature = CONTEXT.window_manager.windows[0].view_layer.objects.active
    name = armature.name
    _add_ball(armature)
    bpy.ops.ed.undo_push(message="A ball before the palm")
    yield from settle()
    yield from gui.look_at_selection()
    gui.records["before"] = _state(name)
    yield from gui.screenshot(60, "before")

    yield from gui.sidebar.open_panels("PREHEND_PT_grasp")
    yield from gui.sidebar.click_button("prehend.close_fingers")
    yield from settle()
    gui.records["closed"] = _state(name)
    yield from gui.screenshot(61, "closed")

    yield from gui.hands.move(gui.sidebar.viewport_centre)
    yield from gui.hands.undo()
    gui.records["undone"] = _state(name)
    yield from gui.screenshot(62, "undone")
    yield from gui.hands.redo()
    gui.records["redone"] = _state(name)
    yield from gui.screenshot(63, "redone")


def _add_ball(armature: Any) -> None:
    layer = CONTEXT.window_manager.windows[0].view_layer
    bpy.ops.prehend.add_demo_prop(prop="ball")
    ball = layer.objects.active
    # The ball lies on its own origin.
    ball.location = [a + b for a, b in zip(armature.location, BALL_BEFORE_PALM, strict=True)]
    ball.location.z -= RADIUS
    CONTEXT.scene.prehend.prop = ball
    CONTEXT.scene.prehend.movement = "power_sphere"
    ball.select_set(False)
    armature.select_set(True)
    layer.objects.active = armature


def _state(name: str) -> dict[str, Any]:
    """The pose, and what the panel tells."""
    armature = bpy.data.objects[name]
    return {
        "pose": {bone.name: [round(value, 6) for row in bone.matrix for value in row] for bone in armature.pose.bones},
        "fingers": [[row.finger, row.touching, row.gap_mm] for row in armature.data.prehend.contacts.fingers],
        "prop": armature.data.prehend.contacts.prop,
    }
