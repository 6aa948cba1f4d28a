# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What operators have in common: they work on an armature and turn a user's errors into one sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.errors import PrehendError
from ..services.tips import owner_of


class OnArmature:
    """Mix-in of operators that need an active armature."""

    @classmethod
    def poll(cls, context: Any) -> bool:
        """Whether an armature is active."""
        if context.object is None or context.object.type != "ARMATURE":
            cls.poll_message_set("Select an armature first")  # pyright: ignore
            return False
        return True


class OnTargets:
    """Mix-in of operators that need an active armature, or one of the targets for its fingertips and wrists.

    Whoever has just dragged a target has that one selected, and not the armature.
    """

    @classmethod
    def poll(cls, context: Any) -> bool:
        """Whether the active object is, or stands for, an armature."""
        if owner_of(context.object) is None:
            cls.poll_message_set("Select an armature, or one of its targets, first")  # pyright: ignore
            return False
        return True


def is_searching(context: Any) -> bool:
    """Whether a search for grasps runs in a window: nothing else should move its hand meanwhile."""
    windows = context.window_manager.windows if context.window_manager is not None else ()
    return any(each.bl_idname == "PREHEND_OT_grasp" for window in windows for each in window.modal_operators)


SEARCHING = "A search is running: Enter accepts what is shown, Esc cancels"


def run_service(operator: Any, service: Callable[[], str]) -> set[str]:
    """Call a service and report the sentence it gives back, or the error that tells the user what to do."""
    try:
        operator.report({"INFO"}, service())
    except PrehendError as error:
        operator.report({"ERROR"}, str(error))
        return {"CANCELLED"}
    return {"FINISHED"}
