# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A box of signed distances that is looked up by trilinear interpolation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...core.arrays import BoolArray, FloatArray, IntArray
from .resolution import Box

FINE, DOUBTFUL, UNKNOWN = 0, 1, 2
"""What is known of a cell: interpolation is good there, misses the exact distance, or was not tried."""
CORNERS = np.array([(x, y, z) for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
"""Corners of a cell, x slowest. Shape (8, 3)."""
_MEETING = 1e-4
"""How far, in cells, balls without a face must overlap: trees know coordinates in single precision."""
_CHUNK = 8192
"""Points looked up at a time: their temporaries fit the processor's second cache."""


@dataclass(frozen=True, eq=False)
class Lookup:
    """What a grid says about points."""

    distances: FloatArray
    """Signed distances in [m]; away from the surface about right. Shape (k,)."""
    doubtful: BoolArray
    """Where the grid is too coarse for the accuracy asked of it: edges, thin walls, sheets. Shape (k,)."""
    doubts: bool
    """Whether it is so anywhere."""

    def take(self, rows: IntArray) -> Lookup:
        """The same for some of the points (j,)."""
        doubtful = self.doubtful.take(rows)
        return Lookup(self.distances.take(rows), doubtful, self.doubts and bool(doubtful.any()))


class Measure(Protocol):
    """What tells a grid the values that it does not know yet."""

    def nodes(self, flat: IntArray) -> FloatArray:
        """Signed distances in [m] at nodes given by flat index. Shape (k,)."""
        ...

    def doubts(self, flat: IntArray, corners: FloatArray) -> BoolArray:
        """Whether interpolation misses the exact distance in cells, by the flat index of their lowest node. Shape (k,).

        Args:
            flat: Shape (k,).
            corners: Values at their corners in [m], x slowest. Shape (8, k).
        """
        ...


class SignedGrid:
    """Signed distances at the nodes of a regular grid, exact near the surface, about right elsewhere.

    Near the surface nodes are measured when a point first comes to their cells: a hand that closes on an object comes
    to a tenth of them. What is found does not depend on when it is asked for.
    """

    def __init__(self, box: Box, values: FloatArray, cells: NDArray[np.int8], measure: Measure) -> None:
        """Keep what is known.

        Args:
            box: Where the nodes are.
            values: Signed distances at the nodes in [m]; NaN where not known yet. Shape `box.shape`.
            cells: FINE, DOUBTFUL or UNKNOWN for the cell above each node. Shape `box.shape`.
            measure: What tells the rest.
        """
        self.origin, self.cell, self.shape = box.origin, box.cell, box.shape
        self._measure = measure
        self._values = np.ascontiguousarray(values).reshape(-1)
        self._cells = np.ascontiguousarray(cells).reshape(-1)
        _, ny, nz = box.shape
        self._steps = np.array([(x * ny + y) * nz + z for x in (0, 1) for y in (0, 1) for z in (0, 1)])[:, None]
        self._strides = np.array([ny * nz, nz, 1.0])
        self._scale = 1.0 / box.cell
        self._offset = (-box.origin / box.cell)[:, None]
        # Just short of the last node, so that a cell begins there.
        self._last = (np.array(box.shape, dtype=np.float64) - 1.0)[:, None] * (1.0 - 1e-12)

    @property
    def values(self) -> FloatArray:
        """Signed distances at all nodes in [m], measured now where they are not known. Shape (nx, ny, nz)."""
        self._learn_nodes(np.flatnonzero(np.isnan(self._values)))
        return self._values.reshape(self.shape)

    @property
    def doubtful(self) -> BoolArray:
        """Cells, by their lowest node, where interpolation misses the exact distance. Shape (nx, ny, nz)."""
        self._learn_cells(np.flatnonzero(self._cells == UNKNOWN))
        return (self._cells == DOUBTFUL).reshape(self.shape)

    def lookup(self, points: FloatArray, *, doubt: bool = True) -> Lookup:
        """Distances of points anywhere, inside the box or not.

        Outside the box the squared distance is at least that of the box plus that at the box's nearest point, since
        the box is convex and holds the surface.

        Args:
            points: Shape (k, 3).
            doubt: Whether to tell where the grid is too coarse.
        """
        if len(points) <= _CHUNK:
            return self._lookup(points, doubt)
        parts = [self._lookup(points[start : start + _CHUNK], doubt) for start in range(0, len(points), _CHUNK)]
        return Lookup(
            np.concatenate([part.distances for part in parts]),
            np.concatenate([part.doubtful for part in parts]),
            any(part.doubts for part in parts),
        )

    def _lookup(self, points: FloatArray, doubt: bool) -> Lookup:
        """The same for few points."""
        flat, place, beyond = self._locate(points)
        found = _interpolate(self._values.take(flat + self._steps), place)
        # What is not known is not a number, and so is the least of all then.
        if np.isnan(found.min(initial=np.inf)):
            self._learn_nodes(self._unknown_corners(flat[np.isnan(found)]))
            found = _interpolate(self._values.take(flat + self._steps), place)
        if beyond is not None:
            found = np.where(beyond > 0.0, np.hypot(beyond, np.maximum(found, 0.0)), found)
        if not doubt:
            return Lookup(found, np.zeros(len(found), dtype=np.bool_), False)
        state = self._cells.take(flat)
        most = state.max(initial=FINE)
        if most == UNKNOWN:
            self._learn_cells(np.unique(flat[state == UNKNOWN]))
            state = self._cells.take(flat)
            most = state.max(initial=FINE)
        if most == FINE:
            return Lookup(found, np.zeros(len(found), dtype=np.bool_), False)
        return Lookup(found, state == DOUBTFUL, True)

    def gradient(self, points: FloatArray) -> FloatArray:
        """Slopes of the interpolant: 1 long near smooth surfaces, anything down to 0 elsewhere. Shape (k, 3)."""
        slopes = np.empty((len(points), 3))
        for start in range(0, len(points), _CHUNK):
            part = slice(start, start + _CHUNK)
            flat, (x, y, z), _ = self._locate(points[part])
            self._learn_nodes(self._unknown_corners(flat))
            corners = self._values.take(flat + self._steps).reshape(2, 2, 2, -1)
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
        return self.origin + self.cell * (np.array(self.shape) - 1.0)

    def nearest_nodes(self, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Distance of each point to its nearest node in [m], and that node's value, NaN if not known. Shapes (k,)."""
        node = np.rint((points - self.origin) / self.cell)
        node = np.minimum(np.maximum(node, 0.0), np.array(self.shape) - 1.0)
        gaps = np.linalg.norm(points - self.origin - self.cell * node, axis=1)
        return gaps, self._values.take((node @ self._strides).astype(np.intp))

    def sides(self, points: FloatArray, distances: FloatArray) -> tuple[BoolArray, BoolArray]:
        """Whether points in doubtful cells are inside as far as nodes tell, and whether these do. Shapes (k,).

        No face is nearer to a point than the nearest: all of the ball round it lies on one side, as does the ball
        round a node. Where two such balls meet, both are on the same.

        Args:
            points: Shape (k, 3).
            distances: To the nearest face of a solid, in [m]. Shape (k,).
        """
        flat, place, _ = self._locate(points)
        values = self._values.take(flat + self._steps)
        away = CORNERS[:, :, None] - place
        gaps = self.cell * np.sqrt(np.einsum("cik,cik->ck", away, away))
        meeting = np.abs(values) + distances - gaps
        best, column = np.argmax(meeting, axis=0), np.arange(len(points))
        return values[best, column] < 0.0, meeting[best, column] > _MEETING * self.cell

    def _locate(self, points: FloatArray) -> tuple[IntArray, FloatArray, FloatArray | None]:
        """Flat index of each point's cell, its place in it (3, k), and how far it is outside the box, if any is."""
        beyond = points.T * self._scale
        beyond += self._offset
        inside = np.maximum(beyond, 0.0)
        np.minimum(inside, self._last, out=inside)
        beyond -= inside
        off = None
        if beyond.any():
            off = self.cell * np.sqrt((beyond * beyond).sum(axis=0))
        index = np.floor(inside)
        inside -= index
        return (self._strides @ index).astype(np.intp), inside, off

    def _unknown_corners(self, flat: IntArray) -> IntArray:
        """Nodes of cells that are not known yet. Shape (k,)."""
        nodes = np.unique(flat + self._steps)
        return nodes[np.isnan(self._values[nodes])]

    def _learn_nodes(self, nodes: IntArray) -> None:
        if len(nodes):
            self._values[nodes] = self._measure.nodes(nodes)

    def _learn_cells(self, cells: IntArray) -> None:
        if len(cells):
            corners = self._values.take(cells + self._steps)
            if np.isnan(corners.min()):
                self._learn_nodes(self._unknown_corners(cells))
                corners = self._values.take(cells + self._steps)
            self._cells[cells] = np.where(self._measure.doubts(cells, corners), DOUBTFUL, FINE)


def _interpolate(corners: FloatArray, place: FloatArray) -> FloatArray:
    """Trilinear interpolation between values (8, k), x slowest, at places in their cells (3, k)."""
    four = corners[4:] - corners[:4]
    four *= place[0]
    four += corners[:4]
    two = four[2:] - four[:2]
    two *= place[1]
    two += four[:2]
    found = two[1] - two[0]
    found *= place[2]
    found += two[0]
    return found


def _blend(square: FloatArray, y: FloatArray, z: FloatArray) -> FloatArray:
    """Bilinear interpolation between values of shape (2, 2, k)."""
    pair = square[0] + y * (square[1] - square[0])
    return pair[0] + z * (pair[1] - pair[0])
