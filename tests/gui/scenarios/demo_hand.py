# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Add two hands with the button, undo both, redo both."""

from __future__ import annotations

from gui_blender.gui import Gui
from gui_blender.steps import Steps


def play(gui: Gui) -> Steps[None]:
    """Click, click, Ctrl+Z, Ctrl+Z, Ctrl+Shift+Z, Ctrl+Shift+Z."""
    yield from gui.sidebar.open()
    yield from gui.sidebar.click_tab("Prehend")
    gui.record_scene("before")
    yield from gui.screenshot(10, "tab")

    button = yield from gui.sidebar.find_button("prehend.add_demo_hand")
    yield from gui.screenshot(11, "button")
    yield from gui.hands.click(button)
    gui.record_scene("added")
    yield from gui.look_at_selection()
    yield from gui.screenshot(12, "added")

    yield from gui.hands.click(button)
    gui.record_scene("added_twice")

    yield from gui.hands.move(gui.sidebar.viewport_centre)
    for number, name in ((13, "undone_once"), (14, "undone_twice")):
        yield from gui.hands.undo()
        gui.record_scene(name)
        yield from gui.screenshot(number, name.replace("_", "-"))
    for number, name in ((15, "redone_once"), (16, "redone_twice")):
        yield from gui.hands.redo()
        gui.record_scene(name)
        yield from gui.screenshot(number, name.replace("_", "-"))
