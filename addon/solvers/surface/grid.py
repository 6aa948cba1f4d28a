# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A box of signed distances that is looked up by trilinear interpolation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray, frozen_bools, frozen_floats

_CHUNK = 8192
"""Points looked up at a time: their temporaries fit the processor's second cache."""


@dataclass(frozen=True, eq=False)
class Lookup:
    """What a grid says about points."""

    distances: FloatArray
    """Signed distances in [m]; away from the surface about right. Shape (k,)."""
    doubtful: BoolArray
    """Where the grid is too coarse for the accuracy asked of it: edges, thin walls, sheets. Shape (k,)."""


@dataclass(frozen=True, eq=False)
class SignedGrid:
    """Signed distances at the nodes of a regular grid, exact near the surface, about right elsewhere."""

    origin: FloatArray
    """Position of node (0, 0, 0) in [m]. Shape (3,)."""
    cell: float
    """Distance of neighbouring nodes in [m]."""
    values: FloatArray
    """Signed distances at the nodes in [m]. Shape (nx, ny, nz)."""
    doubtful: BoolArray
    """Cells, by their lowest node, where interpolation misses the exact distance. Shape (nx, ny, nz)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        object.__setattr__(self, "origin", frozen_floats(self.origin, (3,), "origin"))
        object.__setattr__(self, "values", frozen_floats(self.values, (-1, -1, -1), "values"))
        object.__setattr__(self, "doubtful", frozen_bools(self.doubtful, self.values.shape, "doubtful"))

    def lookup(self, points: FloatArray) -> Lookup:
        """Distances of points anywhere, inside the box or not.

        Outside the box the squared distance is at least that of the box plus that at the box's nearest point, since
        the box is convex and holds the surface.

        Args:
            points: Shape (k, 3).
        """
        distances, doubtful = np.empty(len(points)), np.empty(len(points), dtype=np.bool_)
        doubts = self.doubtful.reshape(-1)
        for start in range(0, len(points), _CHUNK):
            part = slice(start, start + _CHUNK)
            flat, (x, y, z), beyond = self._locate(points[part])
            corners = self._corners(flat)
            four = corners[:4] + x * (corners[4:] - corners[:4])
            two = four[:2] + y * (four[2:] - four[:2])
            found = two[0] + z * (two[1] - two[0])
            if beyond is not None:
                found = np.where(beyond > 0.0, np.hypot(beyond, np.maximum(found, 0.0)), found)
            distances[part] = found
            doubtful[part] = doubts.take(flat)
        return Lookup(distances, doubtful)

    def gradient(self, points: FloatArray) -> FloatArray:
        """Slopes of the interpolant: 1 long near smooth surfaces, anything down to 0 elsewhere. Shape (k, 3)."""
        slopes = np.empty((len(points), 3))
        for start in range(0, len(points), _CHUNK):
            part = slice(start, start + _CHUNK)
            flat, (x, y, z), _ = self._locate(points[part])
            corners = self._corners(flat).reshape(2, 2, 2, -1)
            across = corners[0] + x * (corners[1] - corners[0])
            along_x = _blend(corners[1] - corners[0], y, z)
            along_y = across[1, 0] - across[0, 0] + z * (across[1, 1] - across[0, 1] - across[1, 0] + across[0, 0])
            along_z = across[0, 1] - across[0, 0] + y * (across[1, 1] - across[1, 0] - across[0, 1] + across[0, 0])
            slopes[part] = np.stack([along_x, along_y, along_z], axis=1) / self.cell
        outside = points - np.clip(points, self.origin, self.high)
        beyond = (outside != 0.0).any(axis=1)
        outside[beyond] /= np.linalg.norm(outside[beyond], axis=1, keepdims=True)
        return np.where(beyond[:, None], outside, slopes)

    @property
    def high(self) -> FloatArray:
        """Position of the last node in [m]. Shape (3,)."""
        return self.origin + self.cell * (np.array(self.values.shape) - 1.0)

    def nearest_nodes(self, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Distance of each point to its nearest node in [m], and that node's value. Shapes (k,)."""
        node = np.rint((points - self.origin) / self.cell)
        node = np.minimum(np.maximum(node, 0.0), np.array(self.values.shape) - 1.0)
        gaps = np.linalg.norm(points - self.origin - self.cell * node, axis=1)
        i, j, k = node.astype(np.int64).T
        return gaps, self.values[i, j, k]

    def _locate(self, points: FloatArray) -> tuple[IntArray, FloatArray, FloatArray | None]:
        """Flat index of each point's cell, its place in it (3, k), and how far it is outside the box, if any is."""
        shape = self.values.shape
        place = ((points - self.origin) / self.cell).T
        last = np.array(shape, dtype=np.float64)[:, None] - 1.0
        inside = np.minimum(np.maximum(place, 0.0), last)
        beyond = None
        if (inside != place).any():
            beyond = self.cell * np.sqrt(((place - inside) ** 2).sum(axis=0))
        index = np.minimum(inside.astype(np.int64), np.array(shape)[:, None] - 2)
        flat = (index[0] * shape[1] + index[1]) * shape[2] + index[2]
        return flat, inside - index, beyond

    def _corners(self, flat: IntArray) -> FloatArray:
        """Values at the cells' corners, x slowest. Shape (8, k)."""
        _, ny, nz = self.values.shape
        steps = np.array([(x * ny + y) * nz + z for x in (0, 1) for y in (0, 1) for z in (0, 1)])
        return self.values.reshape(-1).take(flat + steps[:, None])


def _blend(square: FloatArray, y: FloatArray, z: FloatArray) -> FloatArray:
    """Bilinear interpolation between values of shape (2, 2, k)."""
    pair = square[0] + y * (square[1] - square[0])
    return pair[0] + z * (pair[1] - pair[0])
