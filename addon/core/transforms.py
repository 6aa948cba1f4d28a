# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of 4 by 4 transforms taken apart into places, turns and scales that can be keyed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import FloatArray
from .rotations import matrix_from_quaternion, nearest_rotation, quaternion_from_matrix


@dataclass(frozen=True, eq=False)
class Track:
    """Transforms at consecutive frames as what Blender keys."""

    locations: FloatArray
    """Places in [m]. Shape (n, 3)."""
    quaternions: FloatArray
    """Turns wxyz, each on the side of the one before, so that none is interpolated the long way. Shape (n, 4)."""
    scales: FloatArray
    """Scales along the own axes; all three negative where mirrored. Shape (n, 3)."""

    def matrices(self) -> FloatArray:
        """The transforms that these channels make. Shape (n, 4, 4)."""
        result = np.zeros((len(self.locations), 4, 4))
        result[:, :3, :3] = matrix_from_quaternion(self.quaternions) * self.scales[:, None, :]
        result[:, :3, 3] = self.locations
        result[:, 3, 3] = 1.0
        return result


def take_apart(matrices: FloatArray) -> Track:
    """Channels of transforms (n, 4, 4); what is sheared becomes the nearest turn and scale without shear."""
    linear = matrices[:, :3, :3]
    turns = nearest_rotation(linear)
    mirrored = np.linalg.det(turns) < 0.0
    turns = np.where(mirrored[:, None, None], -turns, turns)
    # The diagonal of turns^T linear: exact without shear, and the best of its kind with it.
    scales = np.einsum("nij,nij->nj", turns, linear)
    return Track(matrices[:, :3, 3].copy(), continuous(quaternion_from_matrix(turns)), scales)


def continuous(quaternions: FloatArray) -> FloatArray:
    """The same turns (n, 4) with signs such that each is on the side of the one before."""
    steps = np.einsum("ij,ij->i", quaternions[1:], quaternions[:-1]) < 0.0
    signs = np.where(np.concatenate([[False], np.cumsum(steps) % 2 == 1]), -1.0, 1.0)
    return quaternions * signs[:, None]
