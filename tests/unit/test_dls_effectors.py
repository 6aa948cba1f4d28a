# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Several effectors on one mechanism, in order and stacked: acceptance test AT-61 of Bartelink's thesis and more."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from bartelink_models import IDENTITY

from addon.core.arrays import FloatArray
from addon.core.rotations import quaternion_from_matrix
from addon.solvers.chain import ChainError
from addon.solvers.effectors import Branch, branches_of, reach_of, solve_order, solve_ordered, solve_stacked
from addon.solvers.linkage.goals import Goal, errors_of, read_goal, stacked_jacobian
from addon.solvers.linkage.kinematics import effector_position, forward
from addon.solvers.linkage.limits import FreeLimit, HingeLimit
from addon.solvers.linkage.model import Effector, Linkage

# An arm of two joints and a hand (2) that carries two fingers of two joints each.
TREE = Linkage(
    parents=np.array([-1, 0, 1, 2, 3, 2, 5]),
    translations=np.array(
        [[0, 0, 0], [0, 0, 0.3], [0, 0, 0.25], [0.02, 0, 0.09], [0, 0, 0.04], [-0.02, 0, 0.09], [0, 0, 0.04]]
    ),
    rests=np.tile(IDENTITY, (7, 1)),
    limits=(FreeLimit(),) * 7,
)
PALM = Effector(joint=2, offset=np.array([0.0, 0.0, 0.05]))
TIPS = [Effector(joint=joint, offset=np.array([0.0, 0.0, 0.03])) for joint in (4, 6)]
START = np.tile([0.1, 0.02, 0.0], (7, 1))


def reachable_goals(seed: int, effectors: list[Effector]) -> list[Goal]:
    phi = START + np.random.default_rng(seed).uniform(-0.35, 0.35, (7, 3))
    frames = forward(TREE, phi)
    return [Goal(effector, effector_position(frames, effector)) for effector in effectors]


def test_at61_carriers_come_first_in_any_order() -> None:
    arm = Branch(hangs_on=-1, joints=(0, 1, 2))
    fingers = [Branch(hangs_on=2, joints=(3, 4)), Branch(hangs_on=2, joints=(5, 6))]
    ring = Branch(hangs_on=4, joints=(7,))
    for order in permutations([arm, *fingers, ring]):
        solved = [order[k] for k in solve_order(order)]
        assert solved.index(arm) < min(solved.index(finger) for finger in fingers)
        assert solved.index(fingers[0]) < solved.index(ring)
        assert len(solved) == 4


def test_at61_a_ring_is_refused() -> None:
    with pytest.raises(ChainError, match="ring"):
        solve_order([Branch(hangs_on=1, joints=(0,)), Branch(hangs_on=0, joints=(1,))])


def test_branches_share_no_joint() -> None:
    found = branches_of(TREE, [PALM, *TIPS])
    assert [branch.joints for branch in found] == [(0, 1, 2), (3, 4), (5, 6)]
    assert [branch.hangs_on for branch in found] == [-1, 2, 2]
    with pytest.raises(ChainError, match="joint of its own"):
        branches_of(TREE, [TIPS[0], PALM])


@pytest.mark.parametrize("seed", range(5))
def test_ordered_chains_reach_arm_then_fingers(seed: int) -> None:
    # Fingertips of the pose whose palm the arm takes: reach them relative to where the arm ends.
    found = solve_ordered(TREE, reachable_goals(seed, [PALM]), START)
    frames = forward(TREE, found.phi)
    assert found.converged
    bent = found.phi.copy()
    bent[3:, 0] += 0.2
    targets = [effector_position(forward(TREE, bent), tip) for tip in TIPS]
    goals = [Goal(PALM, effector_position(frames, PALM)), *(Goal(e, t) for e, t in zip(TIPS, targets, strict=True))]
    both = solve_ordered(TREE, goals, START)
    assert both.converged
    assert (both.residuals < 1e-5).all()
    assert np.abs(both.phi[:3] - found.phi[:3]).max() < 1e-3
    backwards = solve_ordered(TREE, goals[::-1], START, branches=branches_of(TREE, [PALM, *TIPS])[::-1])
    assert np.abs(backwards.phi - both.phi).max() < 1e-12


@pytest.mark.parametrize("seed", range(5))
def test_stacked_goals_are_reached_together(seed: int) -> None:
    found = solve_stacked(TREE, reachable_goals(seed, [PALM, *TIPS]), START)
    assert found.converged
    assert (found.residuals <= 1e-5).all()
    assert found.rotation_residuals.tolist() == [0.0, 0.0, 0.0]


def test_stacked_jacobian_against_differences() -> None:
    rng = np.random.default_rng(3)
    phi = rng.uniform(-0.5, 0.5, (7, 3))
    goals = (
        Goal(PALM, np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])),
        *(Goal(tip, np.zeros(3)) for tip in TIPS),
    )

    def error(at: FloatArray) -> FloatArray:
        found = errors_of(forward(TREE, at), goals)
        return np.concatenate([found.positions[0], found.positions[1], found.positions[2]])

    found = stacked_jacobian(TREE, forward(TREE, phi), goals, 0.2)
    assert found.shape == (12, 21)
    rows = np.vstack([found[:3], found[6:]])
    for k in range(21):
        step = np.zeros(21)
        step[k] = 1e-6
        change = (error(phi - step.reshape(7, 3)) - error(phi + step.reshape(7, 3))) / 2e-6
        assert np.abs(rows[:, k] - change).max() < 1e-7


def test_stacked_orientation_rows_against_differences() -> None:
    phi = np.random.default_rng(4).uniform(-0.5, 0.5, (7, 3))
    frames = forward(TREE, phi)
    here = quaternion_from_matrix(frames.rotations[PALM.joint])
    goals = (Goal(PALM, effector_position(frames, PALM), here), Goal(TIPS[0], np.zeros(3)))
    length = 0.2
    rows = stacked_jacobian(TREE, frames, goals, length)[3:6]

    def turn(at: FloatArray) -> FloatArray:
        return errors_of(forward(TREE, at.reshape(7, 3)), goals).turns[0]

    for k in range(21):
        step = np.zeros(21)
        step[k] = 1e-6
        change = (turn(phi.ravel() - step) - turn(phi.ravel() + step)) / 2e-6
        assert np.abs(rows[:, k] - length * change).max() < 1e-7


@pytest.mark.parametrize("solve", [solve_ordered, solve_stacked])
def test_results_say_why_and_what_lies_on_a_limit(solve) -> None:
    hinges = replace(TREE, limits=(HingeLimit(axis=(1.0, 0.0, 0.0), low=0.0, high=0.6),) * 7)
    start = np.tile([0.1, 0.0, 0.0], (7, 1))
    effectors = [PALM, *TIPS]
    bent = start + np.array([[0.1, 0.0, 0.0]])
    goals = [Goal(e, effector_position(forward(hinges, bent), e)) for e in effectors]
    good = solve(hinges, goals, start)
    assert (good.converged, good.reason) == (True, "reached")
    assert good.residual == good.residuals.max()
    assert np.abs(good.angles[:, 0] - 2.0 * good.phi[:, 0]).max() < 1e-9
    assert not good.limits_touched[:, 0].any()
    behind = solve(hinges, [Goal(PALM, np.array([0.0, 0.5, 0.1])), *goals[1:]], start)
    assert (behind.converged, behind.reason) == (False, "limits")
    assert behind.limits_touched[0, 0]
    assert solve(hinges, [Goal(PALM, np.array([0.0, 0.0, 3.0])), *goals[1:]], start).reason == "out of reach"


def test_reach_is_the_straight_path() -> None:
    everything = np.ones(7, dtype=np.bool_)
    assert reach_of(TREE, PALM, everything) == pytest.approx(0.6, abs=1e-12)
    fingers = np.arange(7) >= 3
    assert reach_of(TREE, TIPS[0], fingers) == pytest.approx(0.07, abs=1e-12)


def test_bad_input() -> None:
    with pytest.raises(ChainError, match="finite"):
        read_goal(PALM, [np.nan, 0.0, 0.0])
    with pytest.raises(ChainError, match="branches"):
        solve_ordered(TREE, reachable_goals(0, [PALM]), START, branches=())
    with pytest.raises(ChainError, match="before its parent"):
        Linkage(
            parents=np.array([1, -1]),
            translations=np.zeros((2, 3)),
            rests=np.tile(IDENTITY, (2, 1)),
            limits=(FreeLimit(),) * 2,
        )
    with pytest.raises(ChainError, match="finite"):
        Linkage(
            parents=np.array([-1]),
            translations=np.full((1, 3), np.inf),
            rests=np.array([IDENTITY]),
            limits=(FreeLimit(),),
        )
