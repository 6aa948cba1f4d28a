# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How near a hand comes to an object and to obstacles in many postures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...core.arrays import FloatArray, IntArray
from ...core.sampling import spread_out
from ..closing import ClosingSkin, Distance, Skinned, measure_near
from ..slopes import slopes

FINE, MEDIUM, COARSE = "fine", "medium", "coarse"
"""All of the skin, an even choice of it, or a few balls for every bone."""
MEDIUM_POINTS = 1500
WITHIN = 4e-3
"""Distances under this in [m] are exact, larger ones may be told too short."""
_PROBE = 1e-4
"""How far in [m] to either side of a point distances are compared to tell where they grow."""


@dataclass(frozen=True, eq=False)
class NearSkin:
    """Skin that is near something."""

    points: FloatArray
    """Where it is in [m]. Shape (p, 3)."""
    owners: IntArray
    """Joint that moves each point most, -1 for the wrist. Shape (p,)."""
    short: FloatArray
    """How much in [m] it is nearer than it should be; negative where it is not. Shape (p,)."""
    normals: FloatArray
    """Directions away from what it is near to. Shape (p, 3)."""
    least: float
    """Distance in [m] of the nearest skin of all, or less."""


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

    def each_gap(self, angles: FloatArray, wrists: FloatArray) -> FloatArray:
        """Nearest skin of every bone, the palm last, to the object and to any obstacles. Shape (1 or 2, a, m + 1)."""
        fine = self.skin.fine
        return np.stack(
            [measure_near(fine, angles, wrists[:, :3], each, within=WITHIN).gaps for each in self._distances()]
        )

    def near_skin(self, angles: FloatArray, wrist: FloatArray, *, within: FloatArray, margin: float) -> NearSkin:
        """Skin of one posture that is near the object or an obstacle.

        Args:
            angles: Angles in [rad]. Shape (m, 3).
            wrist: The hand's frame in [m]. Shape (4, 4).
            within: How far in [m] each bone's skin, the palm's last, should be from both. Shape (1 or 2, m + 1).
            margin: Skin that is farther than it should be by less than this in [m] counts as near.
        """
        fine = self.skin.fine
        owners = fine.probes.owners
        places = fine.all_positions(fine.motions(angles[None], wrist[None, :3]))[0]
        leads, lead_of = fine.speakers
        away = np.linalg.norm(places - places[leads][lead_of], axis=1) + fine.probes.radii
        found: list[tuple[IntArray, FloatArray, FloatArray]] = []
        least = np.inf
        for distance, need in zip(self._distances(), within, strict=True):
            gaps = distance(places[leads])[lead_of] - away
            near = np.flatnonzero(gaps < need[owners] + margin)
            gaps[near] = distance(places[near]) - fine.probes.radii[near]
            least = min(least, float(gaps.min(initial=np.inf)))
            near = near[gaps[near] < need[owners[near]] + margin]
            found.append(
                (
                    near,
                    need[owners[near]] - gaps[near],
                    slopes(places[near], distance, _PROBE) if len(near) else np.zeros((0, 3)),
                )
            )
        rows = np.concatenate([each[0] for each in found])
        return NearSkin(
            points=places[rows],
            owners=owners[rows],
            short=np.concatenate([each[1] for each in found]),
            normals=np.concatenate([each[2] for each in found]),
            least=least,
        )

    def _distances(self) -> list[Distance]:
        return [self.distance] if self.obstacles is None else [self.distance, self.obstacles]

    @cached_property
    def medium(self) -> Skinned:
        """Enough of the skin to see what it runs into, not how deep to a tenth of a millimetre."""
        fine = self.skin.fine
        return Skinned(fine.hand, fine.probes.take(spread_out(fine.probes.points, MEDIUM_POINTS)))

    def _probes(self, detail: str) -> Skinned:
        return {FINE: self.skin.fine, COARSE: self.skin.coarse}.get(detail) or self.medium
