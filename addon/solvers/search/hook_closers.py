# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Three ways to close hands in the hook search: in the published steps, fast or slow, or by measured distance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...core.arrays import BoolArray, FloatArray
from ..closing import OBJECT, USUAL, Scene, Skinned, close
from ..closing.literal import close_literally
from ..closing.stepping import SteppedMovement, build_steps, close_in_steps
from .problem import Attempt, Problem

STEPS = 20
"""Interpolations of a movement, N of the paper."""


@dataclass(frozen=True, eq=False)
class ClosedHands:
    """Hands that have closed."""

    angles: FloatArray
    """Postures in [rad]. Shape (a, m, 3)."""
    reached: FloatArray
    """Share of the movement that each joint made, 0 to 1. Shape (a, m)."""
    touched: BoolArray
    """Bones that touched. Shape (a, m)."""


CloseHands = Callable[[FloatArray, FloatArray], ClosedHands]
"""Wrists (a, 3, 4) and distances of the open probes there (a, p) to closed hands."""


def step_closer(problem: Problem, movement: SteppedMovement) -> CloseHands:
    """The published steps for many wrists at once."""

    def run(wrists: FloatArray, open_gaps: FloatArray) -> ClosedHands:
        found = close_in_steps(movement, wrists, problem.distance, depth=problem.depth, open_gaps=open_gaps)
        return ClosedHands(found.angles, found.steps / movement.steps, found.touched)

    return run


def literal_closer(problem: Problem, attempt: Attempt, *, steps: int = STEPS) -> CloseHands:
    """The published steps one after the other, one wrist and one bone at a time: what others are held to."""

    def run(wrists: FloatArray, open_gaps: FloatArray) -> ClosedHands:
        found = [
            close_literally(
                problem.skin.coarse,
                attempt.closing_at(wrist[None]),
                problem.distance,
                steps=steps,
                depth=problem.depth,
            )
            for wrist in wrists
        ]
        return ClosedHands(
            np.array([each.angles for each in found]),
            np.array([each.steps / steps for each in found]),
            np.array([each.touched == 1 for each in found]),
        )

    return run


def measured_closer(problem: Problem, attempt: Attempt) -> CloseHands:
    """Closing by measured distance, which leaves no gap of a step's size and knows obstacles and the hand itself."""
    scene = Scene(problem.distance, problem.precise, problem.depth, obstacles=problem.obstacles)

    def run(wrists: FloatArray, open_gaps: FloatArray) -> ClosedHands:
        found = close(problem.skin, attempt.closing_at(wrists), scene, problem.ranges, ways=USUAL, fine=False)
        return ClosedHands(found.angles, found.shares, found.stopped_by == OBJECT)

    return run


def prepare_steps(skinned: Skinned, attempt: Attempt, *, steps: int = STEPS) -> SteppedMovement:
    """An attempt's movement in the published steps."""
    return build_steps(skinned, attempt.start, attempt.end, attempt.fingers, steps=steps)
