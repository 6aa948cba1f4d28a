# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles of plane regions with holes."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence

import numpy as np

from ...core.arrays import FloatArray, IntArray


def triangulate(points: FloatArray, loops: Sequence[IntArray]) -> IntArray:
    """Triangles that fill a region of the plane and use no other points than its own.

    Holes are joined to the outline by bridges, ears are clipped from the best-shaped on, and edges are flipped until
    the triangulation is a constrained Delaunay one.

    Args:
        points: Positions. Shape (n, 2).
        loops: Indices of the points of the outline, counter-clockwise, and of each hole, clockwise.

    Returns:
        Counter-clockwise triangles. Shape (t, 3).

    Raises:
        ValueError: A hole does not lie in the outline.
    """
    ring = [int(i) for i in loops[0]]
    edges = np.concatenate([np.stack([loop, np.roll(loop, -1)], axis=1) for loop in loops])
    for hole in sorted(loops[1:], key=lambda loop: float(-points[loop, 0].max())):
        ring = _bridged(points, ring, [int(i) for i in hole], edges)
    return _delaunay(points, _clip_ears(points, ring), edges)


def _cross(a: FloatArray, b: FloatArray) -> FloatArray:
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def _bridged(points: FloatArray, ring: list[int], hole: list[int], edges: IntArray) -> list[int]:
    """`ring` with `hole` spliced in along the shortest bridge that crosses no edge."""
    gaps = np.linalg.norm(points[ring][:, None] - points[hole][None], axis=2)
    # The ring holds the bridges made so far, the loops hold the holes still to come.
    walls = np.concatenate([edges, np.stack([ring, np.roll(ring, -1)], axis=1)])
    for flat in np.argsort(gaps, axis=None):
        i, j = divmod(int(flat), len(hole))
        if not _crosses(points, ring[i], hole[j], walls) and _opens_into(points, ring, i, hole[j]):
            return [*ring[: i + 1], *hole[j:], *hole[: j + 1], *ring[i:]]
    raise ValueError("A hole lies outside of its outline.")


def _crosses(points: FloatArray, start: int, end: int, edges: IntArray) -> bool:
    others = edges[~np.isin(edges, (start, end)).any(axis=1)]
    a, b = points[others[:, 0]], points[others[:, 1]]
    p, q = points[start], points[end]
    sides = _cross(b - a, p - a) * _cross(b - a, q - a)
    across = _cross(q - p, a - p) * _cross(q - p, b - p)
    return bool(((sides <= 0.0) & (across <= 0.0)).any())


def _opens_into(points: FloatArray, ring: list[int], at: int, target: int) -> bool:
    """Whether the corner `at` of the ring has `target` on its inner side."""
    here = points[ring[at]]
    before, after = points[ring[at - 1]] - here, points[ring[(at + 1) % len(ring)]] - here
    to = points[target] - here
    turn = np.arctan2(_cross(after, before), after @ before) % (2.0 * np.pi)
    return bool(np.arctan2(_cross(after, to), after @ to) % (2.0 * np.pi) < turn)


def _clip_ears(points: FloatArray, ring: list[int]) -> IntArray:
    """Triangles of a polygon that may touch itself along bridges, best-shaped ears first."""
    count = len(ring)
    before, after = [i - 1 for i in range(count)], [i + 1 for i in range(count)]
    before[0], after[-1] = count - 1, 0
    xy = [(float(x), float(y)) for x, y in points[ring]]
    alive = set(range(count))
    scores = [_shape(xy[before[i]], xy[i], xy[after[i]]) for i in range(count)]
    # Only corners that bend inwards can lie in an ear, and no corner starts to bend inwards later on.
    inward = np.array([i for i in range(count) if scores[i] < _FLAT], dtype=np.int64)
    ids, at = np.array(ring)[inward], points[np.array(ring)[inward]]
    heap = [(-score, i) for i, score in enumerate(scores) if score >= _FLAT]
    heapq.heapify(heap)
    blocked: list[int] = []
    triangles: list[list[int]] = []
    while len(alive) > 3:
        if not heap:
            heap = [(-scores[i], i) for i in blocked if i in alive and scores[i] >= _FLAT]
            heapq.heapify(heap)
            blocked = []
        score, i = heapq.heappop(heap)
        if i not in alive or -score != scores[i]:
            continue
        low, high = before[i], after[i]
        corners = [ring[low], ring[i], ring[high]]
        others = at[(ids != corners[0]) & (ids != corners[1]) & (ids != corners[2])]
        if len(others) and _contains(xy[low], xy[i], xy[high], others):
            blocked.append(i)
            continue
        triangles.append(corners)
        alive.discard(i)
        after[low], before[high] = high, low
        for near in (low, high):
            scores[near] = _shape(xy[before[near]], xy[near], xy[after[near]])
            if scores[near] >= _FLAT:
                heapq.heappush(heap, (-scores[near], near))
        if i in inward or len(triangles) % 16 == 0:
            still = np.array([k in alive and scores[k] < _FLAT for k in inward], dtype=np.bool_)
            inward, ids, at = inward[still], ids[still], at[still]
    first = min(alive)
    return np.array([*triangles, [ring[first], ring[after[first]], ring[before[first]]]], dtype=np.int64)


_FLAT = 1e-6
"""Ears less well shaped than this are no ears; an equilateral triangle has 1."""
_Point = tuple[float, float]


def _shape(a: _Point, b: _Point, c: _Point) -> float:
    """1 for an equilateral triangle, 0 for three points on a line, negative for a clockwise one."""
    ux, uy, vx, vy = b[0] - a[0], b[1] - a[1], c[0] - a[0], c[1] - a[1]
    wx, wy = vx - ux, vy - uy
    return 1.1547 * (ux * vy - uy * vx) / max(ux * ux + uy * uy, vx * vx + vy * vy, wx * wx + wy * wy)


def _contains(a: _Point, b: _Point, c: _Point, others: FloatArray) -> bool:
    """Whether any of the other points lies in the triangle or on its edge."""
    x, y = others[:, 0], others[:, 1]
    sides = [(qx - px) * (y - py) - (qy - py) * (x - px) for (px, py), (qx, qy) in ((a, b), (b, c), (c, a))]
    return bool(((sides[0] >= -1e-15) & (sides[1] >= -1e-15) & (sides[2] >= -1e-15)).any())


def _delaunay(points: FloatArray, triangles: IntArray, fixed: IntArray) -> IntArray:
    """The triangles after flipping edges, other than `fixed` ones, whose opposite angles sum up to more than pi."""
    faces = [[int(i) for i in triangle] for triangle in triangles]
    owner = {(face[k], face[k - 2]): f for f, face in enumerate(faces) for k in range(3)}
    keep = {(int(a), int(b)) for a, b in fixed} | {(int(b), int(a)) for a, b in fixed}
    xy = [(float(x), float(y)) for x, y in points]
    queue = [edge for edge in owner if edge[0] < edge[1] and edge not in keep]
    for _ in range(20 * len(faces)):
        if not queue:
            break
        a, b = queue.pop()
        if (a, b) not in owner or (b, a) not in owner:
            continue
        f, g = owner[a, b], owner[b, a]
        c, d = (next(i for i in faces[h] if i not in (a, b)) for h in (f, g))
        if _angle(xy, c, a, b) + _angle(xy, d, a, b) <= np.pi + 1e-9:
            continue
        faces[f], faces[g] = [c, a, d], [d, b, c]
        del owner[a, b], owner[b, a]
        for face, h in ((faces[f], f), (faces[g], g)):
            for k in range(3):
                owner[face[k], face[k - 2]] = h
        queue += [edge for edge in ((a, c), (c, b), (b, d), (d, a)) if edge not in keep]
    return np.array(faces, dtype=np.int64)


def _angle(xy: list[tuple[float, float]], at: int, a: int, b: int) -> float:
    ax, ay = xy[a][0] - xy[at][0], xy[a][1] - xy[at][1]
    bx, by = xy[b][0] - xy[at][0], xy[b][1] - xy[at][1]
    return abs(math.atan2(ax * by - ay * bx, ax * bx + ay * by))
