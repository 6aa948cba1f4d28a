# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of an object's bars it was given to be held by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray
from ...core.rotations import perpendicular
from .hook import REFERENCE_HAND, DistanceField, HookSizes
from .loops import Loop, all_round
from .parts import LIKE_WIDTH, Part

BESIDE = 0.03
"""Bars whose object hangs farther beside them than this in [m], for the reference hand, may be handles."""
LONG, LONGEST = 0.07, 0.67
"""Bars shorter than this in [m], for the reference hand, or than this share of the longest, are not what to hold by."""
STOUT = (0.012, 0.05)
"""Thinnest and thickest bar in [m], for the reference hand, that things are held by."""
CLOSED = 0.75
"""Share of the directions in which a hollow bar has a side."""
BAIL, BAIL_ROOM = 0.004, 0.95
"""Thinnest bar in [m], for the reference hand, that heavy things hang from, and how free it is all round."""
_STATIONS = 48
_ROUND = 8
_BROAD = (1.25, 2.0)
"""How far beside a bar the object goes on where the bar is fixed to it, in thicknesses: flat bars are narrower."""
_FAR = 4.0
"""How far a bar is followed at least, in grips."""
_AHEAD = 0.35
"""How far beside a grip's axis the object's middle lies at most, over its distance."""
_STRAIGHT = 0.9
"""Cosine from which on two directions are the same."""
_TWINS = 0.25
"""Logarithm by which the lengths and thicknesses of posts differ at most that stand side by side."""
_SHORTER = 1.3
"""Bars longer than this times the shortest that stands out are what that one is fixed to."""


@dataclass(frozen=True, eq=False)
class Handles:
    """What an object was given to be held by, of n parts."""

    main: BoolArray
    """Handles, but for those with a mere eye. Shape (n,)."""
    hanging: BoolArray
    """Those of them that the rest of the object hangs from, as buckets do from a bail. Shape (n,)."""
    grips: BoolArray
    """Those of them that stand out from the object, as pans' handles do. Shape (n,)."""


def find_stems(
    parts: Sequence[Part], asked: BoolArray, distance: DistanceField, sizes: HookSizes, middle: FloatArray
) -> BoolArray:
    """Which bars end free on one side and lead to the object on the other. Shape (n,).

    That is how grips, pan handles and hilts are fixed. Frames are bars, too, but go on round a bend. Where nothing
    tells which of two bars that meet is the grip, as of a pistol, the shorter one is: bodies are longer than a hand.

    Args:
        parts: What the object consists of.
        asked: Which of them are looked at. Shape (n,).
        distance: Signed distances to the object.
        sizes: What fits the hand.
        middle: The object's middle in [m]. Shape (3,).
    """
    found = np.zeros(len(parts), dtype=np.bool_)
    rows = np.flatnonzero(asked)
    if not len(rows):
        return found
    steps = np.linspace(0.0, 1.0, _STATIONS)
    lines: list[FloatArray] = []
    ahead = np.zeros((len(rows), 2), dtype=np.bool_)
    after = np.zeros(len(rows), dtype=np.int64)
    reaches = np.zeros(len(rows))
    for number, k in enumerate(rows.tolist()):
        part = parts[k]
        assert part.axis is not None
        reaches[number] = reach = max(part.length + 2.0 * part.thickness + sizes.finger, _FAR * sizes.grip)
        after[number] = int(np.ceil(2.0 * part.thickness / reach * (_STATIONS - 1)))
        round_it = part.thickness * all_round(part.axis, _ROUND, np.ones(3))
        around = np.concatenate([np.zeros((1, 3)), *(far * round_it for far in _BROAD)])
        along = float((middle - part.point) @ part.axis)
        beside = float(np.linalg.norm(perpendicular(middle - part.point, part.axis)))
        if abs(along) > 0.5 * part.length and beside < _AHEAD * abs(along):
            ahead[number, int(along > 0.0)] = True
        for sign in (-1.0, 1.0):
            ways = (part.point + sign * reach * steps[:, None] * part.axis)[:, None] + around
            lines.append(ways.reshape(-1, 3))
    inside: BoolArray = (distance(np.concatenate(lines)) <= 0.0).reshape(len(rows), 2, _STATIONS, -1)
    near = inside[..., 1 : 1 + _ROUND]
    across: BoolArray = np.asarray((near & inside[..., 1 + _ROUND :]).any(axis=3))
    end, broad = _first(~inside[..., 0]), _first(across)
    # The end of a bar has nothing beside it, and nothing beside what would come next.
    place = np.arange(_STATIONS) - end[..., None]
    beyond = near.any(axis=3) & (place >= -0.25 * after[:, None, None]) & (place <= after[:, None, None])
    free = (end < _STATIONS) & (end < broad) & ~beyond.any(axis=2)
    # What goes on behind something that crosses it is not fixed there.
    behind = (np.arange(_STATIONS) > broad[..., None]) & (place < 0)
    crossing = (behind & ~across).sum(axis=2) > 0.5 * after[:, None]
    fixed = ((broad < end) & ~crossing) | ahead
    stems = free & fixed[:, ::-1]
    if (stems & ahead[:, ::-1]).any():
        found[rows] = (stems & ahead[:, ::-1]).any(axis=1)
        return found
    length = np.where(stems, end + broad[:, ::-1], np.inf).min(axis=1) / (_STATIONS - 1) * reaches
    enough = stems.any(axis=1) & (length > LONG * sizes.finger / HookSizes().finger)
    found[rows] = enough & (length < _SHORTER * length[enough].min(initial=np.inf))
    return found


def _first(true: BoolArray) -> IntArray:
    """Where each row first is true, its length where nowhere. Shape (..., n) to (...)."""
    first: IntArray = np.argmax(true, axis=-1)
    return np.where(true.any(axis=-1), first, np.int64(true.shape[-1]))


def find_handles(
    parts: Sequence[Part],
    scores: FloatArray,
    room: FloatArray,
    openings: Sequence[Loop | None],
    distance: DistanceField,
    sizes: HookSizes,
    *,
    middle: FloatArray,
    hand: float,
    heavy: bool,
) -> Handles:
    """Which parts the object was given to be held by.

    Openings for several fingers come first, then grips that stand out from something, then openings for one finger
    and by far the longest bars.

    Args:
        parts: What the object consists of.
        scores: How well each can be taken; those that cannot be do not count. Shape (n,).
        room: How free each is all round, 0 to 1. Shape (n,).
        openings: What fingers can be put through beside them.
        distance: Signed distances to the object.
        sizes: What fits the hand.
        middle: The object's middle in [m]. Shape (3,).
        hand: Palm width in [m].
        heavy: Whether the object is too heavy to be carried between pads.
    """
    scale = REFERENCE_HAND / hand
    bars = np.array([part.kind == "tube" for part in parts], dtype=np.bool_) & (scores > 0.0)
    thickness = scale * np.array([part.thickness for part in parts])
    length = scale * np.array([part.length for part in parts])
    offset = scale * np.array([_beside(part, middle) for part in parts])
    several = np.array([each is not None and each.room(sizes.finger) > 1 for each in openings], dtype=np.bool_)
    none = np.zeros(len(parts), dtype=np.bool_)
    if several.any():
        return Handles(np.array([each is not None for each in openings], dtype=np.bool_), none, none)
    stout = bars & (STOUT[0] < thickness) & (thickness < STOUT[1])
    long = stout & (length > LONG)
    solid = np.array([part.solid for part in parts], dtype=np.bool_)
    leaders = _leaders(parts, np.where(long & solid, scores, 0.0))
    chosen = leaders == np.arange(len(parts))
    posts = _are_posts(parts, chosen)
    stems = find_stems(parts, chosen, distance, sizes, middle) & ~posts
    if stems.any():
        found = (leaders >= 0) & stems[leaders]
        return Handles(found, none, found)
    longest = float(length[stout].max(initial=0.0))
    found = long & (length > LONGEST * longest) & ((offset > BESIDE) | (length > 2.0 * thickness))
    # What lies between a cup and its saucer is open on some side, and no bar.
    found &= solid | (room > CLOSED)
    between = found & ~((leaders >= 0) & posts[leaders])
    found = between if between.any() else found
    through = np.array([each is not None for each in openings], dtype=np.bool_)
    if heavy and not (found | through).any():
        # Bails of buckets and bags are thin, but nothing else is there to lift them by.
        found = bars & (thickness > BAIL) & (length > LONG) & (offset > BESIDE) & (room >= BAIL_ROOM)
    return Handles(found | through, found & ~through & (offset > BESIDE), none)


def _leaders(parts: Sequence[Part], scores: FloatArray) -> IntArray:
    """Which part is the best one of the same straight bar, -1 for parts without a score. Shape (n,)."""
    leaders = np.full(len(parts), -1, dtype=np.int64)
    kept: list[int] = []
    order: list[int] = np.argsort(-scores, kind="stable").tolist()
    for k in order:
        if scores[k] <= 0.0:
            break
        leaders[k] = next((other for other in kept if _same_bar(parts[k], parts[other])), k)
        if leaders[k] == k:
            kept.append(k)
    return leaders


def _are_posts(parts: Sequence[Part], asked: BoolArray) -> BoolArray:
    """Which bars have a twin beside them: those stand between the thing and what it is held by. Shape (n,)."""
    found = np.zeros(len(parts), dtype=np.bool_)
    rows: list[int] = np.flatnonzero(asked).tolist()
    for k in rows:
        found[k] = any(_are_twins(parts[k], parts[other]) for other in rows if other != k)
    return found


def _are_twins(part: Part, other: Part) -> bool:
    assert part.axis is not None
    assert other.axis is not None
    away = part.point - other.point
    along, beside = abs(float(away @ other.axis)), float(np.linalg.norm(perpendicular(away, other.axis)))
    like = max(abs(np.log(part.thickness / other.thickness)), abs(np.log(part.length / other.length))) < _TWINS
    straight = abs(float(part.axis @ other.axis)) > _STRAIGHT
    return bool(like and straight and beside > 2.0 * part.thickness and along < 0.5 * part.length)


def _same_bar(part: Part, other: Part) -> bool:
    assert part.axis is not None
    assert other.axis is not None
    off = float(np.linalg.norm(perpendicular(part.point - other.point, other.axis)))
    # Grips taper and swell.
    like = abs(float(np.log(part.thickness / other.thickness))) < 2.0 * LIKE_WIDTH
    return like and abs(float(part.axis @ other.axis)) > _STRAIGHT and off < other.thickness


def _beside(part: Part, middle: FloatArray) -> float:
    """How far the object's middle lies beside a part's axis, or from its point where there is none, in [m]."""
    away = middle - part.point
    return float(np.linalg.norm(away if part.axis is None else perpendicular(away, part.axis)))
