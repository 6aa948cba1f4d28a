# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operator that bakes fingertips into keyframes, with progress and a way out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy

from ..core.errors import PrehendError
from ..properties.choices import SIDES_ITEMS
from ..services.tip_bake import TipBake
from ..services.tips import owner_of
from .follow_tips import FOLLOWER
from .reporting import OnTargets
from .tips import TipMethod


class PREHEND_OT_bake_tips(TipMethod, OnTargets, bpy.types.Operator):
    """Key the fingers of the active armature at every frame, with their tips on their targets; Esc cancels"""

    bl_idname = "prehend.bake_tips"
    bl_label = "Bake Tips"
    bl_options = {"REGISTER", "UNDO"}

    side: bpy.props.EnumProperty(name="Side", description="Which hands", items=SIDES_ITEMS)
    use_scene_range: bpy.props.BoolProperty(
        name="Scene Range", description="Bake the scene's frame range", default=True
    )
    frame_start: bpy.props.IntProperty(name="Start", description="First frame", default=1)
    frame_end: bpy.props.IntProperty(name="End", description="Last frame", default=250)

    _bake: TipBake
    _steps: Iterator[float]
    _timer: Any = None

    def invoke(self, context: Any, event: Any) -> set[str]:
        """Start and come back for every frame."""
        if bpy.app.background or not self._begin(context):
            return self.execute(context) if bpy.app.background else {"CANCELLED"}
        self._timer = context.window_manager.event_timer_add(0.0, window=context.window)
        context.window_manager.progress_begin(0.0, 1.0)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: Any, event: Any) -> set[str]:
        """One frame a turn; Esc puts everything back."""
        if event.type == "ESC":
            with FOLLOWER.paused():
                self._bake.cancel()
            self._leave(context)
            self.report({"INFO"}, "Cancelled; nothing was keyed")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        try:
            with FOLLOWER.paused():
                share = next(self._steps, None)
                if share is None:
                    self._report_done(self._bake.finish())
        except PrehendError as error:
            return self._fail(context, error)
        if share is None:
            self._leave(context)
            return {"FINISHED"}
        context.window_manager.progress_update(share)
        context.workspace.status_text_set(f"Baking fingertips: {100 * share:.0f} %, Esc cancels")
        return {"RUNNING_MODAL"}

    def execute(self, context: Any) -> set[str]:
        """All frames in one go."""
        if not self._begin(context):
            return {"CANCELLED"}
        try:
            with FOLLOWER.paused():
                for _ in self._steps:
                    pass
                self._report_done(self._bake.finish())
        except PrehendError as error:
            return self._fail(context, error)
        return {"FINISHED"}

    def _begin(self, context: Any) -> bool:
        scene = context.scene
        frames = (scene.frame_start, scene.frame_end) if self.use_scene_range else (self.frame_start, self.frame_end)
        try:
            self._bake = TipBake(
                owner_of(context.object),
                scene=scene,
                view_layer=context.view_layer,
                options=self.tip_options(),
                frames=frames,
                side=self.side,
            )
        except PrehendError as error:
            self.report({"ERROR"}, str(error))
            return False
        self._steps = self._bake.steps()
        return True

    def _fail(self, context: Any, error: PrehendError) -> set[str]:
        with FOLLOWER.paused():
            self._bake.cancel()
        self._leave(context)
        self.report({"ERROR"}, str(error))
        return {"CANCELLED"}

    def _report_done(self, bones: int) -> None:
        frames = self._bake.frames
        self.report({"INFO"}, f"Keyed {bones} bones at {len(frames)} frames, {frames[0]} to {frames[-1]}")

    def _leave(self, context: Any) -> None:
        if self._timer is not None:
            context.window_manager.event_timer_remove(self._timer)
            context.window_manager.progress_end()
            context.workspace.status_text_set(None)
            self._timer = None


CLASSES = (PREHEND_OT_bake_tips,)
