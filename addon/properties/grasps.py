# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What lists show of a prop: its hooks and its grasps."""

from __future__ import annotations

import bpy


class PrehendHook(bpy.types.PropertyGroup):
    """A place where the prop can be taken, found on its mesh."""

    use: bpy.props.BoolProperty(
        name="Use", description="Take the prop at places that are ticked only; all count while none is"
    )
    title: bpy.props.StringProperty(name="Kind")
    point: bpy.props.FloatVectorProperty(name="Place", description="In the prop's own coordinates", size=3)
    axis: bpy.props.FloatVectorProperty(name="Axis", description="Along the part, as long as it is", size=3)
    thickness_mm: bpy.props.FloatProperty(name="Thickness", description="What the fingers close to in millimetres")
    score: bpy.props.FloatProperty(name="Score", description="How well it can be taken", min=0.0)


class PrehendGrasp(bpy.types.PropertyGroup):
    """One of the grasps that are kept with the prop, as a row of a list."""

    title: bpy.props.StringProperty(name="Movement")
    contacts: bpy.props.IntProperty(name="Contacts", description="Bones that touch")
    depth_mm: bpy.props.FloatProperty(name="Depth", description="Of the deepest skin in millimetres")
    opposition: bpy.props.FloatProperty(
        name="Opposition", description="How straight thumb and fingers, or palm and fingers, press together"
    )
    reach: bpy.props.FloatProperty(name="Effort", description="What reaching costs the arm: 0 nothing, 1 all it can")
    score: bpy.props.FloatProperty(name="Score", description="What grasps are ranked by")
    picture: bpy.props.StringProperty(options={"HIDDEN"})


class PrehendObjectSettings(bpy.types.PropertyGroup):
    """What Prehend knows about an object."""

    hooks: bpy.props.CollectionProperty(type=PrehendHook)
    hook_index: bpy.props.IntProperty(name="Hook", options=set())
    use_hook: bpy.props.BoolProperty(name="Use", description="Take the prop at this hook", default=True)
    grasps: bpy.props.CollectionProperty(type=PrehendGrasp)
    grasp_index: bpy.props.IntProperty(name="Grasp", options=set())


CLASSES = (PrehendHook, PrehendGrasp, PrehendObjectSettings)
