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
        assert BVHTree is not None, "Blender's tree needs Blender."
        used = np.zeros(len(soup.vertices), dtype=np.bool_)
        used[soup.triangles] = True
        places, triangles = soup.vertices[used], (np.cumsum(used) - 1)[soup.triangles]
        self._middle = (places.min(axis=0) + places.max(axis=0)) / 2.0
        self._near = _NEAR * float(np.linalg.norm(np.ptp(places, axis=0)))
        with _no_collecting():
            self._tree: Any = BVHTree.FromPolygons(
                (places - self._middle).tolist(), triangles.tolist(), all_triangles=True
            )

    def nearest(self, points: FloatArray, reach: float = np.inf) -> IntArray:
        """Index of the nearest triangle of each point, -1 where none is within `reach` in [m]. Shape (k,)."""
        if not np.isinf(reach):
            return self._search(points, reach)
        found = self._search(points, self._near)
        missed = np.flatnonzero(found < 0)
        if len(missed):
            found[missed] = self._search(points[missed], _FAR)
        return found

    def _search(self, points: FloatArray, reach: float) -> IntArray:
        find = self._tree.find_nearest
        found: list[int | None] = [find(place, reach)[2] for place in (points - self._middle).tolist()]
        return np.array([-1 if index is None else index for index in found], dtype=np.int64)


def build_tree(soup: Soup) -> TriangleTree:
    """Blender's tree where there is one, else numpy's."""
    return NumpyTree(soup) if BVHTree is None else BlenderTree(soup)
