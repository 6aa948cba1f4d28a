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
    """Probes that may run into the hand itself: those of the last one and a half bones of every finger. Shape (p,).

    What is nearer to the palm stays as near to its knuckle however far the finger bends, and where knuckles lie far
    out in the palm it would be in the palm's way from the start.
    """
    hand = skinned.hand
    length = (hand.chains >= 0).sum(axis=1)[skinned.finger]
    last = (skinned.finger >= 0) & (skinned.place >= 1) & (skinned.place >= length - 2)
    before = np.flatnonzero(last & (skinned.place == length - 2))
    joint, finger = skinned.probes.owners[before], skinned.finger[before]
    start = hand.rest.origins[joint]
    bone = hand.rest.origins[hand.chains[finger, skinned.place[before] + 1]] - start
    along = np.einsum("pi,pi->p", skinned.probes.points[before] - start, bone)
    last[before[along < 0.5 * np.einsum("pi,pi->p", bone, bone)]] = False
    return last


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
