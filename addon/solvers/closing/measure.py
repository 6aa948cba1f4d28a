# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How near every bone of a closed hand is to a surface, and where."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import FloatArray, IntArray
from .clearance import Distance
from .motion import Skinned
from .motions import Motions

_OFF, _OFF_AWAY = 2e-4, 0.25
"""What quick distances may be off by: in [m] near the surface, and over the distance away from it."""
_MAY_TOUCH = 1e-3
"""Bones farther than this in [m] by quick distances do not touch, and how far they are need not be exact."""


@dataclass(frozen=True, eq=False)
class Nearness:
    """The nearest probe of every bone in many postures; the palm is the last column."""

    gaps: FloatArray
    """Signed distances in [m], negative inside; infinite for bones without probes. Shape (a, m + 1)."""
    points: FloatArray
    """Where those probes are in the world, in [m]. Shape (a, m + 1, 3)."""
    probes: IntArray
    """Which they are; -1 for bones without. Shape (a, m + 1)."""


def measure_all(skinned: Skinned, angles: FloatArray, wrists: FloatArray, distance: Distance) -> Nearness:
    """The nearest probes when every probe's distance is asked for.

    Args:
        skinned: The probes.
        angles: Shape (a, m, 3) in [rad].
        wrists: The hand's frames in the world in [m]. Shape (a, 3, 4).
        distance: Distance to the surface.
    """
    return measure_moved(skinned, skinned.motions(angles, wrists), distance)


def measure_moved(skinned: Skinned, motions: Motions, distance: Distance) -> Nearness:
    """The same where the motions of the joints are known already."""
    places = skinned.all_positions(motions)
    gaps = distance(places.reshape(-1, 3)).reshape(places.shape[:2]) - skinned.probes.radii
    return _nearest(skinned, gaps, places)


def measure_near(
    skinned: Skinned,
    angles: FloatArray,
    wrists: FloatArray,
    distance: Distance,
    *,
    within: float,
    precise: Distance | None = None,
) -> Nearness:
    """The nearest probes where they are nearer than `within` in [m], else a lower bound, by what `distance` says.

    One probe speaks for its neighbours until they may be near: an eighth of the distances of `measure_all`. Where
    `distance` is quick, but not exact, `precise` is asked for the nearest of each bone that may touch.
    """
    places = skinned.all_positions(skinned.motions(angles, wrists))
    leads, lead_of = skinned.speakers
    spoken = places[:, leads]
    told = distance(spoken.reshape(-1, 3)).reshape(spoken.shape[:2])
    away = places - spoken[:, lead_of]
    gaps = told[:, lead_of] - np.sqrt(np.einsum("api,api->ap", away, away)) - skinned.probes.radii
    posture, probe = np.nonzero(gaps < within)
    if len(probe):
        gaps[posture, probe] = distance(places[posture, probe]) - skinned.probes.radii[probe]
    if precise is not None:
        lowest = np.full((len(gaps), len(skinned.hand.finger_of) + 1), np.inf)
        found = gaps[posture, probe]
        np.minimum.at(lowest, (posture, skinned.probes.owners[probe]), found)
        nearest = lowest[posture, skinned.probes.owners[probe]]
        asked = np.flatnonzero((nearest < _MAY_TOUCH) & (found < nearest + _OFF + _OFF_AWAY * np.maximum(nearest, 0.0)))
        posture, probe = posture[asked], probe[asked]
        gaps[posture, probe] = precise(places[posture, probe]) - skinned.probes.radii[probe]
    return _nearest(skinned, gaps, places)


def near_gaps(
    skinned: Skinned, angles: FloatArray, wrists: FloatArray, distance: Distance, *, within: float
) -> FloatArray:
    """The gaps of `measure_near` alone, farther below the truth where that is more than `within`. Shape (a, m + 1).

    Only those that may be near are asked where they are.
    """
    if skinned.bulges:
        return measure_near(skinned, angles, wrists, distance, within=within).gaps
    motions = skinned.motions(angles, wrists)
    leads, lead_of = skinned.speakers
    posture, lead = np.repeat(np.arange(len(angles)), len(leads)), np.tile(leads, len(angles))
    told = distance(skinned.some_positions(motions, posture, lead)).reshape(len(angles), -1)
    gaps = told[:, lead_of] - (skinned.spreads + skinned.probes.radii)
    posture, probe = np.nonzero(gaps < within)
    if len(probe):
        places = skinned.some_positions(motions, posture, probe)
        gaps[posture, probe] = distance(places) - skinned.probes.radii[probe]
    out = np.full((len(gaps), len(skinned.hand.finger_of) + 1), np.inf)
    order, begins = skinned.by_owner
    if len(order):
        out[:, skinned.probes.owners[order[begins]]] = np.minimum.reduceat(gaps[:, order], begins, axis=1)
    return out


def _nearest(skinned: Skinned, gaps: FloatArray, places: FloatArray) -> Nearness:
    m, count = len(skinned.hand.finger_of), len(gaps)
    best = np.full((count, m + 1), np.inf)
    probes = np.full((count, m + 1), -1, dtype=np.int64)
    points = np.full((count, m + 1, 3), np.nan)
    order, begins = skinned.by_owner
    if len(order):
        ranked = gaps[:, order]
        lowest = np.minimum.reduceat(ranked, begins, axis=1)
        sizes = np.diff(np.append(begins, len(order)))
        row, place = np.nonzero(ranked == np.repeat(lowest, sizes, axis=1))
        # The first of those that are equally near is written last, and stays.
        row, probe = row[::-1], order[place[::-1]]
        owners = skinned.probes.owners
        best[:, owners[order[begins]]] = lowest
        probes[row, owners[probe]] = probe
        points[row, owners[probe]] = places[row, probe]
    return Nearness(best, points, probes)
