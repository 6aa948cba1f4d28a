# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Local joint frames from joint positions: z to the child, y across the bend."""

from __future__ import annotations

import numpy as np

from ...core.arrays import FloatArray
from ...core.rotations import unit

STRAIGHT = 1e-6
"""Sine of the bend below which three joints lie on a line and have no hinge axis of their own."""


def joint_frames(positions: FloatArray, fallback_axis: FloatArray) -> FloatArray:
    """Frames of a chain's joints: z towards the next, y perpendicular to z and to the way from the one before.

    Where a finger is straight y is undefined; it is then the joint before's, and at last the fallback axis. The thesis
    prints `x = z x y`, a left-handed frame.

    Args:
        positions: Joints and the tip, base first, in [m]. Shape (n + 1, 3).
        fallback_axis: Hinge axis where the joints lie on a line. Shape (3,).

    Returns:
        Matrices with columns x, y, z for every joint but the tip. Shape (n, 3, 3).
    """
    ways = unit(np.diff(positions, axis=0))
    out = np.empty((len(ways), 3, 3))
    last = np.asarray(fallback_axis, dtype=np.float64)
    for i, z in enumerate(ways):
        across = np.cross(ways[i - 1], z) if i else np.zeros(3)
        y = across if np.linalg.norm(across) > STRAIGHT else last - (last @ z) * z
        if np.linalg.norm(y) <= STRAIGHT:
            y = np.cross(z, np.eye(3)[int(np.argmin(np.abs(z)))])
        last = unit(y)
        out[i] = np.stack([np.cross(last, z), last, z], axis=1)
    return out
