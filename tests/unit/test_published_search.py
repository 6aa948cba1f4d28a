# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The published search as a way to look for grasps: its own last pose, closed on the skin, at any size."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from test_search import AXIS, build

from addon.solvers.search import HookSearch, drain, published, search_at_size
from addon.solvers.search.hook_search import drain_hook, search_hook
from addon.solvers.search.other_sizes import resized
from addon.solvers.search.published import MAX_STEPS, attempts_from, search_published

SHOULDER = np.array([0.1, -0.5, 0.3])
OPTIONS = {
    "seven": HookSearch(),
    "three": HookSearch(step="three", approximate=3),
    "random": HookSearch(angle=None, wrist_range=None),
}


@pytest.mark.parametrize("way", list(OPTIONS))
@pytest.mark.parametrize(
    ("shape", "movement", "kind"), [("ball", "power_sphere", "power"), ("rod", "tripod", "precision")]
)
def test_what_is_offered_is_the_last_pose_closed_on_the_skin(way: str, shape: str, movement: str, kind: str) -> None:
    problem = build(shape, movement)
    result = drain(search_published(problem, OPTIONS[way], seed=2, shoulder=SHOULDER))
    rng = np.random.default_rng([2, 0])
    options = replace(OPTIONS[way], kind=kind)
    pose = drain_hook(search_hook(problem, problem.attempts[0], options, rng, max_steps=MAX_STEPS, shoulder=SHOULDER))
    assert result.attempts == 1
    assert result.closings > 7
    (candidate,) = result.candidates
    # On the skin it may be moved back or pushed on along the palm's way, and is not turned.
    np.testing.assert_allclose(candidate.wrist[:, :3], pose.wrist[:, :3], atol=1e-12)
    moved = candidate.wrist[:, 3] - pose.wrist[:, 3]
    palm = pose.wrist[:, :3] @ problem.approach
    np.testing.assert_allclose(moved - palm * (palm @ moved), 0.0, atol=1e-9)
    assert candidate.gaps.min() >= -problem.depth - 2e-4
    assert (candidate.gaps < 2e-4).sum() >= 2, "something is held"


def test_the_hook_nearest_to_the_shoulder_comes_first() -> None:
    first, second = build("ball", "power_sphere", "tripod").attempts
    near = replace(second, hook=np.array([0.0, -0.02, 0.0]))
    other = replace(first, hook=near.hook)
    attempts = (first, near, second, other)
    assert attempts_from(attempts, SHOULDER) == [1, 3, 0, 2]
    assert attempts_from(attempts, None) == [0, 1, 2, 3]
    assert attempts_from((), SHOULDER) == []


def test_hands_of_another_size_find_the_same() -> None:
    # Its hook is beside the origin, so that it matters where the shoulder is.
    problem = build("torus")
    usual = drain(search_at_size(problem, 1.0, published=HookSearch(), shoulder=SHOULDER))
    other = drain(search_at_size(resized(problem, 32.0), 32.0, published=HookSearch(), shoulder=32.0 * SHOULDER))
    assert usual.candidates
    assert [each.score for each in other.candidates] == [each.score for each in usual.candidates]
    np.testing.assert_array_equal(other.candidates[0].wrist[:, 3], 32.0 * usual.candidates[0].wrist[:, 3])


def test_a_hand_that_never_comes_free_is_not_closed_on_the_skin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(published, "finish", lambda *_: pytest.fail("it has no pose"))
    # Inside something endless no lift helps.
    buried = replace(build("ball", "power_sphere"), distance=lambda points: np.full(len(points), -0.05))
    result = drain(search_published(buried, HookSearch()))
    assert result.candidates == ()
    assert result.attempts == 1


def test_more_attempts_only_add() -> None:
    problem = build("rod", "medium_diameter", "large_diameter", "tripod")
    steps = [progress.found for progress in search_published(problem, HookSearch(), shoulder=0.5 * AXIS)]
    best = [found[0].score if found else -np.inf for found in steps]
    assert len(steps) == 3
    assert best == sorted(best)
