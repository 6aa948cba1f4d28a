# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Popup menus, walked with the mouse or searched with the keyboard."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import bpy

from .events import Hands
from .panels import DrawCounter
from .sidebar import Button
from .steps import GuiError, Steps, settle, until


class Menus:
    """Menus that were opened by a key or a click; watch them before they open."""

    DWELL = 7  # times 0.05 s; submenus open after the mouse has rested on them for a moment
    ROW = 12  # px, less than the height of an entry

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

    def walk(self, *menus: str, item: str) -> Steps[None]:
        """Go with the mouse from an open menu through its submenus and rest on the entry for a call.

        Args:
            menus: Classes of the open menu and its submenus; the submenus must begin with an operator.
            item: What the entry calls, see `Button.is_for`.

        Raises:
            GuiError: A submenu or the entry is not there.
        """
        yield from until(lambda: menus[0] in self._regions, f"{menus[0]} is open")
        yield from settle()
        # The region of a popup lives while it is open. Blender does not tell those of submenus.
        region = self._regions[menus[0]]
        x, rows = region.x + region.width // 2, range(region.y + region.height - self.ROW, region.y, -self.ROW)
        for menu, submenu in itertools.pairwise(menus):
            yield from self._open_submenu(menu, submenu, x, rows)
            yield from self._enter_submenu(submenu)
            x, y = self.hands.at
            rows = [*range(y, max(y - 400, 8), -self.ROW), *range(y, y + 400, self.ROW)]
        yield from self._rest_on_item(menus[-1], item, x, rows)

    def _open_submenu(self, menu: str, submenu: str, x: int, rows: Iterable[int]) -> Steps[None]:
        """Rest the mouse on one entry after the other until the submenu opens."""
        before = self.drawn.of(submenu)
        for y in rows:
            yield from self.hands.move((x, y))
            for _ in range(self.DWELL):
                if self.drawn.of(submenu) > before:
                    yield from settle()
                    return
                yield 0.05
        raise GuiError(f"No entry of {menu} opens {submenu}")

    def _enter_submenu(self, submenu: str) -> Steps[None]:
        """Move the mouse to the right, from the entry that opened the submenu to the submenu's first entry."""
        for _ in range(60):
            yield from self.hands.move((self.hands.at[0] + self.ROW, self.hands.at[1]))
            if (yield from self._call_under_mouse()):
                yield from self.hands.move((self.hands.at[0] + 20, self.hands.at[1]))
                return
        raise GuiError(f"{submenu} is open, but not to the right of the mouse")

    def _rest_on_item(self, menu: str, item: str, x: int, rows: Iterable[int]) -> Steps[None]:
        seen: list[str] = []
        for y in rows:
            yield from self.hands.move((x, y))
            call = yield from self._call_under_mouse()
            if Button(call, "").is_for(item):
                return
            if call and call not in seen:
                seen.append(call)
        raise GuiError(f"No entry of {menu} for {item!r}. Entries: {', '.join(seen)}")

    def _call_under_mouse(self) -> Steps[str]:
        """What Ctrl+C copies: the call that an entry makes, nothing for a submenu."""
        manager = bpy.data.window_managers[0]
        manager.clipboard = ""
        yield from self.hands.press("C", ctrl=True)
        return manager.clipboard

    def search(self, text: str) -> Steps[None]:
        """Type into an open menu, so that it searches itself and its submenus."""
        yield from self.hands.type(text)
        yield 0.3
        yield from settle()
