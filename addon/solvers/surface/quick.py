# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances by a grid for a few hundred points at a time, where numpy's calls cost more than what they compute."""

from __future__ import annotations

import numpy as np

from ...core.arrays import FloatArray
from .grid import SignedGrid


class QuickDistance:
    """What `SignedGrid.lookup` says, in half the time for few points; it checks nothing and knows no doubt."""

    def __init__(self, grid: SignedGrid) -> None:
        """Prepare a grid of signed distances."""
        shape = np.array(grid.values.shape, dtype=np.float64)
        _, ny, nz = grid.values.shape
        self._values = np.ascontiguousarray(grid.values).reshape(-1)
        self._scale = 1.0 / grid.cell
        self._offset = (-grid.origin / grid.cell)[:, None]
        # Just short of the last node, so that a cell begins there.
        self._last = (shape - 1.0)[:, None] * (1.0 - 1e-12)
        self._strides = np.array([ny * nz, nz, 1.0])
        self._corners = np.array([(x * ny + y) * nz + z for x in (0, 1) for y in (0, 1) for z in (0, 1)])[:, None]
        self._square = grid.cell * grid.cell

    def __call__(self, points: FloatArray) -> FloatArray:
        """Signed distances in [m] of points (n, 3). Shape (n,)."""
        beyond = points.T * self._scale
        beyond += self._offset
        inside = np.maximum(beyond, 0.0)
        np.minimum(inside, self._last, out=inside)
        beyond -= inside
        cell = np.floor(inside)
        inside -= cell
        x, y, z = inside
        corners = self._values.take((self._strides @ cell).astype(np.intp) + self._corners)
        four = corners[4:] - corners[:4]
        four *= x
        four += corners[:4]
        two = four[2:] - four[:2]
        two *= y
        two += four[:2]
        found = two[1] - two[0]
        found *= z
        found += two[0]
        beyond *= beyond
        off = beyond[0] + beyond[1] + beyond[2]
        out = (off > 1e-18).nonzero()[0]
        if len(out):
            # At least as far as the box, and from there on as far as its nearest point.
            rest = np.maximum(found[out], 0.0)
            found[out] = np.sqrt(self._square * off[out] + rest * rest)
        return found
