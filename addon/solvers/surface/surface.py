# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The surface of an object: signed distances for many points at once, and exact ones for the last tenth of a mm."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ...core.arrays import BoolArray, FloatArray, frozen_floats
from .bvh import build_tree
from .errors import BadCoordinateError, SurfaceError
from .field import ClosestPoints, ExactField
from .grid import Lookup, SignedGrid
from .gridding import build_grid
from .holes import fill_small_holes
from .parts import Parts, take_apart
from .resolution import Box, choose_cell, lay_out
from .soup import weld
from .tree import TreeBuilder

ACCURACY = 5e-5
"""What distances near the surface may be off by, in [m]: half of the tenth of a millimetre that closing needs."""
SHELL_THICKNESS = 1e-3
"""How thick open parts are taken to be in [m]: sheet metal, leather, a blade."""

_SURE = 4.0
"""Distances by the grid that are longer than this, in accuracies, have the right sign outside doubtful cells."""
_CLEAR_SLOPE = 0.7
"""Shorter gradients of the grid point nowhere in particular."""


@dataclass(frozen=True, eq=False)
class Surface:
    """Signed distances to a mesh, negative inside.

    Closed parts are solids and overlap as a union; inside an overlap the depth is a lower bound, as the faces that
    are buried there still count. Open parts are sheets of a thickness. Neither needs its faces turned outwards.
    """

    field: ExactField
    """Exact distances."""
    box: Box
    """Where the grid's nodes are."""
    accuracy: float
    """What distances near the surface may be off by, in [m]."""
    closed: bool
    """Whether all parts of the mesh enclose a volume."""
    note: str
    """What a user should know about how the mesh was taken, in a sentence; empty for meshes without faults."""
    low: FloatArray
    """Lowest coordinates of the mesh in [m]. Shape (3,)."""
    high: FloatArray
    """Highest coordinates of the mesh in [m]. Shape (3,)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        object.__setattr__(self, "low", frozen_floats(self.low, (3,), "low"))
        object.__setattr__(self, "high", frozen_floats(self.high, (3,), "high"))

    @cached_property
    def grid(self) -> SignedGrid:
        """Distances for mass queries, computed when first asked for."""
        return build_grid(self.field, self.box, self.accuracy)

    def distance(self, points: ArrayLike, *, refine: bool = True) -> FloatArray:
        """Signed distances in [m] by the grid. Shape (k,).

        Within 0.4 cells of the surface they are as accurate as asked for when the surface was built, but for one point
        in a hundred, near edges that graze a cell, which may be off by a few times as much. Farther away they are
        about a cell off at worst, nineteen in twenty within a quarter; outside the grid's box they are too short.

        Args:
            points: Shape (k, 3).
            refine: Ask the tree where the grid is too coarse (edges, thin walls, sheets); without it lookups take
                the same time everywhere, but thin walls may be missed.
        """
        places = _checked(points)
        found = self.grid.lookup(places, doubt=refine)
        if found.doubts:
            unsure = places[found.doubtful]
            if self.field.solid is None or self.field.shell is not None:
                found.distances[found.doubtful] = self.field.distances(unsure, self.field.contains(unsure))
            else:
                away = self.field.solid.distances(unsure)
                found.distances[found.doubtful] = np.where(self._inside(unsure, away), -away, away)
        return found.distances

    def near_distance(self, points: ArrayLike, low: FloatArray, high: FloatArray) -> FloatArray:
        """What `distance` says, and what `exact_distance` says where that is between `low` and `high`. All (k,)."""
        places = _checked(points)
        if not self.field.tells_sides:
            distances = self.distance(places)
            near = ((distances > low) & (distances < high)).nonzero()[0]
            if len(near):
                distances[near] = self.exact_distance(places[near])
            return distances
        found = self.grid.lookup(places)
        asked = ((found.distances > low) & (found.distances < high) | found.doubtful).nonzero()[0]
        if len(asked):
            found.distances[asked] = self._exact(places[asked], found.take(asked))
        return found.distances

    def _inside(self, places: FloatArray, distances: FloatArray) -> BoolArray:
        """What `contains` says of points in doubtful cells, where there are solids only, by nodes where these tell.

        Args:
            places: Shape (k, 3).
            distances: To the nearest face in [m]. Shape (k,).
        """
        inside, known = self.grid.sides(places, distances)
        if not known.all():
            inside[~known] = self.field.contains(places[~known])
        return inside

    def exact_distance(self, points: ArrayLike) -> FloatArray:
        """Signed distances in [m] through the tree, exact at any distance. Shape (k,)."""
        places = _checked(points)
        if "grid" not in vars(self) or not self.field.tells_sides:
            return self.field.distances(places, self._contains(places))
        return self._exact(places, self.grid.lookup(places))

    def _exact(self, places: FloatArray, found: Lookup) -> FloatArray:
        """Exact signed distances in [m] of points (k, 3) of which the grid says that, where the field tells sides."""
        distances, behind = self.field.sided(places)
        contained = np.where(np.abs(found.distances) < _SURE * self.accuracy, behind, found.distances < 0.0)
        if found.doubts:
            contained[found.doubtful] = self._inside(places[found.doubtful], distances[found.doubtful])
        return np.where(contained, -distances, distances)

    def closest(self, points: ArrayLike) -> ClosestPoints:
        """Closest points, normals and signed distances through the tree, exact at any distance."""
        places = _checked(points)
        return self.field.closest(places, self._contains(places))

    def gradient(self, points: ArrayLike) -> FloatArray:
        """Unit directions in which the distance grows. Shape (k, 3).

        By the grid, and through the tree where the grid has no clear slope: in thin walls, on ridges, and away from
        the surface where it only knows lower bounds.
        """
        places = _checked(points)
        slopes = self.grid.gradient(places)
        length = np.linalg.norm(slopes, axis=1)
        weak = np.flatnonzero(length < _CLEAR_SLOPE)
        slopes[weak] = self.field.closest(places[weak], self._contains(places[weak])).normals
        length[weak] = 1.0
        return slopes / length[:, None]

    def _contains(self, places: FloatArray) -> BoolArray:
        """Whether points are inside a solid; the grid, if built, knows of all that are not at the very surface."""
        if self.field.half_thickness > 0.0 or "grid" not in vars(self):
            return self.field.contains(places)
        found = self.grid.lookup(places)
        contained = found.distances < 0.0
        unsure = np.abs(found.distances) < _SURE * self.accuracy
        for rows, test in ((found.doubtful, self.field.contains), (unsure & ~found.doubtful, self.field.behind)):
            if rows.any():
                contained[rows] = test(places[rows])
        return contained


def build_surface(
    vertices: ArrayLike,
    triangles: ArrayLike,
    *,
    accuracy: float = ACCURACY,
    cell: float | None = None,
    thickness: float = SHELL_THICKNESS,
    tree_builder: TreeBuilder = build_tree,
) -> Surface:
    """The surface of a triangle mesh.

    Args:
        vertices: World positions in [m]. Shape (n, 3).
        triangles: Vertex indices; their direction does not matter. Shape (m, 3).
        accuracy: What distances near the surface may be off by, in [m].
        cell: Cell size of the grid in [m]; chosen from the mesh's size and thickness if not given. Meshes that would
            need too many cells get larger ones.
        thickness: Of open parts in [m].
        tree_builder: What finds nearest triangles; Blender's tree where there is one.

    Raises:
        SurfaceError: An empty mesh, coordinates that are not numbers, wrong indices, sizes that are not positive.
    """
    for name, size in (("accuracy", accuracy), ("cell size", cell), ("thickness", thickness)):
        if size is not None and not (np.isfinite(size) and size > 0.0):
            raise SurfaceError(f"The surface's {name} must be a positive number of metres, not {size}.")
    soup = weld(vertices, triangles)
    parts, holes = take_apart(soup), 0
    if parts.shell_parts:
        # Pipes are often open where they end in something else, as the handles of many cups are, and have an inside.
        filled, holes = fill_small_holes(soup)
        parts = take_apart(filled) if holes else parts
    field = ExactField(parts, thickness=thickness, tree_builder=tree_builder)
    return Surface(
        field=field,
        box=lay_out(field.low, field.high, cell or choose_cell(parts, accuracy)),
        accuracy=accuracy,
        closed=parts.shell_parts == 0,
        note=_note(parts, thickness, holes),
        low=field.low,
        high=field.high,
    )


def _note(parts: Parts, thickness: float, holes: int) -> str:
    if parts.shell_parts:
        which = "The mesh is" if not parts.solid_parts else f"{parts.shell_parts} of the mesh's parts are"
        return f"{which} open or non-manifold and counts as a sheet {thickness * 1000.0:g} mm thick."
    if holes:
        return f"{holes} small holes of the mesh count as closed." if holes > 1 else "A small hole counts as closed."
    return ""


def _checked(points: ArrayLike) -> FloatArray:
    places = np.asarray(points, dtype=np.float64)
    if places.ndim != 2 or places.shape[1] != 3:
        places = frozen_floats(places, (-1, 3), "points")
    if not np.isfinite(places).all():
        raise BadCoordinateError("Point", int(np.argmin(np.isfinite(places).all(axis=1))))
    return places
