# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""From where thumb and finger can be pushed over the two faces of a flat part."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray, frozen_floats
from .hook import DistanceField, HookSizes
from .pairs import Pairs

WAYS = 12
"""Directions that are tried, all round in the part's plane."""
HALF, QUARTER = WAYS // 2, WAYS // 4
_STATIONS = 14
_MOST_STEPS = 40
_FACE = 0.1
"""How far the faces of something hollow may bend away, over its thickness."""


@dataclass(frozen=True, eq=False)
class Corridors:
    """Ways to some flat parts, n of them."""

    ways: FloatArray
    """Unit directions in each part's plane. Shape (n, WAYS, 3)."""
    depths: FloatArray
    """How far the edge is in [m]; infinite where thumb or finger would run into something. Shape (n, WAYS)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        n = len(self.ways)
        object.__setattr__(self, "ways", frozen_floats(self.ways, (n, WAYS, 3), "ways"))
        object.__setattr__(self, "depths", frozen_floats(self.depths, (n, WAYS), "depths"))


def find_corridors(pairs: Pairs, seeds: IntArray, distance: DistanceField, sizes: HookSizes) -> Corridors:
    """The ways that lead over the edge of flat parts.

    A way is open when half a finger off both faces nothing is met as far as a finger reaches, when the part itself has
    ended by then, and when there is nothing between thumb and finger any more.
    """
    angles = np.arange(WAYS) * (2.0 * np.pi / WAYS)
    across = pairs.directions[seeds]
    first = pairs.sides[seeds]
    second = np.cross(across, first)
    ways = np.cos(angles)[:, None] * first[:, None] + np.sin(angles)[:, None] * second[:, None]
    depths: FloatArray = np.full(ways.shape[:2], np.inf)
    reach = sizes.reach + sizes.finger
    off = (0.5 * (pairs.widths[seeds] + sizes.finger))[:, None] * across
    middles = pairs.middles[seeds]
    part, way = np.divmod(np.arange(len(seeds) * WAYS), WAYS)
    for side in (off, -off):
        free = free_rays((middles + side)[part], ways[part, way], distance, reach, sizes)
        part, way = part[free], way[free]
    # Beyond the edge both meet: a thumb inside a closed pot would not.
    ends = (middles + off)[part] + reach * ways[part, way]
    gap = pairs.widths[seeds][part] + sizes.finger
    free = free_rays(ends, -across[part], distance, gap, sizes)
    part, way = part[free], way[free]
    # Close to the place more finely: a key's bow ends after a few millimetres.
    stations = reach * (np.arange(1, _STATIONS + 1) / _STATIONS) ** 1.5
    lines = middles[part][:, None] + stations[:, None] * ways[part, way][:, None]
    inside = (distance(lines.reshape(-1, 3)) <= 0.0).reshape(len(part), _STATIONS)
    hollow = np.flatnonzero(~pairs.solid[seeds][part])
    if len(hollow):
        # In the middle of something hollow there is nothing: it goes on as far as both of its faces do.
        width = pairs.widths[seeds][part[hollow]]
        faces = (0.5 * width)[:, None] * across[part[hollow]]
        sides = np.stack([lines[hollow] + faces[:, None], lines[hollow] - faces[:, None]])
        off = np.abs(distance(sides.reshape(-1, 3))).reshape(2, len(hollow), _STATIONS)
        inside[hollow] = (off < np.maximum(_FACE * width, 4.0 * sizes.step)[:, None]).all(axis=0)
    # The last station that is still in the part; the edge is half-way to the next.
    last = np.where(inside.any(axis=1), _STATIONS - 1 - np.argmax(inside[:, ::-1], axis=1), -1)
    bounds = np.concatenate([[0.0], stations])
    found = 0.5 * (bounds[last + 1] + bounds[np.minimum(last + 2, _STATIONS)])
    depths[part, way] = np.where(last == _STATIONS - 1, np.inf, found)
    return Corridors(ways, depths)


def free_rays(
    starts: FloatArray, directions: FloatArray, distance: DistanceField, reach: FloatArray | float, sizes: HookSizes
) -> BoolArray:
    """Whether lines meet nothing within reach in [m], going on by the distance to the surface. Shape (r,)."""
    free = np.zeros(len(starts), dtype=np.bool_)
    # All that follows is of the lines that still go on, axis by axis, as distances are computed.
    line, ends = np.arange(len(starts)), np.broadcast_to(reach, len(starts))
    starts, directions = starts.T.copy(), directions.T.copy()
    place = np.zeros(len(line))
    for _ in range(_MOST_STEPS):
        value = distance((starts + place * directions).T)
        place = place + np.maximum(value, 2.0 * sizes.step)
        clear = value > 0.0
        free[line[clear & (place >= ends)]] = True
        on = clear & (place < ends)
        if not on.all():
            line, ends, place = line[on], ends[on], place[on]
            starts, directions = starts[:, on], directions[:, on]
        if not len(line):
            break
    return free
