# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The fine forms of the hand's body: knuckles, tendons, pads, the hollow of the palm and its lines."""

from __future__ import annotations

import numpy as np

from ...core.arrays import FloatArray
from .curves import smoothstep
from .implicit import bump
from .layout import FingerLayout, HandLayout

LINE_STEPS = 12
"""Points of a palm line that distances are taken from."""


def relief(points: FloatArray, layout: HandLayout) -> FloatArray:
    """How far the skin stands out (positive) or in at points near it, in [mm] of the mean hand. Shape (n,)."""
    g = layout.plan.girth
    total = np.zeros(len(points))
    for finger in layout.fingers:
        frame, knuckle = finger.frames[0], finger.joints[1]
        head = knuckle - frame @ np.array([0.0, 1.0, 11.0]) * g
        total += 2.3 * bump(points, head, frame, g * np.array([5.5, 7.0, 5.0]))
        total += _tendon(points, finger, g)
        pad = knuckle + frame @ np.array([0.0, 9.0, 12.0]) * g
        total += 1.1 * bump(points, pad, frame, g * np.array([7.5, 7.0, 6.0]))
    for left, right in zip(layout.fingers[1:], layout.fingers[:-1], strict=True):
        valley = 0.5 * (left.joints[1] + right.joints[1]) + g * np.array([0.0, 10.0, 3.0])
        total -= 1.0 * bump(points, valley, np.eye(3), g * np.array([4.0, 5.0, 9.0]))
    return total + _palm(points, layout) + _wrist(points, layout)


def _tendon(points: FloatArray, finger: FingerLayout, g: float) -> FloatArray:
    """The ridge of an extensor tendon along the metacarpal's back."""
    start, end = finger.joints[:2]
    t = np.clip((points[:, 2] - start[2]) / (end[2] - start[2]), 0.0, 1.0)
    line = start[0] + (end[0] - start[0]) * t
    back = smoothstep((points[:, 1] - 2.0 * g) / (6.0 * g))
    window = smoothstep((points[:, 2] - start[2]) / (20.0 * g))
    window = window * smoothstep((end[2] + 4.0 * g - points[:, 2]) / (9.0 * g))
    return 0.75 * back * window * np.exp(-0.5 * ((points[:, 0] - line) / (2.6 * g)) ** 2)


def _palm(points: FloatArray, layout: HandLayout) -> FloatArray:
    """The hollow and the lines of the palm."""
    g = layout.plan.girth
    first, last = layout.fingers[0], layout.fingers[-1]
    middle = layout.fingers[(len(layout.fingers) - 1) // 2]
    hollow = 0.35 * middle.joints[0] + 0.65 * middle.joints[1] + g * np.array([0.0, -15.0, -4.0])
    depth = -3.4 * bump(points, hollow, np.eye(3), g * np.array([12.0, 8.0, 19.0]))
    near = np.flatnonzero(points[:, 1] < -4.0 * g)
    border = first.joints[1] + g * np.array([9.0, 0.0, -12.0])
    wrist = 0.5 * (first.joints[0] + middle.joints[0]) + g * np.array([0.0, 0.0, -10.0])
    heart = last.joints[1] + g * np.array([-9.0, 0.0, -5.0])
    lines = (
        (border, middle.joints[1] + g * np.array([-2.0, 0.0, -22.0]), wrist),
        (border, middle.joints[1] + g * np.array([0.0, 0.0, -16.0]), 0.45 * last.joints[0] + 0.55 * last.joints[1]),
        (
            heart,
            middle.joints[1] + g * np.array([4.0, 0.0, -16.0]),
            0.5 * (middle.joints[1] + first.joints[1]) + g * np.array([0.0, 0.0, 12.0]),
        ),
    )
    for line in lines:
        away = _distance(points[near][:, [0, 2]], np.array(line)[:, [0, 2]])
        depth[near] -= 1.4 * smoothstep((-4.0 * g - points[near, 1]) / (6.0 * g)) * np.exp(-((away / (1.6 * g)) ** 2))
    return depth


def _wrist(points: FloatArray, layout: HandLayout) -> FloatArray:
    """The head of the ulna, the tendons inside the wrist and its crease."""
    g = layout.plan.girth
    half = layout.plan.wrist_mm[0]
    back = g * np.array([-0.62 * half, 15.0, -15.0])
    forms = 2.0 * bump(points, back, np.eye(3), g * np.array([6.0, 6.0, 8.0]))
    inner = smoothstep((-4.0 * g - points[:, 1]) / (8.0 * g))
    along = smoothstep((14.0 * g - points[:, 2]) / (20.0 * g))
    for across, height in ((4.0, 0.9), (-3.5, 0.6)):
        forms += height * inner * along * np.exp(-0.5 * ((points[:, 0] / g - across) / 2.4) ** 2)
    forms -= 0.7 * inner * np.exp(-(((points[:, 2] / g - 3.0 + 0.004 * (points[:, 0] / g) ** 2) / 1.7) ** 2))
    return forms


def _distance(points: FloatArray, controls: FloatArray) -> FloatArray:
    """Distance of points (n, 2) from the quadratic Bezier curve with three `controls`. Shape (n,)."""
    t = np.linspace(0.0, 1.0, LINE_STEPS + 1)[:, None]
    curve = (1.0 - t) ** 2 * controls[0] + 2.0 * t * (1.0 - t) * controls[1] + t * t * controls[2]
    start, along = curve[:-1], np.diff(curve, axis=0)
    offset = points[:, None] - start
    share = np.clip(np.einsum("nkd,kd->nk", offset, along) / np.einsum("kd,kd->k", along, along), 0.0, 1.0)
    gap = offset - share[..., None] * along
    return np.sqrt(np.einsum("nkd,nkd->nk", gap, gap).min(axis=1))
