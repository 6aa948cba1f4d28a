# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is drawn over the 3D view."""

from __future__ import annotations

from contextlib import ExitStack

from . import hooks, tips


def register(undo: ExitStack) -> None:
    """Add everything that draws, each with its own removal."""
    tips.register(undo)
    hooks.register(undo)
