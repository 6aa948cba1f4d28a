# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a held object is carried: lifted, moved over, put down."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import FloatArray, frozen_floats
from .ways import turn_between


@dataclass(frozen=True, eq=False)
class Carry:
    """A curve that leaves upwards and arrives from above."""

    start: FloatArray
    """The object's rigid frame at first in [m]. Shape (4, 4)."""
    end: FloatArray
    """At last. Shape (4, 4)."""
    lift: float
    """How far in [m] it is lifted."""
    up: FloatArray
    """Direction away from the ground. Shape (3,)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        for name, shape in {"start": (4, 4), "end": (4, 4), "up": (3,)}.items():
            object.__setattr__(self, name, frozen_floats(getattr(self, name), shape, name))

    def frames(self, shares: FloatArray) -> FloatArray:
        """The object's frames at shares of the way. Shape (a,) to (a, 4, 4)."""
        q = np.asarray(shares, dtype=np.float64)[:, None]
        out = np.tile(np.eye(4), (len(q), 1, 1))
        # A cubic Bezier curve is 3/4 of its inner points' height above its ends in the middle.
        rise = (4.0 / 3.0) * self.lift * self.up
        first, last = self.start[:3, 3], self.end[:3, 3]
        out[:, :3, 3] = (
            (1 - q) ** 3 * first
            + 3 * q * (1 - q) ** 2 * (first + rise)
            + 3 * q * q * (1 - q) * (last + rise)
            + q**3 * last
        )
        out[:, :3, :3] = turn_between(self.start[:3, :3], self.end[:3, :3], q[:, 0] ** 2 * (3.0 - 2.0 * q[:, 0]))
        return out
