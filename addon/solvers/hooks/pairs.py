# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Opposite places of a surface: where two fingers could press against each other through the object."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray, frozen_bools, frozen_floats
from ...core.rotations import unit
from ..slopes import slopes
from .hook import DistanceField, HookSizes

SAMPLES = 1000
"""Places of the surface that are looked through."""
MOST_EXITS = 3
"""How often a line may leave the object: a hollow one's far wall counts as well as its near one."""
OPPOSED = -0.85
"""Largest cosine between the outward normals of two opposite places: 32 degrees off."""
MOST_STEPS = 100
_LIKE = 0.3
"""Widths that differ by less than this logarithm are alike."""
_GROWTH = 0.01
"""By how much the shortest step grows with the way: far walls are thicker than foils."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """Opposite places, p of them."""

    middles: FloatArray
    """Half-way between the two, in [m]. Shape (p, 3)."""
    directions: FloatArray
    """Unit, from one to the other. Shape (p, 3)."""
    sides: FloatArray
    """Unit, square to the directions, fixed to the mesh. Shape (p, 3)."""
    widths: FloatArray
    """Distance of the two in [m]. Shape (p,)."""
    room: BoolArray
    """Whether a finger fits outside both. Shape (p,)."""
    solid: BoolArray
    """Whether there is nothing but object in between. Shape (p,)."""
    spacing: float
    """Distance of neighbouring samples of the surface in [m]: narrower gaps between pairs mean nothing."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        p = len(self.widths)
        for name in ("middles", "directions", "sides"):
            object.__setattr__(self, name, frozen_floats(getattr(self, name), (p, 3), name))
        object.__setattr__(self, "widths", frozen_floats(self.widths, (p,), "widths"))
        object.__setattr__(self, "room", frozen_bools(self.room, (p,), "room"))
        object.__setattr__(self, "solid", frozen_bools(self.solid, (p,), "solid"))

    @cached_property
    def log_widths(self) -> FloatArray:
        """Logarithms of the widths, whose differences tell what is alike. Shape (p,)."""
        return np.log(self.widths)


@dataclass(frozen=True, eq=False)
class SurfaceSamples:
    """Places spread evenly over a surface."""

    points: FloatArray
    """In [m]. Shape (s, 3)."""
    normals: FloatArray
    """Unit normals of their faces. Shape (s, 3)."""
    sides: FloatArray
    """Unit vectors along an edge of their faces. Shape (s, 3)."""
    spacing: float
    """Usual distance of neighbours in [m]."""


def sample_surface(corners: FloatArray, count: int = SAMPLES) -> SurfaceSamples:
    """Places spread over triangles, half of them by area; the same on a mesh that was moved or turned.

    The other half is shared out evenly among the triangles: stems and handles, small as they are, have many.

    Args:
        corners: Shape (m, 3, 3): triangle, corner, axis.
        count: How many.
    """
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    crossed = np.cross(b - a, c - a)
    area = np.linalg.norm(crossed, axis=1)
    total = np.cumsum(area / area.sum() + (area > 0.0) / np.count_nonzero(area))
    wanted: FloatArray = (np.arange(count) + 0.5) / count * total[-1]
    chosen: IntArray = np.minimum(np.searchsorted(total, wanted), len(corners) - 1)
    # The R2 sequence (M. Roberts 2018) fills squares evenly; folded along the diagonal it fills triangles.
    number = np.arange(count)
    u, v = (0.5 + 0.7548776662466927 * number) % 1.0, (0.5 + 0.5698402909980532 * number) % 1.0
    fold = u + v > 1.0
    u, v = np.where(fold, 1.0 - u, u), np.where(fold, 1.0 - v, v)
    points = a[chosen] + u[:, None] * (b - a)[chosen] + v[:, None] * (c - a)[chosen]
    spacing = float(np.sqrt(0.5 * area.sum() / count))
    return SurfaceSamples(points, unit(crossed[chosen]), unit((b - a)[chosen]), spacing)


def find_pairs(samples: SurfaceSamples, distance: DistanceField, sizes: HookSizes) -> Pairs:
    """Opposite places no farther apart than the hand can close."""
    normals, values = _outward(samples, distance, sizes)
    # Sheets have their faces in their middle.
    depth = np.maximum(-values, 0.0)
    starts = samples.points + np.where(depth > sizes.step, depth, 0.0)[:, None] * normals
    exits = trace_exits(starts, -normals, distance, sizes, reach=sizes.thickest, most=MOST_EXITS)
    ray, number = np.nonzero(np.isfinite(exits))
    width = exits[ray, number]
    ends = starts[ray] - width[:, None] * normals[ray]
    outward = slopes(ends, distance, sizes.step)
    fits = (width >= sizes.thinnest) & (np.einsum("ij,ij->i", outward, normals[ray]) <= OPPOSED)
    ray, number, width, ends, outward = (each[fits] for each in (ray, number, width, ends, outward))
    places, ways = np.concatenate([starts[ray], ends]), np.concatenate([normals[ray], outward])
    room = free_along(places, ways, distance, sizes.finger).reshape(2, -1).all(axis=0)
    direction = -normals[ray]
    side = samples.sides[ray]
    side = unit(side - direction * np.einsum("ij,ij->i", side, direction)[:, None])
    return Pairs((starts[ray] + ends) / 2.0, direction, side, width, room, number == 0, samples.spacing)


def trace_exits(
    starts: FloatArray,
    directions: FloatArray,
    distance: DistanceField,
    sizes: HookSizes,
    *,
    reach: float,
    most: int = 1,
) -> FloatArray:
    """How far along lines that start inside the object they leave it, again and again; NaN where no more. (r, most).

    Steps are as long as the distance to the surface allows.
    """
    exits: FloatArray = np.full((len(starts), most), np.nan)
    # All that follows is of the lines that still go on, axis by axis, as distances are computed.
    line, found = np.arange(len(starts)), np.zeros(len(starts), dtype=np.int64)
    starts, directions = starts.T.copy(), directions.T.copy()
    place = np.full(len(line), sizes.step)
    before, last = np.zeros(len(line)), np.full(len(line), -0.5 * sizes.step)
    for _ in range(MOST_STEPS):
        value = distance((starts + place * directions).T)
        rows = np.flatnonzero((last < 0.0) & (value >= 0.0))
        if len(rows):
            share = last[rows] / (last[rows] - value[rows])
            exits[line[rows], found[rows]] = before[rows] + share * (place[rows] - before[rows])
            found[rows] += 1
        before, last = place, value
        place = place + np.maximum(0.98 * np.abs(value), sizes.step + _GROWTH * place)
        on = (found < most) & (before <= reach)
        if not on.all():
            line, found, starts, directions = line[on], found[on], starts[:, on], directions[:, on]
            place, before, last = place[on], before[on], last[on]
        if not len(line):
            break
    exits[exits > reach] = np.nan
    return exits


def _outward(samples: SurfaceSamples, distance: DistanceField, sizes: HookSizes) -> tuple[FloatArray, FloatArray]:
    """Face normals, turned so that they lead out of the object: files do not always say. And the places' distances."""
    step = 2.0 * sizes.step * samples.normals
    places = np.concatenate([samples.points + step, samples.points - step, samples.points])
    ahead, behind, here = distance(places).reshape(3, -1)
    return np.where((ahead < behind - 1e-9)[:, None], -samples.normals, samples.normals), here


def free_along(points: FloatArray, outward: FloatArray, distance: DistanceField, length: float) -> BoolArray:
    """Whether nothing stands in the way from places of the surface out to a length in [m]. Shape (k,).

    Only signs are asked for, as distances away from the surface may be mere lower bounds.
    """
    ways = length * np.array([0.15, 0.4, 0.7, 1.0])
    places = points[:, None] + ways[:, None] * outward[:, None]
    return np.all((distance(places.reshape(-1, 3)) > 0.0).reshape(places.shape[:2]), axis=1)


def thin_out(pairs: Pairs, chosen: IntArray, spacing: float, most: int) -> IntArray:
    """Those of the chosen pairs of which no two are close to each other and of like width, in their order.

    Where there are more than so many, every width gets its share: a large wall would crowd out a slender handle.
    """
    kept = _thinned(pairs, chosen, spacing, most)
    if len(kept) < most:
        return kept
    classes = np.floor(pairs.log_widths[chosen] / _LIKE).astype(np.int64)
    order = np.argsort(classes, kind="stable")
    _, starts, counts = np.unique(classes[order], return_index=True, return_counts=True)
    place = np.empty(len(chosen), dtype=np.int64)
    place[order] = np.arange(len(chosen)) - np.repeat(starts, counts)
    # Evenly over each width's own, too, as meshes go on from one end to the other.
    size = np.empty(len(chosen), dtype=np.int64)
    size[order] = np.repeat(counts, counts)
    return _thinned(pairs, chosen[np.argsort(_scattered(place, size), kind="stable")], spacing, most)


def _scattered(place: IntArray, size: IntArray) -> FloatArray:
    """When each of a row comes if the first so many of it are always spread over all of it. Shape (n,).

    The golden ratio's multiples fill a row evenly; each place takes its turn in that order.
    """
    turn: FloatArray = (place.astype(np.float64) * 0.6180339887498949) % 1.0
    return turn * size.astype(np.float64)


def _thinned(pairs: Pairs, chosen: IntArray, spacing: float, most: int) -> IntArray:
    middles, widths = pairs.middles[chosen], pairs.log_widths[chosen]
    taken = np.zeros(len(chosen), dtype=np.bool_)
    kept: list[int] = []
    for k in range(len(chosen)):
        if taken[k]:
            continue
        kept.append(int(chosen[k]))
        if len(kept) >= most:
            break
        offsets = middles - middles[k]
        taken |= (np.einsum("ij,ij->i", offsets, offsets) < spacing**2) & (np.abs(widths - widths[k]) < _LIKE)
    return np.array(kept, dtype=np.int64)
