# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rotations as matrices, quaternions (wxyz) and angles, in float64 and over any leading dimensions."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .arrays import FloatArray

TINY = 1e-12
"""Lengths below this have no direction."""

EULER_ORDERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")
"""Blender's names: the first axis turns first, about the parent's axes, so "XYZ" is Rz Ry Rx."""


def unit(vectors: ArrayLike) -> FloatArray:
    """Vectors of length 1; those without a direction stay zero. Shape (..., n)."""
    array = np.asarray(vectors, dtype=np.float64)
    length = np.linalg.norm(array, axis=-1, keepdims=True)
    return np.where(length > TINY, array / np.maximum(length, TINY), 0.0)


def perpendicular(vectors: ArrayLike, axis: ArrayLike) -> FloatArray:
    """What is left of vectors after taking away their part along the unit vector `axis`. Shape (..., 3)."""
    array, along = np.asarray(vectors, dtype=np.float64), np.asarray(axis, dtype=np.float64)
    return array - along * np.sum(array * along, axis=-1, keepdims=True)


def frame_from_zx(z: FloatArray, x: FloatArray) -> FloatArray:
    """Right-handed frame with its z axis along `z` and its x axis as near to `x` as can be. Shape (3, 3)."""
    z = unit(z)
    x = perpendicular(x, z)
    if np.linalg.norm(x) < 1e-9:
        # Any perpendicular axis will do: the coordinate axis that is least along z.
        x = perpendicular(np.eye(3)[int(np.argmin(np.abs(z)))], z)
    x = unit(x)
    return np.stack([x, np.cross(z, x), z], axis=-1)


def rotation_from_angles(angles: ArrayLike) -> FloatArray:
    """Rx(a) Ry(b) Rz(c) of angles (a, b, c) in [rad]. Shape (..., 3) to (..., 3, 3).

    Turns about moving axes: x first, then the new y, then the new z. The decomposition is singular at b = +-90
    degrees only.
    """
    array = np.asarray(angles, dtype=np.float64)
    sin, cos = np.sin(array), np.cos(array)
    sa, sb, sc = sin[..., 0], sin[..., 1], sin[..., 2]
    ca, cb, cc = cos[..., 0], cos[..., 1], cos[..., 2]
    out = np.empty((*array.shape, 3))
    out[..., 0, 0], out[..., 0, 1], out[..., 0, 2] = cb * cc, -cb * sc, sb
    out[..., 1, 0], out[..., 1, 1], out[..., 1, 2] = ca * sc + sa * sb * cc, ca * cc - sa * sb * sc, -sa * cb
    out[..., 2, 0], out[..., 2, 1], out[..., 2, 2] = sa * sc - ca * sb * cc, sa * cc + ca * sb * sc, ca * cb
    return out


def angles_from_rotation(rotations: ArrayLike) -> FloatArray:
    """Angles (a, b, c) in [rad] with R = Rx(a) Ry(b) Rz(c), b within +-90 degrees. Shape (..., 3, 3) to (..., 3)."""
    r = np.asarray(rotations, dtype=np.float64)
    a = np.arctan2(-r[..., 1, 2], r[..., 2, 2])
    b = np.arctan2(r[..., 0, 2], np.hypot(r[..., 0, 0], r[..., 0, 1]))
    # With Rx(a) taken off, the second row is that of Rz alone: exact however near b is to 90 degrees.
    sa, ca = np.sin(a), np.cos(a)
    row = ca[..., None] * r[..., 1, :] + sa[..., None] * r[..., 2, :]
    c = np.arctan2(row[..., 0], row[..., 1])
    return np.stack([a, b, c], axis=-1)


def angle_between(first: ArrayLike, second: ArrayLike) -> FloatArray:
    """Angle in [rad] of the turn from one rotation to another, exact for small turns too. Shape (...)."""
    delta = np.swapaxes(np.asarray(first, dtype=np.float64), -1, -2) @ np.asarray(second, dtype=np.float64)
    skew = np.stack(
        [delta[..., 2, 1] - delta[..., 1, 2], delta[..., 0, 2] - delta[..., 2, 0], delta[..., 1, 0] - delta[..., 0, 1]],
        axis=-1,
    )
    return np.arctan2(np.linalg.norm(skew, axis=-1), np.trace(delta, axis1=-2, axis2=-1) - 1.0)


def nearest_rotation(matrices: ArrayLike) -> FloatArray:
    """Orthogonal matrices nearest to `matrices`; mirrored ones stay mirrored. Shape (..., 3, 3)."""
    u, _, vt = np.linalg.svd(np.asarray(matrices, dtype=np.float64))
    return u @ vt


def quaternion_from_matrix(rotations: ArrayLike) -> FloatArray:
    """Unit quaternions wxyz with w >= 0 of rotation matrices. Shape (..., 3, 3) to (..., 4)."""
    r = np.asarray(rotations, dtype=np.float64)
    xx, yy, zz = r[..., 0, 0], r[..., 1, 1], r[..., 2, 2]
    squares = np.stack([1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz], axis=-1)
    a, b, c = r[..., 2, 1] - r[..., 1, 2], r[..., 0, 2] - r[..., 2, 0], r[..., 1, 0] - r[..., 0, 1]
    d, e, f = r[..., 1, 0] + r[..., 0, 1], r[..., 0, 2] + r[..., 2, 0], r[..., 2, 1] + r[..., 1, 2]
    # Row k is 4 q_k q; the row of the largest component loses no digits.
    rows = np.stack(
        [
            np.stack([squares[..., 0], a, b, c], axis=-1),
            np.stack([a, squares[..., 1], d, e], axis=-1),
            np.stack([b, d, squares[..., 2], f], axis=-1),
            np.stack([c, e, f, squares[..., 3]], axis=-1),
        ],
        axis=-2,
    )
    best = np.argmax(squares, axis=-1)[..., None, None]
    q = unit(np.take_along_axis(rows, best, axis=-2)[..., 0, :])
    return np.where(q[..., :1] < 0.0, -q, q)


def matrix_from_quaternion(quaternions: ArrayLike) -> FloatArray:
    """Rotation matrices of unit quaternions wxyz. Shape (..., 4) to (..., 3, 3)."""
    q = np.asarray(quaternions, dtype=np.float64)
    w, x, y, z = (q[..., k] for k in range(4))
    rows = [
        np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], axis=-1),
        np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], axis=-1),
        np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=-1),
    ]
    return np.stack(rows, axis=-2)


def multiply(first: ArrayLike, second: ArrayLike) -> FloatArray:
    """Hamilton product of quaternions wxyz. Shape (..., 4)."""
    p, q = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    scalar = p[..., :1] * q[..., :1] - np.sum(p[..., 1:] * q[..., 1:], axis=-1, keepdims=True)
    vector = p[..., :1] * q[..., 1:] + q[..., :1] * p[..., 1:] + np.cross(p[..., 1:], q[..., 1:])
    return np.concatenate([scalar, vector], axis=-1)


def matrix_from_axis_angle(axis: ArrayLike, angle: float) -> FloatArray:
    """Rotation by `angle` in [rad] about the unit vector `axis`. Shape (3, 3)."""
    x, y, z = np.asarray(axis, dtype=np.float64)
    skew = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * skew + (1.0 - np.cos(angle)) * (skew @ skew)


def axis_angle_from_matrix(rotation: ArrayLike) -> tuple[FloatArray, float]:
    """Unit axis and angle in [rad], 0 to pi, of one rotation matrix; the axis of no turn at all is y."""
    q = quaternion_from_matrix(rotation)
    sine = float(np.linalg.norm(q[1:]))
    if sine < TINY:
        return np.array([0.0, 1.0, 0.0]), 0.0
    return q[1:] / sine, 2.0 * float(np.arctan2(sine, q[0]))


def matrix_from_euler(angles: ArrayLike, order: str) -> FloatArray:
    """Rotation matrix of Blender's Euler angles (x, y, z) in [rad]. Shape (3, 3)."""
    array = np.asarray(angles, dtype=np.float64)
    out = np.eye(3)
    for letter in order:
        axis = "XYZ".index(letter)
        out = matrix_from_axis_angle(np.eye(3)[axis], float(array[axis])) @ out
    return out


def euler_from_matrix(rotation: ArrayLike, order: str, near: ArrayLike = (0.0, 0.0, 0.0)) -> FloatArray:
    """Blender's Euler angles (x, y, z) in [rad] of a rotation matrix, of all equal ones those nearest to `near`.

    Args:
        rotation: Shape (3, 3).
        order: One of `EULER_ORDERS`.
        near: Angles to stay close to, in [rad]. Shape (3,).
    """
    r = np.asarray(rotation, dtype=np.float64)
    wanted = np.asarray(near, dtype=np.float64)
    i, j, k = ("XYZ".index(letter) for letter in order)
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    # R = Rk(c) Rj(b) Ri(a). Where b is +-90 degrees only a sum of a and c is defined: keep the old c.
    c = np.arctan2(sign * r[j, i], r[i, i]) if np.hypot(r[i, i], r[j, i]) > 1e-9 else wanted[k]
    candidates: list[FloatArray] = []
    for last in (c, c + np.pi):
        rest = matrix_from_axis_angle(np.eye(3)[k], -float(last)) @ r
        angles = np.empty(3)
        angles[i] = np.arctan2(-sign * rest[j, k], rest[j, j])
        angles[j] = np.arctan2(-sign * rest[k, i], rest[i, i])
        angles[k] = last
        angles += 2.0 * np.pi * np.round((wanted - angles) / (2.0 * np.pi))
        candidates.append(angles)
    return min(candidates, key=lambda angles: float(np.sum(np.abs(angles - wanted))))
