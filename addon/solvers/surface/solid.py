# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether points lie inside a closed mesh."""

from __future__ import annotations

import numpy as np

from ...core.arrays import BoolArray, FloatArray
from .crossings import Columns, Projection

_AXES = (2, 0, 1)


class Solid:
    """Inside tests for closed triangle meshes.

    Where the faces agree on their direction a point is inside if the winding number is not 0, so that parts which
    overlap make a union; else if an odd number of faces lies between it and infinity. Lines along a second and a
    third axis step in for lines that did not come out even.
    """

    def __init__(self, corners: FloatArray, *, oriented: bool) -> None:
        """Keep the triangles (`Soup.axes`); the bins of an axis are made when first asked for."""
        self._corners = corners
        self._oriented = oriented
        self._projections: dict[int, Projection] = {}
        self._columns: dict[int, Columns] = {}

    def contains(self, points: FloatArray) -> BoolArray:
        """Whether each point is inside. Shape (k,)."""
        inside = np.zeros(len(points), dtype=np.bool_)
        open_rows = np.arange(len(points))
        for axis in _AXES:
            winding, faces, total = self._columns_along(axis).windings(points[open_rows])
            inside[open_rows] = winding != 0 if self._oriented else faces % 2 == 1
            open_rows = open_rows[total != 0 if self._oriented else total % 2 == 1]
            if not len(open_rows):
                break
        return inside

    def contains_grid(self, origin: FloatArray, cell: float, shape: tuple[int, int, int]) -> BoolArray:
        """Whether each node of a grid is inside; much faster than node by node. Shape `shape`."""
        inside, leaky = self._grid_along(_AXES[0], origin, cell, shape)
        for axis in _AXES[1:]:
            if not leaky.any():
                break
            other, other_leaky = self._grid_along(axis, origin, cell, shape)
            take = leaky & ~other_leaky
            inside = np.where(take, other, inside)
            leaky = leaky & other_leaky
        return inside

    def _grid_along(
        self, axis: int, origin: FloatArray, cell: float, shape: tuple[int, int, int]
    ) -> tuple[BoolArray, BoolArray]:
        """Inside and leaky nodes by lines along one axis."""
        one, two = (axis + 1) % 3, (axis + 2) % 3
        hit = self._along(axis).grid_crossings(origin[[one, two]], cell, (shape[one], shape[two]))
        length = shape[axis]
        # A crossing's slot is the first node above it, so sums along the axis count what lies below each node.
        slot = np.clip(np.ceil((hit.height - origin[axis]) / cell).astype(np.int64), 0, length)
        flat = hit.line * (length + 1) + slot
        steps = hit.step if self._oriented else np.ones_like(hit.step)
        sums = np.zeros(shape[one] * shape[two] * (length + 1), dtype=np.int32)
        np.add.at(sums, flat, steps)
        sums = sums.reshape(shape[one], shape[two], length + 1)
        total = sums.sum(axis=2)
        before = np.cumsum(sums, axis=2, dtype=np.int32)[:, :, :length]
        if self._oriented:
            inside, leaky = total[:, :, None] != before, total != 0
        else:
            inside, leaky = (before & 1) == 1, (total & 1) == 1
        nodes = np.broadcast_to(leaky[:, :, None], inside.shape)
        back = tuple(int(k) for k in np.argsort([one, two, axis]))
        return inside.transpose(back), nodes.transpose(back)

    def _along(self, axis: int) -> Projection:
        if axis not in self._projections:
            self._projections[axis] = Projection(self._corners, axis)
        return self._projections[axis]

    def _columns_along(self, axis: int) -> Columns:
        if axis not in self._columns:
            self._columns[axis] = Columns(self._along(axis))
        return self._columns[axis]
