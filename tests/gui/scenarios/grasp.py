# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Take a mug with the Grasp button: cancelled while it runs, then to the end, another grasp of the list, undone."""

from __future__ import annotations

from typing import Any

import bpy
from gui_blender.gui import Gui
from gui_blender.steps import CONTEXT, Steps, settle

BESIDE = (0.35, 0.1, 0.0)
"""Where the mug stands, seen from the hand, in [m]."""
MANY, FEW = 24, 5
"""Attempts: so many that the search is still running when it is cancelled, and few that it ends soon."""
SECOND = "prehend.apply_grasp(side='BOTH', place='auto', depth_mm=0.3, use_obstacles=True, number=1"
MOST_WAITS = 240
FRAME = 7
MOVING = ("grasp", "close_fingers", "open_hand", "step_grasp", "mirror_grasp")
"""Operators that move the hand."""
CHANNELS = ("rotation_mode", "rotation_quaternion", "rotation_euler", "rotation_axis_angle", "location", "scale")


def play(gui: Gui) -> Steps[None]:
    """Press Grasp, Esc while it runs, Grasp again until it is done, Next, then undo both."""
    yield from gui.sidebar.open()
    yield from gui.sidebar.click_tab("Prehend")
    yield from gui.sidebar.click_button("prehend.add_demo_hand")
    armature = CONTEXT.window_manager.windows[0].view_layer.objects.active
    name = armature.name
    add_ball(armature)
    bpy.ops.object.mode_set(mode="POSE")
    CONTEXT.scene.frame_set(FRAME)
    bpy.ops.ed.undo_push(message="A mug beside the hand")
    yield from settle()
    gui.records["before"] = _state(name)

    yield from gui.sidebar.open_panels("PREHEND_PT_grasp")
    CONTEXT.scene.prehend.attempts = MANY
    yield from settle()
    yield from gui.sidebar.click_button("prehend.grasp")
    gui.records["running"] = running()
    gui.records["offered"] = [name for name in MOVING if getattr(bpy.ops.prehend, name).poll()]
    yield from gui.hands.press("ESC")
    yield from wait_until_idle()
    gui.records["cancelled"] = _state(name)

    CONTEXT.scene.prehend.attempts = FEW
    # A button takes a second click only from a mouse that has been elsewhere.
    yield from gui.hands.move(gui.sidebar.viewport_centre)
    yield from settle()
    yield from gui.sidebar.click_button("prehend.grasp")
    yield from wait_until_idle()
    yield 2.0
    yield from settle()
    gui.records["taken"] = _state(name)
    yield from gui.sidebar.scroll_to_top()
    yield from gui.screenshot(70, "taken")

    yield from gui.sidebar.click_button(SECOND)
    yield from settle()
    gui.records["second"] = _state(name)
    yield from gui.hands.move(gui.sidebar.viewport_centre)
    yield from gui.hands.undo()
    gui.records["first again"] = _state(name)
    yield from gui.hands.undo()
    gui.records["undone"] = _state(name)


def add_ball(armature: Any) -> None:
    layer = CONTEXT.window_manager.windows[0].view_layer
    bpy.ops.prehend.add_demo_prop(prop="mug")
    mug = layer.objects.active
    mug.location = [a + b for a, b in zip(armature.location, BESIDE, strict=True)]
    CONTEXT.scene.prehend.prop = mug
    mug.select_set(False)
    armature.select_set(True)
    layer.objects.active = armature


def running() -> bool:
    """Whether a search runs."""
    window = CONTEXT.window_manager.windows[0]
    return any(operator.bl_idname == "PREHEND_OT_grasp" for operator in window.modal_operators)


def wait_until_idle() -> Steps[None]:
    """Wait for the search to end."""
    for _ in range(MOST_WAITS):
        if not running():
            return
        yield 0.25


def _state(name: str) -> dict[str, Any]:
    armature, prop = bpy.data.objects[name], CONTEXT.scene.prehend.prop
    contacts = armature.data.prehend.contacts
    layer = CONTEXT.window_manager.windows[0].view_layer
    return {
        "channels": {owner.name: _channels(owner) for owner in (armature, prop, *armature.pose.bones)},
        "mode": armature.mode,
        "active": layer.objects.active.name,
        "selected": sorted(each.name for each in layer.objects if each.select_get(view_layer=layer)),
        "bones": sorted(bone.name for bone in CONTEXT.selected_pose_bones or ()),
        "frame": CONTEXT.scene.frame_current,
        "objects": sorted(each.name for each in bpy.data.objects),
        "kept": prop.get("prehend_grasps", ""),
        "place": [list(row) for row in armature.matrix_world],
        "pose": {bone.name: [list(row) for row in bone.matrix_basis] for bone in armature.pose.bones},
        "chosen": CONTEXT.scene.prehend.prop.prehend.grasp_index,
        "listed": len(CONTEXT.scene.prehend.prop.prehend.grasps),
        "touching": [row.finger for row in contacts.fingers if row.touching],
    }


def _channels(owner: Any) -> list[Any]:
    values = [getattr(owner, name) for name in CHANNELS]
    return [value if isinstance(value, str) else list(value) for value in values]
