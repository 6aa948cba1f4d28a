# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which panels and menus Blender has really drawn."""

from __future__ import annotations

from collections import Counter
from typing import Any

import bpy

from .steps import Steps, settle


class DrawCounter:
    """Counts how often each watched panel or menu was drawn. A closed panel is not drawn."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._watched: set[str] = set()

    def watch(self, cls: Any) -> None:
        """Count the drawings of a registered panel or menu class from now on."""
        name = cls.bl_rna.identifier
        if name in self._watched:
            return
        self._watched.add(name)

        def count(_self: Any, _context: Any) -> None:
            self.counts[name] += 1

        cls.append(count)

    def of(self, name: str) -> int:
        """How often the panel or menu was drawn so far."""
        return self.counts[name]

    def now(self, area: Any) -> Steps[set[str]]:
        """Redraw an area and give the names of the watched panels that are drawn, which are the open ones."""
        before = self.counts.copy()
        area.tag_redraw()
        yield from settle()
        return {name for name in self._watched if self.counts[name] > before[name]}


def panels_of_tab(tab: str) -> list[Any]:
    """The registered panel classes of a tab of the 3D view's sidebar."""

    def below(cls: type) -> list[type]:
        return [cls, *(deeper for child in cls.__subclasses__() for deeper in below(child))]

    return [
        cls
        for cls in below(bpy.types.Panel)
        if getattr(cls, "is_registered", False)
        and getattr(cls, "bl_space_type", "") == "VIEW_3D"
        and getattr(cls, "bl_region_type", "") == "UI"
        and getattr(cls, "bl_category", "") == tab
    ]
