# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of a scene: what the panel's choices are set to."""

from __future__ import annotations

import bpy

from .choices import HAND_VARIANT_ITEMS, POSE_ITEMS, PROP_ITEMS, SIDES_ITEMS


class PrehendSceneSettings(bpy.types.PropertyGroup):
    """Choices shown in the Prehend tab."""

    demo_variant: bpy.props.EnumProperty(name="Hand", description="Kind of demo hand to add", items=HAND_VARIANT_ITEMS)
    pose: bpy.props.EnumProperty(name="Pose", description="Pose to apply", items=POSE_ITEMS)
    side: bpy.props.EnumProperty(name="Side", description="Which hands to work on", items=SIDES_ITEMS)
    demo_prop: bpy.props.EnumProperty(name="Prop", description="Demo prop to add", items=PROP_ITEMS)
