# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Even choices of points, and points where there are too few."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import FloatArray, IntArray


def spread_out(points: FloatArray, most: int) -> IntArray:
    """Indices of at most `most` points: one for each cell of the finest grid that has no more cells than that."""
    if len(points) <= most:
        return np.arange(len(points))
    low = points.min(axis=0)
    fine, coarse = 0.0, float(np.max(np.ptp(points, axis=0)))
    taken = np.array([0])
    for _ in range(12):
        size = 0.5 * (fine + coarse)
        cells = np.floor((points - low) / size).astype(np.int64)
        sides = cells.max(axis=0) + 1
        _, first = np.unique(cells[:, 0] + sides[0] * (cells[:, 1] + sides[1] * cells[:, 2]), return_index=True)
        if len(first) <= most:
            coarse, taken = size, np.sort(first)
        else:
            fine = size
    return taken


@dataclass(frozen=True, eq=False)
class Between:
    """Places between the corners of triangles, n of them."""

    corners: IntArray
    """Vertices of the triangle, or of the edge, that each is in; unused ones have no share. Shape (n, 3)."""
    shares: FloatArray
    """What part each of them has; rows sum to 1. Shape (n, 3)."""

    def mix(self, values: FloatArray) -> FloatArray:
        """Values of vertices (v, k) at the places. Shape (n, k)."""
        return np.einsum("nc,nck->nk", self.shares, values[self.corners])


def points_between(points: FloatArray, triangles: IntArray, spacing: float) -> Between:
    """Places on large triangles, so that no two neighbours are much farther apart than `spacing`.

    Args:
        points: Vertices in [m]. Shape (v, 3).
        triangles: Vertex indices. Shape (t, 3).
        spacing: In [m].
    """
    sides = points[triangles[:, [1, 2, 0]]] - points[triangles]
    lengths = np.linalg.norm(sides, axis=2)
    long = lengths.max(axis=1) > spacing
    triangles, sides, lengths = triangles[long], sides[long], lengths[long]
    edges, first = np.unique(
        np.sort(np.stack([triangles, triangles[:, [1, 2, 0]]], axis=2).reshape(-1, 2), axis=1),
        axis=0,
        return_index=True,
    )
    parts = np.ceil(lengths.reshape(-1)[first] / spacing).astype(np.int64)
    corners, shares = [np.empty((0, 3), dtype=np.int64)], [np.empty((0, 3))]
    for count in range(2, int(parts.max(initial=1)) + 1):
        split = edges[parts == count]
        steps = np.arange(1, count) / count
        corners.append(np.repeat(np.column_stack([split, split[:, 0]]), count - 1, axis=0))
        shares.append(np.tile(np.column_stack([1.0 - steps, steps, np.zeros(count - 1)]), (len(split), 1)))
    # Inside, where a triangle is broader than that: slender ones are covered by their edges.
    breadths = np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1) / np.maximum(lengths.max(axis=1), 1e-12)
    parts = np.ceil(breadths / spacing).astype(np.int64) + 1
    for count in range(3, int(parts.max(initial=0)) + 1):
        inner = triangles[parts == count]
        i, j = np.nonzero(np.add.outer(np.arange(count), np.arange(count)) < count)
        inside = (i > 0) & (j > 0)
        grid = np.stack([i[inside], j[inside], count - i[inside] - j[inside]], axis=1) / count
        corners.append(np.repeat(inner, len(grid), axis=0))
        shares.append(np.tile(grid, (len(inner), 1)))
    return Between(np.concatenate(corners), np.concatenate(shares))
