# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The nearest triangle of every point: the interface, and a tree of boxes in numpy that walks all points at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from ...core.arrays import FloatArray, IntArray
from .pointtriangle import squares_to, triangle_frames
from .soup import Soup

_BRANCHES = 8
_LEAF = 4
_CHUNK = 8192


class TriangleTree(Protocol):
    """Finds nearest triangles."""

    def nearest(self, points: FloatArray, reach: float = np.inf) -> IntArray:
        """Index of the nearest triangle of each point, -1 where none is within `reach` in [m]. Shape (k,)."""
        ...

    def distances(self, points: FloatArray, reach: float) -> FloatArray:
        """Distances in [m] to nearest triangles, to a millionth of the mesh's size; infinite beyond `reach`. (k,)."""
        ...


TreeBuilder = Callable[[Soup], TriangleTree]
"""Makes a tree of triangles."""


class NumpyTree:
    """A tree of axis-aligned boxes, split in halves across their longest sides; exact in float64."""

    def __init__(self, soup: Soup) -> None:
        """Sort the triangles into leaves and bound them level by level."""
        corners = soup.corners()
        centers = corners.mean(axis=1)
        splits = max(int(np.ceil(np.log2(len(corners) / _LEAF))), 0)
        self._order = _split_in_halves(centers, splits)
        # Where each triangle is in that order.
        self._place = np.argsort(self._order)
        self._starts = _bounds(len(corners), splits)
        self._frames = triangle_frames(corners[self._order])
        low = np.minimum.reduceat(corners.min(axis=1)[self._order], self._starts[:-1])
        high = np.maximum.reduceat(corners.max(axis=1)[self._order], self._starts[:-1])
        # A point on the surface in each box bounds the distance of whatever is nearest.
        sample = centers[self._order][(self._starts[:-1] + self._starts[1:]) // 2]
        levels = [(low, high, sample)]
        while len(low) > 1:
            low, high, sample = (_padded(each, _BRANCHES).reshape(-1, _BRANCHES, 3) for each in (low, high, sample))
            low, high, sample = low.min(axis=1), high.max(axis=1), sample[:, _BRANCHES // 2]
            levels.append((low, high, sample))
        # Boxes by axis: shape (3, boxes), root level first.
        self._levels = [[np.ascontiguousarray(each.T) for each in level] for level in reversed(levels)]

    def nearest(self, points: FloatArray, reach: float = np.inf) -> IntArray:
        """Index of the nearest triangle of each point, -1 where none is within `reach` in [m]. Shape (k,)."""
        chunks = [points[k : k + _CHUNK].T for k in range(0, len(points), _CHUNK)]
        found = [self._nearest(np.ascontiguousarray(chunk), reach) for chunk in chunks]
        return np.concatenate(found) if found else np.zeros(0, dtype=np.int64)

    def distances(self, points: FloatArray, reach: float) -> FloatArray:
        """Distances in [m] to nearest triangles, infinite beyond `reach`. Shape (k,)."""
        index = self.nearest(points, reach)
        return np.where(index < 0, np.inf, np.sqrt(squares_to(self._frames[:, self._place[index]], points.T)))

    def _nearest(self, points: FloatArray, reach: float) -> IntArray:
        """As `nearest`, for points by axis, shape (3, k)."""
        number = int(points.shape[1])
        who = np.arange(number, dtype=np.int64)
        box = np.zeros_like(who)
        square = np.full(number, reach * reach)
        for depth, (low, high, sample) in enumerate(self._levels):
            if depth:
                who, box = self._children(who, box, depth)
            place = points[:, who]
            heads = _first_rows(who)
            bound = np.minimum.reduceat(_squares(place - sample[:, box]), heads) if len(heads) else square[:0]
            # A hair's breadth more, so that rounding never drops the box of the sample itself.
            square[who[heads]] = np.minimum(square[who[heads]], bound * (1.0 + 1e-9))
            gap = np.maximum(np.maximum(low[:, box] - place, place - high[:, box]), 0.0)
            keep = _squares(gap) <= square[who]
            who, box = who[keep], box[keep]
        index = self._starts[box][:, None] + np.arange(_LEAF)
        index = np.minimum(index, self._starts[box + 1][:, None] - 1)
        squares = squares_to(self._frames[:, index], points[:, who][:, :, None])
        pick = np.argmin(squares, axis=1)
        rows = np.arange(len(who))
        index, squares = index[rows, pick], squares[rows, pick]
        rows = np.lexsort((squares, who))
        rows = rows[_first_rows(who[rows])]
        rows = rows[squares[rows] <= reach * reach]
        nearest = np.full(number, -1)
        nearest[who[rows]] = self._order[index[rows]]
        return nearest

    def _last_box(self, depth: int) -> int:
        return self._levels[depth][0].shape[1] - 1

    def _children(self, who: IntArray, box: IntArray, depth: int) -> tuple[IntArray, IntArray]:
        child = (box[:, None] * _BRANCHES + np.arange(_BRANCHES)).reshape(-1)
        exists = child <= self._last_box(depth)
        return np.repeat(who, _BRANCHES)[exists], child[exists]


def _squares(vectors: FloatArray) -> FloatArray:
    """Squared lengths of vectors given by axis. Shape (k,)."""
    return vectors[0] * vectors[0] + vectors[1] * vectors[1] + vectors[2] * vectors[2]


def _first_rows(sorted_values: IntArray) -> IntArray:
    """Rows where a new value begins."""
    return np.flatnonzero(np.diff(sorted_values, prepend=-1))


def _padded(rows: FloatArray, multiple: int) -> FloatArray:
    missing = -len(rows) % multiple
    return np.concatenate([rows, np.repeat(rows[-1:], missing, axis=0)]) if missing else rows


def _bounds(number: int, splits: int) -> IntArray:
    """Where the 2^splits equal shares of a list begin, and its end."""
    return (number * np.arange((1 << splits) + 1)) >> splits


def _split_in_halves(centers: FloatArray, splits: int) -> IntArray:
    """Indices of points, halved again and again across the longest side of each share's box."""
    order = np.arange(len(centers))
    for level in range(splits):
        bounds = _bounds(len(centers), level)
        share = np.repeat(np.arange(1 << level), np.diff(bounds))
        places = centers[order]
        spans = np.maximum.reduceat(places, bounds[:-1]) - np.minimum.reduceat(places, bounds[:-1])
        along = places[np.arange(len(order)), np.argmax(spans, axis=1)[share]]
        order = order[np.lexsort((along, share))]
    return order
