# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The closed form for many targets of one finger at once.

The formulas are those of `closed_form_scalar`, row by row. Rows whose published pose breaks a limit go through the same
candidates; rows that no pose reaches are handed to the scalar path, one by one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..core.arrays import BoolArray, FloatArray, IntArray, frozen_floats
from .chain import ChainError
from .closed_form import pose_tip
from .closed_form_curves import Batch, follow_curve, search_all, search_base_limits
from .finger import Finger

_FEW = 8
"""Rows up to which the scalar path is faster than a round of array calls."""
_FEW_BASE = 2
"""The same where only the base joint breaks a limit."""


@dataclass(frozen=True, eq=False)
class FingerPoses:
    """Poses of one finger for n targets."""

    angles: FloatArray
    """Flexion and abduction of the base joint, PIP and DIP in [rad]. Shape (n, 4)."""
    residual: FloatArray
    """Distance of each tip from its target in [m], rounded up where limits are touched. Shape (n,)."""
    converged: BoolArray
    """Which targets were reached within the tolerance. Shape (n,)."""

    def __post_init__(self) -> None:
        """Make the arrays read-only; they are this record's own."""
        for array in (self.angles, self.residual, self.converged):
            array.setflags(write=False)


def solve_batch(finger: Finger, targets: FloatArray) -> FingerPoses:
    """The poses whose tips are on the targets, or nearest to them.

    Args:
        finger: From `build_finger`; one whose bones bend in one plane exactly.
        targets: Wanted positions of the tip in the chain's frame in [m]. Shape (n, 3).

    Raises:
        ChainError: A target is not finite.
    """
    targets = frozen_floats(targets, (-1, 3), "targets")
    if not math.isfinite(targets.sum()) and not np.isfinite(targets).all():
        row = int(np.argmin(np.isfinite(targets).all(axis=1)))
        raise ChainError(f"Target {row} of the batch is not a point: {targets[row].tolist()}.")
    residual = np.full(len(targets), np.nan)
    with np.errstate(all="ignore"):
        goals = _localise(finger, targets)
        wanted = goals[4] * (1.0 / finger.reach)
        np.arccos(np.minimum(wanted, 1.0, out=wanted), out=wanted)
        wanted *= 1.0 / finger.frequency
        np.minimum(np.maximum(wanted, finger.pip[0].angle, out=wanted), finger.pip[1].angle, out=wanted)
        batch = Batch(goals, wanted, np.empty((4, len(targets))), residual)
        rest = _solve_rows(finger, batch)
    for row in rest.tolist():
        *batch.angles[:, row], residual[row] = pose_tip(finger, *targets[row].tolist())
    return FingerPoses(angles=batch.angles.T, residual=residual, converged=residual <= finger.tolerance)


def _solve_rows(finger: Finger, batch: Batch) -> IntArray:
    """Write what array calls find and tell the rows that they leave."""
    residual = batch.residual
    if finger.coupling is None:
        _publish(finger, batch)
    rest = np.flatnonzero(np.isnan(residual))
    if len(rest) > _FEW_BASE and finger.single_elbow and finger.coupling is None:
        dip, (low, high) = batch.angles[3, rest], finger.dip
        search_base_limits(finger, batch, rest[(dip >= low.angle) & (dip <= high.angle)])
        rest = rest[np.isnan(residual[rest])]
    if len(rest) > _FEW:
        search_all(finger, batch, rest)
        rest = rest[np.isnan(residual[rest])]
    return rest


def _localise(finger: Finger, targets: FloatArray) -> FloatArray:
    """Targets seen from the base joint in [m]: side, palmar, along, squared distance, distance. Shape (5, n)."""
    goals = np.empty((5, len(targets)))
    side, palmar, along, squared, distance = goals
    np.matmul(finger.base, targets.T, out=goals[:3])
    np.add(side * side, palmar * palmar, out=squared)
    squared += along * along
    np.sqrt(squared, out=distance)
    return goals


def _publish(finger: Finger, batch: Batch) -> None:
    """Write the published poses, and the residuals of those that keep all limits."""
    u, v = follow_curve(finger, batch.goals, batch.wanted, batch.angles)
    angles, (lows, highs) = batch.angles, finger.box[..., 0].tolist()
    fits = angles[3] >= lows[3]
    fits &= angles[3] <= highs[3]
    for joint in (0, 1):  # PIP was clamped before.
        fits &= angles[joint] >= lows[joint]
        fits &= angles[joint] <= highs[joint]
    u *= u
    u += np.multiply(v, v, out=v)
    miss = np.subtract(np.sqrt(u, out=u), batch.goals[4], out=u)
    np.copyto(batch.residual, np.abs(miss, out=miss), where=fits)
