# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits of one joint: clamping a rotation into them, and the ways it may still move.

A joint's rotation is given relative to its rest orientation as a half-angle vector, `phi = log(rest* q)`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, cos, hypot, inf, pi, sin
from typing import Protocol

import numpy as np

from ...core.arrays import BoolArray, FloatArray
from ..chain import ChainError
from . import scalars as sc
from .scalars import Quat, Vec

TOUCH = 1e-7
"""Distance in [rad] within which an angle lies on its limit."""


@dataclass(frozen=True, eq=False)
class Moves:
    """The directions in which a joint may turn from where it is, and how far."""

    basis: FloatArray
    """Change of the half-angle vector per half radian of each move. Shape (3, k)."""
    low: list[float]
    """Lowest half-angle step of each move in [rad], 0 or negative. Length k."""
    high: list[float]
    """Highest half-angle step of each move in [rad], 0 or positive. Length k."""


def half_turns(phi: Vec, turns: list[Vec]) -> FloatArray:
    """Columns of `Moves.basis` for angular velocities in the rest frame. Shape (3, k)."""
    return 2.0 * np.array([sc.log_rates(phi, turn) for turn in turns]).reshape(-1, 3).T


class JointLimit(Protocol):
    """What the solvers ask of a joint's limits."""

    @property
    def centre(self) -> Quat:
        """Orientation of the limits' middle in the joint's zero frame; the rest orientation is `zero centre`."""
        ...

    def clamp(self, q: Quat, previous: Quat) -> Quat:
        """Rotation from rest, brought within the limits; `previous` settles what `q` leaves undefined."""
        ...

    def moves(self, phi: Vec) -> Moves:
        """Free directions at a half-angle vector within the limits."""
        ...

    def touched(self, phi: Vec) -> BoolArray:
        """Whether flexion, abduction and twist lie on a limit. Shape (3,)."""
        ...


@dataclass(frozen=True)
class FreeLimit:
    """A ball joint without limits."""

    centre: Quat = sc.IDENTITY
    """Always the zero frame."""

    def clamp(self, q: Quat, previous: Quat) -> Quat:
        """The rotation itself."""
        del previous
        return q

    def moves(self, phi: Vec) -> Moves:
        """All three directions."""
        del phi
        return Moves(basis=np.eye(3), low=[-inf] * 3, high=[inf] * 3)

    def touched(self, phi: Vec) -> BoolArray:
        """Never."""
        del phi
        return np.zeros(3, dtype=np.bool_)


@dataclass(frozen=True)
class HingeLimit:
    """A hinge about a fixed axis with a lowest and a highest angle."""

    axis: Vec
    """Unit vector in the rest frame."""
    low: float
    """Lowest angle in [rad], above -pi."""
    high: float
    """Highest angle in [rad], below pi."""
    centre: Quat = sc.IDENTITY
    """Rest orientation in the joint's zero frame."""

    def __post_init__(self) -> None:
        """Refuse what is no hinge.

        Raises:
            ChainError: The axis is no unit vector, or the limits lie the wrong way round or beyond half a turn.
        """
        if not abs(sc.norm(self.axis) - 1.0) < 1e-9:
            raise ChainError(f"The hinge axis {self.axis} is no unit vector.")
        if not -pi <= self.low <= self.high <= pi:
            raise ChainError(f"Hinge limits {self.low} to {self.high} rad: give them within +-pi, the lower first.")

    def angle(self, q: Quat, previous: Quat) -> float:
        """Turn about the axis in [rad], -pi to pi; the swing is left out."""
        # Algorithm 1 prints the arguments of atan2 the other way round, and no change of sign.
        along = sc.dot(self.axis, q[1:])
        if hypot(q[0], along) < sc.TINY:
            return 2.0 * atan2(sc.dot(self.axis, previous[1:]), previous[0])
        return 2.0 * (atan2(along, q[0]) if q[0] >= 0.0 else atan2(-along, -q[0]))

    def clamp(self, q: Quat, previous: Quat) -> Quat:
        """The twist about the axis within the limits (algorithm 1)."""
        half = 0.5 * min(max(self.angle(q, previous), self.low), self.high)
        x, y, z = self.axis
        sine = sin(half)
        return (cos(half), x * sine, y * sine, z * sine)

    def moves(self, phi: Vec) -> Moves:
        """The turn about the axis: one column is exact, because `exp(w axis)` stays on the hinge."""
        half = sc.dot(self.axis, phi)
        return Moves(
            basis=np.array([[component] for component in self.axis]),
            low=[min(0.5 * self.low - half, 0.0)],
            high=[max(0.5 * self.high - half, 0.0)],
        )

    def touched(self, phi: Vec) -> BoolArray:
        """The angle's own component where the axis is a coordinate axis, otherwise flexion."""
        angle = 2.0 * sc.dot(self.axis, phi)
        out = np.zeros(3, dtype=np.bool_)
        out[int(np.argmax(np.abs(self.axis)))] = angle - self.low < TOUCH or self.high - angle < TOUCH
        return out


@dataclass(frozen=True)
class BallLimit:
    """A ball joint with a cone for the swing of z and a range for the twist about z.

    Three numbers with a round cone, as in the thesis; a fourth makes the cone elliptical.
    """

    cone: float
    """Widest swing about x (with `cone_y` None: about any axis) in [rad], above 0."""
    twist_low: float
    """Lowest twist in [rad]."""
    twist_high: float
    """Highest twist in [rad]."""
    cone_y: float | None = None
    """Widest swing about y in [rad]; None for a round cone."""
    centre: Quat = sc.IDENTITY
    """Orientation of the cone's frame (axis z) in the joint's zero frame."""

    def __post_init__(self) -> None:
        """Refuse what is no cone.

        Raises:
            ChainError: A swing of 0 or beyond pi, or twist limits the wrong way round or beyond half a turn.
        """
        if not all(0.0 < angle <= pi for angle in (self.cone, self.widest_y)):
            raise ChainError(f"A cone of {self.cone} by {self.widest_y} rad: give angles above 0 and up to pi.")
        if not -pi <= self.twist_low <= self.twist_high <= pi:
            raise ChainError(
                f"Twist limits {self.twist_low} to {self.twist_high} rad: give them within +-pi, the lower first."
            )

    @property
    def widest_y(self) -> float:
        """Widest swing about y in [rad]."""
        return self.cone if self.cone_y is None else self.cone_y

    def split(self, q: Quat, previous: Quat) -> tuple[float, float, float]:
        """Swing vector's x and y and the twist of a rotation, in [rad]."""
        # Theorem 4.5.1(c) and algorithm 2 with their signs put right: swing = q twist*.
        w, x, y, z = q if q[0] >= 0.0 else (-q[0], -q[1], -q[2], -q[3])
        s = hypot(w, z)
        if s < sc.TINY:
            # A swing of pi has no twist of its own: keep the last one, for which x and y turn with half of it.
            half = atan2(previous[3], previous[0])
            x, y = x * cos(half) - y * sin(half), y * cos(half) + x * sin(half)
            size = hypot(x, y)
            return pi * x / size, pi * y / size, 2.0 * half
        sx, sy = (w * x - y * z) / s, (w * y + x * z) / s
        sine = hypot(sx, sy)
        scale = 2.0 * atan2(sine, s) / sine if sine > sc.TINY else 2.0
        return sx * scale, sy * scale, 2.0 * atan2(z, w)

    def clamp(self, q: Quat, previous: Quat) -> Quat:
        """Swing shortened to the cone along its great arc, twist clamped (algorithm 2)."""
        sx, sy, twist = self.split(q, previous)
        over = hypot(sx / self.cone, sy / self.widest_y)
        shrink = 1.0 / over if over > 1.0 else 1.0
        half = 0.5 * min(max(twist, self.twist_low), self.twist_high)
        return sc.multiply(sc.exp((0.5 * shrink * sx, 0.5 * shrink * sy, 0.0)), (cos(half), 0.0, 0.0, sin(half)))

    def moves(self, phi: Vec) -> Moves:
        """Outwards through the cone, along it, and the twist."""
        sx, sy, twist = self.split(sc.exp(phi), sc.IDENTITY)
        a, b = self.cone, self.widest_y
        over = hypot(sx / a, sy / b)
        swing = hypot(sx, sy)
        nx, ny = (sx / swing, sy / swing) if swing > sc.TINY else (1.0, 0.0)
        top = sc.rotate(sc.exp((0.5 * sx, 0.5 * sy, 0.0)), (0.0, 0.0, 1.0))
        radial = (nx, ny, 0.0)
        # Carrying the swing's axis round z by an angle turns the bone about z - S z.
        around = sc.scaled(sc.subtract((0.0, 0.0, 1.0), top), 1.0 / swing) if swing > 1e-6 else (-ny, nx, 0.0)
        # Normal of the ellipse through the swing vector, in the axes (radial, around).
        gx, gy = (sx / a**2, sy / b**2) if over > sc.TINY else (nx, ny)
        size = hypot(gx, gy)
        c, s = (gx * nx + gy * ny) / size, (gy * nx - gx * ny) / size
        out = sc.add(sc.scaled(radial, c), sc.scaled(around, s))
        along = sc.subtract(sc.scaled(around, c), sc.scaled(radial, s))
        # Room along the normal: exact for a round cone, first order for an ellipse; the clamp does the rest.
        room = (1.0 - over) * min(a, b) if over < 1.0 else 0.0
        room = a - swing if self.cone_y is None else room
        return Moves(
            basis=half_turns(phi, [out, along, top]),
            low=[-inf, -inf, min(0.5 * (self.twist_low - twist), 0.0)],
            high=[max(0.5 * room, 0.0), inf, max(0.5 * (self.twist_high - twist), 0.0)],
        )

    def touched(self, phi: Vec) -> BoolArray:
        """Flexion and abduction on the cone, twist on its own limits."""
        sx, sy, twist = self.split(sc.exp(phi), sc.IDENTITY)
        swing = hypot(sx / self.cone, sy / self.widest_y) > 1.0 - TOUCH
        return np.array([swing, swing, twist - self.twist_low < TOUCH or self.twist_high - twist < TOUCH])
