# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hands of other sizes than people's find the same grasps on things that are as much larger or smaller."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from test_search import build

from addon.solvers.search import drain, power_of_two, search, search_at_size
from addon.solvers.search.other_sizes import resized


@pytest.mark.parametrize(
    ("ratio", "power"), [(0.72, 1.0), (1.0, 1.0), (1.4, 1.0), (1.5, 2.0), (0.3, 0.25), (100.0, 128.0)]
)
def test_only_the_order_of_size_counts(ratio: float, power: float) -> None:
    assert power_of_two(ratio) == power


@pytest.mark.parametrize("size", [0.125, 64.0])
def test_a_problem_of_another_size_has_the_same_grasps(size: float) -> None:
    problem = build("rod", "medium_diameter")
    usual = drain(search(problem, seed=3))
    other = drain(search_at_size(resized(problem, size), size, seed=3))
    assert len(usual.candidates) > 1
    assert [each.score for each in other.candidates] == [each.score for each in usual.candidates]
    for one, two in zip(usual.candidates, other.candidates, strict=True):
        np.testing.assert_array_equal(two.wrist[:, 3], size * one.wrist[:, 3])
        np.testing.assert_array_equal(two.wrist[:, :3], one.wrist[:, :3])
        np.testing.assert_array_equal(two.angles, one.angles)
        np.testing.assert_array_equal(two.gaps, size * one.gaps)


def test_a_grasp_that_is_kept_stays_the_same_object() -> None:
    problem = build("rod", "medium_diameter", "large_diameter")
    steps = search_at_size(resized(problem, 8.0), 8.0)
    first, second = next(steps), next(steps)
    kept = [each for each in first.found if any(each.score == other.score for other in second.found)]
    assert kept
    assert all(any(each is other for other in second.found) for each in kept)


def test_reach_is_asked_for_wrists_as_they_are() -> None:
    problem = resized(build("ball", "power_sphere"), 16.0)
    asked: list[float] = []

    def reach(wrists: np.ndarray) -> np.ndarray:
        asked.append(float(np.linalg.norm(wrists[:, :, 3], axis=1).min()))
        return np.zeros(len(wrists))

    drain(search_at_size(replace(problem, reach=reach), 16.0, most=1))
    assert min(asked) > 0.5, "a hand sixteen times as large stands metres away from what it holds"
