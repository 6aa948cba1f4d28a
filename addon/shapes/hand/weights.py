# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bones carry which part of the skin."""

from __future__ import annotations

import numpy as np

from ...core.arrays import FloatArray
from .cage import mean_of_neighbours, neighbours
from .curves import smoothstep
from .layout import FingerLayout, HandLayout
from .profile import FingerProfile
from .skin import Skin

MOST_BONES = 4
"""Bones per vertex that game engines take."""
LEAST_SHARE = 1e-3
"""Smaller shares are left out."""


def skin_weights(skin: Skin, layout: HandLayout, profiles: tuple[FingerProfile, ...]) -> FloatArray:
    """Share of each bone (hand, then each finger's bones and tip, thumb first) in each vertex. Shape (n, bones)."""
    points = skin.points
    blocks = [_along(points, finger, profile) for finger, profile in zip(layout.all_fingers, profiles, strict=True)]
    shares = _shares(skin, layout)
    weights = np.concatenate(
        [np.zeros((len(points), 1)), *(share[:, None] * block for share, block in zip(shares.T, blocks, strict=True))],
        axis=1,
    )
    weights[:, 0] = 1.0 - weights.sum(axis=1)
    palm = skin.owners < 0
    for number, finger in enumerate(layout.fingers, start=1):
        palm |= (skin.owners == number) & (_beyond_web(points, finger, layout.plan.girth) < 1.0)
    table, valence = neighbours(skin.quads, len(points))
    for _ in range(4):
        smooth = 0.5 * weights + 0.5 * mean_of_neighbours(weights, table, valence)
        weights = np.where(palm[:, None], smooth, weights)
    return limit_bones(weights)


def limit_bones(weights: FloatArray) -> FloatArray:
    """Rows with only their largest shares, summing to 1."""
    kept = np.where(weights < LEAST_SHARE, 0.0, weights)
    small = np.argsort(kept, axis=1, kind="stable")[:, :-MOST_BONES]
    np.put_along_axis(kept, small, 0.0, axis=1)
    return kept / kept.sum(axis=1, keepdims=True)


def _along(points: FloatArray, finger: FingerLayout, profile: FingerProfile) -> FloatArray:
    """Shares of one finger's bones if it alone carried the points; the hand gets the rest. Shape (n, bones + 1)."""
    count = len(finger.frames)
    passed = np.ones((len(points), count + 1))
    passed[:, count] = 0.0
    for k in range(count):
        before = finger.frames[k - 1] if k else finger.frames[0]
        direction = before[:, 1] + finger.frames[k][:, 1]
        direction = direction / np.linalg.norm(direction)
        mark = profile.marks[k - 1] if k else 0.0
        reach = float(profile.axes_at(np.array([mark]))[0, :2].mean()) * (1.3 if k == 0 else 1.0 if k == 1 else 0.85)
        way = (points - finger.joints[k]) @ direction
        passed[:, k] = smoothstep((way + reach) / (2.0 * reach))
    chain = np.cumprod(passed, axis=1)
    return np.concatenate([chain[:, :-1] - chain[:, 1:], np.zeros((len(points), 1))], axis=1)


def _shares(skin: Skin, layout: HandLayout) -> FloatArray:
    """How much each finger (with its metacarpal) rules each vertex. Shape (n, fingers)."""
    points, girth = skin.points, layout.plan.girth
    fingers = layout.all_fingers
    away = np.stack([_distance(points, finger) for finger in fingers], axis=1)
    spread = 9.0 * girth
    near = np.exp(-0.5 * (away / spread) ** 2)
    near[:, 1:] /= np.maximum(near[:, 1:].sum(axis=1, keepdims=True), 1e-12)
    thumb = smoothstep((away[:, 1:].min(axis=1) - away[:, 0] + 9.0 * girth) / (18.0 * girth))
    shares = np.concatenate([thumb[:, None], near[:, 1:] * (1.0 - thumb)[:, None]], axis=1)
    for number, finger in enumerate(fingers[1:], start=1):
        mine = skin.owners == number
        alone = _beyond_web(points[mine], finger, girth)[:, None]
        shares[mine] = alone * np.eye(len(fingers))[number] + (1.0 - alone) * shares[mine]
    return shares


def _beyond_web(points: FloatArray, finger: FingerLayout, girth: float) -> FloatArray:
    """0 in the web, where a finger shares its skin with its neighbours, to 1 where it is alone. Shape (n,)."""
    way = (points - finger.joints[1]) @ finger.frames[1][:, 1]
    return smoothstep((way - finger.plan.web * finger.plan.lengths_mm[1] + 3.0 * girth) / (8.0 * girth))


def _distance(points: FloatArray, finger: FingerLayout) -> FloatArray:
    """Distance to the line of a finger's metacarpal and first phalanx."""
    best = np.full(len(points), np.inf)
    for start, end in zip(finger.joints[:2], finger.joints[1:3], strict=True):
        along = end - start
        t = np.clip((points - start) @ along / (along @ along), 0.0, 1.0)
        best = np.minimum(best, np.linalg.norm(points - start - t[:, None] * along, axis=1))
    return best
