# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two links in a plane: the angles that reach a point, in closed form."""

from __future__ import annotations

from math import atan2, cos, sin, sqrt
from typing import NamedTuple

from .chain import ChainError

ROUNDING = 1e-14
"""Share of the squared reach by which a point may lie outside through rounding alone."""


class TwoLink(NamedTuple):
    """Angles of two links in a plane."""

    shoulder: float
    """Angle of the first link from the x axis in [rad]."""
    elbow: float
    """Angle of the second link from the first one's direction in [rad]."""


def solve_two_link(x: float, y: float, first: float, second: float) -> tuple[TwoLink, TwoLink] | None:
    """Both solutions, the elbow turning forwards first; None where the point is out of reach.

    The law of cosines gives the triangle's interior angles; section 5.3 of the thesis takes them for the joints' own.

    Args:
        x: Target in [m].
        y: Target in [m].
        first: Length of the first link in [m].
        second: Length of the second link in [m].

    Raises:
        ChainError: A link has no length.
    """
    if not (first > 0.0 and second > 0.0):
        raise ChainError(f"Links of {first} and {second} m: both need a length.")
    square = x * x + y * y
    stretch, fold = (first + second) ** 2 - square, square - (first - second) ** 2
    slack = ROUNDING * (first + second) ** 2
    if not min(stretch, fold) >= -slack or square == 0.0:
        return None
    # The half angle's tangent keeps its digits where the arc cosine of a straight or folded arm loses half of them.
    elbow = 2.0 * atan2(sqrt(max(stretch, 0.0)), sqrt(max(fold, 0.0)))
    at_base = atan2(second * sin(elbow), first + second * cos(elbow))
    bearing = atan2(y, x)
    return TwoLink(bearing - at_base, elbow), TwoLink(bearing + at_base, -elbow)
