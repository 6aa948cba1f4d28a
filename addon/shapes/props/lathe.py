# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces of revolution about the z axis, with openings to join handles to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...core.arrays import FloatArray, IntArray
from .profile import lengths_along, points_along
from .surface import SurfaceBuilder, block_edge

Section = tuple[str, FloatArray]
"""A material name and the points (radius, height) in [m] that have it; shape (n, 2)."""


@dataclass(frozen=True)
class Opening:
    """An oval hole in a surface of revolution, centred on its x axis."""

    point: int
    """Index of the profile point at the lower edge of the hole."""
    size: int
    """Rows and columns of quads that the hole replaces; even."""
    half_width: float
    """Half the extent along the circumference in [m]."""


@dataclass(frozen=True, eq=False)
class Edge:
    """The edge of an opening, counter-clockwise seen from outside, from the +y side on. 4 * size points."""

    ring: IntArray
    """Point indices. Shape (n,)."""
    positions: FloatArray
    """Positions in [m]. Shape (n, 3)."""
    inwards: FloatArray
    """Unit directions along the surface into the hole. Shape (n, 3)."""


def add_lathe(
    builder: SurfaceBuilder,
    sections: Sequence[Section],
    *,
    columns: int,
    openings: Sequence[Opening] = (),
    ripple: Callable[[FloatArray, FloatArray], FloatArray] | None = None,
) -> list[Edge]:
    """Revolve a profile that starts and ends on the axis, and close it with a pole at each end.

    Args:
        builder: Takes the points and faces.
        sections: Pieces of the profile, from the lower pole to the other, with the solid on the left hand; each starts
            where the one before ends.
        columns: Number of points per ring; the first lies on the x axis.
        openings: Holes to leave out.
        ripple: Factor on the radius for grids of angle [rad] and height [m].

    Returns:
        The edges of the openings.
    """
    profile = np.concatenate([points if i == 0 else points[1:] for i, (_, points) in enumerate(sections)])
    names = [name for name, points in sections for _ in range(len(points) - 1)]
    angles = np.linspace(0.0, 2.0 * np.pi, columns, endpoint=False)
    radius = np.repeat(profile[1:-1, 0, None], columns, axis=1)
    height = np.repeat(profile[1:-1, 1, None], columns, axis=1)
    if ripple is not None:
        radius = radius * ripple(np.broadcast_to(angles, radius.shape), height)
    positions = np.stack([radius * np.cos(angles), radius * np.sin(angles), height], axis=2)
    mask = np.ones((len(positions) - 1, columns), dtype=np.bool_)
    for opening in openings:
        around, low = np.arange(-opening.size // 2, opening.size // 2), opening.point - 1
        mask[low : low + opening.size, around] = False
        positions[block_edge(opening.point - 1, 0, opening.size)] = _oval(profile, opening, 1.0)
    rows = builder.add_points(positions)
    first, last = builder.add_points([[0.0, 0.0, profile[0, 1]], [0.0, 0.0, profile[-1, 1]]])
    builder.add_start(int(first), rows[0], names[0])
    for i, name in enumerate(names[1:-1]):
        builder.add_grid(rows[i : i + 2], name, mask[i : i + 1])
    builder.add_end(rows[-1], int(last), names[-1])
    return [_edge(profile, opening, rows) for opening in openings]


def _edge(profile: FloatArray, opening: Opening, rows: IntArray) -> Edge:
    positions = _oval(profile, opening, 1.0)
    inwards = _oval(profile, opening, 0.98) - positions
    inwards /= np.linalg.norm(inwards, axis=1, keepdims=True)
    return Edge(ring=rows[block_edge(opening.point - 1, 0, opening.size)], positions=positions, inwards=inwards)


def _oval(profile: FloatArray, opening: Opening, scale: float) -> FloatArray:
    """Points on the surface along an oval, `scale` times the size of the opening."""
    lengths = lengths_along(profile)
    low, high = lengths[opening.point], lengths[opening.point + opening.size]
    phi = np.arange(4 * opening.size) * (0.5 * np.pi / opening.size)
    on_profile = points_along(profile, (low + high + scale * (high - low) * np.sin(phi)) / 2.0)
    middle = points_along(profile, np.array([(low + high) / 2.0]))[0]
    angle = scale * opening.half_width / middle[0] * np.cos(phi)
    return np.stack([on_profile[:, 0] * np.cos(angle), on_profile[:, 0] * np.sin(angle), on_profile[:, 1]], axis=1)
