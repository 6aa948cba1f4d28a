# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The skin as Blender shows it, with all modifiers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.arrays import BoolArray, FloatArray, IntArray
from ..core.sampling import points_between
from .own_skin import OwnSkin
from .surface import mesh_triangles, read_places


def shown_vertices(
    objects: Iterable[Any],
    depsgraph: Any,
    *,
    centre: FloatArray,
    radius: float,
    box: FrameBox | None = None,
    spacing: float = np.inf,
    own: OwnSkin | None = None,
) -> FloatArray:
    """World positions in [m] of the evaluated vertices of meshes round a place. Shape (n, 3).

    Args:
        objects: The meshes.
        depsgraph: Evaluated dependency graph.
        centre: The place in the world in [m]. Shape (3,).
        radius: How far round it in [m].
        box: What vertices must lie in as well.
        spacing: Where vertices are farther apart than this in [m], points between them are given, too.
        own: What tells which vertices count; None for all.
    """
    parts = [np.empty((0, 3))]
    for obj in objects:
        evaluated = obj.evaluated_get(depsgraph)
        mesh = evaluated.to_mesh()
        if mesh is None:
            continue
        try:
            places = read_places(mesh).reshape(-1, 3).astype(np.float64)
            triangles = mesh_triangles(mesh) if np.isfinite(spacing) else None
            mine = own.holds(obj, mesh) if own is not None else None
        finally:
            evaluated.to_mesh_clear()
        matrix = np.array(evaluated.matrix_world)
        if mine is not None and not mine.all():
            if triangles is not None:
                triangles = (np.cumsum(mine) - 1)[triangles[mine[triangles].all(axis=1)]]
            places = places[mine]
        if triangles is not None:
            places = np.concatenate([places, _between(places, triangles, matrix, centre, radius, spacing)])
        if box is not None:
            places = places[box.holds(places, matrix)]
        world = places @ matrix[:3, :3].T + matrix[:3, 3]
        away = world - centre
        parts.append(world[np.einsum("ni,ni->n", away, away) < radius * radius])
    return np.concatenate(parts)


def _between(
    places: FloatArray, triangles: IntArray, matrix: FloatArray, centre: FloatArray, radius: float, spacing: float
) -> FloatArray:
    """Points between vertices (n, 3) of an object that are far apart, round a place of the world. Shape (k, 3)."""
    world = places @ matrix[:3, :3].T + matrix[:3, 3]
    near = np.linalg.norm(world - centre, axis=1) < radius
    return points_between(world, triangles[near[triangles].all(axis=1)], spacing).mix(places)


@dataclass(frozen=True, eq=False)
class FrameBox:
    """A box along the axes of a frame."""

    T_world_frame: FloatArray
    """The frame: a turn and a place in [m]. Shape (4, 4)."""
    low: FloatArray
    """Lowest coordinates in it in [m]. Shape (3,)."""
    high: FloatArray
    """Highest coordinates in it in [m]. Shape (3,)."""

    def holds(self, places: FloatArray, matrix: FloatArray) -> BoolArray:
        """Which of the places (n, 3) in an object with a world matrix (4, 4) are inside. Shape (n,)."""
        turn, origin = self.T_world_frame[:3, :3], self.T_world_frame[:3, 3]
        # Axis by axis, which numpy goes through faster than point by point.
        local = (turn.T @ matrix[:3, :3]) @ places.T + (turn.T @ (matrix[:3, 3] - origin))[:, None]
        return np.asarray(((local > self.low[:, None]) & (local < self.high[:, None])).all(axis=0))
