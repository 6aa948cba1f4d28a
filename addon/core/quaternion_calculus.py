# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exponential, logarithm, derivatives and swing-twist parts of unit quaternions (wxyz), over any leading dimensions.

Logarithms are half-angle vectors: `log(q) = theta/2 u` for a turn by theta about u. Equation numbers are those of
M. E. Bartelink, "Global inverse kinematics solver for linked mechanisms under joint limits and contacts" (2012).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .arrays import FloatArray
from .rotations import TINY, multiply

SERIES_BELOW = 1e-4
"""Half angles in [rad] below which the quotients of sines are taken from their Taylor series."""


def conjugate(quaternions: ArrayLike) -> FloatArray:
    """Conjugate, which is the inverse of a unit quaternion. Shape (..., 4)."""
    return np.asarray(quaternions, dtype=np.float64) * np.array([1.0, -1.0, -1.0, -1.0])


def rotate(quaternions: ArrayLike, vectors: ArrayLike) -> FloatArray:
    """Vectors turned by unit quaternions, `q v q*`. Shapes (..., 4) and (..., 3) to (..., 3)."""
    q, v = np.asarray(quaternions, dtype=np.float64), np.asarray(vectors, dtype=np.float64)
    cross = 2.0 * np.cross(q[..., 1:], v)
    return v + q[..., :1] * cross + np.cross(q[..., 1:], cross)


def canonical(quaternions: ArrayLike) -> FloatArray:
    """The one of q and -q, the same rotation, whose scalar part is not negative. Shape (..., 4)."""
    q = np.asarray(quaternions, dtype=np.float64)
    return np.where(q[..., :1] < 0.0, -q, q)


def exp(half_vectors: ArrayLike) -> FloatArray:
    """Unit quaternions of half-angle rotation vectors. Shape (..., 3) to (..., 4)."""
    w = np.asarray(half_vectors, dtype=np.float64)
    n = np.linalg.norm(w, axis=-1, keepdims=True)
    return np.concatenate([np.cos(n), w * _sinc(n)], axis=-1)


def log(quaternions: ArrayLike) -> FloatArray:
    """Half-angle rotation vectors of unit quaternions, at most pi/2 long. Shape (..., 4) to (..., 3).

    q and -q give the same vector.
    """
    q = canonical(quaternions)
    sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    half_angle = np.arctan2(sine, q[..., :1])
    return q[..., 1:] * np.where(sine > TINY, half_angle / np.maximum(sine, TINY), 1.0)


def power(quaternions: ArrayLike, exponent: float) -> FloatArray:
    """A fraction of a rotation, `exp(t log q)`. Shape (..., 4)."""
    return exp(exponent * log(quaternions))


def shortest_log(half_vectors: ArrayLike) -> FloatArray:
    """The same rotations with vectors at most pi/2 long, where the exponential is regular. Shape (..., 3).

    The thesis prints the rule of full-angle vectors, `1 - 2 pi / n` beyond pi, which leaves turns of up to 2 pi.
    """
    w = np.asarray(half_vectors, dtype=np.float64)
    n = np.linalg.norm(w, axis=-1, keepdims=True)
    turns = np.ceil((n - np.pi / 2.0) / np.pi).clip(min=0.0)
    return w * np.where(turns > 0.0, 1.0 - turns * np.pi / np.maximum(n, TINY), 1.0)


def exp_derivative(half_vector: ArrayLike) -> FloatArray:
    """Derivative of `exp` by its argument (theorem 4.4.7): `[-b w^T; b I + c w w^T]`. Shape (4, 3)."""
    w = np.asarray(half_vector, dtype=np.float64)
    n = float(np.linalg.norm(w))
    if n < SERIES_BELOW:
        b, c = 1.0 - n * n / 6.0, -1.0 / 3.0 + n * n / 30.0
    else:
        b, c = np.sin(n) / n, (np.cos(n) - np.sin(n) / n) / (n * n)
    return np.vstack([-b * w, b * np.eye(3) + c * np.outer(w, w)])


def log_derivative(half_vector: ArrayLike) -> FloatArray:
    """Derivative of `log` by the quaternion at `exp(w)`: the pseudo-inverse of `exp_derivative`. Shape (3, 4).

    The columns of the derivative D of exp are not orthonormal, `D^T D = u u^T + (sin n / n)^2 (I - u u^T)`, so that
    the transpose which equation (10) prints is 19 % off at 90 degrees.
    """
    w = np.asarray(half_vector, dtype=np.float64)
    n = float(np.linalg.norm(w))
    along = np.outer(w, w) / (n * n) if n > TINY else np.zeros((3, 3))
    stretch = 1.0 / float(_sinc(np.array(n))) ** 2
    return (along + stretch * (np.eye(3) - along)) @ exp_derivative(w).T


def angular_rates(half_vectors: ArrayLike) -> FloatArray:
    """Angular velocity, in the frame that the rotation turns in, per unit change of a half-angle vector.

    Equal to `2 Im(dq/dw_k q*)` = twice the left Jacobian of the rotation group at the full-angle vector. Columns are
    the components k. Shape (..., 3) to (..., 3, 3).
    """
    phi = 2.0 * np.asarray(half_vectors, dtype=np.float64)
    theta = np.linalg.norm(phi, axis=-1)[..., None, None]
    small = theta < SERIES_BELOW
    safe = np.where(small, 1.0, theta)
    first = np.where(small, 0.5 - theta**2 / 24.0, (1.0 - np.cos(safe)) / safe**2)
    second = np.where(small, 1.0 / 6.0 - theta**2 / 120.0, (safe - np.sin(safe)) / safe**3)
    skew = cross_matrix(phi)
    return 2.0 * (np.eye(3) + first * skew + second * (skew @ skew))


def cross_matrix(vectors: ArrayLike) -> FloatArray:
    """Matrices that take the cross product with vectors from the left. Shape (..., 3) to (..., 3, 3)."""
    v = np.asarray(vectors, dtype=np.float64)
    out = np.zeros((*v.shape, 3))
    out[..., 0, 1], out[..., 0, 2], out[..., 1, 2] = -v[..., 2], v[..., 1], -v[..., 0]
    out[..., 1, 0], out[..., 2, 0], out[..., 2, 1] = v[..., 2], -v[..., 1], v[..., 0]
    return out


def swing_twist(quaternions: ArrayLike, axis: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Swing and twist about a unit axis with `q = swing twist`, the twist turning first (theorem 4.5.1).

    The swing turns about an axis perpendicular to `axis`. At a swing of exactly pi the twist is undefined and is taken
    to be none. Part (c) of the theorem is printed wrong; this is `swing = q twist*`, which holds for every axis.

    Returns:
        Swing and twist, with scalar parts that are not negative. Each of shape (..., 4).
    """
    q = canonical(quaternions)
    u = np.asarray(axis, dtype=np.float64)
    along = np.sum(q[..., 1:] * u, axis=-1, keepdims=True)
    size = np.hypot(q[..., :1], along)
    safe = np.maximum(size, TINY)
    identity = np.zeros_like(q)
    identity[..., 0] = 1.0
    twist = np.where(size > TINY, np.concatenate([q[..., :1], along * u], axis=-1) / safe, identity)
    return multiply(q, conjugate(twist)), twist


def slerp(first: ArrayLike, second: ArrayLike, fraction: float) -> FloatArray:
    """Quaternion at a fraction of the shortest way between two, at constant speed. Shape (..., 4)."""
    q = np.asarray(first, dtype=np.float64)
    return multiply(q, power(multiply(conjugate(q), second), fraction))


def nlerp(first: ArrayLike, second: ArrayLike, fraction: float) -> FloatArray:
    """Normalised linear blend of two quaternions: cheap, and near `slerp` below 30 degrees. Shape (..., 4)."""
    p, q = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    q = np.where(np.sum(p * q, axis=-1, keepdims=True) < 0.0, -q, q)
    blend = (1.0 - fraction) * p + fraction * q
    return blend / np.linalg.norm(blend, axis=-1, keepdims=True)


def log_blend(quaternions: ArrayLike, weights: ArrayLike) -> FloatArray:
    """Weighted blend of any number of rotations, `exp(sum w_i log q_i)`. Shapes (n, 4) and (n,) to (4,).

    Definition 4.6.15 prints the exponential of a linear blend of quaternions, which is no unit quaternion.
    """
    return exp(np.asarray(weights, dtype=np.float64) @ log(quaternions))


def _sinc(n: FloatArray) -> FloatArray:
    """Sin n / n. numpy's sinc is that of pi n."""
    small = np.abs(n) < SERIES_BELOW
    return np.where(small, 1.0 - n * n / 6.0, np.sin(n) / np.where(small, 1.0, n))
