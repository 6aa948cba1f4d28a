# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operator that finds a grasp of a prop, with the hand seen improving."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import bpy

from ..core.errors import PrehendError
from ..properties import shared
from ..properties.choices import AUTO_MOVEMENT_ITEMS
from ..properties.weights import NAMES
from ..services.grasp_hooks import in_prop
from ..services.grasp_setup import weights_of
from ..services.grasping import GraspProgress, GraspRequest, GraspSearch
from ..services.targets import obstacles_round
from .closing import show_contacts
from .grasp_targets import OnHandAndProp, show_grasps, show_hooks, ticked_hooks
from .reporting import run_service

STILL = 3
"""Ticks for which nothing has moved any more before the search begins anew."""
KEYS = "Enter accepts, Esc cancels"


class PREHEND_OT_grasp(OnHandAndProp, bpy.types.Operator):
    """Find where and how the hand takes the prop; Enter accepts what is shown, Esc puts everything back"""

    bl_idname = "prehend.grasp"
    bl_label = "Grasp"
    bl_options = {"REGISTER", "UNDO"}

    movement: bpy.props.EnumProperty(
        name="Movement", description="How the hand closes; Auto tries those that suit", items=AUTO_MOVEMENT_ITEMS
    )
    use_cursor: bpy.props.BoolProperty(
        name="At 3D Cursor", description="Take the prop where the 3D cursor is instead of at its hooks"
    )
    attempts: shared.attempts()
    seconds: shared.time_limit()
    seed: shared.seed()

    _search: GraspSearch | None = None
    _steps: Generator[GraspProgress, None, None] | None = None
    _timer: Any = None
    _moving: tuple[tuple[float, ...], ...] | None = None
    _still = 0

    def execute(self, context: Any) -> set[str]:
        """Search to the end and take the best: scripts, and the redo panel."""

        def take() -> str:
            search = self._prepare(context)
            for _ in search.run():
                pass
            return self._accept(search)

        return run_service(self, take)

    def invoke(self, context: Any, event: Any) -> set[str]:
        """Search step by step, with what is found shown as it gets better."""
        if bpy.app.background:
            return self.execute(context)
        try:
            self._begin(self._prepare(context))
        except PrehendError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        manager = context.window_manager
        manager.progress_begin(0.0, 1.0)
        self._timer = manager.event_timer_add(0.01, window=context.window)
        manager.modal_handler_add(self)
        _tell(context, "searching", share=0.0)
        return {"RUNNING_MODAL"}

    def modal(self, context: Any, event: Any) -> set[str]:
        """One attempt for each tick of the timer."""
        try:
            return self._handle(context, event)
        except ReferenceError:
            # Events pass through, so that someone may delete what is searched.
            self.report({"ERROR"}, "The character or the prop is gone: the search has ended.")
            return self._leave(context, {"CANCELLED"})

    def _handle(self, context: Any, event: Any) -> set[str]:
        search = self._search
        assert search is not None
        if event.type == "ESC":
            search.abandon()
            return self._leave(context, {"CANCELLED"})
        enter = event.type in {"RET", "NUMPAD_ENTER"} and event.value == "PRESS"
        if enter and search.candidates and self._moving is None and not search.was_disturbed():
            return self._finish(context)
        if event.type == "Z" and (event.ctrl or event.oskey):
            # Undo would take away what the search works on.
            return {"RUNNING_MODAL"}
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        return self._tick(context, search)

    def cancel(self, context: Any) -> None:
        """Put everything back when Blender itself ends the operator, as on closing the window."""
        if self._search is not None:
            self._search.abandon()

    def _begin(self, search: GraspSearch) -> None:
        self._search, self._steps = search, search.run()
        self._moving, self._still = None, 0

    def _tick(self, context: Any, search: GraspSearch) -> set[str]:
        """Search on; or, where someone moves the character or the prop, wait for that to end and begin anew."""
        if self._moving is not None or search.was_disturbed():
            return self._wait(context, search)
        assert self._steps is not None
        try:
            progress = next(self._steps)
        except StopIteration:
            return self._finish(context)
        context.window_manager.progress_update(progress.share)
        _tell(context, progress.text, share=progress.share)
        if progress.improved:
            try:
                search.show()
            except PrehendError as error:
                search.restore()
                self.report({"ERROR"}, str(error))
                return self._leave(context, {"CANCELLED"})
        return {"RUNNING_MODAL"}

    def _wait(self, context: Any, search: GraspSearch) -> set[str]:
        places = search.places()
        self._still = self._still + 1 if places == self._moving else 0
        self._moving = places
        _tell(context, "something moved, the search begins anew", share=0.0)
        if self._still < STILL:
            return {"RUNNING_MODAL"}
        try:
            self._begin(search.restarted())
        except PrehendError as error:
            self.report({"ERROR"}, str(error))
            return self._leave(context, {"CANCELLED"})
        self.report({"INFO"}, f"'{search.prop.name}' or the character was moved: searching anew")
        return {"RUNNING_MODAL"}

    def _prepare(self, context: Any) -> GraspSearch:
        meant = self.meant(context)
        settings = context.scene.prehend
        own, found = ticked_hooks(meant.prop)
        if self.use_cursor:
            own, found = [tuple(context.scene.cursor.location)], []
        request = GraspRequest(
            movement=self.movement,
            hooks=tuple(own),
            only=tuple(found),
            depth=1e-3 * self.depth_mm,
            seed=self.seed,
            attempts=self.attempts,
            seconds=self.seconds or None,
            place=self.way(),
            published=settings.search.published(),
            weights=weights_of({name: getattr(settings.weights, name) for name in NAMES}),
        )
        layer = context.view_layer
        obstacles = obstacles_round(meant.armature, meant.prop, layer) if self.use_obstacles else []
        return GraspSearch(meant.armature, meant.hand, meant.prop, request, view_layer=layer, obstacles=obstacles)

    def _accept(self, search: GraspSearch) -> str:
        report = search.accept(pictures=True)
        show_contacts(search.armature, report)
        show_grasps(search.prop)
        if not search.request.hooks and not search.request.only:
            show_hooks(search.prop, in_prop(search.problem.hooks, search.surface_now(), search.prop))
        count = len(search.candidates)
        return f"{report.sentence()}; {count} {'grasp' if count == 1 else 'grasps'} to choose from"

    def _finish(self, context: Any) -> set[str]:
        search = self._search
        assert search is not None
        return self._leave(context, run_service(self, lambda: self._accept(search)))

    def _leave(self, context: Any, result: set[str]) -> set[str]:
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        _tell(context, None, share=-1.0)
        self._search, self._steps, self._timer = None, None, None
        return result


def _tell(context: Any, text: str | None, *, share: float) -> None:
    """Say in the status bar and the panel how far the search is; no text for its end."""
    context.workspace.status_text_set(f"Prehend: {text}. {KEYS}" if text is not None else None)
    shown = context.window_manager.prehend
    shown.grasp_share, shown.grasp_text = share, text or ""
    for area in context.screen.areas if context.screen is not None else ():
        if area.type == "VIEW_3D":
            area.tag_redraw()


CLASSES = (PREHEND_OT_grasp,)
