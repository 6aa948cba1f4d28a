# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators: parse the context, call one service, report."""

from __future__ import annotations

from contextlib import ExitStack

from ..registration import register_classes
from ..services.watching import watch_skins
from . import (
    add_demo,
    animating,
    bake_tips,
    closing,
    exporting,
    follow_tips,
    grasp_steps,
    grasping,
    hands,
    hooks,
    library,
    pose_assets,
    poses,
    previews,
    reach,
    sliders,
    tips,
)


def register(undo: ExitStack) -> None:
    """Register all operators, the menus that list them and the handlers that keep what they made up to date."""
    register_classes(undo, (*add_demo.CLASSES, *hands.CLASSES, *poses.CLASSES, *closing.CLASSES, *grasping.CLASSES))
    register_classes(undo, (*tips.CLASSES, *follow_tips.CLASSES, *bake_tips.CLASSES, *reach.CLASSES))
    register_classes(undo, (*grasp_steps.CLASSES, *hooks.CLASSES))
    register_classes(undo, animating.CLASSES)
    register_classes(undo, (*exporting.CLASSES, *pose_assets.CLASSES))
    register_classes(undo, (*library.CLASSES, *sliders.CLASSES))
    add_demo.register_menus(undo)
    watch_skins(undo)
    follow_tips.register_handlers(undo)
    sliders.register_handlers(undo)
    previews.register_previews(undo)
