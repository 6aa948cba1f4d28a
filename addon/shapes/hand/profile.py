# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The skin of a single finger as a function of place along it and angle round it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import FloatArray
from .layout import FingerLayout

ROUNDNESS = 2.25
"""Exponent of the super-ellipse of a cross-section; 2 is an ellipse."""
TIP_BLUNTNESS = 2.3
"""Exponent of the curve that closes the fingertip."""


@dataclass(frozen=True, eq=False)
class FingerProfile:
    """Cross-sections along one finger, in [mm]; `s` is the way from the knuckle, negative inside the palm."""

    origins: FloatArray
    """Joints from the knuckle to the fingertip. Shape (j, 3)."""
    frames: FloatArray
    """Bone frames of the phalanges. Shape (j - 1, 3, 3)."""
    marks: FloatArray
    """`s` of the joints and the tip. Shape (j,)."""
    stations: FloatArray
    """`s` of the cross-sections. Shape (k,)."""
    half_axes: FloatArray
    """Half width, back and pad of each cross-section. Shape (k, 3)."""
    tip_start: float
    """`s` from which on the fingertip closes."""

    @property
    def length(self) -> float:
        """Way from the knuckle to the fingertip."""
        return float(self.marks[-1])

    def axes_at(self, s: FloatArray) -> FloatArray:
        """Half width, back and pad before the fingertip's closing. Shape (..., 3)."""
        return hermite(self.stations, self.half_axes, s)

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
        frames = self.frames[0][None] + np.zeros(s.shape + (3, 3))
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
        height = np.where(d >= 0.0, axes[..., 1], axes[..., 2])
        rim = (np.abs(c) ** ROUNDNESS + np.abs(d) ** ROUNDNESS) ** (-1.0 / ROUNDNESS)
        across, up = axes[..., 0] * c * rim, height * d * rim
        return points + frames[..., :, 0] * across[..., None] - frames[..., :, 2] * up[..., None]

    def back_at(self, s: FloatArray, across: FloatArray) -> FloatArray:
        """Points above the back at `s` and `across` in [mm], as if the fingertip did not close. Shape (..., 3)."""
        points, frames = self.spine(s)
        axes = self.axes_at(s)
        ratio = np.clip(np.abs(across) / axes[..., 0], 0.0, 0.98)
        up = axes[..., 1] * (1.0 - ratio**ROUNDNESS) ** (1.0 / ROUNDNESS)
        return points + frames[..., :, 0] * across[..., None] - frames[..., :, 2] * up[..., None]

    def level(self, points: FloatArray) -> FloatArray:
        """About the distance in [mm] from the straight continuation of the first phalanx; negative inside."""
        local = (points - self.origins[0]) @ self.frames[0]
        s = np.clip(local[..., 1], -self.half_axes[0, 0], self.marks[1])
        axes = self.axes_at(s)
        height = np.where(local[..., 2] <= 0.0, axes[..., 1], axes[..., 2])
        ratio = (np.abs(local[..., 0] / axes[..., 0]) ** ROUNDNESS + np.abs(local[..., 2] / height) ** ROUNDNESS) ** (
            1.0 / ROUNDNESS
        )
        radius = np.hypot(local[..., 0], local[..., 2])
        across = np.where(ratio > 1e-6, radius * (1.0 - 1.0 / np.maximum(ratio, 1e-6)), -axes[..., 0])
        beyond = np.maximum(np.abs(local[..., 1] - s), 0.0)
        return np.where(beyond > 0.0, np.hypot(np.maximum(across, 0.0), beyond) + np.minimum(across, 0.0), across)


def finger_profile(finger: FingerLayout, girth: float) -> FingerProfile:
    """The profile of a laid-out finger whose thickness is scaled by `girth`."""
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
        stations=stations,
        half_axes=half_axes,
        tip_start=float(max(tip, marks[-2] + 0.3 * (marks[-1] - marks[-2]))),
    )


def smoothstep(t: FloatArray) -> FloatArray:
    """0 below 0, 1 above 1, smooth between."""
    t = np.clip(t, 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def hermite(knots: FloatArray, values: FloatArray, at: FloatArray) -> FloatArray:
    """Smooth curve through `values` (k, m) at increasing `knots` (k,), constant beyond them. Shape (..., m)."""
    at = np.clip(at, knots[0], knots[-1])
    step = np.diff(knots)
    slope = np.diff(values, axis=0) / step[:, None]
    inner = (slope[:-1] * step[1:, None] + slope[1:] * step[:-1, None]) / (step[:-1] + step[1:])[:, None]
    # Flat where the slope changes sign, so that the curve makes no bulge that the values do not have.
    inner = np.where(slope[:-1] * slope[1:] > 0.0, inner, 0.0)
    tangents = np.concatenate([slope[:1], inner, slope[-1:]])
    k = np.clip(np.searchsorted(knots, at, side="right") - 1, 0, len(step) - 1)
    t = ((at - knots[k]) / step[k])[..., None]
    h = step[k][..., None]
    return (
        values[k] * (1.0 + 2.0 * t) * (1.0 - t) ** 2
        + tangents[k] * h * t * (1.0 - t) ** 2
        + values[k + 1] * t * t * (3.0 - 2.0 * t)
        + tangents[k + 1] * h * t * t * (t - 1.0)
    )
