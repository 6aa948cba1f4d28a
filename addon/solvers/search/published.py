# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The published hook search as a way to look for grasps: its poses, closed on the skin and ranked like all others."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

import numpy as np

from ...core.arrays import FloatArray
from .diversity import distinct
from .hook_poses import nearest_hook
from .hook_search import HookSearch, search_hook
from .problem import Attempt, Candidate, Problem
from .search import Progress, SearchResult, finish

MAX_STEPS = 40
"""Steps of one hook search at most; with turns of 10 degrees it hardly ever takes more than 20."""


def search_published(
    problem: Problem,
    options: HookSearch,
    *,
    seed: int = 0,
    most: int | None = None,
    shoulder: FloatArray | None = None,
) -> Generator[Progress, None, SearchResult]:
    """Look for grasps by hook searches, one an attempt; yields after each, as `search` does.

    Args:
        problem: What is to be held, and with what.
        options: What of the published search is used.
        seed: Same seed, same grasps.
        most: Attempts to make; all by default.
        shoulder: Of the character in [m]; None for a hand without, which comes flat from above. Shape (3,).
    """
    found: list[Candidate] = []
    closings = 0
    order = attempts_from(problem.attempts, shoulder)[:most]
    for done, number in enumerate(order):
        attempt = problem.attempts[number]
        rng = np.random.default_rng([seed, number])
        # Which of the published qualities counts is the movement's own.
        kind = replace(options, kind="power" if attempt.palm else "precision")
        last = list(search_hook(problem, attempt, kind, rng, max_steps=MAX_STEPS, shoulder=shoulder))[-1]
        closings += last.closings + 1
        if np.isfinite(last.pose.quality):
            found = distinct([*found, *finish(problem, attempt, number, last.pose.wrist[None])])
        yield Progress(done + 1, len(order), closings, tuple(found))
    return SearchResult(tuple(found), len(order), closings)


def attempts_from(attempts: tuple[Attempt, ...], shoulder: FloatArray | None) -> list[int]:
    """Places in the list in the order of trying: those at the hook nearest to the shoulder first (5.2)."""
    order = list(range(len(attempts)))
    if shoulder is None or not order:
        return order
    nearest = attempts[nearest_hook(np.array([attempt.hook for attempt in attempts]), shoulder)].hook
    return sorted(order, key=lambda k: not (attempts[k].hook == nearest).all())
