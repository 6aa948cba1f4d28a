# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps: generators that a timer resumes, so that Blender handles events and redraws between two of them."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, TypeVar

import bpy

T = TypeVar("T")

# A step yields how long to wait [s] before it goes on; 0 waits for one turn of Blender's main loop, which handles
# the events queued so far and redraws.
Steps = Generator[float, None, T]

# Nobody hands a timer its context.
CONTEXT: Any = bpy.context


class GuiError(Exception):
    """Blender's window does not do what the scenario expects."""


def settle(turns: int = 4) -> Steps[None]:
    """Let Blender finish what it is doing."""
    for _ in range(turns):
        yield 0.0


def until(condition: Callable[[], bool], what: str, *, attempts: int = 200) -> Steps[None]:
    """Wait for something that takes Blender more than a few turns, such as an animation or a search.

    Raises:
        GuiError: It does not come true.
    """
    for _ in range(attempts):
        if condition():
            return
        yield 0.05
    raise GuiError(f"Waited in vain until {what}")
