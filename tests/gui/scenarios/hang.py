# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Never end, to see that the test run does not wait for ever."""

from __future__ import annotations

from gui_blender.gui import Gui
from gui_blender.steps import Steps


def play(gui: Gui) -> Steps[None]:
    """Wait."""
    while True:
        yield 0.1
