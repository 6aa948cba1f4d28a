# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The skin as Blender shows it, with all modifiers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.sampling import points_between
from .skin import mesh_triangles


def shown_vertices(
    objects: Iterable[Any], depsgraph: Any, *, centre: FloatArray, radius: float, spacing: float = np.inf
) -> FloatArray:
    """World positions in [m] of the evaluated vertices of meshes round a place. Shape (n, 3).

    Args:
        objects: The meshes.
        depsgraph: Evaluated dependency graph.
        centre: The place in [m]. Shape (3,).
        radius: How far round it in [m].
        spacing: Where vertices are farther apart than this in [m], points between them are given, too.
    """
    parts = [np.empty((0, 3))]
    for obj in objects:
        evaluated = obj.evaluated_get(depsgraph)
        mesh = evaluated.to_mesh()
        if mesh is None:
            continue
        try:
            flat = np.empty(3 * len(mesh.vertices), dtype=np.float32)
            mesh.vertices.foreach_get("co", flat)
            triangles = mesh_triangles(mesh) if np.isfinite(spacing) else None
        finally:
            evaluated.to_mesh_clear()
        matrix = np.array(evaluated.matrix_world)
        world = flat.reshape(-1, 3).astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3]
        away = world - centre
        near = np.einsum("ni,ni->n", away, away) < radius * radius
        parts.append(world[near])
        if triangles is not None:
            parts.append(points_between(world, triangles[near[triangles].all(axis=1)], spacing).mix(world))
    return np.concatenate(parts)
