# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Interpolation and the kernels of coordinate descent: acceptance tests AT-22 to AT-27 of Bartelink's thesis."""

from __future__ import annotations

import numpy as np
import pytest
from bartelink_models import DEG, Y, random_quaternions, turn

from addon.core import dual_quaternions as dq
from addon.core import quaternion_calculus as qc
from addon.core import rotations
from addon.solvers.linkage import scalars as sc
from addon.solvers.linkage.partial_rotations import orientation_rotation, pose_rotation, vector_rotation
from addon.solvers.linkage.scalars import Quat, Vec


def quat(row: np.ndarray) -> Quat:
    w, x, y, z = row.tolist()
    return (w, x, y, z)


def vec(row: np.ndarray) -> Vec:
    x, y, z = row.tolist()
    return (x, y, z)


def angle(p: np.ndarray, q: np.ndarray) -> float:
    return 2.0 * float(np.linalg.norm(qc.log(rotations.multiply(qc.conjugate(p), q))))


def test_at22_slerp_ends_symmetry_and_speed() -> None:
    rng = np.random.default_rng(22)
    for p, q in zip(random_quaternions(rng, 300), random_quaternions(rng, 300), strict=True):
        assert np.abs(qc.slerp(p, q, 0.0) - p).max() < 1e-12
        assert abs(qc.slerp(p, q, 1.0) @ q) == pytest.approx(1.0, abs=1e-12)
        assert abs(qc.slerp(p, q, 0.3) @ qc.slerp(q, p, 0.7)) == pytest.approx(1.0, abs=1e-12)
    places = [qc.slerp(p, q, t) for t in np.linspace(0.0, 1.0, 11)]
    speeds = [angle(places[k], places[k + 1]) for k in range(10)]
    assert max(speeds) / min(speeds) < 1.0 + 1e-6


@pytest.mark.parametrize(("degrees", "most"), [(10.0, 0.0015), (30.0, 0.034), (90.0, 0.93)])
def test_at23_linear_blend_is_near_the_arc(degrees: float, most: float) -> None:
    p, q = np.array([1.0, 0, 0, 0]), np.array(turn(Y, degrees))
    off = [angle(qc.nlerp(p, q, t), qc.slerp(p, q, t)) / DEG for t in np.linspace(0.0, 1.0, 101)]
    assert max(off) <= most
    assert max(off) > 0.5 * most


@pytest.mark.parametrize("degrees", [0.001, 1.0, 30.0, 90.0, 150.0, 179.9])
def test_at24_vector_to_vector(degrees: float) -> None:
    for first in rotations.unit(np.random.default_rng(24).normal(size=(20, 3))):
        axis = rotations.unit(np.cross(first, [0.3, 0.8, -0.5]))
        second = rotations.matrix_from_axis_angle(axis, degrees * DEG) @ first
        for t in (0.25, 0.5, 1.0):
            got = sc.rotate(vector_rotation(vec(first), vec(second), t), vec(first))
            wanted = rotations.matrix_from_axis_angle(axis, t * degrees * DEG) @ first
            assert np.abs(np.array(got) - wanted).max() < 1e-12


def test_at24_parallel_opposite_and_no_vectors() -> None:
    assert vector_rotation((0.0, 0.0, 2.0), (0.0, 0.0, 1.0), 1.0) == (1.0, 0.0, 0.0, 0.0)
    assert vector_rotation((0.0, 0.0, 0.0), (0.0, 0.0, 1.0), 1.0) == (1.0, 0.0, 0.0, 0.0)
    for v in ((0.0, 0.0, 1.0), (0.6, 0.8, 0.0), (1.0, 0.0, 0.0)):
        q = vector_rotation(v, sc.scaled(v, -2.0), 1.0)
        assert sc.rotate(q, v) == pytest.approx(sc.scaled(v, -1.0), abs=1e-12)
        assert abs(q[0]) < 1e-12


def test_at25_orientation_to_orientation() -> None:
    rng = np.random.default_rng(25)
    for p, q in zip(random_quaternions(rng, 300), random_quaternions(rng, 300), strict=True):
        for t in (0.25, 0.5, 1.0):
            part = np.array(orientation_rotation(quat(p), quat(q), t))
            assert np.abs(rotations.multiply(p, part) - qc.slerp(p, q, t)).max() < 1e-12
            assert 2.0 * np.linalg.norm(qc.log(part)) == pytest.approx(t * angle(p, q), abs=1e-12)


def test_at26_position_and_orientation_together() -> None:
    rng = np.random.default_rng(26)
    for a, b in zip(random_quaternions(rng, 300), random_quaternions(rng, 300), strict=True):
        end, target = (quat(a), vec(rng.normal(size=3))), (quat(b), vec(rng.normal(size=3)))
        turned = pose_rotation(end, target, fraction=1.0, orientation_weight=1.0)
        assert abs(np.dot(sc.multiply(turned, end[0]), target[0])) == pytest.approx(1.0, abs=1e-12)
        aimed = sc.rotate(pose_rotation(end, target, fraction=1.0, orientation_weight=0.0), end[1])
        assert rotations.unit(aimed) == pytest.approx(rotations.unit(target[1]), abs=1e-12)


def test_at27_blend_of_equal_quaternions() -> None:
    q = random_quaternions(np.random.default_rng(27), 1)[0]
    blend = qc.log_blend(np.tile(q, (4, 1)), [0.1, 0.2, 0.3, 0.4])
    assert abs(blend @ q) == pytest.approx(1.0, abs=1e-12)
    mixed = qc.log_blend(random_quaternions(np.random.default_rng(28), 4), [0.25] * 4)
    assert np.linalg.norm(mixed) == pytest.approx(1.0, abs=1e-12)


def test_screw_interpolation_and_blend_of_poses() -> None:
    rng = np.random.default_rng(29)
    q, t = random_quaternions(rng, 2), rng.normal(size=(2, 3))
    a, b = dq.from_pose(q, t)
    assert np.abs(dq.sclerp(a, b, 0.0) - a).max() < 1e-12
    end = dq.sclerp(a, b, 1.0)
    assert np.abs(dq.translation_of(end) - t[1]).max() < 1e-12
    middle = dq.sclerp(a, b, 0.5)
    assert np.abs(dq.multiply(middle, dq.multiply(dq.conjugate(a), middle)) - np.sign(end @ b) * b).max() < 1e-9
    same = dq.blend(np.stack([a, -a, a]), [0.2, 0.3, 0.5])
    assert np.abs(same - a).max() < 1e-12
