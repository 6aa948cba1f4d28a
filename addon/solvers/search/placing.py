# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a hand may stand to take an object at a hook: turned about it, along it, and backed off until it is free."""

from __future__ import annotations

import numpy as np

from ...core.arrays import FloatArray
from ...core.rotations import matrix_from_axis_angle, matrix_from_quaternion, unit
from ..closing import Distance, Skinned, measure_near
from .problem import Attempt, Problem, axes_of

TURNS = 12
"""Turns about a handle that are tried."""
PINCH_TURNS = 8
"""The same between few pads, where each is tried with other tilts, too."""
_PINCH_TILTS = (-0.5, 0.0, 0.5)
"""Turns in [rad] about the line between the pads."""
BALL_TURNS = 40
"""Turns about a compact place that are tried."""
_TILTS = (-0.9, -0.6, -0.3, 0.0, 0.3, 0.6, 0.9)
"""Turns in [rad] about a handle, off the palm's looking straight at what it is fixed to."""
_SHIFTS = (-0.004, 0.0, 0.004)
"""Shifts in [m] of hands whose fingers are put through an opening, which has little room to spare, towards what a
handle is fixed to and along it."""
_ALONG = 0.5
"""How far along a hook hands are set beside its middle, over its length."""
_LIFT_ROUNDS = 10
_BACK_ROUNDS = 8
_MOST_LIFT = 0.12
"""How far in [m] a hand is backed off at most: beyond it holds something else."""
_MOST_PUSH = 0.03
"""How far in [m] a palm is pushed on towards an object that it does not touch."""
_MOST_TOUCH = 6e-3
"""How far in [m] skin may be from what it is to be pushed on to."""
WITHIN = 8e-3
"""Distances of a whole skin under this in [m] are exact."""
TOO_DEEP = 2e-4
"""Skin that is deeper than it gives by more than this in [m] is not outside."""
_ROOM_STEPS = (
    *((0.08, 0.006), (0.08, 0.006), (0.05, 0.004), (0.05, 0.004)),
    *((0.03, 0.002), (0.03, 0.002), (0.015, 0.001)),
)
"""Turns in [rad] and shifts in [m] by which a hand looks for room."""
CLEAR = 8e-4
"""What is left in [m] between the open hand and the object."""


def hand_turns(attempt: Attempt, approach: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Rotations of the hand that suit an attempt. Shape (a, 3, 3).

    Args:
        attempt: What is tried.
        approach: Direction in which the palm looks, in the hand's frame. Shape (3,).
        rng: Turns about compact places are random.
    """
    g, p = attempt.hand_axis, attempt.press_axis
    h, across = attempt.hook_axis, attempt.hook_across
    if h is not None and g is not None:
        about = [_align(g, sign * h) for sign in (1.0, -1.0)]
        if attempt.behind is not None:
            # Fingers come round the handle from one side or the other and end before what it is fixed to.
            return np.array(
                [
                    matrix_from_axis_angle(h, angle + tilt) @ turn
                    for turn in about
                    for angle in _angles_between(h, turn @ approach, attempt.behind)[:1]
                    for tilt in _TILTS
                ]
            )
        if across is None:
            count = PINCH_TURNS if pinches(attempt) else TURNS
            angles = np.arange(count) * 2.0 * np.pi / count
            turns = np.array([matrix_from_axis_angle(h, angle) @ turn for turn in about for angle in angles])
            # Few pads hold a bar however it lies between them: stems are taken from below their bowl.
            return (
                np.concatenate([turns @ matrix_from_axis_angle(p, tilt) for tilt in _PINCH_TILTS])
                if pinches(attempt)
                else turns
            )
        # Flat: fingers and thumb on its two sides, give or take.
        return np.array(
            [
                matrix_from_axis_angle(h, angle + tilt) @ turn
                for turn in about
                for angle in _angles_between(h, turn @ p, across)
                for tilt in (-0.3, 0.0, 0.3)
            ]
        )
    if across is not None:
        return _turned_about(across, p)
    if h is not None:
        # A disk: it is taken round its edge, from over one of its faces.
        return _turned_about(h, approach)
    quaternions = rng.normal(size=(BALL_TURNS, 4))
    return matrix_from_quaternion(unit(quaternions))


def pinches(attempt: Attempt) -> bool:
    """Whether so few pads hold the object that a bar may lie any way between them."""
    return not attempt.palm and not attempt.side and int(attempt.fingers.sum()) <= 3


def _turned_about(axis: FloatArray, own: FloatArray) -> FloatArray:
    """Rotations of the hand that bring its direction `own` along an axis, either way, turned about it. (a, 3, 3)."""
    angles = np.arange(TURNS) * 2.0 * np.pi / TURNS
    return np.array(
        [matrix_from_axis_angle(axis, angle) @ _align(own, sign * axis) for sign in (1.0, -1.0) for angle in angles]
    )


def place_wrists(attempt: Attempt, turns: FloatArray) -> FloatArray:
    """Wrists whose grasp centre is at the hook, or beside it along its axis. Shape (a, 3, 4)."""
    offsets = np.zeros((1, 3))
    if attempt.behind is not None:
        along = np.zeros(3) if attempt.hook_axis is None else attempt.hook_axis
        offsets = np.array([s * attempt.behind + t * along for s in _SHIFTS for t in _SHIFTS])
    elif attempt.hook_axis is not None and attempt.hook_length > 0.06:
        reach = _ALONG * (attempt.hook_length - 0.05)
        offsets = np.array([-1.0, 0.0, 1.0])[:, None] * min(reach, 0.05) * attempt.hook_axis
    out = np.empty((len(turns), len(offsets), 3, 4))
    out[..., :3] = turns[:, None]
    out[..., 3] = attempt.hook + offsets - (turns @ attempt.centre)[:, None]
    return out.reshape(-1, 3, 4)


def lift_free(problem: Problem, attempt: Attempt, wrists: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Wrists backed off against the palm's direction until the open hand is free (the paper's TranslateToFree).

    A hand that holds against the palm is then pushed on until it touches. Gives the wrists (a, 3, 4) and how far each
    was moved off in [m] (a,); infinite for those that do not come free, of the object or of an obstacle.
    """
    coarse = problem.skin.coarse
    count = len(wrists)
    places = coarse.positions_at(attempt.start, wrists)
    radii = coarse.probes.radii
    away = -(wrists[:, :, :3] @ push_way(problem, attempt))
    lift = np.zeros(count)
    open_ = np.ones(count, dtype=np.bool_)
    for _ in range(_LIFT_ROUNDS):
        rows = np.flatnonzero(open_)
        if not len(rows):
            break
        moved = places[rows] + (lift[rows, None] * away[rows])[:, None]
        gaps = _gaps(problem, moved.reshape(-1, 3)).reshape(len(rows), -1) - radii
        nearest: FloatArray = np.asarray(gaps.min(axis=1))
        step: FloatArray = CLEAR - nearest
        # Towards the object only as far as is safe, away from it a little more than what is missing.
        step = np.where(step > 0.0, np.maximum(1.15 * step, 5e-4), step)
        pushed = (attempt.palm or attempt.side) and attempt.behind is None
        if not pushed:
            step = np.maximum(step, 0.0)
        done = np.abs(CLEAR - nearest) < 4e-4 if pushed else nearest >= CLEAR - 4e-4
        lift[rows] = np.where(done, lift[rows], lift[rows] + step)
        lift = np.maximum(lift, -_MOST_PUSH)
        open_[rows] = ~done & (lift[rows] > -_MOST_PUSH) & (lift[rows] < _MOST_LIFT)
    out = wrists.copy()
    out[:, :, 3] += lift[:, None] * away
    stuck = lift >= _MOST_LIFT
    if problem.obstacles is not None and count:
        moved = places + (lift[:, None] * away)[:, None]
        stuck |= (problem.obstacles(moved.reshape(-1, 3)).reshape(count, -1) - radii).min(axis=1) < 0.0
    return out, np.where(stuck, np.inf, lift)


def _gaps(problem: Problem, points: FloatArray) -> FloatArray:
    """Distance in [m] of points (n, 3) to the object or the nearest obstacle. Shape (n,)."""
    gaps = problem.distance(points)
    return gaps if problem.obstacles is None else np.minimum(gaps, problem.obstacles(points))


def push_way(problem: Problem, attempt: Attempt) -> FloatArray:
    """Direction in the hand's frame in which it is pushed onto the object. Shape (3,)."""
    return attempt.press_axis if attempt.side else problem.approach


def back_off(
    skinned: Skinned,
    start: FloatArray,
    wrists: FloatArray,
    way: FloatArray,
    distance: Distance,
    depth: float,
    *,
    touch: bool = False,
) -> FloatArray:
    """Wrists moved back until all of the open hand's skin, too, is no deeper than it gives. Shape (a, 3, 4).

    Args:
        skinned: The skin.
        start: The open posture in [rad]. Shape (m, 3).
        wrists: Shape (a, 3, 4).
        way: Direction in which the hand is pushed, in its frame. Shape (3,).
        distance: Distance to the object.
        depth: How far skin gives in [m].
        touch: Whether hands that do not touch are pushed on until they do.
    """
    angles = np.broadcast_to(start, (len(wrists), *start.shape))
    out = wrists.copy()
    for _ in range(_BACK_ROUNDS):
        near = measure_near(skinned, angles, out, distance, within=_MOST_TOUCH if touch else 2e-3)
        gaps = near.gaps.min(axis=1)
        missing = -gaps - depth
        done = missing <= 2e-5
        if touch:
            done &= gaps <= -0.3 * depth
        if done.all():
            break
        step = np.where(missing > 2e-5, 1.2 * missing + 2e-5, 0.0)
        if touch:
            # Half of what skin gives, so that nothing is too deep after another finger has moved.
            step = np.where((gaps > -0.3 * depth) & (gaps < _MOST_TOUCH), -(gaps + 0.5 * depth), step)
        out[:, :, 3] -= step[:, None] * (out[:, :, :3] @ way)
    return out


def find_room(skinned: Skinned, start: FloatArray, wrist: FloatArray, distance: Distance, depth: float) -> FloatArray:
    """A wrist (3, 4) moved a little, step by step, to where a hand that stands so is least inside the object.

    Args:
        skinned: The skin.
        start: The hand's posture in [rad]. Shape (m, 3).
        wrist: Where it begins. Shape (3, 4).
        distance: Distance to the object.
        depth: How far skin gives in [m].
    """
    for angle, shift in _ROOM_STEPS:
        around = neighbours(wrist[None], wrist[None, :, 3], angle=angle, shift=shift)[0]
        starts = np.broadcast_to(start, (len(around), *start.shape))
        gaps = measure_near(skinned, starts, around, distance, within=WITHIN).gaps.min(axis=1)
        wrist = around[int(np.argmax(gaps))]
        if float(gaps.max()) > -depth:
            break
    return wrist


def neighbours(wrists: FloatArray, pivots: FloatArray, *, angle: float, shift: float) -> FloatArray:
    """Each wrist and those turned about a pivot or shifted one way or the other. Shape (a, 13, 3, 4).

    Args:
        wrists: Shape (a, 3, 4).
        pivots: What they turn about in [m]. Shape (a, 3).
        angle: How far, in [rad].
        shift: How far, in [m].
    """
    out = np.repeat(wrists[:, None], 13, axis=1)
    for axis in range(3):
        for k, sign in enumerate((1.0, -1.0)):
            turn = matrix_from_axis_angle(np.eye(3)[axis], sign * angle)
            row = 1 + 2 * axis + k
            # About the hand's own axes, so that the same step means the same on every grasp.
            turns = wrists[:, :, :3] @ turn @ np.swapaxes(wrists[:, :, :3], 1, 2)
            out[:, row, :, :3] = turns @ wrists[:, :, :3]
            out[:, row, :, 3] = pivots + (turns @ (wrists[:, :, 3] - pivots)[..., None])[..., 0]
            out[:, 7 + 2 * axis + k, :, 3] += sign * shift * wrists[:, :, axis]
    return out


def _align(source: FloatArray, target: FloatArray) -> FloatArray:
    """A rotation that takes one unit vector to another."""
    axis = np.cross(source, target)
    size = float(np.linalg.norm(axis))
    cosine = float(source @ target)
    if size < 1e-9:
        return np.eye(3) if cosine > 0.0 else matrix_from_axis_angle(axes_of(source)[0], np.pi)
    return matrix_from_axis_angle(axis / size, float(np.arctan2(size, cosine)))


def _angles_between(axis: FloatArray, moving: FloatArray, fixed: FloatArray) -> tuple[float, float]:
    """Turns about an axis that bring one direction along another, either way round."""
    first, second = axes_of(axis)
    one = float(np.arctan2(moving @ second, moving @ first))
    other = float(np.arctan2(fixed @ second, fixed @ first))
    return other - one, other - one + np.pi
