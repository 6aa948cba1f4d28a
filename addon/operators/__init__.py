# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators: parse the context, call one service, report."""

from __future__ import annotations

from contextlib import ExitStack

from ..registration import register_classes
from . import add_demo, hands, poses


def register(undo: ExitStack) -> None:
    """Register all operators and the menus that list them."""
    register_classes(undo, (*add_demo.CLASSES, *hands.CLASSES, *poses.CLASSES))
    add_demo.register_menus(undo)
