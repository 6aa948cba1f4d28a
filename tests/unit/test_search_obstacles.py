# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hands that are set round an object keep out of what stands round it, all of the hand, and within reach."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from test_search import build

from addon.core.arrays import FloatArray
from addon.solvers.search import Weights, drain, search
from addon.solvers.search.placing import hand_turns, lift_free, place_wrists


def _floor(points: FloatArray) -> FloatArray:
    """Distance to a floor below the object."""
    return points[:, 2] + 0.045


@pytest.mark.parametrize("shape", ["ball", "rod"])
def test_open_hands_that_come_free_are_clear_of_the_floor_too(shape: str) -> None:
    problem = build(shape)
    if shape == "rod":
        # A wall beside the rod, as a floor would cut off its end.
        problem = replace(problem, obstacles=lambda points: _floor(points[:, [1, 2, 0]]))
    else:
        problem = replace(problem, obstacles=_floor)
    attempt = problem.attempts[0]
    wrists = place_wrists(attempt, hand_turns(attempt, problem.approach, np.random.default_rng(0)))
    lifted, off = lift_free(problem, attempt, wrists)
    free = np.isfinite(off)
    assert 0 < free.sum() < len(free), "some hands have room and some have not"
    coarse = problem.skin.coarse
    start = np.broadcast_to(attempt.start, (int(free.sum()), *attempt.start.shape))
    places = coarse.all_positions(coarse.motions(start, lifted[free]))
    assert problem.obstacles is not None
    gaps = problem.obstacles(places.reshape(-1, 3)).reshape(len(places), -1) - coarse.probes.radii
    assert gaps.min() >= 0.0


def test_without_obstacles_nothing_changes() -> None:
    problem = build("ball")
    attempt = problem.attempts[0]
    wrists = place_wrists(attempt, hand_turns(attempt, problem.approach, np.random.default_rng(0)))
    far = replace(problem, obstacles=lambda points: np.full(len(points), 9.0))
    for one, other in zip(lift_free(problem, attempt, wrists), lift_free(far, attempt, wrists), strict=True):
        np.testing.assert_array_equal(one, other)


def test_where_only_bad_stances_are_in_reach_those_are_taken() -> None:
    problem = replace(build("ball"), weights=Weights(upright=4.0))

    def thumb_down(wrists: FloatArray) -> FloatArray:
        """In reach with the thumb well down only, which nobody does who need not."""
        return np.where(wrists[:, :, :3] @ problem.thumb_way @ problem.up < -0.5, 0.0, np.inf)

    found = drain(search(replace(problem, reach=thumb_down), seed=0))
    assert found.candidates
    assert np.isfinite(thumb_down(np.array([each.wrist for each in found.candidates]))).all()
