# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Show the whole tab with all sections open, first in an empty scene, then with a hand."""

from __future__ import annotations

from typing import Any

from gui_blender.gui import Gui
from gui_blender.panels import panels_of_tab
from gui_blender.steps import CONTEXT, Steps


def play(gui: Gui) -> Steps[None]:
    """Open all sections, scroll through them, add a hand, and do it again."""
    yield from gui.sidebar.open()
    yield from gui.sidebar.click_tab("Prehend")
    gui.records["empty"] = yield from _look_through(gui, 40, "empty")
    yield from gui.sidebar.click_button("prehend.add_demo_hand")
    yield from gui.look_at_selection()
    gui.records["with_hand"] = yield from _look_through(gui, 45, "with-hand")


def _look_through(gui: Gui, number: int, name: str) -> Steps[dict[str, Any]]:
    """Keep pictures of the tab from top to bottom; gives its panels and buttons."""
    panels = [(panel, _is_offered(gui, panel)) for panel in panels_of_tab("Prehend")]
    yield from gui.sidebar.open_panels(*(panel.bl_rna.identifier for panel, offered in panels if offered))
    drawn = yield from gui.drawn.now(gui.sidebar.area)

    yield from gui.sidebar.scroll_to_top()
    buttons: list[str] = []
    more = True
    while more:
        yield from gui.screenshot(number, name)
        buttons += [button.operator or button.path for button in (yield from gui.sidebar.inventory())]
        number += 1
        more = yield from gui.sidebar.scroll_page()
    return {
        "buttons": list(dict.fromkeys(buttons)),
        "panels": {
            panel.bl_rna.identifier: {
                "label": panel.bl_label,
                "offered": offered,
                "drawn": panel.bl_rna.identifier in drawn,
            }
            for panel, offered in panels
        },
    }


def _is_offered(gui: Gui, panel: Any) -> bool:
    """Whether the panel wants to be shown in the present context."""
    with CONTEXT.temp_override(window=gui.hands.window, area=gui.sidebar.area, region=gui.sidebar.region("UI")):
        return not hasattr(panel, "poll") or bool(panel.poll(CONTEXT))
