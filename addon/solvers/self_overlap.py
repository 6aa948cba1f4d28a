# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How deep a posed hand's skin lies inside its own other parts, and how near two of its parts come."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np

from ..core.arrays import FloatArray, IntArray, frozen_floats, frozen_ints
from .surface import build_surface
from .surface.field import ExactField
from .surface.solid import Solid

PALM = -1
"""Part of all skin that is of no finger."""
CREASE = 0.015
"""Way along the skin at rest in [m] up to which two places are one fold, such as that of a knuckle or a web."""
_REACH = 0.03
"""How far in [m] from skin that is inside its nearest way out is looked for: more than half a finger."""
_THIN = 1e-9
"""Thickness in [m] of pieces of skin that others are measured against: none, but surfaces ask for some."""


@dataclass(frozen=True, eq=False)
class SkinParts:
    """A closed skin cut into fingers and palm."""

    triangles: IntArray
    """Vertex indices, outward. Shape (t, 3)."""
    part: IntArray
    """Part of each vertex: the number of its finger, or `PALM`. Shape (n,)."""
    owner: IntArray
    """Part of each triangle. Shape (t,)."""
    from_border: FloatArray
    """Way in [m] along the skin at rest from each finger's border with the rest. Shape (f, n)."""
    borders: tuple[IntArray, ...]
    """Directed edges of each finger's faces where it is cut off. Shape (b, 2) each."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        n, t = len(self.part), len(self.triangles)
        set_field = object.__setattr__
        set_field(self, "triangles", frozen_ints(self.triangles, (t, 3), "triangles"))
        set_field(self, "part", frozen_ints(self.part, (n,), "part"))
        set_field(self, "owner", frozen_ints(self.owner, (t,), "owner"))
        set_field(self, "from_border", frozen_floats(self.from_border, (-1, n), "from_border"))


def cut_skin(points: FloatArray, triangles: IntArray, part: IntArray) -> SkinParts:
    """A closed skin at rest cut into its parts.

    Args:
        points: Vertices at rest in [m]. Shape (n, 3).
        triangles: Outward faces. Shape (t, 3).
        part: The number of each vertex's finger, `PALM` for the rest. Shape (n,).
    """
    corners = part[triangles]
    # A face belongs to the part that two of its corners agree on; to the palm where three fingers would meet.
    owner = np.where(corners[:, 0] == corners[:, 1], corners[:, 0], corners[:, 2])
    agreed = (corners == owner[:, None]).sum(axis=1) >= 2
    owner = np.where(agreed, owner, PALM)
    count = int(part.max(initial=PALM)) + 1
    neighbours = _neighbours(points, triangles)
    borders = tuple(_border(triangles[owner == finger], len(points)) for finger in range(count))
    ways = np.array([_ways(neighbours, np.unique(each)) for each in borders]).reshape(count, -1)
    return SkinParts(triangles=triangles, part=part, owner=owner, from_border=ways, borders=borders)


def own_depths(parts: SkinParts, points: FloatArray) -> FloatArray:
    """How deep in [m] each finger's vertices lie inside other fingers or the palm; folds do not count. Shape (n,).

    A finger is cut off, the hole that it leaves is closed, and its vertices are looked for in what remains. Skin that
    is inside next to the cut (`CREASE`) is the fold of a bent knuckle, not a finger in another.

    Args:
        parts: The skin's parts.
        points: Where its vertices are now in [m]. Shape (n, 3).
    """
    depths = np.zeros(len(points))
    for finger in range(len(parts.from_border)):
        rows = np.flatnonzero(parts.part == finger)
        faces = parts.triangles[parts.owner != finger]
        corners = np.concatenate([points[faces], _lid(points, parts.borders[finger])])
        inside = rows[Solid(np.ascontiguousarray(corners.transpose(2, 1, 0)), oriented=True).contains(points[rows])]
        if not len(inside):
            continue
        faces = _faces_near(points, faces, points[inside])
        found = _sheet(points, faces).closest(points[inside], np.zeros(len(inside), dtype=np.bool_))
        ends = _nearest_vertices(points, faces, found.points)
        way = parts.from_border[finger]
        deep = way[inside] + way[ends] > CREASE
        depths[inside[deep]] = np.abs(found.distances[deep])
    return depths


def bone_gap(parts: SkinParts, points: FloatArray, first: IntArray, second: IntArray) -> float:
    """Smallest distance in [m] from some vertices to the skin of others, folds left out.

    Args:
        parts: The skin's parts.
        points: Where its vertices are now in [m]. Shape (n, 3).
        first: Vertices of one finger. Shape (a,).
        second: Vertices of another finger or of the palm. Shape (b,).
    """
    others = np.zeros(len(points), dtype=np.bool_)
    others[second] = True
    faces = parts.triangles[others[parts.triangles].sum(axis=1) >= 2]
    found = _sheet(points, faces).closest(points[first], np.zeros(len(first), dtype=np.bool_))
    distances = np.abs(found.distances)
    finger = int(np.bincount(parts.part[first] + 1).argmax()) - 1
    if finger != PALM:
        ends = _nearest_vertices(points, faces, found.points)
        way = parts.from_border[finger]
        distances = np.where(way[first] + way[ends] > CREASE, distances, np.inf)
    return float(distances.min(initial=np.inf))


def _sheet(points: FloatArray, faces: IntArray) -> ExactField:
    """Distances to an open piece of skin, which has no thickness of its own here."""
    return build_surface(points, faces, thickness=_THIN).field


def _border(faces: IntArray, count: int) -> IntArray:
    """Directed edges that only one of some faces has, of a mesh of `count` vertices. Shape (b, 2)."""
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    there, back = edges @ np.array([count, 1]), edges @ np.array([1, count])
    return edges[~np.isin(there, back)]


def _lid(points: FloatArray, border: IntArray) -> FloatArray:
    """Triangles from a finger's border to its middle that close the hole it leaves. Shape (b, 3, 3)."""
    if not len(border):
        return np.zeros((0, 3, 3))
    ends = points[border]
    middle = np.broadcast_to(points[np.unique(border)].mean(axis=0), ends[:, 0].shape)
    return np.stack([ends[:, 0], ends[:, 1], middle], axis=1)


def _faces_near(points: FloatArray, faces: IntArray, places: FloatArray) -> IntArray:
    """Faces with a corner within reach of the box of some places. Shape (k, 3)."""
    low, high = places.min(axis=0) - _REACH, places.max(axis=0) + _REACH
    return faces[((points > low) & (points < high)).all(axis=1)[faces].any(axis=1)]


def _nearest_vertices(points: FloatArray, faces: IntArray, places: FloatArray) -> IntArray:
    """The vertex of some faces next to each place. Shape (k,)."""
    chosen = np.unique(faces)
    squares = ((places[:, None, :] - points[chosen][None]) ** 2).sum(axis=2)
    return chosen[np.argmin(squares, axis=1)]


def _neighbours(points: FloatArray, triangles: IntArray) -> list[list[tuple[int, float]]]:
    """Vertices that share an edge with each vertex, and how far away they are in [m]."""
    edges = np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1)
    edges = np.unique(edges, axis=0)
    lengths = np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1)
    out: list[list[tuple[int, float]]] = [[] for _ in points]
    ends: list[list[int]] = edges.tolist()
    ways: list[float] = lengths.tolist()
    for (a, b), length in zip(ends, ways, strict=True):
        out[a].append((b, length))
        out[b].append((a, length))
    return out


def _ways(neighbours: list[list[tuple[int, float]]], starts: IntArray) -> FloatArray:
    """Length in [m] of the shortest way along edges from any of the starts. Shape (n,)."""
    ways = np.full(len(neighbours), np.inf)
    first: list[int] = starts.tolist()
    heap = [(0.0, start) for start in first]
    for _, start in heap:
        ways[start] = 0.0
    while heap:
        way, vertex = heapq.heappop(heap)
        if way > ways[vertex]:
            continue
        for other, length in neighbours[vertex]:
            if way + length < ways[other]:
                ways[other] = way + length
                heapq.heappush(heap, (way + length, other))
    return ways
