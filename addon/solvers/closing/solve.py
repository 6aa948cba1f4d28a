# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Close a hand: every finger in the way that suits it, the thumb last, and finally on every vertex of the skin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray
from .advance import Stops, advance
from .care import CLOSE_CARE, ROUGH_CARE, TRYING_CARE, Care
from .choose import choose_ways
from .clearance import ITSELF, Scene
from .closed import Closing, merged
from .contacts import one_after_another, touching, turns_of
from .measure import measure_moved, near_gaps
from .motion import Skinned
from .movement import Movement
from .own_body import own_barriers, thumb_meets_others
from .rows import stirred
from .skin import ClosingSkin
from .variations import EVERY_WAY, TOGETHER, Way, WayOfFinger, tried_ways, usual_way, vary

_BACK = (
    (0.06, CLOSE_CARE),
    (0.25, replace(CLOSE_CARE, dip=7e-4)),
    (1.0, replace(CLOSE_CARE, dip=1.2e-3)),
)
"""Shares of the movement that fingers are opened by before they close again, as far beyond, on all of the skin; the
longer the way, the longer the steps that are dared."""
_PASSES = (0.5, 0.5, 1.0)
"""Fingers that press skin which they share into the object close again, each with the others that part of the way from
where it took them to be to where they came: fingers that all made way for what all had done would end far outside."""
_PRESSED = 1.5e-4
"""Skin that is this much deeper in [m] than it gives is pressed in."""
_DEEPER = 3e-5
"""Skin that is this much deeper in [m] than a few probes told needs opening further."""


def close(
    skin: ClosingSkin,
    movement: Movement,
    scene: Scene,
    ranges: FloatArray,
    *,
    ways: Sequence[WayOfFinger] = EVERY_WAY,
    fine: bool = True,
) -> Closing:
    """Close many postures of a hand on a scene.

    Args:
        skin: The hand and what of it may touch.
        movement: From where to where, for each posture.
        scene: What it closes on.
        ranges: Lowest and highest angles in [rad]. Shape (m, 3, 2).
        ways: Ways in which a finger may close, the first the usual one.
        fine: Whether to end on all of the skin, and not on a few probes.
    """
    hand = skin.hand
    fingers = len(hand.chains)
    closing = Closing(
        angles=movement.start,
        shares=np.zeros(movement.start.shape[:2]),
        stopped_by=np.zeros(movement.start.shape[:2], dtype=np.int64),
        depths=np.zeros((len(movement.start), fingers)),
        way=usual_way(len(movement.start), fingers),
    )
    care = TRYING_CARE if fine else ROUGH_CARE
    closing = _close_some(skin.coarse, movement, scene.rough, ranges, ways, closing, care)
    closing = _close_thumbs(skin.coarse, movement, scene.rough, ranges, ways, closing, care)
    if not fine:
        return closing
    rough, closing = closing, _finish(skin.fine, movement, scene, ranges, closing)
    # Balls touched what the skin passes by, or went aside where the skin has no room: those fingers close in the usual
    # way after all.
    unfit = touching(hand, rough.stopped_by) & ~touching(hand, closing.stopped_by)
    unfit |= (closing.depths > _DEEPER) & ((closing.way.aside != 0.0) | (closing.way.orders != TOGETHER))
    if unfit.any() and len(ways) > 1:
        stage = replace(movement, fingers=movement.fingers & unfit.any(axis=0))
        again = _close_some(skin.coarse, stage, scene.rough, ranges, ways[:1], closing, TRYING_CARE)
        closing = merged(hand, unfit, _finish(skin.fine, stage, scene, ranges, again, every=movement.fingers), closing)
    return _release(skin, movement, scene, ranges, closing)


def close_again(skin: ClosingSkin, movement: Movement, scene: Scene, ranges: FloatArray, closing: Closing) -> Closing:
    """Close on all of the skin once more in the ways of an earlier closing, as for depths that differ a little."""
    return _release(skin, movement, scene, ranges, _finish(skin.fine, movement, scene, ranges, closing))


def _release(skin: ClosingSkin, movement: Movement, scene: Scene, ranges: FloatArray, closing: Closing) -> Closing:
    """Close fingers anew that press skin which they share with others into the object."""
    for part in _PASSES:
        if not _presses(skin.fine, movement, scene, closing):
            break
        others = closing.angles
        if closing.taken is not None:
            others = closing.taken + part * (others - closing.taken)
        closing = _finish(skin.fine, movement, scene, ranges, closing, others=others)
    return closing


def _close_some(
    skinned: Skinned,
    movement: Movement,
    scene: Scene,
    ranges: FloatArray,
    ways: Sequence[WayOfFinger],
    before: Closing,
    care: Care,
) -> Closing:
    """Close some fingers in the best of several ways, with those that have closed before them in the way."""
    hand, count, v = skinned.hand, len(movement.start), len(ways)
    new = movement.fingers[hand.finger_of][:, None]
    movement = replace(
        movement,
        start=np.where(new, movement.start, before.angles),
        end=np.where(new, movement.end, before.angles),
    )
    way = tried_ways(ways, count, len(hand.chains))
    tried = vary(hand, movement.repeated(v), way, ranges)
    found = _advance(skinned, tried, scene, care)
    angles = tried.angles(found.shares)
    chosen = np.zeros((count, len(hand.chains)), dtype=np.int64)
    if v > 1:
        motions = skinned.motions(angles, tried.wrists)
        near = measure_moved(skinned, motions, scene.distance)
        chosen = choose_ways(hand, tried, motions.frames, near, found.depths, ways)
    # Row of the posture that each finger, and each joint, is taken from.
    finger_row = chosen + v * np.arange(count)[:, None]
    joint_row = finger_row[:, hand.finger_of]
    joint, finger = np.arange(len(hand.finger_of)), np.arange(len(hand.chains))
    return Closing(
        angles=np.where(new, angles[joint_row, joint], before.angles),
        shares=np.where(new[:, 0], found.shares[joint_row, joint], before.shares),
        stopped_by=np.where(new[:, 0], found.stopped_by[joint_row, joint], before.stopped_by),
        depths=np.where(movement.fingers, found.depths[finger_row, finger], before.depths),
        way=Way(
            np.where(movement.fingers, way.orders[finger_row, finger], before.way.orders),
            np.where(movement.fingers, way.aside[finger_row, finger], before.way.aside),
        ),
    )


def _close_thumbs(
    skinned: Skinned,
    movement: Movement,
    scene: Scene,
    ranges: FloatArray,
    ways: Sequence[WayOfFinger],
    before: Closing,
    care: Care,
) -> Closing:
    """Close thumbs once more, with the closed fingers in the way, where they may have come upon them."""
    hand = skinned.hand
    whole = vary(hand, movement, before.way, ranges)
    met = np.flatnonzero(thumb_meets_others(skinned, whole, before.shares, before.angles))
    if not len(met):
        return before
    thumb = np.arange(len(hand.chains)) == hand.thumb
    stage = replace(movement.take(met), fingers=thumb)
    again = _close_some(skinned, stage, scene, ranges, ways, before.take(met), care)
    return before.put(met, again)


def _advance(skinned: Skinned, movement: Movement, scene: Scene, care: Care) -> Stops:
    barriers = [*scene.barriers(skinned.finger), *own_barriers(skinned, movement)]
    return advance(skinned, movement, barriers, care)


def _presses(skinned: Skinned, movement: Movement, scene: Scene, closing: Closing) -> bool:
    """Whether skin that fingers share ended deeper than it gives, as each took the others for still."""
    if not len(skinned.shared):
        return False
    shared = skinned.of_several
    gaps = near_gaps(shared, closing.angles, movement.wrists, scene.distance, within=0.0)[:, :-1]
    give = scene.depth + (0.0 if scene.extra is None else scene.extra[skinned.hand.finger_of])
    deep = np.minimum(gaps, 0.0) + give < -_PRESSED
    if not deep.any():
        return False
    # What was deep before anything moved is not to be blamed on fingers.
    before = near_gaps(shared, movement.start, movement.wrists, scene.distance, within=0.0)[:, :-1]
    return bool((gaps < before - _PRESSED)[deep].any())


def _finish(
    skinned: Skinned,
    movement: Movement,
    scene: Scene,
    ranges: FloatArray,
    rough: Closing,
    *,
    others: FloatArray | None = None,
    every: BoolArray | None = None,
) -> Closing:
    """Open a little and close again on every probe, bone after bone as they came to touch.

    Args:
        skinned: The hand's probes.
        movement: The whole movement.
        scene: What it closes on.
        ranges: Lowest and highest angles in [rad]. Shape (m, 3, 2).
        rough: How far it closed before.
        others: As in `advance`.
        every: Fingers that close or have closed; those of the movement if not given. Shape (f,).
    """
    hand, skinned = skinned.hand, skinned.doubled
    whole = vary(hand, movement, rough.way, ranges)
    shares, stopped_by, depths = rough.shares.copy(), rough.stopped_by.copy(), rough.depths.copy()
    stops = stirred(skinned, whole, movement.fingers if every is None else every)
    barriers = [replace(each, probes=each.probes & stops) for each in scene.barriers(skinned.finger)]
    # Fingers that were stopped by the hand itself may open again, but go no further: its capsules are not asked here.
    held = np.zeros(depths.shape, dtype=np.bool_)
    for f, chain in enumerate(hand.chains):
        held[:, f] = (rough.stopped_by[:, chain[chain >= 0]] == ITSELF).any(axis=1)
    onward = ~held[:, hand.finger_of]
    todo, fingers = np.arange(len(shares)), np.broadcast_to(movement.fingers, depths.shape)
    turn, taken = turns_of(hand, rough.stopped_by), whole.start.copy() if others is None else others
    for back, care in _BACK:
        again = fingers[todo][:, hand.finger_of]
        # What the first bones are off by, those after them are off by more.
        span = back * (1.0 + turn[todo])
        low = np.where(again, np.maximum(rough.shares[todo] - span, 0.0), shares[todo])
        high = np.where(again & onward[todo], np.minimum(rough.shares[todo] + span, 1.0), shares[todo])
        part = Movement(
            start=_between(whole, todo, low),
            end=_between(whole, todo, high),
            wrists=movement.wrists[todo],
            fingers=np.asarray(fingers[todo].any(axis=0)),
            windows=one_after_another(hand, turn[todo]) if back < 1.0 else _some(whole.windows, todo),
        )
        if others is None:
            taken[todo] = part.start
        found = advance(skinned, part, barriers, care, others=None if others is None else others[todo])
        shares[todo] = np.where(again, low + found.shares * (high - low), shares[todo])
        kept = np.where(rough.stopped_by[todo] == ITSELF, ITSELF, 0)
        stopped_by[todo] = np.where(again, np.where(found.stopped_by == 0, kept, found.stopped_by), stopped_by[todo])
        depths[todo] = np.where(fingers[todo], found.depths, depths[todo])
        # Fingers that are thinner than their balls have not come to what those touched.
        missed = touching(hand, rough.stopped_by) & ~touching(hand, stopped_by)
        again = (depths > rough.depths + _DEEPER) | missed
        if (found.pressed > _DEEPER).any() and back < 1.0:
            again[todo] |= found.pressed > _DEEPER + _pressed_at(skinned, whole, todo, scene)
        fingers = fingers & again
        todo = np.flatnonzero(fingers.any(axis=1))
        if not len(todo):
            break
    return Closing(whole.angles(shares), shares, stopped_by, depths, rough.way, taken)


def _pressed_at(skinned: Skinned, movement: Movement, chosen: IntArray, scene: Scene) -> FloatArray:
    """How deep in [m] skin of others that fingers move is when open, beyond what it gives, in some postures. (b, f)."""
    motions = skinned.motions(movement.start[chosen], movement.wrists[chosen])
    others = np.flatnonzero((skinned.place < 0) & (skinned.finger >= 0))
    places = skinned.all_positions(motions)[:, others]
    gaps = scene.distance(places.reshape(-1, 3)).reshape(places.shape[:2])
    deep = skinned.probes.radii[others] - scene.barriers(skinned.finger)[0].give[others] - gaps
    out = np.zeros((len(chosen), len(skinned.hand.chains)))
    np.maximum.at(out, (np.arange(len(chosen))[:, None], skinned.finger[others]), deep)
    return out


def _some(windows: FloatArray | None, chosen: IntArray) -> FloatArray | None:
    """Windows of some postures: from the very start it is the whole movement again, in the way that was chosen."""
    return None if windows is None else windows[chosen]


def _between(movement: Movement, chosen: IntArray, shares: FloatArray) -> FloatArray:
    """Angles of some postures of a movement when their joints have made `shares` of their turns."""
    start = movement.start[chosen]
    return start + shares[..., None] * (movement.end[chosen] - start)
