# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ordered registration: every step pushes its own undo, so a failure half-way leaves nothing behind."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from importlib import import_module
from typing import Any

import bpy

# Properties come before the operators and panels that read them.
PARTS = ("preferences", "properties", "operators", "panels", "overlays")

_registered = ExitStack()


def register() -> None:
    """Register all parts in order; on failure undo the steps already taken and raise the failure."""
    global _registered
    with ExitStack() as undo:
        for name in PARTS:
            import_module(f".{name}", __package__).register(undo)
        _registered = undo.pop_all()


def unregister() -> None:
    """Undo all steps of `register`, last first."""
    _registered.close()


def register_classes(undo: ExitStack, classes: Iterable[type]) -> None:
    """Register Blender classes one by one, each with its own undo."""
    for cls in classes:
        bpy.utils.register_class(cls)
        undo.callback(bpy.utils.unregister_class, cls)


def attach_property(undo: ExitStack, owner: type, name: str, value: object) -> None:
    """Set a property on a Blender type and remember to delete it."""
    setattr(owner, name, value)
    undo.callback(delattr, owner, name)


def append_to_menu(undo: ExitStack, menu: Any, draw: Callable[[Any, Any], None]) -> None:
    """Append a draw function to a Blender menu and remember to remove it."""
    menu.append(draw)
    undo.callback(menu.remove, draw)
