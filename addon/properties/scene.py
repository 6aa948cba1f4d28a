# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of a scene: what the panel's choices are set to."""

from __future__ import annotations

import bpy

from .choices import HAND_VARIANT_ITEMS, PROP_ITEMS


class PrehendSceneSettings(bpy.types.PropertyGroup):
    """Choices shown in the Prehend tab."""

    demo_variant: bpy.props.EnumProperty(name="Hand", description="Kind of demo hand to add", items=HAND_VARIANT_ITEMS)
    demo_prop: bpy.props.EnumProperty(name="Prop", description="Demo prop to add", items=PROP_ITEMS)
