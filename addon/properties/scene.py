# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of a scene: what the panel's choices are set to."""

from __future__ import annotations

from typing import Any

import bpy

from . import shared
from .animation import PrehendAnimationSettings
from .choices import (
    AUTO_MOVEMENT_ITEMS,
    HAND_VARIANT_ITEMS,
    PROP_ITEMS,
    PROP_TYPES,
    SIDES_ITEMS,
)
from .exporting import PrehendExportSettings
from .library import PrehendPoseLibrary
from .search_method import PrehendSearchMethod
from .sliders import PrehendSliders
from .weights import PrehendWeights


def _may_be_held(_: Any, obj: Any) -> bool:
    return obj.type in PROP_TYPES


class PrehendSceneSettings(bpy.types.PropertyGroup):
    """Choices shown in the Prehend tab."""

    demo_variant: bpy.props.EnumProperty(name="Hand", description="Kind of demo hand to add", items=HAND_VARIANT_ITEMS)
    side: bpy.props.EnumProperty(name="Side", description="Which hands to work on", items=SIDES_ITEMS)
    sliders: bpy.props.PointerProperty(type=PrehendSliders)
    library: bpy.props.PointerProperty(type=PrehendPoseLibrary)
    demo_prop: bpy.props.EnumProperty(name="Prop", description="Demo prop to add", items=PROP_ITEMS)
    prop: bpy.props.PointerProperty(
        name="Prop",
        description="Object to hold; empty takes the selected one",
        type=bpy.types.Object,
        poll=_may_be_held,
    )
    movement: bpy.props.EnumProperty(
        name="Movement",
        description="How the hand opens and closes; with Auto, Close Fingers closes as round a bottle",
        items=AUTO_MOVEMENT_ITEMS,
    )
    depth_mm: shared.soft_pads()
    show_grasp_options: bpy.props.BoolProperty(name="Options", description="Show how grasps are looked for")
    attempts: shared.attempts()
    seed: shared.seed()
    place: shared.what_moves()
    seconds: shared.time_limit()
    show_hooks: bpy.props.BoolProperty(
        name="Show Hooks", description="Show in the viewport where the prop can be taken", default=True
    )
    show_weights: bpy.props.BoolProperty(
        name="Advanced", description="Show how grasps are looked for and what counts how much in their ranking"
    )
    search: bpy.props.PointerProperty(type=PrehendSearchMethod)
    weights: bpy.props.PointerProperty(type=PrehendWeights)
    use_obstacles: shared.obstacles()
    tip_method: shared.tip_method()
    tip_bend: shared.tip_bend()
    animation: bpy.props.PointerProperty(type=PrehendAnimationSettings)
    follow_tips: bpy.props.BoolProperty(
        name="Follow Tips", description="Bring fingertips to their targets whenever these or the wrist move"
    )
    export: bpy.props.PointerProperty(type=PrehendExportSettings)
