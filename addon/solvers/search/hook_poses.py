# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hands about a hook as published (Caputo 2015, 5.2 and 5.6.1): a rotation, a translation off the palm, no more.

The hook's frame is the hand's orientation at the hook. The hand stands so that its grasp centre is at the hook, moved
back against the palm's direction (the paper's +y) until its open posture is free.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import FloatArray
from ...core.rotations import matrix_from_axis_angle, rotation_from_angles, unit
from ..closing import Distance

RESTART_ANGLE = np.radians(10.0)
"""A character that has gone round the hook by more than this in [rad] needs a new start (6.5.6)."""
_LAST = 5
"""Probes that are asked first how far a hand has to go back: those before its palm, which come out last."""


@dataclass(frozen=True, eq=False)
class Freed:
    """Hands moved back until they are free."""

    wrists: FloatArray
    """The hand's frames in [m]. Shape (a, 3, 4)."""
    lifts: FloatArray
    """How far each was moved back in [m]; infinite where that was not enough. Shape (a,)."""
    gaps: FloatArray
    """Distances of all open probes there in [m], or less. Shape (a, p)."""


def place_hands(rotations: FloatArray, hook: FloatArray, centre: FloatArray) -> FloatArray:
    """Wrists whose grasp centre is at the hook. Shape (a, 3, 4).

    Args:
        rotations: The hook's frame for each. Shape (a, 3, 3).
        hook: Where it is, in [m]. Shape (3,).
        centre: Grasp centre in the hand's frame in [m]. Shape (3,).
    """
    out = np.empty((len(rotations), 3, 4))
    out[:, :, :3] = rotations
    out[:, :, 3] = hook - rotations @ centre
    return out


def translate_to_free(
    wrists: FloatArray,
    open_places: FloatArray,
    radii: FloatArray,
    back: FloatArray,
    distance: Distance,
    *,
    step: float,
    most: int,
    depth: float = 0.0,
) -> Freed:
    """Hands moved back in small steps until the open hand is free: algorithm 3, with an end.

    A step that cannot suffice, as the deepest probe is deeper than that, is not looked at; the lifts are those of
    looking at every one.

    Args:
        wrists: Where the hands are in [m]. Shape (a, 3, 4).
        open_places: Probes of the open hand in its frame in [m]. Shape (p, 3).
        radii: Their radii in [m]. Shape (p,).
        back: Unit direction out of the back of the hand, in its frame. Shape (3,).
        distance: Distance to the object.
        step: Length of a step in [m].
        most: Steps at most.
        depth: How deep in [m] a probe is when it touches.
    """
    places = open_places @ np.swapaxes(wrists[:, :, :3], 1, 2) + wrists[:, None, :, 3]
    away = wrists[:, :, :3] @ back
    gaps = distance(places.reshape(-1, 3)).reshape(places.shape[:2]) - radii
    made = np.zeros(len(wrists), dtype=np.int64)
    stuck = np.flatnonzero(gaps.min(axis=1) <= -depth)
    if len(stuck):
        last = np.argsort(open_places @ back)[:_LAST]
        ways = np.arange(1.0, most + 1.0)[:, None, None] * (step * away[stuck])[:, None, None]
        spots = places[stuck[:, None], last][:, None] + ways
        touching = distance(spots.reshape(-1, 3)).reshape(spots.shape[:3]) - radii[last] <= -depth
        # Nobody is free before these are, and those who never are have gone too far.
        free = np.column_stack([~touching.any(axis=2), np.ones(len(stuck), dtype=np.bool_)])
        made[stuck] = np.argmax(free, axis=1) + 1
    steps = made.copy()
    while steps.any():
        # No probe comes nearer than it is moved: only those that may still touch are asked for.
        gaps -= (step * steps)[:, None]
        hand, probe = np.nonzero((gaps <= -depth) & (steps > 0)[:, None])
        if len(hand):
            spots = places[hand, probe] + (step * made[hand])[:, None] * away[hand]
            gaps[hand, probe] = distance(spots) - radii[probe]
        missing = -depth - gaps.min(axis=1)
        steps = np.maximum(np.ceil(missing / step - 1e-9), 1.0).astype(np.int64)
        steps = np.where((missing >= 0.0) & (made <= most), steps, 0)
        made += steps
    out = wrists.copy()
    lifts = np.where(made > most, np.inf, step * made)
    out[:, :, 3] += (step * np.minimum(made, most))[:, None] * away
    return Freed(out, lifts, gaps)


def start_rotation(shoulder: FloatArray, hook: FloatArray, approach: FloatArray, up: FloatArray) -> FloatArray:
    """The hook's frame to begin with: fingers point from the shoulder to the hook, the palm looks down. Shape (3, 3).

    Args:
        shoulder: Of the character, in [m]. Shape (3,).
        hook: Where the object is taken in [m]. Shape (3,).
        approach: Direction in which the palm looks, in the hand's frame. Shape (3,).
        up: Where up is. Shape (3,).
    """
    along = unit(hook - shoulder)
    if float(np.linalg.norm(along)) < 0.5:
        along = np.eye(3)[int(np.argmin(np.abs(up)))]
    fingers, palm = np.array([0.0, 0.0, 1.0]), approach - approach[2] * np.array([0.0, 0.0, 1.0])
    if float(np.linalg.norm(palm)) < 1e-6:
        # Grippers look along their fingers: any roll is as good.
        palm = np.array([0.0, -1.0, 0.0])
    return _frame(along, -up) @ _frame(fingers, palm).T


def nearest_hook(hooks: FloatArray, place: FloatArray) -> int:
    """Which of several hooks (h, 3) is nearest to a place (3,): the wrist, or the shoulder of a hand at rest."""
    return int(np.argmin(np.linalg.norm(hooks - place, axis=1)))


def has_turned(hook: FloatArray, before: FloatArray, now: FloatArray, up: FloatArray) -> bool:
    """Whether the character has gone round the hook so far, seen from above, that a search has to start anew.

    Args:
        hook: Where the object is taken in [m]. Shape (3,).
        before: Where the character was when the search began, in [m]. Shape (3,).
        now: Where it is. Shape (3,).
        up: Where up is. Shape (3,).
    """
    one, other = (each - hook - float((each - hook) @ up) * up for each in (before, now))
    angle = np.arctan2(float(np.linalg.norm(np.cross(one, other))), float(one @ other))
    return bool(angle > RESTART_ANGLE)


def seven_rotations(rotation: FloatArray, angle: float) -> FloatArray:
    """The hook's frame and its six neighbours, + and - about its own x, y and z (algorithm 5). Shape (7, 3, 3)."""
    return np.concatenate([rotation[None], *(three_rotations(rotation, axis, angle)[1:] for axis in range(3))])


def three_rotations(rotation: FloatArray, axis: int, angle: float) -> FloatArray:
    """The hook's frame and its neighbours + and - about one of its own axes (algorithm 8). Shape (3, 3, 3)."""
    way = np.eye(3)[axis]
    turns = [np.eye(3), matrix_from_axis_angle(way, angle), matrix_from_axis_angle(way, -angle)]
    return rotation @ np.array(turns)


def grid_rotations(start: FloatArray, number: int) -> FloatArray:
    """Turns of a frame about x, y and z by angles spread evenly over a full turn (5.6.2.1). Shape (number^3, 3, 3)."""
    angles = 2.0 * np.pi * np.arange(number) / number
    combined = np.stack(np.meshgrid(angles, angles, angles, indexing="ij"), axis=-1).reshape(-1, 3)
    return start @ rotation_from_angles(combined)


def _frame(z: FloatArray, y: FloatArray) -> FloatArray:
    """Columns x, y, z with z along one direction and y as near to another as can be. Shape (3, 3)."""
    side = np.cross(y, z)
    if float(np.linalg.norm(side)) < 1e-6:
        side = np.cross(np.eye(3)[int(np.argmin(np.abs(z)))], z)
    x = unit(side)
    return np.column_stack([x, np.cross(z, x), z])
