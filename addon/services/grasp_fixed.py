# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Grasps of a hand that stays where it is: every movement that suits, closed there and ranked."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..core.arrays import FloatArray
from ..solvers.closing import Movement, Scene, close, measure_near
from ..solvers.search import Attempt, Candidate, Problem
from ..solvers.search.ranking import score_terms, total
from .closing_checks import PALM_DEPTH
from .closing_report import NEAR, TOUCHING


def close_here(problem: Problem, wrist: FloatArray) -> Iterator[tuple[str, Candidate | None]]:
    """Every movement of a problem closed at one wrist: its key, and what it holds; None where it holds nothing.

    Args:
        problem: The problem; of its attempts with one movement the one whose hook is nearest to the hand counts.
        wrist: The hand's frame in the object's frame in [m]. Shape (3, 4).
    """
    for number in _nearest_attempts(problem, wrist):
        attempt = problem.attempts[number]
        yield attempt.label[0], _close(problem, attempt, number, wrist[None])


def _nearest_attempts(problem: Problem, wrist: FloatArray) -> list[int]:
    best: dict[str, tuple[float, int]] = {}
    for number, attempt in enumerate(problem.attempts):
        away = float(np.linalg.norm(wrist[:, :3] @ attempt.centre + wrist[:, 3] - attempt.hook))
        key = attempt.label[0]
        if key not in best or away < best[key][0]:
            best[key] = away, number
    return [number for _, number in best.values()]


def _close(problem: Problem, attempt: Attempt, number: int, wrists: FloatArray) -> Candidate | None:
    open_ = measure_near(problem.skin.fine, attempt.start[None], wrists, problem.precise, within=NEAR)
    if open_.gaps.min() < -problem.depth - PALM_DEPTH:
        return None
    scene = Scene(problem.refined, problem.precise, problem.depth, obstacles=problem.obstacles)
    movement = Movement(attempt.start[None], attempt.end[None], wrists, np.array(attempt.fingers))
    closing = close(problem.skin, movement, scene, problem.ranges)
    near = measure_near(problem.skin.fine, closing.angles, wrists, problem.precise, within=4.0 * NEAR)
    terms = score_terms(problem, attempt, wrists, closing, near, touching=TOUCHING)
    score = float(total(problem, attempt, terms)[0])
    if not np.isfinite(score):
        return None
    return Candidate(
        wrist=wrists[0],
        angles=closing.angles[0],
        attempt=number,
        score=score,
        terms={name: float(values[0]) for name, values in terms.items()},
        gaps=near.gaps[0],
        points=near.points[0],
    )
