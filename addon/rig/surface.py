# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects to world triangles: what a surface is built from."""

from __future__ import annotations

import hashlib
from collections.abc import Container, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray, IntArray, frozen_floats, frozen_ints
from ..core.by_axis import cross, dot
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
    key: str = ""
    """What changes with the shape that is shown; empty for shapes that were made up."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        object.__setattr__(self, "vertices", frozen_floats(self.vertices, (-1, 3), "vertices"))
        object.__setattr__(self, "triangles", frozen_ints(self.triangles, (-1, 3), "triangles"))
        object.__setattr__(self, "T_world_frame", frozen_floats(self.T_world_frame, (4, 4), "T_world_frame"))


@dataclass(frozen=True, eq=False)
class Shape:
    """What an object shows, and where; its triangles only where they were asked for."""

    key: str
    """What changes with the shape that is shown, and not with its place."""
    T_world_frame: FloatArray
    """The object's frame in the world: a turn and a place in [m]. Shape (4, 4)."""
    triangles: PlacedTriangles | None
    """The triangles; None where the key was known."""


def read_shape(obj: Any, depsgraph: Any, known: Container[str]) -> Shape:
    """The shape that an object shows; triangles are made only if its key is not among those that are known.

    Raises:
        NoMeshError: The object has no geometry, or geometry without faces.
    """
    with shown_mesh(obj, depsgraph) as (mesh, matrix):
        frame, stretch = _frame_and_stretch(matrix)
        places, around = read_places(mesh), _read_around(mesh)
        begins = _read_begins(mesh, len(around))
        key = _key((places, around, begins, stretch), mirrored=np.linalg.det(matrix[:3, :3]) < 0.0)
        if key in known:
            return Shape(key, frame, None)
        corners = _triangles(obj, mesh, (places, around, begins), matrix)
    vertices = places.reshape(-1, 3).astype(np.float64) @ stretch.T
    for array in (vertices, corners):
        array.setflags(write=False)
    return Shape(key, frame, PlacedTriangles(vertices, corners, frame, key))


def read_placed(obj: Any, depsgraph: Any) -> PlacedTriangles:
    """The triangles of an object as it is shown, apart from where it is.

    Raises:
        NoMeshError: The object has no geometry, or geometry without faces.
    """
    found = read_shape(obj, depsgraph, ()).triangles
    assert found is not None
    return found


def _frame_and_stretch(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Turn and place of a world matrix (4, 4), and what is left of it: scale, shear and mirroring (3, 3)."""
    frame = np.eye(4)
    frame[:3, :3] = nearest_rotation(matrix[:3, :3])
    frame[:3, 3] = matrix[:3, 3]
    stretch = frame[:3, :3].T @ matrix[:3, :3]
    if np.linalg.det(frame[:3, :3]) < 0.0:
        frame[:3, :3] = -frame[:3, :3]
        stretch = -stretch
    # Rounded so that turning leaves it alone.
    digits = 7 - int(np.floor(np.log10(max(float(np.abs(stretch).max()), 1e-12))))
    return frame, np.round(stretch, max(digits - 1, 0)) + 0.0


def _key(arrays: Iterable[NDArray[Any]], *, mirrored: bool) -> str:
    """All that the triangles of a mesh follow from, in a few letters: cutting faces up takes ten times as long."""
    digest = hashlib.sha1(usedforsecurity=False)
    for array in arrays:
        digest.update(str(array.shape).encode())
        digest.update(np.ascontiguousarray(array).data)
    return f"{digest.hexdigest()}{'m' if mirrored else ''}"


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
    with shown_mesh(obj, depsgraph) as (mesh, matrix):
        places, around = read_places(mesh), _read_around(mesh)
        corners = _triangles(obj, mesh, (places, around, _read_begins(mesh, len(around))), matrix)
    return places.reshape(-1, 3).astype(np.float64), corners, matrix


@contextmanager
def shown_mesh(obj: Any, depsgraph: Any) -> Generator[tuple[Any, FloatArray], None, None]:
    """The evaluated mesh of an object while it is read, and the object's world matrix (4, 4)."""
    evaluated = obj.evaluated_get(depsgraph)
    try:
        mesh = evaluated.to_mesh()
    except RuntimeError as error:  # What Blender raises for empties, armatures, cameras and the like.
        raise NoMeshError(obj.name, "has no mesh") from error
    if mesh is None:
        raise NoMeshError(obj.name, "has no mesh")
    try:
        yield mesh, np.array(evaluated.matrix_world)
    finally:
        evaluated.to_mesh_clear()


def read_places(mesh: Any) -> NDArray[np.float32]:
    """Coordinates of all vertices, one after the other. Shape (3 n,)."""
    places = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    layer = mesh.attributes.get("position")
    # Attributes are copied as they lie, a hundred times as fast.
    if layer is not None:
        layer.data.foreach_get("vector", places)
    else:
        mesh.vertices.foreach_get("co", places)
    return places


def _read_around(mesh: Any) -> NDArray[np.int32]:
    """Vertices round all faces, one face after the other. Shape (corners,)."""
    around = np.empty(len(mesh.loops), dtype=np.int32)
    layer = mesh.attributes.get(".corner_vert")
    if layer is not None:
        layer.data.foreach_get("value", around)
    else:
        mesh.loops.foreach_get("vertex_index", around)
    return around


def _read_begins(mesh: Any, corners: int) -> NDArray[np.int32]:
    """First corner of each face. Shape (faces,)."""
    begins = np.arange(0, 3 * len(mesh.polygons), 3, dtype=np.int32)
    # Faces of three corners on average have three each.
    if corners != 3 * len(begins):
        mesh.polygons.foreach_get("loop_start", begins)
    return begins


def _triangles(
    obj: Any,
    mesh: Any,
    read: tuple[NDArray[np.float32], NDArray[np.int32], NDArray[np.int32]],
    matrix: FloatArray,
) -> IntArray:
    """Triangles of a mesh, turned as its object's world matrix (4, 4) shows them. Shape (m, 3).

    Args:
        obj: Whose mesh it is.
        mesh: The mesh.
        read: Its coordinates (3 n,), the vertices round its faces (corners,) and where each face begins (faces,).
        matrix: The world matrix.
    """
    places, around, begins = read
    if not len(begins):
        made = any(each.type == "NODES" for each in obj.modifiers)
        hint = " of its own, and instances count only after a Realize Instances node" if made else ""
        raise NoMeshError(obj.name, f"has no faces{hint}")
    triangles = around
    if len(around) != 3 * len(begins):
        sizes = np.diff(begins, append=np.int32(len(around)))
        if sizes.max() <= 4:
            quads = around[begins[sizes == 4][:, None] + np.arange(4, dtype=np.int32)]
            threes = around[begins[sizes == 3][:, None] + np.arange(3, dtype=np.int32)]
            triangles = np.concatenate([threes, cut_quads(places.reshape(-1, 3), quads)])
        else:
            triangles = mesh_triangles(mesh)
    found = triangles.reshape(-1, 3).astype(np.int64)
    # A mirrored object shows its faces the other way round.
    return np.ascontiguousarray(found[:, ::-1]) if np.linalg.det(matrix[:3, :3]) < 0.0 else found


def mesh_triangles(mesh: Any) -> IntArray:
    """The triangles that a mesh's faces are cut into, as vertex indices. Shape (t, 3)."""
    mesh.calc_loop_triangles()
    flat = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
    mesh.loop_triangles.foreach_get("vertices", flat)
    return flat.reshape(-1, 3).astype(np.int64)


def cut_quads(places: NDArray[np.float32], quads: NDArray[np.int32]) -> NDArray[np.int32]:
    """Quads (q, 4) of vertices at places (n, 3) cut in two as Blender shows them, faster than asking it.

    From the first corner to the third, or from the second to the fourth where that line lies outside the quad.
    Shape (2 q, 3).
    """
    a, b, c, d = np.ascontiguousarray(places.T).take(quads.T, axis=1).transpose(1, 0, 2)
    along = c - a
    flipped = (dot(cross(b - a, along), cross(d - a, along)) > 0.0)[:, None, None]
    shown = quads[:, [[0, 1, 2], [0, 2, 3]]]
    return (np.where(flipped, quads[:, [[0, 1, 3], [1, 2, 3]]], shown) if flipped.any() else shown).reshape(-1, 3)
