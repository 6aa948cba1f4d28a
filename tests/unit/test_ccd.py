# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cyclic coordinate descent: acceptance tests AT-41, AT-43 and AT-45, its fall-back, the index finger and bad input."""

from __future__ import annotations

import numpy as np
import pytest
from bartelink_models import (
    DEG,
    X,
    excess,
    index_finger,
    index_targets,
    random_quaternions,
    straight_chain,
    thesis_finger,
    tip_position,
    turn,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from test_dls import ARM, ARM_START, COUPLED, arm_targets, finger_targets

from addon.core import quaternion_calculus as qc
from addon.core import rotations
from addon.solvers import ccd
from addon.solvers.ccd import CcdOptions
from addon.solvers.chain import ChainError
from addon.solvers.dls import DlsOptions
from addon.solvers.linkage import model
from addon.solvers.linkage.goals import Goal
from addon.solvers.linkage.kinematics import effector_position, effector_rotation, forward
from addon.solvers.linkage.model import Effector


# The whole sets of 1000 give 100 % and 100 %; 60 of each keep the suite quick.
@pytest.mark.parametrize("coupled", [False, True])
def test_index_finger_reaches_every_target_within_limits(coupled: bool) -> None:
    chain = index_finger()
    options = CcdOptions(couplings=COUPLED if coupled else ())
    for target in index_targets(60, coupled=coupled):
        found = ccd.solve(chain, target, options)
        assert found.converged
        assert np.linalg.norm(tip_position(chain, found.angles) - target) <= 1e-5 + 1e-12
        assert excess(chain, found.angles) <= 0.0
        if coupled:
            assert found.angles[2, 0] == pytest.approx(2.0 / 3.0 * found.angles[1, 0], abs=1e-9)


def test_at41_thesis_finger() -> None:
    chain, limits = thesis_finger()
    targets = finger_targets(80)
    rates = []
    for options in (
        CcdOptions(limits=limits, tolerance=1e-4, stall=0.0, fallback=False),
        CcdOptions(limits=limits, tolerance=1e-4, dls=DlsOptions(restarts=0)),
        CcdOptions(limits=limits, tolerance=1e-4),
    ):
        rates.append(np.mean([ccd.solve(chain, target, options).converged for target in targets]))
    assert rates[0] >= 0.80
    assert rates[0] < 1.0, "coordinate descent alone is known to stick in limits' corners"
    assert rates[1] >= 0.98
    assert rates[2] >= 0.995


def test_at42_arm_without_limits() -> None:
    options = CcdOptions(tolerance=1e-4, max_sweeps=200, stall=0.0, start=ARM_START, fallback=False)
    assert np.mean([ccd.solve(ARM, target, options).converged for target in arm_targets(50)]) >= 0.90


def test_at43_out_of_reach() -> None:
    target = 1.05 * rotations.unit([0.6, -0.5, 0.4])
    options = CcdOptions(max_sweeps=300, stall=0.0, start=ARM_START)
    found = ccd.solve(ARM, target, options)
    assert found.residual == pytest.approx(0.35, abs=1e-4)
    assert found.reason == "out of reach"
    linkage = model.from_chain(ARM)
    sweeps = ccd.descend(linkage, Goal(model.tip_of(ARM), target), model.logs_from_angles(linkage, ARM_START), options)
    assert (np.diff(sweeps.history[-50:]) <= 1e-12).all()


@pytest.mark.parametrize("weight", [0.5, 0.7, 1.0])
def test_at45_position_and_orientation_of_a_turned_effector(weight: float) -> None:
    chain = straight_chain((0.15, 0.30, 0.25, 0.10))
    linkage = model.from_chain(chain)
    effector = Effector(joint=3, offset=np.array([0.0, 0.0, 0.1]), rotation=np.array(turn(X, 90.0)))
    start = np.zeros((4, 3))
    start[:, 0] = 0.2
    rng = np.random.default_rng(45)
    reached = []
    for _ in range(40):
        frames = forward(linkage, qc.log(random_quaternions(rng, 4)))
        rotation = rotations.quaternion_from_matrix(effector_rotation(frames, effector))
        goal = Goal(effector, effector_position(frames, effector), rotation)
        options = CcdOptions(
            orientation_weight=weight, tolerance=1e-3, rotation_tolerance=0.5 * DEG, max_sweeps=200, stall=0.0
        )
        reached.append(ccd.descend(linkage, goal, start, options).reached)
    assert np.mean(reached) >= 0.90


def test_at47_stops_at_the_last_sweep_and_before_the_first() -> None:
    far = ccd.solve(ARM, [2.0, 0.0, 0.0], CcdOptions(max_sweeps=7, stall=0.0))
    assert far.iterations == 7
    there = ccd.solve(ARM, tip_position(ARM, ARM_START), CcdOptions(start=ARM_START))
    assert there.iterations == 0
    assert there.converged


@settings(max_examples=25, deadline=None)
@given(st.tuples(*[st.floats(-0.2, 0.2)] * 3))
def test_any_target_gives_a_pose_within_limits(target: tuple[float, float, float]) -> None:
    chain = index_finger()
    found = ccd.solve(chain, target, CcdOptions(fallback=False))
    assert np.isfinite(found.angles).all()
    assert excess(chain, found.angles) <= 0.0
    assert found.residual == pytest.approx(np.linalg.norm(tip_position(chain, found.angles) - target), abs=1e-9)


def test_bad_input() -> None:
    chain = index_finger()
    for target in ([np.nan, 0.0, 0.0], [np.inf, 0.0, 0.0], [0.0, 0.0]):
        with pytest.raises(ChainError):
            ccd.solve(chain, target)
    with pytest.raises(ChainError, match="switches"):
        ccd.solve(chain, [0.0, 0.0, 0.05], CcdOptions(orientation_joints=(True,)))
    at_base = ccd.solve(chain, [0.0, 0.0, 0.0])
    assert not at_base.converged
    assert np.isfinite(at_base.angles).all()
    one = straight_chain((0.05,))
    assert ccd.solve(one, [0.03, 0.0, 0.04]).converged
    assert not ccd.solve(one, [0.0, 0.0, 0.02]).converged
    folded = ccd.solve(one, [0.0, 0.0, -0.05])
    assert folded.converged
