# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Give fingertips targets, solve, undo, see an unreachable one, and follow a moving one, with the panel's buttons."""

from __future__ import annotations

import time
from typing import Any

import bpy
from gui_blender.gui import Gui
from gui_blender.scene import scene_settings
from gui_blender.steps import CONTEXT, GuiError, Steps, settle

UPDATES = 10


def play(gui: Gui) -> Steps[None]:
    """Add Tip Targets, move one, Solve Tips, Ctrl+Z, Ctrl+Shift+Z, then Follow Tips."""
    yield from gui.sidebar.open()
    yield from gui.sidebar.click_tab("Prehend")
    yield from gui.sidebar.click_button("prehend.add_demo_hand")
    yield from gui.look_at_selection()
    yield from gui.sidebar.open_panels("PREHEND_PT_tips")
    yield from gui.sidebar.click_button("prehend.add_tip_targets")
    gui.record_scene("added")
    yield from gui.screenshot(60, "added")

    index, ring = _target("index"), _target("ring")
    index.location = index.location.x, index.location.y - 0.045, index.location.z - 0.04
    ring.location.z += 0.04
    bpy.ops.ed.undo_push(message="Move the targets")
    yield from settle()
    gui.records["moved"] = _turns()
    yield from gui.screenshot(61, "moved")
    yield from _click(gui, "prehend.solve_tips")
    gui.records["solved"] = _turns()
    gui.records["gap"] = _target("ring").get("prehend_tip_gap_mm")
    yield from gui.screenshot(62, "solved")

    yield from gui.hands.move(gui.sidebar.viewport_centre)
    yield from gui.hands.undo()
    gui.records["undone"] = _turns()
    yield from gui.screenshot(63, "undone")
    yield from gui.hands.redo()
    gui.records["redone"] = _turns()

    yield from _click(gui, "prehend.follow_tips")
    gui.records["following"] = scene_settings().follow_tips
    gui.records["updates_per_second"] = _move_and_draw(gui)
    shown = CONTEXT.window_manager.prehend
    gui.records["solver_ms"], gui.records["update_ms"] = shown.follow_solve_ms, shown.follow_ms
    gui.records["followed"] = _turns()
    yield from gui.screenshot(64, "followed")
    scene_settings().follow_tips = False
    gui.records["draws_per_second"] = _move_and_draw(gui)


def _click(gui: Gui, name: str) -> Steps[None]:
    """Click a button once the mouse is seen to be on it: on a slow display what was found lags behind the mouse."""
    x, y = yield from gui.sidebar.find_button(name)
    for offset in (0.0, 0.3, 0.6, 0.9, -0.3):
        point = (x, y + int(offset * gui.sidebar.unit))
        yield from gui.hands.move(point)
        yield from settle()
        if gui.sidebar.under_mouse().is_for(name):
            yield from gui.hands.click(point)
            yield from settle()
            return
    raise GuiError(f"The mouse does not stay on the button for {name}")


def _move_and_draw(gui: Gui) -> float:
    """How often a second a target moves with all that a drag sets off: update, handlers, the window drawn."""
    started = time.perf_counter()
    for _ in range(UPDATES):
        _target("index").location.z += 0.0005
        with CONTEXT.temp_override(window=gui.hands.window):
            bpy.ops.wm.redraw_timer(type="DRAW_WIN_SWAP", iterations=1)
    return UPDATES / (time.perf_counter() - started)


def _target(finger: str) -> Any:
    return next(obj for obj in bpy.data.objects if obj.get("prehend_tip_finger") == finger)


def _turns() -> dict[str, list[float]]:
    rig = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    return {bone.name: [round(value, 6) for row in bone.matrix_basis for value in row] for bone in rig.pose.bones}
