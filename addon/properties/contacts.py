# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel tells about the last closing of an armature's hand."""

from __future__ import annotations

import bpy


class PrehendFingerContact(bpy.types.PropertyGroup):
    """One finger at the prop."""

    finger: bpy.props.StringProperty(name="Finger")
    touching: bpy.props.BoolProperty(name="Touching")
    closed: bpy.props.BoolProperty(name="Closed", description="Whether the finger was asked to close")
    gap_mm: bpy.props.FloatProperty(name="Gap", description="Distance of its skin in millimetres; negative is depth")


class PrehendContacts(bpy.types.PropertyGroup):
    """The last closing."""

    prop: bpy.props.StringProperty(name="Prop")
    hand: bpy.props.StringProperty(name="Hand", description="Wrist bone of the hand")
    note: bpy.props.StringProperty(name="Note", description="What should be known about it")
    fingers: bpy.props.CollectionProperty(type=PrehendFingerContact)


CLASSES = (PrehendFingerContact, PrehendContacts)
