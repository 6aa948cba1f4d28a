# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles of plane regions with holes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray


def triangulate(points: FloatArray, loops: Sequence[IntArray]) -> IntArray:
    """Triangles that fill a region of the plane and use no other points than its own.

    Holes are joined to the outline by bridges, ears are clipped from the best-shaped on, and edges are flipped until
    the triangulation is a constrained Delaunay one.

    Args:
        points: Positions. Shape (n, 2).
        loops: Indices of the points of the outline, counter-clockwise, and of each hole, clockwise.

    Returns:
        Counter-clockwise triangles. Shape (t, 3).
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
    # Bridges that were made before need no check: points on both of their sides are nearer to what they join.
    for flat in np.argsort(gaps, axis=None):
        i, j = divmod(int(flat), len(hole))
        crossed = _crosses(points, ring[i], hole[j], np.concatenate([edges, _ring_edges(ring)]))
        if not crossed and _opens_into(points, ring, i, hole[j]):
            return [*ring[: i + 1], *hole[j:], *hole[: j + 1], *ring[i:]]
    raise AssertionError("a hole lies outside of its outline")


def _ring_edges(ring: list[int]) -> IntArray:
    return np.stack([np.array(ring), np.roll(ring, -1)], axis=1)


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
    ids = np.array(ring)
    scores = np.array([_ear_score(points, ids, i) for i in range(len(ids))])
    triangles: list[list[int]] = []
    while len(ids) > 3:
        i = int(np.argmax(scores))
        triangles.append([int(ids[i - 1]), int(ids[i]), int(ids[(i + 1) % len(ids)])])
        ids, scores = np.delete(ids, i), np.delete(scores, i)
        for near in (i - 1, i):
            scores[near % len(ids)] = _ear_score(points, ids, near % len(ids))
    return np.array([*triangles, [int(i) for i in ids]], dtype=np.int64)


def _ear_score(points: FloatArray, ids: IntArray, i: int) -> float:
    """Shape of the ear at corner `i`, 1 for an equilateral triangle; negative if it is none."""
    a, b, c = points[ids[i - 1]], points[ids[i]], points[ids[(i + 1) % len(ids)]]
    area = float(_cross(b - a, c - a))
    longest = max(float((b - a) @ (b - a)), float((c - b) @ (c - b)), float((a - c) @ (a - c)))
    score = 1.1547 * area / longest
    if score < 1e-6:
        return score - 1.0
    corners = (ids[i - 1], ids[i], ids[(i + 1) % len(ids)])
    others = points[ids[~np.isin(ids, corners)]]
    slack = -1e-9 * area
    inside: BoolArray = (
        (_cross(b - a, others - a) >= slack) & (_cross(c - b, others - b) >= slack) & (_cross(a - c, others - c) >= slack)
    )
    return -0.5 if inside.any() else score


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
    return abs(float(np.arctan2(ax * by - ay * bx, ax * bx + ay * by)))
