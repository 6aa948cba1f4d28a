# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Skin that keeps its volume where joints bend: motions blended as dual quaternions ("Preserve Volume")."""

from __future__ import annotations

import numpy as np

from ...core.arrays import FloatArray
from ...core.rotations import matrix_from_quaternion, multiply, quaternion_from_matrix


def blend_volume(
    rows: FloatArray, rest_turns: FloatArray, rest_origins: FloatArray, shares: FloatArray, points: FloatArray
) -> FloatArray:
    """World positions in [m] of points. Shape (n, 3).

    Args:
        rows: Columns of the frames of l joints and of the hand, and their origins. Shape (n, 4 (l + 1), 3).
        rest_turns: The same frames at rest in the hand's. Shape (n, l + 1, 3, 3).
        rest_origins: Their origins at rest in [m]. Shape (n, l + 1, 3).
        shares: What part each has in the point. Shape (n, l + 1).
        points: The points at rest in the hand's frame in [m]. Shape (n, 3).
    """
    motion = rows.reshape(len(rows), -1, 4, 3)
    turned = np.swapaxes(motion[:, :, :3], -1, -2) @ np.swapaxes(rest_turns, -1, -2)
    moved = motion[:, :, 3] - (turned @ rest_origins[..., None])[..., 0]
    real = quaternion_from_matrix(turned)
    total = np.zeros((len(rows), 8))
    for k in (-1, *range(motion.shape[1] - 1)):
        dual = 0.5 * multiply(np.concatenate([np.zeros((len(rows), 1)), moved[:, k]], axis=1), real[:, k])
        part = np.concatenate([real[:, k], dual], axis=1)
        flip = np.where(np.sum(total[:, :4] * part[:, :4], axis=1) < 0.0, -1.0, 1.0)
        total += part * (shares[:, k] * flip)[:, None]
    total /= np.linalg.norm(total[:, :4], axis=1, keepdims=True)
    turned_points = np.einsum("nij,nj->ni", matrix_from_quaternion(total[:, :4]), points)
    conjugate = total[:, :4] * np.array([1.0, -1.0, -1.0, -1.0])
    return turned_points + 2.0 * multiply(total[:, 4:], conjugate)[:, 1:]
