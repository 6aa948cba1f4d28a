# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rotations part of the way from one vector or orientation to another: the kernels of cyclic coordinate descent."""

from __future__ import annotations

from math import atan2, pi

from . import scalars as sc
from .scalars import Quat, Vec


def vector_log(first: Vec, second: Vec) -> Vec:
    """Half-angle vector of the shortest turn that brings one vector's direction to another's (algorithm 3).

    None for a vector without length; about any perpendicular axis for opposite ones. The thesis forgets to normalise
    the axis, which turns by `theta sin(theta)`.
    """
    axis = sc.cross(first, second)
    sine, cosine = sc.norm(axis), sc.dot(first, second)
    size = sc.norm(first) * sc.norm(second)
    if size < sc.TINY * sc.TINY:
        return (0.0, 0.0, 0.0)
    if sine <= 1e-15 * size:
        return (0.0, 0.0, 0.0) if cosine > 0.0 else sc.scaled(sc.perpendicular(first), 0.5 * pi)
    return sc.scaled(axis, 0.5 * atan2(sine, cosine) / sine)


def vector_rotation(first: Vec, second: Vec, fraction: float) -> Quat:
    """Turn by a fraction of the way from one vector's direction to another's (algorithm 3)."""
    return sc.exp(sc.scaled(vector_log(first, second), fraction))


def orientation_rotation(first: Quat, second: Quat, fraction: float) -> Quat:
    """Turn r with `first r` a fraction of the way to `second` (algorithm 4, without its extra half)."""
    return sc.exp(sc.scaled(sc.log(sc.multiply(sc.conjugate(first), second)), fraction))


def pose_rotation(
    end: tuple[Quat, Vec], target: tuple[Quat, Vec], *, fraction: float, orientation_weight: float
) -> Quat:
    """Turn of a joint that brings an end effector nearer to a target in position and orientation (algorithm 5).

    Both logarithms are in the joint's frame, so that the orientation's is `log(target end*)`; the thesis prints
    `log(end* target)`, which is right only for an effector that is not turned against the joint.

    Args:
        end: Orientation and position of the effector in the joint's frame.
        target: Orientation and position of the target in the joint's frame.
        fraction: Part of the way.
        orientation_weight: 0 for position only, 1 for orientation only.
    """
    turn = sc.log(sc.multiply(target[0], sc.conjugate(end[0])))
    return sc.exp(sc.scaled(sc.blended(vector_log(end[1], target[1]), turn, orientation_weight), fraction))
