# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Popup menus, walked with the mouse or searched with the keyboard."""

from __future__ import annotations

import itertools
from typing import Any

import bpy

from .events import Hands
from .panels import DrawCounter
from .sidebar import Button
from .steps import GuiError, Steps, settle, until


class Menus:
    """Menus that were opened by a key or a click; watch them before they open."""

    DWELL = 8  # times 0.05 s; submenus open after the mouse has rested on them for a moment

    def __init__(self, hands: Hands, drawn: DrawCounter) -> None:
        self.hands = hands
        self.drawn = drawn
        self._regions: dict[str, Any] = {}

    def watch(self, *names: str) -> None:
        """Follow where these menu classes are drawn."""
        for name in names:
            cls = getattr(bpy.types, name)
            self.drawn.watch(cls)
            cls.append(lambda _self, context, name=name: self._regions.update({name: context.region_popup}))

    def _line(self, menu: str) -> tuple[int, range]:
        """The middle and the rows of an open menu. Its region lives only while the menu is open."""
        region = self._regions[menu]
        return region.x + region.width // 2, range(region.y + region.height - 8, region.y, -8)

    def open_submenu(self, menu: str, submenu: str) -> Steps[None]:
        """Rest the mouse on one entry of an open menu after the other until the submenu opens.

        Raises:
            GuiError: No entry opens it.
        """
        x, rows = self._line(menu)
        before = self.drawn.of(submenu)
        for y in rows:
            yield from self.hands.move((x, y))
            for _ in range(self.DWELL):
                if self.drawn.of(submenu) > before:
                    yield from settle()
                    return
                yield 0.05
        raise GuiError(f"No entry of {menu} opens {submenu}")

    def find_item(self, menu: str, wanted: str) -> Steps[None]:
        """Put the mouse on the entry of an open menu that makes a call, see `Button.is_for`.

        Raises:
            GuiError: There is none.
        """
        manager = bpy.data.window_managers[0]
        x, rows = self._line(menu)
        seen: list[str] = []
        for y in rows:
            yield from self.hands.move((x, y))
            manager.clipboard = ""
            yield from self.hands.press("C", ctrl=True)
            call = manager.clipboard
            if Button(call, "").is_for(wanted):
                return
            if call not in seen:
                seen.append(call)
        raise GuiError(f"No entry of {menu} for {wanted!r}. Entries: {', '.join(filter(None, seen))}")

    def walk(self, *menus: str, item: str) -> Steps[None]:
        """Go with the mouse from an open menu through its submenus and rest on an entry."""
        yield from until(lambda: menus[0] in self._regions, f"{menus[0]} is open")
        yield from settle()
        for menu, submenu in itertools.pairwise(menus):
            yield from self.open_submenu(menu, submenu)
        yield from self.find_item(menus[-1], item)

    def search(self, text: str) -> Steps[None]:
        """Type into an open menu, so that it searches itself and its submenus."""
        yield from self.hands.type(text)
        yield 0.3
        yield from settle()
