# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How near a hand comes to an object and to obstacles in many postures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import FloatArray
from ..closing import ClosingSkin, Distance, Skinned, measure_near

WITHIN = 4e-3
"""Distances under this in [m] are exact, larger ones may be told too short."""


@dataclass(frozen=True, eq=False)
class Surroundings:
    """What a hand must not run into."""

    skin: ClosingSkin
    """The hand."""
    distance: Distance
    """Signed distance to the object, for mass queries."""
    obstacles: Distance | None = None
    """Signed distance to everything else."""

    def gaps(self, angles: FloatArray, wrists: FloatArray, *, fine: bool = True) -> FloatArray:
        """Nearest skin of every bone to the object in [m], the palm last. Shape (a, m + 1)."""
        return measure_near(self._probes(fine), angles, wrists[:, :3], self.distance, within=WITHIN).gaps

    def obstacle_gaps(self, angles: FloatArray, wrists: FloatArray, *, fine: bool = True) -> FloatArray:
        """Nearest skin of the whole hand to the obstacles in [m]; infinite for none. Shape (a,)."""
        if self.obstacles is None:
            return np.full(len(angles), np.inf)
        near = measure_near(self._probes(fine), angles, wrists[:, :3], self.obstacles, within=WITHIN)
        return near.gaps.min(axis=1)

    def nearest(self, angles: FloatArray, wrists: FloatArray, *, fine: bool = True) -> FloatArray:
        """Nearest skin of the whole hand to the object and to obstacles in [m]. Shape (a, 2)."""
        gaps = self.gaps(angles, wrists, fine=fine).min(axis=1)
        return np.column_stack([gaps, self.obstacle_gaps(angles, wrists, fine=fine)])

    def _probes(self, fine: bool) -> Skinned:
        return self.skin.fine if fine else self.skin.coarse
