# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Closest points on triangles, each in a flat frame of its own, for pairs or for all combinations."""

from __future__ import annotations

import numpy as np

from ...core.arrays import FloatArray
from ...core.by_axis import cross, dot, length

ORIGIN, ALONG, ACROSS, NORMAL = slice(0, 3), slice(3, 6), slice(6, 9), slice(9, 12)
BASE, APEX_X, APEX_Y = 12, 13, 14


def triangle_frames(corners: FloatArray) -> FloatArray:
    """Frames of triangles: rows ORIGIN, ALONG, ACROSS, NORMAL and BASE, APEX_X, APEX_Y. Shape (15, m).

    The longest side lies on the frame's first axis from 0 to BASE, the apex at (APEX_X, APEX_Y >= 0), so that slivers
    of no area are segments and need no special case.

    Args:
        corners: Shape (m, 3, 3): triangle, corner, axis; no two corners of a triangle may coincide.
    """
    # By axis, as numpy is slow along axes as short as these.
    places = np.ascontiguousarray(corners.transpose(1, 2, 0))
    sides = np.stack([length(places[(k + 1) % 3] - places[k]) for k in range(3)])
    start, rows = np.argmax(sides, axis=0), np.arange(len(corners))
    a, b, c = (places[(start + k) % 3, :, rows].T for k in range(3))
    base = sides[start, rows]
    along = (b - a) / base
    apex_x = dot(c - a, along)
    across = c - a - apex_x * along
    apex_y = length(across)
    flat = np.flatnonzero(apex_y <= 1e-12 * base)
    if len(flat):
        # Any direction across will do for a sliver; the axis that is furthest from its own direction is safest.
        across[:, flat] = cross(along[:, flat], np.eye(3)[:, np.argmin(np.abs(along[:, flat]), axis=0)])
        apex_y[flat] = 0.0
    across /= length(across)
    return np.concatenate([a, along, across, cross(along, across), [base, apex_x, apex_y]])


def closest_in_plane(
    x: FloatArray, y: FloatArray, base: FloatArray, apex_x: FloatArray, apex_y: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Closest points u, v and squared distances of points x, y in the planes of triangles in their frames."""
    # The three sides: base, left (from the origin) and right (from the base's end).
    u = np.minimum(np.maximum(x, 0.0), base)
    v = np.zeros_like(u)
    best = (x - u) ** 2 + y * y
    from_end, run = x - base, apex_x - base
    height = apex_y * apex_y
    left = np.minimum(np.maximum((x * apex_x + y * apex_y) / (apex_x * apex_x + height), 0.0), 1.0)
    right = np.minimum(np.maximum((from_end * run + y * apex_y) / (run * run + height), 0.0), 1.0)
    for side_u, side_v in ((left * apex_x, left * apex_y), (base + right * run, right * apex_y)):
        square = (x - side_u) ** 2 + (y - side_v) ** 2
        nearer = square < best
        best = np.where(nearer, square, best)
        u, v = np.where(nearer, side_u, u), np.where(nearer, side_v, v)
    inside = (y >= 0.0) & (x * apex_y >= y * apex_x) & (run * y >= from_end * apex_y) & (apex_y > 0.0)
    return np.where(inside, x, u), np.where(inside, y, v), np.where(inside, np.zeros_like(best), best)


def square_in_plane(
    x: FloatArray, y: FloatArray, base: FloatArray, apex_x: FloatArray, apex_y: FloatArray
) -> FloatArray:
    """Squared distances alone, as from `closest_in_plane`."""
    from_end, run = x - base, apex_x - base
    height = apex_y * apex_y
    across = y * apex_y
    away = x - np.minimum(np.maximum(x, 0.0), base)
    best = away * away + y * y
    part = np.minimum(np.maximum((x * apex_x + across) / (apex_x * apex_x + height), 0.0), 1.0)
    along, up = x - part * apex_x, y - part * apex_y
    best = np.minimum(best, along * along + up * up)
    part = np.minimum(np.maximum((from_end * run + across) / (run * run + height), 0.0), 1.0)
    along, up = from_end - part * run, y - part * apex_y
    best = np.minimum(best, along * along + up * up)
    inside = (y >= 0.0) & (x * apex_y >= y * apex_x) & (run * y >= from_end * apex_y) & (apex_y > 0.0)
    best[inside] = 0.0
    return best


def squares_to(frames: FloatArray, points: FloatArray) -> FloatArray:
    """Squared distances in [m^2] alone, as from `closest_in_frames`."""
    x, y, z = _in_frames(frames, points)
    return square_in_plane(x, y, frames[BASE], frames[APEX_X], frames[APEX_Y]) + z * z


def _in_frames(frames: FloatArray, points: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    px, py, pz = points[0] - frames[0], points[1] - frames[1], points[2] - frames[2]
    x = px * frames[3] + py * frames[4] + pz * frames[5]
    y = px * frames[6] + py * frames[7] + pz * frames[8]
    return x, y, px * frames[9] + py * frames[10] + pz * frames[11]


def closest_in_frames(frames: FloatArray, points: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Frame coordinates u, v of the closest points, and squared distances in [m^2].

    Args:
        frames: Rows of `triangle_frames`. Shape (15, ...).
        points: Coordinates by axis, to be broadcast against the frames. Shape (3, ...).
    """
    x, y, z = _in_frames(frames, points)
    u, v, square = closest_in_plane(x, y, frames[BASE], frames[APEX_X], frames[APEX_Y])
    return u, v, square + z * z


def closest_on(frames: FloatArray, points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Closest points (k, 3) and distances (k,) in [m] of points to one triangle each.

    Args:
        frames: Shape (15, k).
        points: Shape (k, 3).
    """
    u, v, square = closest_in_frames(frames, points.T)
    return (frames[ORIGIN] + u * frames[ALONG] + v * frames[ACROSS]).T, np.sqrt(square)
