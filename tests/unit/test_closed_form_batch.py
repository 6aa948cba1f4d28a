# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The vectorised closed form against its scalar twin."""

from __future__ import annotations

import math

import numpy as np
import pytest
from test_closed_form import LIMITS_DEG, make_chain, random_poses, tip_of

from addon.solvers.chain import ChainError
from addon.solvers.closed_form import ClosedFormOptions, build_finger, pose_tip
from addon.solvers.closed_form_batch import solve_batch

HYPEREXTENDED = ((-40.0, 90.0), (-10.0, 20.0), (-25.0, 100.0), (-20.0, 70.0))
CURLED = ((-60.0, 120.0), (-40.0, 40.0), (0.0, 150.0), (0.0, 140.0))


@pytest.mark.parametrize("limits_deg", [LIMITS_DEG, HYPEREXTENDED, CURLED, (*LIMITS_DEG[:3], (0.0, 0.0))])
@pytest.mark.parametrize("options", [ClosedFormOptions(), ClosedFormOptions(theta_u=math.pi)])
def test_batch_and_scalar_agree_on_reachable_targets(limits_deg, options: ClosedFormOptions) -> None:
    chain = make_chain(limits_deg=limits_deg)
    finger = build_finger(chain, options)
    targets = np.array([tip_of(chain, pose) for pose in random_poses(chain, 1000, seed=20)])
    poses = solve_batch(finger, targets)
    scalar = np.array([pose_tip(finger, *target) for target in targets.tolist()])
    assert poses.converged.all()
    assert poses.residual.max() <= 1e-8
    assert np.abs(poses.angles - scalar[:, :4]).max() <= 1e-6
    low, high = chain.limits[[0, 0, 1, 2], [0, 1, 0, 0]].T
    assert (poses.angles >= low).all()
    assert (poses.angles <= high).all()


def test_batch_and_scalar_agree_on_an_exactly_coupled_finger() -> None:
    chain = make_chain()
    finger = build_finger(chain, ClosedFormOptions(exact_coupling=True))
    targets = np.array([tip_of(chain, pose) for pose in random_poses(chain, 1000, seed=21, coupled=True)])
    poses = solve_batch(finger, targets)
    scalar = np.array([pose_tip(finger, *target) for target in targets.tolist()])
    assert poses.converged.all()
    assert np.abs(poses.angles - scalar[:, :4]).max() <= 1e-7
    assert np.abs(poses.angles[:, 3] - 2.0 / 3.0 * poses.angles[:, 2]).max() <= 1e-12


def test_residuals_bound_what_forward_kinematics_says() -> None:
    chain = make_chain()
    finger = build_finger(chain)
    targets = np.random.default_rng(22).normal((0.0, -0.04, 0.03), 0.02, size=(120, 3))
    poses = solve_batch(finger, targets)
    assert 20 < poses.converged.sum() < 100
    for target, angles, residual in zip(targets, poses.angles, poses.residual, strict=True):
        pose = np.zeros((3, 3))
        pose[0, :2], pose[1:, 0] = angles[:2], angles[2:]
        miss = np.linalg.norm(tip_of(chain, pose) - target)
        assert miss <= residual + 1e-12
        assert residual - miss <= 1e-7


def test_empty_and_malformed_batches() -> None:
    finger = build_finger(make_chain())
    assert solve_batch(finger, np.empty((0, 3))).angles.shape == (0, 4)
    with pytest.raises(ChainError, match="Target 1 of the batch"):
        solve_batch(finger, np.array([[0.0, 0.0, 0.05], [0.0, math.nan, 0.05]]))
