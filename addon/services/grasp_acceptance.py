# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of the grasps that a search found can be offered: clear of obstacles on all of the skin, and within reach."""

from __future__ import annotations

from ..solvers.closing import measure_near
from ..solvers.search import Candidate, Problem
from .grasp_places import Reacher

GRAZED = 1.5e-3
"""How deep in [m] skin may be in an obstacle: a hand may lie on the table."""


class Acceptance:
    """Answers for one search, each asked for once, as an arm is solved for it."""

    def __init__(self, problem: Problem, reacher: Reacher) -> None:
        """Take the problem that is searched and what knows the arm."""
        self.problem, self.reacher = problem, reacher
        # The candidate is kept beside the answer, so that no other one gets its number.
        self._known: dict[int, tuple[Candidate, bool]] = {}

    def accepts(self, candidate: Candidate) -> bool:
        """Whether the arm, solved exactly, gets there and all of the skin is clear."""
        if id(candidate) not in self._known:
            fits = self._clears_obstacles(candidate) and self.reacher.accepts(candidate.wrist)
            self._known[id(candidate)] = candidate, fits
        return self._known[id(candidate)][1]

    @property
    def dropped(self) -> bool:
        """Whether any candidate was turned down."""
        return any(not fits for _, fits in self._known.values())

    def _clears_obstacles(self, candidate: Candidate) -> bool:
        problem = self.problem
        if problem.obstacles is None:
            return True
        angles, wrists = candidate.angles[None], candidate.wrist[None]
        near = measure_near(problem.skin.fine, angles, wrists, problem.obstacles, within=2.0 * GRAZED)
        return bool(near.gaps.min() >= -GRAZED)
