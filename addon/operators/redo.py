# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the redo panel shows of an operator on a hand and a prop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def draw_in_order(operator: Any, context: Any, names: Sequence[str]) -> None:
    """Draw those of the named properties that an operator has; props are chosen from the scene's objects."""
    layout = operator.layout
    layout.use_property_split = True
    layout.use_property_decorate = False
    known = operator.properties.bl_rna.properties
    for name in names:
        if name not in known:
            continue
        if name == "prop":
            # Blender shows names as bare text fields otherwise.
            layout.prop_search(operator, name, context.scene, "objects", icon="OBJECT_DATA")
        else:
            layout.prop(operator, name)
