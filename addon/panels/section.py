# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What all sections of the Prehend tab have in common."""

from __future__ import annotations


class Section:
    """Mix-in that puts a panel into the Prehend tab of the 3D view's sidebar."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Prehend"
