# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Postures: the angles of a hand's joints, alone or with the place of its wrist."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, frozen_floats
from .model import HandModel


@dataclass(frozen=True, eq=False)
class HandPose:
    """A posture and where the hand is."""

    angles: FloatArray
    """Flexion, abduction and twist of the model's joints in [rad]. Shape (m, 3)."""
    T_world_hand: FloatArray
    """The hand's frame in the world, in [m]. Shape (4, 4)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        set_field = object.__setattr__
        set_field(self, "angles", frozen_floats(self.angles, (-1, 3), "angles"))
        set_field(self, "T_world_hand", frozen_floats(self.T_world_hand, (4, 4), "T_world_hand"))


def clamp(model: HandModel, angles: ArrayLike) -> FloatArray:
    """Angles moved into their joints' ranges. Shape (..., m, 3)."""
    return np.clip(np.asarray(angles, dtype=np.float64), model.limits.ranges[..., 0], model.limits.ranges[..., 1])


def follow(model: HandModel, angles: ArrayLike) -> FloatArray:
    """Angles with the flexion of coupled joints taken from the joints they follow. Shape (..., m, 3)."""
    out = np.array(angles, dtype=np.float64)
    limits = model.limits
    flexion = limits.ratios * out[..., limits.leaders, 0]
    ranges = limits.ranges[limits.followers, 0]
    out[..., limits.followers, 0] = np.clip(flexion, ranges[:, 0], ranges[:, 1])
    return out


def neighbour_excess(model: HandModel, angles: ArrayLike) -> FloatArray:
    """How far in [rad] each pair of neighbouring fingers differs by more than it may. Shape (..., n)."""
    array = np.asarray(angles, dtype=np.float64)
    pairs, ranges = model.limits.neighbours, model.limits.differences
    difference = array[..., pairs[:, 0], 0] - array[..., pairs[:, 1], 0]
    return np.maximum(np.maximum(difference - ranges[:, 1], ranges[:, 0] - difference), 0.0)


def resample(values: FloatArray, count: int) -> FloatArray:
    """Angles of a finger of another number of joints, bent by the same amount in all. Shape (n, 3) to (count, 3).

    The first joint keeps its angles. The bend of the others is spread over the new ones, so that the fingertip ends
    up in the same direction.
    """
    n = len(values)
    if n == count or n == 0:
        return values.copy() if n else np.zeros((count, 3))
    if count == 1:
        return values.sum(axis=0, keepdims=True)
    if n == 1:
        return np.concatenate([values, np.zeros((count - 1, 3))])
    total = np.concatenate([np.zeros((1, 3)), np.cumsum(values[1:], axis=0)])
    old, new = np.linspace(0.0, 1.0, n), np.linspace(0.0, 1.0, count)
    spread = np.stack([np.interp(new, old, total[:, c]) for c in range(3)], axis=1)
    return np.concatenate([values[:1], np.diff(spread, axis=0)])
