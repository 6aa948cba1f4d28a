# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Quad grids and how they are sewn together."""

from __future__ import annotations

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray


class Cage:
    """A growing quad mesh: vertices in blocks, faces by vertex index, all faces counter-clockwise from outside."""

    def __init__(self) -> None:
        self._points: list[FloatArray] = []
        self._owners: list[IntArray] = []
        self._fixed: list[BoolArray] = []
        self._quads: list[IntArray] = []
        self._materials: list[IntArray] = []
        self._count = 0

    def add_vertices(self, points: FloatArray, *, owner: int, fixed: bool) -> IntArray:
        """Indices of new vertices, in the shape of `points` without its last axis.

        Args:
            points: Positions. Shape (..., 3).
            owner: Number of the finger they belong to, -1 for the palm.
            fixed: Whether relaxing leaves them where they are.
        """
        shape = points.shape[:-1]
        n = int(np.prod(shape))
        self._points.append(points.reshape(n, 3))
        self._owners.append(np.full(n, owner))
        self._fixed.append(np.full(n, fixed))
        self._count += n
        return np.arange(self._count - n, self._count).reshape(shape)

    def add_grid(self, grid: IntArray, *, closed: bool = False, flip: bool = False, material: int = 0) -> None:
        """Quads between the rows of a grid of vertex indices.

        Args:
            grid: Vertex indices. Shape (rows, columns).
            closed: Whether the last column meets the first.
            flip: Faces look the other way. Without it they look along columns x rows.
            material: Index of the faces' material.
        """
        right = np.roll(grid, -1, axis=1) if closed else grid[:, 1:]
        left = grid if closed else grid[:, :-1]
        quads = np.stack([left[:-1], right[:-1], right[1:], left[1:]], axis=-1).reshape(-1, 4)
        self.add_quads(quads[:, ::-1] if flip else quads, material=material)

    def add_quads(self, quads: IntArray, *, material: int = 0) -> None:
        """Faces by vertex index. Shape (f, 4)."""
        self._quads.append(quads)
        self._materials.append(np.full(len(quads), material))

    @property
    def points(self) -> FloatArray:
        """Positions of all vertices. Shape (n, 3)."""
        return np.concatenate(self._points)

    @property
    def owners(self) -> IntArray:
        """Finger of each vertex. Shape (n,)."""
        return np.concatenate(self._owners)

    @property
    def fixed(self) -> BoolArray:
        """Whether each vertex stays where it is. Shape (n,)."""
        return np.concatenate(self._fixed)

    @property
    def quads(self) -> IntArray:
        """All faces. Shape (f, 4)."""
        return np.concatenate(self._quads)

    @property
    def materials(self) -> IntArray:
        """Material of each face. Shape (f,)."""
        return np.concatenate(self._materials)


def neighbours(quads: IntArray, count: int) -> tuple[IntArray, IntArray]:
    """Vertices across each vertex's edges, padded with the vertex itself (count, most), and their numbers (count,)."""
    edges = np.stack([quads, np.roll(quads, -1, axis=1)], axis=-1).reshape(-1, 2)
    both = np.unique(np.concatenate([edges[:, 0] * count + edges[:, 1], edges[:, 1] * count + edges[:, 0]]))
    edges = np.stack([both // count, both % count], axis=1)
    valence = np.bincount(edges[:, 0], minlength=count)
    starts = np.cumsum(valence) - valence
    table = np.repeat(np.arange(count)[:, None], int(valence.max()), axis=1)
    table[edges[:, 0], np.arange(len(edges)) - starts[edges[:, 0]]] = edges[:, 1]
    return table, valence


def mean_of_neighbours(values: FloatArray, table: IntArray, valence: IntArray) -> FloatArray:
    """Mean over each vertex's neighbours of `values` (n, m). Shape (n, m)."""
    padding = (table.shape[1] - valence)[:, None]
    return (values[table].sum(axis=1) - padding * values) / valence[:, None]


def square_ring(columns: int, rows: int) -> IntArray:
    """Row and column of the cells' corners round a grid, counter-clockwise from (0, 0). Shape (ring, 2)."""
    bottom = [(0, c) for c in range(columns)]
    right = [(r, columns) for r in range(rows)]
    top = [(rows, c) for c in range(columns, 0, -1)]
    left = [(r, 0) for r in range(rows, 0, -1)]
    return np.array([*bottom, *right, *top, *left])
