# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists of choices for enum properties, made from the data they choose from."""

from __future__ import annotations

from ..core.handmap import FINGER_NAMES
from ..presets.movements import load_movements
from ..shapes.hand import VARIANTS
from ..shapes.props import PROPS

HAND_VARIANT_ITEMS = tuple((key, variant.label, variant.description) for key, variant in VARIANTS.items())
PROP_ITEMS = tuple((key, prop.label, prop.description) for key, prop in PROPS.items())
SIDE_ITEMS = (("L", "Left", "A left hand"), ("R", "Right", "A right hand"))
UNSURE_SIDE_ITEMS = (*SIDE_ITEMS, ("UNKNOWN", "Unknown", "Neither its place nor its shape tells: please choose"))
SIDES_ITEMS = (("BOTH", "Both", "Both hands"), *SIDE_ITEMS)
MOVEMENT_ITEMS = tuple((key, each.title, each.description) for key, each in load_movements().items())
USUAL_MOVEMENT = "medium_diameter"
"""What hands close with where nothing else was chosen."""
AUTO_MOVEMENT_ITEMS = (("auto", "Auto", "Try the movements that suit the prop and this hand"), *MOVEMENT_ITEMS)
PLACE_ITEMS = (
    ("auto", "Auto", "A hand without an arm goes to the prop; an arm takes what it can reach, else the prop comes"),
    ("hand", "Hand", "The hand goes to the prop with its whole armature"),
    ("arm", "Arm", "The arm reaches for the prop, by its control where it has one"),
    ("prop", "Prop", "The prop comes to the hand"),
    ("fixed", "Nothing", "Hand and prop stay where they are and the fingers alone close"),
)
FINGER_ITEMS = tuple((name, name.title(), f"The {name} finger") for name in FINGER_NAMES)
PROP_TYPES = ("MESH", "CURVE", "SURFACE", "FONT", "META")
"""Kinds of objects that have, or may have, faces."""
TIP_METHOD_ITEMS = (
    ("closed_form", "Closed Form", "Exact and fast: bends the finger as a hand at ease does"),
    ("dls", "Damped Least Squares", "Iterates from the present pose, for fingers of any number of bones"),
    ("ccd", "CCD", "Turns one joint after the other, from the tip to the base"),
    (
        "table",
        "Table",
        "Looks the bend up by distance; the last joint always bends two thirds as much as the middle one",
    ),
)
