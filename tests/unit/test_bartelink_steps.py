# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Single steps: acceptance tests AT-35 to AT-39, AT-46, AT-49 and AT-54 to AT-57 of Bartelink's thesis."""

from __future__ import annotations

import numpy as np
import pytest
from bartelink_models import CHAIN_F, PHI_F, TIP_F, Y, serial

from addon.core import quaternion_calculus as qc
from addon.core.arrays import FloatArray
from addon.core.errors import UnknownChoiceError
from addon.core.rotations import multiply
from addon.solvers.chain import ChainError
from addon.solvers.linkage import kinematics, steps
from addon.solvers.linkage.limits import HingeLimit
from addon.solvers.linkage.model import Effector
from addon.solvers.two_link import solve_two_link

TARGET_F = np.array([0.040, -0.005, 0.060])
DLS_STEP = """-0.056918274 -0.287575127 0.002136921 -0.022340547 0.244246620 0.011559281
-0.011270600 0.207459452 0.002284664"""
PINV_STEP = """-0.057947999 -0.302938987 0.000768082 -0.022352304 0.266378427 0.011565364
-0.011276531 0.224756115 0.002285866"""


def state_f() -> tuple[FloatArray, FloatArray]:
    """Position Jacobian and error of chain F for the target of AT-36."""
    frames = kinematics.forward(CHAIN_F, PHI_F)
    position = kinematics.effector_position(frames, TIP_F)
    return kinematics.point_jacobian(CHAIN_F, frames, 2, position), TARGET_F - position


def elbow(angle: float) -> FloatArray:
    """Jacobian of a planar arm .4/.3 m by its two angles, rows x and z."""
    hinge = HingeLimit(axis=Y, low=-3.0, high=3.0)
    linkage = serial((0.4, 0.3), (hinge, hinge))
    phi = np.array([[0.0, 0.0, 0.0], [0.0, 0.5 * angle, 0.0]])
    frames = kinematics.forward(linkage, phi)
    effector = Effector(joint=1, offset=np.array([0.0, 0.0, 0.3]))
    jacobian = kinematics.point_jacobian(linkage, frames, 1, kinematics.effector_position(frames, effector))
    return 0.5 * jacobian[np.ix_([0, 2], [1, 4])]


def test_at35_four_forms_of_damped_least_squares() -> None:
    rng = np.random.default_rng(35)
    for rows, columns in ((3, 9), (6, 4), (1, 5)):
        jacobian, e, g = rng.normal(size=(rows, columns)), rng.normal(size=rows), 0.3
        primal = np.linalg.solve(jacobian.T @ jacobian + g * g * np.eye(columns), jacobian.T @ e)
        dual = jacobian.T @ np.linalg.solve(jacobian @ jacobian.T + g * g * np.eye(rows), e)
        u, s, vt = np.linalg.svd(jacobian, full_matrices=False)
        filtered = vt.T @ (s / (s * s + g * g) * (u.T @ e))
        augmented = np.linalg.lstsq(
            np.vstack([jacobian, g * np.eye(columns)]), np.concatenate([e, np.zeros(columns)]), rcond=None
        )[0]
        found = steps.damped(jacobian, e, g)
        for other in (primal, dual, filtered, augmented):
            assert np.abs(found - other).max() < 1e-10
        assert np.abs(steps.damped(jacobian, e, 1e-7) - np.linalg.pinv(jacobian) @ e).max() < 1e-6
        sizes = [float(np.linalg.norm(steps.damped(jacobian, e, damping))) for damping in np.linspace(0.01, 3.0, 50)]
        assert (np.diff(sizes) < 0.0).all()


def test_at36_golden_damped_step() -> None:
    jacobian, error = state_f()
    change = steps.damped(jacobian, error, 0.01)
    assert change == pytest.approx(np.array(DLS_STEP.split(), dtype=np.float64), abs=1e-8)
    assert np.linalg.norm(error) * 1e3 == pytest.approx(27.6418, abs=1e-4)
    frames = kinematics.forward(CHAIN_F, PHI_F + change.reshape(3, 3))
    after = np.linalg.norm(TARGET_F - kinematics.effector_position(frames, TIP_F))
    assert after * 1e3 == pytest.approx(7.8795, abs=1e-4)


def test_at37_golden_pseudo_inverse_step() -> None:
    jacobian, error = state_f()
    found = steps.step("pseudo-inverse", jacobian, error, 0.0)
    assert found == pytest.approx(np.array(PINV_STEP.split(), dtype=np.float64), abs=1e-8)
    assert np.linalg.svd(jacobian, compute_uv=False) == pytest.approx([0.189372971, 0.187293326, 0.036145540], abs=1e-8)


def test_at38_transpose_gains() -> None:
    jacobian, error = state_f()
    gain = steps.transpose_gain(jacobian, error)
    assert gain == pytest.approx(28.679728, abs=1e-5)
    most = steps.stable_transpose_gain(jacobian)
    assert most == pytest.approx(55.769148, abs=1e-5)
    assert gain <= most
    assert np.linalg.norm(error - jacobian @ steps.transpose(jacobian, error)) < np.linalg.norm(error)
    assert steps.transpose_gain(jacobian, np.zeros(3)) == 0.0
    # A gain beyond the bound makes an error along the widest direction grow; the solver's own never does.
    widest = np.linalg.svd(jacobian)[0][:, 0]
    assert np.linalg.norm(widest - 1.01 * most * jacobian @ jacobian.T @ widest) > 1.0
    # Along the narrowest one the best single step is longer than the bound, and is cut.
    narrowest = np.linalg.svd(jacobian)[0][:, 2]
    assert steps.transpose_gain(jacobian, narrowest) == pytest.approx(most)
    for wanted in np.random.default_rng(38).normal(size=(50, 3)):
        assert steps.transpose_gain(jacobian, wanted) <= most
        assert np.linalg.norm(wanted - jacobian @ steps.transpose(jacobian, wanted)) <= np.linalg.norm(wanted)


def test_at39_near_a_singularity() -> None:
    wanted = np.array([-0.01, -0.01])
    jacobian = elbow(1e-3)
    assert np.linalg.norm(steps.damped(jacobian, wanted, 0.01)) <= 0.03
    assert np.linalg.norm(steps.step("pseudo-inverse", jacobian, wanted, 0.0)) > 10.0
    for method in steps.METHODS:
        assert np.isfinite(steps.step(method, elbow(0.0), wanted, 0.01)).all()
    assert np.isfinite(steps.damped(elbow(0.0), wanted, 0.0)).all()


def test_at46_null_space_moves_nothing() -> None:
    jacobian, _ = state_f()
    projector = steps.null_space(jacobian)
    rng = np.random.default_rng(46)
    assert np.abs(projector - projector.T).max() < 1e-12
    assert np.abs(projector @ projector - projector).max() < 1e-12
    for z in rng.normal(size=(50, 9)):
        assert np.abs(jacobian @ projector @ z).max() < 1e-10
    start = kinematics.effector_position(kinematics.forward(CHAIN_F, PHI_F), TIP_F)
    z = projector @ -PHI_F.ravel()
    assert np.linalg.norm(z) > 0.05
    moved = [
        np.linalg.norm(
            kinematics.effector_position(kinematics.forward(CHAIN_F, PHI_F + (s * z).reshape(3, 3)), TIP_F) - start
        )
        for s in (0.02, 0.01)
    ]
    # Of second order: a quarter of the way for half of the step.
    assert moved[0] / moved[1] == pytest.approx(4.0, rel=0.1)


@pytest.mark.parametrize(("x", "y"), [(0.35, 0.30), (-0.2, 0.5), (0.0, -0.69), (0.7, 0.0), (0.1, 0.0)])
def test_at49_two_links(x: float, y: float) -> None:
    found = solve_two_link(x, y, 0.4, 0.3)
    assert found is not None
    assert found[0].elbow >= 0.0 >= found[1].elbow
    for shoulder, bend in found:
        reached = (
            0.4 * np.cos(shoulder) + 0.3 * np.cos(shoulder + bend),
            0.4 * np.sin(shoulder) + 0.3 * np.sin(shoulder + bend),
        )
        assert reached == pytest.approx((x, y), abs=1e-12)


def test_at49_out_of_reach_and_no_links() -> None:
    assert solve_two_link(0.8, 0.0, 0.4, 0.3) is None
    assert solve_two_link(0.05, 0.0, 0.4, 0.3) is None
    assert solve_two_link(0.0, 0.0, 0.3, 0.3) is None
    assert solve_two_link(float("nan"), 0.0, 0.4, 0.3) is None
    with pytest.raises(ChainError):
        solve_two_link(0.1, 0.1, 0.0, 0.3)


def test_at54_clamped_turns() -> None:
    change = np.array([[0.1, 0.0, 0.0], [0.0, 0.03, 0.04], [0.0, 0.0, 0.0]])
    found = steps.clamp_turns(change, 0.1)
    assert found == pytest.approx(np.array([[0.05, 0.0, 0.0], [0.0, 0.03, 0.04], [0.0, 0.0, 0.0]]), abs=1e-15)
    each = steps.clamp_turns(change, np.array([0.2, 0.05, 0.1]))
    assert 2.0 * np.linalg.norm(each, axis=1) == pytest.approx([0.2, 0.05, 0.0], abs=1e-15)


def test_at54_a_joint_turns_by_twice_its_change_at_most() -> None:
    rng = np.random.default_rng(54)
    for phi, change in zip(rng.uniform(-0.8, 0.8, (300, 3)), rng.uniform(-0.1, 0.1, (300, 3)), strict=True):
        turned = multiply(qc.conjugate(qc.exp(phi)), qc.exp(phi + change))
        assert 2.0 * np.linalg.norm(qc.log(turned)) <= 2.0 * np.linalg.norm(change) + 1e-12


def test_at55_retargeting() -> None:
    here, goal = np.array([0.1, 0.2, 0.3]), np.array([0.4, 0.2, 0.7])
    assert steps.retarget(here, goal, 0.1) == pytest.approx([0.16, 0.20, 0.38], abs=1e-12)
    assert steps.retarget(here, goal, 0.6) == pytest.approx(goal, abs=0.0)


def test_at56_golden_task_priority() -> None:
    jacobian = np.array([[1.0, 2.0, 0.0, 1.0], [0.0, 1.0, 1.0, -1.0]])
    contact, push, wanted = np.array([[1.0, 0.0, 1.0, 0.0]]), np.array([0.05]), np.array([0.1, -0.2])
    found = steps.task_priority(contact, push, jacobian, wanted, 0.0)
    assert found == pytest.approx([0.083333333, -0.05, -0.033333333, 0.116666667], abs=1e-9)
    assert contact @ found == pytest.approx(push, abs=1e-12)
    assert jacobian @ found == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("misalignment", [1e-1, 1e-2, 1e-3, 1e-4, 0.0])
def test_at57_contacts_come_first(misalignment: float) -> None:
    contact = np.array([[0.0, 0.0, 1.0, 0.0]])
    jacobian = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, misalignment, 1.0, 0.0]])
    push, wanted = np.array([0.01]), np.array([0.0, -0.01])
    found = steps.task_priority(contact, push, jacobian, wanted, 0.05)
    assert np.abs(contact @ found - push).max() < 1e-9
    assert np.linalg.norm(found) < 0.3
    turned = steps.clamp_turns(np.append(found, [0.0, 0.0]).reshape(2, 3), 0.02)
    assert (2.0 * np.linalg.norm(turned, axis=1) <= 0.02 + 1e-12).all()


def test_an_unknown_method_is_named() -> None:
    with pytest.raises(UnknownChoiceError, match=r"guess.*dls"):
        steps.step("guess", np.eye(3), np.ones(3), 0.1)
