# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Quaternions wxyz and vectors as tuples of floats: for one joint at a time these are ten times as fast as arrays."""

from __future__ import annotations

from math import atan2, cos, hypot, sin, sqrt

Quat = tuple[float, float, float, float]
Vec = tuple[float, float, float]

IDENTITY: Quat = (1.0, 0.0, 0.0, 0.0)
TINY = 1e-12
"""Lengths below this have no direction."""


def multiply(p: Quat, q: Quat) -> Quat:
    """Hamilton product."""
    a, b, c, d = p
    w, x, y, z = q
    return (
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    )


def conjugate(q: Quat) -> Quat:
    """Conjugate, the inverse of a unit quaternion."""
    return (q[0], -q[1], -q[2], -q[3])


def rotate(q: Quat, v: Vec) -> Vec:
    """Vector turned by a unit quaternion."""
    w, x, y, z = q
    a, b, c = v
    tx, ty, tz = 2.0 * (y * c - z * b), 2.0 * (z * a - x * c), 2.0 * (x * b - y * a)
    return (a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx)


def exp(w: Vec) -> Quat:
    """Unit quaternion of a half-angle rotation vector."""
    n = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
    scale = sin(n) / n if n > TINY else 1.0
    return (cos(n), w[0] * scale, w[1] * scale, w[2] * scale)


def log(q: Quat) -> Vec:
    """Half-angle rotation vector, at most pi/2 long; the same for q and -q."""
    w, x, y, z = q if q[0] >= 0.0 else (-q[0], -q[1], -q[2], -q[3])
    sine = sqrt(x * x + y * y + z * z)
    scale = atan2(sine, w) / sine if sine > TINY else 1.0
    return (x * scale, y * scale, z * scale)


def log_rates(w: Vec, turn: Vec) -> Vec:
    """Change of a half-angle vector for an angular velocity in the frame that the rotation turns in.

    The inverse of `quaternion_calculus.angular_rates`: half the inverse left Jacobian at the full-angle vector.
    """
    square = dot(w, w)
    once = cross(w, turn)
    twice = cross(w, once)
    if square > 1e-8:
        n = sqrt(square)
        factor = (1.0 - n * cos(n) / sin(n)) / (2.0 * square)
    else:
        factor = 1.0 / 6.0
    return (
        0.5 * turn[0] - 0.5 * once[0] + factor * twice[0],
        0.5 * turn[1] - 0.5 * once[1] + factor * twice[1],
        0.5 * turn[2] - 0.5 * once[2] + factor * twice[2],
    )


def add(a: Vec, b: Vec) -> Vec:
    """Sum of two vectors."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def subtract(a: Vec, b: Vec) -> Vec:
    """Difference of two vectors."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def cross(a: Vec, b: Vec) -> Vec:
    """Cross product."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a: Vec, b: Vec) -> float:
    """Dot product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def norm(a: Vec) -> float:
    """Length."""
    return hypot(*a)


def scaled(a: Vec, factor: float) -> Vec:
    """A vector times a number."""
    return (a[0] * factor, a[1] * factor, a[2] * factor)


def blended(a: Vec, b: Vec, fraction: float) -> Vec:
    """`(1 - fraction) a + fraction b`."""
    return add(scaled(a, 1.0 - fraction), scaled(b, fraction))


def perpendicular(a: Vec) -> Vec:
    """Some unit vector perpendicular to a vector that has a direction."""
    # The coordinate axis least along the vector keeps the cross product long.
    least = min(range(3), key=lambda k: abs(a[k]))
    out = cross(a, (float(least == 0), float(least == 1), float(least == 2)))
    return scaled(out, 1.0 / norm(out))
