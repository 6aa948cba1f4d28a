# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The hands of an armature as slots that a user can correct: one per bone."""

from __future__ import annotations

import bpy

from .choices import UNSURE_SIDE_ITEMS
from .contacts import PrehendContacts


class PrehendBoneSlot(bpy.types.PropertyGroup):
    """One bone of a finger."""

    bone: bpy.props.StringProperty(name="Bone", description="Bone that bends here; empty leaves it out")


class PrehendFingerSlots(bpy.types.PropertyGroup):
    """The bones of one finger."""

    finger: bpy.props.StringProperty(name="Finger", description="Name of the finger")
    metacarpal: bpy.props.StringProperty(name="Metacarpal", description="Bone inside the palm that carries the finger")
    chain: bpy.props.CollectionProperty(type=PrehendBoneSlot)
    tip: bpy.props.StringProperty(name="Tip", description="Bone whose head marks the fingertip")
    deform: bpy.props.StringProperty(options={"HIDDEN"})


class PrehendHandSlots(bpy.types.PropertyGroup):
    """One hand."""

    side: bpy.props.EnumProperty(name="Side", description="Which hand it is", items=UNSURE_SIDE_ITEMS)
    wrist: bpy.props.StringProperty(name="Wrist", description="Root bone of the hand")
    fingers: bpy.props.CollectionProperty(type=PrehendFingerSlots)
    convention: bpy.props.StringProperty(name="Convention", description="Naming convention that matched")
    title: bpy.props.StringProperty(name="Title", description="Name of that convention as people call it")
    confidence: bpy.props.FloatProperty(name="Confidence", min=0.0, max=1.0, subtype="FACTOR")
    notes: bpy.props.StringProperty(name="Notes", description="Why the hand is unsure, one sentence a line")
    show_bones: bpy.props.BoolProperty(name="Bones", description="Show every bone of this hand, to correct it")


class PrehendArmatureSettings(bpy.types.PropertyGroup):
    """What Prehend knows about an armature."""

    hands: bpy.props.CollectionProperty(type=PrehendHandSlots)
    contacts: bpy.props.PointerProperty(type=PrehendContacts)
    skin_off: bpy.props.StringProperty(
        name="Skin Off Bones", description="How far the skin lies off its bones; empty where it is round them"
    )


CLASSES = (PrehendBoneSlot, PrehendFingerSlots, PrehendHandSlots, PrehendArmatureSettings)
