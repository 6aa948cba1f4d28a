# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Openings between a handle and what it is fixed to, through which fingers can be put."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray, frozen_floats
from ...core.rotations import perpendicular, unit
from .corridors import free_rays
from .hook import DistanceField, HookSizes

DEEPEST = 4.5
"""Openings deeper than this many fingers need no threading: a hand closes there as round a free bar."""
PITCH = 1.15
"""Distance of neighbouring fingers in a row, in fingers."""
_ROUND = 16
_FREE = 7
"""Directions of those that have to be free: a bar inside a vessel is no handle."""
_THROUGH = 10.0
"""How far in fingers an opening is free on both sides: behind the mouth of a cup there is its bottom."""
_LEAN = (-0.25, 0.0, 0.25)
"""Ways through it that are tried, as their lean along the handle."""
_TIGHT = 0.35
"""What is left of an opening beside the fingers that fit it, in fingers, when they may not after all."""
_STEP = 0.15
"""Differences in fingers that do not count."""
_STATIONS = 64
_STEPS = 24
_ROUNDS = 2
_SLIDES = 3


@dataclass(frozen=True, eq=False)
class Loop:
    """An opening beside a handle."""

    point: FloatArray
    """Middle of the handle there in [m]. Shape (3,)."""
    axis: FloatArray
    """Unit vector along the handle there. Shape (3,)."""
    radius: float
    """Half the handle's greatest thickness in [m]: few are round."""
    direction: FloatArray
    """Unit, from the handle to what it is fixed to, square to its axis. Shape (3,)."""
    depth: float
    """From the handle's skin to there in [m]."""
    low: float
    """How far back along the axis from the hook's point the middle of a finger can be put through, in [m]."""
    high: float
    """The same forwards."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        for name in ("point", "axis", "direction"):
            object.__setattr__(self, name, frozen_floats(getattr(self, name), (3,), name))

    def room(self, finger: float) -> int:
        """How many fingers of that thickness in [m] can be put through side by side."""
        return 1 + int((self.high + self.low) / (PITCH * finger) + 0.15)

    def counts(self, finger: float) -> tuple[int, ...]:
        """How many of them to try: as many as there is room for, and one less where they would hardly fit."""
        most = self.room(finger)
        tight = (self.high + self.low) / (PITCH * finger) < most - 1 + _TIGHT
        return (most, most - 1) if tight and most > 1 else (most,)


@dataclass(frozen=True, eq=False)
class Bars:
    """What may be handles, n of them."""

    points: FloatArray
    """Their middles in [m]. Shape (n, 3)."""
    axes: FloatArray
    """Unit vectors along them. Shape (n, 3)."""
    thickness: FloatArray
    """In [m]. Shape (n,)."""
    towards: FloatArray
    """Where the object's middle lies, so that the same is found on one that was turned. Shape (n, 3)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        n = len(self.thickness)
        for name in ("points", "axes", "towards"):
            object.__setattr__(self, name, frozen_floats(getattr(self, name), (n, 3), name))
        object.__setattr__(self, "thickness", frozen_floats(self.thickness, (n,), "thickness"))

    def moved(self, points: FloatArray, axes: FloatArray) -> Bars:
        """The same at other places (n, 3) and along other axes (n, 3)."""
        return Bars(points, axes, self.thickness, self.towards)

    def take(self, rows: list[int]) -> Bars:
        """Some of them."""
        return Bars(self.points[rows], self.axes[rows], self.thickness[rows], self.towards[rows])


def find_loops(bars: Bars, distance: DistanceField, sizes: HookSizes) -> list[Loop | None]:
    """The opening beside each bar; None where there is none that a finger fits through.

    All bars are looked at together, as asking for few distances takes about as long as asking for many.

    Args:
        bars: What may be handles.
        distance: Signed distances to the object.
        sizes: What fits the hand.
    """
    found: list[Loop | None] = [None] * len(bars.thickness)
    left = bars
    numbers = list(range(len(found)))
    for _ in range(_SLIDES):
        if not numbers:
            break
        for _ in range(_ROUNDS):
            left = left.moved(left.points, _along(left, distance))
            left = left.moved(_centred(left, distance), left.axes)
        points: FloatArray = np.array(left.points)
        going_on: list[int] = []
        for row, loop in enumerate(_look_through(left, distance, sizes)):
            known = found[numbers[row]]
            # A little shorter is as good: lengths are counted in steps.
            if loop is None or (known is not None and _length(loop) < _length(known) - _STEP * sizes.finger):
                continue
            found[numbers[row]] = loop
            # Fingers go through the middle of an opening, and bent handles have another axis there.
            slide = 0.5 * (loop.high - loop.low)
            if abs(slide) >= _STEP * sizes.finger:
                points[row] += slide * left.axes[row]
                going_on.append(row)
        numbers = [numbers[row] for row in going_on]
        left = left.moved(points, left.axes).take(going_on)
    return found


def _length(loop: Loop) -> float:
    return loop.low + loop.high


@dataclass(frozen=True, eq=False)
class _Gap:
    """What lies between a bar and what is opposite."""

    left: FloatArray
    """How far from the bar's middle its skin is all round, in [m]. Shape (_ROUND,)."""
    direction: FloatArray
    """Unit, from the bar to what is opposite. Shape (3,)."""
    depth: float
    """In [m]."""
    middle: FloatArray
    """Half-way, in [m]. Shape (3,)."""


def _look_through(bars: Bars, distance: DistanceField, sizes: HookSizes) -> list[Loop | None]:
    """The opening that is seen from one place of each bar."""
    fans = all_round(bars.axes, _ROUND, bars.towards)
    reach = 1.5 * bars.thickness + DEEPEST * sizes.finger
    stations = np.linspace(0.0, reach, _STATIONS, axis=1)
    lines = bars.points[:, None, None] + stations[:, :, None, None] * fans[:, None]
    inside = distance(lines.reshape(-1, 3)).reshape(lines.shape[:3]) <= 0.0
    # Handles are bent and seldom round: a line begins to count where it leaves them.
    left: IntArray = np.argmin(inside, axis=1)
    beyond = inside & (np.arange(_STATIONS)[:, None] > left[:, None])
    meets, filled = beyond.any(axis=1), inside.all(axis=1)
    met, free = meets & ~filled, (~meets & ~filled).sum(axis=1)
    skin = np.take_along_axis(stations, left, axis=1)
    gaps = np.take_along_axis(stations, np.argmax(beyond, axis=1), axis=1) - skin
    # Where fewer directions are free than that it is no handle; nor where no finger fits.
    met &= (gaps > 0.85 * sizes.finger) & (free >= _FREE)[:, None]
    begins: BoolArray = np.asarray(met & (skin <= 1.5 * bars.thickness[:, None]))
    rows: list[int] = np.flatnonzero(begins.any(axis=1)).tolist()
    seen: list[_Gap] = []
    for row in rows:
        mine, gap = met[row], gaps[row]
        nearest = int(np.argmin(np.where(mine, gap, np.inf)))
        depth = float(gap[nearest])
        # What is nearest counts most: the wall opposite, and not what is seen far beside it.
        direction = unit((fans[row][mine] / gap[mine][:, None] ** 2).sum(axis=0))
        middle = bars.points[row] + (skin[row, nearest] + 0.5 * depth) * direction
        seen.append(_Gap(skin[row], direction, depth, middle))
    found: list[Loop | None] = [None] * len(reach)
    if not rows:
        return found
    steps = np.linspace(0.0, reach[rows], _STEPS, axis=1)
    ways = (np.array([-1.0, 1.0])[:, None] * steps[:, None])[..., None] * bars.axes[rows][:, None, None]
    places = np.array([each.middle for each in seen])[:, None, None] + ways
    clear = (distance(places.reshape(-1, 3)) >= 0.42 * sizes.finger).reshape(places.shape[:3])
    # What is open at an end is no handle but a bar beside something.
    closed = np.all(clear[:, :, 0], axis=1) & ~np.any(np.all(clear, axis=2), axis=1)
    asked: list[int] = np.flatnonzero(closed).tolist()
    through = _go_through([seen[k] for k in asked], bars.axes[rows][asked], distance, sizes)
    for number in (k for k, goes in zip(asked, through.tolist(), strict=True) if goes):
        row, gap = rows[number], seen[number]
        low, high = (float(steps[number, int(np.argmin(each)) - 1]) for each in clear[number])
        radius = float(np.percentile(gap.left, 90.0))
        found[row] = Loop(bars.points[row], bars.axes[row], radius, gap.direction, gap.depth, low, high)
    return found


def _go_through(gaps: list[_Gap], axes: FloatArray, distance: DistanceField, sizes: HookSizes) -> BoolArray:
    """Whether what is put into each gap beside bars along axes (n, 3) comes out on its other side. Shape (n,)."""
    if not gaps:
        return np.zeros(0, dtype=np.bool_)
    across = unit(np.cross(axes, np.array([each.direction for each in gaps])))
    sides = np.array([-1.0, 1.0])[:, None, None] * across[:, None, None]
    ways = unit(sides + np.array(_LEAN)[:, None] * axes[:, None, None])
    starts = np.broadcast_to(np.array([each.middle for each in gaps])[:, None, None], ways.shape)
    free = free_rays(starts.reshape(-1, 3), ways.reshape(-1, 3), distance, _THROUGH * sizes.finger, sizes)
    return np.all(free.reshape(ways.shape[:3]).any(axis=2), axis=1)


def all_round(axes: FloatArray, count: int, towards: FloatArray) -> FloatArray:
    """Unit directions evenly round axes (..., 3), beginning as near as can be to others (..., 3). (..., count, 3)."""
    beside = perpendicular(towards, axes)
    short = np.linalg.norm(beside, axis=-1) < 0.05 * np.linalg.norm(towards, axis=-1)
    if short.any():
        beside = np.where(short[..., None], np.cross(axes, np.eye(3)[np.argmin(np.abs(axes), axis=-1)]), beside)
    first = unit(beside)
    turn = np.arange(count) * (2.0 * np.pi / count)
    second = np.cross(axes, first)
    return np.cos(turn)[:, None] * first[..., None, :] + np.sin(turn)[:, None] * second[..., None, :]


def _along(bars: Bars, distance: DistanceField) -> FloatArray:
    """The directions near the axes in which bars go on: lines that lead out of them do not. Shape (n, 3)."""
    tilts = np.array([0.15, 0.3, 0.45, 0.6])
    fans = all_round(bars.axes, 12, bars.towards)
    tilted = unit(bars.axes[:, None, None] + tilts[:, None, None] * fans[:, None]).reshape(len(fans), -1, 3)
    ways = np.concatenate([bars.axes[:, None], tilted], axis=1)
    places = np.array([-1.1, -0.7, 0.7, 1.1]) * bars.thickness[:, None]
    lines = bars.points[:, None, None] + places[:, :, None, None] * ways[:, None]
    values = distance(lines.reshape(-1, 3)).reshape(lines.shape[:3])
    # Bent handles leave their axis to one side at both ends; what counts is the sum.
    return ways[np.arange(len(ways)), np.argmin(values.mean(axis=1), axis=1)]


def _centred(bars: Bars, distance: DistanceField) -> FloatArray:
    """The points moved to the middles of the bars, square to their axes. Shape (n, 3)."""
    fans = all_round(bars.axes, 8, bars.towards)
    places = bars.thickness[:, None] * np.linspace(0.0, 1.5, 16)
    lines = bars.points[:, None, None] + places[:, :, None, None] * fans[:, None]
    outside = distance(lines.reshape(-1, 3)).reshape(lines.shape[:3]) > 0.0
    sides = np.take_along_axis(places, np.argmax(outside, axis=1), axis=1)
    moved = bars.points + 0.25 * (sides[:, :, None] * fans).sum(axis=1)
    ends: BoolArray = np.all(np.any(outside, axis=1), axis=1)
    return np.where(ends[:, None], moved, bars.points)
