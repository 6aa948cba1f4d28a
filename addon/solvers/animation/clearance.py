# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How near a hand comes to an object and to obstacles in many postures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...core.arrays import FloatArray
from ...core.sampling import spread_out
from ..closing import ClosingSkin, Distance, Skinned, measure_near

FINE, MEDIUM, COARSE = "fine", "medium", "coarse"
"""All of the skin, an even choice of it, or a few balls for every bone."""
MEDIUM_POINTS = 1500
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

    def gaps(self, angles: FloatArray, wrists: FloatArray, *, detail: str = FINE) -> FloatArray:
        """Nearest skin of every bone to the object in [m], the palm last. Shape (a, m + 1)."""
        return measure_near(self._probes(detail), angles, wrists[:, :3], self.distance, within=WITHIN).gaps

    def obstacle_gaps(self, angles: FloatArray, wrists: FloatArray, *, detail: str = FINE) -> FloatArray:
        """Nearest skin of the whole hand to the obstacles in [m]; infinite for none. Shape (a,)."""
        if self.obstacles is None:
            return np.full(len(angles), np.inf)
        near = measure_near(self._probes(detail), angles, wrists[:, :3], self.obstacles, within=WITHIN)
        return near.gaps.min(axis=1)

    def nearest(self, angles: FloatArray, wrists: FloatArray, *, detail: str = FINE) -> FloatArray:
        """Nearest skin of the whole hand to the object and to obstacles in [m]. Shape (a, 2)."""
        gaps = self.gaps(angles, wrists, detail=detail).min(axis=1)
        return np.column_stack([gaps, self.obstacle_gaps(angles, wrists, detail=detail)])

    @cached_property
    def medium(self) -> Skinned:
        """Enough of the skin to see what it runs into, not how deep to a tenth of a millimetre."""
        fine = self.skin.fine
        return Skinned(fine.hand, fine.probes.take(spread_out(fine.probes.points, MEDIUM_POINTS)))

    def _probes(self, detail: str) -> Skinned:
        return {FINE: self.skin.fine, COARSE: self.skin.coarse}.get(detail) or self.medium
