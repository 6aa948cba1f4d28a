# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects to world triangles: what a surface is built from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.arrays import FloatArray, IntArray, frozen_floats, frozen_ints
from ..core.errors import PrehendError
from ..core.rotations import nearest_rotation


class NoMeshError(PrehendError):
    """An object that has no faces to measure distances to."""

    def __init__(self, name: str, reason: str) -> None:
        """Keep the object's name."""
        super().__init__(f"Object '{name}' {reason}: choose an object with faces.")
        self.name = name


@dataclass(frozen=True, eq=False)
class WorldTriangles:
    """An evaluated mesh in world space."""

    vertices: FloatArray
    """World positions in [m]. Shape (n, 3)."""
    triangles: IntArray
    """Vertex indices, counter-clockwise seen from where the face points, whatever the object's scale. Shape (m, 3)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        object.__setattr__(self, "vertices", frozen_floats(self.vertices, (-1, 3), "vertices"))
        object.__setattr__(self, "triangles", frozen_ints(self.triangles, (-1, 3), "triangles"))


@dataclass(frozen=True, eq=False)
class PlacedTriangles:
    """An evaluated mesh in a frame of its own that moves with the object, so that moving it changes no coordinate."""

    vertices: FloatArray
    """Positions in that frame in [m], the object's scale and mirroring folded in. Shape (n, 3)."""
    triangles: IntArray
    """Vertex indices, counter-clockwise seen from where the face points. Shape (m, 3)."""
    T_world_frame: FloatArray
    """The frame in the world: a turn and a place in [m]. Shape (4, 4)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        object.__setattr__(self, "vertices", frozen_floats(self.vertices, (-1, 3), "vertices"))
        object.__setattr__(self, "triangles", frozen_ints(self.triangles, (-1, 3), "triangles"))
        object.__setattr__(self, "T_world_frame", frozen_floats(self.T_world_frame, (4, 4), "T_world_frame"))


def read_placed(obj: Any, depsgraph: Any) -> PlacedTriangles:
    """The triangles of an object as it is shown, apart from where it is.

    Raises:
        NoMeshError: The object has no geometry, or geometry without faces.
    """
    places, corners, matrix = _read_mesh(obj, depsgraph)
    frame = np.eye(4)
    frame[:3, :3] = nearest_rotation(matrix[:3, :3])
    frame[:3, 3] = matrix[:3, 3]
    # What is left of the matrix without its turn: scale, shear and mirroring, rounded so that turning leaves it alone.
    stretch = frame[:3, :3].T @ matrix[:3, :3]
    if np.linalg.det(frame[:3, :3]) < 0.0:
        frame[:3, :3] = -frame[:3, :3]
        stretch = -stretch
    digits = 7 - int(np.floor(np.log10(max(float(np.abs(stretch).max()), 1e-12))))
    return PlacedTriangles(places @ np.round(stretch, max(digits - 1, 0)).T, corners, frame)


def read_triangles(obj: Any, depsgraph: Any, *, unit_scale: float = 1.0) -> WorldTriangles:
    """The triangles of an object as it is shown: modifiers and shape keys applied, scale and mirroring folded in.

    Args:
        obj: A mesh, or a curve, surface, text or metaball that has faces.
        depsgraph: Evaluated dependency graph.
        unit_scale: Metres per Blender unit.

    Raises:
        NoMeshError: The object has no geometry, or geometry without faces.
    """
    places, corners, matrix = _read_mesh(obj, depsgraph)
    return WorldTriangles(vertices=unit_scale * (places @ matrix[:3, :3].T + matrix[:3, 3]), triangles=corners)


def _read_mesh(obj: Any, depsgraph: Any) -> tuple[FloatArray, IntArray, FloatArray]:
    """Vertices in the object's coordinates (n, 3), triangles (m, 3) and the object's world matrix (4, 4)."""
    evaluated = obj.evaluated_get(depsgraph)
    try:
        mesh = evaluated.to_mesh()
    except RuntimeError as error:  # What Blender raises for empties, armatures, cameras and the like.
        raise NoMeshError(obj.name, "has no mesh") from error
    if mesh is None:
        raise NoMeshError(obj.name, "has no mesh")
    try:
        mesh.calc_loop_triangles()
        places = np.empty(3 * len(mesh.vertices), dtype=np.float32)
        mesh.vertices.foreach_get("co", places)
        triangles = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
        mesh.loop_triangles.foreach_get("vertices", triangles)
    finally:
        evaluated.to_mesh_clear()
    if not len(triangles):
        raise NoMeshError(obj.name, "has no faces")
    matrix = np.array(evaluated.matrix_world)
    corners = triangles.reshape(-1, 3).astype(np.int64)
    # A mirrored object shows its faces the other way round.
    if np.linalg.det(matrix[:3, :3]) < 0.0:
        corners = corners[:, ::-1]
    return places.reshape(-1, 3).astype(np.float64), corners, matrix
