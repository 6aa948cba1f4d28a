# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What closing many postures of a hand comes to, and how parts of it are put together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray
from .hand import ClosingHand
from .variations import Way

_Values = TypeVar("_Values", FloatArray, IntArray)


@dataclass(frozen=True, eq=False)
class Closing:
    """Closed postures."""

    angles: FloatArray
    """Flexion, abduction and twist in [rad]. Shape (a, m, 3)."""
    shares: FloatArray
    """Share of its turn that each joint made, 0 to 1. Shape (a, m)."""
    stopped_by: IntArray
    """What the bone of each joint touched, as in `clearance`; 0 for nothing. Shape (a, m)."""
    depths: FloatArray
    """How deep in [m] each finger began inside, beyond what is allowed. Shape (a, f)."""
    way: Way
    """How each finger closed."""
    taken: FloatArray | None = None
    """Where each finger took the others to be, which close at the same time, in [rad]. Shape (a, m, 3)."""

    def take(self, postures: IntArray) -> Closing:
        """Some of the postures (b,), without what fingers took the others to be."""
        way = Way(self.way.orders[postures], self.way.aside[postures])
        return Closing(
            self.angles[postures], self.shares[postures], self.stopped_by[postures], self.depths[postures], way
        )

    def put(self, postures: IntArray, other: Closing) -> Closing:
        """The same with other closings of some of the postures (b,)."""
        way = Way(_with(self.way.orders, postures, other.way.orders), _with(self.way.aside, postures, other.way.aside))
        return Closing(
            _with(self.angles, postures, other.angles),
            _with(self.shares, postures, other.shares),
            _with(self.stopped_by, postures, other.stopped_by),
            _with(self.depths, postures, other.depths),
            way,
        )


def merged(hand: ClosingHand, new: BoolArray, one: Closing, other: Closing) -> Closing:
    """Fingers of one closing where `new` (a, f) says so, and of another elsewhere."""
    joints = new[:, hand.finger_of]
    return Closing(
        angles=np.where(joints[..., None], one.angles, other.angles),
        shares=np.where(joints, one.shares, other.shares),
        stopped_by=np.where(joints, one.stopped_by, other.stopped_by),
        depths=np.where(new, one.depths, other.depths),
        way=Way(np.where(new, one.way.orders, other.way.orders), np.where(new, one.way.aside, other.way.aside)),
        taken=one.taken,
    )


def _with(values: _Values, postures: IntArray, others: _Values) -> _Values:
    """Values (a, ...) with others (b, ...) in place of those of some postures (b,)."""
    out = values.copy()
    out[postures] = others
    return out
