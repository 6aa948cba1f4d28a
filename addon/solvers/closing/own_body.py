# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The hand in its own way: fingertips stop at the palm, and the thumb at the fingers."""

from __future__ import annotations

import numpy as np

from ...core.arrays import BoolArray
from ...core.articulation import joint_frames
from .clearance import Barrier, place_volumes
from .motion import Skinned
from .movement import Movement


def guarding(skinned: Skinned) -> BoolArray:
    """Probes that may run into the hand itself: those of the last two bones of every finger. Shape (p,)."""
    length = (skinned.hand.chains >= 0).sum(axis=1)[skinned.finger]
    return (skinned.finger >= 0) & (skinned.place >= 1) & (skinned.place >= length - 2)


def own_barrier(skinned: Skinned, movement: Movement) -> Barrier | None:
    """The palm and the fingers that do not close now, as they stand at the start; None where there is neither."""
    hand = skinned.hand
    moved = movement.turning & movement.fingers[hand.finger_of]
    for j, parent in enumerate(hand.articulation.parents.tolist()):
        moved[j] |= parent >= 0 and bool(moved[parent])
    joints = hand.volumes.joints
    chosen = np.flatnonzero((joints < 0) | ~moved[joints])
    if not len(chosen):
        return None
    frames = joint_frames(hand.articulation, movement.start)
    return place_volumes(hand.volumes, chosen, frames, movement.wrists).barrier(guarding(skinned))
