# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The best of several ways to close each finger, so that neighbours go together and do not run into each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray
from ...core.articulation import JointFrames, joint_frames
from .clearance import place_volumes
from .hand import ClosingHand
from .measure import Nearness
from .movement import Movement
from .variations import TOGETHER, WayOfFinger

NEAR = 4e-3
"""Gap in [m] at which a bone counts a third of one that touches."""
SIDE_COST = 0.35
"""What touching with a finger's side rather than its pad costs, in touching bones."""
DEEP_COST = 400.0
"""What each metre that a finger had to begin inside costs, in touching bones."""
OVERLAP_COST = 800.0
"""What each metre of overlap with the neighbour costs, in touching bones."""
ORDER_COST = 0.25
"""What another order of joints than the movement's own must gain, in touching bones."""
ASIDE_COST = 1.5
"""What each radian aside must gain, in touching bones."""
DIFFERENCE_COST = 0.2
"""What it costs, in touching bones, that neighbouring fingers close in different orders."""
_SAMPLES = 5


def choose_ways(
    hand: ClosingHand,
    tried: Movement,
    angles: FloatArray,
    near: Nearness,
    depths: FloatArray,
    ways: Sequence[WayOfFinger],
) -> IntArray:
    """The way for every finger of every posture, as an index into `ways`. Shape (a, f).

    Args:
        hand: The hand.
        tried: Movements of all postures in all ways. Shape (a v, ...).
        angles: Where they ended, in [rad]. Shape (a v, m, 3).
        near: The nearest probes there.
        depths: How deep fingers began inside in [m]. Shape (a v, f).
        ways: The ways. Length v.
    """
    v = len(ways)
    order, aside = np.array([way[0] for way in ways]), np.array([way[1] for way in ways])
    values = score_fingers(hand, near, angles, tried.wrists, depths, tried.turning)
    values = values.reshape(-1, v, values.shape[1])
    values -= (ORDER_COST * (order != TOGETHER) + ASIDE_COST * np.abs(aside))[:, None]
    row = np.flatnonzero(tried.fingers).tolist()
    if not aside.any():
        # Fingers that all stay in their planes do not meet, and may be chosen by themselves.
        return np.argmax(values, axis=1)
    out = np.zeros((len(values), len(hand.chains)), dtype=np.int64)
    differing = DIFFERENCE_COST * (order[:, None] != order)
    frames = joint_frames(hand.articulation, angles)
    for a, value in enumerate(values):
        pairs: list[FloatArray] = []
        part = slice(a * v, (a + 1) * v)
        mine = JointFrames(frames.rotations[part], frames.origins[part])
        for first, second in pairwise(row):
            cost = OVERLAP_COST * overlaps(hand, mine, first, second)
            # What overlaps in the movement as it is, is how the hand is built.
            pairs.append(np.maximum(cost - cost[0, 0], 0.0) + differing)
        out[a, row] = choose_together(value[:, row].T, pairs)
    return out


def score_fingers(
    hand: ClosingHand,
    near: Nearness,
    angles: FloatArray,
    wrists: FloatArray,
    depths: FloatArray,
    moving: BoolArray,
) -> FloatArray:
    """How well each finger of each posture has closed, in touching bones. Shape (a, f).

    Args:
        hand: The hand.
        near: Its nearest probes.
        angles: Its postures in [rad]. Shape (a, m, 3).
        wrists: Its frames in the world in [m]. Shape (a, 3, 4).
        depths: How deep its fingers began inside in [m]. Shape (a, f).
        moving: Joints that the movement turns. Shape (m,).
    """
    frames = joint_frames(hand.articulation, angles)
    gaps = near.gaps[:, :-1]
    closeness = np.exp(-np.maximum(gaps, 0.0) / NEAR) * moving
    # Contacts on the sides of a bone mean that the finger sits on an edge and not beside it.
    turns = wrists[:, None, :, :3] @ frames.rotations
    origins = (wrists[:, None, :, :3] @ frames.origins[..., None])[..., 0] + wrists[:, None, :, 3]
    local = np.einsum("ami,amij->amj", np.nan_to_num(near.points[:, :-1] - origins), turns)
    across = local[..., 0] ** 2 / np.maximum(local[..., 0] ** 2 + local[..., 1] ** 2, 1e-12)
    value = closeness * (1.0 - SIDE_COST * across)
    out = np.zeros((len(gaps), len(hand.chains)))
    for f, chain in enumerate(hand.chains):
        joints = chain[chain >= 0]
        out[:, f] = value[:, joints].sum(axis=1)
    return out - DEEP_COST * depths


def overlaps(hand: ClosingHand, frames: JointFrames, first: int, second: int) -> FloatArray:
    """How far in [m] one finger's capsules reach into another's, in every pair of postures. Shape (v, v).

    Args:
        hand: The hand.
        frames: Joint frames of v postures.
        first: A finger, in the posture of the row.
        second: Another, in the posture of the column.
    """
    v = len(frames.origins)
    still = np.broadcast_to(np.eye(3, 4), (v, 3, 4))
    owner = np.where(hand.volumes.joints >= 0, hand.finger_of[hand.volumes.joints], -1)
    last = [np.flatnonzero((owner == f) & (hand.places[hand.volumes.joints] > 0)) for f in (first, second)]
    if not len(last[0]) or not len(last[1]):
        return np.zeros((v, v))
    one = place_volumes(hand.volumes, last[0], frames, still)
    other = place_volumes(hand.volumes, last[1], frames, still)
    along = np.linspace(0.0, 1.0, _SAMPLES)
    points = one.starts[:, :, None] + along[:, None] * one.spans[:, :, None]
    radii = one.radii[:, :1] + along * (one.radii[:, 1:] - one.radii[:, :1])
    flat = np.broadcast_to(points.reshape(v, 1, -1, 3), (v, v, points[0].size // 3, 3)).reshape(-1, 3)
    column = np.tile(np.repeat(np.arange(v), points[0].size // 3), v)
    gaps = other.distance(column, flat).reshape(v, v, -1) - radii.reshape(-1)
    return np.maximum(-gaps.min(axis=2), 0.0)


def choose_together(values: FloatArray, pairs: list[FloatArray]) -> IntArray:
    """The choice for every finger in a row that is best for all (Viterbi). Shape (f,).

    Args:
        values: How good each choice is for each finger. Shape (f, v).
        pairs: For each finger but the last, what its choice (row) and the next one's (column) cost. Shapes (v, v).
    """
    best = values[0]
    back: list[IntArray] = []
    for value, cost in zip(values[1:], pairs, strict=True):
        total = best[:, None] - cost
        back.append(np.argmax(total, axis=0))
        best = total.max(axis=0) + value
    chosen = [int(np.argmax(best))]
    for step in reversed(back):
        chosen.append(int(step[chosen[-1]]))
    return np.array(chosen[::-1], dtype=np.int64)
