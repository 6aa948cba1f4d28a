# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A finger whose DIP follows PIP exactly: the distance of its tip as a function of PIP, and that function's inverse.

    d^2 = PP^2 + IP^2 + DP^2 + 2 PP IP cos(pip) + 2 PP DP cos((1 + r) pip) + 2 IP DP cos(r pip)    (Duits Eq. 5)

has no inverse in closed form. It is cut once where it turns; each piece is inverted by Newton steps kept in a bracket.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

_SAMPLES = 64
"""Steps in which turning points are looked for; the fastest of the three cosines turns once in twelve or more."""


class Bend(NamedTuple):
    """Angles of the two outer joints in [rad] and the distance of the tip from the base in [m]."""

    pip: float
    dip: float
    distance: float


@dataclass(frozen=True, eq=False, slots=True)
class CoupledDistance:
    """Links in [m] and DIP per PIP of one finger, with the pieces on which the distance only grows or only shrinks."""

    pp: float
    """First link."""
    ip: float
    """Middle link."""
    dp: float
    """Last link."""
    ratio: float
    """DIP per PIP (lambda)."""
    pieces: tuple[tuple[Bend, Bend], ...]
    """Ends of each piece, lower PIP first."""
    farthest: Bend
    """Where the tip is farthest from the base."""
    closest: Bend
    """Where the tip is closest to the base."""

    def pips_at(self, distance: float, *, start: float, slack: float) -> list[float]:
        """All PIP within limits that put the tip at a distance from the base, one per piece at most.

        Args:
            distance: Wanted distance in [m].
            start: First guess in [rad], used where it lies within the piece.
            slack: How far in [m] the distance may lie beyond a piece's end, which is then the answer.
        """
        found: list[float] = []
        for low, high in self.pieces:
            near, far = (low, high) if low.distance <= high.distance else (high, low)
            if near.distance < distance < far.distance:
                found.append(self._invert(distance, low, high, start))
            elif near.distance - slack <= distance <= near.distance:
                found.append(near.pip)
            elif far.distance <= distance <= far.distance + slack:
                found.append(far.pip)
        return found

    def _invert(self, distance: float, low: Bend, high: Bend, start: float) -> float:
        pp, ip, dp, ratio = self.pp, self.ip, self.dp, self.ratio
        target = 0.5 * (distance * distance - pp * pp - ip * ip - dp * dp)
        left, right = low.pip, high.pip
        rising = low.distance < high.distance
        pip = start if left < start < right else 0.5 * (left + right)
        enough = 1e-15 * (pp + ip + dp) ** 2
        for _ in range(64):
            c1, s1, c2, s2 = math.cos(pip), math.sin(pip), math.cos(ratio * pip), math.sin(ratio * pip)
            sine_sum = s1 * c2 + c1 * s2
            excess = pp * ip * c1 + pp * dp * (c1 * c2 - s1 * s2) + ip * dp * c2 - target
            if abs(excess) <= enough:
                break
            if (excess < 0.0) == rising:
                left = pip
            else:
                right = pip
            slope = -(pp * ip * s1 + pp * dp * (1.0 + ratio) * sine_sum + ip * dp * ratio * s2)
            after = pip - excess / slope if slope != 0.0 else math.inf
            # Newton runs off near a turning point; halving never does.
            after = after if left < after < right else 0.5 * (left + right)
            if abs(after - pip) <= 1e-15:
                break
            pip = after
        return pip


def build_coupling(
    lengths: tuple[float, float, float], *, ratio: float, pip_limits: tuple[float, float]
) -> CoupledDistance:
    """A coupled finger, cut at the turning points of its distance.

    Args:
        lengths: The three links in [m].
        ratio: DIP per PIP.
        pip_limits: Lowest and highest PIP in [rad].
    """
    low, high = pip_limits
    cuts = [low, *_turning_points(lengths, ratio, low, high), high]
    ends = [Bend(pip, ratio * pip, tip_distance(lengths, pip, ratio * pip)) for pip in cuts]
    return CoupledDistance(
        *lengths,
        ratio=ratio,
        pieces=tuple(pairwise(ends)),
        farthest=max(ends, key=lambda end: end.distance),
        closest=min(ends, key=lambda end: end.distance),
    )


def tip_distance(lengths: tuple[float, float, float], pip: float, dip: float) -> float:
    """Distance of the tip from the base in [m]."""
    pp, ip, dp = lengths
    u = pp + ip * math.cos(pip) + dp * math.cos(pip + dip)
    return math.hypot(u, ip * math.sin(pip) + dp * math.sin(pip + dip))


def _turning_points(lengths: tuple[float, float, float], ratio: float, low: float, high: float) -> list[float]:
    pp, ip, dp = lengths

    def slope(pip: float) -> float:
        outer = pp * dp * (1.0 + ratio) * math.sin((1.0 + ratio) * pip)
        return -(pp * ip * math.sin(pip) + outer + ip * dp * ratio * math.sin(ratio * pip))

    if low == high or (low >= 0.0 and (1.0 + ratio) * high <= math.pi):
        return []  # All three sines are positive: the finger only shortens.
    steps = [low + (high - low) * i / _SAMPLES for i in range(_SAMPLES + 1)]
    found: list[float] = []
    for left, right in pairwise(steps):
        before = slope(left)
        if before * slope(right) >= 0.0:
            if before == 0.0 and low < left:
                found.append(left)
            continue
        for _ in range(60):
            middle = 0.5 * (left + right)
            if slope(middle) * before > 0.0:
                left = middle
            else:
                right = middle
        found.append(0.5 * (left + right))
    return found
