# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Openings between a handle and what it is fixed to, through which fingers can be put."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import FloatArray, frozen_floats
from ...core.rotations import perpendicular, unit
from .hook import DistanceField, HookSizes

DEEPEST = 4.5
"""Openings deeper than this many fingers need no threading: a hand closes there as round a free bar."""
PITCH = 1.15
"""Distance of neighbouring fingers in a row, in fingers."""
_ROUND = 16
_FREE = 7
"""Directions of those that have to be free: a bar inside a vessel is no handle."""
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


def find_loop(
    point: FloatArray,
    axis: FloatArray,
    thickness: float,
    distance: DistanceField,
    sizes: HookSizes,
    *,
    towards: FloatArray,
) -> Loop | None:
    """The opening beside a handle; None where there is none that a finger fits through.

    Args:
        point: The handle's middle in [m]. Shape (3,).
        axis: Unit vector along it. Shape (3,).
        thickness: The handle's, in [m].
        distance: Signed distances to the object.
        sizes: What fits the hand.
        towards: Where the object's middle lies, so that the same is found on one that was turned. Shape (3,).
    """
    found: Loop | None = None
    for _ in range(_SLIDES):
        for _ in range(_ROUNDS):
            axis = _along(point, axis, thickness, distance, towards)
            point = _centred(point, axis, thickness, distance, towards)
        loop = _look_through(point, axis, thickness, distance, sizes, towards)
        if loop is None or (found is not None and loop.low + loop.high < found.low + found.high):
            break
        found = loop
        # Fingers go through the middle of an opening, and bent handles have another axis there.
        slide = 0.5 * (loop.high - loop.low)
        if abs(slide) < 0.15 * sizes.finger:
            break
        point = point + slide * axis
    return found


def _look_through(
    point: FloatArray,
    axis: FloatArray,
    thickness: float,
    distance: DistanceField,
    sizes: HookSizes,
    towards: FloatArray,
) -> Loop | None:
    """The opening that is seen from one place of a handle."""
    fan = all_round(axis, _ROUND, towards)
    reach = 1.5 * thickness + DEEPEST * sizes.finger
    stations = np.linspace(0.0, reach, _STATIONS)
    inside = distance((point + stations[:, None, None] * fan).reshape(-1, 3)).reshape(len(stations), _ROUND) <= 0.0
    # Handles are bent and seldom round: a line begins to count where it leaves them.
    left = np.argmin(inside, axis=0)
    beyond = inside & (np.arange(len(stations))[:, None] > left)
    met = beyond.any(axis=0) & ~inside.all(axis=0)
    if not met.any() or int((~beyond.any(axis=0) & ~inside.all(axis=0)).sum()) < _FREE:
        return None
    gaps = stations[np.argmax(beyond, axis=0)] - stations[left]
    met &= gaps > 0.85 * sizes.finger
    if not met.any() or (stations[left] > 1.5 * thickness)[met].all():
        return None
    nearest = int(np.argmin(np.where(met, gaps, np.inf)))
    depth = float(gaps[nearest])
    # What is nearest counts most: the wall opposite, and not what is seen far beside it.
    direction = unit((fan[met] / gaps[met][:, None] ** 2).sum(axis=0))
    middle = point + (stations[left[nearest]] + 0.5 * depth) * direction
    steps = np.linspace(0.0, reach, _STEPS)
    ends: list[float] = []
    for sign in (-1.0, 1.0):
        clear = distance(middle + sign * steps[:, None] * axis) >= 0.42 * sizes.finger
        # What is open at an end is no handle but a bar beside something.
        if not clear[0] or clear.all():
            return None
        ends.append(float(steps[int(np.argmin(clear)) - 1]))
    return Loop(point, axis, float(np.percentile(stations[left], 90.0)), direction, depth, ends[0], ends[1])


def all_round(axis: FloatArray, count: int, towards: FloatArray) -> FloatArray:
    """Unit directions evenly round an axis, beginning as near as can be to another direction. Shape (count, 3)."""
    beside = perpendicular(towards, axis)
    if float(np.linalg.norm(beside)) < 0.05 * float(np.linalg.norm(towards)):
        beside = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    first = unit(beside)
    turn = np.arange(count) * (2.0 * np.pi / count)
    return np.cos(turn)[:, None] * first + np.sin(turn)[:, None] * np.cross(axis, first)


def _along(
    point: FloatArray, axis: FloatArray, thickness: float, distance: DistanceField, towards: FloatArray
) -> FloatArray:
    """The direction near an axis in which the handle goes on: lines that lead out of it do not."""
    tilts = np.array([0.15, 0.3, 0.45, 0.6])
    ways = unit((axis + tilts[:, None, None] * all_round(axis, 12, towards)).reshape(-1, 3))
    ways = np.concatenate([axis[None], ways])
    places = np.array([-1.1, -0.7, 0.7, 1.1]) * thickness
    values = distance((point + places[:, None, None] * ways).reshape(-1, 3)).reshape(len(places), -1)
    # Bent handles leave their axis to one side at both ends; what counts is the sum.
    return ways[int(np.argmin(values.mean(axis=0)))]


def _centred(
    point: FloatArray, axis: FloatArray, thickness: float, distance: DistanceField, towards: FloatArray
) -> FloatArray:
    """The point moved to the middle of the handle, square to its axis."""
    fan = all_round(axis, 8, towards)
    places = thickness * np.linspace(0.0, 1.5, 16)
    outside = distance((point + places[:, None, None] * fan).reshape(-1, 3)).reshape(len(places), -1) > 0.0
    if not outside.any(axis=0).all():
        return point
    sides = places[np.argmax(outside, axis=0)]
    return point + 0.25 * (sides[:, None] * fan).sum(axis=0)
