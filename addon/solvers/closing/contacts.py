# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which fingers touched, and in what order the bones of each did."""

from __future__ import annotations

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray
from .clearance import OBJECT
from .hand import ClosingHand


def touching(hand: ClosingHand, stopped_by: IntArray) -> BoolArray:
    """Fingers of which a bone touched the object. Shape (a, f)."""
    touched = [(stopped_by[:, chain[chain >= 0]] == OBJECT).any(axis=1) for chain in hand.chains]
    return np.stack(touched, axis=1)


def turns_of(hand: ClosingHand, stopped_by: IntArray) -> IntArray:
    """How many contacts of the bones before it come before each joint's own. Shape (a, m).

    Args:
        hand: The hand.
        stopped_by: What the bone of each joint touched; 0 for nothing. Shape (a, m).
    """
    out = np.zeros(stopped_by.shape, dtype=np.int64)
    for chain in hand.chains:
        joints = chain[chain >= 0]
        touched = (stopped_by[:, joints] != 0).astype(np.int64)
        out[:, joints] = np.cumsum(touched, axis=1) - touched
    return out


def one_after_another(hand: ClosingHand, turn: IntArray) -> FloatArray:
    """Windows in which joints that stopped at the same contact turn together, those nearer to the palm first."""
    windows = np.zeros((*turn.shape, 2))
    for chain in hand.chains:
        joints = chain[chain >= 0]
        count = turn[:, joints[-1:]] + 1.0
        windows[:, joints, 0] = turn[:, joints] / count
        windows[:, joints, 1] = (turn[:, joints] + 1.0) / count
    return windows
