# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses of a finger by example: the examples whose tips are nearest to a target, blended (after Amaya, in Lu 1997).

The published method averages matrices on a grid, which gives no rotations and loses what lies between the nodes. The
examples themselves, weighted by the inverse of their squared distance, are nearer to the truth with less.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, frozen_floats
from ..core.rotations import nearest_rotation
from .chain import ChainError


class Blended(NamedTuple):
    """Poses for targets."""

    angles: FloatArray
    """Blend of the examples' angles in [rad]. Shape (q, a)."""
    rotations: FloatArray
    """Blend of the tips' orientations. Shape (q, 3, 3)."""
    distances: FloatArray
    """Distance of the nearest example from each target in [m]: how far this is a guess. Shape (q,)."""


@dataclass(frozen=True, eq=False)
class ExampleMap:
    """Poses that were shown, and where they put the tip."""

    tips: FloatArray
    """In the palm's frame in [m]. Shape (n, 3)."""
    angles: FloatArray
    """In [rad]. Shape (n, a)."""
    rotations: FloatArray
    """Orientation of the tip in the palm's frame. Shape (n, 3, 3)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only.

        Raises:
            ChainError: There is no example, or one is not finite.
        """
        n = len(self.tips)
        object.__setattr__(self, "tips", frozen_floats(self.tips, (n, 3), "tips"))
        object.__setattr__(self, "angles", frozen_floats(self.angles, (n, -1), "angles"))
        object.__setattr__(self, "rotations", frozen_floats(self.rotations, (n, 3, 3), "rotations"))
        if n == 0 or not all(np.isfinite(each).all() for each in (self.tips, self.angles, self.rotations)):
            raise ChainError("A map needs at least one example, and finite numbers throughout.")

    def look_up(self, targets: ArrayLike, *, neighbours: int = 8) -> Blended:
        """The blend of the examples nearest to targets in the palm's frame in [m], shape (q, 3).

        Raises:
            ChainError: A target is not finite.
        """
        points = np.atleast_2d(np.asarray(targets, dtype=np.float64))
        if points.shape[1:] != (3,) or not np.isfinite(points).all():
            raise ChainError("Targets are rows of three finite numbers.")
        count = min(max(neighbours, 1), len(self.tips))
        rows, squares = np.empty((len(points), count), dtype=np.int64), np.empty((len(points), count))
        for k, point in enumerate(points):
            apart = np.square(self.tips - point).sum(axis=1)
            rows[k] = np.argpartition(apart, count - 1)[:count]
            squares[k] = apart[rows[k]]
        # An example right at the target decides alone, whatever its size.
        weights = 1.0 / np.maximum(squares, 1e-18)
        weights /= weights.sum(axis=1, keepdims=True)
        return Blended(
            angles=np.einsum("qk,qka->qa", weights, self.angles[rows]),
            rotations=nearest_rotation(np.einsum("qk,qkij->qij", weights, self.rotations[rows])),
            distances=np.sqrt(squares.min(axis=1)),
        )
