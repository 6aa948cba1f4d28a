# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Drag a slider with the mouse, see the hand close, take it back with one undo, pose from the library, read it back."""

from __future__ import annotations

import sys
from typing import Any

import bpy
from gui_blender.gui import Gui
from gui_blender.steps import CONTEXT, Steps, settle, until

DRAG = 0.35
"""How far the slider is dragged, over the sidebar's width."""


def play(gui: Gui) -> Steps[None]:
    """Drag Curl, undo, redo, undo, then apply a pose and wait for the sliders to show it."""
    yield from gui.sidebar.open()
    yield from gui.sidebar.click_tab("Prehend")
    yield from gui.sidebar.click_button("prehend.add_demo_hand")
    yield from gui.look_at_selection()
    yield from gui.sidebar.open_panels("PREHEND_PT_pose")
    yield from until(lambda: bool(_sliders().armature), "the sliders show the hand")
    yield from until(lambda: len(_icons()) > 10, "pictures of poses are drawn")
    gui.records["before"] = _state()
    point = yield from gui.sidebar.find_button("sliders.curl")
    # All pictures with the mouse at one place, so that only the hand can make them differ.
    yield from gui.hands.move(gui.sidebar.viewport_centre)
    yield 0.6
    yield from gui.screenshot(80, "before")

    end = (point[0] + int(DRAG * gui.sidebar.region("UI").width), point[1])
    yield from gui.hands.drag(point, end, moves=12)
    yield 0.6
    gui.records["dragged"] = _state()
    yield from gui.hands.move(gui.sidebar.viewport_centre)
    yield 0.6
    yield from gui.screenshot(81, "dragged")
    yield from gui.hands.undo()
    yield 0.6
    gui.records["undone"] = _state()
    yield from gui.screenshot(82, "undone")
    yield from gui.hands.redo()
    yield 0.6
    gui.records["redone"] = _state()

    _library().pose = "fist"
    yield from settle()
    yield from gui.sidebar.click_button("prehend.apply_pose")
    yield from until(lambda: _sliders().curl > 0.7, "the sliders show the fist")
    gui.records["posed"] = _state()
    _sliders().show_fingers = True
    yield from settle()
    yield from gui.screenshot(83, "posed")


def _scene() -> Any:
    return CONTEXT.window_manager.windows[0].scene


def _sliders() -> Any:
    return _scene().prehend.sliders


def _library() -> Any:
    return _scene().prehend.library


def _icons() -> list[int]:
    module = next(each for name, each in sys.modules.items() if name.endswith("properties.library"))
    return list(module.OFFER.icons)


def _state() -> dict[str, Any]:
    rig = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    turns = {bone.name: [round(value, 6) for row in bone.matrix_basis for value in row] for bone in rig.pose.bones}
    return {"turns": turns, "curl": round(_sliders().curl, 4)}
