# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What all sections of the Prehend tab have in common."""

from __future__ import annotations

from typing import Any


class Section:
    """Mix-in that puts a panel into the Prehend tab of the 3D view's sidebar."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Prehend"


def fold(layout: Any, owner: Any, name: str) -> bool:
    """Draw the heading of a part that a property of `owner` unfolds; whether it is unfolded."""
    shown = bool(getattr(owner, name))
    row = layout.row()
    # A wide button would have its text in the middle, away from its arrow.
    row.alignment = "LEFT"
    row.prop(owner, name, icon="DOWNARROW_HLT" if shown else "RIGHTARROW", emboss=False, toggle=True)
    return shown
