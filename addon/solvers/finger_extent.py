# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far and how near the tip of a finger can come to its base within the limits of PIP and DIP."""

from __future__ import annotations

import math
from collections.abc import Iterator

from .coupling import Bend, tip_distance

_TAU = 2.0 * math.pi


def find_extent(
    lengths: tuple[float, float, float], *, pip_limits: tuple[float, float], dip_limits: tuple[float, float]
) -> tuple[Bend, Bend]:
    """The farthest and the closest pose.

    The distance is extreme at a corner of the box of limits, on an edge where two links in line make it so, or inside
    it where all links are in line or the finger closes on itself.

    Args:
        lengths: The three links in [m].
        pip_limits: Lowest and highest PIP in [rad].
        dip_limits: Lowest and highest DIP in [rad].
    """
    poses = [
        Bend(pip, dip, tip_distance(lengths, pip, dip))
        for pip, dip in _extremes(lengths, pip_limits, dip_limits)
        if pip_limits[0] <= pip <= pip_limits[1] and dip_limits[0] <= dip <= dip_limits[1]
    ]
    return max(poses, key=lambda pose: pose.distance), min(poses, key=lambda pose: pose.distance)


def _extremes(
    lengths: tuple[float, float, float], pips: tuple[float, float], dips: tuple[float, float]
) -> Iterator[tuple[float, float]]:
    pp, ip, dp = lengths
    straight = (0.0, math.pi, -math.pi)
    for pip in (*pips, *straight):
        yield from ((pip, dip) for dip in (*dips, *straight))
    for dip in dips:
        turn = math.atan2(dp * math.sin(dip), ip + dp * math.cos(dip))
        yield from ((_wrap(angle - turn), dip) for angle in (0.0, math.pi))
    for pip in pips:
        alpha = math.atan2(pp * math.sin(pip), ip + pp * math.cos(pip))
        yield from ((pip, _wrap(angle - alpha)) for angle in (0.0, math.pi))
    # The finger closed to a triangle: both outer angles are exterior ones.
    first = (dp * dp - pp * pp - ip * ip) / (2.0 * pp * ip)
    second = (pp * pp - ip * ip - dp * dp) / (2.0 * ip * dp)
    if abs(first) <= 1.0 and abs(second) <= 1.0:
        pip, dip = math.acos(first), math.acos(second)
        yield pip, dip
        yield -pip, -dip


def _wrap(angle: float) -> float:
    return (angle + math.pi) % _TAU - math.pi
