# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Implicit bodies: functions that are negative inside, about a distance near the surface, and how to join them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...core.arrays import FloatArray

Level = Callable[[FloatArray], FloatArray]
"""Points (n, 3) to levels (n,)."""


def smooth_union(a: FloatArray, b: FloatArray, width: float) -> FloatArray:
    """Union of two bodies with a fillet; exactly the nearer one where they differ by more than `width`."""
    return np.minimum(a, b) - np.maximum(width - np.abs(a - b), 0.0) ** 2 / (4.0 * width)


def smooth_intersection(a: FloatArray, b: FloatArray, width: float) -> FloatArray:
    """Intersection of two bodies with a rounded edge."""
    return -smooth_union(-a, -b, width)


def ellipsoid(points: FloatArray, centre: FloatArray, axes: FloatArray, radii: FloatArray) -> FloatArray:
    """Level of an ellipsoid; `axes` has its directions as columns."""
    local = (points - centre) @ (axes / radii)
    a = np.sqrt(np.einsum("ij,ij->i", local, local))
    local = local / radii
    b = np.sqrt(np.einsum("ij,ij->i", local, local))
    return a * (a - 1.0) / np.maximum(b, 1e-9)


def cone(points: FloatArray, start: FloatArray, end: FloatArray, radii: tuple[float, float]) -> FloatArray:
    """Level of a capsule that tapers from `radii[0]` to `radii[1]`."""
    along = end - start
    offset = points - start
    t = np.clip(offset @ along / (along @ along), 0.0, 1.0)
    offset -= t[:, None] * along
    return np.sqrt(np.einsum("ij,ij->i", offset, offset)) - (radii[0] + (radii[1] - radii[0]) * t)


def triangle(points: FloatArray, corners: FloatArray, radii: FloatArray) -> FloatArray:
    """Level of a sheet over a triangle, `radii` thick at its corners (to each side)."""
    a, b, c = corners
    normal = np.cross(b - a, c - a)
    normal = normal / np.linalg.norm(normal)
    flat = points - np.outer((points - a) @ normal, normal)
    basis = np.stack([b - a, c - a], axis=1)
    share = (flat - a) @ np.linalg.pinv(basis).T
    weights = np.stack([1.0 - share.sum(axis=1), share[:, 0], share[:, 1]], axis=1)
    inside = np.all(weights >= 0.0, axis=1)
    best = np.where(inside, np.linalg.norm(points - flat, axis=1) - weights @ radii, np.inf)
    for i, j in ((0, 1), (1, 2), (2, 0)):
        best = np.minimum(best, cone(points, corners[i], corners[j], (float(radii[i]), float(radii[j]))))
    return best


def bump(points: FloatArray, centre: FloatArray, axes: FloatArray, widths: FloatArray) -> FloatArray:
    """A soft hill of height 1 at `centre`, with standard deviations `widths` along the columns of `axes`."""
    offset = points - centre
    near = np.flatnonzero(np.einsum("ij,ij->i", offset, offset) < (4.0 * float(widths.max())) ** 2)
    local = offset[near] @ (axes / widths)
    hill = np.zeros(len(points))
    hill[near] = np.exp(-0.5 * np.einsum("ij,ij->i", local, local))
    return hill


def gradient(level: Level, points: FloatArray, step: float) -> tuple[FloatArray, FloatArray]:
    """Level (n,) and its gradient (n, 3), by forward differences of `step`."""
    n = len(points)
    stacked = np.concatenate([points, *(points + step * axis for axis in np.eye(3))])
    values = level(stacked)
    return values[:n], np.stack([values[n * (k + 1) : n * (k + 2)] - values[:n] for k in range(3)], axis=1) / step


def project(
    level: Level, points: FloatArray, normals: FloatArray | None = None, *, rounds: int, step: float, reach: float
) -> tuple[FloatArray, FloatArray]:
    """Points moved onto the surface by Newton steps, and the level's gradients there.

    Args:
        level: The surface is where it is 0.
        points: Points near it. Shape (n, 3).
        normals: Gradients to go by; without them they are measured in each round. Shape (n, 3).
        rounds: Number of steps.
        step: Distance of the differences that measure gradients.
        reach: Longest way of a point in one round.
    """
    slope = np.zeros_like(points) if normals is None else normals
    for _ in range(rounds):
        if normals is None:
            value, slope = gradient(level, points, step)
        else:
            value = level(points)
        size = np.maximum(np.linalg.norm(slope, axis=1), 0.2)
        points = points - (np.clip(value / size, -reach, reach) / size)[:, None] * slope
    return points, slope
