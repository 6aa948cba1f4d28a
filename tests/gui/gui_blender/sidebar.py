# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The 3D view's sidebar: its tabs, panels and buttons, found the way a user finds them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy

from .events import Hands, Point
from .panels import DrawCounter, panels_of_tab
from .steps import CONTEXT, GuiError, Steps, settle, until


@dataclass(frozen=True)
class Button:
    """What lies under the mouse."""

    operator: str
    """The call that the button makes, as Blender writes it: `bpy.ops.object.delete(use_global=False)`; or empty."""
    path: str
    """The property that the button shows: `bpy.data.scenes["Scene"].frame_start`; or empty."""

    def is_for(self, wanted: str) -> bool:
        """Whether it runs the operator, or shows the property, that `wanted` names ("object.delete", "frame_start").

        A name with a bracket also asks for arguments: "object.delete(use_global=False".
        """
        call = f"bpy.ops.{wanted}" if "(" in wanted else f"bpy.ops.{wanted}("
        return self.operator.startswith(call) or f".{self.path}".endswith(f".{wanted}")


NOTHING = Button("", "")


class Sidebar:
    """The sidebar of the largest 3D view."""

    def __init__(self, hands: Hands, drawn: DrawCounter) -> None:
        self.hands = hands
        self.drawn = drawn

    @property
    def area(self) -> Any:
        """The 3D view."""
        areas = [area for area in self.hands.window.screen.areas if area.type == "VIEW_3D"]
        return max(areas, key=lambda area: area.width * area.height)

    def region(self, kind: str) -> Any:
        """A region of the 3D view: "WINDOW" or "UI"."""
        return next(region for region in self.area.regions if region.type == kind)

    @property
    def viewport_centre(self) -> Point:
        """A place over the 3D view itself."""
        region = self.region("WINDOW")
        return region.x + region.width // 2, region.y + region.height // 2

    @property
    def unit(self) -> float:
        """Height of a button [px]."""
        return 20.0 * CONTEXT.preferences.system.ui_scale

    @property
    def is_open(self) -> bool:
        """Whether more than the tabs is to be seen."""
        return self.area.spaces.active.show_region_ui and self.region("UI").width > 3 * self.unit

    def open(self) -> Steps[None]:
        """Press N over the viewport."""
        if not self.is_open:
            yield from self.hands.move(self.viewport_centre)
            yield from self.hands.press("N")
            yield from until(lambda: self.is_open, "the sidebar is open")
            yield from settle()

    def click_tab(self, name: str) -> Steps[None]:
        """Click the tabs from top to bottom until the named one is active.

        Their heights follow from their labels, which only Blender measures; the effect of a click tells which it was.
        """
        region = self.region("UI")
        x = region.x + region.width - int(self.unit / 2)
        y = region.y + region.height - int(self.unit / 2)
        seen: list[str] = []
        while y > region.y:
            yield from self.hands.click((x, y))
            # From 5.0 on a click on the active tab folds the sidebar, and the next one unfolds it.
            if not self.is_open:
                yield from self.hands.click()
                yield from until(lambda: self.is_open, "the sidebar is unfolded")
            tab = self.region("UI").active_panel_category
            if tab == name:
                yield from settle()
                return
            if tab not in seen:
                seen.append(tab)
            y -= int(1.2 * self.unit)
        raise GuiError(f"No tab {name!r} in the sidebar. Tabs: {', '.join(seen)}")

    def under_mouse(self) -> Button:
        """The button under the mouse, from Blender's own "Copy Python Command" and "Copy Full Data Path"."""
        manager = bpy.data.window_managers[0]
        texts = []
        with CONTEXT.temp_override(window=self.hands.window, area=self.area, region=self.region("UI")):
            for copy, options in (
                (bpy.ops.ui.copy_python_command_button, {}),
                (bpy.ops.ui.copy_data_path_button, {"full_path": True}),
            ):
                manager.clipboard = ""
                if copy.poll():
                    copy(**options)
                texts.append(manager.clipboard)
        return Button(*texts)

    def _sweep(self, share: float, wanted: str = "") -> Steps[list[tuple[Point, Button]]]:
        """What lies on a vertical line through the visible part of the tab, or down to the wanted button.

        Args:
            share: Where the line is, from 0 at the panels' left edge to 1 at their right edge.
            wanted: As in `Button.is_for`.
        """
        region = self.region("UI")
        x = region.x + int(share * (region.width - 1.5 * self.unit))
        found = []
        # Less than the height of a button, so that none is missed.
        for y in range(region.y + region.height - 3, region.y + 2, -int(0.6 * self.unit)):
            yield from self.hands.move((x, y))
            found.append(((x, y), self.under_mouse()))
            if wanted and found[-1][1].is_for(wanted):
                break
        return found

    def _scroll_position(self) -> float:
        return self.region("UI").view2d.region_to_view(0, 0)[1]

    def _over_panels(self) -> Point:
        region = self.region("UI")
        return region.x + 4, region.y + region.height // 2

    def scroll_to_top(self) -> Steps[None]:
        """Turn the wheel up until nothing moves."""
        yield from self.hands.move(self._over_panels())
        position = None
        while position != self._scroll_position():
            position = self._scroll_position()
            yield from self.hands.scroll(down=False)

    def scroll_page(self) -> Steps[bool]:
        """Turn the wheel down by most of the visible height; says whether anything moved."""
        yield from self.hands.move(self._over_panels())
        start = self._scroll_position()
        while start - self._scroll_position() < 0.7 * self.region("UI").height:
            position = self._scroll_position()
            yield from self.hands.scroll()
            if position == self._scroll_position():
                break
        return start != self._scroll_position()

    def inventory(self) -> Steps[list[Button]]:
        """All buttons on the middle line of the visible part of the tab, from top to bottom."""
        line = yield from self._sweep(0.5)
        buttons: list[Button] = []
        for _, button in line:
            if button != NOTHING and button not in buttons:
                buttons.append(button)
        return buttons

    def find_button(self, wanted: str) -> Steps[Point]:
        """Put the mouse on the first button for an operator or a property; scrolls until it is to be seen.

        Raises:
            GuiError: The tab has no such button.
        """
        seen: list[str] = []
        # What is to be seen already; then the whole tab; then also the buttons that share a row.
        for from_top, shares in ((False, (0.5,)), (True, (0.5,)), (True, (0.2, 0.8, 0.35, 0.65))):
            if from_top:
                yield from self.scroll_to_top()
            more = True
            while more:
                for share in shares:
                    for point, button in (yield from self._sweep(share, wanted)):
                        if button.is_for(wanted):
                            return point
                        seen += [text for text in (button.operator, button.path) if text]
                more = from_top and (yield from self.scroll_page())
        raise GuiError(f"No button for {wanted!r}. Buttons: {', '.join(dict.fromkeys(seen))}")

    def open_panels(self, *names: str) -> Steps[None]:
        """Click the panels' headers from top to bottom until the named panels are open.

        A click that closed a panel is taken back by a second one.

        Raises:
            GuiError: One is not in the tab.
        """
        for panel in panels_of_tab(self.region("UI").active_panel_category):
            self.drawn.watch(panel)
        opened = yield from self.drawn.now(self.area)
        if opened.issuperset(names):
            return
        yield from self.scroll_to_top()
        more = True
        while more:
            region = self.region("UI")
            for y in range(region.y + region.height - 3, region.y + 2, -int(0.7 * self.unit)):
                yield from self.hands.move((region.x + int(2.5 * self.unit), y))
                if self.under_mouse() != NOTHING:
                    continue
                yield from self.hands.click()
                after = yield from self.drawn.now(self.area)
                if opened - after:
                    yield from self.hands.click()
                else:
                    opened = after
                if opened.issuperset(names):
                    return
            more = yield from self.scroll_page()
        missing = ", ".join(sorted(set(names) - opened))
        raise GuiError(f"No panel {missing} to open. Open are: {', '.join(sorted(opened))}")

    def click_button(self, wanted: str) -> Steps[None]:
        """Click the button of an operator, or of a property."""
        yield from self.hands.click((yield from self.find_button(wanted)))

    def drag_slider(self, path: str, pixels: int) -> Steps[None]:
        """Drag a number field to the right, or with negative `pixels` to the left."""
        start = yield from self.find_button(path)
        yield from self.hands.drag(start, (start[0] + pixels, start[1]))
