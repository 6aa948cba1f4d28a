# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Dual quaternions: rigid motions as eight numbers, the real part's wxyz and then the dual part's.

A pose with translation t and rotation q is `(1 + eps t/2) q`: turned by q, then moved by t in the parent's frame.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from . import quaternion_calculus as qc
from .arrays import FloatArray, frozen_floats
from .rotations import multiply as quaternion_multiply

NO_TURN = 1e-9
"""Turns in [rad] below this are pure translations: their screw axis is the translation's direction."""


@dataclass(frozen=True, eq=False)
class Screw:
    """A turn about a line and a shift along it, `cos(t/2) + h sin(t/2)` in dual numbers."""

    angle: float
    """Turn in [rad], 0 to pi."""
    shift: float
    """Shift along the line in [m]."""
    direction: FloatArray
    """Unit vector v of the line. Shape (3,)."""
    moment: FloatArray
    """Moment `p x v` of any point p of the line. Shape (3,)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        object.__setattr__(self, "direction", frozen_floats(self.direction, (3,), "direction"))
        object.__setattr__(self, "moment", frozen_floats(self.moment, (3,), "moment"))


def from_pose(rotations: ArrayLike, translations: ArrayLike) -> FloatArray:
    """Dual quaternions of rotations and translations. Shapes (..., 4) and (..., 3) to (..., 8)."""
    q = np.asarray(rotations, dtype=np.float64)
    return np.concatenate([q, 0.5 * quaternion_multiply(_pure(translations), q)], axis=-1)


def rotation_of(duals: ArrayLike) -> FloatArray:
    """Rotation, the real part. Shape (..., 8) to (..., 4)."""
    return np.asarray(duals, dtype=np.float64)[..., :4]


def translation_of(duals: ArrayLike) -> FloatArray:
    """Translation in the parent's frame, `2 dual real*`. Shape (..., 8) to (..., 3)."""
    d = np.asarray(duals, dtype=np.float64)
    return 2.0 * quaternion_multiply(d[..., 4:], qc.conjugate(d[..., :4]))[..., 1:]


def multiply(first: ArrayLike, second: ArrayLike) -> FloatArray:
    """Product: the motion `second` followed by `first`, both in fixed axes. Shape (..., 8)."""
    p, q = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    real = quaternion_multiply(p[..., :4], q[..., :4])
    dual = quaternion_multiply(p[..., :4], q[..., 4:]) + quaternion_multiply(p[..., 4:], q[..., :4])
    return np.concatenate([real, dual], axis=-1)


def conjugate(duals: ArrayLike) -> FloatArray:
    """Quaternion conjugate of both parts, which is the inverse of a unit dual quaternion. Shape (..., 8)."""
    d = np.asarray(duals, dtype=np.float64)
    return np.concatenate([qc.conjugate(d[..., :4]), qc.conjugate(d[..., 4:])], axis=-1)


def transform(duals: ArrayLike, points: ArrayLike) -> FloatArray:
    """Points moved by unit dual quaternions, `q p q* + t`. Shapes (..., 8) and (..., 3) to (..., 3).

    The sandwich `d (1 + eps p) d'*`, in which d' has its dual part negated.
    """
    d = np.asarray(duals, dtype=np.float64)
    v = np.asarray(points, dtype=np.float64)
    one = np.zeros((*v.shape[:-1], 8))
    one[..., 0], one[..., 5:] = 1.0, v
    other = conjugate(d) * np.array([1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0])
    return multiply(multiply(d, one), other)[..., 5:]


def normalized(duals: ArrayLike) -> FloatArray:
    """Nearest unit dual quaternions: real part of length 1, dual part perpendicular to it. Shape (..., 8)."""
    d = np.asarray(duals, dtype=np.float64)
    length = np.linalg.norm(d[..., :4], axis=-1, keepdims=True)
    real, dual = d[..., :4] / length, d[..., 4:] / length
    return np.concatenate([real, dual - real * np.sum(real * dual, axis=-1, keepdims=True)], axis=-1)


def screw_of(dual: ArrayLike) -> Screw:
    """Screw of one unit dual quaternion. Shape (8,). Its line is any one where the motion is none at all."""
    d = np.asarray(dual, dtype=np.float64)
    d = d if d[0] >= 0.0 else -d
    t = translation_of(d)
    half = qc.log(d[:4])
    angle = 2.0 * float(np.linalg.norm(half))
    if angle < NO_TURN:
        shift = float(np.linalg.norm(t))
        direction = t / shift if shift > 0.0 else np.array([0.0, 0.0, 1.0])
        return Screw(angle=0.0, shift=shift, direction=direction, moment=np.zeros(3))
    v = 2.0 * half / angle
    moment = 0.5 * np.cross(np.cross(v, t) / np.tan(0.5 * angle) + t, v)
    return Screw(angle=angle, shift=float(t @ v), direction=v, moment=moment)


def from_screw(screw: Screw) -> FloatArray:
    """Unit dual quaternion of a screw, `cos(t/2) + h sin(t/2)`; proposition 4.2.16 prints t for t/2. Shape (8,)."""
    sine, cosine = np.sin(0.5 * screw.angle), np.cos(0.5 * screw.angle)
    real = np.concatenate([[cosine], sine * screw.direction])
    dual_vector = sine * screw.moment + 0.5 * screw.shift * cosine * screw.direction
    return np.concatenate([real, [-0.5 * screw.shift * sine], dual_vector])


def power(dual: ArrayLike, exponent: float) -> FloatArray:
    """A fraction of a screw motion. Shape (8,)."""
    s = screw_of(dual)
    return from_screw(Screw(angle=exponent * s.angle, shift=exponent * s.shift, direction=s.direction, moment=s.moment))


def sclerp(first: ArrayLike, second: ArrayLike, fraction: float) -> FloatArray:
    """Pose at a fraction of the screw motion from one pose to another. Shape (8,)."""
    return multiply(first, power(multiply(conjugate(first), second), fraction))


def blend(duals: ArrayLike, weights: ArrayLike) -> FloatArray:
    """Normalised weighted sum of poses, signs taken from the first. Shapes (n, 8) and (n,) to (8,)."""
    d = np.asarray(duals, dtype=np.float64)
    signs = np.where(d[:, :4] @ d[0, :4] < 0.0, -1.0, 1.0)
    return normalized((np.asarray(weights, dtype=np.float64) * signs) @ d)


def _pure(vectors: ArrayLike) -> FloatArray:
    v = np.asarray(vectors, dtype=np.float64)
    return np.concatenate([np.zeros((*v.shape[:-1], 1)), v], axis=-1)
