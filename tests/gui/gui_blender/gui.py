# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a scenario works with."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import bpy

from .events import Hands
from .menus import Menus
from .panels import DrawCounter
from .scene import describe_scene
from .sidebar import Sidebar
from .steps import GuiError, Steps, settle


class Gui:
    """Hands on Blender's window, and a notebook of what they did."""

    def __init__(self, scenario: str, work: Path) -> None:
        self.scenario = scenario
        self.work = work
        self.hands = Hands()
        self.drawn = DrawCounter()
        self.sidebar = Sidebar(self.hands, self.drawn)
        self.menus = Menus(self.hands, self.drawn)
        self.records: dict[str, Any] = {}

    def start_empty(self) -> Steps[None]:
        """Remove the default objects, so that nothing hides what a scenario adds, and let undo start there."""
        yield from settle(8)
        for blocks in (bpy.data.objects, bpy.data.meshes, bpy.data.cameras, bpy.data.lights):
            for block in list(blocks):
                blocks.remove(block)
        bpy.ops.ed.undo_push(message="Start of the test")
        yield from settle()

    def record_scene(self, name: str) -> None:
        """Note what is in the scene now."""
        self.records[name] = describe_scene()

    def look_at_selection(self) -> Steps[None]:
        """Press numpad period over the viewport and wait for the view to stop moving."""
        yield from self.hands.move(self.sidebar.viewport_centre)
        yield from self.hands.press("NUMPAD_PERIOD")
        yield 0.5
        yield from settle()

    def screenshot(self, number: int, name: str) -> Steps[None]:
        """Keep a picture of the display as `<number>-<scenario>-<name>.png`.

        Raises:
            GuiError: Nobody takes it.
        """
        yield from settle()
        for area in self.hands.window.screen.areas:
            area.tag_redraw()
        yield from settle()
        want = self.work / f"{number:02d}-{self.scenario}-{name}.want"
        want.write_text("")
        end = time.monotonic() + 30.0
        # No yield: the window must not change while its picture is taken.
        while want.exists():
            if time.monotonic() > end:
                raise GuiError(f"Nobody took the screenshot {want.stem}")
            time.sleep(0.01)

    def viewport_rectangle(self) -> dict[str, int]:
        """Where the 3D view is on the display [px], from the lower left."""
        region, window = self.sidebar.region("WINDOW"), self.hands.window
        return {
            "x": window.x + region.x,
            "y": window.y + region.y,
            "width": region.width,
            "height": region.height,
        }
