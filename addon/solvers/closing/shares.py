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


def joint_coefficients(hand: ClosingHand, probes: Probes) -> FloatArray:
    """What the rows of the motions of all joints of a point are weighted with to give it. Shape (p, 4 k)."""
    joints, points = probes.joints, probes.points
    turned = np.einsum("pki,pkij->pkj", points[:, None] - hand.rest.origins[joints], hand.rest.rotations[joints])
    local = np.where((joints < 0)[..., None], points[:, None], turned)
    ones = np.ones((*joints.shape, 1))
    return (probes.weights[..., None] * np.concatenate([local, ones], axis=2)).reshape(len(points), -1)


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


def posed_spreads(hand: ClosingHand, probes: Probes, leads: IntArray) -> FloatArray:
    """How far in [m] each point may be from another one in any posture, if motions are blended linearly. Shape (p,).

    Where both have the same shares they stay as far apart as at rest. What a joint has more of a share in one, with
    those after it, counts as often as the other can be from where it would be without that joint: twice its distance
    from it.

    Args:
        hand: The hand.
        probes: The points.
        leads: The other one of each. Shape (p,).
    """
    m = len(hand.finger_of)
    shares = np.zeros((len(leads), m + 1))
    for k in range(probes.joints.shape[1]):
        np.add.at(shares, (np.arange(len(leads)), probes.joints[:, k]), probes.weights[:, k])
    more = (shares - shares[leads])[:, :m]
    # What a joint moves, those after it move as well; parents come first.
    for joint in range(m - 1, -1, -1):
        parent = int(hand.articulation.parents[joint])
        if parent >= 0:
            more[:, parent] += more[:, joint]
    places = probes.points[leads]
    away = np.linalg.norm(places[:, None] - hand.rest.origins, axis=2)
    return np.linalg.norm(probes.points - places, axis=1) + np.einsum("pm,pm->p", np.abs(more), 2.0 * away)


def guarding(hand: ClosingHand, probes: Probes, finger: IntArray, place: IntArray) -> BoolArray:
    """Probes that may run into the hand itself: those of the last one and a half bones of every finger. Shape (p,).

    What is nearer to the palm stays as near to its knuckle however far the finger bends, and where knuckles lie far
    out in the palm it would be in the palm's way from the start.

    Args:
        hand: The hand.
        probes: The probes.
        finger: Finger of each, -1 for none. Shape (p,).
        place: Position in its chain of the joint that owns each. Shape (p,).
    """
    length = (hand.chains >= 0).sum(axis=1)[finger]
    last = (finger >= 0) & (place >= 1) & (place >= length - 2)
    before = np.flatnonzero(last & (place == length - 2))
    start = hand.rest.origins[probes.owners[before]]
    bone = hand.rest.origins[hand.chains[finger[before], place[before] + 1]] - start
    along = np.einsum("pi,pi->p", probes.points[before] - start, bone)
    last[before[along < 0.5 * np.einsum("pi,pi->p", bone, bone)]] = False
    return last
