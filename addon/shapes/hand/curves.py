# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Smooth curves through given values."""

from __future__ import annotations

import numpy as np

from ...core.arrays import FloatArray

SAMPLES = 512
"""Steps of a curve's table; halving them moves no vertex by more than a micrometre."""


class Curve:
    """A smooth curve through values at increasing knots, constant beyond them, tabulated for speed."""

    def __init__(self, knots: FloatArray, values: FloatArray, *, blur: float = 0.0) -> None:
        """Tabulate the curve through `values` (k, m) at `knots` (k,), softened over a length of `blur`."""
        self._start = float(knots[0])
        self._scale = SAMPLES / float(knots[-1] - knots[0])
        self._table = hermite(knots, values, np.linspace(knots[0], knots[-1], SAMPLES + 1))
        reach = round(2.5 * blur * self._scale)
        if reach:
            kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / (blur * self._scale)) ** 2)
            padded = np.pad(self._table, ((reach, reach), (0, 0)), mode="edge")
            columns = [np.convolve(column, kernel / kernel.sum(), mode="valid") for column in padded.T]
            self._table = np.stack(columns, axis=1)

    def __call__(self, at: FloatArray) -> FloatArray:
        """Values at `at`. Shape (..., m)."""
        t = np.clip((at - self._start) * self._scale, 0.0, SAMPLES - 1e-6)
        k = t.astype(np.int64)
        share = (t - k)[..., None]
        return self._table[k] * (1.0 - share) + self._table[k + 1] * share


def smoothstep(t: FloatArray) -> FloatArray:
    """0 below 0, 1 above 1, smooth between."""
    t = np.clip(t, 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def hermite(knots: FloatArray, values: FloatArray, at: FloatArray) -> FloatArray:
    """Cubic curve through `values` (k, m) at increasing `knots` (k,), constant beyond them. Shape (..., m)."""
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
