# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Choose the movements that suit a place of an object."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from ..presets.movements import REFERENCE_PALM_WIDTH, Movement
from ..solvers.hooks import Hook

SHAPE_LOSS = 0.12
"""What each further place of a shape in a movement's list costs."""
WRONG_SHAPE = 0.3
"""Worth of a movement for a shape that it does not name."""
SLENDER = 0.013
"""Round things thinner than this in [m], for the reference hand, are held between pads rather than in the palm."""
FIST = 0.06
"""Bars longer than this in [m], for the reference hand, fill a fist."""
BESIDE = 0.03
"""Handles whose object hangs farther beside them than this in [m], for the reference hand, are held firmly."""
HEAVY = 0.15
"""Things as large as a cube of this edge in [m], for the reference hand, are not carried between pads."""
SMALL_FLAT, SMALL = 0.065, 0.06
"""Flat things shorter than this in [m], for the reference hand, are held like a key; but not flat parts of things that
are larger than a cube of such an edge, such as the foot of a glass."""

HANDLE_PADS = 0.45
"""How well pads hold what a thing was given to be held by: it has room for the whole hand."""

_SLENDER_PADS = {2: 0.93, 3: 1.0}
"""How well so many pads hold a slender thing: three do not let it swing and can still turn it."""
_WORDS = {
    "sphere": "ball",
    "prism": "bar or box",
    "flat": "flat thing",
    "disk": "disk",
    "cylinder": "round bar",
    "handle": "handle",
}


@dataclass(frozen=True)
class MovementChoice:
    """A movement and how well it suits."""

    movement: Movement
    """The movement."""
    score: float
    """0 to 1."""
    reason: str
    """One sentence for the user."""


def choose_movements(
    hook: Hook, hand_size: float, movements: Iterable[Movement], *, bulk: float = 0.0
) -> list[MovementChoice]:
    """All movements, best first, by the thickness, shape and length of the object at a hook.

    Args:
        hook: Where the object is to be taken.
        hand_size: Palm width in [m].
        movements: What there is to choose from.
        bulk: Edge in [m] of a cube as large as the box round the whole object, for the reference hand.
    """
    scale = REFERENCE_PALM_WIDTH / hand_size
    thickness, length, shape = scale * hook.thickness, scale * hook.length, shape_of(hook, hand_size)
    choices: list[MovementChoice] = []
    for movement in movements:
        size, form = _size_score(movement, thickness), _shape_score(movement, shape)
        habit = _habit_score(movement, hook, shape, scale, bulk=bulk)
        score = size * form * _length_score(movement, hook, length) * habit
        choices.append(MovementChoice(movement, score, _reason(movement, hook, scale, size, shape)))
    return sorted(choices, key=lambda choice: -choice.score)


def shape_of(hook: Hook, hand_size: float) -> str:
    """What a hook looks like to a hand of that palm width in [m], in the words of movements."""
    if hook.kind == "compact":
        if hook.axis is not None and hook.length < 0.5 * hook.thickness:
            return "disk"
        return "sphere" if hook.across is None else "prism"
    if hook.kind == "tube":
        if hook.eye:
            return "cylinder"
        # A flat bar that things are held by is a handle, too, though what hangs on it hangs at its end.
        beside = hook.offset * REFERENCE_PALM_WIDTH > BESIDE * hand_size
        if hook.opening is not None or (hook.main and (beside or hook.across is not None)):
            return "handle"
        return "cylinder" if hook.across is None else "prism"
    return "prism" if hook.kind in ("edge", "slab") else "flat"


def _size_score(movement: Movement, thickness: float) -> float:
    """1 well within the movement's sizes, less towards their ends, nearly nothing beyond them."""
    smallest, largest = movement.object_size
    middle, reach = math.sqrt(smallest * largest), math.log(largest / smallest) / 2.0
    off = abs(math.log(max(thickness, 1e-6) / middle)) / reach
    if off <= 1.0:
        return 1.0 - 0.25 * off**2
    return 0.75 * math.exp(-6.0 * reach * (off - 1.0))


def _shape_score(movement: Movement, shape: str) -> float:
    names = movement.shapes
    # Whatever holds a bar holds a handle.
    asked = [each for each in (shape, "cylinder" if shape == "handle" else shape) if each in names]
    return 1.0 - SHAPE_LOSS * min(names.index(each) for each in asked) if asked else WRONG_SHAPE


def _length_score(movement: Movement, hook: Hook, length: float) -> float:
    """Whether a long thing is long enough for all the fingers that lie side by side on it."""
    if hook.kind == "compact" or movement.axis != "across":
        return 1.0
    side_by_side = sum(finger != "thumb" for finger in movement.fingers)
    wanted = 0.8 * REFERENCE_PALM_WIDTH * side_by_side / 4.0
    return min(length / wanted, 1.0)


def _habit_score(movement: Movement, hook: Hook, shape: str, scale: float, *, bulk: float) -> float:
    """What people do: slender things between pads, thick ones in the palm, small flat ones like a key."""
    if hook.kind == "slab":
        # Its sides are too far apart for pads, and its faces too near each other.
        return 1.0 if movement.opposition == "palm" and "thumb" in movement.fingers else 0.0
    # What a thing was given to be held by is held firmly, however slender.
    pads, slender = movement.opposition == "pad", scale * hook.thickness < SLENDER and (hook.eye or not hook.main)
    if bulk > HEAVY and hook.kind == "tube" and not hook.eye:
        # Bails of buckets are thin, but fingers are hooked round them.
        return 1.0 if movement.opposition == "palm" else 0.3 if hook.main else 0.5
    if movement.opposition == "side":
        small = scale * hook.length < SMALL_FLAT and bulk < SMALL
        return 1.0 if hook.kind == "thin" and small else 0.7
    if shape == "flat":
        return (0.95 if len(movement.fingers) == 2 else 0.8) if pads else 0.4
    if "thumb" not in movement.fingers:
        # Buckets hang on fingers; scissors are light enough to be held.
        return 0.6 if bulk > SMALL else 0.2
    if pads and hook.main and not hook.eye:
        return HANDLE_PADS
    if shape == "handle":
        return 0.6 if pads else 1.0
    if shape == "disk":
        # Lids are turned by their edge.
        return 1.0 if pads else 0.8
    if pads and not slender:
        # Bars that are long enough are held in the fist.
        return 0.6 if hook.kind == "tube" and scale * hook.length > FIST else 0.72
    if pads:
        return _SLENDER_PADS.get(len(movement.fingers), 0.85)
    return 0.7 if slender else 1.0


def _reason(movement: Movement, hook: Hook, scale: float, size: float, shape: str) -> str:
    smallest, largest = (1000.0 * each / scale for each in movement.object_size)
    thick = 1000.0 * hook.thickness
    fits = "within" if size >= 0.75 - 1e-9 else "outside"
    long = f", {1000.0 * hook.length:.0f} mm long" if hook.kind != "compact" else ""
    suits = "that it suits" if _shape_score(movement, shape) > WRONG_SHAPE else "that it is not made for"
    span = f"{fits} its {smallest:.3g} to {largest:.3g} mm for this hand"
    return f"A {_WORDS[shape]} {suits}, {thick:.3g} mm thick ({span}){long}."
