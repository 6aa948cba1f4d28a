# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sections of the tab that say what to do until their tools are there."""

from __future__ import annotations

from typing import Any

import bpy

from .section import Section


class PREHEND_PT_export(Section, bpy.types.Panel):
    """Export of hands and props"""

    bl_idname = "PREHEND_PT_export"
    bl_label = "Export"

    def draw(self, context: Any) -> None:
        """Say how to export by hand."""
        self.layout.label(text="Use File > Export for now", icon="INFO")
