# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw a panel that raises, to see that the tests notice."""

from __future__ import annotations

from typing import Any

import bpy
from gui_blender.gui import Gui
from gui_blender.steps import Steps, settle


class PRACTICE_PT_broken(bpy.types.Panel):  # noqa: N801 - Blender's naming
    """Raises when drawn"""

    bl_label = "Broken"
    bl_category = "Practice"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"

    def draw(self, context: Any) -> None:
        """Fail."""
        raise RuntimeError("broken on purpose")


def play(gui: Gui) -> Steps[None]:
    """Open the tab of the broken panel."""
    bpy.utils.register_class(PRACTICE_PT_broken)
    yield from settle()
    yield from gui.sidebar.open()
    yield from gui.sidebar.click_tab("Practice")
