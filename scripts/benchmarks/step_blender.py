# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a bone touches a mesh, by Blender's tree: nearest faces of points along it, or overlap of its triangles."""

from __future__ import annotations

from typing import Any

import numpy as np
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from .step_literal import Touches

_SIDES = 8


def build(question: dict[str, Any]) -> Any:
    """The object's tree."""
    return BVHTree.FromPolygons(question["vertices"], question["triangles"])


def by_nearest(question: dict[str, Any]) -> Touches:
    """Balls along capsules; a ball touches when the nearest face is nearer than its radius, or looks away."""
    tree = build(question)
    ends, radii = np.array(question["ends"]), question["radii"]
    along = np.linspace(0.0, 1.0, question["samples"])[:, None]
    balls = [start + along * (end - start) for start, end in ends]

    def touches(bone: int, frame: Any) -> bool:
        radius = radii[bone]
        for point in (balls[bone] @ frame[:3, :3].T + frame[:3, 3]).tolist():
            place = Vector(point)
            found, normal, _, away = tree.find_nearest(place)
            if away <= radius or (place - found).dot(normal) < 0.0:
                return True
        return False

    return touches


def by_overlap(question: dict[str, Any]) -> Touches:
    """Triangles of capsules against those of the object; a bone deep inside touches nothing."""
    tree = build(question)
    meshes = [
        _capsule(start, end, radius)
        for (start, end), radius in zip(np.array(question["ends"]), question["radii"], strict=True)
    ]

    def touches(bone: int, frame: Any) -> bool:
        vertices, faces = meshes[bone]
        moved = (vertices @ frame[:3, :3].T + frame[:3, 3]).tolist()
        bone_tree: Any = BVHTree.FromPolygons(moved, faces)
        return bool(tree.overlap(bone_tree))

    return touches


def _capsule(start: Any, end: Any, radius: float) -> tuple[Any, list[list[int]]]:
    """Vertices and faces of a capsule, four rings and two poles."""
    span = end - start
    z = span / np.linalg.norm(span)
    x = np.cross(np.eye(3)[int(np.argmin(np.abs(z)))], z)
    x /= np.linalg.norm(x)
    y = np.cross(z, x)
    turn = 2.0 * np.pi * np.arange(_SIDES) / _SIDES
    circle = np.cos(turn)[:, None] * x + np.sin(turn)[:, None] * y
    half = np.sqrt(0.5)
    rings = [
        start + radius * half * (circle - z),
        start + radius * circle,
        end + radius * circle,
        end + radius * half * (circle + z),
    ]
    vertices = np.concatenate([[start - radius * z], *rings, [end + radius * z]])
    faces: list[list[int]] = []
    for i in range(_SIDES):
        j = (i + 1) % _SIDES
        faces += [[0, 1 + j, 1 + i], [len(vertices) - 1, 1 + 3 * _SIDES + i, 1 + 3 * _SIDES + j]]
        for ring in range(3):
            low, high = 1 + ring * _SIDES, 1 + (ring + 1) * _SIDES
            faces.append([low + i, low + j, high + j, high + i])
    return vertices, faces
