# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Choose a prop from the list in the panel, add it, undo and redo."""

from __future__ import annotations

from gui_blender.gui import Gui
from gui_blender.scene import scene_settings
from gui_blender.steps import Steps


def _choice() -> str:
    """Label of the chosen prop."""
    settings = scene_settings()
    return settings.bl_rna.properties["demo_prop"].enum_items[settings.demo_prop].name


def play(gui: Gui) -> Steps[None]:
    """Pick another entry of the list with the arrow keys, click the button, Ctrl+Z, Ctrl+Shift+Z."""
    yield from gui.sidebar.open()
    yield from gui.sidebar.click_tab("Prehend")
    gui.record_scene("before")
    gui.records["choice_before"] = _choice()

    yield from gui.sidebar.click_button("prehend.demo_prop")
    yield from gui.screenshot(20, "list")
    # The first press may only highlight the entry that is chosen already.
    for key in ("DOWN_ARROW", "DOWN_ARROW", "RET"):
        yield from gui.hands.press(key)
    gui.records["choice"] = _choice()

    yield from gui.sidebar.click_button("prehend.add_demo_prop")
    gui.record_scene("added")
    yield from gui.look_at_selection()
    yield from gui.screenshot(21, "added")

    yield from gui.hands.undo()
    gui.record_scene("undone")
    yield from gui.screenshot(22, "undone")
    yield from gui.hands.redo()
    gui.record_scene("redone")
    yield from gui.screenshot(23, "redone")
