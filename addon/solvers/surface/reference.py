# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The slow truth: every point against every triangle, inside by the generalised winding number. For tests."""

from __future__ import annotations

import numpy as np

from ...core.arrays import BoolArray, FloatArray
from .pointtriangle import squares_to, triangle_frames

_PAIRS = 15_000


def brute_distances(corners: FloatArray, points: FloatArray) -> FloatArray:
    """Unsigned distances in [m]. Shape (k,).

    Args:
        corners: Shape (m, 3, 3): triangle, corner, axis.
        points: Shape (k, 3).
    """
    frames = triangle_frames(corners)[:, None, :]
    found = np.empty(len(points))
    for part in _parts(len(points), len(corners)):
        squares = squares_to(frames, points[part].T[:, :, None])
        found[part] = np.sqrt(squares.min(axis=1))
    return found


def winding_numbers(corners: FloatArray, points: FloatArray) -> FloatArray:
    """Solid angles of all triangles over 4 pi: 1 inside a closed mesh with outward faces, 0 outside. Shape (k,).

    A. Van Oosterom, J. Strackee, "The Solid Angle of a Plane Triangle", 1983, Eq. 8; as winding number: A. Jacobson,
    L. Kavan, O. Sorkine-Hornung, "Robust Inside-Outside Segmentation using Generalized Winding Numbers", 2013, Eq. 5.
    """
    found = np.empty(len(points))
    for part in _parts(len(points), len(corners)):
        a, b, c = (corners[None, :, k] - points[part, None, :] for k in range(3))
        la, lb, lc = (np.linalg.norm(each, axis=2) for each in (a, b, c))
        volume = np.einsum("ijk,ijk->ij", a, np.cross(b, c))
        ab, bc, ca = (np.einsum("ijk,ijk->ij", p, q) for p, q in ((a, b), (b, c), (c, a)))
        below = la * lb * lc + ab * lc + bc * la + ca * lb
        found[part] = np.arctan2(volume, below).sum(axis=1) / (2.0 * np.pi)
    return found


def brute_contains(corners: FloatArray, points: FloatArray) -> BoolArray:
    """Whether points are inside a closed mesh whose faces agree on their direction, either one. Shape (k,)."""
    return np.abs(winding_numbers(corners, points)) > 0.5


def brute_signed_distances(corners: FloatArray, points: FloatArray) -> FloatArray:
    """Signed distances in [m] to a closed mesh whose faces agree on their direction. Shape (k,)."""
    distances = brute_distances(corners, points)
    return np.where(brute_contains(corners, points), -distances, distances)


def _parts(points: int, triangles: int) -> list[slice]:
    size = max(_PAIRS // max(triangles, 1), 1)
    return [slice(start, start + size) for start in range(0, points, size)]
