# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Find the hooks of an object for a hand, best first."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from ...core.arrays import FloatArray, frozen_floats, frozen_ints
from ...core.rotations import perpendicular
from .corridors import free_rays
from .handles import CLOSED, find_handles
from .hook import REFERENCE_HAND, DistanceField, Hook, HookSizes
from .loops import Loop, all_round
from .openings import find_openings, handle_worth, long_enough
from .pairs import SurfaceSamples, find_pairs, free_along, sample_surface
from .parts import Part, describe_parts

MOST_HOOKS = 8
MOST_OF_KIND = {"tube": 4, "compact": 3, "thin": 3, "edge": 3, "rim": 2, "slab": 1}
"""Hooks of one kind: walls have no end of rims, and would crowd out the handle."""
# How well thicknesses can be held, for the reference hand in [m]: a handle of 25 to 40 mm is best.
_HOLD = np.array(
    [(0.0, 0.3), (0.004, 0.5), (0.012, 0.8), (0.025, 1.0), (0.04, 1.0), (0.06, 0.75), (0.075, 0.5), (0.095, 0.2)]
)
_FLAT = {"thin": 0.85, "edge": 0.85, "rim": 0.5}
"""How much less one likes to hold flat parts than round ones."""
_SLAB = 0.9
_SPOUT = 0.65
_KNOB = 0.3
"""What a knob would be worth that is nothing against the thing that it belongs to."""
_BETWEEN = 0.3
"""How much less hollow bars are worth that are open on some side: they are what lies between two walls."""
_EYE = 0.5
"""Size of the hand, over the real one, whose fingers go through the opening of a handle that is held by pads."""
_HEAVY = 0.15
"""Things as large as a cube of this edge in [m], for the reference hand, are not carried between pads."""
_SPREAD = 1.45
"""How much thicker than what it can close round the thickest thing is that a hand still spans with its tips."""
_OFF = 0.2
"""How much less round parts are worth that are as far as can be from the object's middle."""
_HANGING = 1.5
"""How much better bars that the object hangs from are than they would be as mere bars."""
_TILTED = 0.3
"""What a place of a bail is worth under which the object would hang with its side down."""
_MISSED = 0.03
"""Share of the surface where distances may miss walls."""
_ROUND = 16
_OUTSIDE = (0.6, 0.8, 1.0, 1.2)
"""How far from a part's middle its outside is looked for, in thicknesses."""
_PINCH = np.array([(0.0, 0.7), (0.002, 0.8), (0.012, 0.8), (0.03, 0.7), (0.05, 0.55), (0.095, 0.15)])


def find_hooks(
    vertices: ArrayLike,
    triangles: ArrayLike,
    distance: DistanceField,
    *,
    hand: float,
    most: int = MOST_HOOKS,
    careful: DistanceField | None = None,
) -> tuple[Hook, ...]:
    """The places that a hand can take an object by, best first; none when it is too big or out of reach.

    What is too large to be closed round is looked at once more for what a hand that is spread wide can still span, and
    what has no opposite sides at all, such as a pyramid, is one whole thing.

    Args:
        vertices: World positions in [m]. Shape (n, 3).
        triangles: Vertex indices. Shape (m, 3).
        distance: Signed distances to the object in [m], negative inside: shape (k, 3) to (k,). Away from the surface
            they may be shorter than the truth.
        hand: Palm width in [m].
        most: How many at most.
        careful: The same distances for objects whose walls the others miss, where these take longer.
    """
    places = frozen_floats(vertices, (-1, 3), "vertices")
    corners = places[frozen_ints(triangles, (-1, 3), "triangles")]
    sizes = HookSizes().of_hand(hand)
    samples = sample_surface(corners)
    if careful is not None and _misses_walls(samples, distance, sizes):
        distance = careful
    for each in (sizes, replace(sizes, thickest=_SPREAD * sizes.thickest)):
        found = _search(places, samples, distance, each, hand=hand, most=most)
        if found:
            return found
    return _whole(places, sizes)


def _misses_walls(samples: SurfaceSamples, distance: DistanceField, sizes: HookSizes) -> bool:
    """Whether distances are outside on both sides of many places of the surface: a drinking glass is thin."""
    step = 2.0 * sizes.step * samples.normals
    both = distance(np.concatenate([samples.points - step, samples.points + step])).reshape(2, -1)
    return bool((both > 0.0).all(axis=0).mean() > _MISSED)


def _whole(places: FloatArray, sizes: HookSizes) -> tuple[Hook, ...]:
    """An object as one compact thing, where it is as small as that."""
    low, high = places.min(axis=0), places.max(axis=0)
    extents = np.sort(high - low)
    if not sizes.thinnest < extents[1] <= sizes.thickest:
        return ()
    return (Hook((low + high) / 2.0, None, None, "compact", float(extents[1]), float(extents[2]), 0.0, 1.0),)


def _search(
    places: FloatArray,
    samples: SurfaceSamples,
    distance: DistanceField,
    sizes: HookSizes,
    *,
    hand: float,
    most: int,
) -> tuple[Hook, ...]:
    """The hooks that are seen from opposite places of the surface."""
    parts = describe_parts(find_pairs(samples, distance, sizes), distance, sizes)
    middle = samples.points.mean(axis=0)
    size = float(np.linalg.norm(samples.points - middle, axis=1).max())
    off: FloatArray = np.array([float(np.linalg.norm(part.point - middle)) for part in parts])
    scores: FloatArray = np.array(
        [_score(part, sizes, size, away, hand) for part, away in zip(parts, off, strict=True)]
    )
    room = _room(parts, distance, sizes)
    openings = find_openings(parts, scores * room, distance, sizes, middle)
    extents: FloatArray = (places.max(axis=0) - places.min(axis=0)) * REFERENCE_HAND / hand
    heavy = float(np.prod(np.maximum(extents, 1e-9)) ** (1.0 / 3.0)) > _HEAVY
    handles = find_handles(parts, scores * room, room, openings, distance, sizes, middle=middle, hand=hand, heavy=heavy)
    eyes: list[Loop | None] = [None] * len(parts)
    small = HookSizes().of_hand(_EYE * hand)
    if not handles.main.any():
        # Teacups are held by their handle, too, though no finger fits through.
        eyes = find_openings(parts, scores * room, distance, small, middle)
    # A wall behind a handle takes room away, but that is where the fingers go.
    lost = np.where([each is not None or eye is not None for each, eye in zip(openings, eyes, strict=True)], 1.0, 2.0)
    scores = scores * room**lost
    hollow = np.array([part.kind == "tube" and not part.solid for part in parts], dtype=np.bool_)
    scores[hollow & (room <= CLOSED)] *= _BETWEEN
    for each, fitting in ((openings, sizes), (eyes, small)):
        scores *= handle_worth(parts, each, sizes, fitting, middle)
    # Tools are long, and their grips are where they are.
    scores[handles.grips] /= 1.0 - _OFF * off[handles.grips] / size
    scores[handles.hanging] *= [_plumb(parts[k], middle) for k in np.flatnonzero(handles.hanging).tolist()]
    order: list[int] = np.argsort(-scores, kind="stable").tolist()
    hooks = [
        _hook(parts[k], middle, min(float(scores[k]), 1.0), openings[k], eyes[k], main=bool(handles.main[k]))
        for k in order
        if scores[k] > 0.0
    ]
    return tuple(_distinct(hooks, sizes, most))


def _plumb(part: Part, middle: FloatArray) -> float:
    """How much better a bail is than a mere bar: most where the object's middle is straight beside it, as it hangs."""
    assert part.axis is not None
    away = middle - part.point
    straight = float(np.linalg.norm(perpendicular(away, part.axis)) / np.linalg.norm(away))
    return _HANGING * (_TILTED + (1.0 - _TILTED) * straight)


def _hook(
    part: Part,
    middle: FloatArray,
    score: float,
    opening: Loop | None,
    eye: Loop | None,
    *,
    main: bool,
) -> Hook:
    if eye is not None:
        part = replace(part, point=eye.point, axis=eye.axis, across=None, length=eye.low + eye.high + part.thickness)
    away = middle - part.point
    beside = away if part.axis is None else perpendicular(away, part.axis)
    offset = float(np.linalg.norm(beside))
    return Hook(
        part.point if opening is None else opening.point,
        part.axis if opening is None else opening.axis,
        part.across if opening is None else None,
        part.kind,
        part.thickness,
        part.length,
        offset,
        score,
        opening,
        part.depth if part.kind == "slab" else 0.0,
        main or eye is not None,
        eye is not None,
    )


def _score(part: Part, sizes: HookSizes, size: float, off: float, hand: float) -> float:
    """0 to 1 from the part's thickness, length and place, but for the room round it.

    Args:
        part: The part.
        sizes: What fits the hand.
        size: Radius of the object about its middle in [m].
        off: Distance of the part from there in [m].
        hand: Palm width in [m].
    """
    if part.kind == "slab":
        return _SLAB * (0.7 + 0.3 * part.middle) * (1.0 - 0.2 * off / size)
    table = _HOLD if part.kind in ("tube", "compact") else _PINCH
    value = float(np.interp(part.thickness * REFERENCE_HAND / hand, table[:, 0], table[:, 1]))
    # What hangs far from the object's middle is heavy in the hand, and swings between pads.
    value *= 1.0 - (_OFF if part.kind in ("tube", "compact") else 0.4) * off / size
    if part.kind == "tube":
        if not part.solid and part.thickness < 1.25 * sizes.finger:
            # A slender pipe on something is a spout or a nozzle rather than a handle.
            value *= _SPOUT
        return value * long_enough(part, sizes) * (0.6 + 0.4 * part.middle)
    if part.kind == "compact":
        # A knob of something larger is less than a thing that is compact as a whole.
        value *= min(1.0, _KNOB + (1.0 - _KNOB) * part.thickness / size)
        # A thin disk's edge cuts into the fingers, and a ring is better held by its own thickness.
        return (
            value * min(0.15 + 2.0 * part.length / sizes.pad, 1.0) * (1.0 if part.solid or part.axis is None else 0.4)
        )
    value *= min(part.length / sizes.pad, 1.0) * min(2.0 * part.depth / sizes.pad, 1.0) * (0.8 + 0.2 * part.middle)
    if part.kind != "edge":
        # Only thick slabs are worth reaching over far.
        value *= 1.0 - 0.4 * max(part.depth / sizes.reach - 0.5, 0.0)
    return value * _FLAT[part.kind]


def _room(parts: list[Part], distance: DistanceField, sizes: HookSizes) -> FloatArray:
    """Share of the directions round handles with a side and room for a finger; 1 for flat parts. Shape (n,).

    Hollow balls are looked at, too: what lies between other parts has no side of its own in most directions.
    """
    room = np.ones(len(parts))
    asked = [k for k, part in enumerate(parts) if part.kind == "tube" or (part.kind == "compact" and not part.solid)]
    if not asked:
        return room
    fan = _directions([parts[k].axis for k in asked])
    points = np.array([parts[k].point for k in asked])
    # Bars are flat as often as round: what is outside begins where it does, and not at one distance all round.
    stations = np.array([parts[k].thickness for k in asked])[:, None] * np.array(_OUTSIDE)
    places = points[:, None, None] + stations[:, None, :, None] * fan[:, :, None]
    outer = (distance(places.reshape(-1, 3)) > 0.0).reshape(places.shape[:3])
    first = np.argmax(outer, axis=2)
    outside = np.take_along_axis(np.broadcast_to(stations[:, None], outer.shape), first[:, :, None], axis=2)[:, :, 0]
    skin = np.take_along_axis(places, first[:, :, None, None], axis=2).reshape(-1, 3)
    out = fan.reshape(-1, 3)
    free = free_along(skin, out, distance, sizes.finger)
    # Of wires the whole way to the middle, as it is hardly a step.
    inwards = np.maximum(0.5 * outside, np.minimum(outside, 4.0 * sizes.step)).ravel()
    sides = ~free_rays(skin, -out, distance, inwards, sizes)
    room[asked] = (free & sides).reshape(len(asked), _ROUND).mean(axis=1)
    return room


def _directions(axes: list[FloatArray | None]) -> FloatArray:
    """Unit directions evenly round each axis, or over the sphere without one. Shape (n, _ROUND, 3)."""
    height = 1.0 - (2.0 * np.arange(_ROUND) + 1.0) / _ROUND
    turn = np.arange(_ROUND) * np.pi * (3.0 - np.sqrt(5.0))
    wide = np.sqrt(1.0 - height**2)
    ball = np.stack([wide * np.cos(turn), wide * np.sin(turn), height], axis=1)
    fan = np.repeat(ball[None], len(axes), axis=0)
    rows = [row for row, axis in enumerate(axes) if axis is not None]
    if rows:
        fan[rows] = all_round(np.array([axes[row] for row in rows]), _ROUND, np.ones(3))
    return fan


def _distinct(hooks: list[Hook], sizes: HookSizes, most: int) -> list[Hook]:
    """The best hooks, none of them close to a better one that is much the same."""
    kept: list[Hook] = []
    for hook in hooks:
        if sum(other.kind == hook.kind for other in kept) >= MOST_OF_KIND[hook.kind]:
            continue
        if all(np.linalg.norm(hook.point - other.point) > _spacing(hook, other, sizes) for other in kept):
            kept.append(hook)
        if len(kept) == most:
            break
    return kept


def _spacing(hook: Hook, other: Hook, sizes: HookSizes) -> float:
    if hook.kind != other.kind:
        return 0.5 * sizes.finger
    # Along a rim or a long handle there would be no end of places.
    like = abs(np.log(hook.thickness / other.thickness)) < 0.4
    return 0.7 * sizes.grip if like else 2.0 * sizes.finger
