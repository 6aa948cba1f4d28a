# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fingertips that follow their targets: the switch, and the handlers that do it."""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ..services.finger_ik import TipError, TipOptions
from ..services.tip_follow import TipFollower
from ..services.tips import gather_targets, owner_of
from .reporting import OnTargets, run_service

FOLLOWER = TipFollower()
_SHOW_EVERY, _SHOW_AFTER = 0.25, 8
"""Time in [s] and number of updates between two drawings of the figures, so that slow displays are not slowed more."""
_PAUSE = 2.0
"""Time in [s] after which a single update is drawn all the same."""
_shown_at, _unshown = 0.0, 0


class PREHEND_OT_follow_tips(OnTargets, bpy.types.Operator):
    """Bring fingertips to their targets whenever these or the wrist move; once more to stop"""

    bl_idname = "prehend.follow_tips"
    bl_label = "Follow Tips"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: Any) -> set[str]:
        """Switch on or off."""
        settings = context.scene.prehend

        def switch() -> str:
            if settings.follow_tips:
                settings.follow_tips = False
                return "Fingertips stay where they are"
            if not gather_targets(owner_of(context.object), scene=context.scene):
                raise TipError("There are no fingertip targets: add them first.")
            FOLLOWER.reset()
            shown = context.window_manager.prehend
            shown.follow_rate = shown.follow_ms = shown.follow_solve_ms = 0.0
            settings.follow_tips = True
            context.view_layer.update()
            return "Fingertips follow their targets"

        return run_service(self, switch)


@persistent
def follow_update(scene: Any, depsgraph: Any = None) -> None:
    """After every change of the scene and every new frame."""
    settings = getattr(scene, "prehend", None)
    if settings is None or not settings.follow_tips or bpy.app.is_job_running("RENDER"):
        return
    if depsgraph is not None and depsgraph.mode == "RENDER":
        return
    options = TipOptions(method=settings.tip_method, theta_u=settings.tip_bend, thorough=False)
    report = FOLLOWER.update(scene, options)
    if report is not None:
        shown = bpy.context.window_manager.prehend  # noqa: TID251 (a handler is not given it)
        shown.follow_solve_ms, shown.follow_ms = 1e3 * report.solve_seconds, 1e3 * report.seconds
        shown.follow_message, shown.follow_rate = report.message, report.rate
        _show_figures()


def _show_figures() -> None:
    """Have the sidebars drawn anew now and then: a drag redraws the view only, and they need not slow it down."""
    global _shown_at, _unshown
    now, _unshown = time.monotonic(), _unshown + 1
    if now - _shown_at < _SHOW_EVERY or (_unshown < _SHOW_AFTER and now - _shown_at < _PAUSE):
        return
    _shown_at, _unshown = now, 0
    for window in bpy.context.window_manager.windows:  # noqa: TID251 (as above)
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                for region in area.regions:
                    if region.type == "UI":
                        region.tag_redraw()


@persistent
def forget(*_: Any) -> None:
    """After undo, redo and with another file, what was seen before says nothing."""
    FOLLOWER.reset()


def register_handlers(undo: ExitStack) -> None:
    """Add the handlers, each with its own removal."""
    handlers: Any = bpy.app.handlers
    for found, function in (
        (handlers.depsgraph_update_post, follow_update),
        (handlers.frame_change_post, follow_update),
        (handlers.undo_post, forget),
        (handlers.redo_post, forget),
        (handlers.load_post, forget),
    ):
        found.append(function)
        undo.callback(found.remove, function)
    undo.callback(FOLLOWER.reset)


CLASSES = (PREHEND_OT_follow_tips,)
