# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Nearest triangles through Blender's own tree, which is C: the fast twin of `NumpyTree`.

The only pure module that may see `mathutils`. Outside Blender there is none, and `build_tree` gives the numpy tree.
"""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.arrays import FloatArray, IntArray
from .soup import Soup
from .tree import NumpyTree, TriangleTree

try:
    from mathutils.bvhtree import BVHTree
except ImportError:  # Not inside Blender.
    BVHTree = None


_FAR = 1e18
"""Stands for infinity in [m], as the tree squares it in single precision."""

_NEAR = 0.005
"""What is tried first, as a share of the mesh's diagonal: without a limit a search takes three times as long."""


_DENSE = 20_000
"""Meshes of more triangles are built block by block: a tree takes half a second for a million."""
_IN_BLOCK = 1_000
"""About how many triangles a block holds: a tree of them takes half a millisecond."""
_ROUNDING = 1e-6
"""What single precision is off by at most, as a share of what is computed."""
_MOST_ACROSS = 40
"""Blocks along an axis at most, so that their numbers fit into sixteen bits."""


@contextmanager
def _no_collecting() -> Generator[None, None, None]:
    """Keep Python from looking for garbage among hundreds of thousands of new lists, again and again."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


class BlenderTree:
    """A `mathutils` tree. It works in float32, so all coordinates are taken from the middle of the mesh."""

    def __init__(self, soup: Soup) -> None:
        """Build the tree."""
        self._middle = soup.box.mean(axis=0)
        self._near = _NEAR * float(np.linalg.norm(soup.box[1] - soup.box[0]))
        self._tree = _grow(soup.vertices - self._middle, soup.triangles)

    def nearest(self, points: FloatArray, reach: float = np.inf) -> IntArray:
        """Index of the nearest triangle of each point, -1 where none is within `reach` in [m]. Shape (k,)."""
        if not np.isinf(reach):
            return self._search(points, reach)
        found = self._search(points, self._near)
        missed = np.flatnonzero(found < 0)
        if len(missed):
            found[missed] = self._search(points[missed], _FAR)
        return found

    def distances(self, points: FloatArray, reach: float) -> FloatArray:
        """Distances in [m] to nearest triangles in single precision, infinite beyond `reach`. Shape (k,)."""
        find = self._tree.find_nearest
        told: list[float | None] = [find(place, reach)[3] for place in (points - self._middle).tolist()]
        found = np.array(told, dtype=np.float64)
        # What None has become.
        found[np.isnan(found)] = np.inf
        return found

    def _search(self, points: FloatArray, reach: float) -> IntArray:
        find = self._tree.find_nearest
        found: list[int | None] = [find(place, reach)[2] for place in (points - self._middle).tolist()]
        return np.array([-1 if index is None else index for index in found], dtype=np.int64)


class BlockTree:
    """`mathutils` trees of parts of a mesh, each built when something comes near: a hand never meets all of it."""

    def __init__(self, soup: Soup) -> None:
        """Sort the triangles into blocks."""
        self._soup, self._middle = soup, soup.box.mean(axis=0)
        size = soup.box[1] - soup.box[0]
        # About as many blocks on the surface as wanted, as if it were a box's.
        area = 2.0 * float(size[0] * size[1] + size[1] * size[2] + size[2] * size[0])
        edge = max(np.sqrt(area * _IN_BLOCK / len(soup.triangles)), float(size.max()) / _MOST_ACROSS)
        shape = np.maximum(np.ceil(size / edge), 1.0)
        place = soup.axes.mean(axis=1)
        place -= soup.box[0][:, None]
        place /= edge
        x, y, z = np.minimum(place.astype(np.uint16), (shape[:, None] - 1.0).astype(np.uint16))
        # Sixteen bits are sorted by counting.
        number = (x * np.uint16(shape[1]) + y) * np.uint16(shape[2]) + z
        self._order = np.argsort(number, kind="stable")
        ordered = number[self._order]
        begins = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
        self._bounds = np.append(begins, len(ordered))
        one, two, three = (soup.axes - self._middle[:, None, None]).astype(np.float32).transpose(1, 0, 2)
        low, high = np.minimum(np.minimum(one, two), three), np.maximum(np.maximum(one, two), three)
        self._low = np.minimum.reduceat(low.take(self._order, axis=1), begins, axis=1)
        self._high = np.maximum.reduceat(high.take(self._order, axis=1), begins, axis=1)
        self._blur = _ROUNDING * float(np.linalg.norm(size))
        self._trees: dict[int, tuple[Any, list[int]]] = {}
        self._number = np.empty(len(soup.vertices), dtype=np.int64)

    def nearest(self, points: FloatArray, reach: float = np.inf) -> IntArray:
        """Index of the nearest triangle of each point, -1 where none is within `reach` in [m]. Shape (k,)."""
        return np.array(self._search(points, reach)[0], dtype=np.int64)

    def distances(self, points: FloatArray, reach: float) -> FloatArray:
        """Distances in [m] to nearest triangles in single precision, infinite beyond `reach`. Shape (k,)."""
        index, best = self._search(points, reach)
        return np.where(np.array(index, dtype=np.int64) < 0, np.inf, np.array(best, dtype=np.float64))

    def _search(self, points: FloatArray, reach: float) -> tuple[list[int], list[float]]:
        """What `nearest` says, and how far in [m] that is."""
        # Lists, as numpy takes long to read and write single numbers.
        index, best = [-1] * len(points), [min(reach, _FAR)] * len(points)
        if not len(points):
            return index, best
        trees = self._trees
        local = points - self._middle
        places: list[list[float]] = local.tolist()
        away, asked = self._away(local), np.arange(len(points))
        while True:
            block = np.argmin(away[asked], axis=1)
            nearer = away[asked, block] < np.array(best)[asked]
            asked, block = asked[nearer], block[nearer]
            if not len(asked):
                return index, best
            away[asked, block] = np.inf
            for k, each in zip(asked.tolist(), block.tolist(), strict=True):
                find, members = trees.get(each) or self._tree(each)
                _, _, found, distance = find(places[k], best[k])
                if found is not None:
                    index[k], best[k] = members[found], distance

    def _away(self, local: FloatArray) -> NDArray[np.float32]:
        """How far in [m] points are from all blocks, a hair less, as float32 knows no more. Shape (k, b).

        Args:
            local: The points from the middle of the mesh. Shape (k, 3).
        """
        square = np.zeros((len(local), len(self._bounds) - 1), dtype=np.float32)
        for axis, place in enumerate(local.T.astype(np.float32)[:, :, None]):
            gap = self._low[axis] - place
            np.maximum(gap, place - self._high[axis], out=gap)
            np.maximum(gap, 0.0, out=gap)
            gap *= gap
            square += gap
        np.sqrt(square, out=square)
        square *= 1.0 - _ROUNDING
        square -= self._blur
        return square

    def _tree(self, block: int) -> tuple[Any, list[int]]:
        """Build what finds the nearest triangle of a block, and the numbers of its triangles in the mesh."""
        members = self._order[self._bounds[block] : self._bounds[block + 1]]
        corners = self._soup.triangles[members].reshape(-1)
        # Of the corners that are the same vertex the last one's place stays, and numbers it.
        places = np.arange(len(corners))
        self._number[corners] = places
        used = corners[self._number[corners] == places]
        self._number[used] = np.arange(len(used))
        tree = _grow(self._soup.vertices[used] - self._middle, self._number[corners].reshape(-1, 3))
        self._trees[block] = tree.find_nearest, members.tolist()
        return self._trees[block]


def _grow(places: FloatArray, triangles: IntArray) -> Any:
    assert BVHTree is not None, "Blender's tree needs Blender."
    with _no_collecting():
        return BVHTree.FromPolygons(places.tolist(), triangles.tolist(), all_triangles=True)


def build_tree(soup: Soup) -> TriangleTree:
    """Blender's tree where there is one, in blocks for dense meshes, else numpy's."""
    if BVHTree is None:
        return NumpyTree(soup)
    return BlenderTree(soup) if len(soup.triangles) < _DENSE else BlockTree(soup)
