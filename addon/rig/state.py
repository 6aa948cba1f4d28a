# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is selected and active, kept or set in one place, and what may be changed at all."""

from __future__ import annotations

from typing import Any


def make_active(view_layer: Any, obj: Any) -> None:
    """Select `obj` alone and make it active, as Blender's own Add operators do."""
    for other in view_layer.objects:
        if other.select_get(view_layer=view_layer):
            other.select_set(False, view_layer=view_layer)
    obj.select_set(True, view_layer=view_layer)
    view_layer.objects.active = obj


def why_read_only(block: Any) -> str | None:
    """Why a data-block cannot be changed in this file and what to do, as the end of a sentence; None where it can."""
    if block.library is not None:
        return "is linked from another file; make a library override of it, or make it local, first"
    if block.override_library is not None and block.override_library.is_system_override:
        return "is a library override that is not editable; make it editable first"
    return None
