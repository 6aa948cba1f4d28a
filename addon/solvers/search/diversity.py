# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Wrists and grasps that differ: of those that are nearly the same the best is kept."""

from __future__ import annotations

import numpy as np

from ...core.arrays import FloatArray, IntArray
from .problem import Candidate

APART = (0.03, 0.5)
"""Grasps nearer than this in [m] and [rad] are the same."""


def distinct(candidates: list[Candidate]) -> list[Candidate]:
    """The best of every group of grasps that are nearly the same, best first."""
    kept: list[Candidate] = []
    for candidate in sorted(candidates, key=lambda each: -each.score):
        if all(not _same(candidate, other) for other in kept):
            kept.append(candidate)
    return kept


def spread(wrists: FloatArray, scores: FloatArray, most: int, *, apart: tuple[float, float] = APART) -> IntArray:
    """The best wrists that differ from one another, best first."""
    kept: list[int] = []
    for a in np.argsort(-scores, kind="stable").tolist():
        if not np.isfinite(scores[a]) or len(kept) == most:
            break
        if all(not are_near(wrists[a], wrists[b], apart) for b in kept):
            kept.append(a)
    return np.array(kept, dtype=np.int64)


def are_near(one: FloatArray, other: FloatArray, apart: tuple[float, float] = APART) -> bool:
    """Whether two wrists (3, 4) are less than that far apart in [m] and [rad]."""
    cosine = (float(np.einsum("ij,ij->", one[:, :3], other[:, :3])) - 1.0) / 2.0
    return bool(np.linalg.norm(one[:, 3] - other[:, 3]) < apart[0] and cosine > np.cos(apart[1]))


def _same(one: Candidate, other: Candidate) -> bool:
    return one.attempt == other.attempt and are_near(one.wrist, other.wrist)
