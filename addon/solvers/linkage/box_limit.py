# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits of the shared chain: a range each for flexion, abduction and twist."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import atan2, cos, hypot, pi, sin

import numpy as np

from ...core.arrays import BoolArray, FloatArray
from . import scalars as sc
from .limits import TOUCH, FreeLimit, HingeLimit, JointLimit, Moves, half_turns
from .scalars import Quat, Vec

X: Vec = (1.0, 0.0, 0.0)
Y: Vec = (0.0, 1.0, 0.0)

NEAR = 1.0
"""Excess in [rad] below which angles are not looked for a turn or a flip away."""


@dataclass(frozen=True)
class BoxLimit:
    """Ranges of the angles in `R_x(flexion) R_y(abduction) R_z(twist)`; equal bounds lock an angle."""

    low: Vec
    """Lowest flexion, abduction and twist in [rad]."""
    high: Vec
    """Highest flexion, abduction and twist in [rad]."""
    centre: Quat = sc.IDENTITY
    """Always the zero frame."""
    wide: bool = field(init=False)
    """Whether a range goes beyond half a turn (abduction: a quarter), where equal angles have to be told apart."""

    def __post_init__(self) -> None:
        """See how wide the ranges are."""
        ends = zip(self.low, self.high, (pi, pi / 2.0, pi), strict=True)
        object.__setattr__(self, "wide", any(low < -most or high > most for low, high, most in ends))

    def angles(self, q: Quat) -> Vec:
        """Flexion, abduction and twist of a rotation: of all equal triples the one that breaks the limits least."""
        first = angles_of(q)
        excess = self._excess(first)
        # The usual case: a rotation within the limits or a little outside them.
        if excess == 0.0 or (excess < NEAR and not self.wide):
            return first
        return min(_equal_triples(first), key=self._excess)

    def clamp(self, q: Quat, previous: Quat) -> Quat:
        """Each angle within its range. Dropping the twist leaves the bone's direction as it was."""
        del previous
        return rotation(self.within(self.angles(q)))

    def moves(self, phi: Vec) -> Moves:
        """The turns of those angles that are not locked."""
        flexion, abduction, twist = angles = self.angles(sc.exp(phi))
        del twist
        sf, cf, sa, ca = sin(flexion), cos(flexion), sin(abduction), cos(abduction)
        turns: list[Vec] = [X, (0.0, cf, sf), (sa, -sf * ca, cf * ca)]
        free = [k for k in range(3) if self.low[k] < self.high[k]]
        return Moves(
            basis=half_turns(phi, [turns[k] for k in free]),
            low=[min(0.5 * (self.low[k] - angles[k]), 0.0) for k in free],
            high=[max(0.5 * (self.high[k] - angles[k]), 0.0) for k in free],
        )

    def touched(self, phi: Vec) -> BoolArray:
        """Each angle within a hair of one of its bounds."""
        angles = self.angles(sc.exp(phi))
        return np.array([angles[k] - self.low[k] < TOUCH or self.high[k] - angles[k] < TOUCH for k in range(3)])

    def within(self, angles: Vec) -> Vec:
        """Each angle within its range."""
        f, a, t = (min(max(angles[k], self.low[k]), self.high[k]) for k in range(3))
        return (f, a, t)

    def _excess(self, angles: Vec) -> float:
        """How far angles break the limits; the bone's direction counts for more than its twist."""
        low, high = self.low, self.high
        flexion = max(low[0] - angles[0], angles[0] - high[0], 0.0)
        abduction = max(low[1] - angles[1], angles[1] - high[1], 0.0)
        twist = max(low[2] - angles[2], angles[2] - high[2], 0.0)
        return flexion + abduction + 1e-3 * twist


def rotation(angles: Vec) -> Quat:
    """`R_x(flexion) R_y(abduction) R_z(twist)` of angles in [rad]."""
    a, b, c = (0.5 * angle for angle in angles)
    about_xy = sc.multiply((cos(a), sin(a), 0.0, 0.0), (cos(b), 0.0, sin(b), 0.0))
    return sc.multiply(about_xy, (cos(c), 0.0, 0.0, sin(c)))


def from_ranges(low: FloatArray, high: FloatArray) -> JointLimit:
    """Limits of one joint of a chain: a hinge or a free ball where the ranges say so, otherwise a box.

    Args:
        low: Lowest flexion, abduction and twist in [rad]. Shape (3,).
        high: Highest ones. Shape (3,).
    """
    locked = [bool(low[k] == high[k] == 0.0) for k in range(3)]
    within = [bool(-pi <= low[k] and high[k] <= pi) for k in range(3)]
    if locked[1] and locked[2] and within[0]:
        return HingeLimit(axis=X, low=float(low[0]), high=float(high[0]))
    if locked[0] and locked[2] and within[1]:
        return HingeLimit(axis=Y, low=float(low[1]), high=float(high[1]))
    # All directions: the box's angles, which are singular at 90 degrees of abduction, must not get in the way.
    if high[0] - low[0] >= 2 * pi and high[2] - low[2] >= 2 * pi and low[1] <= -pi / 2 and high[1] >= pi / 2:
        return FreeLimit()
    return BoxLimit(
        low=(float(low[0]), float(low[1]), float(low[2])), high=(float(high[0]), float(high[1]), float(high[2]))
    )


def angles_of(q: Quat) -> Vec:
    """The angles of a rotation with abduction within +-90 degrees."""
    w, x, y, z = q
    # The bone's direction, the rotation matrix's last column, gives flexion and abduction; what is left is twist.
    zx, zy, zz = 2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)
    flexion = atan2(-zy, zz) if hypot(zy, zz) > 1e-9 else 2.0 * atan2(x, w)
    abduction = atan2(zx, hypot(zy, zz))
    rest = sc.multiply(sc.conjugate(rotation((flexion, abduction, 0.0))), q)
    twist = 2.0 * (atan2(rest[3], rest[0]) if rest[0] >= 0.0 else atan2(-rest[3], -rest[0]))
    return (flexion, abduction, twist)


def _equal_triples(angles: Vec) -> list[Vec]:
    """Triples of the same rotation: the two solutions, each also a whole turn of flexion or twist away."""
    flexion, abduction, twist = angles
    out: list[Vec] = []
    for triple in (angles, (flexion + pi, pi - abduction, twist + pi)):
        f, a, t = (angle - 2 * pi * round(angle / (2 * pi)) for angle in triple)
        out += [(f, a, t), (f - 2 * pi, a, t), (f + 2 * pi, a, t), (f, a, t - 2 * pi), (f, a, t + 2 * pi)]
    return out
