# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How good closed grasps are: contacts, wrap, opposition through the object, palm, place and comfort."""

from __future__ import annotations

import numpy as np

from ...core.arrays import BoolArray, FloatArray
from ...core.contact_faces import looks_in_bone_frames, match_looks
from ..closing import Closing, Motions, Nearness
from .demand import hold_term
from .opposition import opposition, palm_gaps
from .problem import Attempt, Problem

TOUCHING = 2.5e-3
"""Skin nearer than this in [m] counts as touching while only a few balls are measured."""
_WRAP = 6e-3
_ENDS = 3.0
"""How much more than others the last bones of fingers count that close on something in the palm."""
_PALM = 1.5e-2
_CENTRE = 2.5e-2
_SMALL, _LARGE = 0.02, 0.08
"""Size in [m] of objects for which it does not count, and for which it fully counts, that all fingers help."""
_ROW, _OVER = 0.04, 0.01
"""Half of what fingers side by side cover in [m], and how far they may reach over the end of a bar until it fully
counts."""
_FLOOR = 0.03
_SPARE = 0.01
"""How far in [m] a hand may reach below what the object stands on for free."""
_AT_HOOK = 0.25
"""How near the grasp centre has to be to the hook for the hand to hold the object there, and not somewhere else."""
_IN_PALM = 0.35
"""The same of the palm to the object: with it 16 mm away, fingertips hold."""
_THROUGH = 0.6
"""How near the middle of the ring of curled fingers has to be to a handle that they go round."""
_HELD_UP = 0.5
"""How usual a hand's direction has to be for its fingers through a handle to count in full."""
OPPOSED = 0.4
"""Fingers that press together less straight than this hold nothing."""


def score_terms(
    problem: Problem,
    attempt: Attempt,
    wrists: FloatArray,
    closing: Closing,
    near: Nearness,
    *,
    touching: float = TOUCHING,
    motions: Motions | None = None,
) -> dict[str, FloatArray]:
    """The terms of the ranking, each 0 to 1 but for costs. Shapes (a,).

    Args:
        problem: The problem.
        attempt: What was tried.
        wrists: Where. Shape (a, 3, 4).
        closing: How it closed there.
        near: The nearest skin of every bone.
        touching: Gap in [m] up to which skin counts as touching.
        motions: Of the closed hands' few balls, where they are known already.
    """
    hand, coarse = problem.skin.hand, problem.skin.coarse
    motions = coarse.motions(closing.angles, wrists) if motions is None else motions
    bones = attempt.fingers[hand.finger_of] & (np.abs(attempt.end - attempt.start).sum(axis=1) > 1e-9)
    gaps = near.gaps[:, :-1]
    finger_gaps, finger_points = _by_finger(problem, near, bones)
    part = attempt.fingers
    touch = finger_gaps <= touching
    demand = attempt.demand
    held = {} if demand is None else {"hold": hold_term(hand, attempt, demand.kind, near, touching)}
    return held | {
        "contact": touch[:, _asked(problem, attempt)].mean(axis=1),
        "fingers": (touch & part).mean(axis=1) * float(np.clip((problem.bulk - _SMALL) / (_LARGE - _SMALL), 0.0, 1.0)),
        "wrap": _wrap(problem, attempt, gaps, bones),
        "opposition": opposition(problem, attempt, wrists, finger_points, touch & part, near, touching),
        "palm": np.exp(-np.maximum(palm_gaps(problem, attempt, near), 0.0) / _PALM)
        if attempt.palm
        else np.ones(len(wrists)),
        "faces": _faces(problem, attempt, motions, near, touching),
        "centre": np.exp(-_miss(attempt, wrists) / _CENTRE),
        "beyond": _beyond(attempt, finger_points, touch & part),
        "upright": upright(problem, wrists),
        "above": np.exp(-_below(problem, coarse.all_positions(motions)) / _FLOOR),
        "arm_above": _arm_above(problem, wrists),
        "inside": closing.depths.max(axis=1),
        "arm": forearm_clearance(problem, wrists),
        "reach": problem.reach(wrists) if problem.reach is not None else np.zeros(len(wrists)),
    }


def _wrap(problem: Problem, attempt: Attempt, gaps: FloatArray, bones: BoolArray) -> FloatArray:
    """How closely bones lie on the object, 0 to 1; what sticks out at the end of a finger is seen most. Shape (a,)."""
    weights = bones.astype(np.float64)
    if attempt.palm and attempt.behind is None and attempt.demand is None:
        ends = [int(chain[chain >= 0][-1]) for chain in problem.skin.hand.chains]
        weights[ends] *= _ENDS
    return np.exp(-np.maximum(gaps, 0.0) / _WRAP) @ weights / max(float(weights.sum()), 1e-9)


def _asked(problem: Problem, attempt: Attempt) -> BoolArray:
    """Fingers that have to touch: those that take part, but for thumbs that may lie on other fingers. Shape (f,)."""
    part = attempt.fingers
    if attempt.faces is None:
        return part
    # What asks for the palm asks for no finger, though bones inside the palm are counted as their finger's.
    of_fingers = attempt.faces.bones[~attempt.faces.bones[:, -1], :-1]
    wanted: BoolArray = np.asarray(of_fingers.any(axis=0))
    named = np.zeros(len(part), dtype=np.bool_)
    named[problem.skin.hand.finger_of[wanted]] = True
    return part & named if (part & named).any() else part


def stance(problem: Problem, attempt: Attempt, wrists: FloatArray) -> FloatArray:
    """What the score of a hand owes to where it stands alone, before it closes. Shape (a,)."""
    w = problem.weights
    return (
        w.centre * np.exp(-_miss(attempt, wrists) / _CENTRE)
        + w.upright * upright(problem, wrists)
        + w.above * np.exp(-_below(problem, problem.skin.coarse.positions_at(attempt.start, wrists)) / _FLOOR)
        + w.arm_above * _arm_above(problem, wrists)
    )


def total(problem: Problem, attempt: Attempt, terms: dict[str, FloatArray]) -> FloatArray:
    """The ranking's number; minus infinity for what must not be offered. Shape (a,)."""
    w = problem.weights if attempt.demand is None else attempt.demand.weighted(problem.weights)
    score = (
        w.contact * terms["contact"]
        + w.fingers * terms["fingers"]
        + w.wrap * terms["wrap"]
        + w.opposition * terms["opposition"]
        + (w.palm * terms["palm"] if attempt.palm else w.palm * 0.7)
        + w.faces * terms["faces"]
        + w.centre * terms["centre"]
        + w.upright * terms["upright"]
        + w.above * terms["above"]
        + w.arm_above * terms["arm_above"]
        + w.prior * attempt.prior * _there(attempt, terms)
        - w.loose * (terms["opposition"] < OPPOSED)
        - w.inside * terms["inside"]
        - w.beyond * terms["beyond"]
        - w.reach * np.minimum(terms["reach"], 10.0)
    )
    if attempt.demand is not None:
        score = score + attempt.demand.hold * terms["hold"]
    if "firm" in terms:
        score = score + w.firm * terms["firm"]
    if attempt.behind is not None:
        # Curled fingers beside a handle are not through it.
        score = np.where(terms["centre"] < _THROUGH, -np.inf, score)
    hopeless = (terms["arm"] < 0.0) | np.isinf(terms["reach"]) | (terms["contact"] <= 0.0)
    return np.where(hopeless, -np.inf, score)


def _there(attempt: Attempt, terms: dict[str, FloatArray]) -> FloatArray:
    """How far a hand is where its attempt meant it to be, 0 to 1: elsewhere it holds something else. Shape (a,)."""
    there = np.minimum(terms["centre"] / _AT_HOOK, 1.0)
    if attempt.behind is not None:
        # Handles were not made to be held with the thumb down.
        there = np.minimum(there, terms["upright"] / _HELD_UP)
    return np.minimum(there, terms["palm"] / _IN_PALM) if attempt.palm else there


def _faces(problem: Problem, attempt: Attempt, motions: Motions, near: Nearness, touching: float) -> FloatArray:
    """Share of what has to touch that does so with the right face, 0 to 1. Shape (a,)."""
    if attempt.faces is None:
        return np.ones(len(near.gaps))
    asked: BoolArray = np.asarray(attempt.faces.bones.any(axis=0))
    wanted = asked & np.isfinite(near.gaps).all(axis=0)
    normals = np.zeros(near.points.shape)
    # By the object's own direction, as balls that stand for skin have no faces.
    normals[:, wanted] = problem.normals(near.points[:, wanted].reshape(-1, 3)).reshape(len(near.gaps), -1, 3)
    looks = looks_in_bone_frames(motions.frames, motions.wrists, normals)
    return match_looks(attempt.faces, looks, near.gaps, touching=touching).mean(axis=1)


def forearm_clearance(problem: Problem, wrists: FloatArray) -> FloatArray:
    """How far in [m] the forearm, straight behind the wrist, is from object and obstacles. Shape (a,)."""
    if problem.arm <= 0.0:
        return np.full(len(wrists), np.inf)
    # The wrist itself is a little thinner, and near the palm that may touch.
    along = np.linspace(0.35, 1.0, 5) * problem.arm
    points = wrists[:, None, :, 3] - along[:, None] * wrists[:, None, :, 2]
    flat = points.reshape(-1, 3)
    gaps = problem.distance(flat)
    if problem.obstacles is not None:
        gaps = np.minimum(gaps, problem.obstacles(flat))
    return gaps.reshape(points.shape[:2]).min(axis=1) - problem.arm_radius


def _by_finger(problem: Problem, near: Nearness, bones: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Gap (a, f) and nearest point (a, f, 3) of every finger."""
    hand = problem.skin.hand
    count = len(near.gaps)
    gaps = np.full((count, len(hand.chains)), np.inf)
    points = np.zeros((count, len(hand.chains), 3))
    for f, chain in enumerate(hand.chains):
        joints = np.array([j for j in chain.tolist() if j >= 0 and (bones[j] or hand.places[j] > 0)])
        if len(joints):
            best = joints[np.argmin(near.gaps[:, joints], axis=1)]
            rows = np.arange(count)
            gaps[:, f], points[:, f] = near.gaps[rows, best], near.points[rows, best]
    return gaps, np.nan_to_num(points)


def _miss(attempt: Attempt, wrists: FloatArray) -> FloatArray:
    """Distance in [m] of the grasp centre from the hook, along a handle for free. Shape (a,)."""
    off = (wrists[:, :, :3] @ attempt.centre) + wrists[:, :, 3] - attempt.hook
    if attempt.hook_axis is not None:
        along = off @ attempt.hook_axis
        free = np.clip(along, -0.5 * attempt.hook_length, 0.5 * attempt.hook_length)
        off = off - free[:, None] * attempt.hook_axis
    return np.linalg.norm(off, axis=1)


def _beyond(attempt: Attempt, points: FloatArray, touch: BoolArray) -> FloatArray:
    """How far that finger reaches over the end of a bar which does most, 0 to 1: a thumb over a cup's rim. Shape (a,).

    Args:
        attempt: What was tried.
        points: Where fingers are nearest to the object in [m]. Shape (a, f, 3).
        touch: Which of them touch. Shape (a, f).
    """
    free = not attempt.palm or attempt.behind is not None or attempt.demand is not None
    if free or attempt.hook_axis is None or attempt.hook_length <= 0.0:
        return np.zeros(len(points))
    along = np.abs((points - attempt.hook) @ attempt.hook_axis)
    over = along - max(0.5 * attempt.hook_length, _ROW)
    return np.clip(np.where(touch, over, 0.0).max(axis=1) / _OVER, 0.0, 1.0)


def upright(problem: Problem, wrists: FloatArray) -> FloatArray:
    """How usual the hand's direction is, 0 to 1: thumb not down, palm not up, arm from the side or above."""
    thumb = wrists[:, :, :3] @ problem.thumb_way @ problem.up
    palm = wrists[:, :, :3] @ problem.approach @ problem.up
    arm = -wrists[:, :, 2] @ problem.up
    # A palm that looks down is as usual as one that looks aside; with the thumb down the arm is twisted.
    value = np.where(thumb > 0.0, 0.8 + 0.2 * thumb, 0.8 + 0.8 * thumb)
    value = value - 0.35 * np.maximum(palm, 0.0) - 0.5 * np.maximum(-arm - 0.3, 0.0)
    return np.clip(value, 0.0, 1.0)


def _arm_above(problem: Problem, wrists: FloatArray) -> FloatArray:
    """1 where the forearm comes from above what the object stands on, 0 where it would have to go through it. (a,)."""
    elbow = (wrists[:, :, 3] - 0.22 * wrists[:, :, 2]) @ problem.up - problem.floor
    wrist = wrists[:, :, 3] @ problem.up - problem.floor
    return np.exp(-np.maximum(-np.minimum(elbow, wrist + 0.02), 0.0) / _FLOOR)


def _below(problem: Problem, places: FloatArray) -> FloatArray:
    """How far in [m] hands whose balls are at `places` (a, p, 3) reach below what the object stands on. Shape (a,).

    A centimetre is for free: what lies flat has to be lifted by a finger below it.
    """
    return np.maximum(problem.floor - _SPARE - (places @ problem.up).min(axis=1), 0.0)
