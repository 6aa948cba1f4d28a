# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operator that writes a hand and what it holds to a file, with Blender's file dialog."""

from __future__ import annotations

import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import bpy
from bpy_extras.io_utils import ExportHelper

from ..core.errors import PrehendError
from ..properties.exporting import ENDING_ITEMS, ExportChoices
from ..services.export import ExportReport, ExportRequest, export_steps
from ..services.export_subjects import props_of
from ..services.export_takes import requested_takes
from ..services.targets import PROP_TYPES, choose_armature
from .follow_tips import FOLLOWER

TICK = 0.1
"""How long in [s] to work between two redraws of the window."""


class PREHEND_OT_export_grasp(ExportChoices, ExportHelper, bpy.types.Operator):
    """Write the hand, its skin, the prop and their animation to a file for a game engine or another program"""

    bl_idname = "prehend.export_grasp"
    bl_label = "Export Grasp"
    # It changes nothing in the file that is open, so that there is nothing to undo.
    bl_options = {"REGISTER", "PRESET"}

    overwrite: bpy.props.BoolProperty(
        name="Replace Files",
        description="Replace files that exist; the file dialog marks only its own in red, not those of single takes",
        options={"SKIP_SAVE"},
    )
    filter_glob: bpy.props.StringProperty(default="*.fbx;*.glb;*.gltf;*.usd;*.usda;*.usdc;*.usdz", options={"HIDDEN"})

    @classmethod
    def poll(cls, context: Any) -> bool:
        """Whether anything is selected that may be a hand."""
        if context.object is None:
            cls.poll_message_set("Select the armature of a hand first")
            return False
        if context.mode not in {"OBJECT", "POSE"}:
            cls.poll_message_set("Switch to Object or Pose Mode first")
            return False
        return True

    @property
    def filename_ext(self) -> str:
        """What the file dialog lets names end in."""
        return f".{self.ending}"

    def invoke(self, context: Any, event: Any) -> set[str]:
        """Ask for a file; the dialog marks one that exists."""
        self._asked = True
        return ExportHelper.invoke(self, context, event)  # type: ignore[return-value]

    def check(self, context: Any) -> bool:
        """Have the name end in what was chosen."""
        path = Path(self.filepath)
        if path.suffix == self.filename_ext or not path.name:
            return False
        known = {f".{key}" for key, *_ in ENDING_ITEMS}
        self.filepath = str(path.with_suffix(self.filename_ext) if path.suffix in known else f"{path}.{self.ending}")
        return True

    def draw(self, context: Any) -> None:
        """Options at the side of the file dialog."""
        layout = self.layout
        layout.use_property_split = True
        for name in ("ending", "preset", "takes"):
            layout.prop(self, name)
        if self.takes == "timeline":
            layout.prop(self, "frames")
            if self.frames == "custom":
                layout.prop(self, "frame_start")
                layout.prop(self, "frame_end")
        layout.prop(self, "deform_only")
        layout.prop(self, "hidden")
        if self._has_many_files():
            layout.prop(self, "overwrite")

    _steps: Generator[tuple[float, str], None, ExportReport] | None = None
    _timer: Any = None
    _asked: bool = False

    def execute(self, context: Any) -> set[str]:
        """Write the file: from the file dialog step by step, with progress and a way out, else in one go."""
        try:
            self._steps = self._begin(context)
            if self._asked and not bpy.app.background and context.window is not None:
                manager = context.window_manager
                manager.progress_begin(0.0, 1.0)
                self._timer = manager.event_timer_add(0.0, window=context.window)
                manager.modal_handler_add(self)
                return {"RUNNING_MODAL"}
            with FOLLOWER.paused():
                while self._step() is not None:
                    pass
        except PrehendError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}

    def modal(self, context: Any, event: Any) -> set[str]:
        """A few steps for each tick of the timer; Esc leaves no file and the scene as it was."""
        if event.type == "ESC":
            self.cancel(context)
            self.report({"INFO"}, "Cancelled; no file was written")
            return self._leave(context, {"CANCELLED"})
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        done: tuple[float, str] | None = None
        try:
            with FOLLOWER.paused():
                until = time.monotonic() + TICK
                while time.monotonic() < until:
                    done = self._step()
                    if done is None:
                        return self._leave(context, {"FINISHED"})
        except PrehendError as error:
            self.report({"ERROR"}, str(error))
            return self._leave(context, {"CANCELLED"})
        share, doing = done or (0.0, "")
        context.window_manager.progress_update(share)
        context.workspace.status_text_set(f"Prehend: {doing}, {100 * share:.0f} %. Esc cancels")
        return {"RUNNING_MODAL"}

    def cancel(self, context: Any) -> None:
        """Put everything back, also when Blender itself ends the operator, as on closing the window."""
        if self._steps is not None:
            with FOLLOWER.paused():
                self._steps.close()

    def _begin(self, context: Any) -> Generator[tuple[float, str], None, ExportReport]:
        armature = choose_armature(context.object, context.selected_objects)
        takes = requested_takes(context.scene, armature, self.takes, self.frames, (self.frame_start, self.frame_end))
        request = ExportRequest(
            Path(bpy.path.abspath(self.filepath)),
            preset=self.preset,
            takes=tuple(takes),
            deform_only=self.deform_only,
            hidden=self.hidden,
            # What the dialog has marked was accepted with it.
            overwrite=self.overwrite or (self._asked and not self._has_many_files()),
        )
        return export_steps(context, armature, _props(context, armature), request)

    def _has_many_files(self) -> bool:
        """Whether every take gets a file of its own, under names that the file dialog does not show."""
        return self.ending.startswith("usd") and self.takes == "grasps"

    def _step(self) -> tuple[float, str] | None:
        """Do a step and give the share that is done and what comes next; None once the file is written and told of."""
        assert self._steps is not None
        try:
            return next(self._steps)
        except StopIteration as end:
            self.report({"INFO"}, end.value.sentence())
            return None

    def _leave(self, context: Any, result: set[str]) -> set[str]:
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)
        self._steps, self._timer = None, None
        return result


def _props(context: Any, armature: Any) -> list[Any]:
    """Props that go with the hand: those of its grasps, the picked one, and what is selected with it."""
    found = props_of(armature, list(context.view_layer.objects))
    picked = context.scene.prehend.prop
    for obj in (picked, *context.selected_objects):
        if obj is not None and obj.type in PROP_TYPES and obj not in found:
            found.append(obj)
    return found


CLASSES = (PREHEND_OT_export_grasp,)
