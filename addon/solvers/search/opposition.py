# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How straight what touches presses together: thumb or palm and fingers, or a finger that hooks round something."""

from __future__ import annotations

import numpy as np

from ...core.arrays import BoolArray, FloatArray
from ..closing import Nearness
from .problem import Attempt, Problem

_PAD = 0.01
"""Contacts that lie this far in [m] beside each other still meet with their pads."""
_BESIDE = 0.02
_HOOKED = 0.8
"""What it is worth that a finger holds by itself, without thumb and palm."""


def opposition(
    problem: Problem,
    attempt: Attempt,
    wrists: FloatArray,
    points: FloatArray,
    touch: BoolArray,
    near: Nearness,
    touching: float,
) -> FloatArray:
    """How straight the best pair of thumb (or palm, or any two fingers) and finger press together, 0 to 1."""
    count, fingers = touch.shape
    thumb = problem.skin.hand.thumb
    flat = points.reshape(-1, 3)
    normals = np.zeros((count * fingers, 3))
    rows = np.flatnonzero(touch.reshape(-1))
    if len(rows):
        normals[rows] = problem.normals(flat[rows])
    normals = normals.reshape(count, fingers, 3)
    best = np.zeros(count)
    ours = [thumb] if thumb >= 0 and attempt.fingers[thumb] else []
    if not ours and thumb < 0:
        ours = list(range(fingers))
    for one in ours:
        for other in range(fingers):
            if other == one:
                continue
            value = _against(points[:, one], normals[:, one], points[:, other], normals[:, other])
            best = np.maximum(best, np.where(touch[:, one] & touch[:, other], value, 0.0))
    if attempt.palm:
        # Fingers that pull towards the palm oppose it.
        pull = np.einsum("ai,afi->af", wrists[:, :, :3] @ problem.approach, normals)
        against = np.where(touch, pull, 0.0).max(axis=1)
        palm = palm_gaps(problem, attempt, near) <= 2.0 * touching
        best = np.maximum(best, np.where(palm, np.clip(against, 0.0, 1.0), 0.0) * (0.8 if ours else 1.0))
        best = np.maximum(best, _HOOKED * _within_fingers(problem, attempt, near, touching))
    return np.clip(best, 0.0, 1.0)


def _within_fingers(problem: Problem, attempt: Attempt, near: Nearness, touching: float) -> FloatArray:
    """How straight fingers that hook round something press it between their own bones, 0 to 1. Shape (a,)."""
    hand = problem.skin.hand
    best = np.zeros(len(near.gaps))
    ends = np.array([int(chain[chain >= 0][-1]) for chain in hand.chains])[hand.finger_of]
    inner: BoolArray = attempt.fingers[hand.finger_of] & (hand.finger_of != hand.thumb) & (hand.places > 0)
    touch = (near.gaps[:, :-1] <= touching) & (near.gaps[:, ends] <= touching) & inner
    normals = np.zeros((*touch.shape, 3))
    if touch.any():
        normals[touch] = problem.normals(near.points[:, :-1][touch])
    for f, chain in enumerate(hand.chains):
        joints = [int(j) for j in chain if j >= 0 and hand.places[j] > 0]
        if not attempt.fingers[f] or f == hand.thumb or len(joints) < 2:
            continue
        last = joints[-1]
        for first in joints[:-1]:
            both = np.flatnonzero(touch[:, first] & touch[:, last])
            if len(both):
                one, other = near.points[both, first], near.points[both, last]
                value = _against(one, normals[both, first], other, normals[both, last])
                best[both] = np.maximum(best[both], value)
    return best


def _against(one: FloatArray, n_one: FloatArray, other: FloatArray, n_other: FloatArray) -> FloatArray:
    """How straight two contacts press against each other, 0 to 1. Shape (a,).

    Pads are patches and not points: on thin things the line between two nearest points says little, and sides that
    face away from each other count, as long as they lie about opposite.
    """
    span = other - one
    line = span / np.maximum(np.linalg.norm(span, axis=1, keepdims=True), 1e-9)
    straight = np.minimum(-np.einsum("ai,ai->a", line, n_one), np.einsum("ai,ai->a", line, n_other))
    facing = -np.einsum("ai,ai->a", n_one, n_other)
    beside = np.linalg.norm(span - np.einsum("ai,ai->a", span, n_one)[:, None] * n_one, axis=1)
    patch = facing * np.exp(-((np.maximum(beside - _PAD, 0.0) / _BESIDE) ** 2))
    return np.clip(np.maximum(straight, patch), 0.0, 1.0)


def palm_gaps(problem: Problem, attempt: Attempt, near: Nearness) -> FloatArray:
    """Distance in [m] of the palm: the wrist's own skin, and that of bones inside the palm, which do not turn. (a,)."""
    hand = problem.skin.hand
    still = (hand.places == 0) & (np.abs(attempt.end - attempt.start).sum(axis=1) <= 1e-9)
    return near.gaps[:, np.append(still, True)].min(axis=1)
