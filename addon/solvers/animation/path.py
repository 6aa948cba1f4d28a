# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a held object is carried along a line: to its start, along it by its length, and from its end to a place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...core.arrays import FloatArray, frozen_floats
from ...core.rotations import unit
from .ways import turn_between

ON_LINE = 1e-5
"""An object this near in [m] to the start or the end of a line needs no way there."""
_LEG_POINTS = 257


@dataclass(frozen=True, eq=False)
class PathCarry:
    """An object whose origin goes along a line."""

    start: FloatArray
    """The object's rigid frame at first in [m], anywhere in it. Shape (4, 4)."""
    place: FloatArray
    """The rigid frame of its origin then, in [m]. Shape (4, 4)."""
    line: FloatArray
    """Points of the line in [m]. Shape (n, 3), n >= 2."""
    put: FloatArray | None = None
    """The rigid frame of its origin at last; None leaves it at the line's end, turned as it is. Shape (4, 4)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        for name, shape in {"start": (4, 4), "place": (4, 4), "line": (len(self.line), 3)}.items():
            object.__setattr__(self, name, frozen_floats(getattr(self, name), shape, name))
        if self.put is not None:
            object.__setattr__(self, "put", frozen_floats(self.put, (4, 4), "put"))

    @cached_property
    def way(self) -> FloatArray:
        """Points of the whole way in [m], which goes over smoothly into the line at both ends. Shape (k, 3)."""
        line = self.line[np.concatenate([[True], np.linalg.norm(np.diff(self.line, axis=0), axis=1) > 0.0])]
        parts = [line]
        start = self.place[:3, 3]
        if np.linalg.norm(line[0] - start) > ON_LINE:
            parts.insert(0, _leg(start, line[0], unit(line[1] - line[0]))[:-1])
        if self.put is not None and np.linalg.norm(self.put[:3, 3] - line[-1]) > ON_LINE:
            back = _leg(self.put[:3, 3], line[-1], unit(line[-2] - line[-1]))[::-1]
            parts.append(back[1:])
        return np.concatenate(parts)

    @property
    def end(self) -> FloatArray:
        """The object's rigid frame at last in [m]. Shape (4, 4)."""
        return self.frames(np.ones(1))[0]

    def frames(self, shares: FloatArray) -> FloatArray:
        """The object's frames at shares of the way's length. Shape (a,) to (a, 4, 4)."""
        q = np.asarray(shares, dtype=np.float64)
        way = self.way
        lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(way, axis=0), axis=1))])
        origins = np.tile(np.eye(4), (len(q), 1, 1))
        for axis in range(3):
            origins[:, axis, 3] = np.interp(q * lengths[-1], lengths, way[:, axis])
        turn = self.place[:3, :3] if self.put is None else self.put[:3, :3]
        origins[:, :3, :3] = turn_between(self.place[:3, :3], turn, q * q * (3.0 - 2.0 * q))
        return origins @ np.linalg.inv(self.place) @ self.start


def _leg(start: FloatArray, end: FloatArray, along: FloatArray) -> FloatArray:
    """Points from one place to another (3,) that is arrived at in a direction (3,). Shape (_LEG_POINTS, 3)."""
    q = np.linspace(0.0, 1.0, _LEG_POINTS)[:, None]
    third = float(np.linalg.norm(end - start)) / 3.0
    first, last = start + (end - start) / 3.0, end - third * along
    return (1 - q) ** 3 * start + 3 * q * (1 - q) ** 2 * first + 3 * q * q * (1 - q) * last + q**3 * end
