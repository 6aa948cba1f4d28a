# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The skin of a single finger as a function of place along it and angle round it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import FloatArray
from .curves import Curve, smoothstep
from .layout import FingerLayout

ROUNDNESS = 2.25
"""Exponent of the super-ellipse of a cross-section; 2 is an ellipse."""
TIP_BLUNTNESS = 2.3
"""Exponent of the curve that closes the fingertip."""

SOFTNESS_MM = 2.4
"""How far the cross-sections of a mean hand flow into each other."""
FAR = 1e3
"""Level in [mm] of points that a finger has no part in."""


@dataclass(frozen=True, eq=False)
class FingerProfile:
    """Cross-sections along one finger, in [mm]; `s` is the way from the knuckle, negative inside the palm."""

    origins: FloatArray
    """Joints from the knuckle to the fingertip. Shape (j, 3)."""
    frames: FloatArray
    """Bone frames of the phalanges. Shape (j - 1, 3, 3)."""
    marks: FloatArray
    """`s` of the joints and the tip. Shape (j,)."""
    sections: Curve
    """Half width, back and pad along `s`, before the fingertip's closing."""
    tip_start: float
    """`s` from which on the fingertip closes."""
    unit: float
    """Thickness relative to the mean human finger."""
    relief: float
    """Strength of creases and wrinkles."""

    @property
    def length(self) -> float:
        """Way from the knuckle to the fingertip."""
        return float(self.marks[-1])

    def axes_at(self, s: FloatArray) -> FloatArray:
        """Half width, back and pad before the fingertip's closing. Shape (..., 3)."""
        return self.sections(s)

    def closing(self, s: FloatArray) -> FloatArray:
        """Factor that rounds the fingertip off: 1 before it, 0 at its end."""
        tau = np.clip((s - self.tip_start) / (self.length - self.tip_start), 0.0, 1.0)
        return (1.0 - tau**TIP_BLUNTNESS) ** (1.0 / TIP_BLUNTNESS)

    def place_of_closing(self, factor: FloatArray) -> FloatArray:
        """`s` in the fingertip where the closing has fallen to `factor`."""
        tau = (1.0 - np.clip(factor, 0.0, 1.0) ** TIP_BLUNTNESS) ** (1.0 / TIP_BLUNTNESS)
        return self.tip_start + (self.length - self.tip_start) * tau

    def spine(self, s: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Points of the joint line (..., 3) and frames (..., 3, 3) there, turning smoothly from bone to bone."""
        bone = np.clip(np.searchsorted(self.marks, s, side="right") - 1, 0, len(self.frames) - 1)
        points = self.origins[bone] + self.frames[bone][..., :, 1] * (s - self.marks[bone])[..., None]
        frames = self.frames[0][None] + np.zeros((*s.shape, 3, 3))
        for k in range(1, len(self.frames)):
            reach = 0.35 * min(self.marks[k] - self.marks[k - 1], self.marks[k + 1] - self.marks[k])
            share = smoothstep((s - self.marks[k] + reach) / (2.0 * reach))[..., None, None]
            frames = frames * (1.0 - share) + self.frames[k] * share
        y = frames[..., :, 1] / np.linalg.norm(frames[..., :, 1], axis=-1, keepdims=True)
        x = frames[..., :, 0] - y * np.sum(frames[..., :, 0] * y, axis=-1, keepdims=True)
        x /= np.linalg.norm(x, axis=-1, keepdims=True)
        return points, np.stack([x, y, np.cross(x, y)], axis=-1)

    def surface(self, s: FloatArray, theta: FloatArray) -> FloatArray:
        """Skin at `s` and angle `theta` (0 is the thumb's side, pi/2 the back). Shape (..., 3)."""
        points, frames = self.spine(s)
        axes = self.axes_at(s) * self.closing(s)[..., None]
        c, d = np.cos(theta), np.sin(theta)
        height = np.where(d >= 0.0, axes[..., 1], axes[..., 2]) - self._creases(s, d)
        rim = (np.abs(c) ** ROUNDNESS + np.abs(d) ** ROUNDNESS) ** (-1.0 / ROUNDNESS)
        across, up = axes[..., 0] * c * rim, height * d * rim
        return points + frames[..., :, 0] * across[..., None] - frames[..., :, 2] * up[..., None]

    def _creases(self, s: FloatArray, sine: FloatArray) -> FloatArray:
        """Depth in [mm] of the folds over the joints: one line across the pad's side, wrinkles across the back."""
        depth = np.zeros_like(s)
        for mark in self.marks[1:-1]:
            off = (s - mark) / self.unit
            depth += 0.75 * smoothstep(-1.6 * sine) * np.exp(-((off / 0.8) ** 2))
            wrinkles = np.cos(off * np.pi / 1.1) * np.exp(-((off / 2.6) ** 2))
            depth += 0.16 * smoothstep(1.5 * sine - 0.4) * wrinkles
        return depth * self.unit * self.relief

    def back_at(self, s: FloatArray, across: FloatArray) -> FloatArray:
        """Points above the back at `s` and `across` in [mm], as if the fingertip did not close. Shape (..., 3)."""
        points, frames = self.spine(s)
        axes = self.axes_at(s)
        ratio = np.clip(np.abs(across) / axes[..., 0], 0.0, 0.98)
        up = axes[..., 1] * (1.0 - ratio**ROUNDNESS) ** (1.0 / ROUNDNESS)
        return points + frames[..., :, 0] * across[..., None] - frames[..., :, 2] * up[..., None]

    def level(self, points: FloatArray) -> FloatArray:
        """About the distance in [mm] from the straight continuation of the first phalanx; negative inside.

        It fades out behind the knuckle and is far away everywhere else.
        """
        local = (points - self.origins[0]) @ self.frames[0]
        width = float(self.axes_at(np.zeros(1))[0, 0])
        near = (local[:, 1] > -2.5 * width) & (np.abs(local[:, 0]) < 4.0 * width) & (np.abs(local[:, 2]) < 5.0 * width)
        x, y, z = local[near].T
        axes = self.axes_at(np.clip(y, -2.0 * width, self.marks[1]))
        u, v = np.abs(x) / axes[:, 0], np.abs(z) / np.where(z <= 0.0, axes[:, 1], axes[:, 2])
        ratio = np.maximum((u**ROUNDNESS + v**ROUNDNESS) ** (1.0 / ROUNDNESS), 0.05)
        levels = np.full(len(points), FAR)
        levels[near] = np.hypot(x, z) * (1.0 - 1.0 / ratio) + width * smoothstep((0.4 * width - y) / (2.0 * width))
        return levels


def finger_profile(finger: FingerLayout, girth: float, relief: float) -> FingerProfile:
    """The profile of a laid-out finger whose thickness is scaled by `girth`, with creases of strength `relief`."""
    chain = finger.chain
    marks = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(chain, axis=0), axis=1))])
    places = np.array([section.at for section in finger.plan.sections])
    stations = np.interp(places, np.arange(len(marks)), marks)
    stations[places < 0.0] = places[places < 0.0] * finger.plan.lengths_mm[0]
    half_axes = girth * np.array([(s.side, s.back, s.pad) for s in finger.plan.sections])
    tip = marks[-1] - 0.85 * half_axes[-1, 0]
    return FingerProfile(
        origins=chain,
        frames=finger.frames[1:],
        marks=marks,
        sections=Curve(stations, half_axes, blur=SOFTNESS_MM * girth),
        tip_start=float(max(tip, marks[-2] + 0.3 * (marks[-1] - marks[-2]))),
        unit=girth,
        relief=relief,
    )
