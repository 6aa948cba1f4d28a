# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Swing, twist and joint limits: acceptance tests AT-13 to AT-21 of Bartelink's thesis, and the limits' free moves."""

from __future__ import annotations

import numpy as np
import pytest
from bartelink_models import DEG, IDENTITY, X, Y, Z, random_quaternions, turn
from hypothesis import given
from hypothesis import strategies as st

from addon.core import quaternion_calculus as qc
from addon.core import rotations
from addon.solvers.chain import ChainError
from addon.solvers.linkage import scalars as sc
from addon.solvers.linkage.box_limit import BoxLimit, from_ranges, rotation
from addon.solvers.linkage.joint_frames import joint_frames
from addon.solvers.linkage.limits import BallLimit, FreeLimit, HingeLimit, JointLimit

Q14 = (0.917418154, 0.259569106, 0.222714296, 0.203386708)


def as_quat(q: np.ndarray) -> tuple[float, float, float, float]:
    w, x, y, z = q.tolist()
    return (w, x, y, z)


def swing_and_twist(q: tuple[float, float, float, float]) -> tuple[float, float]:
    """Swing and twist angles about z in [rad], by another way than the limits'."""
    swing, twist = qc.swing_twist(np.array(q), Z)
    return 2.0 * float(np.linalg.norm(qc.log(swing))), 2.0 * float(qc.log(twist)[2])


@pytest.mark.parametrize("axis", [X, Y, Z, (0.6, 0.0, 0.8)])
def test_at13_parts_make_up_the_whole(axis: tuple[float, float, float]) -> None:
    q = random_quaternions(np.random.default_rng(13), 300)
    swing, twist = qc.swing_twist(q, axis)
    assert np.abs(rotations.multiply(swing, twist) - qc.canonical(q)).max() < 1e-12
    assert np.abs(swing[:, 1:] @ np.array(axis)).max() < 1e-12
    assert np.abs(np.cross(twist[:, 1:], axis)).max() < 1e-12


def test_at14_golden_swing_and_twist() -> None:
    q = sc.multiply(turn((0.6, 0.8, 0.0), 40.0), turn(Z, 25.0))
    assert q == pytest.approx(Q14, abs=1e-9)
    swing, twist = qc.swing_twist(np.array(q), Z)
    assert swing == pytest.approx([0.939692621, 0.205212086, 0.273616115, 0.0], abs=1e-9)
    assert twist == pytest.approx([0.976296007, 0.0, 0.0, 0.216439614], abs=1e-9)
    # What theorem 4.5.1(c) prints.
    assert np.abs(swing - [0.939692621, 0.301620478, -0.161254040, 0.0]).max() > 0.05


def test_at15_golden_ball_clamp() -> None:
    limit = BallLimit(cone=30 * DEG, twist_low=-10 * DEG, twist_high=10 * DEG)
    q = sc.multiply(turn((0.6, 0.8, 0.0), 40.0), turn(Z, 25.0))
    assert limit.clamp(q, IDENTITY) == pytest.approx((0.962250187, 0.172746549, 0.192732789, 0.084185983), abs=1e-9)


def test_at16_clamping_is_idempotent_and_leaves_what_is_within() -> None:
    rng = np.random.default_rng(16)
    for q in random_quaternions(rng, 2000):
        cone, low, high = rng.uniform(0.05, 3.0), -rng.uniform(0.0, 3.0), rng.uniform(0.0, 3.0)
        limit = BallLimit(cone=cone, twist_low=low, twist_high=high)
        clamped = limit.clamp(as_quat(q), IDENTITY)
        swing, twist = swing_and_twist(clamped)
        assert swing <= cone + 1e-9
        assert low - 1e-9 <= twist <= high + 1e-9
        assert limit.clamp(clamped, IDENTITY) == pytest.approx(clamped, abs=1e-12)
        before = swing_and_twist(as_quat(q))
        if before[0] <= cone and low <= before[1] <= high:
            assert abs(np.dot(clamped, q)) == pytest.approx(1.0, abs=1e-12)


def test_at17_golden_hinge() -> None:
    q = sc.multiply(turn(X, 20.0), turn(Y, 70.0))
    limit = HingeLimit(axis=Y, low=0.0, high=60 * DEG)
    assert limit.angle(q, IDENTITY) == pytest.approx(70 * DEG, abs=1e-12)
    assert limit.clamp(q, IDENTITY) == pytest.approx((0.866025404, 0.0, 0.5, 0.0), abs=1e-9)
    # The printed order of the arguments of the arc tangent would give 90 degrees.
    wide = HingeLimit(axis=Y, low=-90 * DEG, high=90 * DEG)
    assert wide.clamp(turn(Y, 30.0), IDENTITY) == pytest.approx(turn(Y, 30.0), abs=1e-12)


def test_at18_cone_clamp_keeps_the_direction() -> None:
    limit = BallLimit(cone=0.6, twist_low=-3.0, twist_high=3.0)
    for q in random_quaternions(np.random.default_rng(18), 300):
        before, after = (qc.rotate(each, Z) for each in (q, np.array(limit.clamp(as_quat(q), IDENTITY))))
        if np.hypot(*before[:2]) > 1e-6:
            assert np.arctan2(after[1], after[0]) == pytest.approx(np.arctan2(before[1], before[0]), abs=1e-9)
        # Of the cone's rim, the point on the same great arc is the nearest.
        if before[2] < np.cos(0.6):
            nearest = np.arccos(np.clip(before[2], -1, 1)) - 0.6
            assert np.arccos(np.clip(before @ after, -1, 1)) == pytest.approx(nearest, abs=1e-6)


@pytest.mark.parametrize("q", [IDENTITY, (0.0, 1.0, 0.0, 0.0), turn(Z, 179.9), turn(Z, -179.9), (-1.0, 0.0, 0.0, 0.0)])
def test_at19_degenerate_rotations(q: tuple[float, float, float, float]) -> None:
    ball = BallLimit(cone=0.5, twist_low=-0.4, twist_high=0.3)
    for limit in (ball, HingeLimit(axis=Y, low=-0.1, high=0.7), BoxLimit(low=(-0.1, -0.2, 0.0), high=(1.0, 0.2, 0.0))):
        clamped = limit.clamp(q, turn(Z, 10.0))
        assert np.isfinite(clamped).all()
        assert np.linalg.norm(clamped) == pytest.approx(1.0, abs=1e-12)
        assert limit.clamp(clamped, IDENTITY) == pytest.approx(clamped, abs=1e-9)
    swing, twist = swing_and_twist(ball.clamp(q, turn(Z, 10.0)))
    assert swing <= 0.5 + 1e-9
    assert -0.4 - 1e-9 <= twist <= 0.3 + 1e-9


def test_at19_a_half_swing_keeps_the_last_twist() -> None:
    ball = BallLimit(cone=np.pi, twist_low=-1.0, twist_high=1.0)
    q = sc.multiply((0.0, 0.6, 0.8, 0.0), turn(Z, 30.0))
    assert abs(np.dot(ball.clamp(q, turn(Z, 30.0)), q)) == pytest.approx(1.0, abs=1e-12)


def test_at20_cone_about_a_flexed_rest() -> None:
    limit = BallLimit(cone=55 * DEG, twist_low=0.0, twist_high=0.0, centre=turn(Y, 35.0))
    ends = []
    for degrees in (-89.0, 140.0):
        q = sc.multiply(sc.conjugate(limit.centre), turn(Y, degrees))
        w, _, y, _ = sc.multiply(limit.centre, limit.clamp(q, IDENTITY))
        ends.append(2.0 * np.arctan2(y, w) / DEG)
    assert ends == pytest.approx([-20.0, 90.0], abs=0.01)


def test_at21_frames_from_joint_positions() -> None:
    bent = np.array([[0.0, 0, 0], [0, 0, 0.04], [0, 0.02, 0.05], [0, 0.04, 0.04]])
    frames = joint_frames(bent, np.array(X))
    ways = rotations.unit(np.diff(bent, axis=0))
    assert np.linalg.det(frames) == pytest.approx(1.0, abs=1e-12)
    assert frames[..., 2] == pytest.approx(ways, abs=1e-12)
    for i in (1, 2):
        assert abs(frames[i, :, 1] @ ways[i - 1]) < 1e-12
    for axis in (np.array(X), np.array(Z)):
        straight = joint_frames(np.outer(np.arange(4.0), Z), axis)
        assert np.linalg.det(straight) == pytest.approx(1.0, abs=1e-12)
        assert straight[..., 2] == pytest.approx(np.tile(Z, (3, 1)), abs=1e-12)


def test_elliptical_cone_has_two_widths() -> None:
    limit = BallLimit(cone=80 * DEG, cone_y=20 * DEG, twist_low=0.0, twist_high=0.0)
    for axis, widest in ((X, 80.0), (Y, 20.0)):
        swing, _ = swing_and_twist(limit.clamp(turn(axis, 100.0), IDENTITY))
        assert swing / DEG == pytest.approx(widest, abs=1e-9)
    for q in random_quaternions(np.random.default_rng(5), 200):
        sx, sy, _ = limit.split(limit.clamp(as_quat(q), IDENTITY), IDENTITY)
        assert np.hypot(sx / (80 * DEG), sy / (20 * DEG)) <= 1.0 + 1e-9


def test_box_drops_the_twist_and_keeps_the_bones_direction() -> None:
    limit = BoxLimit(low=(-1.5, -1.0, 0.0), high=(1.5, 1.0, 0.0))
    for q in random_quaternions(np.random.default_rng(6), 300):
        before = qc.rotate(q, Z)
        flexion, abduction, _ = rotations.angles_from_rotation(rotations.matrix_from_quaternion(q))
        if abs(flexion) < 1.5 and abs(abduction) < 1.0:
            after = qc.rotate(np.array(limit.clamp(as_quat(q), IDENTITY)), Z)
            assert after == pytest.approx(before, abs=1e-9)


@given(st.tuples(st.floats(-3.0, 3.2), st.floats(-1.5, 1.5), st.floats(-3.0, 3.0)))
def test_box_angles_come_back(angles: tuple[float, float, float]) -> None:
    limit = BoxLimit(low=(-3.05, -1.5, -3.05), high=(3.2, 1.5, 3.05))
    assert limit.angles(rotation(angles)) == pytest.approx(angles, abs=1e-7)
    assert abs(np.dot(limit.clamp(rotation(angles), IDENTITY), rotation(angles))) == pytest.approx(1.0, abs=1e-12)


LIMITS: list[JointLimit] = [
    HingeLimit(axis=Y, low=-0.3, high=1.0),
    BallLimit(cone=0.7, twist_low=-0.2, twist_high=0.4),
    BallLimit(cone=0.9, cone_y=0.4, twist_low=-0.2, twist_high=0.4),
    BoxLimit(low=(-0.2, -0.3, 0.0), high=(1.5, 0.3, 0.0)),
    BoxLimit(low=(-0.2, -0.3, -0.1), high=(1.5, 0.3, 0.2)),
]


@pytest.mark.parametrize("limit", LIMITS)
def test_moves_stay_on_the_limits_to_first_order(limit: JointLimit) -> None:
    rng = np.random.default_rng(9)
    h = 1e-5
    for q in random_quaternions(rng, 60):
        phi = sc.log(limit.clamp(as_quat(q), IDENTITY))
        moves = limit.moves(phi)
        for k in range(moves.basis.shape[1]):
            for sign, room in ((1.0, moves.high[k]), (-1.0, -moves.low[k])):
                if room > 10 * h:
                    there = np.array(phi) + sign * h * moves.basis[:, k]
                    back = sc.log(limit.clamp(sc.exp(tuple(there.tolist())), IDENTITY))
                    assert np.abs(np.array(back) - there).max() < 20 * h * h


def test_touched_says_which_limit() -> None:
    hinge, ball = LIMITS[0], LIMITS[1]
    assert hinge.touched((0.0, 0.5, 0.0)).tolist() == [False, True, False]
    assert not hinge.touched((0.0, 0.2, 0.0)).any()
    assert ball.touched((0.35, 0.0, 0.0)).tolist() == [True, True, False]
    assert not FreeLimit().touched((1.0, 0.0, 0.0)).any()


def test_ranges_become_the_simplest_limit() -> None:
    low, high = np.array([0.0, 0.0, 0.0]), np.array([1.0, 0.0, 0.0])
    assert isinstance(from_ranges(low, high), HingeLimit)
    assert isinstance(from_ranges(np.full(3, -np.pi), np.full(3, np.pi)), FreeLimit)
    assert isinstance(from_ranges(low - 0.1, high), BoxLimit)


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (HingeLimit, {"axis": X, "low": 1.0, "high": 0.0}),
        (HingeLimit, {"axis": (0.0, 0.0, 0.0), "low": 0.0, "high": 1.0}),
        (HingeLimit, {"axis": X, "low": float("nan"), "high": 1.0}),
        (BallLimit, {"cone": 0.0, "twist_low": 0.0, "twist_high": 0.0}),
        (BallLimit, {"cone": 1.0, "twist_low": 0.3, "twist_high": -0.3}),
    ],
)
def test_impossible_limits_are_refused(kind: type, values: dict[str, object]) -> None:
    with pytest.raises(ChainError):
        kind(**values)
