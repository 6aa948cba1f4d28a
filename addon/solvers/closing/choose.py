# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The best of several ways to close each finger, so that neighbours go together and do not run into each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray
from ...core.articulation import JointFrames
from .clearance import Blocks, place_volumes
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
    frames: JointFrames,
    near: Nearness,
    depths: FloatArray,
    ways: Sequence[WayOfFinger],
) -> IntArray:
    """The way for every finger of every posture, as an index into `ways`. Shape (a, f).

    Args:
        hand: The hand.
        tried: Movements of all postures in all ways. Shape (a v, ...).
        frames: Where their joints ended, in the hand's frame.
        near: The nearest probes there.
        depths: How deep fingers began inside in [m]. Shape (a v, f).
        ways: The ways. Length v.
    """
    v = len(ways)
    order, aside = np.array([way[0] for way in ways]), np.array([way[1] for way in ways])
    values = score_fingers(hand, near, frames, tried.wrists, depths, tried.turning)
    values = values.reshape(-1, v, values.shape[1])
    values -= (ORDER_COST * (order != TOGETHER) + ASIDE_COST * np.abs(aside))[:, None]
    # The thumb closes after the others and makes way for them. Fingers that all stay in their planes do not meet either
    # and may be chosen by themselves.
    out = np.argmax(values, axis=1)
    row = [f for f in np.flatnonzero(tried.fingers).tolist() if f != hand.thumb]
    if not aside.any():
        return out
    differing = DIFFERENCE_COST * (order[:, None] != order)
    blocks = _last_bones(hand, frames, row)
    for a, value in enumerate(values):
        # The best for each by itself is the best for all but for what it costs neighbours; who is worse by more than
        # all of that is not among the best for all.
        best = np.argmax(value[:, row], axis=0)
        some = [best[k : k + 1] for k in range(len(row))]
        lost = sum(float(cost[0, 0]) for cost in _pair_costs(blocks, a * v, some, differing))
        if lost > 0.0:
            some = [np.flatnonzero(value[:, f] >= value[:, f].max() - lost) for f in row]
            costs = _pair_costs(blocks, a * v, some, differing)
            together = choose_together([value[ways_, f] for ways_, f in zip(some, row, strict=True)], costs)
            best = np.array([ways_[k] for ways_, k in zip(some, together.tolist(), strict=True)])
        out[a, row] = best
    return out


def _pair_costs(
    blocks: Sequence[Blocks], begin: int, some: Sequence[IntArray], differing: FloatArray
) -> list[FloatArray]:
    """What it costs neighbours to close in some ways each, the first's by rows and the second's by columns.

    Args:
        blocks: The last bones of each finger in all ways of all postures.
        begin: The first way of the posture.
        some: Ways of each finger.
        differing: What it costs to close in different orders, for each pair of ways.
    """
    out: list[FloatArray] = []
    for (first, second), (one, other) in zip(pairwise(blocks), pairwise(some), strict=True):
        # What overlaps in the movement as it is, is how the hand is built.
        cost = OVERLAP_COST * overlaps(first, second, begin + np.append(0, one), begin + np.append(0, other))
        out.append(np.maximum(cost[1:, 1:] - cost[0, 0], 0.0) + differing[np.ix_(one, other)])
    return out


def _last_bones(hand: ClosingHand, frames: JointFrames, fingers: Sequence[int]) -> list[Blocks]:
    """The capsules of each finger's bones, but for its first one, in the hand's frame."""
    joints = hand.volumes.joints
    last = np.flatnonzero((joints >= 0) & (hand.places[joints] > 0))
    still = np.broadcast_to(np.eye(3, 4), (len(frames.origins), 3, 4))
    every, owner = place_volumes(hand.volumes, last, frames, still), hand.finger_of[joints[last]]
    return [every.of_some(np.flatnonzero(owner == finger)) for finger in fingers]


def score_fingers(
    hand: ClosingHand,
    near: Nearness,
    frames: JointFrames,
    wrists: FloatArray,
    depths: FloatArray,
    moving: BoolArray,
) -> FloatArray:
    """How well each finger of each posture has closed, in touching bones. Shape (a, f).

    Args:
        hand: The hand.
        near: Its nearest probes.
        frames: Its joints' frames in its own.
        wrists: Its frames in the world in [m]. Shape (a, 3, 4).
        depths: How deep its fingers began inside in [m]. Shape (a, f).
        moving: Joints that the movement turns. Shape (m,).
    """
    gaps = near.gaps[:, :-1]
    closeness = np.exp(-np.maximum(gaps, 0.0) / NEAR) * moving
    # Contacts on the sides of a bone mean that the finger sits on an edge and not beside it.
    turns = wrists[:, None, :, :3] @ frames.rotations
    origins = (wrists[:, None, :, :3] @ frames.origins[..., None])[..., 0] + wrists[:, None, :, 3]
    local = (np.nan_to_num(near.points[:, :-1] - origins)[:, :, None] @ turns)[:, :, 0]
    across = local[..., 0] ** 2 / np.maximum(local[..., 0] ** 2 + local[..., 1] ** 2, 1e-12)
    value = closeness * (1.0 - SIDE_COST * across)
    out = np.zeros((len(gaps), len(hand.chains)))
    for f, chain in enumerate(hand.chains):
        joints = chain[chain >= 0]
        out[:, f] = value[:, joints].sum(axis=1)
    return out - DEEP_COST * depths


def overlaps(one: Blocks, other: Blocks, these: IntArray, those: IntArray) -> FloatArray:
    """How far in [m] some capsules reach into others, in every pair of their postures (v,) and (w,). Shape (v, w)."""
    v, w = len(these), len(those)
    if not len(one.radii) or not len(other.radii):
        return np.zeros((v, w))
    along = np.linspace(0.0, 1.0, _SAMPLES)
    points = one.starts[these][:, :, None] + along[:, None] * one.spans[these][:, :, None]
    radii = one.radii[:, :1] + along * (one.radii[:, 1:] - one.radii[:, :1])
    each = points[0].size // 3
    flat = np.broadcast_to(points.reshape(v, 1, -1, 3), (v, w, each, 3)).reshape(-1, 3)
    column = np.tile(np.repeat(those, each), v)
    gaps = other.distance(column, flat).reshape(v, w, -1) - radii.reshape(-1)
    return np.maximum(-gaps.min(axis=2), 0.0)


def choose_together(values: Sequence[FloatArray], pairs: Sequence[FloatArray]) -> IntArray:
    """The choice for every finger in a row that is best for all (Viterbi). Shape (f,).

    Args:
        values: How good each choice is for each finger. Shapes (v,).
        pairs: For each finger but the last, what its choice (row) and the next one's (column) cost. Shapes (v, w).
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
