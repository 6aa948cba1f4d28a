# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Show the whole tab, from its top to its bottom."""

from __future__ import annotations

from typing import Any

from gui_blender.gui import Gui
from gui_blender.panels import panels_of_tab
from gui_blender.steps import Steps


def play(gui: Gui) -> Steps[None]:
    """Open the tab, scroll through it, note the panels that were drawn and the buttons on the way."""
    panels: list[Any] = panels_of_tab("Prehend")
    for panel in panels:
        gui.drawn.watch(panel)
    yield from gui.sidebar.open()
    yield from gui.sidebar.click_tab("Prehend")
    yield from gui.sidebar.scroll_to_top()
    buttons: list[str] = []
    page, more = 40, True
    while more:
        yield from gui.screenshot(page, f"page-{page - 39}")
        buttons += [button.operator or button.path for button in (yield from gui.sidebar.inventory())]
        page += 1
        more = yield from gui.sidebar.scroll_page()
    gui.records["buttons"] = list(dict.fromkeys(buttons))
    gui.records["panels"] = {
        panel.bl_rna.identifier: {
            "label": panel.bl_label,
            "starts_closed": "DEFAULT_CLOSED" in getattr(panel, "bl_options", set()),
            "is_child": bool(getattr(panel, "bl_parent_id", "")),
            "drawn": gui.drawn.of(panel.bl_rna.identifier),
        }
        for panel in panels
    }
