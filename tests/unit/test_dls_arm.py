# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The arm: wrist frames within limits, and the elbow's hint."""

from __future__ import annotations

import numpy as np
import pytest
from bartelink_models import DEG, X, excess, straight_chain, turn

from addon.core import rotations
from addon.core.arrays import FloatArray
from addon.solvers import arm
from addon.solvers.arm import ArmOptions
from addon.solvers.chain import Chain, ChainError
from addon.solvers.linkage import model
from addon.solvers.linkage.kinematics import Frames, forward
from addon.solvers.linkage.limits import BallLimit, HingeLimit


def human_arm() -> Chain:
    """Upper arm 30 cm, forearm 25 cm, hand 8 cm; elbow flexion 0..145 with forearm twist +-80, wrist +-60/+-30."""
    limits = np.zeros((3, 3, 2))
    limits[0] = np.array([[-60, 170], [-90, 90], [-90, 90]]) * DEG
    limits[1] = np.array([[0, 145], [0, 0], [-80, 80]]) * DEG
    limits[2] = np.array([[-60, 60], [-30, 30], [0, 0]]) * DEG
    return straight_chain((0.30, 0.25, 0.08), limits)


def frames_at(chain: Chain, angles: FloatArray) -> Frames:
    linkage = model.from_chain(chain)
    return forward(linkage, model.logs_from_angles(linkage, angles))


def random_wrists(count: int) -> list[FloatArray]:
    """Frames of the hand that the arm reaches within its limits."""
    chain = human_arm()
    rng = np.random.default_rng(1)
    out = []
    for _ in range(count):
        fraction = rng.random((3, 3))
        frames = frames_at(chain, chain.limits[..., 0] + fraction * (chain.limits[..., 1] - chain.limits[..., 0]))
        out.append(np.concatenate([frames.positions[2], rotations.quaternion_from_matrix(frames.rotations[2])]))
    return out


def test_wrist_frames_within_limits_are_reached() -> None:
    chain = human_arm()
    reached = 0
    for target in random_wrists(40):
        found = arm.solve(chain, target)
        frames = frames_at(chain, found.angles)
        assert excess(chain, found.angles) <= 0.0
        assert np.linalg.norm(frames.positions[2] - target[:3]) == pytest.approx(found.residual, abs=1e-9)
        if found.converged:
            wanted = rotations.matrix_from_quaternion(target[3:])
            assert rotations.angle_between(frames.rotations[2], wanted) <= 1e-3 + 1e-9
            assert found.residual <= 1e-5
        reached += found.converged
    assert reached >= 38


def test_swing_cones_and_a_clavicle() -> None:
    chain = straight_chain((0.12, 0.30, 0.25, 0.08))
    limits = (
        BallLimit(cone=20 * DEG, twist_low=-5 * DEG, twist_high=5 * DEG),
        BallLimit(cone=100 * DEG, cone_y=70 * DEG, twist_low=-80 * DEG, twist_high=80 * DEG, centre=turn(X, 40.0)),
        BallLimit(cone=75 * DEG, cone_y=1 * DEG, twist_low=-80 * DEG, twist_high=80 * DEG, centre=turn(X, 74.0)),
        BallLimit(cone=60 * DEG, cone_y=30 * DEG, twist_low=-3 * DEG, twist_high=3 * DEG),
    )
    linkage = model.from_chain(chain, limits)
    rng = np.random.default_rng(2)
    for _ in range(10):
        phi = model.clamped(linkage, rng.uniform(-0.4, 0.4, (4, 3)), np.zeros((4, 3)))
        frames = forward(linkage, phi)
        target = np.concatenate([frames.positions[3], rotations.quaternion_from_matrix(frames.rotations[3])])
        found = arm.solve(chain, target, ArmOptions(limits=limits))
        assert found.converged
        own = model.logs_from_angles(linkage, found.angles)
        assert np.abs(rotations.rotation_from_angles(found.angles) - _local(linkage, own)).max() < 1e-9


def _local(linkage: model.Linkage, phi: FloatArray) -> FloatArray:
    turns = forward(
        model.Linkage(
            parents=np.full(4, -1), translations=linkage.translations, rests=linkage.rests, limits=linkage.limits
        ),
        phi,
    )
    return turns.rotations


@pytest.mark.parametrize("side", [(0.5, -0.4, 0.2), (-0.5, -0.4, 0.2), (0.0, -0.6, 0.1)])
def test_the_elbow_turns_towards_its_hint(side: tuple[float, float, float]) -> None:
    limits = human_arm().limits.copy()
    limits[0] = limits[2] = [-np.pi, np.pi]
    chain = straight_chain((0.30, 0.25, 0.08), limits)
    target = np.array([0.0, -0.25, 0.30, *turn(X, 60.0)])
    start = np.array([[20, 10, 0], [60, 0, 0], [0, 0, 0]]) * DEG
    hint = np.array(side)
    plain = arm.solve(chain, target, ArmOptions(start=start))
    hinted = arm.solve(chain, target, ArmOptions(start=start, elbow_hint=hint))
    assert hinted.converged
    assert plain.converged
    off = [abs(arm.swivel_angle(frames_at(chain, found.angles).positions, hint)) for found in (plain, hinted)]
    assert off[1] < 2 * DEG
    assert off[1] <= off[0] + 1e-9


def test_a_hint_never_costs_the_wrist() -> None:
    chain = human_arm()
    for k, target in enumerate(random_wrists(10)):
        hint = np.array([0.4 * (-1) ** k, -0.5, 0.1])
        plain, hinted = arm.solve(chain, target), arm.solve(chain, target, ArmOptions(elbow_hint=hint))
        assert hinted.converged >= plain.converged
        assert excess(chain, hinted.angles) <= 0.0


def test_swivel_angle_is_signed_and_defined_everywhere() -> None:
    joints = np.array([[0.0, 0, 0], [0.1, 0.0, 0.2], [0.0, 0.0, 0.4]])
    assert arm.swivel_angle(joints, np.array([0.0, 1.0, 0.1])) == pytest.approx(np.pi / 2, abs=1e-12)
    assert arm.swivel_angle(joints, np.array([0.0, -1.0, 0.9])) == pytest.approx(-np.pi / 2, abs=1e-12)
    assert arm.swivel_angle(joints, np.array([0.0, 0.0, 1.0])) == 0.0
    assert arm.swivel_angle(np.zeros((3, 3)), np.array([1.0, 0.0, 0.0])) == 0.0


def test_out_of_reach_stretches_towards_the_target() -> None:
    chain = human_arm()
    found = arm.solve(chain, [0.0, 0.0, 0.9, 1.0, 0.0, 0.0, 0.0])
    assert not found.converged
    assert found.reason == "out of reach"
    assert found.residual == pytest.approx(0.35, abs=2e-3)


def test_bad_input() -> None:
    chain = human_arm()
    with pytest.raises(ChainError, match="shoulder"):
        arm.solve(straight_chain((0.3, 0.2)), [0.0, 0.0, 0.3, 1.0, 0.0, 0.0, 0.0])
    with pytest.raises(ChainError, match="orientation"):
        arm.solve(chain, [0.0, 0.0, 0.3])
    with pytest.raises(ChainError, match="finite"):
        arm.solve(chain, [0.0, np.nan, 0.3, 1.0, 0.0, 0.0, 0.0])
    with pytest.raises(ChainError, match="hint"):
        arm.solve(chain, [0.0, 0.0, 0.3, 1, 0, 0, 0], ArmOptions(elbow_hint=np.array([np.inf, 0.0, 0.0])))
    at_shoulder = arm.solve(chain, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    assert not at_shoulder.converged
    assert np.isfinite(at_shoulder.angles).all()
    assert isinstance(HingeLimit(axis=X, low=0.0, high=1.0).centre, tuple)
