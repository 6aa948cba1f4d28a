# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Add hands from the Add menu: one with the mouse through the submenus, one by typing its name."""

from __future__ import annotations

from gui_blender.gui import Gui
from gui_blender.steps import Steps

MENUS = ("VIEW3D_MT_add", "VIEW3D_MT_armature_add", "PREHEND_MT_add_demo_hand")


def play(gui: Gui) -> Steps[None]:
    """Shift+A > Armature > Demo Hand > first entry; undo; then Shift+A, type, Enter."""
    gui.menus.watch(*MENUS)
    gui.record_scene("before")

    yield from gui.hands.move(gui.sidebar.viewport_centre)
    yield from gui.hands.press("A", shift=True)
    yield from gui.menus.walk(*MENUS, item="prehend.add_demo_hand")
    yield from gui.screenshot(30, "menu")
    yield from gui.hands.click()
    gui.record_scene("added")
    yield from gui.look_at_selection()
    yield from gui.screenshot(31, "added")
    yield from gui.hands.undo()
    gui.record_scene("undone")

    yield from gui.hands.move(gui.sidebar.viewport_centre)
    yield from gui.hands.press("A", shift=True)
    yield from gui.menus.search("demo hand")
    yield from gui.screenshot(32, "search")
    yield from gui.hands.press("RET")
    gui.record_scene("found")
    yield from gui.screenshot(33, "found")
