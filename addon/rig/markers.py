# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Empties that mean something: where a prop is to be taken, and where a hand's grasp centre is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector
from mathutils.bvhtree import BVHTree

from ..core.arrays import FloatArray

HOOK_KEY = "prehend_hook"
"""Custom property of an empty that is a hook of the prop it hangs on."""
CENTRE_KEY = "prehend_centre_movement"
"""Custom property of an empty that is a grasp centre: key of its movement."""
ARMATURE_KEY = "prehend_centre_armature"
WRIST_KEY = "prehend_centre_wrist"
_BEYOND = 1e-5
"""How far in [m] behind a surface a ray goes on."""
_CROSSINGS = 32


def create_hook(prop: Any, point: FloatArray, *, size: float, collection: Any) -> Any:
    """A new hook of a prop at a point of the world in [m] (3,), shown as a ball of that radius in [m]."""
    hook = bpy.data.objects.new(f"Hook {prop.name}", None)
    hook.empty_display_type, hook.show_in_front = "SPHERE", True
    scale = float(np.cbrt(abs(np.linalg.det(np.array(prop.matrix_world)[:3, :3]))))
    hook.empty_display_size = size / max(scale, 1e-9)
    hook[HOOK_KEY] = True
    hook.parent = prop
    hook.location = prop.matrix_world.inverted_safe() @ Vector(point.tolist())
    collection.objects.link(hook)
    return hook


def hooks_of(prop: Any) -> list[Any]:
    """The empties that are hooks of a prop, by name."""
    return [each for each in sorted(prop.children, key=lambda child: child.name) if is_hook(each)]


def is_hook(obj: Any) -> bool:
    """Whether an object is a hook."""
    return obj is not None and obj.type == "EMPTY" and bool(obj.get(HOOK_KEY))


def world_point(marker: Any) -> FloatArray:
    """Where a marker is in the world in [m]. Shape (3,)."""
    return np.array(marker.matrix_world.translation, dtype=np.float64)


def create_centre(
    armature: Any, wrist: str, carrier: str, movement: str, frame: FloatArray, *, size: float, collection: Any
) -> Any:
    """A new empty that is the grasp centre of a movement, at a frame of the world (4, 4), hanging on a bone."""
    centre = bpy.data.objects.new(f"Grasp Centre {movement} {wrist}", None)
    centre.empty_display_type, centre.empty_display_size, centre.show_in_front = "ARROWS", size, True
    centre[CENTRE_KEY], centre[ARMATURE_KEY], centre[WRIST_KEY] = movement, armature, wrist
    collection.objects.link(centre)
    centre.parent, centre.parent_type, centre.parent_bone = armature, "BONE", carrier
    bone = armature.pose.bones[carrier]
    # Children of bones hang at the bone's end.
    end = armature.matrix_world @ bone.matrix @ Matrix.Translation((0.0, bone.length, 0.0))
    centre.matrix_parent_inverse = end.inverted_safe()
    centre.matrix_basis = Matrix(frame.tolist())
    return centre


def centres_of(armature: Any, wrist: str, objects: Iterable[Any]) -> dict[str, Any]:
    """The grasp centres of a hand among objects, by movement; of several the last by name."""
    found = [
        each
        for each in objects
        if each.type == "EMPTY"
        and each.get(CENTRE_KEY)
        and each.get(ARMATURE_KEY) == armature
        and each.get(WRIST_KEY) == wrist
    ]
    return {str(each[CENTRE_KEY]): each for each in sorted(found, key=lambda each: each.name)}


def pierce(prop: Any, origin: FloatArray, direction: FloatArray, depsgraph: Any) -> list[float]:
    """How far in [m] along a ray of the world a prop's shown surface is crossed, nearest first.

    Args:
        prop: The prop object.
        origin: Where the ray starts in [m]. Shape (3,).
        direction: Where it goes. Shape (3,).
        depsgraph: Evaluated dependency graph.
    """
    shown = prop.evaluated_get(depsgraph)
    mesh = shown.to_mesh()
    try:
        if mesh is None or not len(mesh.polygons):
            return []
        places = [shown.matrix_world @ vertex.co for vertex in mesh.vertices]
        tree = BVHTree.FromPolygons(places, [list(face.vertices) for face in mesh.polygons])
    finally:
        shown.to_mesh_clear()
    start, way = Vector(origin.tolist()), Vector(direction.tolist()).normalized()
    found: list[float] = []
    gone = 0.0
    while len(found) < _CROSSINGS:
        place, _, _, distance = tree.ray_cast(start + gone * way, way)
        if place is None:
            break
        found.append(gone + float(distance))
        gone = found[-1] + _BEYOND
    return found
