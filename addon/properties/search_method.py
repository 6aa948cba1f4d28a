# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How grasps are looked for: by our own search, or by the published one with what of it is used."""

from __future__ import annotations

import math

import bpy

from ..solvers.search import HookSearch

METHOD_ITEMS = (
    ("USUAL", "Usual", "Many hands at a time round every place, the best improved and closed on the skin"),
    ("HOOK", "Hook Search", "The published search: one hand goes round the hook, always to the better neighbour"),
)
STEP_ITEMS = (
    ("seven", "7 Poses", "A step looks at the neighbours about all three axes"),
    ("three", "3 Poses", "A step looks at the neighbours about one axis, the axes in turn"),
)


class PrehendSearchMethod(bpy.types.PropertyGroup):
    """How grasps are looked for."""

    method: bpy.props.EnumProperty(name="Search", description="How grasps are looked for", items=METHOD_ITEMS)
    step: bpy.props.EnumProperty(name="Step", description="Poses that a step compares", items=STEP_ITEMS)
    angle: bpy.props.FloatProperty(
        name="Angle",
        description="Turn from a pose to its neighbours",
        subtype="ANGLE",
        default=math.radians(10.0),
        min=math.radians(1.0),
        max=math.pi,
    )
    random_angle: bpy.props.BoolProperty(
        name="Random Angles", description="Take another angle at every step, up to a half turn, by the seed"
    )
    first_guess: bpy.props.IntProperty(
        name="First Guess",
        description="Angles about each axis that the first pose is sought among; 0 begins as the arm comes",
        min=0,
        max=12,
    )
    wrist_range: bpy.props.BoolProperty(
        name="Wrist Range", description="Leave out hands that are turned too far from where they begin", default=True
    )

    def published(self) -> HookSearch | None:
        """What of the published search is used; None for our own."""
        if self.method != "HOOK":
            return None
        usual = HookSearch()
        return HookSearch(
            step=self.step,
            angle=None if self.random_angle else self.angle,
            approximate=self.first_guess,
            wrist_range=usual.wrist_range if self.wrist_range else None,
        )


CLASSES = (PrehendSearchMethod,)
