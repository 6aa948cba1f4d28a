# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of an object's slender bars have an opening beside them, and how good a handle that makes of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.arrays import FloatArray
from ...core.rotations import perpendicular
from .hook import DistanceField, HookSizes
from .loops import PITCH, Bars, Loop, find_loops
from .parts import Part

HANDLE = 2.5
"""How much better handles with an opening are than they would be as mere bars: they were made to be held by."""
_MOST_OPENINGS = 12
_FINGER_THROUGH = 2.0
"""Openings shorter than this many thicknesses of the bar beside them are no handle's: fingers do not fit the bar."""
_NEAR = 0.3
"""What that place of a handle is worth where it leaves the object."""


def find_openings(
    parts: Sequence[Part], scores: FloatArray, distance: DistanceField, sizes: HookSizes, middle: FloatArray
) -> list[Loop | None]:
    """The openings beside the best of the slender bars; None for all other parts."""
    found: list[Loop | None] = [None] * len(parts)
    order: list[int] = np.argsort(-scores, kind="stable").tolist()
    slender = [
        k
        for k in order
        if parts[k].kind == "tube"
        and parts[k].solid
        and parts[k].thickness < 2.0 * sizes.finger
        and parts[k].length > 1.3 * sizes.finger
        and scores[k] > 0.0
    ]
    asked = slender[:_MOST_OPENINGS]
    if not asked:
        return found
    points = np.array([parts[k].point for k in asked])
    thickness = np.array([parts[k].thickness for k in asked])
    bars = Bars(points, np.array([parts[k].axis for k in asked]), thickness, middle - points)
    for k, loop in zip(asked, find_loops(bars, distance, sizes), strict=True):
        if loop is not None and loop.low + loop.high + sizes.finger > _FINGER_THROUGH * parts[k].thickness:
            found[k] = loop
    return found


def handle_worth(
    parts: Sequence[Part],
    openings: Sequence[Loop | None],
    sizes: HookSizes,
    fitting: HookSizes,
    middle: FloatArray,
) -> FloatArray:
    """How many times better parts are for their openings than they would be as mere bars; 1 without. Shape (n,).

    A handle is taken where it stands out farthest. Its opening tells how long it is: a teacup's is as short as it is
    bent, and meant for one finger.

    Args:
        parts: What the object consists of.
        openings: What is beside them.
        sizes: What fits the hand.
        fitting: What the openings were made for.
        middle: The object's middle in [m]. Shape (3,).
    """
    worth = np.ones(len(parts))
    out = {
        k: float(np.linalg.norm(perpendicular(middle - loop.point, loop.axis)))
        for k, loop in enumerate(openings)
        if loop is not None
    }
    for k, offset in out.items():
        loop = openings[k]
        assert loop is not None
        place = _NEAR + (1.0 - _NEAR) * offset / max(max(out.values()), 1e-9)
        worth[k] = HANDLE * place * _roominess(loop, fitting) / long_enough(parts[k], sizes)
    return worth


def long_enough(part: Part, sizes: HookSizes) -> float:
    """0 to 1: most for bars that all fingers have room on."""
    return min(part.length / sizes.grip, 1.0) ** 0.7


def _roominess(opening: Loop, sizes: HookSizes) -> float:
    """0 to 1: most in the middle of an opening that takes three fingers or more."""
    length = opening.low + opening.high
    middle = 1.0 - abs(opening.high - opening.low) / max(length, sizes.finger)
    return (0.6 + 0.4 * min(length / (2.0 * PITCH * sizes.finger), 1.0)) * (0.7 + 0.3 * middle)
