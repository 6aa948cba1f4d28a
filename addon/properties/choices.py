# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists of choices for enum properties, made from the data they choose from."""

from __future__ import annotations

from ..presets.poses import load_poses
from ..shapes.hand import VARIANTS
from ..shapes.props import PROPS

HAND_VARIANT_ITEMS = tuple((key, variant.label, variant.description) for key, variant in VARIANTS.items())
PROP_ITEMS = tuple((key, prop.label, prop.description) for key, prop in PROPS.items())
SIDE_ITEMS = (("L", "Left", "A left hand"), ("R", "Right", "A right hand"))
UNSURE_SIDE_ITEMS = (*SIDE_ITEMS, ("UNKNOWN", "Unknown", "Neither its place nor its shape tells: please choose"))
SIDES_ITEMS = (("BOTH", "Both", "Both hands"), *SIDE_ITEMS)
POSE_ITEMS = tuple((key, pose.label, pose.description) for key, pose in load_poses().items())
