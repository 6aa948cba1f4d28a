# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What kind of part of an object lies round a pair of opposite places."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...core import by_axis
from ...core.arrays import BoolArray, FloatArray, IntArray
from ...core.rotations import perpendicular
from .corridors import HALF, QUARTER, WAYS, find_corridors
from .hook import DistanceField, HookSizes
from .pairs import Pairs, thin_out

ROUND = 0.15
"""Share of the pairs' directions that must lie along an axis for the part to be round about the others."""
LIKE_WIDTH = 0.4
"""Pairs whose widths differ by more than this logarithm are of another part."""
BAR = 2.2
"""Flat parts no wider than this many thicknesses are bars."""
CONE, BENT = 0.6, 0.8
"""How fast a bent handle may leave its axis, and the largest cosine of its pairs to it."""
BROADEST_BAR = 0.65
"""Flat parts broader than this share of what a hand can close to are no bars."""
SLAB, SLAB_FLAT, SLAB_LONG = (0.5, 0.9), 0.35, 1.3
"""How wide slabs are that lie on a palm, over what a hand can close to, how thick they are at most, and how long at
least, both over their width."""
SLAB_LEAST = 0.3
"""How thick slabs are at least, in fingers."""
SCATTER = 4.0
"""Gaps between pairs that chance leaves, over their mean distance: one in fifty is longer."""
LEAST_PAIRS = 4
WIDEST_SPREAD = 0.6
"""How far the middles of a round part's pairs may lie apart, in thicknesses: a die's do by 0.4."""
ROUND_SPACING, FLAT_SPACING = 0.4, 0.7
"""Distance in fingers of the places that are looked at."""
MOST_ROUND, MOST_FLAT = 150, 100
_BLOCK = 64
"""Pairs that are compared with all others at a time: what is between stays in the processor's cache."""


@dataclass(frozen=True, eq=False)
class Part:
    """A part of an object round one place."""

    point: FloatArray
    """Its middle in [m]. Shape (3,)."""
    axis: FloatArray | None
    """Unit vector along it, None for compact parts. Shape (3,)."""
    across: FloatArray | None
    """Unit vector in which it is thin, None where it is round. Shape (3,)."""
    kind: str
    """As of hooks."""
    thickness: float
    """In [m]."""
    length: float
    """Along the axis in [m]."""
    depth: float
    """From the middle to the edge that a flat part is taken by, else half the thickness, in [m]."""
    middle: float
    """1 in the middle of its length, 0 at its ends."""
    solid: bool
    """Whether there is nothing but object between its sides."""


def describe_parts(pairs: Pairs, distance: DistanceField, sizes: HookSizes) -> list[Part]:
    """The parts of an object that are seen from its pairs."""
    around = _look_around(pairs, sizes)
    counts = around.number >= LEAST_PAIRS
    flat = counts & (around.shares[:, 1] < ROUND)
    many_sided = thin_out(pairs, np.flatnonzero(counts & ~flat), ROUND_SPACING * sizes.finger, MOST_ROUND)
    rounds = (_round_part(pairs, around, seed, sizes) for seed in many_sided.tolist())
    parts = [part for part in rounds if part is not None]
    two_sided = thin_out(pairs, np.flatnonzero(flat), FLAT_SPACING * sizes.finger, MOST_FLAT)
    corridors = find_corridors(pairs, two_sided, distance, sizes)
    for number, seed in enumerate(two_sided.tolist()):
        depths, ways = corridors.depths[number], corridors.ways[number]
        found = (make(pairs, seed, depths, ways, sizes) for make in (_flat_part, _slab))
        parts += [part for part in found if part is not None]
    return parts


@dataclass(frozen=True, eq=False)
class _Surroundings:
    """What lies round each pair, of like width; nothing where there is no room for a finger."""

    near: BoolArray
    """Which pairs are near which. Shape (p, p)."""
    number: IntArray
    """How many are. Shape (p,)."""
    shares: FloatArray
    """Shares of their directions along three axes, smallest first; 0 where there are too few to tell. Shape (p, 3)."""
    axes: FloatArray
    """Those axes, in columns. Shape (p, 3, 3)."""


def _look_around(pairs: Pairs, sizes: HookSizes) -> _Surroundings:
    count = len(pairs.widths)
    near = _neighbours(pairs, sizes)
    number = near.sum(axis=1)
    i, j = np.triu_indices(3)
    products = (pairs.directions[:, i] * pairs.directions[:, j]).astype(np.float32)
    sums = (near.astype(np.float32) @ products).astype(np.float64)
    rows = np.flatnonzero(number >= LEAST_PAIRS)
    spread = np.empty((len(rows), 3, 3))
    spread[:, i, j] = spread[:, j, i] = sums[rows] / number[rows, None]
    shares, axes = np.zeros((count, 3)), np.zeros((count, 3, 3))
    shares[rows], axes[rows] = np.linalg.eigh(spread)
    return _Surroundings(near, number, shares, axes)


def _neighbours(pairs: Pairs, sizes: HookSizes) -> BoolArray:
    """Which pairs of like width are near which that have room. Shape (p, p)."""
    near = np.zeros((len(pairs.widths), len(pairs.widths)), dtype=np.bool_)
    middles = pairs.middles - pairs.middles.mean(axis=0) if len(pairs.widths) else pairs.middles
    squares = np.einsum("ij,ij->i", middles, middles)
    reach = np.maximum(0.6 * pairs.widths, max(0.5 * sizes.finger, pairs.spacing)) ** 2
    asked = np.flatnonzero(pairs.room)
    for start in range(0, len(asked), _BLOCK):
        rows = asked[start : start + _BLOCK]
        apart = squares[rows, None] + squares
        apart -= 2.0 * (middles[rows] @ middles.T)
        unlike = np.abs(pairs.log_widths[rows, None] - pairs.log_widths)
        near[rows] = (apart < reach[rows, None]) & (unlike < LIKE_WIDTH) & (pairs.solid[rows, None] == pairs.solid)
    return near


def _round_part(pairs: Pairs, around: _Surroundings, seed: int, sizes: HookSizes) -> Part | None:
    """A part that can be pressed from many sides: a ball or a die without an axis, else a handle or a disk.

    None where the pairs do not go through a common middle: where walls meet there are many sides, too.
    """
    near = np.flatnonzero(around.near[seed])
    middles, widths = pairs.middles[near], np.sort(pairs.widths[near])
    point = middles.sum(axis=0) / len(near)
    # The median.
    thickness = float(widths[(len(near) - 1) // 2] + widths[len(near) // 2]) / 2.0
    solid = bool(pairs.solid[seed])
    axis = around.axes[seed][:, 0] if around.shares[seed, 0] <= ROUND else None
    offsets = middles - point
    spread = offsets if axis is None else perpendicular(offsets, axis)
    if float(np.einsum("ij,ij->i", spread, spread).sum()) > len(spread) * (WIDEST_SPREAD * thickness) ** 2:
        return None
    if axis is None:
        extent = float(widths[-1])
        return Part(point, None, None, "compact", thickness, extent, thickness / 2.0, 1.0, solid)
    like = _alike(pairs, thickness) & (pairs.solid == solid) & (np.abs(pairs.directions @ axis) < BENT)
    low, high = _run(pairs, like, point, axis, 0.5 * thickness, sizes)
    length = high - low
    # A disk is no handle, but a lid or a coin that is taken by its edge all round.
    kind = "tube" if length >= 0.5 * thickness else "compact"
    middle = 1.0 - abs(high + low) / length if kind == "tube" else 1.0
    return Part(point, axis, None, kind, thickness, length, thickness / 2.0, middle, solid)


def _flat_part(pairs: Pairs, seed: int, depths: FloatArray, ways: FloatArray, sizes: HookSizes) -> Part | None:
    """A part with two opposite faces: from where thumb and finger can be pushed over it tells what it is."""
    width, across, point = float(pairs.widths[seed]), pairs.directions[seed], pairs.middles[seed]
    solid = bool(pairs.solid[seed])
    if not np.isfinite(depths).any():
        return None
    through = depths[:HALF] + depths[HALF:]
    narrow = int(np.argmin(through))
    breadth = float(through[narrow])
    if width / BAR <= breadth <= min(BAR * width, BROADEST_BAR * sizes.thickest):
        centre = point + 0.5 * (depths[narrow] - depths[narrow + HALF]) * ways[narrow]
        other = (narrow + QUARTER) % HALF
        if through[other] <= BAR * max(width, breadth):
            return Part(centre, None, across, "compact", width, float(through[other]), width / 2.0, 1.0, solid)
        low, high = _flat_run(pairs, seed, ways[other], sizes)
        length = high - low
        if length >= 0.5 * width and _is_bar(pairs, centre, ways[other], ways[narrow], breadth, width):
            middle = 1.0 - abs(high + low) / length
            return Part(centre, ways[other], across, "tube", width, length, width / 2.0, middle, solid)
    nearest = int(np.argmin(depths))
    # Towards a straight edge the way grows by 1 / cosine of the angle off it, evenly to both sides.
    pull = ways.T @ (ways / depths[:, None] ** 4)
    axis = np.cross(across, np.linalg.eigh(pull)[1][:, 2])
    low, high = _flat_run(pairs, seed, axis, sizes)
    length = high - low
    middle = 1.0 - abs(high + low) / max(length, 1e-12)
    open_both_ways = np.isfinite(depths[nearest] + depths[(nearest + HALF) % WAYS])
    whole = open_both_ways and _is_plane(pairs, seed, sizes)
    kind = "edge" if width > sizes.plate else "thin" if whole else "rim"
    return Part(point, axis, across, kind, width, length, float(depths[nearest]), middle, solid)


def _slab(pairs: Pairs, seed: int, depths: FloatArray, ways: FloatArray, sizes: HookSizes) -> Part | None:
    """A flat thing that is as wide as a hand can close to, and longer: it lies on the palm, held by its long sides."""
    through = depths[:HALF] + depths[HALF:]
    narrow = int(np.argmin(through))
    breadth, width = float(through[narrow]), float(pairs.widths[seed])
    if not SLAB[0] * sizes.thickest < breadth < SLAB[1] * sizes.thickest or width > SLAB_FLAT * breadth:
        return None
    if width < SLAB_LEAST * sizes.finger:
        # Cards are pinched: their edges cut into fingers.
        return None
    if not pairs.solid[seed] or not _is_plane(pairs, seed, sizes):
        return None
    along = (narrow + QUARTER) % HALF
    # Across a corner things are narrow, too, but not far from its tip.
    if min(depths[along], depths[along + HALF]) < 0.5 * SLAB_LONG * breadth:
        return None
    axis = ways[along]
    low, high = _flat_run(pairs, seed, axis, sizes)
    length = max(high - low, SLAB_LONG * breadth)
    centre = pairs.middles[seed] + 0.5 * (depths[narrow] - depths[narrow + HALF]) * ways[narrow]
    middle = 1.0 - abs(high + low) / length
    return Part(centre, axis, pairs.directions[seed], "slab", breadth, length, width, middle, True)


def _is_bar(pairs: Pairs, centre: FloatArray, axis: FloatArray, side: FloatArray, breadth: float, width: float) -> bool:
    """Whether a part is as broad before and after a place as it is there: a corner that is cut off is not."""
    offsets = pairs.middles - centre
    like = _alike(pairs, width) & (np.abs(offsets @ axis) < breadth)
    like &= np.abs(offsets @ np.cross(axis, side)) < 0.5 * width
    return bool(np.abs(offsets[like] @ side).max(initial=0.0) < 0.75 * breadth)


def _is_plane(pairs: Pairs, seed: int, sizes: HookSizes) -> bool:
    """Whether a flat part goes on as a plane: walls of vessels and dishes do not."""
    rows = np.flatnonzero(_alike(pairs, float(pairs.widths[seed])) & pairs.solid)
    offsets = (pairs.middles[rows] - pairs.middles[seed]).T
    apart = by_axis.length(offsets)
    near = (apart > 0.0) & (apart < 0.5 * sizes.grip)
    if not near.any():
        return True
    off = np.abs(pairs.directions[seed] @ offsets[:, near])
    return bool((off < np.maximum(0.5 * pairs.widths[seed], 0.15 * apart[near])).mean() > 0.85)


def _alike(pairs: Pairs, width: float) -> BoolArray:
    """Which pairs are about that wide in [m]. Shape (p,)."""
    return np.abs(pairs.log_widths - math.log(width)) < LIKE_WIDTH


def _flat_run(pairs: Pairs, seed: int, axis: FloatArray, sizes: HookSizes) -> tuple[float, float]:
    """How far a flat part goes on along an axis."""
    width = float(pairs.widths[seed])
    return _run(pairs, _alike(pairs, width), pairs.middles[seed], axis, max(0.5 * width, 0.4 * sizes.finger), sizes)


def _run(
    pairs: Pairs, like: BoolArray, point: FloatArray, axis: FloatArray, beside: float, sizes: HookSizes
) -> tuple[float, float]:
    """How far pairs go on without a gap, backwards and forwards from a point, in [m].

    Handles are bent: what belongs to one lies within a cone, and its length is counted along the bend.
    """
    offsets = pairs.middles[like] - point
    along = offsets @ axis
    away = np.abs(along)
    off = by_axis.length(offsets.T - axis[:, None] * along)
    bent = np.sign(along) * np.maximum(away, by_axis.length(offsets.T) - beside)
    places = np.sort(bent[off < beside + CONE * away])
    gap = max(0.4 * sizes.finger, 0.5 * beside, pairs.spacing)
    if len(places) > 2:
        # On a slender part of something large there are few pairs, and chance leaves gaps between them.
        gap = max(gap, min(SCATTER * float(places[-1] - places[0]) / len(places), sizes.finger))
    here = int(np.searchsorted(places, 0.0))
    return -_last_before_gap(-places[:here][::-1], gap), _last_before_gap(places[here:], gap)


def _last_before_gap(places: FloatArray, gap: float) -> float:
    if not len(places) or places[0] > gap:
        return 0.0
    gaps = np.flatnonzero(places[1:] - places[:-1] > gap)
    return float(places[gaps[0]] if len(gaps) else places[-1])
