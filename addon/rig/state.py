# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is selected and active, kept or set in one place."""

from __future__ import annotations

from typing import Any


def make_active(view_layer: Any, obj: Any) -> None:
    """Select `obj` alone and make it active, as Blender's own Add operators do."""
    for other in view_layer.objects:
        if other.select_get(view_layer=view_layer):
            other.select_set(False, view_layer=view_layer)
    obj.select_set(True, view_layer=view_layer)
    view_layer.objects.active = obj
