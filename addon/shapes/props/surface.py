# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A builder that collects the points and faces of one mesh, ring by ring."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from ...core.arrays import BoolArray, FloatArray, IntArray
from ..mesh import MeshData

FLAT_ANGLE = float(np.radians(38.0))
"""Edges sharper than this in [rad] are creases; the bevels of the props bend by less per segment."""


class SurfaceBuilder:
    """Collects points and faces; faces are counter-clockwise seen from outside.

    A ring is a closed loop of point indices that runs counter-clockwise about the direction of travel, so that a strip
    from one ring to the next faces outwards.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._points: list[FloatArray] = []
        self._count = 0
        self._faces: list[IntArray] = []
        self._materials: list[str] = []

    def add_points(self, points: ArrayLike) -> IntArray:
        """Add points of shape (..., 3) and give their indices, of shape (...)."""
        array = np.asarray(points, dtype=np.float64)
        flat = array.reshape(-1, 3)
        indices = np.arange(self._count, self._count + len(flat)).reshape(array.shape[:-1])
        self._points.append(flat)
        self._count += len(flat)
        return indices

    def points_at(self, indices: IntArray) -> FloatArray:
        """Positions in [m] of points that were added before."""
        return np.concatenate(self._points)[indices]

    def add_faces(self, faces: ArrayLike, material: str) -> None:
        """Add faces with one number of corners, of shape (f, corners)."""
        array = np.asarray(faces, dtype=np.int64)
        if array.size:
            self._faces.append(array)
            self._materials.append(material)

    def add_strip(self, ring: IntArray, next_ring: IntArray, material: str) -> None:
        """Add quads between two rings of equal length."""
        right = np.roll(ring, -1)
        self.add_faces(np.stack([ring, right, np.roll(next_ring, -1), next_ring], axis=1), material)

    def add_tube(self, rings: Sequence[IntArray] | IntArray, material: str) -> None:
        """Add the strips between consecutive rings."""
        for ring, next_ring in pairwise(rings):
            self.add_strip(ring, next_ring, material)

    def add_start(self, pole: int, ring: IntArray, material: str) -> None:
        """Close a surface before its first ring with a fan of triangles round a pole."""
        self.add_faces(np.stack([np.full_like(ring, pole), np.roll(ring, -1), ring], axis=1), material)

    def add_end(self, ring: IntArray, pole: int, material: str) -> None:
        """Close a surface after its last ring with a fan of triangles round a pole."""
        self.add_faces(np.stack([np.full_like(ring, pole), ring, np.roll(ring, -1)], axis=1), material)

    def add_grid(self, rows: IntArray, material: str, keep: BoolArray | None = None) -> None:
        """Add the quads of a grid of rings; only those marked in `keep`, of shape (rows - 1, columns), if given."""
        right = np.roll(rows, -1, axis=1)
        quads = np.stack([rows[:-1], right[:-1], right[1:], rows[1:]], axis=2)
        self.add_faces(quads.reshape(-1, 4) if keep is None else quads[keep], material)

    def build(self, flat_angle: float = FLAT_ANGLE) -> MeshData:
        """The mesh of all faces. Points that no face uses are dropped."""
        points = np.concatenate(self._points)
        corners = np.concatenate([faces.ravel() for faces in self._faces])
        used, corners = np.unique(corners, return_inverse=True)
        names = tuple(dict.fromkeys(self._materials))
        counts = [len(faces) for faces in self._faces]
        return MeshData(
            vertices=points[used],
            corners=corners.ravel(),
            sizes=np.repeat([faces.shape[1] for faces in self._faces], counts),
            materials=np.repeat([names.index(name) for name in self._materials], counts),
            material_names=names,
            flat_angle=flat_angle,
        )


def block_edge(row: int, column: int, size: int) -> tuple[IntArray, IntArray]:
    """Rows and columns of the points round a square block of a grid's quads.

    They run counter-clockwise seen from outside and start in the middle of the side with the highest column.

    Args:
        row: First row of the block.
        column: Column of its middle.
        size: Quads along each side; even.
    """
    half = size // 2
    side = np.arange(-half, half)
    columns = np.concatenate([side, np.full(size, half), side[::-1] + 1, np.full(size, -half)])
    rows = np.roll(columns, size)
    return np.roll(rows, -3 * half) + row + half, np.roll(columns, -3 * half) + column
