# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The shown skin of a character apart from one of its arms."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import numpy as np

from ..core.arrays import BoolArray, FloatArray, IntArray
from .surface import NoMeshError, PlacedTriangles, read_triangles, shown_mesh

_OWN = 0.02
"""Vertices that the arm moves with more than this weight are the arm's."""


def read_body(
    objects: Iterable[Any], arm: Collection[str], *, centre: FloatArray, radius: float, depsgraph: Any
) -> PlacedTriangles | None:
    """Triangles near a place, in the world, of skins that no bone of an arm moves; None where there are none.

    Args:
        objects: Meshes that follow the armature.
        arm: Names of the arm's bones.
        centre: Middle of the place in [m]. Shape (3,).
        radius: Its radius in [m].
        depsgraph: Evaluated dependency graph.
    """
    vertices: list[FloatArray] = []
    triangles: list[IntArray] = []
    count = 0
    for obj in objects:
        try:
            read = read_triangles(obj, depsgraph)
        except NoMeshError:
            continue
        near = np.linalg.norm(read.vertices - centre, axis=1) < radius
        wanted = read.triangles[near[read.triangles].any(axis=1)]
        used = np.unique(wanted)
        kept = ~_moved_by(obj, arm, used, len(read.vertices), depsgraph)[wanted].any(axis=1)
        wanted = wanted[kept]
        if len(wanted):
            used, corners = np.unique(wanted, return_inverse=True)
            vertices.append(read.vertices[used])
            triangles.append(corners.reshape(-1, 3) + count)
            count += len(used)
    if not vertices:
        return None
    return PlacedTriangles(np.concatenate(vertices), np.concatenate(triangles), np.eye(4))


def _moved_by(obj: Any, arm: Collection[str], used: IntArray, count: int, depsgraph: Any) -> BoolArray:
    """Which of the shown vertices an arm moves, where any of them is used. Shape (n,)."""
    out = np.zeros(count, dtype=np.bool_)
    if obj.parent_type == "BONE":
        out[:] = obj.parent_bone in arm
        return out
    groups = {group.index for group in obj.vertex_groups if group.name in arm}
    if not groups or not len(used):
        return out
    # Modifiers that add vertices, as subdivision does, give them weights too.
    with shown_mesh(obj, depsgraph) as (mesh, _):
        vertices = mesh.vertices
        out[used] = [
            sum(each.weight for each in vertices[k].groups if each.group in groups) > _OWN for k in used.tolist()
        ]
    return out
