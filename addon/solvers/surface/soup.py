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
from ...core.by_axis import cross, dot, length
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
        """Corner positions. Shape (m, 3, 3): triangle, corner, axis; in memory as `axes`."""
        return self.axes.transpose(2, 1, 0)

    @cached_property
    def axes(self) -> FloatArray:
        """Corner positions by axis and corner, which numpy goes through much faster. Shape (3, 3, m)."""
        return np.ascontiguousarray(self.vertices.T).take(np.ascontiguousarray(self.triangles.T), axis=1)

    @cached_property
    def spans(self) -> FloatArray:
        """Each triangle's normal times twice its area, in [m^2], by axis. Shape (3, m)."""
        a, b, c = (self.axes[:, k] for k in range(3))
        return cross(b - a, c - a)

    @cached_property
    def volumes(self) -> FloatArray:
        """Signed volumes in [m^3] between each triangle and the middle of the vertices. Shape (m,)."""
        away = self.axes[:, 0] - self.vertices.mean(axis=0)[:, None]
        return dot(away, self.spans) / 6.0

    @cached_property
    def box(self) -> FloatArray:
        """Lowest and highest coordinates of the triangles in [m]. Shape (2, 3)."""
        used = np.zeros(len(self.vertices), dtype=np.bool_)
        used[self.triangles.reshape(-1)] = True
        places = self.vertices if used.all() else self.vertices[used]
        return np.stack([np.array([axis.min(), axis.max()]) for axis in np.ascontiguousarray(places.T)], axis=1)

    def only(self, chosen: IntArray) -> Soup:
        """The chosen triangles, in their order, on the same vertices."""
        return self if len(chosen) == len(self.triangles) else Soup(self.vertices, self.triangles[chosen])


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
    used[faces.reshape(-1)] = True
    if not used.all():
        faces = (np.cumsum(used) - 1)[faces]
    if not np.isfinite(places).all() and not np.isfinite(places[used]).all():
        raise BadCoordinateError("Vertex", int(np.argmax(used & ~np.isfinite(places).all(axis=1))))
    merged, labels = _merge(places if used.all() else places[used])
    if labels is not None:
        faces = labels[faces]
    a, b, c = np.ascontiguousarray(faces.T)
    proper = (a != b) & (b != c) & (c != a)
    if not proper.all():
        faces = faces[proper]
    faces = _without_repeats(faces, len(merged))
    for array in (merged, faces):
        array.setflags(write=False)
    soup = Soup(merged, faces)
    # Almost always one of the first few has an area, and the others need not be asked.
    if not any((double_areas(Soup(merged, some)) > 0.0).any() for some in (faces[:100], faces)):
        raise EmptyMeshError(len(np.asarray(triangles)))
    return soup


def double_areas(soup: Soup) -> FloatArray:
    """Twice the area of each triangle in [m^2]. Shape (m,)."""
    return length(soup.spans)


def fingerprint(vertices: ArrayLike, triangles: ArrayLike) -> str:
    """A key that changes whenever a coordinate or an index does: what caches of surfaces are keyed by."""
    digest = hashlib.blake2b(digest_size=16)
    for array in (np.asarray(vertices, dtype=np.float64), np.asarray(triangles, dtype=np.int64)):
        digest.update(str(array.shape).encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def _merge(places: FloatArray) -> tuple[FloatArray, IntArray | None]:
    """Unique places and each place's index among them, on a lattice much finer than anything that is measured.

    Where all places differ they are given back as they are, and no index.
    """
    axes = np.ascontiguousarray(places.T)
    low = axes.min(axis=1)
    size = float(np.linalg.norm(axes.max(axis=1) - low))
    if size == 0.0:
        return places[:1], np.zeros(len(places), dtype=np.int64)
    # The odd shift keeps round coordinates off the lattice's own boundaries.
    x, y, z = np.floor((axes - low[:, None]) / (WELD_TOLERANCE * size) + 0.3819660).astype(np.int64)
    side = int(1.0 / WELD_TOLERANCE) + 2
    keys = (x * side + y) * side + z
    if not _repeats(keys):
        return places, None
    _, first, labels = np.unique(keys, return_index=True, return_inverse=True)
    return places[first], labels.reshape(-1).astype(np.int64)


def _without_repeats(faces: IntArray, vertices: int) -> IntArray:
    """Each set of three vertices once, whichever way round it runs."""
    a, b, c = np.ascontiguousarray(faces.T)
    low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
    middle = a + b + c - low - high
    if vertices >= 2_000_000:  # The key below would not fit into 63 bits.
        first = np.unique(np.stack([low, middle, high], axis=1), axis=0, return_index=True)[1]
        return faces[np.sort(first)]
    keys = (low * vertices + middle) * vertices + high
    return faces[np.sort(np.unique(keys, return_index=True)[1])] if _repeats(keys) else faces


def _repeats(keys: IntArray) -> bool:
    """Whether any key is there twice: sorting alone takes half as long as telling where."""
    ordered = np.sort(keys, kind="stable")
    return bool((ordered[1:] == ordered[:-1]).any())
