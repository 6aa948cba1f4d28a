# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The body of the hand as an implicit surface: wrist, palm with its pads and hollow, webs, and the fingers' roots."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import FloatArray
from .curves import Curve, smoothstep
from .implicit import cone, ellipsoid, smooth_intersection, smooth_union, triangle
from .layout import HandLayout
from .profile import FingerProfile, finger_profile
from .relief import relief

FOREARM_MM = 46.0
"""How much of the forearm belongs to the hand."""

# Place (0 wrist, 1 knuckles, -1 the forearm's end), share of the way from the wrist's to the knuckles' border on the
# thumb's and on the little finger's side, skin of the back and of the palm in [mm], exponent of the cross-section.
SLAB_ROWS = np.array(
    [
        (-1.0, -0.02, -0.02, 18.5, 18.0, 2.1),
        (-0.5, -0.08, -0.08, 17.0, 17.5, 2.1),
        (0.0, 0.00, 0.00, 15.5, 17.5, 2.2),
        (0.3, 0.28, 0.42, 14.0, 16.0, 2.4),
        (0.6, 0.66, 0.88, 12.5, 14.0, 2.5),
        (0.85, 0.92, 1.00, 11.5, 13.5, 2.5),
        (1.0, 1.00, 0.98, 9.8, 12.8, 2.5),
        (1.25, 0.97, 0.92, 7.0, 11.8, 2.6),
    ]
)
SLAB = Curve(SLAB_ROWS[:, 0], SLAB_ROWS[:, 1:])


@dataclass(frozen=True, eq=False)
class PalmField:
    """Implicit surface of a right hand, in [mm]; beyond the webs it is exactly the fingers' own profiles."""

    layout: HandLayout
    """Joints and frames."""
    thumb: FingerProfile
    """The thumb's profile."""
    fingers: tuple[FingerProfile, ...]
    """The other fingers' profiles."""
    arch: Curve
    """Height of the knuckles over the place across the palm."""
    web_line: Curve
    """How far the palm reaches over the place across it."""

    def level(self, points: FloatArray) -> FloatArray:
        """Signed level of each point, negative inside. Shape (n,)."""
        plan = self.layout.plan
        return self.smooth_level(points) - plan.relief * plan.girth * relief(points, self.layout)

    def smooth_level(self, points: FloatArray) -> FloatArray:
        """Level of the hand without its fine forms, which is quicker. Shape (n,)."""
        roots = self.fingers[0].level(points)
        for finger in self.fingers[1:]:
            roots = np.minimum(roots, finger.level(points))
        return smooth_union(self._body(points), roots, self.layout.plan.web_depth_mm * self.layout.plan.girth)

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
        thumb_side = smooth_union(root, thenar, 10.0 * g)
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
            g * np.array([11.0, 6.5, 9.0]),
        )
        return smooth_union(smooth_union(body, web, 10.0 * g), thumb_side, 14.0 * g)

    def _slab(self, points: FloatArray) -> FloatArray:
        plan, g = self.layout.plan, self.layout.plan.girth
        knuckles = np.array([finger.joints[1] for finger in self.layout.fingers])
        reach = float(knuckles[:, 2].mean())
        x, y, z = points.T
        place = np.where(z >= 0.0, z / reach, z / (FOREARM_MM * g))
        rows = SLAB(place)
        wrist = plan.wrist_mm[0] * g
        first, last = self.fingers[0], self.fingers[-1]
        radial = wrist + rows[:, 0] * (knuckles[0, 0] + 1.22 * first.axes_at(np.zeros(1))[0, 0] - wrist)
        ulnar = -wrist + rows[:, 1] * (knuckles[-1, 0] - 1.30 * last.axes_at(np.zeros(1))[0, 0] + wrist)
        centre, half = 0.5 * (radial + ulnar), 0.5 * (radial - ulnar)
        y = y - self.arch(x)[:, 0] * smoothstep(place)
        height = np.where(y >= 0.0, rows[:, 2], rows[:, 3]) * g
        n = rows[:, 4]
        u, v = np.abs(x - centre) / half, np.abs(y) / height
        ratio = np.maximum((u**n + v**n) ** (1.0 / n), 1e-6)
        slope = np.hypot((u / ratio) ** (n - 1.0) / half, (v / ratio) ** (n - 1.0) / height)
        across = np.maximum((ratio - 1.0) / np.maximum(slope, 1e-3), -height)
        end = z - self.web_line(x)[:, 0] + 0.8 * y
        return smooth_intersection(across, 0.78 * end, 7.0 * g)


def palm_field(layout: HandLayout) -> PalmField:
    """The implicit surface of a laid-out hand."""
    girth = layout.plan.girth
    across = layout.fingers[::-1]
    knuckles = np.array([finger.joints[1] for finger in across])
    webs = np.array([f.joints[1] + f.plan.web * (f.joints[2] - f.joints[1]) for f in across])
    return PalmField(
        layout=layout,
        thumb=finger_profile(layout.thumb, girth, layout.plan.relief),
        fingers=tuple(finger_profile(finger, girth, layout.plan.relief) for finger in layout.fingers),
        arch=Curve(knuckles[:, 0], knuckles[:, 1:2]),
        web_line=Curve(webs[:, 0], webs[:, 2:]),
    )
