# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What part fingers and their joints have in a hand's probes, and how far they can move them."""

from __future__ import annotations

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray
from .hand import ClosingHand, Probes

_BULGE = 1.3
"""How much faster than its fastest joint a point may go when motions are blended as dual quaternions."""


def finger_shares(hand: ClosingHand, probes: Probes) -> FloatArray:
    """Share of each finger in each point. Shape (p, f)."""
    f = len(hand.chains)
    share = np.zeros((len(probes.points), f + 1))
    number = np.append(hand.finger_of, f)
    for k in range(probes.joints.shape[1]):
        np.add.at(share, (np.arange(len(share)), number[probes.joints[:, k]]), probes.weights[:, k])
    return share[:, :f]


def chain_shares(hand: ClosingHand, probes: Probes, finger: IntArray) -> FloatArray:
    """Share of each joint of the point's finger (p,), and last that of everything else. Shape (p, l + 1)."""
    chain = hand.chains.shape[1]
    out = np.zeros((len(probes.points), chain + 1))
    rows = np.arange(len(out))
    for k in range(probes.joints.shape[1]):
        joints = probes.joints[:, k]
        own = (joints >= 0) & (hand.finger_of[joints] == finger)
        np.add.at(out, (rows, np.where(own, hand.places[joints], chain)), probes.weights[:, k])
    return out


def lever_lengths(
    hand: ClosingHand, finger: IntArray, shares: FloatArray, local: FloatArray, volume: BoolArray
) -> FloatArray:
    """How far a point moves at most for each radian of each joint of its finger, in [m/rad]. Shape (p, l).

    Args:
        hand: The hand.
        finger: Finger of each point. Shape (p,).
        shares: What `chain_shares` says. Shape (p, l + 1).
        local: Each point in the rest frames of its finger's joints, last in the hand's, in [m]. Shape (p, l + 1, 3).
        volume: Whether the point's motions are blended as dual quaternions. Shape (p,).
    """
    chains = hand.chains
    # Length of each chain up to a joint, fully stretched.
    steps = np.linalg.norm(hand.articulation.offsets, axis=1)[chains]
    steps[:, 0] = 0.0
    passed = np.cumsum(np.where(chains >= 0, steps, 0.0), axis=1)[finger]
    reach = np.linalg.norm(local[:, :-1], axis=2)
    out = np.zeros_like(reach)
    for joint in range(reach.shape[1]):
        for carried in range(joint, reach.shape[1]):
            out[:, joint] += shares[:, carried] * (passed[:, carried] - passed[:, joint] + reach[:, carried])
    out *= np.where(volume, _BULGE, 1.0)[:, None]
    return np.where((chains[finger] >= 0) & (finger >= 0)[:, None], out, 0.0)
