# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A layout that writes down what a panel draws and refuses what Blender would refuse."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import bpy

_FUNCTIONS = bpy.types.UILayout.bl_rna.functions
_ICONS = {item.identifier for item in _FUNCTIONS["label"].parameters["icon"].enum_items}
_CONTAINERS = {"row", "column", "box", "split", "grid_flow", "column_flow", "menu_pie"}


class RecordingLayout:
    """Stands in for `UILayout`; `drawn` collects (function, first arguments) of this layout and all inside it."""

    def __init__(self, drawn: list[tuple[str, Any]] | None = None) -> None:
        self.__dict__["drawn"] = [] if drawn is None else drawn

    def __setattr__(self, name: str, value: Any) -> None:
        assert name in bpy.types.UILayout.bl_rna.properties, f"UILayout has no property '{name}'"

    def __getattr__(self, name: str) -> Any:
        assert name in _FUNCTIONS, f"UILayout has no function '{name}'"
        allowed = set(_FUNCTIONS[name].parameters.keys())

        def record(*args: Any, **kwargs: Any) -> Any:
            assert set(kwargs) <= allowed, f"{name} takes no {set(kwargs) - allowed}"
            assert kwargs.get("icon", "NONE") in _ICONS, f"no icon {kwargs['icon']}"
            self.drawn.append((name, args or kwargs))
            return _answer(self, name, args)

        return record


def _answer(layout: RecordingLayout, name: str, args: tuple[Any, ...]) -> Any:
    if name in _CONTAINERS:
        return RecordingLayout(layout.drawn)
    if name == "panel":
        return RecordingLayout(layout.drawn), RecordingLayout(layout.drawn)
    if name in {"prop", "prop_search", "prop_enum"}:
        data, key = args[:2]
        assert hasattr(data, key), f"{data!r} has no property '{key}'"
    if name == "operator":
        module, function = args[0].split(".")
        operator = getattr(getattr(bpy.ops, module), function)
        known = set(operator.get_rna_type().properties.keys())
        return _OperatorProperties(args[0], known)
    if name == "menu":
        assert hasattr(bpy.types, args[0]), f"no menu '{args[0]}'"
    return None


class _OperatorProperties(SimpleNamespace):
    def __init__(self, name: str, known: set[str]) -> None:
        self.__dict__.update(_name=name, _known=known)

    def __setattr__(self, key: str, value: Any) -> None:
        assert key in self._known, f"operator {self._name} has no property '{key}'"


def draw(panel: type, context: Any) -> list[tuple[str, Any]]:
    """What a panel or menu draws in a context."""
    layout = RecordingLayout()
    panel.draw(SimpleNamespace(layout=layout, bl_label=panel.bl_label), context)
    return layout.drawn
