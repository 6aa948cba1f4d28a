# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Inside or outside by counting the faces that a line parallel to an axis passes through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...core.arrays import FloatArray, IntArray
from .kept import Kept
from .ragged import batches, count_up

_BINS_MAX = 512
_PAIRS_MAX = 50_000
_FEW_LINES = 16
"""So many lines are put through all triangles; sorting these takes as long as putting some thirty through."""
# Lines are moved by this share of the mesh's size, in an odd direction, off vertices and edges that lie on round
# coordinates. Edges need no such luck, see _side_table; vertices do.
_JITTER = (2.718e-9, 1.414e-9)


@dataclass(frozen=True, eq=False)
class Crossings:
    """Where lines pass through triangles."""

    line: IntArray
    """Index of the line of each crossing. Shape (c,)."""
    height: FloatArray
    """Coordinate along the axis in [m]. Shape (c,)."""
    step: IntArray
    """1 where the line leaves through the face, -1 where it enters. Shape (c,)."""


class Projection:
    """Triangles seen along one axis."""

    def __init__(self, corners: FloatArray, axis: int) -> None:
        """Prepare the triangles' sides.

        Args:
            corners: Shape (3, 3, m): axis, corner, triangle.
            axis: 0, 1 or 2: the direction of the lines.
        """
        self.axis = axis
        self.across = [(axis + 1) % 3, (axis + 2) % 3]
        self._corners = corners
        # By axis, and three at a time: numpy is slow along axes as short as these.
        self.low, self.high = (
            np.stack([pick(pick(corners[k, 0], corners[k, 1]), corners[k, 2]) for k in self.across])
            for pick in (np.minimum, np.maximum)
        )
        spans = [float(each.max() - each.min()) for each in corners]
        self.shift = float(np.linalg.norm(spans)) * np.array(_JITTER)
        # What a side has, side by side, and the corners' heights.
        self._table = Kept(18, corners.shape[2], self._rows)

    def _rows(self, triangle: IntArray) -> FloatArray:
        """The table of some triangles. Shape (18, p)."""
        corners = self._corners[:, :, triangle]
        flat = corners[self.across]
        sides = [_side_table(flat[:, k], flat[:, (k + 1) % 3]) for k in range(3)]
        return np.concatenate([np.stack(sides, axis=1).reshape(15, -1), corners[self.axis]])

    def grid_crossings(self, start: FloatArray, cell: float, shape: tuple[int, int]) -> Crossings:
        """All crossings of a grid of lines, the second place across running fastest.

        Args:
            start: Place of the first line, in the order axis + 1, axis + 2. Shape (2,).
            cell: Distance of neighbouring lines in [m].
            shape: Number of lines each way.
        """
        begin, lines = (start + self.shift)[:, None], np.array(shape)[:, None]

        def first_and_last(rows: slice, triangles: IntArray | slice) -> tuple[IntArray, IntArray]:
            low, high = ((bound[rows, triangles] - begin[rows]) / cell for bound in (self.low, self.high))
            first, last = np.ceil(low - 1e-6).astype(np.int64), np.floor(high + 1e-6).astype(np.int64)
            return np.maximum(first, 0), np.minimum(last, lines[rows] - 1)

        # Most triangles of a dense mesh lie between two lines; few are asked both ways.
        first, last = first_and_last(slice(1), slice(None))
        some = np.flatnonzero(first[0] <= last[0])
        found: list[Crossings] = []
        for which, line in _rectangles(*first_and_last(slice(2), some), shape[1]):
            places = start[:, None] + cell * np.stack(np.divmod(line, shape[1]))
            found.append(self.pierce(line, some[which], places + self.shift[:, None]))
        return _joined(found)

    def pierce(self, line: IntArray, triangle: IntArray, places: FloatArray) -> Crossings:
        """The crossings among pairs (p,) of a line and a triangle, the lines at (shifted) places (2, p)."""
        table = self._table.take(triangle)
        u, v = places
        # Twice the areas of place and side. A place on a side's line counts as left of it in the direction of the
        # table, for both its triangles.
        area = table[6:9] * (v - table[3:6]) - table[9:12] * (u - table[:3])
        left = (area >= 0.0) == (table[12:15] > 0.0)
        area *= table[12:15]
        total = area[0] + area[1] + area[2]
        rows = np.flatnonzero((left[0] == left[1]) & (left[0] == left[2]) & (total != 0.0))
        area, heights = area[:, rows], table[15:, rows]
        height = (area[1] * heights[0] + area[2] * heights[1] + area[0] * heights[2]) / total[rows]
        return Crossings(line=line[rows], height=height, step=np.where(left[0, rows], 1, -1))


class Columns:
    """Triangles seen along one axis, sorted into bins across it, for lines anywhere."""

    def __init__(self, projection: Projection) -> None:
        """Keep the triangles; they are sorted when so many lines were asked for that it pays."""
        self._seen = projection
        self._low = projection.low.min(axis=1, keepdims=True)
        size = projection.high.max(axis=1, keepdims=True) - self._low
        self._bin = (float(size.max()) or 1.0) / min(max(int(2.0 * np.sqrt(projection.low.shape[1])), 8), _BINS_MAX)
        self._shape = np.maximum(np.ceil(size / self._bin).astype(np.int64), 1)
        self._asked = 0

    @cached_property
    def _binned(self) -> tuple[IntArray, IntArray]:
        """Triangles in the order of their bins, and where each bin begins among them."""
        first = self._bins(self._seen.low - self._bin * 1e-6)
        last = self._bins(self._seen.high + self._bin * 1e-6)
        pairs = list(_rectangles(first, last, int(self._shape[1, 0])))
        which, cell = (np.concatenate([pair[k] for pair in pairs]) for k in (0, 1))
        order = np.argsort(cell, kind="stable")
        return which[order], np.searchsorted(cell[order], np.arange(int(self._shape.prod()) + 1))

    def windings(self, points: FloatArray) -> tuple[IntArray, IntArray, IntArray]:
        """Winding number seen from above, number of faces above, and the line's sum, which is 0 if it met no leak."""
        hit = self._crossings(points[:, self._seen.across].T)
        above = hit.height > points[hit.line, self._seen.axis]
        number = len(points)
        winding = np.bincount(hit.line[above], weights=hit.step[above], minlength=number)
        faces = np.bincount(hit.line[above], minlength=number)
        total = np.bincount(hit.line, weights=hit.step, minlength=number)
        return winding.astype(np.int64), faces.astype(np.int64), total.astype(np.int64)

    def _crossings(self, lines: FloatArray) -> Crossings:
        """All crossings of lines through the given places (2, k)."""
        lines = lines + self._seen.shift[:, None]
        self._asked += lines.shape[1]
        if self._asked <= _FEW_LINES:
            return _joined([self._pierce_all(number, line) for number, line in enumerate(lines.T)])
        members, starts = self._binned
        places = (lines - self._low) / self._bin
        outside = ((places < 0.0) | (places >= self._shape)).any(axis=0)
        row, column = self._bins(lines)
        cells = row * self._shape[1] + column
        number = np.where(outside, 0, starts[cells + 1] - starts[cells])
        found: list[Crossings] = []
        for part in batches(number, _PAIRS_MAX):
            line, offset = count_up(number[part])
            line += part.start
            found.append(self._seen.pierce(line, members[starts[cells[line]] + offset], lines[:, line]))
        return _joined(found)

    def _pierce_all(self, number: int, line: FloatArray) -> Crossings:
        """The crossings of a line (2,) with any triangle, each asked whether the line is within its bounds."""
        (u, v), low, high = line.tolist(), self._seen.low, self._seen.high
        near = np.flatnonzero((low[0] <= u) & (high[0] >= u))
        near = near[(low[1, near] <= v) & (high[1, near] >= v)]
        return self._seen.pierce(np.full(len(near), number), near, np.broadcast_to(line[:, None], (2, len(near))))

    def _bins(self, flat: FloatArray) -> IntArray:
        """Row and column of the bins of places (2, k). Shape (2, k)."""
        return np.clip(((flat - self._low) / self._bin).astype(np.int64), 0, self._shape - 1)


def _side_table(tails: FloatArray, heads: FloatArray) -> FloatArray:
    """Sides (2, m) from their lower ends: its coordinates, the way up, and 1 or -1 if that runs backwards.

    The two triangles that share a side must never both take or both leave a place, so areas are computed from the
    same end for both. Shape (5, m).
    """
    swap = (heads[0] < tails[0]) | ((heads[0] == tails[0]) & (heads[1] < tails[1]))
    low, high = np.where(swap, heads, tails), np.where(swap, tails, heads)
    return np.concatenate([low, high - low, [np.where(swap, -1.0, 1.0)]])


def _rectangles(first: IntArray, last: IntArray, columns: int) -> Iterator[tuple[IntArray, IntArray]]:
    """Batches of (rectangle, cell) pairs of rectangles of cells from `first` to `last` inclusive, both (2, k)."""
    size = np.maximum(last - first + 1, 0)
    number = size[0] * size[1]
    full = np.flatnonzero(number)
    first, size, number = first[:, full], size[:, full], number[full]
    for part in batches(number, _PAIRS_MAX):
        which, offset = count_up(number[part])
        which += part.start
        row = offset // size[1, which]
        column = offset - row * size[1, which]
        yield full[which], (first[0, which] + row) * columns + first[1, which] + column


def _joined(found: list[Crossings]) -> Crossings:
    if len(found) == 1:
        return found[0]
    if not found:
        return Crossings(np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0, dtype=np.int64))
    return Crossings(
        line=np.concatenate([each.line for each in found]),
        height=np.concatenate([each.height for each in found]),
        step=np.concatenate([each.step for each in found]),
    )
