# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways in which a finger may close: which of its joints turn first, and how far aside it goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...core.arrays import FloatArray, IntArray
from .hand import ClosingHand
from .movement import Movement

# When the first turning joint of a finger and the joints after it turn: all together as in the movement's own
# interpolation, the knuckle first so that the finger lies down along the object, or the knuckle last so that the finger
# curls in front of it.
ORDERS: tuple[tuple[tuple[float, float], tuple[float, float]], ...] = (
    ((0.0, 1.0), (0.0, 1.0)),
    ((0.0, 0.55), (0.45, 1.0)),
    ((0.45, 1.0), (0.0, 0.55)),
)
TOGETHER = 0
WayOfFinger = tuple[int, float]
"""A row of `ORDERS` and a turn aside in [rad]."""
USUAL: tuple[WayOfFinger, ...] = ((TOGETHER, 0.0),)
EVERY_WAY: tuple[WayOfFinger, ...] = tuple(
    # Half the usual spread of a finger, and a quarter.
    (order, aside)
    for aside in (0.0, -0.16, -0.08, 0.08, 0.16)
    for order in range(len(ORDERS))
)


@dataclass(frozen=True, eq=False)
class Way:
    """How the fingers of each posture close."""

    orders: IntArray
    """Row of `ORDERS` for each finger. Shape (a, f)."""
    aside: FloatArray
    """Turn aside that is added, in [rad]. Shape (a, f)."""


def usual_way(count: int, fingers: int) -> Way:
    """The movement as it is."""
    return Way(np.zeros((count, fingers), dtype=np.int64), np.zeros((count, fingers)))


def tried_ways(ways: Sequence[WayOfFinger], count: int, fingers: int) -> Way:
    """All ways for each of `count` postures, one after the other, the same for all fingers. Shapes (count v, f)."""
    orders = np.tile(np.array([order for order, _ in ways], dtype=np.int64), count)
    aside = np.tile(np.array([turn for _, turn in ways], dtype=np.float64), count)
    return Way(np.repeat(orders[:, None], fingers, axis=1), np.repeat(aside[:, None], fingers, axis=1))


def knuckles(hand: ClosingHand, movement: Movement) -> IntArray:
    """The first joint of each finger that the movement turns; the chain's first where none turns. Shape (f,)."""
    turning = movement.turning
    out = hand.chains[:, 0].copy()
    for f, chain in enumerate(hand.chains):
        moving = [int(j) for j in chain if j >= 0 and turning[j]]
        out[f] = moving[0] if moving else chain[0]
    return out


def vary(hand: ClosingHand, movement: Movement, way: Way, ranges: FloatArray) -> Movement:
    """A movement made in some way, within the joints' ranges.

    Args:
        hand: The hand.
        movement: Shape (a, ...) postures.
        way: How, for each of them.
        ranges: Lowest and highest angles in [rad]. Shape (m, 3, 2).
    """
    first = knuckles(hand, movement)
    windows = np.empty((*movement.start.shape[:2], 2))
    table = np.array(ORDERS)
    for f, chain in enumerate(hand.chains):
        joints = chain[chain >= 0]
        windows[:, joints] = table[way.orders[:, f], 1][:, None]
        windows[:, first[f]] = table[way.orders[:, f], 0]
    start, end = movement.start.copy(), movement.end.copy()
    low, high = ranges[first, 1, 0], ranges[first, 1, 1]
    for angles in (start, end):
        # Angles that are out of range already stay where they are.
        there = angles[:, first, 1]
        angles[:, first, 1] = np.clip(there + way.aside, np.minimum(low, there), np.maximum(high, there))
    return replace(movement, start=start, end=end, windows=windows)
