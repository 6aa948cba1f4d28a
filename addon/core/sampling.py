# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Even choices of points."""

from __future__ import annotations

import numpy as np

from .arrays import FloatArray, IntArray


def spread_out(points: FloatArray, most: int) -> IntArray:
    """Indices of at most `most` points: one for each cell of the finest grid that has no more cells than that."""
    if len(points) <= most:
        return np.arange(len(points))
    low = points.min(axis=0)
    fine, coarse = 0.0, float(np.max(np.ptp(points, axis=0)))
    taken = np.array([0])
    for _ in range(12):
        size = 0.5 * (fine + coarse)
        cells = np.floor((points - low) / size).astype(np.int64)
        sides = cells.max(axis=0) + 1
        _, first = np.unique(cells[:, 0] + sides[0] * (cells[:, 1] + sides[1] * cells[:, 2]), return_index=True)
        if len(first) <= most:
            coarse, taken = size, np.sort(first)
        else:
            fine = size
    return taken
