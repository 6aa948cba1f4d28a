# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances at the nodes near triangles, by going from each triangle to the nodes round it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...core.arrays import FloatArray, IntArray
from .pointtriangle import ACROSS, ALONG, APEX_X, APEX_Y, BASE, NORMAL, ORIGIN, square_in_plane, triangle_frames
from .ragged import batches, count_up
from .resolution import Box

PIECE = 8.0
"""Triangles with a longer side, in cells, are cut: the boxes of large slanted ones are mostly empty."""
_PAIRS = 40_000
"""Pairs of triangle and node looked at at a time: larger temporaries cost a call to the system each."""

Float32Array = NDArray[np.float32]


class Splat:
    """The triangles of a mesh, ready to be measured from the nodes of a grid within a reach."""

    def __init__(self, corners: FloatArray, box: Box, reach: float) -> None:
        """Cut long triangles and find the block of nodes round each piece.

        Args:
            corners: Shape (m, 3, 3): triangle, corner, axis.
            box: The grid.
            reach: Distance in [m] up to which nodes are measured.
        """
        self._box, self._reach = box, reach
        self._pieces = _cut(corners, PIECE * box.cell)
        first = np.ceil((self._pieces.min(axis=1) - reach - box.origin) / box.cell)
        last = np.floor((self._pieces.max(axis=1) + reach - box.origin) / box.cell)
        self._first = np.maximum(first.astype(np.int64), 0)
        self._size = np.maximum(np.minimum(last.astype(np.int64), np.array(box.shape) - 1) - self._first + 1, 0)
        self.pairs = int(self._size.prod(axis=1).sum())
        """How many pairs of triangle and node would be measured."""

    def distances(self) -> FloatArray:
        """Distances in [m] at all nodes, infinite beyond the reach. Shape `box.shape`."""
        frames = triangle_frames(self._pieces)
        corner = (self._box.origin + self._box.cell * self._first).T - frames[ORIGIN]
        starts = [np.einsum("ij,ij->j", corner, frames[axis]) for axis in (ALONG, ACROSS, NORMAL)]
        steps = [self._box.cell * frames[row] for row in range(ALONG.start, NORMAL.stop)]
        # Single precision in each triangle's own frame: off by 1e-7 of the triangle's size, no more.
        table = np.stack([*starts, *steps, frames[BASE], frames[APEX_X], frames[APEX_Y]]).astype(np.float32)
        squares = np.full(int(np.prod(self._box.shape)), np.inf, dtype=np.float32)
        for part in batches(self._size.prod(axis=1), _PAIRS):
            self._measure(squares, table[:, part], part)
        return np.sqrt(squares.astype(np.float64)).reshape(self._box.shape)

    def _measure(self, squares: Float32Array, table: Float32Array, pieces: slice) -> None:
        """Lower the squared distances of the nodes round some pieces."""
        first, size = self._first[pieces], self._size[pieces]
        # Lines of nodes along the last axis; on each, distances along a piece's own axes rise evenly.
        piece, offset = count_up(size[:, 0] * size[:, 1])
        i = offset // size[piece, 1]
        j = offset - i * size[piece, 1]
        rows = table[:, piece]
        x, y, z = (
            rows[k] + i.astype(np.float32) * rows[3 + 3 * k] + j.astype(np.float32) * rows[4 + 3 * k] for k in range(3)
        )
        reach = np.float32(self._reach * (1.0 + 1e-5))
        low, high = np.zeros_like(x), (size[piece, 2] - 1).astype(np.float32)
        for start, slope, least, most in (
            (z, rows[11], -reach, reach),
            (x, rows[5], -reach, rows[12] + reach),
            (y, rows[8], -reach, rows[14] + reach),
        ):
            slope = np.where(np.abs(slope) < 1e-12, np.float32(1e-12), slope)
            one, other = (least - start) / slope, (most - start) / slope
            low, high = np.maximum(low, np.minimum(one, other)), np.minimum(high, np.maximum(one, other))
        head = np.ceil(low)
        line, k = count_up(np.maximum(np.floor(high) - head + 1.0, 0.0).astype(np.int64))
        k = k + head.astype(np.int64)[line]
        up = k.astype(np.float32)
        x, y, z = (start[line] + up * rows[5 + 3 * axis][line] for axis, start in enumerate((x, y, z)))
        square = square_in_plane(x, y, rows[12][line], rows[13][line], rows[14][line])
        square = square + z * z
        kept = np.flatnonzero(square <= np.float32(self._reach**2))
        _, ny, nz = self._box.shape
        bottom = ((first[piece, 0] + i) * ny + first[piece, 1] + j) * nz + first[piece, 2]
        _lower(squares, bottom[line[kept]] + k[kept], square[kept])


def _lower(target: Float32Array, index: IntArray, values: Float32Array) -> None:
    """The minimum of each target and all values for it, in place."""
    while len(index):
        better = np.flatnonzero(values < target[index])
        index, values = index[better], values[better]
        # Where several write to one place the last one stays; those that are lower still write again.
        target[index] = values


def _cut(corners: FloatArray, longest: float) -> FloatArray:
    """The same surface in triangles whose sides are no longer than that. Shape (m, 3, 3)."""
    done: list[FloatArray] = []
    while len(corners):
        sides = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)
        long = sides.max(axis=1) > longest
        done.append(corners[~long])
        corners, sides = corners[long], sides[long]
        start, rows = np.argmax(sides, axis=1), np.arange(len(corners))
        a, b, c = (corners[rows, (start + k) % 3] for k in range(3))
        middle = (a + b) / 2.0
        corners = np.concatenate([np.stack([a, middle, c], axis=1), np.stack([middle, b, c], axis=1)])
    return np.concatenate(done)
