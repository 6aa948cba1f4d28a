# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is in the file, as plain data that a test can compare."""

from __future__ import annotations

from typing import Any

import bpy

from .steps import CONTEXT


def describe_scene() -> dict[str, Any]:
    """The objects, what is selected and active, and what a rig and its skin consist of."""
    layer = CONTEXT.window_manager.windows[0].view_layer
    active = layer.objects.active
    return {
        "objects": {obj.name: _describe_object(obj) for obj in sorted(bpy.data.objects, key=lambda obj: obj.name)},
        "active": active.name if active else None,
        "selected": sorted(obj.name for obj in layer.objects if obj.select_get(view_layer=layer)),
        "meshes": len(bpy.data.meshes),
        "armatures": len(bpy.data.armatures),
    }


def scene_settings() -> Any:
    """Prehend's settings of the scene in the window."""
    return CONTEXT.window_manager.windows[0].scene.prehend


def _describe_object(obj: Any) -> dict[str, Any]:
    facts: dict[str, Any] = {"type": obj.type, "parent": obj.parent.name if obj.parent else None}
    if obj.type == "ARMATURE":
        facts["bones"] = len(obj.data.bones)
    if obj.type == "MESH":
        facts["vertices"] = len(obj.data.vertices)
        facts["faces"] = len(obj.data.polygons)
        rigs = [modifier.object for modifier in obj.modifiers if modifier.type == "ARMATURE" and modifier.object]
        facts["deformed_by"] = [rig.name for rig in rigs]
        bones = {bone.name for rig in rigs for bone in rig.data.bones if bone.use_deform}
        moving = {group.index for group in obj.vertex_groups if group.name in bones}
        facts["unskinned_vertices"] = sum(
            not any(entry.group in moving and entry.weight > 0.0 for entry in vertex.groups)
            for vertex in obj.data.vertices
        )
    return facts
