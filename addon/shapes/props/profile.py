# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plane curves that profiles, outlines and centre lines are drawn with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from ...core.arrays import FloatArray


def round_corners(
    points: ArrayLike,
    radii: ArrayLike,
    *,
    segments: int | Sequence[int] = 4,
    closed: bool = False,
    hold: float = 0.4,
) -> FloatArray:
    """A polyline with its corners replaced by arcs.

    Next to each arc the straight part gets one more point, `hold` times the radius further on: smooth shading then
    bends normals in that narrow strip only, and the flat part stays flat.

    Args:
        points: Corners in [m]. Shape (n, 2).
        radii: Radius of each corner in [m], 0 to keep it sharp; less where the arc would not fit between the
            middles of its neighbours. Shape (n,) or a single number.
        segments: Number of straight pieces per right angle, for all corners or for each.
        closed: Whether the last point connects to the first; otherwise the ends stay as they are.
        hold: Distance of the extra points in radii; 0 for none.

    Returns:
        The new polyline. Shape (m, 2).
    """
    corners = np.asarray(points, dtype=np.float64)
    sizes = np.broadcast_to(np.asarray(radii, dtype=np.float64), len(corners))
    count = len(corners)
    pieces = [segments] * count if isinstance(segments, int) else segments
    result: list[FloatArray] = []
    for i in range(count):
        if sizes[i] <= 0.0 or (not closed and i in (0, count - 1)):
            result.append(corners[i : i + 1])
            continue
        result.append(_arc(corners[i - 1], corners[i], corners[(i + 1) % count], float(sizes[i]), pieces[i], hold))
    return without_repeats(np.concatenate(result), closed=closed)


def _arc(
    before: FloatArray, corner: FloatArray, after: FloatArray, radius: float, segments: int, hold: float
) -> FloatArray:
    to_before, to_after = before - corner, after - corner
    room = min(float(np.linalg.norm(to_before)), float(np.linalg.norm(to_after))) / 2.0
    to_before, to_after = to_before / np.linalg.norm(to_before), to_after / np.linalg.norm(to_after)
    half = float(np.arccos(np.clip(to_before @ to_after, -1.0, 1.0))) / 2.0
    if half > 0.499 * np.pi:
        return corner[None, :]
    reach = min(radius / math.tan(half), 0.98 * room)
    radius = reach * math.tan(half)
    bisector = (to_before + to_after) / np.linalg.norm(to_before + to_after)
    centre = corner + bisector * radius / np.sin(half)
    start = corner + to_before * reach - centre
    turn = np.pi - 2.0 * half
    side = np.sign(-to_before[0] * to_after[1] + to_before[1] * to_after[0])
    pieces = max(2, round(segments * turn / (np.pi / 2.0)))
    angles = side * np.linspace(0.0, turn, pieces + 1)
    cos, sin = np.cos(angles), np.sin(angles)
    arc = centre + np.stack([cos * start[0] - sin * start[1], sin * start[0] + cos * start[1]], axis=1)
    extra = min(reach + hold * radius, room)
    if hold <= 0.0 or extra <= reach * 1.02:
        return arc
    return np.concatenate([[corner + to_before * extra], arc, [corner + to_after * extra]])


def without_repeats(points: FloatArray, *, closed: bool = False, tolerance: float = 1e-7) -> FloatArray:
    """`points` without those closer than `tolerance` in [m] to the one before."""
    steps = np.linalg.norm(np.diff(points, axis=0, prepend=points[-1:]), axis=1)
    keep = steps > tolerance
    if not closed:
        keep[0] = True
    return points[keep]


def smooth_curve(points: ArrayLike, count: int) -> FloatArray:
    """`count` points, evenly spaced, on a smooth curve through `points` of shape (n, d)."""
    knots = np.asarray(points, dtype=np.float64)
    spans = np.linalg.norm(np.diff(knots, axis=0), axis=1)
    times = np.concatenate([[0.0], np.cumsum(spans)])
    slopes = np.gradient(knots, times, axis=0, edge_order=2 if len(knots) > 2 else 1)
    dense = _hermite(knots, slopes, times, np.linspace(0.0, times[-1], 32 * len(knots)))
    return resample(dense, count)


def _hermite(knots: FloatArray, slopes: FloatArray, times: FloatArray, at: FloatArray) -> FloatArray:
    span = np.clip(np.searchsorted(times, at, side="right") - 1, 0, len(times) - 2)
    width = (times[span + 1] - times[span])[:, None]
    s = (at - times[span])[:, None] / width
    return (
        (1.0 + 2.0 * s) * (1.0 - s) ** 2 * knots[span]
        + s * (1.0 - s) ** 2 * width * slopes[span]
        + s**2 * (3.0 - 2.0 * s) * knots[span + 1]
        + s**2 * (s - 1.0) * width * slopes[span + 1]
    )


def lengths_along(points: FloatArray) -> FloatArray:
    """Length in [m] from the start of a polyline to each of its points. Shape (n,)."""
    return np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])


def points_along(points: FloatArray, lengths: FloatArray) -> FloatArray:
    """Points at these lengths in [m] from the start of a polyline of shape (n, d)."""
    own = lengths_along(points)
    return np.stack([np.interp(lengths, own, points[:, k]) for k in range(points.shape[1])], axis=1)


def resample(points: FloatArray, count: int) -> FloatArray:
    """`count` points evenly spaced along an open polyline of shape (n, d), both ends included."""
    return points_along(points, np.linspace(0.0, lengths_along(points)[-1], count))


def fill(stops: ArrayLike, spacing: float) -> FloatArray:
    """`stops`, an increasing sequence, with even steps of at most `spacing` put between them."""
    ends = np.asarray(stops, dtype=np.float64)
    pieces = [
        np.linspace(low, high, max(1, int(np.ceil((high - low) / spacing - 1e-6))) + 1)[:-1]
        for low, high in pairwise(ends)
    ]
    return np.concatenate([*pieces, ends[-1:]])
