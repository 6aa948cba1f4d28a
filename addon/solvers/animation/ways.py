# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways of a wrist away from what it holds: straight or curved, back from the palm, out along the fingers, or aside."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import FloatArray, frozen_floats
from ...core.rotations import matrix_from_quaternion, quaternion_from_matrix, unit

TURN_FROM = 0.35
"""Part of a way before which the hand keeps its orientation: what turns near the object, hits it."""


@dataclass(frozen=True, eq=False)
class Way:
    """A curve from where the hand holds, at 0, to where it stands back, at 1."""

    held: FloatArray
    """The hand's frame at 0 in [m]. Shape (4, 4)."""
    first: FloatArray
    """Point towards which it leaves, in [m]. Shape (3,)."""
    last: FloatArray
    """Point from which it arrives, in [m]. Shape (3,)."""
    away: FloatArray
    """The hand's frame at 1 in [m]. Shape (4, 4)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        for name, shape in {"held": (4, 4), "first": (3,), "last": (3,), "away": (4, 4)}.items():
            object.__setattr__(self, name, frozen_floats(getattr(self, name), shape, name))

    def wrists(self, shares: FloatArray) -> FloatArray:
        """The hand's frames at shares of the way. Shape (a,) to (a, 4, 4)."""
        q = np.asarray(shares, dtype=np.float64)[:, None]
        out = np.tile(np.eye(4), (len(q), 1, 1))
        # A cubic Bezier curve.
        out[:, :3, 3] = (
            (1 - q) ** 3 * self.held[:3, 3]
            + 3 * q * (1 - q) ** 2 * self.first
            + 3 * q * q * (1 - q) * self.last
            + q**3 * self.away[:3, 3]
        )
        late = np.clip((q[:, 0] - TURN_FROM) / (1.0 - TURN_FROM), 0.0, 1.0)
        out[:, :3, :3] = turn_between(self.held[:3, :3], self.away[:3, :3], late * late * (3.0 - 2.0 * late))
        return out

    @property
    def length(self) -> float:
        """Distance of both ends in [m]."""
        return float(np.linalg.norm(self.away[:3, 3] - self.held[:3, 3]))

    @property
    def straight(self) -> bool:
        """Whether the wrist goes straight and does not turn."""
        step = (self.away[:3, 3] - self.held[:3, 3]) / 3.0
        off = np.stack([self.first - self.held[:3, 3] - step, self.last - self.held[:3, 3] - 2.0 * step])
        bent = float(np.linalg.norm(off, axis=1).max()) > 0.02 * max(self.length, 1e-9)
        return not bent and bool(np.abs(self.held[:3, :3] - self.away[:3, :3]).max() < 1e-6)


def bent_way(held: FloatArray, corner: FloatArray, away: FloatArray) -> Way:
    """A way between two frames (4, 4) that is bent towards one point (3,)."""
    start, end = held[:3, 3], away[:3, 3]
    return Way(held, start + 2.0 / 3.0 * (corner - start), end + 2.0 / 3.0 * (corner - end), away)


def turn_between(first: FloatArray, last: FloatArray, shares: FloatArray) -> FloatArray:
    """Rotations on the shortest turn from one (3, 3) to another. Shape (a,) to (a, 3, 3)."""
    p, q = quaternion_from_matrix(first), quaternion_from_matrix(last)
    q = -q if float(p @ q) < 0.0 else q
    angle = float(np.arccos(np.clip(p @ q, -1.0, 1.0)))
    if angle < 1e-9:
        return np.broadcast_to(first, (len(shares), 3, 3))
    mixed = (np.sin((1.0 - shares) * angle)[:, None] * p + np.sin(shares * angle)[:, None] * q) / np.sin(angle)
    return matrix_from_quaternion(unit(mixed))


def ways_back(held: FloatArray, approach: FloatArray, distance: float, *, up: FloatArray) -> list[Way]:
    """Ways to stand back by a distance, the most natural first.

    Args:
        held: The hand's frame where it holds in [m]. Shape (4, 4).
        approach: Direction that the palm looks in, in the hand's frame. Shape (3,).
        distance: How far to stand back in [m].
        up: Direction away from the ground in the world. Shape (3,).
    """
    turn = held[:3, :3]
    back, out, side = -(turn @ approach), -turn[:, 2], turn[:, 0]
    plain = [
        back + 0.6 * out,
        back + 0.2 * out,
        back,
        back + out,
        out + 0.4 * back,
        out,
        back + 0.5 * up,
        out + 0.5 * up,
        back + 0.5 * side,
        back - 0.5 * side,
        out + 0.5 * side,
        out - 0.5 * side,
        up,
        side,
        -side,
        side + back + out,
        back + out - side,
    ]
    # The same without going down, for what stands on something.
    plain += [each - (each @ up) * up for each in plain[:6] if float(unit(each) @ up) < -0.1]
    directions = [unit(each) for each in plain if np.linalg.norm(each) > 1e-3]
    ways = [_way(held, distance * each, 0.5 * distance * each) for each in directions]
    # Curved: first out of a loop or from below an edge, then away.
    firsts = [unit(each) for each in (out, side, -side, back, up, -out) if np.linalg.norm(each) > 1e-3]
    for first in firsts:
        for last in directions[:6]:
            if -0.2 < float(first @ last) < 0.9:
                ways.append(_way(held, distance * unit(0.6 * first + 0.8 * last), 0.6 * distance * first))
    return ways


def ways_to(held: FloatArray, away: FloatArray, approach: FloatArray, distance: float, *, up: FloatArray) -> list[Way]:
    """Ways to a given frame (4, 4), which first leave the object as those of `ways_back` do; see there."""
    out: list[Way] = []
    for near in ways_back(held, approach, distance, up=up):
        back = near.away[:3, 3] - held[:3, 3]
        if near.straight:
            out += [Way(held, held[:3, 3] + back, held[:3, 3] + more * back, away) for more in (1.7, 2.8)]
    return out


def _way(held: FloatArray, shift: FloatArray, corner: FloatArray) -> Way:
    away = held.copy()
    away[:3, 3] += shift
    return bent_way(held, held[:3, 3] + corner, away)
