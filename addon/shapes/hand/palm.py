# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The body of the hand as an implicit surface: wrist, palm with its pads and hollow, webs, and the fingers' roots."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import FloatArray
from .implicit import bump, cone, ellipsoid, smooth_intersection, smooth_union, triangle
from .layout import HandLayout
from .profile import FingerProfile, finger_profile, hermite, smoothstep

FOREARM_MM = 46.0
"""How much of the forearm belongs to the hand."""

# Place (0 wrist, 1 knuckles, -1 the forearm's end), share of the way from the wrist's to the knuckles' border on the
# thumb's and on the little finger's side, skin of the back and of the palm in [mm], exponent of the cross-section.
SLAB = np.array(
    [
        (-1.0, -0.02, -0.02, 18.5, 18.0, 2.1),
        (-0.5, -0.08, -0.08, 17.0, 17.5, 2.1),
        (0.0, 0.00, 0.00, 15.5, 17.5, 2.2),
        (0.3, 0.28, 0.42, 14.0, 16.0, 2.4),
        (0.6, 0.66, 0.88, 12.5, 14.0, 2.5),
        (0.85, 0.92, 1.00, 11.5, 13.5, 2.5),
        (1.0, 1.00, 0.99, 11.0, 13.5, 2.5),
        (1.25, 1.00, 0.95, 8.5, 12.5, 2.5),
    ]
)


@dataclass(frozen=True, eq=False)
class PalmField:
    """Implicit surface of a right hand, in [mm]; beyond the webs it is exactly the fingers' own profiles."""

    layout: HandLayout
    """Joints and frames."""
    thumb: FingerProfile
    """The thumb's profile."""
    fingers: tuple[FingerProfile, ...]
    """The other fingers' profiles."""

    def level(self, points: FloatArray) -> FloatArray:
        """Signed level of each point, negative inside. Shape (n,)."""
        plan = self.layout.plan
        body = self._body(points)
        roots = np.min([finger.level(points) for finger in self.fingers], axis=0)
        hand = smooth_union(body, roots, plan.web_depth_mm * plan.girth)
        return hand - plan.relief * plan.girth * self._relief(points)

    def _body(self, points: FloatArray) -> FloatArray:
        g = self.layout.plan.girth
        thumb = self.layout.thumb
        base, knuckle = thumb.joints[0], thumb.joints[1]
        frame = thumb.frames[0]
        length = float(np.linalg.norm(knuckle - base))
        slab = self._slab(points)
        pinky = self.layout.fingers[-1]
        heel = 0.5 * (pinky.joints[0] + pinky.joints[1]) + g * np.array([0.5, -9.0, -9.0])
        hypothenar = ellipsoid(points, heel, np.eye(3), g * np.array([13.0, 11.0, 27.0]))
        body = smooth_union(slab, hypothenar, 12.0 * g)
        centre = base + frame @ np.array([0.0, 0.44 * length, 5.5 * g])
        thenar = ellipsoid(points, centre, frame, np.array([13.5 * g, 0.62 * length, 13.0 * g]))
        shaft = cone(points, base, knuckle, (11.5 * g, 10.5 * g))
        root = smooth_union(self.thumb.level(points), shaft, 8.0 * g)
        thumb_side = smooth_union(root, thenar, 9.0 * g)
        index = self.layout.fingers[0]
        web = triangle(
            points,
            np.array(
                [
                    base + g * np.array([-4.0, -2.0, 4.0]),
                    base + 0.86 * (knuckle - base),
                    index.joints[0] + 0.80 * (index.joints[1] - index.joints[0]) + g * np.array([3.0, -4.0, 0.0]),
                ]
            ),
            g * np.array([11.0, 6.0, 8.0]),
        )
        thumb_side = smooth_union(thumb_side, web, 9.0 * g)
        return smooth_union(body, thumb_side, 11.0 * g)

    def _slab(self, points: FloatArray) -> FloatArray:
        plan, g = self.layout.plan, self.layout.plan.girth
        knuckles = np.array([finger.joints[1] for finger in self.layout.fingers])
        reach = float(knuckles[:, 2].mean())
        x, y, z = points.T
        place = np.where(z >= 0.0, z / reach, z / (FOREARM_MM * g))
        rows = hermite(SLAB[:, 0], SLAB[:, 1:], place)
        wrist = plan.wrist_mm[0] * g
        first, last = self.fingers[0], self.fingers[-1]
        radial = wrist + rows[:, 0] * (knuckles[0, 0] + 1.22 * first.axes_at(np.zeros(1))[0, 0] - wrist)
        ulnar = -wrist + rows[:, 1] * (knuckles[-1, 0] - 1.30 * last.axes_at(np.zeros(1))[0, 0] + wrist)
        centre, half = 0.5 * (radial + ulnar), 0.5 * (radial - ulnar)
        order = np.argsort(knuckles[:, 0])
        arch = hermite(knuckles[order, 0], knuckles[order, 1:2], x)[:, 0]
        y = y - arch * smoothstep(place)
        height = np.where(y >= 0.0, rows[:, 2], rows[:, 3]) * g
        n = rows[:, 4]
        u, v = np.abs(x - centre) / half, np.abs(y) / height
        ratio = np.maximum((u**n + v**n) ** (1.0 / n), 1e-6)
        slope = np.hypot((u / ratio) ** (n - 1.0) / half, (v / ratio) ** (n - 1.0) / height)
        across = np.maximum((ratio - 1.0) / np.maximum(slope, 1e-3), -height)
        end = z - self._web_line(x) + 0.55 * y
        return smooth_intersection(across, 0.85 * end, 9.0 * g)

    def _web_line(self, x: FloatArray) -> FloatArray:
        heights, places = [], []
        fingers = self.layout.fingers
        for k, finger in enumerate(fingers):
            tops = finger.joints[1] + finger.plan.web * (finger.joints[2] - finger.joints[1])
            places.append(tops[0])
            heights.append(tops[2] + 1.0 * self.layout.plan.girth)
            del k
        order = np.argsort(places)
        return hermite(np.array(places)[order], np.array(heights)[order, None], x)[:, 0]

    def _relief(self, points: FloatArray) -> FloatArray:
        g = self.layout.plan.girth
        total = np.zeros(len(points))
        for finger in self.layout.fingers:
            frame = finger.frames[0]
            knuckle = finger.joints[1] - frame[:, 2] * 11.0 * g
            total += 1.9 * bump(points, knuckle - frame[:, 1] * 1.0 * g, frame, g * np.array([6.0, 7.5, 5.0]))
            total += self._tendon(points, finger.joints[0], finger.joints[1])
            pad = finger.joints[1] + frame[:, 2] * 12.0 * g + frame[:, 1] * 9.0 * g
            total += 1.1 * bump(points, pad, frame, g * np.array([7.5, 7.0, 6.0]))
        middle = self.layout.fingers[len(self.layout.fingers) // 2 - 1]
        hollow = 0.35 * middle.joints[0] + 0.65 * middle.joints[1] + g * np.array([0.0, -15.0, -4.0])
        total -= 3.2 * bump(points, hollow, np.eye(3), g * np.array([12.0, 8.0, 19.0]))
        return total

    def _tendon(self, points: FloatArray, start: FloatArray, end: FloatArray) -> FloatArray:
        g = self.layout.plan.girth
        t = np.clip((points[:, 2] - start[2]) / (end[2] - start[2]), 0.0, 1.0)
        line = start[0] + (end[0] - start[0]) * t
        back = smoothstep((points[:, 1] - 2.0 * g) / (6.0 * g))
        window = smoothstep((points[:, 2] - start[2]) / (20.0 * g)) * smoothstep((end[2] + 4.0 * g - points[:, 2]) / (9.0 * g))
        return 0.75 * back * window * np.exp(-0.5 * ((points[:, 0] - line) / (2.6 * g)) ** 2)


def palm_field(layout: HandLayout) -> PalmField:
    """The implicit surface of a laid-out hand."""
    girth = layout.plan.girth
    return PalmField(
        layout=layout,
        thumb=finger_profile(layout.thumb, girth),
        fingers=tuple(finger_profile(finger, girth) for finger in layout.fingers),
    )
