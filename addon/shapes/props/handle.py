# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Handles of mugs and cups, joined to the wall at both ends."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...core.arrays import FloatArray
from .lathe import Edge, Opening
from .profile import fill, lengths_along, points_along, smooth_curve
from .surface import SurfaceBuilder
from .tube import fillet, sweep_in_xz

JOINT_SIZE = 6
"""Rows and columns of the wall's grid that each end of a handle takes."""


@dataclass(frozen=True)
class HandleSize:
    """The cross-section of a handle and of its joints."""

    half_width: float
    """Half the width across in [m]."""
    half_thickness: float
    """Half the thickness in the handle's plane in [m]."""
    fillet: float
    """How far the joint reaches beyond the cross-section, and from the wall, in [m]."""


def wall_with_openings(
    curve: ArrayLike, heights: tuple[float, float], size: HandleSize, *, before: int, spacing: float
) -> tuple[FloatArray, tuple[Opening, Opening]]:
    """The outer wall's profile with rows of points where a handle joins it.

    Args:
        curve: The wall, upwards, as points (radius, height) in [m]. Shape (n, 2).
        heights: Heights of the lower and the upper joint in [m].
        size: The handle's cross-section.
        before: Number of profile points before the wall's first.
        spacing: Largest distance of rows in [m].

    Returns:
        The wall's points of shape (m, 2) and the two openings.
    """
    points = np.asarray(curve, dtype=np.float64)
    lengths = lengths_along(points)
    middles = np.interp(heights, points[:, 1], lengths)
    half = size.half_thickness + size.fillet
    steps = np.linspace(-half, half, JOINT_SIZE + 1)
    stops = np.concatenate([[0.0], middles[0] + steps, middles[1] + steps, lengths[-1:]])
    rows = fill(stops, spacing)
    low, high = (before + int(np.argmin(np.abs(rows - middle + half))) for middle in middles)
    width = size.half_width + size.fillet
    return points_along(points, rows), (Opening(low, JOINT_SIZE, width), Opening(high, JOINT_SIZE, width))


def add_handle(
    builder: SurfaceBuilder, edges: list[Edge], knots: ArrayLike, size: HandleSize, material: str, *, rings: int = 22
) -> None:
    """Bridge two openings by a handle.

    Args:
        builder: Takes the points and faces.
        edges: The lower and the upper opening.
        knots: Points (x, z) in [m] of the centre line, from the end of the lower fillet to the upper. Shape (n, 2).
        size: The cross-section.
        material: Name of the material.
        rings: Number of rings between the fillets.
    """
    line = smooth_curve(knots, rings)
    tube = sweep_in_xz(line, np.full(rings, size.half_width), np.full(rings, size.half_thickness), 4 * JOINT_SIZE)
    leaving, arriving = _direction(line[1] - line[0]), _direction(line[-1] - line[-2])
    # Seen along the handle the upper edge runs the other way round.
    turned = -np.arange(4 * JOINT_SIZE)
    lower, upper = edges
    first = fillet(lower.positions, lower.inwards, tube[0], leaving, count=5)
    backwards = np.broadcast_to(arriving, tube[-1].shape)
    last = fillet(tube[-1], backwards, upper.positions[turned], -upper.inwards[turned], count=5)
    middle = builder.add_points(np.concatenate([first, tube, last]))
    builder.add_tube([lower.ring, *middle, upper.ring[turned]], material)


def _direction(step: FloatArray) -> FloatArray:
    return np.array([step[0], 0.0, step[1]]) / np.linalg.norm(step)
