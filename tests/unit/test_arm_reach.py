# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The quick estimate of an arm's reach beside the solver that is asked in the end."""

from __future__ import annotations

import numpy as np
import pytest

from addon.core.rotations import frame_from_zx, matrix_from_axis_angle, rotation_from_angles, unit
from addon.hands.arm import ArmModel
from addon.services.arm_ik import ArmPose, solve_arm
from addon.solvers.arm_reach import ReachableArm, rate_reach

DEG = np.pi / 180.0
SHOULDER = np.array([0.2, -0.1, 1.4])
LENGTHS = np.array([0.3, 0.26, 0.1])
LIMITS = (
    np.array(
        [
            [[-150.0, 150.0], [-90.0, 90.0], [-90.0, 90.0]],
            [[-20.0, 120.0], [0.0, 0.0], [-80.0, 80.0]],
            [[-75.0, 75.0], [-30.0, 30.0], [0.0, 0.0]],
        ]
    )
    * DEG
)


def arm_model() -> ArmModel:
    """An arm that hangs down with its elbow bent by 20 degrees, the palm inwards, its hand not quite in line."""
    axis, down = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, -1.0])
    fore = matrix_from_axis_angle(axis, 20.0 * DEG) @ down
    hand = matrix_from_axis_angle(unit(np.array([0.3, 0.5, 0.2])), 0.15) @ fore
    frames = np.array(
        [frame_from_zx(down, axis), frame_from_zx(fore, axis), frame_from_zx(hand, np.array([0.0, 1.0, 0.0]))]
    )
    return ArmModel(("u", "f", "h"), None, frames, frames, LENGTHS, LIMITS)


def pose_of(arm: ArmModel, angles: np.ndarray, base: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Joint frames (3, 3, 3) and the hand's frame (4, 4) of angles (3, 3) from rest."""
    turns = rotation_from_angles(angles)
    frames = [base @ arm.frames[0] @ turns[0]]
    for k in (1, 2):
        frames.append(frames[-1] @ arm.frames[k - 1].T @ arm.frames[k] @ turns[k])
    hand = np.eye(4)
    hand[:3, :3] = frames[2]
    hand[:3, 3] = SHOULDER + LENGTHS[0] * frames[0][:, 2] + LENGTHS[1] * frames[1][:, 2]
    return np.array(frames), hand


@pytest.mark.parametrize("turned", [0.0, 0.8])
def test_every_pose_within_limits_counts_as_in_reach(turned: float) -> None:
    arm, rng = arm_model(), np.random.default_rng(0)
    base = matrix_from_axis_angle(unit(np.array([0.2, 0.4, 1.0])), turned)
    angles = LIMITS[None, ..., 0] + rng.random((200, 3, 3)) * np.ptp(LIMITS, axis=-1)
    wrists = np.array([pose_of(arm, each, base)[1][:3] for each in angles])
    found = rate_reach(ReachableArm(base, SHOULDER, arm.frames, LENGTHS[:2], LIMITS), wrists)
    assert np.isfinite(found.costs).all()
    assert ((found.costs >= 0.0) & (found.costs <= 1.0)).all()
    np.testing.assert_allclose(np.linalg.norm(found.elbows - SHOULDER, axis=1), LENGTHS[0], rtol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(found.elbows - wrists[:, :, 3], axis=1), LENGTHS[1], rtol=1e-9)


def test_what_the_solver_reaches_is_never_ruled_out_and_little_else_is_let_through() -> None:
    arm, rng = arm_model(), np.random.default_rng(1)
    rest = pose_of(arm, np.zeros((3, 3)), np.eye(3))
    pose = ArmPose(np.eye(3), SHOULDER, rest[0])
    wrists = []
    for _ in range(40):
        frame = rest[1].copy()
        frame[:3, :3] = matrix_from_axis_angle(unit(rng.normal(size=3)), rng.uniform(0.0, 2.2)) @ frame[:3, :3]
        frame[:3, 3] = SHOULDER + np.array([0.0, -0.3, -0.15]) + 0.1 * rng.normal(size=3)
        wrists.append(frame)
    guess = np.isfinite(
        rate_reach(ReachableArm(np.eye(3), SHOULDER, arm.frames, LENGTHS[:2], LIMITS), np.array(wrists)[:, :3]).costs
    )
    solved = [solve_arm(arm, pose, frame) for frame in wrists]
    reached = np.array([each.residual < 1e-3 and each.rotation_residual < 1.0 * DEG for each in solved])
    assert 5 < reached.sum() < 35
    assert not (reached & ~guess).any()
    assert (guess & ~reached).sum() <= 0.4 * (~reached).sum()


def test_out_of_reach_is_infinite_and_rest_is_more_comfortable_than_the_limits() -> None:
    arm = arm_model()
    known = ReachableArm(np.eye(3), SHOULDER, arm.frames, LENGTHS[:2], LIMITS)
    far, close = np.eye(3, 4), np.eye(3, 4)
    far[:, 3] = SHOULDER - np.array([0.0, 0.0, 0.57])
    close[:, 3] = SHOULDER - np.array([0.0, 0.0, 0.01])
    assert np.isinf(rate_reach(known, np.stack([far, close])).costs).all()
    angles = np.zeros((2, 3, 3))
    angles[1, 2, 0], angles[1, 1, 2] = LIMITS[2, 0, 1], LIMITS[1, 2, 1]
    wrists = np.array([pose_of(arm, each, np.eye(3))[1][:3] for each in angles])
    rest, strained = rate_reach(known, wrists).costs
    assert rest < 0.5 * strained
