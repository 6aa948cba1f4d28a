# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hooks in the window: found, picked with a click; then a search during which the prop is moved."""

from __future__ import annotations

from typing import Any

import bpy
from bpy_extras.view3d_utils import location_3d_to_region_2d
from gui_blender.gui import Gui
from gui_blender.steps import CONTEXT, Steps, settle
from mathutils import Vector

from scenarios.grasp import running, wait_until_idle

BESIDE = (-0.12, 0.1, 0.0)
MOVED = (0.0, 0.0, 0.25)
MANY = 16
"""Attempts: so many that the search is still running when the prop is moved."""


def play(gui: Gui) -> Steps[None]:
    """Find hooks, pick one on the mug, press Grasp and move the mug while it runs."""
    yield from gui.sidebar.open()
    yield from gui.sidebar.click_tab("Prehend")
    yield from gui.sidebar.click_button("prehend.add_demo_hand")
    layer = CONTEXT.window_manager.windows[0].view_layer
    armature = layer.objects.active
    bpy.ops.prehend.add_demo_prop(prop="mug")
    mug = layer.objects.active
    mug.location = [a + b for a, b in zip(armature.location, BESIDE, strict=True)]
    armature.select_set(True)
    yield from gui.look_at_selection()
    mug.select_set(False)
    layer.objects.active = armature
    CONTEXT.scene.prehend.prop = mug
    # Undo takes objects away and makes them anew: only names last.
    name, holder, place = mug.name, armature.name, armature.matrix_world.copy()

    yield from gui.sidebar.open_panels("PREHEND_PT_grasp", "PREHEND_PT_hooks")
    yield from gui.sidebar.click_button("prehend.find_hooks")
    yield from settle()
    gui.records["found"] = [row.title for row in mug.prehend.hooks]

    yield from gui.sidebar.click_button("prehend.pick_hook")
    middle = sum((mug.matrix_world @ Vector(corner) for corner in mug.bound_box), Vector()) / 8.0
    yield from gui.hands.click(_on_screen(gui, middle))
    yield from settle()
    hooks = [each for each in bpy.data.objects[name].children if each.get("prehend_hook")]
    gui.records["picked"] = [(each.matrix_world.translation - middle).length for each in hooks]
    yield from gui.screenshot(72, "hooks")
    yield from gui.hands.undo()
    gui.records["unpicked"] = len([each for each in bpy.data.objects if each.get("prehend_hook")])

    CONTEXT.scene.prehend.attempts = MANY
    yield from settle()
    yield from gui.sidebar.click_button("prehend.grasp")
    gui.records["running"] = running()
    mug = bpy.data.objects[name]
    mug.location = Vector(mug.location) + Vector(MOVED)
    wanted = list(mug.location)
    yield from wait_until_idle()
    yield 1.0
    mug, armature = bpy.data.objects[name], bpy.data.objects[holder]
    gui.records["asked"], gui.records["mug"] = wanted, list(mug.location)
    gui.records["away"] = (armature.matrix_world.translation - mug.matrix_world.translation).length
    gui.records["moved"] = (armature.matrix_world.translation - place.translation).length
    yield from gui.screenshot(74, "moved")


def _on_screen(gui: Gui, point: Any) -> tuple[int, int]:
    region = gui.sidebar.region("WINDOW")
    place = location_3d_to_region_2d(region, gui.sidebar.area.spaces.active.region_3d, point)
    return region.x + int(place.x), region.y + int(place.y)
