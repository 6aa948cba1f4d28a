# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small animated scenes to export, and what they show at every frame."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

LAST = 12


def add_demo(*, variant: str = "human", last: int = LAST) -> tuple[Any, Any]:
    """A demo hand that closes and moves, and a mug that follows it from the middle of the animation on."""
    bpy.ops.prehend.add_demo_hand(variant=variant)
    armature = bpy.context.object
    bpy.ops.prehend.add_demo_prop(prop="mug")
    mug = bpy.context.object
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, last
    armature.rotation_mode = "XYZ"
    for frame, place, turn in (
        (1, (0.0, 0.0, 0.0), 0.0),
        (last // 2, (0.1, 0.0, 0.05), 0.4),
        (last, (0.1, 0.3, 0.2), 1.1),
    ):
        armature.location, armature.rotation_euler = place, (turn, 0.3 * turn, 0.0)
        armature.keyframe_insert("location", frame=frame)
        armature.keyframe_insert("rotation_euler", frame=frame)
        for bone in armature.pose.bones:
            if bone.parent is not None:
                bone.rotation_mode = "QUATERNION"
                bone.rotation_quaternion = (np.cos(0.5 * turn), np.sin(0.5 * turn), 0.05 * turn, 0.0)
                bone.keyframe_insert("rotation_quaternion", frame=frame)
    mug.location, mug.scale, mug.rotation_euler = (0.05, -0.1, 0.2), (0.5, 0.5, 0.5), (0.3, -0.2, 1.0)
    mug.keyframe_insert("location", frame=1)
    mug.location, mug.rotation_euler[2] = (0.2, -0.1, 0.4), 2.0
    mug.keyframe_insert("location", frame=last)
    mug.keyframe_insert("rotation_euler", frame=last)
    scene.frame_set(1)
    return armature, mug


def add_strays() -> None:
    """Things that must not come along."""
    bpy.ops.object.camera_add()
    bpy.ops.object.light_add(type="POINT")
    bpy.ops.object.empty_add()
    bpy.ops.mesh.primitive_cube_add()


def shown(armature: Any, objects: list[Any], frames: list[int]) -> dict[str, np.ndarray]:
    """Bone heads and object corners in the world at every frame, by name; leaves the scene at the last frame."""
    scene = bpy.context.scene
    found: dict[str, list[np.ndarray]] = {}
    for frame in frames:
        scene.frame_set(frame)
        for bone in armature.pose.bones:
            found.setdefault(bone.name, []).append(np.array(armature.matrix_world @ bone.head))
        depsgraph = bpy.context.evaluated_depsgraph_get()
        for obj in objects:
            found.setdefault(f"mesh {obj.name}", []).append(corners(obj, depsgraph))
    return {name: np.array(values) for name, values in found.items()}


def corners(obj: Any, depsgraph: Any) -> np.ndarray:
    """Every so many vertices of what an object shows, in the world. Shape (n, 3)."""
    evaluated = obj.evaluated_get(depsgraph)
    mesh = evaluated.to_mesh()
    local = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", local)
    matrix = np.array(evaluated.matrix_world)
    evaluated.to_mesh_clear()
    points = local.reshape(-1, 3).astype(np.float64)[:: max(len(local) // 300, 1)]
    return points @ matrix[:3, :3].T + matrix[:3, 3]


def state() -> dict[str, Any]:
    """All that a user can see of the open file: names, channels, selection, modes, frame, actions, counts of data."""
    scene, layer = bpy.context.scene, bpy.context.view_layer
    return {
        "scene": (scene.name, scene.frame_current, scene.frame_start, scene.frame_end, bpy.context.window.scene.name),
        "layer": (layer.name, getattr(layer.objects.active, "name", None), bpy.context.mode),
        "objects": {
            obj.name: (
                obj.data.name if obj.data else None,
                tuple(map(tuple, obj.matrix_basis)),
                obj.mode,
                obj.select_get(),
                obj.hide_get(),
                obj.hide_viewport,
                obj.users,
                getattr(getattr(obj.animation_data, "action", None), "name", None),
                [each.name for each in obj.users_collection],
                [tuple(map(tuple, bone.matrix_basis)) for bone in obj.pose.bones] if obj.pose else None,
            )
            for obj in layer.objects
        },
        "data": {
            kind: sorted((block.name, block.users) for block in getattr(bpy.data, kind))
            for kind in ("objects", "meshes", "armatures", "actions", "collections", "scenes", "materials", "images")
        },
    }


def turned() -> Matrix:
    """A turn and a place that nothing else has."""
    return Matrix.Translation((0.2, 0.1, -0.3)) @ Matrix.Rotation(0.7, 4, (0.3, 0.5, 0.8))
