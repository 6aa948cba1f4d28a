# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Quaternions, dual quaternions and their calculus: acceptance tests AT-1 to AT-12 of Bartelink's thesis."""

from __future__ import annotations

import numpy as np
import pytest
from bartelink_models import random_quaternions
from hypothesis import given
from hypothesis import strategies as st

from addon.core import dual_quaternions as dq
from addon.core import quaternion_calculus as qc
from addon.core import rotations
from addon.solvers.linkage import scalars as sc
from addon.solvers.linkage.limits import BallLimit, HingeLimit

RNG_SEED = 1
W = np.array([0.3, -0.4, 0.2])
D_GOLDEN = np.array(
    [
        [-0.285708804, 0.380945072, -0.190472536],
        [0.923223718, 0.038851950, -0.019425975],
        [0.038851950, 0.900560080, 0.025901300],
        [-0.019425975, 0.025901300, 0.939412030],
    ]
)
PINV_GOLDEN = np.array(
    [
        [-0.285708804, 0.990573694, 0.079261935, -0.039630968],
        [0.380945072, 0.079261935, 0.944337565, 0.052841290],
        [-0.190472536, -0.039630968, 0.052841290, 1.023599500],
    ]
)
vectors = st.tuples(*[st.floats(-0.9, 0.9)] * 3).map(np.array)


def test_at1_products_of_unit_quaternions() -> None:
    rng = np.random.default_rng(RNG_SEED)
    p, q = random_quaternions(rng, 300), random_quaternions(rng, 300)
    product = rotations.multiply(p, q)
    assert np.abs(np.linalg.norm(product, axis=1) - 1.0).max() < 1e-12
    assert np.abs(qc.conjugate(product) - rotations.multiply(qc.conjugate(q), qc.conjugate(p))).max() < 1e-12
    matrices = rotations.matrix_from_quaternion(p) @ rotations.matrix_from_quaternion(q)
    assert np.abs(rotations.matrix_from_quaternion(product) - matrices).max() < 1e-12


def test_at1_scalar_quaternions_are_the_same() -> None:
    rng = np.random.default_rng(RNG_SEED)
    for p, q, v in zip(
        random_quaternions(rng, 50), random_quaternions(rng, 50), rng.uniform(-1, 1, (50, 3)), strict=True
    ):
        a, b = tuple(p.tolist()), tuple(q.tolist())
        assert np.abs(np.array(sc.multiply(a, b)) - rotations.multiply(p, q)).max() < 1e-14
        assert np.abs(np.array(sc.rotate(a, tuple(v.tolist()))) - qc.rotate(p, v)).max() < 1e-14
        assert np.abs(np.array(sc.log(a)) - qc.log(p)).max() < 1e-14
        assert np.abs(np.array(sc.exp(tuple(v.tolist()))) - qc.exp(v)).max() < 1e-14


def test_at2_dual_quaternions_move_points() -> None:
    rng = np.random.default_rng(RNG_SEED)
    q, t, v = random_quaternions(rng, 300), rng.normal(size=(300, 3)), rng.normal(size=(300, 3))
    d = dq.from_pose(q, t)
    moved = np.einsum("nij,nj->ni", rotations.matrix_from_quaternion(q), v) + t
    assert np.abs(dq.transform(d, v) - moved).max() < 1e-12
    other = d[::-1]
    assert np.abs(dq.transform(dq.multiply(d, other), v) - dq.transform(d, dq.transform(other, v))).max() < 1e-12
    assert np.abs(dq.multiply(d, dq.conjugate(d)) - dq.from_pose([1, 0, 0, 0], [0, 0, 0])).max() < 1e-12


def test_at3_translation_comes_out_in_both_frames() -> None:
    rng = np.random.default_rng(RNG_SEED)
    q, t = random_quaternions(rng, 300), rng.normal(size=(300, 3))
    d = dq.from_pose(q, t)
    assert np.abs(dq.translation_of(d) - t).max() < 1e-12
    # Rotated first: t1 = 2 q* dual = q* t q.
    own = 2.0 * rotations.multiply(qc.conjugate(q), d[:, 4:])[:, 1:]
    assert np.abs(own - qc.rotate(qc.conjugate(q), t)).max() < 1e-12


def test_at4_golden_pose_and_screw() -> None:
    v, angle, t = np.array([1.0, 2.0, 2.0]) / 3.0, 1.3, np.array([0.4, -1.0, 0.7])
    d = dq.from_pose(qc.exp(0.5 * angle * v), t)
    assert d == pytest.approx(
        [0.796083799, 0.201728802, 0.403457604, 0.403457604, 0.020172880, -0.183722204, -0.408128339, 0.460185251],
        abs=1e-8,
    )
    assert dq.transform(d, [1.0, 2.0, 3.0]) == pytest.approx([2.205150162, 1.004370014, 3.293054905], abs=1e-8)
    screw = dq.screw_of(d)
    assert screw.angle == pytest.approx(angle, abs=1e-12)
    assert screw.shift == pytest.approx(-0.066666667, abs=1e-8)
    assert screw.moment == pytest.approx([-0.288963576, -0.645152609, 0.789634397], abs=1e-8)
    assert abs(screw.moment @ screw.direction) < 1e-12
    assert np.abs(dq.from_screw(screw) - d).max() < 1e-12


def test_at5_screws_without_a_turn() -> None:
    for t in (np.array([0.3, -0.2, 0.6]), np.zeros(3)):
        screw = dq.screw_of(dq.from_pose([1.0, 0.0, 0.0, 0.0], t))
        assert np.isfinite([*screw.direction, *screw.moment, screw.shift]).all()
        assert np.abs(dq.translation_of(dq.from_screw(screw)) - t).max() < 1e-12
    tiny = dq.from_pose(qc.exp([1e-12, 0.0, 0.0]), [0.0, 1.0, 0.0])
    assert np.isfinite(dq.power(tiny, 0.5)).all()


def test_at6_both_signs_are_one_rotation() -> None:
    ball = BallLimit(cone=0.5, twist_low=-0.2, twist_high=0.3)
    hinge = HingeLimit(axis=(0.0, 1.0, 0.0), low=0.0, high=1.0)
    for q in random_quaternions(np.random.default_rng(RNG_SEED), 100):
        assert np.abs(qc.log(q) - qc.log(-q)).max() == 0.0
        assert np.abs(rotations.matrix_from_quaternion(q) - rotations.matrix_from_quaternion(-q)).max() < 1e-15
        one, other = tuple(q.tolist()), tuple((-q).tolist())
        for limit in (ball, hinge):
            assert limit.clamp(one, sc.IDENTITY) == pytest.approx(limit.clamp(other, sc.IDENTITY), abs=1e-15)


def test_at7_golden_exponential() -> None:
    q = qc.exp(W)
    assert q == pytest.approx([0.858470468, 0.285708804, -0.380945072, 0.190472536], abs=1e-9)
    assert qc.log(q) == pytest.approx(W, abs=1e-12)


@given(vectors)
def test_at8_logarithm_undoes_the_exponential(w: np.ndarray) -> None:
    assert np.abs(qc.log(qc.exp(w)) - qc.shortest_log(w)).max() < 1e-12


def test_at8_every_unit_quaternion_has_a_logarithm() -> None:
    q = random_quaternions(np.random.default_rng(RNG_SEED), 300)
    half_turns = np.array([[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0], [1.0, 0, 0, 0], [-1.0, 0, 0, 0]])
    for each in (*q, *half_turns):
        back = qc.exp(qc.log(each))
        assert np.isfinite(back).all()
        assert abs(back @ each) == pytest.approx(1.0, abs=1e-12)


def test_at9_golden_derivative() -> None:
    assert qc.exp_derivative(W) == pytest.approx(D_GOLDEN, abs=1e-8)


def test_at10_derivative_against_differences() -> None:
    rng = np.random.default_rng(RNG_SEED)
    h = 1e-6
    for w in rng.uniform(-1.0, 1.0, (500, 3)):
        steps = [(qc.exp(w + h * axis) - qc.exp(w - h * axis)) / (2.0 * h) for axis in np.eye(3)]
        assert np.abs(qc.exp_derivative(w) - np.stack(steps, axis=1)).max() < 1e-8


def test_at10_derivative_of_small_vectors() -> None:
    assert (qc.exp_derivative(np.zeros(3)) == np.eye(4)[:, 1:]).all()
    direction = np.array([2.0, -1.0, 2.0]) / 3.0
    for n in (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8, 1e-12, 1e-200, 0.0):
        w = n * direction
        b, c = 1.0 - n**2 / 6.0 + n**4 / 120.0, -1.0 / 3.0 + n**2 / 30.0 - n**4 / 840.0
        series = np.vstack([-b * w, b * np.eye(3) + c * np.outer(w, w)])
        assert np.abs(qc.exp_derivative(w) - series).max() < 1e-12


@given(vectors)
def test_at11_metric_of_the_derivative(w: np.ndarray) -> None:
    derivative = qc.exp_derivative(w)
    n = float(np.linalg.norm(w))
    along = np.outer(w, w) / n**2 if n > 1e-12 else np.zeros((3, 3))
    stretch = (np.sin(n) / n) ** 2 if n > 1e-12 else 1.0
    assert np.abs(derivative.T @ derivative - (along + stretch * (np.eye(3) - along))).max() < 1e-12
    assert np.abs(qc.log_derivative(w) - np.linalg.pinv(derivative)).max() < 1e-9


def test_at11_golden_inverse_derivative() -> None:
    assert qc.log_derivative(W) == pytest.approx(PINV_GOLDEN, abs=1e-8)


@given(vectors)
def test_angular_rates_are_twice_the_derivative_times_the_conjugate(w: np.ndarray) -> None:
    q, derivative = qc.exp(w), qc.exp_derivative(w)
    columns = [2.0 * rotations.multiply(derivative[:, k], qc.conjugate(q))[1:] for k in range(3)]
    rates = qc.angular_rates(w)
    assert np.abs(rates - np.stack(columns, axis=1)).max() < 1e-9
    x, y, z = w.tolist()
    for axis in np.eye(3):
        back = sc.log_rates((x, y, z), tuple((rates @ axis).tolist()))
        assert np.abs(np.array(back) - axis).max() < 1e-9


def test_at12_long_vectors_are_shortened() -> None:
    w = 2.0 * np.array([2.0, -1.0, 2.0]) / 3.0
    short = qc.shortest_log(w)
    assert np.linalg.norm(short) == pytest.approx(1.141592654, abs=1e-9)
    before, after = (rotations.matrix_from_quaternion(qc.exp(each)) for each in (w, short))
    assert np.abs(before - after).max() < 1e-12
