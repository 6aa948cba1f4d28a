# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Choices of exports, and what the panel has them set to."""

from __future__ import annotations

import bpy

from ..presets.engines import ENGINES, FORMATS

ENGINE_ITEMS = tuple((key, engine.label, engine.description) for key, engine in ENGINES.items())
ENDING_ITEMS = tuple(
    (ending.lstrip("."), f"{label} ({ending})", description)
    for label, description, endings in FORMATS.values()
    for ending in endings
)
TAKES_ITEMS = (
    ("timeline", "Whole Timeline", "One animation of all frames"),
    ("grasps", "One per Grasp", "One animation for each animated grasp or NLA strip of the hand"),
)
RANGE_ITEMS = (
    ("scene", "Scene", "The scene's frame range"),
    ("grasp", "Grasp", "From the first to the last frame of the hand's animation"),
    ("custom", "Custom", "Frames given here, within the scene's range"),
)


class ExportChoices:
    """What is asked about an export, in the scene's settings and in the operator alike."""

    ending: bpy.props.EnumProperty(name="Format", description="Kind of file", items=ENDING_ITEMS)
    preset: bpy.props.EnumProperty(name="For", description="Axes, units and skeleton that suit", items=ENGINE_ITEMS)
    takes: bpy.props.EnumProperty(name="Takes", description="What becomes an animation in the file", items=TAKES_ITEMS)
    frames: bpy.props.EnumProperty(name="Frames", description="Which frames are exported", items=RANGE_ITEMS)
    frame_start: bpy.props.IntProperty(name="Start", description="First frame", default=1)
    frame_end: bpy.props.IntProperty(name="End", description="Last frame", default=250)
    deform_only: bpy.props.BoolProperty(
        name="Deform Bones", description="Leave control bones out and bake onto those that deform", default=True
    )
    hidden: bpy.props.BoolProperty(name="Include Hidden", description="Export meshes of the hand that are hidden too")


class PrehendExportSettings(ExportChoices, bpy.types.PropertyGroup):
    """What Export Grasp starts with."""


CLASSES = (PrehendExportSettings,)
