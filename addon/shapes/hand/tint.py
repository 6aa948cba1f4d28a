# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where blood shows through the skin: palm, fingertips and knuckles."""

from __future__ import annotations

import numpy as np

from ...core.arrays import FloatArray
from .curves import smoothstep
from .implicit import bump
from .layout import HandLayout
from .skin import Skin


def skin_flush(skin: Skin, layout: HandLayout) -> FloatArray:
    """How much the skin is flushed at each vertex, 0 to 1. Shape (n,)."""
    points, girth = skin.points, layout.plan.girth
    # The palm's side is redder than the back up to the wrist.
    flush = 0.38 * smoothstep((-3.0 - points[:, 1] / girth) / 9.0) * smoothstep((points[:, 2] / girth + 2.0) / 22.0)
    for number, finger in enumerate(layout.all_fingers):
        own = skin.owners == number
        pad_side = (points[own] - finger.joints[-2]) @ finger.frames[-1][:, 2]
        flush[own] = np.maximum(flush[own], 0.35 * smoothstep(pad_side / girth / 7.0))
        for k, (joint, frame) in enumerate(zip(finger.joints[1:], finger.frames[1:], strict=False)):
            back = joint - frame[:, 2] * 8.0 * girth
            size = girth * np.array([7.0, 6.0, 5.0]) * (1.15 if k == 0 else 0.85)
            flush += 0.55 * bump(points, back, frame, size)
        tip, frame = finger.joints[-1], finger.frames[-1]
        pad = tip - frame[:, 1] * 6.0 * girth + frame[:, 2] * 5.0 * girth
        flush += 0.4 * bump(points, pad, frame, girth * np.array([7.0, 6.5, 6.0]))
    return np.clip(flush, 0.0, 1.0)
