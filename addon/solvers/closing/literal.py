# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The closing simulation as published (Caputo 2015, algorithms 1 and 2), slow: what `advance` is held to.

At each of N interpolations every bone that is still free advances; a bone that touches stops, and so do its ancestors.
The paper stops every parent, which taken at its word stops the wrist and with it all fingers; here it is those of the
finger's own chain. It tests for an overlap with the surface, which a bone deep inside does not have; here it is the
signed distance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import FloatArray, IntArray
from .clearance import Distance
from .motion import Skinned
from .movement import Movement


@dataclass(frozen=True, eq=False)
class LiteralClosing:
    """Where bones stopped, step by step."""

    steps: IntArray
    """Interpolations that each joint made, 0 to N. Shape (m,)."""
    touched: IntArray
    """1 for bones that touched, 0 for others. Shape (m,)."""
    angles: FloatArray
    """Flexion, abduction and twist in [rad]. Shape (m, 3)."""


def close_literally(
    skinned: Skinned, movement: Movement, distance: Distance, *, steps: int = 20, depth: float = 0.0
) -> LiteralClosing:
    """Close one posture in N interpolations.

    Args:
        skinned: The hand's probes.
        movement: A movement of one posture.
        distance: Distance to the object.
        steps: N of the paper, 10 or more.
        depth: How deep in [m] a probe is when it touches.
    """
    hand = skinned.hand
    m = len(hand.finger_of)
    made = np.zeros(m, dtype=np.int64)
    touched = np.zeros(m, dtype=np.int64)
    free = movement.fingers[hand.finger_of].copy()
    for step in range(1, steps + 1):
        made[free] = step
        gaps = _gaps_of_bones(skinned, movement, made / steps, distance)
        for joint in np.flatnonzero(free & (gaps <= -depth)).tolist():
            touched[joint] = 1
            while joint >= 0:
                free[joint] = False
                joint = int(hand.articulation.parents[joint])
    angles = movement.angles(movement.shares((made / steps)[None]))[0]
    return LiteralClosing(made, touched, angles)


def _gaps_of_bones(skinned: Skinned, movement: Movement, progress: FloatArray, distance: Distance) -> FloatArray:
    """Distance in [m] of every bone's nearest probe, one at a time. Shape (m,)."""
    angles = movement.angles(movement.shares(progress[None]))
    motions = skinned.motions(angles, movement.wrists)
    gaps = np.full(len(progress), np.inf)
    for probe, owner in enumerate(skinned.probes.owners.tolist()):
        if owner >= 0:
            place = skinned.positions(motions, np.array([0]), np.array([probe]))
            gaps[owner] = min(gaps[owner], float(distance(place)[0]) - skinned.probes.radii[probe])
    return gaps
