# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Damped least squares: acceptance tests AT-40, AT-42 to AT-44 and AT-46 to AT-48, the index finger and bad input."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from bartelink_models import (
    DEG,
    X,
    excess,
    index_finger,
    index_targets,
    random_quaternions,
    serial,
    straight_chain,
    thesis_finger,
    tip_frame,
    tip_position,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from addon.core import quaternion_calculus as qc
from addon.core import rotations
from addon.core.arrays import FloatArray
from addon.solvers import dls
from addon.solvers.dls import DlsOptions
from addon.solvers.linkage import model
from addon.solvers.linkage.coordinates import Coupling, coupled, follow, room_of
from addon.solvers.linkage.descent import StepOptions, descend
from addon.solvers.linkage.goals import Goal
from addon.solvers.linkage.kinematics import effector_position, forward, point_jacobian
from addon.solvers.linkage.limits import BallLimit, HingeLimit
from addon.solvers.linkage.model import Effector
from addon.solvers.linkage.steps import null_space

ARM = straight_chain((0.15, 0.30, 0.25))
ARM_START = np.array([[0.3, 0, 0], [0.4, 0, 0], [0.3, 0, 0]])
COUPLED = (Coupling(driver=1, driven=2, ratio=2.0 / 3.0),)


def finger_targets(count: int) -> FloatArray:
    """Tips of the thesis's finger within its limits."""
    chain, limits = thesis_finger()
    linkage, tip = model.from_chain(chain, limits), model.tip_of(chain)
    rng = np.random.default_rng(40)
    out = []
    for _ in range(count):
        azimuth, swing = rng.uniform(0.0, 2 * np.pi), rng.uniform(0.0, 55.0) * DEG
        phi = np.zeros((3, 3))
        phi[0, :2] = 0.5 * swing * np.array([np.cos(azimuth), np.sin(azimuth)])
        phi[1, 0], phi[2, 0] = 0.5 * rng.uniform(0, 100) * DEG, 0.5 * rng.uniform(0, 80) * DEG
        out.append(effector_position(forward(linkage, phi), tip))
    return np.array(out)


def arm_targets(count: int) -> FloatArray:
    rng = np.random.default_rng(42)
    out = []
    for _ in range(count):
        frame, place = np.eye(3), np.zeros(3)
        for offset, q in zip(ARM.offsets, random_quaternions(rng, 3), strict=True):
            frame = frame @ rotations.matrix_from_quaternion(q)
            place = place + frame @ offset
        out.append(place)
    return np.array(out)


# The whole sets of 1000 give 100 % and 100 %; 60 of each keep the suite quick.
@pytest.mark.parametrize("together", [False, True])
def test_index_finger_reaches_every_target_within_limits(together: bool) -> None:
    chain = index_finger()
    couplings = COUPLED if together else ()
    for target in index_targets(60, coupled=together):
        found = dls.solve(chain, target, DlsOptions(couplings=couplings))
        assert found.converged
        assert found.reason == "reached"
        assert np.linalg.norm(tip_position(chain, found.angles) - target) <= 1e-5 + 1e-12
        assert found.residual == pytest.approx(np.linalg.norm(tip_position(chain, found.angles) - target), abs=1e-9)
        assert excess(chain, found.angles) <= 0.0
        if together:
            assert found.angles[2, 0] == pytest.approx(2.0 / 3.0 * found.angles[1, 0], abs=1e-9)


def test_coupled_column_against_differences() -> None:
    chain = index_finger()
    linkage, tip = coupled(model.from_chain(chain), COUPLED), model.tip_of(chain)
    phi = follow(linkage, model.logs_from_angles(linkage, dls.start_angles(chain, None)), COUPLED)
    room = room_of(linkage, phi, COUPLED)
    assert room.basis.shape == (9, 3)
    frames = forward(linkage, phi)
    found = point_jacobian(linkage, frames, 2, effector_position(frames, tip)) @ room.basis
    for k in range(3):
        ahead, behind = (
            effector_position(
                forward(linkage, follow(linkage, phi + sign * 1e-6 * room.basis[:, k].reshape(3, 3), COUPLED)), tip
            )
            for sign in (1, -1)
        )
        assert found[:, k] == pytest.approx((ahead - behind) / 2e-6, abs=1e-7)
    # PIP stops where DIP reaches 90 degrees only if that comes first; here it does not.
    pip = linkage.limits[1]
    assert isinstance(pip, HingeLimit)
    assert pip.high == pytest.approx(110 * DEG)
    steep = coupled(model.from_chain(chain), (Coupling(driver=1, driven=2, ratio=1.0),)).limits[1]
    assert isinstance(steep, HingeLimit)
    assert steep.high == pytest.approx(90 * DEG)


@pytest.mark.parametrize("as_in_the_thesis", [True, False])
def test_at40_thesis_finger(as_in_the_thesis: bool) -> None:
    chain, limits = thesis_finger()
    options = DlsOptions(limits=limits, tolerance=1e-4, restarts=0)
    if as_in_the_thesis:
        options = DlsOptions(
            limits=limits,
            tolerance=1e-4,
            restarts=0,
            damping=0.01 / 0.09,
            adaptive=False,
            limits_as_bounds=False,
            max_distance=0.25,
            max_turn=0.5,
        )
    results = [dls.solve(chain, target, options) for target in finger_targets(60)]
    assert np.mean([found.converged for found in results]) >= 0.97
    assert np.median([found.iterations for found in results]) <= 8
    cone = limits[0]
    assert isinstance(cone, BallLimit)
    for found in results:
        q = rotations.quaternion_from_matrix(rotations.rotation_from_angles(found.angles))
        own = rotations.multiply(qc.conjugate(cone.centre), q[0])
        swing, twist = qc.swing_twist(own, (0.0, 0.0, 1.0))
        assert 2.0 * np.linalg.norm(qc.log(swing)) <= 55 * DEG + 1e-6
        assert abs(2.0 * qc.log(twist)[2]) <= 5 * DEG + 1e-6
        assert -1e-6 <= found.angles[1, 0] <= 100 * DEG + 1e-6
        assert -1e-6 <= found.angles[2, 0] <= 80 * DEG + 1e-6
        assert np.abs(found.angles[1:, 1:]).max() < 1e-9


@pytest.mark.parametrize(
    ("options", "least"),
    [
        ({"damping": 0.1 / 0.7, "adaptive": False}, 0.99),
        ({}, 0.99),
        ({"method": "pseudo-inverse", "adaptive": False}, 0.99),
        ({"method": "transpose", "adaptive": False, "max_distance": 10.0, "max_turn": 10.0, "stall": 0.0}, 0.90),
    ],
)
def test_at42_arm_without_limits(options: dict[str, object], least: float) -> None:
    settled = DlsOptions(tolerance=1e-4, restarts=0, max_iterations=200, start=ARM_START, **options)  # type: ignore[arg-type]
    reached = [dls.solve(ARM, target, settled).converged for target in arm_targets(50)]
    assert np.mean(reached) >= least


def test_at43_out_of_reach() -> None:
    target = 1.05 * rotations.unit([0.6, -0.5, 0.4])
    linkage, tip = model.from_chain(ARM), model.tip_of(ARM)
    start = model.logs_from_angles(linkage, ARM_START)
    options = StepOptions(
        damping=0.3 / 0.7, max_distance=0.05 / 0.7, adaptive=False, stall=0.0, max_iterations=300, max_turn=10.0
    )
    found = descend(linkage, (Goal(tip, target),), start, options=options, reach=0.7)
    last = np.array(found.history[-50:])
    assert found.iterations == 300
    assert last[-1] == pytest.approx(0.35, abs=1e-4)
    assert (np.diff(last) <= 1e-12).all()
    assert np.ptp(last) <= 1e-6
    default = dls.solve(ARM, target, DlsOptions(start=ARM_START))
    assert default.residual == pytest.approx(0.35, abs=1e-4)
    assert default.reason == "out of reach"
    assert not default.converged


def test_at44_position_and_orientation() -> None:
    chain = straight_chain((0.15, 0.30, 0.25, 0.10))
    linkage, hand = model.from_chain(chain), Effector(joint=3, offset=np.zeros(3))
    options = StepOptions(tolerance=1e-4, rotation_tolerance=0.06 * DEG, damping=0.05 / 0.7, adaptive=False)
    rng = np.random.default_rng(44)
    results = []
    start = np.zeros((4, 3))
    start[:, 0] = 0.2
    for _ in range(40):
        frames = forward(linkage, qc.log(random_quaternions(rng, 4)))
        rotation = rotations.quaternion_from_matrix(frames.rotations[3])
        goal = Goal(hand, frames.positions[3], rotation, np.array([False, False, False, True]))
        results.append(descend(linkage, (goal,), start, options=options, reach=0.7))
    assert np.mean([found.reached for found in results]) >= 0.99
    assert np.median([found.iterations for found in results]) <= 10


def test_six_numbers_through_the_interface() -> None:
    chain = straight_chain((0.15, 0.30, 0.25, 0.10))
    rng = np.random.default_rng(6)
    for _ in range(10):
        angles = rng.uniform(-1.0, 1.0, (4, 3))
        rotation, position = tip_frame(chain, angles)
        q = rotations.quaternion_from_matrix(rotation)
        found = dls.solve(chain, np.concatenate([position, -q]))
        assert found.converged
        reached, place = tip_frame(chain, found.angles)
        assert np.linalg.norm(place - position) <= 1.1e-5
        assert rotations.angle_between(reached, rotation) <= 1.1e-3
        assert found.rotation_residual == pytest.approx(rotations.angle_between(reached, rotation), abs=1e-7)


def test_at46_null_space_pulls_towards_rest_and_keeps_the_tip() -> None:
    chain = straight_chain((0.15, 0.30, 0.25))
    target = np.array([0.2, -0.3, 0.3])
    rest = np.array([[0.2, 0.3, 0.4], [0.9, 0.0, 0.2], [0.5, 0.2, 0.0]])
    plain = dls.solve(chain, target, DlsOptions(start=ARM_START))
    pulled = dls.solve(chain, target, DlsOptions(start=ARM_START, rest=rest))
    assert plain.converged
    assert pulled.converged
    assert np.linalg.norm(tip_position(chain, pulled.angles) - target) < 1.1e-5
    linkage, tip = model.from_chain(chain), model.tip_of(chain)
    wanted = model.logs_from_angles(linkage, rest)
    left, away = [], []
    for found in (plain, pulled):
        phi = model.logs_from_angles(linkage, found.angles)
        frames = forward(linkage, phi)
        free = null_space(point_jacobian(linkage, frames, 2, effector_position(frames, tip)))
        left.append(np.linalg.norm(free @ (wanted - phi).ravel()))
        away.append(np.linalg.norm(wanted - phi))
    assert left[0] > 0.1
    assert left[1] < 1e-3
    assert away[1] < 0.95 * away[0]


def test_at47_stops_at_the_last_iteration_and_before_the_first() -> None:
    far = dls.solve(ARM, [2.0, 0.0, 0.0], DlsOptions(max_iterations=17, stall=0.0, adaptive=False))
    assert far.iterations == 17
    assert not far.converged
    there = dls.solve(ARM, tip_position(ARM, ARM_START), DlsOptions(start=ARM_START))
    assert there.iterations == 0
    assert there.converged
    assert there.angles == pytest.approx(ARM_START, abs=1e-9)


@pytest.mark.parametrize(("per_frame", "most"), [(1, 2.5), (5, 5.0)])
def test_at48_slow_targets_make_slow_joints(per_frame: int, most: float) -> None:
    chain, limits = thesis_finger()
    linkage, tip = model.from_chain(chain, limits), model.tip_of(chain)
    corners = [
        model.logs_from_angles(linkage, np.array(each) * DEG)
        for each in (
            [[20, 5, 0], [30, 0, 0], [20, 0, 0]],
            [[50, -10, 0], [45, 0, 0], [30, 0, 0]],
            [[35, 0, 0], [70, 0, 0], [40, 0, 0]],
        )
    ]
    places = [effector_position(forward(linkage, phi), tip) for phi in corners]
    options = StepOptions(
        max_iterations=per_frame, adaptive=False, damping=0.01 / 0.09, max_turn=5 * DEG / per_frame, stall=0.0
    )
    phi, largest = corners[0], 0.0
    for begin, end in pairwise(places):
        frames = int(np.ceil(np.linalg.norm(end - begin) / 1e-3))
        for k in range(frames):
            goal = Goal(tip, begin + (k + 1) / frames * (end - begin))
            moved = descend(linkage, (goal,), phi, options=options, reach=0.09).phi
            turns = rotations.multiply(qc.conjugate(qc.exp(phi)), qc.exp(moved))
            largest = max(largest, float(2.0 * np.linalg.norm(qc.log(turns), axis=1).max()))
            phi = moved
        assert np.linalg.norm(effector_position(forward(linkage, phi), tip) - end) < 2e-3
    assert 0.5 < largest / DEG <= most


def test_elliptical_cones_through_the_interface() -> None:
    chain = index_finger()
    limits = (
        BallLimit(
            cone=45 * DEG, cone_y=15 * DEG, twist_low=0.0, twist_high=0.0, centre=(np.cos(0.39), np.sin(0.39), 0, 0)
        ),
        HingeLimit(axis=X, low=0.0, high=110 * DEG),
        HingeLimit(axis=X, low=0.0, high=90 * DEG),
    )
    wide, narrow = (
        dls.solve(
            chain,
            tip_position(chain, np.array([[45 * DEG, side, 0], [0.5, 0, 0], [0.4, 0, 0]])),
            DlsOptions(limits=limits),
        )
        for side in (10 * DEG, 40 * DEG)
    )
    assert wide.converged
    assert not narrow.converged
    assert narrow.limits_touched[0, 0]
    assert narrow.reason == "limits"


@settings(max_examples=25, deadline=None)
@given(st.tuples(*[st.floats(-0.2, 0.2)] * 3))
def test_any_target_gives_a_pose_within_limits(target: tuple[float, float, float]) -> None:
    chain = index_finger()
    found = dls.solve(chain, target, DlsOptions(restarts=0))
    assert np.isfinite(found.angles).all()
    assert excess(chain, found.angles) <= 0.0
    assert found.residual == pytest.approx(np.linalg.norm(tip_position(chain, found.angles) - target), abs=1e-9)
    assert found.converged == (found.reason == "reached")
    start = np.linalg.norm(tip_position(chain, dls.start_angles(chain, None)) - target)
    assert found.residual <= start + 1e-12


def test_the_straight_chain_is_no_trap() -> None:
    chain = straight_chain((0.3, 0.3))
    found = dls.solve(chain, [0.0, 0.0, 0.4], DlsOptions(start=np.zeros((2, 3))))
    assert found.converged


def test_a_joint_that_may_not_turn_for_orientation_does_not() -> None:
    chain = straight_chain((0.3, 0.25, 0.1))
    linkage, hand = model.from_chain(chain), Effector(joint=2, offset=np.zeros(3))
    start = np.array([[0.2, 0.0, 0.0], [0.3, 0.0, 0.0], [0.0, 0.0, 0.0]])
    here = forward(linkage, start).positions[2]
    goal = Goal(hand, here, np.array([0.8, 0.0, 0.6, 0.0]), np.array([False, False, True]))
    found = descend(linkage, (goal,), start, options=StepOptions(), reach=0.55)
    assert found.reached
    assert np.abs(found.phi[:2] - start[:2]).max() < 1e-6


def test_serial_linkages_of_the_tests_are_what_chains_become() -> None:
    one, other = model.from_chain(straight_chain((0.1, 0.2))), serial((0.1, 0.2))
    assert (one.translations == other.translations).all()
    assert one.parents.tolist() == [-1, 0]
