# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact signed distances to a mesh's solid parts and sheets together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray, frozen_floats
from .bvh import build_tree
from .kept import Kept
from .parts import Parts
from .pointtriangle import NORMAL, closest_on, squares_to, triangle_frames
from .solid import Solid
from .soup import Soup
from .tree import TreeBuilder

_TOUCHING = 1e-9
"""Closer than this in [m] a direction to the surface is rounding noise, and the face's own normal is taken."""


@dataclass(frozen=True, eq=False)
class ClosestPoints:
    """Closest points of a surface: `queried = points + distances * normals`."""

    points: FloatArray
    """On the surface, in [m]. Shape (k, 3)."""
    normals: FloatArray
    """Unit directions in which the distance grows. Shape (k, 3)."""
    distances: FloatArray
    """Signed distances of the queried points in [m], negative inside. Shape (k,)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        number = len(self.points)
        object.__setattr__(self, "points", frozen_floats(self.points, (number, 3), "points"))
        object.__setattr__(self, "normals", frozen_floats(self.normals, (number, 3), "normals"))
        object.__setattr__(self, "distances", frozen_floats(self.distances, (number,), "distances"))


class Sheet:
    """Unsigned distances to triangles."""

    def __init__(self, soup: Soup, tree_builder: TreeBuilder) -> None:
        """Build the tree; the triangles' frames are computed when they are first met."""
        self.corners = soup.corners()
        self._frames = Kept(15, len(self.corners), self._measure)
        self._tree = tree_builder(soup)

    def distances(self, points: FloatArray) -> FloatArray:
        """Distances in [m]. Shape (k,)."""
        return np.sqrt(squares_to(self._frames_of(self._tree.nearest(points)), points.T))

    def node_distances(self, points: FloatArray, reach: float) -> FloatArray:
        """The same to a millionth of the mesh's size, in half the time; infinite beyond `reach`. Shape (k,)."""
        return self._tree.distances(points, reach)

    def closest(self, points: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Closest points (k, 3), their faces' normals (k, 3) and distances (k,)."""
        frames = self._frames_of(self._tree.nearest(points))
        places, distances = closest_on(frames, points)
        return places, frames[NORMAL].T, distances

    def _frames_of(self, index: IntArray) -> FloatArray:
        """Frames of triangles. Shape (15, k)."""
        return self._frames.take(index)

    def _measure(self, index: IntArray) -> FloatArray:
        """The same, computed."""
        return triangle_frames(self.corners[index])


class ExactField:
    """The union of a mesh's solids and of its sheets, which are given a thickness."""

    def __init__(self, parts: Parts, *, thickness: float, tree_builder: TreeBuilder = build_tree) -> None:
        """Build the trees.

        Args:
            parts: The mesh.
            thickness: Of open parts, half of it on either side, in [m].
            tree_builder: What finds nearest triangles.
        """
        solid, shell = parts.solid, parts.shell
        some = [soup for soup in (solid, shell) if len(soup.triangles)]
        self.corners = some[0].corners() if len(some) == 1 else np.concatenate([soup.corners() for soup in some])
        self.low = np.min([soup.box[0] for soup in some], axis=0)
        self.high = np.max([soup.box[1] for soup in some], axis=0)
        self._half, self._oriented = thickness / 2.0, parts.oriented
        self.solid = Sheet(solid, tree_builder) if len(solid.triangles) else None
        self.shell = Sheet(shell, tree_builder) if len(shell.triangles) else None
        self.inside = Solid(solid.axes, oriented=parts.oriented) if self.solid else None

    @property
    def half_thickness(self) -> float:
        """Half the thickness of sheets in [m]; 0 when there are none."""
        return self._half if self.shell else 0.0

    def contains(self, points: FloatArray) -> BoolArray:
        """Whether points are inside a solid part. Shape (k,)."""
        return self.inside.contains(points) if self.inside else np.zeros(len(points), dtype=np.bool_)

    def behind(self, points: FloatArray) -> BoolArray:
        """Whether points are behind their nearest face: inside, where no other face is near. Shape (k,)."""
        if self.solid is None or not self._oriented:
            return self.contains(points)
        return self.sided(points)[1]

    def sided(self, points: FloatArray) -> tuple[FloatArray, BoolArray]:
        """Unsigned distances in [m] to solids whose faces all run the same way round, and what `behind` says."""
        assert self.solid is not None
        places, normals, distances = self.solid.closest(points)
        return distances, np.einsum("ki,ki->k", points - places, normals) < 0.0

    @property
    def tells_sides(self) -> bool:
        """Whether there is nothing but solids whose faces all run the same way round."""
        return self.solid is not None and self.shell is None and self._oriented

    def distances(self, points: FloatArray, contained: BoolArray) -> FloatArray:
        """Signed distances in [m]. Shape (k,).

        Args:
            points: Shape (k, 3).
            contained: What `contains` says of the points. Shape (k,).
        """
        distances = np.full(len(points), np.inf)
        if self.solid:
            distances = self.solid.distances(points)
            distances = np.where(contained, -distances, distances)
        if self.shell:
            distances = np.minimum(distances, self.shell.distances(points) - self._half)
        return distances

    def node_distances(self, points: FloatArray, contained: BoolArray, reach: float) -> FloatArray:
        """The same to a millionth of the mesh's size, infinite where none was found within `reach` in [m]. (k,)."""
        distances = np.full(len(points), np.inf)
        if self.solid:
            distances = self.solid.node_distances(points, reach)
            distances = np.where(contained & np.isfinite(distances), -distances, distances)
        if self.shell:
            distances = np.minimum(distances, self.shell.node_distances(points, reach + self._half) - self._half)
        return distances

    def closest(self, points: FloatArray, contained: BoolArray) -> ClosestPoints:
        """Closest points on the union's surface; `contained` as in `distances`."""
        places, normals = points.copy(), np.zeros_like(points)
        distances = np.full(len(points), np.inf)
        if self.solid:
            places, face_normals, gaps = self.solid.closest(points)
            distances = np.where(contained, -gaps, gaps)
            normals = _directions(points - places, face_normals, distances)
        if self.shell:
            middles, face_normals, gaps = self.shell.closest(points)
            directions = _directions(points - middles, face_normals, gaps)
            nearer = gaps - self._half < distances
            distances = np.where(nearer, gaps - self._half, distances)
            normals = np.where(nearer[:, None], directions, normals)
            places = np.where(nearer[:, None], middles + self._half * directions, places)
        return ClosestPoints(places, normals, distances)


def _directions(offsets: FloatArray, face_normals: FloatArray, distances: FloatArray) -> FloatArray:
    """Unit directions of growing distance: along the offset, or the face's normal on the surface itself."""
    touching = np.abs(distances) < _TOUCHING
    return np.where(touching[:, None], face_normals, offsets / np.where(touching, 1.0, distances)[:, None])
