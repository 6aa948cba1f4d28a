# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""When the joints of closing fingers turn, and how fast: between two changes every joint turns evenly or rests."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray
from .movement import Movement


@dataclass(frozen=True, eq=False)
class Pace:
    """Turns of the joints of tasks, that is of fingers of postures, and the parts of the movement they take."""

    turns: FloatArray
    """How far each joint turns that moves any probe, in [rad]. Shape (t, l)."""
    begin: FloatArray
    """Where in the movement it begins to. Shape (t, l)."""
    end: FloatArray
    """Where it has done so. Shape (t, l)."""
    rates: FloatArray
    """How fast it turns between the two, in [rad] for each unit of the movement. Shape (t, l)."""

    def take(self, tasks: BoolArray) -> Pace:
        """Some of the tasks (t,)."""
        return Pace(self.turns[tasks], self.begin[tasks], self.end[tasks], self.rates[tasks])

    def now(self, share: FloatArray, most: FloatArray) -> FloatArray:
        """How fast joints turn where tasks have come to, in [rad] for each unit of the movement. Shape (t, l).

        Args:
            share: How far in the movement tasks are. Shape (t,).
            most: How far in it each joint goes at most; below 0 for those that have stopped. Shape (t, l).
        """
        at = share[:, None]
        return np.where((self.begin <= at) & (at < np.minimum(self.end, most)), self.rates, 0.0)

    def next_change(self, share: FloatArray, most: FloatArray) -> FloatArray:
        """Where a joint next begins or ends to turn, infinite where none does any more; as for `now`. Shape (t,)."""
        at, top = share[:, None], np.minimum(self.end, most)
        change = np.where(self.begin > at, self.begin, top)
        return np.where((self.turns > 0.0) & (top > np.maximum(at, self.begin)), change, np.inf).min(axis=1)

    def left(self, share: FloatArray, most: FloatArray) -> FloatArray:
        """How far joints will turn at most from where tasks are, in [rad]; as for `now`. Shape (t, l)."""
        top = np.minimum(self.end, most)
        return self.rates * np.maximum(top - np.maximum(share[:, None], self.begin), 0.0)


def pace_of(movement: Movement, posture: IntArray, joints: IntArray, drives: BoolArray) -> Pace:
    """The pace of tasks.

    Args:
        movement: What all postures do.
        posture: Posture of each task. Shape (t,).
        joints: Joints of each task's finger, filled up with -1. Shape (t, l).
        drives: Which of them move any probe. Shape (t, l).
    """
    at = posture[:, None], joints
    turns = np.where((joints >= 0) & drives, np.abs(movement.end - movement.start).sum(axis=2)[at], 0.0)
    if movement.windows is None:
        return Pace(turns, np.zeros_like(turns), np.ones_like(turns), turns)
    begin, end = movement.windows[..., 0][at], movement.windows[..., 1][at]
    return Pace(turns, begin, end, turns / (end - begin))
