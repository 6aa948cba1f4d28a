# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Take a ball with the Grasp button, animate it with the Animate button, play it, and undo it."""

from __future__ import annotations

from typing import Any

import bpy
from gui_blender.gui import Gui
from gui_blender.steps import CONTEXT, Steps, settle, until

from .grasp import add_ball

WATCHED = ("PREHEND_OT_grasp", "PREHEND_OT_animate_grasp")


def play(gui: Gui) -> Steps[None]:
    """Press Grasp, Animate and Esc while it runs, Animate again, play, undo."""
    yield from gui.sidebar.open()
    yield from gui.sidebar.click_tab("Prehend")
    yield from gui.sidebar.click_button("prehend.add_demo_hand")
    armature = CONTEXT.window_manager.windows[0].view_layer.objects.active
    name = armature.name
    add_ball(armature)
    CONTEXT.scene.prehend.attempts = 1
    CONTEXT.scene.prehend.animation.path = _add_path(CONTEXT.scene.prehend.prop)
    CONTEXT.scene.prehend.animation.carry = 8
    bpy.ops.ed.undo_push(message="A ball beside the hand")
    yield from settle()
    yield from gui.sidebar.open_panels("PREHEND_PT_grasp")
    yield from gui.sidebar.click_button("prehend.grasp")
    yield from until(lambda: not _running(), "the grasp is found", attempts=1200)
    yield 1.0
    yield from settle()
    gui.records["taken"] = _state(name)

    yield from gui.hands.move(gui.sidebar.viewport_centre)
    yield from gui.sidebar.open_panels("PREHEND_PT_animate")
    yield from gui.sidebar.click_button("prehend.animate_grasp")
    gui.records["running"] = _running()
    yield from gui.hands.press("ESC")
    yield from until(lambda: not _running(), "it is cancelled", attempts=1200)
    yield from settle()
    gui.records["cancelled"] = _state(name)

    yield from gui.hands.move(gui.sidebar.viewport_centre)
    yield from settle()
    yield from gui.sidebar.click_button("prehend.animate_grasp")
    yield from until(lambda: not _running(), "it is animated", attempts=2400)
    yield from settle()
    gui.records["animated"] = _state(name)
    gui.records["carried"] = _carried()
    CONTEXT.scene.prehend.animation.show_options = True
    yield from gui.screenshot(70, "animated")
    CONTEXT.scene.prehend.animation.show_options = False

    yield from gui.hands.move(gui.sidebar.viewport_centre)
    places = set()
    first = CONTEXT.scene.frame_current
    yield from gui.hands.press("SPACE")
    for _ in range(12):
        yield 0.2
        places.add(tuple(round(value, 4) for value in bpy.data.objects[name].matrix_world.translation))
    gui.records["played"] = len(places)
    gui.records["frames_went_on"] = CONTEXT.scene.frame_current != first
    yield from gui.hands.press("SPACE")
    yield from until(lambda: not _playing(), "it stops")
    yield 0.5
    yield from gui.hands.undo()
    yield 1.0
    if _state(name)["kept"]:
        # Newer Blenders make playing an undo step of its own.
        gui.records["frame_after_first_undo"] = CONTEXT.scene.frame_current
        yield from gui.hands.undo()
    yield from until(lambda: not _state(name)["kept"], "it is undone")
    yield from settle()
    gui.records["undone"] = _state(name)


def _add_path(prop: Any) -> Any:
    """A curve that begins at the prop."""
    data = bpy.data.curves.new("Path", "CURVE")
    data.dimensions = "3D"
    points = data.splines.new("POLY").points
    points.add(2)
    for point, step in zip(points, ((0.0, 0.0), (0.0, 0.05), (0.1, 0.05)), strict=True):
        point.co = (prop.location[0] + step[0], prop.location[1], prop.location[2] + step[1], 1.0)
    path = bpy.data.objects.new("Path", data)
    CONTEXT.scene.collection.objects.link(path)
    return path


def _playing() -> bool:
    return CONTEXT.window_manager.windows[0].screen.is_animation_playing


def _running() -> bool:
    window = CONTEXT.window_manager.windows[0]
    return any(operator.bl_idname in WATCHED for operator in window.modal_operators)


def _carried() -> float:
    """How far in [m] the prop is at last from the end of its path."""
    shown = CONTEXT.scene.frame_current
    CONTEXT.scene.frame_set(CONTEXT.scene.frame_end)
    path, prop = bpy.data.objects["Path"], CONTEXT.scene.prehend.prop
    gap = (path.matrix_world @ path.data.splines[0].points[-1].co.to_3d() - prop.matrix_world.translation).length
    CONTEXT.scene.frame_set(shown)
    return gap


def _state(name: str) -> dict[str, Any]:
    armature = bpy.data.objects[name]
    data = armature.animation_data
    return {
        "place": [list(row) for row in armature.matrix_basis],
        "pose": {bone.name: [list(row) for row in bone.matrix_basis] for bone in armature.pose.bones},
        "action": data.action.name if data is not None and data.action is not None else None,
        "actions": len(bpy.data.actions),
        "kept": armature.get("prehend_animations") is not None,
    }
