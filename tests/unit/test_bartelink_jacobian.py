# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Forward kinematics and Jacobians: acceptance tests AT-28 to AT-34 of Bartelink's thesis."""

from __future__ import annotations

import numpy as np
import pytest
from bartelink_models import CHAIN_F, PHI_F, TIP_F, random_quaternions, serial

from addon.core import dual_quaternions as dq
from addon.core import quaternion_calculus as qc
from addon.core import rotations
from addon.core.arrays import FloatArray, IntArray
from addon.solvers.linkage import dual_kinematics, kinematics
from addon.solvers.linkage.model import Effector, Linkage

POSITION_ROWS = """
-0.012086637 0.103589507 0.023261345 -0.011102825 0.026089282 0.005744742 -0.005601273 0.003199837 0.001135434
-0.127856992 0.004586191 0.094915226 -0.075308387 0.010365429 0.038965510 -0.037992385 0.006219936 0.007701438
-0.030090661 -0.126524271 0.004662770 -0.012795673 -0.083642998 0.006620643 -0.006455299 -0.039383670 0.001308554
"""
ORIENTATION_ROWS = """
0.955227333 0.021449841 -0.521853657 1.081942780 0.027121674 0.051943859 0.932361910 0.027121674 0.569038823
-0.036555084 0.999429094 0.018277542 -0.049366654 0.994861135 -0.113611052 0.011238394 0.994861135 -0.124407619
0.521959668 0.000780097 0.955460143 -0.054915111 0.122791264 1.077844389 -0.569686870 0.122791264 0.927298538
"""


def rows(text: str) -> FloatArray:
    return np.array(text.split(), dtype=np.float64).reshape(3, 9)


def random_tree(rng: np.random.Generator) -> tuple[Linkage, Effector]:
    """Four joints, the last hanging on the second, with rests and an effector that are turned."""
    base = serial((0.3, 0.2, 0.25, 0.1))
    linkage = Linkage(
        parents=np.array([-1, 0, 1, 1]),
        translations=rng.uniform(-0.3, 0.3, (4, 3)),
        rests=random_quaternions(rng, 4),
        limits=base.limits,
    )
    return linkage, Effector(joint=3, offset=rng.uniform(-0.2, 0.2, 3), rotation=random_quaternions(rng, 1)[0])


def vector_of(linkage: Linkage, phi: FloatArray, effector: Effector) -> FloatArray:
    """Position and half-angle logarithm of the orientation, by matrices."""
    frames = kinematics.forward(linkage, phi)
    orientation = rotations.quaternion_from_matrix(kinematics.effector_rotation(frames, effector))
    return np.concatenate([kinematics.effector_position(frames, effector), qc.log(orientation)])


def differences(linkage: Linkage, phi: FloatArray, effector: Effector, which: IntArray, h: float = 1e-6) -> FloatArray:
    """Some columns of the Jacobian by central differences."""
    columns: list[FloatArray] = []
    for k in which:
        step = np.zeros(phi.size)
        step[k] = h
        ahead, behind = (
            dual_kinematics.effector_vector(linkage, phi + sign * step.reshape(phi.shape), effector) for sign in (1, -1)
        )
        columns.append((ahead - behind) / (2.0 * h))
    return np.stack(columns, axis=1)


def test_at28_golden_forward_kinematics() -> None:
    pose = dual_kinematics.effector_pose(CHAIN_F, PHI_F, TIP_F)
    assert dq.translation_of(pose) == pytest.approx([0.062613860, -0.017831712, 0.050617634], abs=1e-9)
    assert dq.rotation_of(pose) == pytest.approx([0.726514598, 0.110338142, 0.678222627, 0.004012823], abs=1e-9)
    vector = dual_kinematics.effector_vector(CHAIN_F, PHI_F, TIP_F)
    assert vector[3:] == pytest.approx([0.121643998, 0.747717065, 0.004423999], abs=1e-9)


def test_at29_golden_position_rows() -> None:
    assert dual_kinematics.jacobian(CHAIN_F, PHI_F, TIP_F)[:3] == pytest.approx(rows(POSITION_ROWS), abs=1e-8)


def test_at30_golden_orientation_rows() -> None:
    found = dual_kinematics.jacobian(CHAIN_F, PHI_F, TIP_F)[3:]
    assert found == pytest.approx(rows(ORIENTATION_ROWS), abs=1e-8)
    # What equation (10) gives as printed.
    assert abs(found[0, 0] - 0.789342379) > 0.1


def test_at31_jacobian_against_differences() -> None:
    rng = np.random.default_rng(31)
    checked = 0
    while checked < 100:
        linkage, effector = random_tree(rng)
        phi = rng.uniform(-0.8, 0.8, (4, 3))
        vector = dual_kinematics.effector_vector(linkage, phi, effector)
        if np.linalg.norm(vector[3:]) > 1.45:
            continue
        jacobian = dual_kinematics.jacobian(linkage, phi, effector)
        # A few columns of each of many configurations: every column is met dozens of times.
        which = rng.permutation(12)[:4]
        wanted = differences(linkage, phi, effector, which)
        jacobian = jacobian[:, which]
        assert np.abs(jacobian[:3] - wanted[:3]).max() < 1e-7
        assert np.abs(jacobian[3:] - wanted[3:]).max() < 1e-6 * max(1.0, np.abs(wanted[3:]).max())
        checked += 1


def test_at32_straight_links_of_length_one() -> None:
    linkage = serial((1.0, 1.0))
    jacobian = dual_kinematics.jacobian(linkage, np.zeros((2, 3)), Effector(joint=1, offset=np.array([0.0, 0.0, 1.0])))
    assert jacobian[:3] == pytest.approx(
        np.array([[0, 4, 0, 0, 2, 0], [-4, 0, 0, -2, 0, 0], [0, 0, 0, 0, 0, 0]], dtype=np.float64), abs=1e-12
    )


def test_at33_effector_at_the_last_joint() -> None:
    effector = Effector(joint=2, offset=np.zeros(3))
    for rows_of in (
        dual_kinematics.jacobian(CHAIN_F, PHI_F, effector),
        kinematics.point_jacobian(
            CHAIN_F, frames := kinematics.forward(CHAIN_F, PHI_F), 2, kinematics.effector_position(frames, effector)
        ),
    ):
        assert np.abs(rows_of[:3, 6:]).max() < 1e-12


def test_at34_two_routes_to_the_same_numbers() -> None:
    rng = np.random.default_rng(34)
    for _ in range(60):
        linkage, effector = random_tree(rng)
        phi = rng.uniform(-0.85, 0.85, (4, 3)) * rng.choice([1.0, 1e-3, 1e-7, 0.0], size=(4, 1))
        frames = kinematics.forward(linkage, phi)
        pose = dual_kinematics.effector_pose(linkage, phi, effector)
        position = kinematics.effector_position(frames, effector)
        assert np.abs(dq.translation_of(pose) - position).max() < 1e-12
        matrix = rotations.matrix_from_quaternion(dq.rotation_of(pose))
        assert np.abs(matrix - kinematics.effector_rotation(frames, effector)).max() < 1e-12
        jacobian = dual_kinematics.jacobian(linkage, phi, effector)
        fast = kinematics.point_jacobian(linkage, frames, effector.joint, position)
        assert np.abs(jacobian[:3] - fast).max() < 1e-10
        # Angular rates are the derivative of the logarithm times the rates of that logarithm.
        turns = kinematics.rotation_jacobian(linkage, frames, effector.joint)
        to_rates = qc.angular_rates(qc.log(dq.rotation_of(pose)))
        assert np.abs(turns - to_rates @ jacobian[3:]).max() < 1e-8


def test_at34_rates_of_the_fast_route_are_those_of_the_calculus() -> None:
    rng = np.random.default_rng(35)
    phi = rng.uniform(-0.9, 0.9, (200, 3)) * 10.0 ** rng.uniform(-12, 0, (200, 1))
    lengths = tuple(np.full(200, 0.1).tolist())
    linkage = serial(lengths)
    flat = Linkage(
        parents=np.full(200, -1), translations=linkage.translations, rests=linkage.rests, limits=linkage.limits
    )
    frames = kinematics.forward(flat, phi)
    assert np.abs(frames.axes - qc.angular_rates(phi)).max() < 1e-9
    assert np.abs(frames.rotations - rotations.matrix_from_quaternion(qc.exp(phi))).max() < 1e-9


def test_orientation_switch_zeroes_the_columns_of_a_joint() -> None:
    frames = kinematics.forward(CHAIN_F, PHI_F)
    used = np.array([False, True, False])
    jacobian = kinematics.rotation_jacobian(CHAIN_F, frames, 2, used)
    assert not jacobian[:, :3].any()
    assert not jacobian[:, 6:].any()
    assert jacobian[:, 3:6].any()
