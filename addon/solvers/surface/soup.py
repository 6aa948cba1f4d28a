# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Raw triangles to welded ones: the input checks and clean-up before anything is measured."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ...core.arrays import FloatArray, IntArray, frozen_floats, frozen_ints
from .errors import BadCoordinateError, EmptyMeshError, TriangleIndexError

WELD_TOLERANCE = 1e-6
"""Vertices closer than about this, as a share of the mesh's diagonal, are one: float32 files differ by 1e-7."""


@dataclass(frozen=True, eq=False)
class Soup:
    """Triangles whose equal corners share a vertex."""

    vertices: FloatArray
    """Positions in [m]. Shape (n, 3)."""
    triangles: IntArray
    """Three different vertex indices each, no two triangles with the same three. Shape (m, 3)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        object.__setattr__(self, "vertices", frozen_floats(self.vertices, (-1, 3), "vertices"))
        object.__setattr__(self, "triangles", frozen_ints(self.triangles, (-1, 3), "triangles"))

    def corners(self) -> FloatArray:
        """Corner positions. Shape (m, 3, 3): triangle, corner, axis."""
        return self._corners

    @cached_property
    def _corners(self) -> FloatArray:
        return self.vertices[self.triangles]

    def only(self, chosen: IntArray) -> Soup:
        """The chosen triangles, on the same vertices."""
        return Soup(self.vertices, self.triangles[chosen])


def weld(vertices: ArrayLike, triangles: ArrayLike) -> Soup:
    """Checked triangles with coinciding vertices merged, repeated and collapsed triangles dropped.

    Slivers of no area but three different corners stay: they hold a closed mesh together.

    Args:
        vertices: World positions in [m]. Shape (n, 3).
        triangles: Vertex indices. Shape (m, 3).

    Raises:
        ShapeError: Not (n, 3) and (m, 3).
        TriangleIndexError: A triangle refers to a missing vertex.
        BadCoordinateError: A vertex in use is not finite.
        EmptyMeshError: No triangles, or none with an area.
    """
    places = frozen_floats(vertices, (-1, 3), "vertices")
    faces = frozen_ints(triangles, (-1, 3), "triangles")
    if not len(faces):
        raise EmptyMeshError(0)
    if int(faces.min()) < 0 or int(faces.max()) >= len(places):
        wrong = ((faces < 0) | (faces >= len(places))).any(axis=1)
        raise TriangleIndexError(int(np.argmax(wrong)), len(places))
    used = np.zeros(len(places), dtype=np.bool_)
    used[faces.ravel()] = True
    if not np.isfinite(places[used]).all():
        raise BadCoordinateError("Vertex", int(np.argmax(used & ~np.isfinite(places).all(axis=1))))
    compact = np.cumsum(used) - 1
    merged, labels = _merge(places[used])
    faces = labels[compact[faces]]
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (c != a)]
    faces = _without_repeats(faces, len(merged))
    soup = Soup(merged, faces)
    # Almost always one of the first few has an area, and the others need not be asked.
    if not any((double_areas(Soup(merged, some)) > 0.0).any() for some in (faces[:100], faces)):
        raise EmptyMeshError(len(np.asarray(triangles)))
    return soup


def double_areas(soup: Soup) -> FloatArray:
    """Twice the area of each triangle in [m^2]. Shape (m,)."""
    a, b, c = np.moveaxis(soup.corners(), 1, 0)
    return np.linalg.norm(np.cross(b - a, c - a), axis=1)


def fingerprint(vertices: ArrayLike, triangles: ArrayLike) -> str:
    """A key that changes whenever a coordinate or an index does: what caches of surfaces are keyed by."""
    digest = hashlib.blake2b(digest_size=16)
    for array in (np.asarray(vertices, dtype=np.float64), np.asarray(triangles, dtype=np.int64)):
        digest.update(str(array.shape).encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def _merge(places: FloatArray) -> tuple[FloatArray, IntArray]:
    """Unique places and each place's index among them, on a lattice much finer than anything that is measured."""
    low = places.min(axis=0)
    size = float(np.linalg.norm(places.max(axis=0) - low))
    if size == 0.0:
        return places[:1], np.zeros(len(places), dtype=np.int64)
    # The odd shift keeps round coordinates off the lattice's own boundaries.
    cells = np.floor((places - low) / (WELD_TOLERANCE * size) + 0.3819660).astype(np.int64)
    side = int(1.0 / WELD_TOLERANCE) + 2
    _, first, labels = np.unique(
        (cells[:, 0] * side + cells[:, 1]) * side + cells[:, 2], return_index=True, return_inverse=True
    )
    return places[first], labels.reshape(-1).astype(np.int64)


def _without_repeats(faces: IntArray, vertices: int) -> IntArray:
    """Each set of three vertices once, whichever way round it runs."""
    low, middle, high = np.sort(faces, axis=1).T
    if vertices >= 2_000_000:  # The key below would not fit into 63 bits.
        first = np.unique(np.stack([low, middle, high], axis=1), axis=0, return_index=True)[1]
    else:
        first = np.unique((low * vertices + middle) * vertices + high, return_index=True)[1]
    return faces[np.sort(first)]
