# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Properties that stand both in the scene's settings and in operators, each defined once.

An operator has its own copy of a setting, so that its redo panel and scripts can change it; name, range and default
must be the same in both places.
"""

from __future__ import annotations

from typing import Any

import bpy

from .choices import FINGER_ITEMS, PLACE_ITEMS, TIP_METHOD_ITEMS

DEFAULT_DEPTH_MM, DEEPEST_MM = 0.3, 3.0
"""How far skin gives in millimetres: usually and at the most, as the service that closes fingers takes it."""
DEFAULT_ATTEMPTS = 5
DEFAULT_BEND = 2.879793  # 11/12 pi, the first of Duits's two choices


def soft_pads() -> Any:
    """How far the skin gives, in millimetres as everything else that is told about contacts."""
    return bpy.props.FloatProperty(
        name="Soft Pads",
        description="How far the skin gives where it touches",
        default=DEFAULT_DEPTH_MM,
        min=0.0,
        max=DEEPEST_MM,
        step=5,
        precision=2,
        # Blender's unit of lenses: shown as millimetres, whatever the scene's units are.
        unit="CAMERA",
    )


def attempts() -> Any:
    """How long a search goes on, counted."""
    return bpy.props.IntProperty(
        name="Attempts",
        description="How many pairs of a place and a movement are tried",
        default=DEFAULT_ATTEMPTS,
        min=1,
        soft_max=24,
    )


def time_limit() -> Any:
    """How long a search goes on, in seconds."""
    return bpy.props.FloatProperty(
        name="Time Limit",
        description="Try nothing more after so many seconds; 0 for no limit",
        min=0.0,
        soft_max=60.0,
        precision=1,
        unit="TIME_ABSOLUTE",
    )


def seed() -> Any:
    """What chance goes by."""
    return bpy.props.IntProperty(name="Seed", description="The same seed finds the same grasps", min=0)


def what_moves() -> Any:
    """What moves."""
    return bpy.props.EnumProperty(
        name="What Moves", description="Who goes to whom: the hand, its arm or the prop", items=PLACE_ITEMS
    )


def obstacles() -> Any:
    """Whether other objects count."""
    return bpy.props.BoolProperty(name="Obstacles", description="Keep clear of the other visible objects", default=True)


def pose_share(name: str) -> Any:
    """How much of a pose is applied."""
    return bpy.props.FloatProperty(
        name=name,
        description="How much of the pose to apply; 0 leaves the hand as it is",
        default=1.0,
        min=0.0,
        max=1.0,
        subtype="FACTOR",
    )


def pose_fingers() -> Any:
    """Which fingers take on a pose."""
    return bpy.props.EnumProperty(
        name="Fingers",
        description="Fingers that take on the pose; with Shift several",
        items=FINGER_ITEMS,
        options={"ENUM_FLAG"},
        default={item[0] for item in FINGER_ITEMS},
    )


def pose_flip() -> Any:
    """Whether the other hand is posed."""
    return bpy.props.BoolProperty(name="Flip", description="Pose the other hand; poses that have both hands swap them")


def tip_method() -> Any:
    """How fingertips are brought to targets."""
    return bpy.props.EnumProperty(
        name="Method", description="How fingers are brought to their targets", items=TIP_METHOD_ITEMS
    )


def tip_bend() -> Any:
    """The closed form's anchor angle."""
    return bpy.props.FloatProperty(
        name="Bend",
        description="Turn of the two outer joints together at which the last joint bends two thirds as much as the one "
        "before; larger curls the finger's end less",
        default=DEFAULT_BEND,
        min=1.5708,
        max=3.6652,
        subtype="ANGLE",
    )
