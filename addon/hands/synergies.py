# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Postural synergies on any hand: few numbers that stand for whole postures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, frozen_floats
from ..presets.synergies import SynergyBasis
from .model import HandModel
from .poses import finger_angles
from .posture import clamp


@dataclass(frozen=True, eq=False)
class HandSynergies:
    """A basis of postures of one hand."""

    mean: FloatArray
    """The mean posture in [rad]. Shape (m, 3)."""
    directions: FloatArray
    """What one standard deviation along each synergy adds in [rad]. Shape (k, m, 3)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        m = len(self.mean)
        object.__setattr__(self, "mean", frozen_floats(self.mean, (m, 3), "mean"))
        object.__setattr__(self, "directions", frozen_floats(self.directions, (-1, m, 3), "directions"))


def hand_synergies(model: HandModel, basis: SynergyBasis) -> HandSynergies:
    """A basis carried over to a hand; channels that its joints cannot turn are left out."""
    movable = np.ptp(model.limits.ranges, axis=2) > 1e-6
    still = np.zeros((len(model.names), 3))
    directions = [np.where(movable, finger_angles(model, each.fingers, still), 0.0) for each in basis.synergies]
    mean = finger_angles(model, basis.mean, np.array(model.rest_angles))
    return HandSynergies(mean=np.where(movable, mean, model.rest_angles), directions=np.array(directions))


def synergy_posture(model: HandModel, synergies: HandSynergies, values: ArrayLike) -> FloatArray:
    """Postures from few numbers, within the limits: what a search can start from. Shape (..., k) to (..., m, 3).

    Args:
        model: The hand.
        synergies: Its basis.
        values: Standard deviations along the first k synergies. Shape (..., k).
    """
    array = np.asarray(values, dtype=np.float64)
    used = synergies.directions[: array.shape[-1]]
    return clamp(model, synergies.mean + np.einsum("...k,kmc->...mc", array, used))


def synergy_values(synergies: HandSynergies, angles: ArrayLike, count: int) -> FloatArray:
    """The numbers of the nearest posture that the first `count` synergies can make. Shape (..., m, 3) to (..., k)."""
    array = np.asarray(angles, dtype=np.float64)
    used = synergies.directions[:count].reshape(count, -1)
    off = (array - synergies.mean).reshape(*array.shape[:-2], -1)
    # Least squares, as on hands with fewer joints directions need not be at right angles, nor even different.
    return off @ np.linalg.pinv(used)
