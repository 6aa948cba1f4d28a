# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The largest ball about the origin that fits into the convex hull of points, in any dimension.

A hull of a few of the points is grown where it is nearest to the origin until no point lies beyond that facet, which
then is one of the whole hull. The ball of each hull on the way is a lower bound, the support of all points in the
direction of its nearest facet an upper one. (As the expanding polytope algorithm: G. van den Bergen, "Proximity Queries
and Penetration Depth Computation on 3D Game Objects", 2001.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import FloatArray, IntArray

JOGGLE = 1e-8
"""Points are moved by this share of their size, so that no facet has more corners than it needs."""
FLAT = 1e-6
"""Hulls thinner than this share of their size have no inside."""
MOST_ROUNDS = 400


@dataclass(frozen=True)
class InnerBall:
    """Radius of the ball, between two bounds that meet unless the rounds ran out."""

    radius: float
    """What surely fits; 0 when the origin is not inside."""
    bound: float
    """What surely does not fit any more."""


def inner_ball(points: FloatArray, *, tolerance: float = 1e-7) -> InnerBall:
    """The largest ball about the origin in the hull of points. Shape (n, d).

    Args:
        points: Corners of the hull and any others.
        tolerance: Difference of the bounds at which the search ends, as a share of the points' size.
    """
    size = float(np.abs(points).max(initial=0.0))
    if size == 0.0 or len(points) <= points.shape[1]:
        return InnerBall(0.0, 0.0)
    rng = np.random.default_rng(0)
    scaled = points / size + JOGGLE * rng.uniform(-1.0, 1.0, points.shape)
    simplex = _first_simplex(scaled)
    if simplex is None:
        return InnerBall(0.0, 0.0)
    hull = _Hull(scaled, simplex)
    bound = np.inf
    for _ in range(MOST_ROUNDS):
        normal, offset = hull.nearest()
        heights = scaled @ normal
        farthest = int(np.argmax(heights))
        bound = min(bound, float(heights[farthest]))
        if bound <= 0.0:
            return InnerBall(0.0, 0.0)
        if heights[farthest] - offset <= tolerance:
            return InnerBall(size * max(offset, 0.0), size * bound)
        hull.add(farthest)
    return InnerBall(size * max(hull.nearest()[1], 0.0), size * bound)


class _Hull:
    """Convex hull of some of the points, all of its facets simplices."""

    def __init__(self, points: FloatArray, simplex: IntArray) -> None:
        """Begin with d + 1 points that enclose a volume."""
        self._points = points
        self._inside = points[simplex].mean(axis=0)
        self._corners = np.stack([np.delete(simplex, k) for k in range(len(simplex))])
        self._normals, self._offsets = self._planes(self._corners)

    def nearest(self) -> tuple[FloatArray, float]:
        """Unit normal and offset from the origin of the facet nearest to it."""
        k = int(np.argmin(self._offsets))
        return self._normals[k], float(self._offsets[k])

    def add(self, point: int) -> None:
        """Replace the facets that the point sees by a cone from it to their outline."""
        seen = self._normals @ self._points[point] > self._offsets
        fans = self._corners[seen]
        d = fans.shape[1]
        ridges = np.concatenate([np.delete(fans, k, axis=1) for k in range(d)])
        ridges.sort(axis=1)
        keys = ridges @ (len(self._points) ** np.arange(d - 1, dtype=np.int64))
        _, first, number = np.unique(keys, return_index=True, return_counts=True)
        outline = ridges[first[number == 1]]
        corners = np.concatenate([outline, np.full((len(outline), 1), point)], axis=1)
        normals, offsets = self._planes(corners)
        self._corners = np.concatenate([self._corners[~seen], corners])
        self._normals = np.concatenate([self._normals[~seen], normals])
        self._offsets = np.concatenate([self._offsets[~seen], offsets])

    def _planes(self, corners: IntArray) -> tuple[FloatArray, FloatArray]:
        """Outward unit normals (k, d) and offsets from the origin (k,) of facets, by their corners (k, d)."""
        rows = self._points[corners] - self._inside
        # x with x . row = 1 for all corners: along the normal, and as long as 1 / distance from the inner point.
        ones: FloatArray = np.ones((len(corners), corners.shape[1], 1))
        across = np.asarray(np.linalg.solve(rows, ones), dtype=np.float64)[..., 0]
        length = np.linalg.norm(across, axis=1)
        normals = across / length[:, None]
        return normals, 1.0 / length + normals @ self._inside


def _first_simplex(points: FloatArray) -> IntArray | None:
    """Indices of d + 1 points far apart that enclose a volume; None when all lie (nearly) in a plane."""
    chosen = [int(np.argmax(np.einsum("ij,ij->i", points, points)))]
    rest = points - points[chosen[0]]
    for _ in range(points.shape[1]):
        lengths = np.linalg.norm(rest, axis=1)
        far = int(np.argmax(lengths))
        if lengths[far] < FLAT:
            return None
        way = rest[far] / lengths[far]
        rest = rest - np.outer(rest @ way, way)
        chosen.append(far)
    return np.array(chosen, dtype=np.int64)
