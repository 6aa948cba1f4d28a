# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Forward kinematics of a chain in plain floats: for three bones numpy's calls would cost ten times as much."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from .chain import Chain, ChainError

Vector = tuple[float, float, float]


class Bones(NamedTuple):
    """A chain's own numbers as floats."""

    frames: tuple[tuple[Vector, Vector, Vector], ...]
    """Each joint's frame at angles 0 in its parent's, row by row."""
    arms: tuple[Vector, ...]
    """From each joint to the next in its own frame, in [m]."""


def build_bones(chain: Chain) -> Bones:
    """The bones of a chain.

    Raises:
        ChainError: A joint's orientation is a quaternion of length 0.
    """
    return Bones(
        tuple(_rows(*zero) for zero in chain.zero.tolist()), tuple((x, y, z) for x, y, z in chain.offsets.tolist())
    )


def tip_of(bones: Bones, angles: Sequence[Sequence[float]]) -> Vector:
    """Tip of a chain in its base's frame in [m].

    Args:
        bones: From `build_bones`.
        angles: Flexion, abduction and twist of each joint in [rad].
    """
    x = y = z = 0.0
    for (row_x, row_y, row_z), arm, (flexion, abduction, twist) in zip(
        reversed(bones.frames), reversed(bones.arms), reversed(angles), strict=True
    ):
        # From the tip inwards, so that each joint turns one point.
        x, y, z = x + arm[0], y + arm[1], z + arm[2]
        if twist != 0.0:
            c, s = math.cos(twist), math.sin(twist)
            x, y = c * x - s * y, s * x + c * y
        if abduction != 0.0:
            c, s = math.cos(abduction), math.sin(abduction)
            x, z = c * x + s * z, c * z - s * x
        c, s = math.cos(flexion), math.sin(flexion)
        y, z = c * y - s * z, s * y + c * z
        x, y, z = (
            row_x[0] * x + row_x[1] * y + row_x[2] * z,
            row_y[0] * x + row_y[1] * y + row_y[2] * z,
            row_z[0] * x + row_z[1] * y + row_z[2] * z,
        )
    return x, y, z


def _rows(w: float, x: float, y: float, z: float) -> tuple[Vector, Vector, Vector]:
    size = math.sqrt(w * w + x * x + y * y + z * z)
    if size < 1e-12:
        raise ChainError("A joint's orientation is a quaternion of length 0; give it a unit one.")
    w, x, y, z = w / size, x / size, y / size, z / size
    return (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
        (2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)),
        (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)),
    )
