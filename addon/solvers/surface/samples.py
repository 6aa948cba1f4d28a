# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The cells of a grid that triangles pass through, by samples closer together than cells."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...core.arrays import BoolArray, FloatArray
from .resolution import Box

_SPACING = 0.75
"""Largest distance of neighbouring samples in cells."""
GAP = 0.54
"""No point of a triangle is farther from a sample, in cells: half a diagonal of the above."""
_SAMPLES_MAX = 300_000


def sample_surface(corners: FloatArray, box: Box) -> list[FloatArray]:
    """Points of the triangles, so many that no point of them is farther than GAP cells from one. Shapes (k, 3).

    Args:
        corners: Shape (m, 3, 3): triangle, corner, axis.
        box: The grid.
    """
    return list(_sample(corners, _SPACING * box.cell))


def one_in_each_cell(samples: list[FloatArray], box: Box) -> tuple[FloatArray, BoolArray]:
    """One sample (k, 3) of each cell that holds any, and these cells, by their lowest node, of shape `box.shape`.

    Args:
        samples: Points of the surface in [m], all inside the grid.
        box: The grid.
    """
    points = np.concatenate(samples)
    _, ny, nz = box.shape
    places = (points - box.origin) / box.cell
    x, y, z = (places[:, axis].astype(np.int64) for axis in range(3))
    chosen = np.full(box.shape, -1, dtype=np.int32)
    chosen.reshape(-1)[(x * ny + y) * nz + z] = np.arange(len(points), dtype=np.int32)
    touched = chosen >= 0
    return points[chosen[touched]], touched


def _sample(corners: FloatArray, spacing: float) -> Iterator[FloatArray]:
    """Rows of points on the triangles, parallel to each one's longest side; small triangles give their corners."""
    squares = [_square(corners[:, k], corners[:, (k + 1) % 3]) for k in range(3)]
    longest = np.maximum(np.maximum(squares[0], squares[1]), squares[2])
    # Of very small ones any corner is near enough to all of the triangle.
    tiny = longest <= (GAP / _SPACING * spacing) ** 2
    small = longest <= spacing * spacing
    if tiny.any():
        yield corners[tiny, 0]
    if small.any():
        yield corners[small & ~tiny].reshape(-1, 3)
        corners = corners[~small]
    sides = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)
    start = np.argmax(sides, axis=1)
    rows = np.arange(len(corners))
    a, b, c = (corners[rows, (start + k) % 3] for k in range(3))
    longest = sides[rows, start]
    height = np.linalg.norm(np.cross(b - a, c - a), axis=1) / longest
    # Counts are rounded up to powers of two so that triangles fall into few groups.
    along, across = (np.ceil(np.log2(np.maximum(size / spacing, 1.0))).astype(np.int64) for size in (longest, height))
    for key in np.unique(along * 64 + across):
        members = np.flatnonzero(along * 64 + across == key)
        s = np.linspace(0.0, 1.0, (1 << int(key // 64)) + 1)
        t = np.linspace(0.0, 1.0, (1 << int(key % 64)) + 1)
        # Weights of the corners a, b, c; the row t = 1 is the apex alone.
        grid_s, grid_t = np.meshgrid(s, t[:-1], indexing="ij")
        flat_s, flat_t = np.append(grid_s, 0.0), np.append(grid_t, 1.0)
        weights = np.stack([(1.0 - flat_s) * (1.0 - flat_t), flat_s * (1.0 - flat_t), flat_t], axis=1)
        size = max(_SAMPLES_MAX // len(weights), 1)
        for first in range(0, len(members), size):
            chosen = members[first : first + size]
            yield (weights @ np.stack([a[chosen], b[chosen], c[chosen]], axis=1)).reshape(-1, 3)


def _square(one: FloatArray, other: FloatArray) -> FloatArray:
    """Squared distances of points (k, 3), an axis at a time: numpy is slow along axes as short as this."""
    x, y, z = (one[:, axis] - other[:, axis] for axis in range(3))
    return x * x + y * y + z * z
