# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Polygon meshes as arrays, and the measures that tell whether one is a proper solid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ..core.arrays import FloatArray, IntArray, frozen_floats, frozen_ints


@dataclass(frozen=True, eq=False)
class MeshData:
    """A polygon mesh with outward-facing (counter-clockwise) faces."""

    vertices: FloatArray
    """Vertex positions in [m]. Shape (n, 3)."""
    corners: IntArray
    """Vertex index of every face corner, faces one after another. Shape (c,)."""
    sizes: IntArray
    """Number of corners of each face. Shape (f,)."""
    materials: IntArray
    """Index into `material_names` of each face. Shape (f,)."""
    material_names: tuple[str, ...] = ("default",)
    """Names of the materials that faces refer to."""
    flat_angle: float = field(default=np.pi)
    """Edges sharper than this angle in [rad] are shaded sharp; pi shades everything smooth."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        set_field = object.__setattr__
        set_field(self, "vertices", frozen_floats(self.vertices, (-1, 3), "vertices"))
        set_field(self, "corners", frozen_ints(self.corners, (-1,), "corners"))
        set_field(self, "sizes", frozen_ints(self.sizes, (-1,), "sizes"))
        set_field(self, "materials", frozen_ints(self.materials, (len(self.sizes),), "materials"))

    def triangles(self) -> IntArray:
        """Fan triangulation of all faces. Shape (t, 3)."""
        starts = np.cumsum(self.sizes) - self.sizes
        fans = [
            np.stack([self.corners[s], self.corners[s + k], self.corners[s + k + 1]], axis=1)
            for k in range(1, int(self.sizes.max(initial=3)) - 1)
            for s in [starts[self.sizes >= k + 2]]
        ]
        return np.concatenate(fans) if fans else np.zeros((0, 3), dtype=np.int64)


def mesh_from_faces(
    vertices: FloatArray,
    faces: Sequence[Sequence[int]],
    *,
    materials: Sequence[int] | None = None,
    material_names: tuple[str, ...] = ("default",),
    flat_angle: float = float(np.pi),
) -> MeshData:
    """A `MeshData` from a list of faces, each a sequence of vertex indices."""
    return MeshData(
        vertices=vertices,
        corners=np.array([index for face in faces for index in face], dtype=np.int64),
        sizes=np.array([len(face) for face in faces], dtype=np.int64),
        materials=np.zeros(len(faces), dtype=np.int64) if materials is None else np.asarray(materials),
        material_names=material_names,
        flat_angle=flat_angle,
    )


def face_edges(mesh: MeshData) -> IntArray:
    """Directed edges of all faces, in the faces' own order. Shape (c, 2)."""
    ends = np.cumsum(mesh.sizes)
    following = np.arange(1, len(mesh.corners) + 1)
    following[ends - 1] = ends - mesh.sizes
    return np.stack([mesh.corners, mesh.corners[following]], axis=1)


def is_closed_manifold(mesh: MeshData) -> bool:
    """Whether every edge belongs to exactly two faces that run along it in opposite directions.

    Edges are all that is asked of: a vertex where two separate fans meet passes.
    """
    edges = face_edges(mesh)
    forward = edges[:, 0] * len(mesh.vertices) + edges[:, 1]
    backward = edges[:, 1] * len(mesh.vertices) + edges[:, 0]
    return bool(len(np.unique(forward)) == len(forward) and np.array_equal(np.sort(forward), np.sort(backward)))


def signed_volume(vertices: FloatArray, triangles: IntArray) -> float:
    """Volume in [m^3] enclosed by a closed triangle mesh; positive when faces point outwards."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0)
