# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The skin as Blender shows it, with all modifiers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..core.arrays import FloatArray


def shown_vertices(objects: Iterable[Any], depsgraph: Any, *, centre: FloatArray, radius: float) -> FloatArray:
    """World positions in [m] of the evaluated vertices of meshes round a place. Shape (n, 3)."""
    parts = [np.empty((0, 3))]
    for obj in objects:
        evaluated = obj.evaluated_get(depsgraph)
        mesh = evaluated.to_mesh()
        if mesh is None:
            continue
        try:
            flat = np.empty(3 * len(mesh.vertices), dtype=np.float32)
            mesh.vertices.foreach_get("co", flat)
        finally:
            evaluated.to_mesh_clear()
        matrix = np.array(evaluated.matrix_world)
        world = flat.reshape(-1, 3).astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3]
        away = world - centre
        parts.append(world[np.einsum("ni,ni->n", away, away) < radius * radius])
    return np.concatenate(parts)
