# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Look for a button that does not exist, to see that the search ends with a reason."""

from __future__ import annotations

from gui_blender.gui import Gui
from gui_blender.steps import Steps


def play(gui: Gui) -> Steps[None]:
    """Search a tab in vain."""
    yield from gui.sidebar.open()
    yield from gui.sidebar.click_tab("View")
    yield from gui.sidebar.click_button("prehend.does_not_exist")
