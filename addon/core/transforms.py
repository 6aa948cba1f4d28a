# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of 4 by 4 transforms taken apart into places, turns and scales that can be keyed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import FloatArray
from .rotations import matrix_from_quaternion, nearest_rotation, quaternion_from_matrix, unit


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

    def with_stepped_scales(self, step: float) -> Track:
        """The same with scales rounded to whole steps, none of them to 0."""
        rounded = np.round(self.scales / step)
        return Track(self.locations, self.quaternions, np.where(rounded == 0.0, np.sign(self.scales), rounded) * step)

    def led_in(self) -> Track:
        """The same after one frame of no transform at all."""
        return Track(
            np.concatenate([np.zeros((1, 3)), self.locations]),
            continuous(np.concatenate([np.array([[1.0, 0.0, 0.0, 0.0]]), self.quaternions])),
            np.concatenate([np.ones((1, 3)), self.scales]),
        )


def take_apart(matrices: FloatArray, *, exact_axis: int | None = None) -> Track:
    """Channels of transforms (n, 4, 4); what is sheared becomes a turn and a scale near to it without shear.

    Args:
        matrices: The transforms.
        exact_axis: An own axis whose direction and length stay as they are whatever shear there is: with that of a bone
            its end stays in place, and so does what begins there.
    """
    linear = matrices[:, :3, :3]
    turns = nearest_rotation(linear)
    mirrored = np.linalg.det(turns) < 0.0
    turns = np.where(mirrored[:, None, None], -turns, turns)
    if exact_axis is not None:
        wanted = unit(linear[:, :, exact_axis]) * np.where(mirrored, -1.0, 1.0)[:, None]
        turns = _least_turns(turns[:, :, exact_axis], wanted) @ turns
    # The diagonal of turns^T linear: exact without shear, and the best of its kind with it.
    scales = np.einsum("nij,nij->nj", turns, linear)
    return Track(matrices[:, :3, 3].copy(), continuous(quaternion_from_matrix(turns)), scales)


def _least_turns(start: FloatArray, end: FloatArray) -> FloatArray:
    """The least turns (n, 3, 3) from unit vectors to others (n, 3) that are less than a right angle away."""
    axes = np.cross(start, end)
    cosines = np.einsum("ij,ij->i", start, end)
    skew = np.zeros((len(start), 3, 3))
    skew[:, 0, 1], skew[:, 0, 2], skew[:, 1, 2] = -axes[:, 2], axes[:, 1], -axes[:, 0]
    skew -= np.swapaxes(skew, 1, 2)
    return np.eye(3) + skew + skew @ skew / (1.0 + cosines)[:, None, None]


def continuous(quaternions: FloatArray) -> FloatArray:
    """The same turns (n, 4) with signs such that each is on the side of the one before."""
    steps = np.einsum("ij,ij->i", quaternions[1:], quaternions[:-1]) < 0.0
    signs = np.where(np.concatenate([[False], np.cumsum(steps) % 2 == 1]), -1.0, 1.0)
    return quaternions * signs[:, None]
