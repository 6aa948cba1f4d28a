# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts in inverse kinematics: acceptance tests AT-50 to AT-53, AT-58, AT-63 and AT-64 of Bartelink's thesis."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from bartelink_models import CHAIN_F, DEG, PHI_F, Y, serial, straight_chain

from addon.core.arrays import FloatArray
from addon.core.errors import UnknownChoiceError
from addon.solvers import contact_ik
from addon.solvers.contact_ik import ContactOptions
from addon.solvers.linkage import steps
from addon.solvers.linkage.capsules import Capsule, Field, HalfSpace, Sphere, detector
from addon.solvers.linkage.contacts import contacts_at, escape_jacobian, tracked_depths, world_points
from addon.solvers.linkage.descent import StepOptions, descend
from addon.solvers.linkage.goals import Goal
from addon.solvers.linkage.kinematics import effector_position, forward, point_jacobian
from addon.solvers.linkage.limits import HingeLimit
from addon.solvers.linkage.model import Effector, clamped
from addon.solvers.linkage.responses import RESPONSES, ResponseOptions, pushes, respond

NORMAL = np.array([0.0, 0.6, 0.8])
J_CONTACT = """-0.070413510 -0.054870276 0.029321465 -0.013708073 -0.018511713 0.013124361 0 0 0"""

# Scenario SC-1: three hinges of 0.1 m in a plane, a sphere of 4 cm in the target's way.
HINGE = HingeLimit(axis=Y, low=-170 * DEG, high=170 * DEG)
PLANAR = serial((0.1, 0.1, 0.1), (HINGE,) * 3)
TIP = Effector(joint=2, offset=np.array([0.0, 0.0, 0.1]))
REACH = 0.3
CAPSULES = [Capsule(joint=i, start=np.zeros(3), end=np.array([0.0, 0.0, 0.1]), radius=0.01) for i in range(3)]
BALL = Sphere(centre=np.array([0.14, 0.0, 0.10]), radius=0.04)
NEAR, FAR = np.array([0.10, 0.0, 0.24]), np.array([0.14, 0.0, 0.10])
START = np.array([[0.0, -10.0, 0.0], [0.0, 20.0, 0.0], [0.0, 20.0, 0.0]]) * DEG
BENT = ResponseOptions(
    method="transpose", redetect=0, exit_distance=1e-3 / REACH, max_distance=0.02 / REACH, max_turn=10 * DEG
)


@lru_cache
def run_scenario(options: ResponseOptions, margin: float = 0.0) -> tuple[FloatArray, FloatArray, float]:
    """Deepest contact in [mm] and tip in [mm] after each frame, and the last frame's distance from its target."""
    detect = detector(CAPSULES, [BALL], margin=margin)
    phi = descend(PLANAR, (Goal(TIP, NEAR),), START, options=StepOptions(), reach=REACH).phi
    depths, tips, target = [], [], NEAR
    for frame in range(300):
        share = min(frame, 100) / 100 if frame <= 200 else (300 - frame) / 100
        target = NEAR + share * (FAR - NEAR)
        phi = respond(PLANAR, Goal(TIP, target), phi, detect, options=options, reach=REACH)
        frames = forward(PLANAR, phi)
        depths.append(detect(frames).depths.max(initial=0.0) * 1e3)
        tips.append(effector_position(frames, TIP) * 1e3)
    return np.array(depths), np.array(tips), float(np.linalg.norm(tips[-1] - 1e3 * target))


def jitter(tips: FloatArray) -> float:
    """Mean way of the tip between the frames 120 to 200, in which the target holds, in [mm]."""
    return float(np.linalg.norm(np.diff(tips[119:200], axis=0), axis=1).mean())


def one_contact(depth: float = 0.001) -> tuple[FloatArray, FloatArray]:
    frames = forward(CHAIN_F, PHI_F)
    local = np.array([0.006, 0.0, 0.012])
    contacts = contacts_at(
        frames,
        np.array([1]),
        (frames.positions[1] + frames.rotations[1] @ local)[None],
        NORMAL[None],
        np.array([depth]),
    )
    return world_points(frames, contacts)[0], escape_jacobian(CHAIN_F, frames, contacts)[0]


def test_at50_golden_contact_row() -> None:
    point, row = one_contact()
    assert point == pytest.approx([0.034227808, -0.011594907, 0.038541806], abs=1e-9)
    assert row == pytest.approx(np.array(J_CONTACT.split(), dtype=np.float64), abs=1e-8)
    assert (row[6:] == 0.0).all()


def test_at50_contact_row_against_differences() -> None:
    rng = np.random.default_rng(50)
    for _ in range(100):
        phi = rng.uniform(-0.8, 0.8, (3, 3))
        joint, local, normal = int(rng.integers(3)), rng.uniform(-0.02, 0.02, 3), rng.normal(size=3)
        frames = forward(CHAIN_F, phi)
        world = frames.positions[joint] + frames.rotations[joint] @ local
        contacts = contacts_at(frames, np.array([joint]), world[None], normal[None], np.array([0.001]))
        row = escape_jacobian(CHAIN_F, frames, contacts)[0]
        for k in range(9):
            step = np.zeros(9)
            step[k] = 1e-6
            ahead, behind = (
                world_points(forward(CHAIN_F, phi + sign * step.reshape(3, 3)), contacts)[0] @ normal
                for sign in (1, -1)
            )
            assert row[k] == pytest.approx((ahead - behind) / 2e-6, abs=1e-7)
        assert (row[3 * joint + 3 :] == 0.0).all()


def test_at51_capsule_against_sphere_and_plane() -> None:
    start, end = np.zeros(3), np.array([0.0, 0.0, 0.1])
    touch = Sphere(centre=np.array([0.045, 0.0, 0.05]), radius=0.04).touch(start, end, 0.01)
    assert touch.depth == pytest.approx(0.005, abs=1e-12)
    assert touch.normal == pytest.approx([-1.0, 0.0, 0.0], abs=1e-12)
    assert touch.point == pytest.approx([0.01, 0.0, 0.05], abs=1e-12)
    beyond = Sphere(centre=np.array([0.03, 0.0, 0.14]), radius=0.045).touch(start, end, 0.01)
    assert beyond.depth == pytest.approx(0.005, abs=1e-12)
    assert beyond.normal == pytest.approx([-0.6, 0.0, -0.8], abs=1e-12)
    plane = HalfSpace(origin=np.array([0.0, 0.0, 0.005]), normal=np.array([0.0, 0.0, 1.0])).touch(start, end, 0.01)
    assert plane.depth == pytest.approx(0.015, abs=1e-12)
    assert plane.point == pytest.approx([0.0, 0.0, -0.01], abs=1e-12)
    for place in (start, end, 0.5 * end):
        for finish in (end, start):
            centred = Sphere(centre=place, radius=0.04).touch(start, finish, 0.01)
            assert np.linalg.norm(centred.normal) == pytest.approx(1.0, abs=1e-12)


def test_at51_separate_bodies_do_not_touch_beyond_the_margin() -> None:
    gap = [Sphere(centre=np.array([0.112, 0.0, 0.05]), radius=0.1)]
    assert detector(CAPSULES, gap)(forward(PLANAR, np.zeros((3, 3)))).count == 0
    assert detector(CAPSULES, gap, margin=0.0021)(forward(PLANAR, np.zeros((3, 3)))).depths == pytest.approx([-0.002])
    detect = detector(CAPSULES, [Sphere(centre=np.array([0.2, 0.0, 0.1]), radius=0.1)])
    assert detect(forward(PLANAR, np.zeros((3, 3)))).count == 0
    assert detector(CAPSULES, [BALL])(forward(PLANAR, START)).count == 0


def test_a_distance_field_touches_like_the_sphere_it_is_of() -> None:
    def distance(points: FloatArray) -> tuple[FloatArray, FloatArray]:
        away = points - BALL.centre
        length = np.linalg.norm(away, axis=1)
        return length - BALL.radius, away / length[:, None]

    start, end = np.array([0.05, 0.02, 0.06]), np.array([0.16, 0.02, 0.15])
    one = Field(distance=distance, samples=2001).touch(start, end, 0.01)
    other = BALL.touch(start, end, 0.01)
    assert one.depth == pytest.approx(other.depth, abs=1e-7)
    assert one.normal == pytest.approx(other.normal, abs=1e-2)


def test_at52_tracked_points_and_depths() -> None:
    rng = np.random.default_rng(52)
    frames = forward(CHAIN_F, PHI_F)
    joints, world = np.array([0, 2, 1]), rng.uniform(-0.05, 0.05, (3, 3))
    normals, depths = np.eye(3), np.array([0.001, 0.002, 0.003])
    contacts = contacts_at(frames, joints, world, normals, depths)
    assert np.abs(world_points(frames, contacts) - world).max() < 1e-12
    assert tracked_depths(frames, contacts) == pytest.approx(depths, abs=1e-12)
    later = forward(CHAIN_F, PHI_F + rng.uniform(-0.3, 0.3, (3, 3)))
    moved = world_points(later, contacts) - world
    assert tracked_depths(later, contacts) == pytest.approx(depths - np.diag(moved), abs=1e-12)


def test_at53_depth_shrinks_by_the_gain() -> None:
    plane = HalfSpace(origin=np.array([0.0999, 0.0, 0.0]), normal=np.array([-1.0, 0.0, 0.0]))
    phi = np.array([[0.0, 0.5, 0.0], [0.0, 0.2, 0.0], [0.0, 0.1, 0.0]])
    tip = effector_position(forward(PLANAR, phi), TIP)
    plane = replace(plane, origin=tip + np.array([0.0, 0.0, 0.0]))
    detect = detector([Capsule(joint=2, start=TIP.offset, end=TIP.offset, radius=1e-5)], [plane])
    before = detect(forward(PLANAR, phi)).depths[0]
    options = ResponseOptions(response="1", contact_gain=0.3, iterations=10, redetect=0)
    after = respond(PLANAR, Goal(TIP, tip), phi, detect, options=options, reach=REACH)
    assert detect(forward(PLANAR, after)).depths[0] / before == pytest.approx(0.7**10, rel=0.01)


def test_at58_contacts_push_one_way_only() -> None:
    assert pushes(np.array([-0.001, 0.002, 0.0]), 0.001) == pytest.approx([0.0, 0.003, 0.001], abs=1e-15)
    # Each contact by itself: one outside must not silence the other.
    assert pushes(np.array([-1.0, 1.0]), 0.0).tolist() == [0.0, 1.0]


@pytest.mark.parametrize("response", RESPONSES)
def test_at58_never_pulled_inwards(response: str) -> None:
    detect = detector(CAPSULES, [BALL])
    inside = Goal(TIP, NEAR + 0.75 * (FAR - NEAR))
    phi = descend(PLANAR, (inside,), START, options=StepOptions(), reach=REACH).phi
    before = detect(forward(PLANAR, phi)).depths.max()
    assert before > 0.002
    options = ResponseOptions(response=response, gain=1e-12, iterations=20)
    after = respond(PLANAR, Goal(TIP, FAR), phi, detect, options=options, reach=REACH)
    assert detect(forward(PLANAR, after)).depths.max(initial=0.0) < 0.1 * before


@pytest.mark.parametrize("response", RESPONSES)
def test_at64_without_contacts_a_response_is_its_free_branch(response: str) -> None:
    options = replace(BENT, response=response, iterations=4)
    found = respond(PLANAR, Goal(TIP, FAR), START, detector(CAPSULES, []), options=options, reach=REACH)
    phi, target = START, FAR
    limited = response in ("2", "3")
    if limited:
        target = steps.retarget(effector_position(forward(PLANAR, phi), TIP), FAR, 0.02)
    for _ in range(4):
        frames = forward(PLANAR, phi)
        here = effector_position(frames, TIP)
        jacobian = point_jacobian(PLANAR, frames, 2, here)[:, [1, 4, 7]]
        change = 0.5 * steps.stable_transpose_gain(jacobian) * jacobian.T @ (options.gain * (target - here))
        full = np.zeros((3, 3))
        full[:, 1] = change
        phi = clamped(PLANAR, phi + (steps.clamp_turns(full, options.max_turn) if limited else full), phi)
    assert np.abs(found - phi).max() < 1e-14


def test_at63_response_1_sticks() -> None:
    # The depth shrinks to nothing but never changes its sign; the margin keeps rounding from doing that.
    depths, tips, off = run_scenario(replace(BENT, response="1"), margin=1e-9)
    assert depths.max() < 1.0
    assert jitter(tips) < 0.01
    assert np.linalg.norm(tips[-1] - tips[150]) < 0.1
    assert off == pytest.approx(94.2, rel=0.2)


def test_at63_response_1_with_exit_distance_trembles() -> None:
    depths, tips, off = run_scenario(replace(BENT, response="1+delta", exit_distance=0.002 / REACH))
    assert depths.max() == pytest.approx(44.9, rel=0.2)
    assert jitter(tips) == pytest.approx(54.3, rel=0.2)
    assert off < 6.0


@pytest.mark.parametrize(("most", "turn", "depth"), [(0.02, 10.0, 19.3), (0.005, 2.0, 4.84)])
def test_at63_response_2_clears_and_trembles(most: float, turn: float, depth: float) -> None:
    depths, tips, off = run_scenario(replace(BENT, response="2", max_distance=most / REACH, max_turn=turn * DEG))
    assert depths.max() == pytest.approx(depth, rel=0.2)
    assert (depths[120:200] == 0.0).mean() >= 0.45
    assert jitter(tips) <= 1.1 * most * 1e3
    assert off < 6.0


@pytest.mark.parametrize(("damping", "held"), [(0.05, 1.5), (0.10, 0.20)])
def test_at63_response_3_with_redetection_is_calm(damping: float, held: float) -> None:
    depths, tips, off = run_scenario(replace(BENT, response="3", damping=damping / REACH, redetect=1))
    assert jitter(tips) < 1.0
    assert depths.max() < 6.0
    assert depths[120:200].mean() < 1.3 * held
    assert off < 6.0


def test_at63_redetection_is_what_calms_response_3() -> None:
    found = [
        jitter(run_scenario(replace(BENT, response="3", damping=0.05 / REACH, redetect=every))[1])
        for every in (0, 5, 1)
    ]
    assert found[0] == pytest.approx(10.2, rel=0.2)
    assert found[1] == pytest.approx(5.8, rel=0.2)
    assert found[2] < 0.3


def planar_chain():
    limits = np.zeros((3, 3, 2))
    limits[:, 1] = (-170 * DEG, 170 * DEG)
    return straight_chain((0.1, 0.1, 0.1), limits)


def test_solve_reaches_a_free_target_and_stops_at_an_obstacle() -> None:
    detect = detector(CAPSULES, [BALL])
    start = 2.0 * START
    free = contact_ik.solve(planar_chain(), NEAR, ContactOptions(detect=detect, start=start))
    assert free.converged
    assert free.reason == "reached"
    blocked = contact_ik.solve(planar_chain(), FAR, ContactOptions(detect=detect, start=start))
    assert not blocked.converged
    assert blocked.residual > 0.03
    assert np.isfinite(blocked.angles).all()
    naive = contact_ik.solve(planar_chain(), FAR, ContactOptions(start=start))
    assert naive.converged


def test_an_unknown_response_is_named() -> None:
    with pytest.raises(UnknownChoiceError, match="response '4'"):
        contact_ik.solve(planar_chain(), NEAR, ContactOptions(response="4"))
