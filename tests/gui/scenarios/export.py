# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Export a posed hand in every format with the window open, look at the file dialog, and keep its pose as an asset."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import bpy
from gui_blender.gui import Gui
from gui_blender.steps import CONTEXT, Steps, settle

LAST = 6


def play(gui: Gui) -> Steps[None]:
    """Export without a word, open and cancel the file dialog, press Save Pose Asset and undo it."""
    yield from gui.sidebar.open()
    yield from gui.sidebar.click_tab("Prehend")
    yield from gui.sidebar.click_button("prehend.add_demo_hand")
    armature = CONTEXT.window_manager.windows[0].view_layer.objects.active
    _animate(armature)
    bpy.ops.object.mode_set(mode="POSE")
    armature.pose.bones[2].rotation_quaternion = (0.9, 0.2, 0.0, 0.1)  # posed, not keyed
    bpy.ops.ed.undo_push(message="A posed hand")
    yield from settle()
    gui.records["before"] = _state()
    with tempfile.TemporaryDirectory() as folder:
        written = {}
        for ending in ("fbx", "glb", "usdc"):
            if ending == "usdc" and "usd_export" not in dir(bpy.ops.wm):
                continue
            path = Path(folder) / f"hand.{ending}"
            with CONTEXT.temp_override(window=CONTEXT.window_manager.windows[0]):
                bpy.ops.prehend.export_grasp(filepath=str(path), ending=ending)
            yield from settle()
            written[ending] = (path.stat().st_size, _state())
        gui.records["written"] = written

    yield from gui.sidebar.open_panels("PREHEND_PT_export")
    yield from settle()
    yield from gui.sidebar.click_button("prehend.save_pose_asset")
    yield from settle()
    gui.records["kept"] = [action.name for action in bpy.data.actions if action.asset_data is not None]
    yield from _apply_from_browser(gui, armature)
    yield from gui.hands.move(gui.sidebar.viewport_centre)
    yield from gui.hands.undo()
    gui.records["undone"] = [action.name for action in bpy.data.actions if action.asset_data is not None]
    yield from gui.sidebar.click_button("prehend.export_grasp")
    yield 1.0
    yield from settle()
    gui.records["dialogs"] = [
        area.spaces.active.active_operator.bl_idname
        for window in CONTEXT.window_manager.windows
        for area in window.screen.areas
        if area.type == "FILE_BROWSER" and area.spaces.active.active_operator is not None
    ]
    yield from gui.screenshot(100, "dialog")
    yield from _accept_and_escape(gui)


def _apply_from_browser(gui: Gui, armature: Any) -> Steps[None]:
    """Apply the asset as an animator does: choose it in Blender's asset browser and have the pose library apply it."""
    window = CONTEXT.window_manager.windows[0]
    area = next(each for each in window.screen.areas if each.type in {"DOPESHEET_EDITOR", "TIMELINE"})
    kind = area.ui_type
    area.ui_type = "ASSETS"
    yield from settle()
    space = area.spaces.active
    space.params.asset_library_reference = "LOCAL"
    yield 1.0
    yield from settle()
    space.activate_asset_by_id(bpy.data.actions["Hand Pose"])
    yield from settle()
    armature.data.bones.active = None
    before = _pose(armature)
    for bone in armature.pose.bones:
        bone.rotation_quaternion = (0.8, 0.0, 0.6, 0.0)
    region = next(each for each in area.regions if each.type == "WINDOW")
    with CONTEXT.temp_override(window=window, area=area, region=region):
        asset = CONTEXT.asset
        gui.records["asset"] = asset.name if asset is not None else None
        gui.records["applied"] = sorted(bpy.ops.poselib.apply_pose_asset("EXEC_DEFAULT"))
    yield from settle()
    after = _pose(armature)
    gui.records["apart"] = max(
        (abs(a - b) for name in after if name in before for a, b in zip(after[name], before[name], strict=True)),
        default=9.0,
    )
    area.ui_type = kind
    yield from settle()


def _pose(armature: Any) -> dict[str, tuple[float, ...]]:
    """Turns of the bones that a pose asset of the hand has."""
    return {
        bone.name: tuple(bone.rotation_quaternion)
        for bone in armature.pose.bones
        if not bone.name.startswith("hand") and "tip" not in bone.name
    }


def _accept_and_escape(gui: Gui) -> Steps[None]:
    """Accept the dialog with a long animation, press Esc once it is being read, then have it written after all."""
    scene = CONTEXT.window_manager.windows[0].scene
    before = _state()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hand.fbx"
        for frames, stop in ((5000, True), (LAST, False)):
            scene.frame_end = frames
            if not stop:
                area = next(each for each in CONTEXT.window_manager.windows[0].screen.areas if each.type == "VIEW_3D")
                with CONTEXT.temp_override(window=CONTEXT.window_manager.windows[0], area=area):
                    bpy.ops.prehend.export_grasp("INVOKE_DEFAULT", ending="fbx")
                yield 1.0
                yield from settle()
            window, area = next(
                (window, area)
                for window in CONTEXT.window_manager.windows
                for area in window.screen.areas
                if area.type == "FILE_BROWSER"
            )
            path.write_text("mine")
            area.spaces.active.params.directory = folder.encode()
            area.spaces.active.params.filename = path.name
            with CONTEXT.temp_override(window=window, area=area, region=area.regions[-1]):
                bpy.ops.file.execute("INVOKE_DEFAULT")
            yield 1.0 if stop else 2.0
            gui.records["running" if stop else "ended"] = "Prehend Export" in bpy.data.scenes
            if stop:
                yield from gui.hands.press("ESC")
            yield from settle()
            gui.records["stopped" if stop else "replaced"] = (path.stat().st_size, sorted(os.listdir(folder)))
            scene.frame_end = LAST
            gui.records["after_stop" if stop else "after"] = _state() == before


def _animate(armature: Any) -> None:
    CONTEXT.scene.frame_start, CONTEXT.scene.frame_end = 1, LAST
    for frame in (1, LAST):
        armature.location = (0.0, 0.0, 0.02 * frame)
        armature.keyframe_insert("location", frame=frame)
    for bone in armature.pose.bones:
        bone.rotation_mode = "QUATERNION"
        bone.keyframe_insert("rotation_quaternion", frame=1)


def _state() -> dict[str, Any]:
    window = CONTEXT.window_manager.windows[0]
    active = window.view_layer.objects.active
    return {
        "scene": (window.scene.name, window.view_layer.name, window.scene.frame_current),
        "active": (active.name, active.mode),
        "selected": sorted(
            obj.name for obj in window.view_layer.objects if obj.select_get(view_layer=window.view_layer)
        ),
        "names": sorted(obj.name for obj in bpy.data.objects),
        "scenes": sorted(scene.name for scene in bpy.data.scenes),
        "pose": [tuple(round(each, 6) for each in bone.rotation_quaternion) for bone in active.pose.bones],
    }
