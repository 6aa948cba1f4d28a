# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rings swept along centre lines, and the fillets that join them to other surfaces."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ...core.arrays import FloatArray


def superellipse(angles: FloatArray, half_width: float, half_height: float, power: float) -> FloatArray:
    """Points at about these angles in [rad] of a superellipse; power 2 is an ellipse, more is nearer to a rectangle."""
    # Points move towards the corners, where the curve bends most.
    crowd = 0.5 + 1.0 / power
    cos, sin = np.cos(angles), np.sin(angles)
    cos, sin = np.sign(cos) * np.abs(cos) ** crowd, np.sign(sin) * np.abs(sin) ** crowd
    reach = (np.abs(cos) ** power + np.abs(sin) ** power) ** (-1.0 / power)
    return np.stack([half_width * reach * cos, half_height * reach * sin], axis=1)


def oval(count: int, half_width: float, half_height: float, *, power: float = 2.0) -> FloatArray:
    """`count` points of a superellipse, counter-clockwise from the +x side on. Shape (count, 2)."""
    return superellipse(np.linspace(0.0, 2.0 * np.pi, count, endpoint=False), half_width, half_height, power)


def placed(shape: FloatArray, centre: ArrayLike, right: ArrayLike, up: ArrayLike) -> FloatArray:
    """A plane shape of (n, 2) points put into space: x along `right`, y along `up`."""
    axes = np.stack([np.asarray(right, dtype=np.float64), np.asarray(up, dtype=np.float64)])
    return np.asarray(centre, dtype=np.float64) + shape @ axes


def sweep_in_xz(line: FloatArray, half_widths: FloatArray, half_heights: FloatArray, count: int) -> FloatArray:
    """Oval rings along a centre line in the plane y = 0; their width lies along y.

    Args:
        line: Points (x, z) in [m]. Shape (m, 2).
        half_widths: Half extents along y in [m]. Shape (m,).
        half_heights: Half extents in the plane in [m]. Shape (m,).
        count: Points per ring; the first lies on the +y side.

    Returns:
        Positions in [m], counter-clockwise about the line's direction. Shape (m, count, 3).
    """
    tangents = np.gradient(line, axis=0)
    tangents /= np.linalg.norm(tangents, axis=1, keepdims=True)
    # For a tangent t the third axis is t x y, which is (-tz, 0, tx).
    return np.stack(
        [
            placed(oval(count, width, height, power=2.4), (x, 0.0, z), (0.0, 1.0, 0.0), (-tz, 0.0, tx))
            for (x, z), (tx, tz), width, height in zip(line, tangents, half_widths, half_heights, strict=True)
        ]
    )


def fillet(start: FloatArray, leaving: FloatArray, end: FloatArray, arriving: FloatArray, *, count: int) -> FloatArray:
    """Rings between two rings, on curves that leave and arrive along given directions.

    Args:
        start: First ring in [m]; not part of the result. Shape (n, 3).
        leaving: Unit directions at its points. Shape (n, 3).
        end: Last ring in [m]; not part of the result. Shape (n, 3).
        arriving: Unit directions at its points, or one for all. Shape (n, 3) or (3,).
        count: Number of rings between them.

    Returns:
        Positions in [m]. Shape (count, n, 3).
    """
    s = np.linspace(0.0, 1.0, count + 2)[1:-1, None, None]
    reach = 1.2 * np.linalg.norm(end - start, axis=1, keepdims=True)
    return (
        (1.0 + 2.0 * s) * (1.0 - s) ** 2 * start
        + s * (1.0 - s) ** 2 * reach * leaving
        + s**2 * (3.0 - 2.0 * s) * end
        + s**2 * (s - 1.0) * reach * arriving
    )
