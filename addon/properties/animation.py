# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of animated grasps: when what happens, how the prop follows and what becomes of present animation."""

from __future__ import annotations

from typing import Any

import bpy

ATTACH_ITEMS = (
    ("KEYS", "Keys", "The prop gets keys of its own: plays and exports everywhere"),
    ("CHILD_OF", "Child Of", "A Child Of constraint with keyed influence: the prop follows later changes of the hand"),
    (
        "PARENT",
        "Parent",
        "The hand's bone becomes the prop's parent; keys keep the prop where it is before it is taken and after it is "
        "put down",
    ),
)
EXISTING_ITEMS = (
    ("NEW", "New Action", "Keys go into a new action; the present one plays on below it, as a strip of the NLA editor"),
    ("LAYER", "Layer", "Keys go into the present action; its own keys in this range give way and are kept"),
)
BEGIN_ITEMS = (
    ("AUTO", "Auto", "The pose that the armature has there if the hand is animated already, else standing back"),
    ("BACK", "Stand Back", "The hand stands back, at ease"),
    ("POSE", "Pose", "The pose that the armature has there without the grasp: its animation, or its rest pose"),
)
UNIT_ITEMS = (("FRAMES", "Frames", "Durations in frames"), ("SECONDS", "Seconds", "Durations in seconds"))
PARTS = ("approach", "close", "hold", "carry", "release", "retreat")
"""Parts of an animation that have a duration."""


MOST_FINGERS = 6
"""Fingers that delays can be given for."""


def _is_place(_: Any, obj: Any) -> bool:
    return obj.type not in {"CAMERA", "LIGHT", "ARMATURE"}


def _is_path(_: Any, obj: Any) -> bool:
    return obj.type == "CURVE"


class PrehendAnimationSettings(bpy.types.PropertyGroup):
    """How grasps are animated."""

    start: bpy.props.IntProperty(name="Start", description="First frame", default=1)
    at_playhead: bpy.props.BoolProperty(name="At Playhead", description="Begin at the current frame")
    unit: bpy.props.EnumProperty(name="Unit", description="What durations are given in", items=UNIT_ITEMS)
    approach: bpy.props.IntProperty(name="Approach", description="The hand comes and opens", default=18, min=1)
    close: bpy.props.IntProperty(name="Close", description="The fingers close", default=8, min=1)
    hold: bpy.props.IntProperty(name="Hold", description="The fingers hold", default=14, min=0)
    carry: bpy.props.IntProperty(name="Carry", description="The prop is carried", default=24, min=1)
    release: bpy.props.IntProperty(name="Release", description="The fingers open", default=8, min=1)
    retreat: bpy.props.IntProperty(name="Retreat", description="The hand goes", default=16, min=1)
    approach_s: bpy.props.FloatProperty(
        name="Approach", description="The hand comes and opens, in seconds", default=0.75, min=0.01, precision=2
    )
    close_s: bpy.props.FloatProperty(
        name="Close", description="The fingers close, in seconds", default=0.33, min=0.01, precision=2
    )
    hold_s: bpy.props.FloatProperty(
        name="Hold", description="The fingers hold, in seconds", default=0.6, min=0.0, precision=2
    )
    carry_s: bpy.props.FloatProperty(
        name="Carry", description="The prop is carried, in seconds", default=1.0, min=0.01, precision=2
    )
    release_s: bpy.props.FloatProperty(
        name="Release", description="The fingers open, in seconds", default=0.33, min=0.01, precision=2
    )
    retreat_s: bpy.props.FloatProperty(
        name="Retreat", description="The hand goes, in seconds", default=0.67, min=0.01, precision=2
    )
    target: bpy.props.PointerProperty(
        name="Carry To",
        description="Object, such as an empty, to whose place and orientation the prop is carried; empty leaves it",
        type=bpy.types.Object,
        poll=_is_place,
    )
    path: bpy.props.PointerProperty(
        name="Along",
        description="Curve along which the prop's origin is carried, from its start to its end, and then to Carry "
        "To if that is given; the prop keeps its orientation, or turns to that of Carry To",
        type=bpy.types.Object,
        poll=_is_path,
    )
    path_here: bpy.props.BoolProperty(
        name="Start Here",
        description="Shift the path so that it begins where the prop is; else the prop goes to the path's start first",
    )
    lift: bpy.props.FloatProperty(
        name="Lift",
        description="How far the prop is lifted on its way; a path is followed as it is drawn",
        default=0.05,
        min=0.0,
        soft_max=0.5,
        subtype="DISTANCE",
    )
    lifts: bpy.props.BoolProperty(
        name="Lift and Put Down",
        description="Lift the prop and put it down again even if it is carried nowhere",
    )
    releases: bpy.props.BoolProperty(
        name="Let Go", description="Let go of the prop at last and leave; else the hand keeps it", default=True
    )
    attach: bpy.props.EnumProperty(name="Attach", description="How the prop follows the hand", items=ATTACH_ITEMS)
    existing: bpy.props.EnumProperty(
        name="Existing", description="What becomes of animation that is there already", items=EXISTING_ITEMS
    )
    begin: bpy.props.EnumProperty(name="From", description="Where the hand comes from and goes to", items=BEGIN_ITEMS)
    overlap: bpy.props.FloatProperty(
        name="Overlap",
        description="How much later the last finger closes than the first, as part of closing; negative for earlier",
        default=0.2,
        min=-0.6,
        max=0.6,
        subtype="FACTOR",
    )
    delays: bpy.props.IntVectorProperty(
        name="Delays",
        description="Frames by which each finger, thumb first, closes later than the first one; all zero leaves it to "
        "Overlap. Fingers open in the opposite order",
        size=MOST_FINGERS,
        min=0,
        soft_max=12,
    )
    smooth: bpy.props.BoolProperty(name="Ease", description="Begin and end motions slowly", default=True)
    bake: bpy.props.BoolProperty(name="Bake Every Frame", description="Set keys at every frame, not only at the poses")
    show_options: bpy.props.BoolProperty(name="Options", description="Show how the hand moves and what is keyed")


CLASSES = (PrehendAnimationSettings,)
