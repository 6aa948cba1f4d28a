# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces of objects, built once and kept until the mesh, its modifiers or its scale change."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..rig.surface import NoMeshError, PlacedTriangles, read_shape
from ..solvers.surface import ClosestPoints, Surface, build_surface, fingerprint
from ..solvers.surface.errors import SurfaceError

MOST_SURFACES = 12
"""Surfaces that are kept; each holds up to ten megabytes."""

_surfaces: OrderedDict[str, tuple[Surface, FloatArray]] = OrderedDict()
"""Surfaces and the vertices they were built from, by what is shown."""


@dataclass(frozen=True, eq=False)
class WorldSurface:
    """An object's surface where the object is."""

    name: str
    """The object's name."""
    surface: Surface
    """Its surface in a frame that moves with it."""
    T_world_frame: FloatArray
    """That frame. Shape (4, 4)."""
    vertices: FloatArray
    """Its vertices in that frame in [m]. Shape (n, 3)."""

    def distance(self, points: FloatArray) -> FloatArray:
        """Signed distances in [m] for many world points (n, 3), by the grid. Shape (n,)."""
        return self.surface.distance(self.to_frame(points))

    def quick_distance(self, points: FloatArray) -> FloatArray:
        """Signed distances in [m] by the grid alone, which is built if need be; walls under a cell may be missed."""
        return self.quick_in_frame(self.to_frame(points))

    def quick_in_frame(self, points: FloatArray) -> FloatArray:
        """The same for points (n, 3) in the object's frame. Shape (n,)."""
        return self.surface.distance(points, refine=False)

    def exact_distance(self, points: FloatArray) -> FloatArray:
        """Exact signed distances in [m] of world points (n, 3). Shape (n,)."""
        return self.surface.exact_distance(self.to_frame(points))

    def near_distance(self, points: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
        """Signed distances in [m] of world points (n, 3), exact where they are between `low` and `high`. All (n,)."""
        return self.surface.near_distance(self.to_frame(points), low, high)

    def closest(self, points: FloatArray) -> ClosestPoints:
        """Closest points of the surface in the world."""
        found = self.surface.closest(self.to_frame(points))
        turn, origin = self.T_world_frame[:3, :3], self.T_world_frame[:3, 3]
        return ClosestPoints(found.points @ turn.T + origin, found.normals @ turn.T, found.distances)

    def to_frame(self, points: FloatArray) -> FloatArray:
        """World points in the object's frame. Shape (n, 3)."""
        return (points - self.T_world_frame[:3, 3]) @ self.T_world_frame[:3, :3]

    @property
    def size(self) -> FloatArray:
        """Extents along the frame's axes in [m]. Shape (3,)."""
        return self.surface.high - self.surface.low


def surface_of(obj: Any, depsgraph: Any) -> WorldSurface:
    """The surface of an object as it is shown.

    Raises:
        NoMeshError: The object has no faces.
        SurfaceError: Its mesh has no area, or coordinates that are not numbers.
    """
    shape = read_shape(obj, depsgraph, _surfaces)
    if shape.triangles is not None:
        return place_surface(obj.name, shape.triangles)
    return _kept(obj.name, shape.key, shape.T_world_frame)


def surfaces_of(objects: Iterable[Any], depsgraph: Any) -> list[WorldSurface]:
    """The surfaces of those objects that have one, as they are shown."""
    found: list[WorldSurface] = []
    for obj in objects:
        try:
            found.append(surface_of(obj, depsgraph))
        except (NoMeshError, SurfaceError):
            continue
    return found


def place_surface(name: str, placed: PlacedTriangles) -> WorldSurface:
    """The surface of triangles, from those that are kept or built now.

    Raises:
        SurfaceError: The mesh has no area, or coordinates that are not numbers.
    """
    key = placed.key or fingerprint(placed.vertices, placed.triangles)
    if key not in _surfaces:
        try:
            _surfaces[key] = build_surface(placed.vertices, placed.triangles), placed.vertices
        except SurfaceError as error:
            raise SurfaceError(f"Object '{name}' cannot be closed on. {error}") from error
    return _kept(name, key, placed.T_world_frame)


def _kept(name: str, key: str, T_world_frame: FloatArray) -> WorldSurface:
    _surfaces.move_to_end(key)
    while len(_surfaces) > MOST_SURFACES:
        _surfaces.popitem(last=False)
    surface, vertices = _surfaces[key]
    return WorldSurface(name, surface, T_world_frame, vertices)


def forget_surfaces() -> None:
    """Have all surfaces built anew."""
    _surfaces.clear()


def nearest_of(surfaces: Sequence[WorldSurface], points: FloatArray) -> FloatArray:
    """Exact signed distances in [m] to the nearest of some surfaces; infinite for none. Shape (n,)."""
    found = np.full(len(points), np.inf)
    for surface in surfaces:
        found = np.minimum(found, surface.exact_distance(points))
    return found
