# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Animated grasps without Blender: timing, ways, openings and whole plans on shapes with closed forms."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import closing_hands as hands
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from addon.core.rotations import matrix_from_axis_angle
from addon.hands.movements import grasp_centre, movement_angles
from addon.hands.poses import pose_angles
from addon.presets.movements import load_movements
from addon.presets.poses import load_poses
from addon.solvers.animation import Carry, Durations, End, GraspPlan, GraspTask, Surroundings, plan_frames, plan_grasp
from addon.solvers.animation.opening import Opening, plan_opening
from addon.solvers.animation.timeline import Timeline
from addon.solvers.animation.timing import TimingError, eased, finger_windows, time_of
from addon.solvers.animation.ways import bent_way, turn_between, ways_back, ways_to
from addon.solvers.closing import USUAL, Movement, Scene, close

UP = np.array([0.0, 0.0, 1.0])
FINGERS = hands.demo_model().fingers


@given(st.integers(-50, 50), st.integers(1, 40), st.integers(1, 30), st.integers(0, 40), st.booleans(), st.booleans())
def test_frames_follow_each_other(
    start: int, approach: int, closing: int, hold: int, carries: bool, releases: bool
) -> None:
    durations = Durations(approach=approach, close=closing, hold=hold)
    f = plan_frames(start, durations, carries=carries, releases=releases)
    order = [f.approach, f.arrive, f.contact, f.lift, f.put, f.hold, f.release, f.away]
    assert order == sorted(order)
    assert f.contact - f.approach == approach + closing
    assert (f.put - f.lift) == (durations.carry if carries else 0)
    assert (f.lift - f.contact) + (f.hold - f.put) == hold
    assert (f.away > f.hold) == releases
    assert f.carries == carries


def test_the_hand_is_widest_at_seven_tenths_of_the_reach_by_default() -> None:
    f = plan_frames(1, Durations())
    assert (f.arrive - f.approach) / (f.contact - f.approach) == pytest.approx(0.7, abs=0.02)


def test_parts_without_a_frame_are_refused() -> None:
    with pytest.raises(TimingError, match="close"):
        Durations(close=0)


@given(st.floats(0.0, 1.0), st.booleans())
def test_easing_and_its_inverse_agree(share: float, smooth: bool) -> None:
    assert float(eased(time_of(share, smooth=smooth), smooth=smooth)) == pytest.approx(share, abs=1e-9)


@given(st.integers(1, 30), st.floats(-1.0, 1.0))
def test_fingers_close_within_the_window_and_the_last_at_its_end(length: int, overlap: float) -> None:
    windows = finger_windows(("thumb", "index", "middle", "ring", "pinky"), 10, 10 + length, overlap)
    assert all(10 <= first < last <= 10 + length for first, last in windows)
    assert max(last for _, last in windows) == 10 + length
    assert min(first for first, _ in windows) == 10
    ends = [last for _, last in windows[1:]]
    assert ends == sorted(ends, reverse=overlap < 0.0)


def test_fingers_with_delays_of_their_own_keep_them_in_windows_of_one_length() -> None:
    windows = finger_windows(FINGERS, 10, 20, 0.5, (3, 0, 1, 2))
    assert windows == [(13, 20), (10, 17), (11, 18), (12, 19), (10, 17)]
    assert finger_windows(FINGERS, 10, 20, 0.5, (0,) * 6) == finger_windows(FINGERS, 10, 20, 0.5)
    assert finger_windows(FINGERS, 10, 12, 0.0, (9, 0)) == [(11, 12), *[(10, 11)] * 4], "a frame is left to each"


def test_fingers_with_delays_close_in_turn_and_open_in_the_opposite_order() -> None:
    task = _task(delays=(0, 4, 3, 2, 1), frames=plan_frames(1, Durations(close=12, release=12)))
    plan, f = _plan(task), task.frames
    hand = task.around.skin.hand

    def turning(first: int, last: int, finger: int) -> list[int]:
        rows = plan.angles[plan.row(first) : plan.row(last) + 1][:, hand.finger_of == finger]
        return [first + k for k in np.flatnonzero(np.abs(np.diff(rows, axis=0)).max(axis=(1, 2)) > 1e-6).tolist()]

    done = [max(turning(f.arrive, f.contact, finger)) for finger in range(1, 5)]
    begun = [min(turning(f.hold, f.release, finger)) for finger in range(1, 5)]
    assert done == sorted(done, reverse=True)
    assert begun == sorted(begun)
    assert len(set(done)) > 2
    assert len(set(begun)) > 2


def test_fingers_without_overlap_arrive_together() -> None:
    assert set(finger_windows(("thumb", "index", "pinky"), 3, 11, 0.0)) == {(3, 11)}


def test_a_way_leaves_from_the_hold_and_ends_away() -> None:
    held = np.eye(4)
    held[:3, 3] = 0.1, 0.2, 0.3
    away = np.eye(4)
    away[:3, :3] = matrix_from_axis_angle(UP, 1.0)
    way = bent_way(held, np.array([0.1, 0.5, 0.3]), away)
    ends = way.wrists(np.array([0.0, 1.0]))
    assert np.allclose(ends[0], held)
    assert np.allclose(ends[1], away)
    near = way.wrists(np.array([0.0, 0.1, 0.2]))
    assert np.allclose(near[:, :3, :3], np.eye(3)), "near the object the hand does not turn"
    first = way.wrists(np.array([1e-3]))[0, :3, 3] - held[:3, 3]
    assert np.allclose(first / np.linalg.norm(first), [0.0, 1.0, 0.0], atol=5e-3), "it leaves towards the corner"


@given(st.floats(0.0, 1.0), st.floats(0.1, 3.0))
def test_turns_between_go_at_an_even_rate(share: float, angle: float) -> None:
    last = matrix_from_axis_angle(UP, angle)
    found = turn_between(np.eye(3), last, np.array([share]))[0]
    assert np.allclose(found, matrix_from_axis_angle(UP, share * angle), atol=1e-9)


def test_carrying_leaves_upwards_and_reaches_its_height_in_the_middle() -> None:
    end = np.eye(4)
    end[:3, 3] = 0.3, 0.0, 0.0
    carry = Carry(np.eye(4), end, 0.1, UP)
    frames = carry.frames(np.array([0.0, 0.01, 0.5, 1.0]))
    assert np.allclose(frames[0], np.eye(4))
    assert np.allclose(frames[3], end)
    assert frames[2, 2, 3] == pytest.approx(0.1)
    assert frames[1, 2, 3] > 5.0 * abs(frames[1, 0, 3])


@cache
def _held(radius: float = 0.035) -> tuple[Surroundings, dict[str, np.ndarray]]:
    """A demo hand that has closed on a ball before its palm."""
    model = hands.demo_model()
    movement = load_movements()["power_sphere"]
    way = movement_angles(model, movement)
    centre = grasp_centre(model, movement, radius=radius)
    distance = hands.ball((centre[0], centre[1] - 2e-3, centre[2]), radius)
    skin = hands.demo_skin()
    closing = Movement(np.array(way.start)[None], np.array(way.end)[None], hands.STILL, np.array(way.taking_part))
    found = close(skin, closing, Scene(distance, distance, 3e-4), model.limits.ranges, ways=USUAL)
    return Surroundings(skin, distance), {
        "held": found.angles[0],
        "start": np.array(way.start),
        "end": np.array(way.end),
        "wrist": np.eye(4),
        "ease": pose_angles(model, load_poses()["relaxed"]),
    }


def test_opening_never_presses_deeper_than_holding() -> None:
    around, pose = _held()
    opening, worst = plan_opening(around, pose["held"], pose["start"], pose["end"], pose["wrist"])
    assert worst.max() <= 3e-4 + 2.5e-4
    shares = np.linspace(0.0, 1.0, 67)
    gaps = around.gaps(opening.at(shares), np.broadcast_to(pose["wrist"][:3], (67, 3, 4)))
    assert gaps.min() >= -worst.max() - 1e-4, "between the samples too"
    assert np.allclose(opening.at(np.array([0.0]))[0], pose["held"])
    assert np.allclose(opening.at(np.array([1.0]))[0], pose["start"])


def test_turning_all_joints_back_evenly_is_what_the_opening_avoids() -> None:
    around, pose = _held(0.02)
    even = Opening(pose["held"], pose["start"], np.tile([0.0, 1.0], (len(pose["held"]), 1)))
    _, worst = plan_opening(around, pose["held"], pose["start"], pose["end"], pose["wrist"])
    shares = np.linspace(0.0, 1.0, 40)
    wrists = np.broadcast_to(pose["wrist"][:3], (40, 3, 4))
    naive = -around.gaps(even.at(shares), wrists).min()
    assert worst.max() <= naive + 1e-9


def _task(**changes: object) -> GraspTask:
    around, pose = _held()
    task = GraspTask(
        around=around,
        around_put=around,
        fingers=FINGERS,
        part=np.ones(len(FINGERS), dtype=np.bool_),
        held=pose["held"],
        start=pose["start"],
        end=pose["end"],
        wrist=pose["wrist"],
        approach=np.array([0.0, -1.0, 0.0]),
        up=UP,
        before=End(pose["ease"]),
        after=End(pose["ease"]),
        frames=plan_frames(1, Durations()),
        carry=Carry(np.eye(4), np.eye(4), 0.0, UP),
        distance=0.15,
        margin=0.01,
    )
    return replace(task, **changes)


def _plan(task: GraspTask) -> GraspPlan:
    found = list(plan_grasp(task))[-1]
    assert isinstance(found, GraspPlan)
    return found


def test_a_plan_is_clear_at_every_frame_and_holds_what_it_was_given() -> None:
    task = _task()
    plan = _plan(task)
    gaps = task.around.gaps(plan.angles, plan.wrists).min(axis=1)
    assert gaps.min() >= -6e-4
    f = plan.frames
    for frame in range(f.contact, f.hold + 1):
        assert np.allclose(plan.angles[plan.row(frame)], task.held)
        assert np.allclose(plan.wrists[plan.row(frame)], task.wrist)
    assert np.allclose(plan.angles[0], task.before.angles)
    assert np.linalg.norm(plan.wrists[0, :3, 3] - task.wrist[:3, 3]) == pytest.approx(0.15, rel=0.2)
    assert gaps[0] > 0.02
    assert np.allclose(plan.wrists[0], plan.wrists[-1])


def test_a_hand_opens_no_wider_than_it_needs() -> None:
    wide, narrow = _plan(_task(margin=0.03)), _plan(_task(margin=0.004))
    assert narrow.coming.opened < wide.coming.opened <= 1.0


def test_a_wall_behind_the_hand_sends_it_another_way() -> None:
    straight = _plan(_task())
    shift = straight.coming.way.away[:3, 3] - straight.coming.way.held[:3, 3]
    middle = straight.coming.way.away[:3, 3] + 0.25 * shift

    def wall(points: np.ndarray) -> np.ndarray:
        return np.linalg.norm(points - middle, axis=1) - 0.06

    task = _task()
    task = replace(task, around=replace(task.around, obstacles=wall), around_put=replace(task.around, obstacles=wall))
    plan = _plan(task)
    assert float(task.around.obstacle_gaps(straight.angles, straight.wrists).min()) < 0.0, "the wall is in the way"
    assert float(task.around.obstacle_gaps(plan.angles, plan.wrists).min()) > 0.0
    assert plan.coming.missing == 0.0


def test_carried_objects_keep_their_place_in_the_hand() -> None:
    end = np.eye(4)
    end[:3, :3] = matrix_from_axis_angle(UP, 0.7)
    end[:3, 3] = 0.2, 0.1, 0.0
    task = _task(frames=plan_frames(1, Durations(), carries=True), carry=Carry(np.eye(4), end, 0.05, UP))
    moved = np.linalg.inv(end)
    task = replace(
        task,
        around_put=Surroundings(
            task.around.skin, lambda points: task.around.distance(points @ moved[:3, :3].T + moved[:3, 3])
        ),
    )
    plan = _plan(task)
    f = plan.frames
    for frame in range(f.contact, f.hold + 1):
        row = plan.row(frame)
        assert np.allclose(np.linalg.inv(plan.objects[row]) @ plan.wrists[row], task.wrist, atol=1e-12)
    assert np.allclose(plan.objects[plan.row(f.put) :], end)
    assert np.allclose(plan.objects[: plan.row(f.lift) + 1], np.eye(4))
    gaps = task.around_put.gaps(plan.angles[plan.row(f.hold) :], plan.wrists[plan.row(f.hold) :])
    assert gaps.min() >= -6e-4


def test_a_hand_that_keeps_the_object_ends_with_it() -> None:
    plan = _plan(_task(frames=plan_frames(1, Durations(), releases=False)))
    assert plan.frames.away == plan.frames.hold
    assert np.allclose(plan.angles[-1], plan.angles[plan.row(plan.frames.contact)])


def test_ways_back_all_end_off_the_object() -> None:
    for way in ways_back(np.eye(4), np.array([0.0, -1.0, 0.0]), 0.15, up=UP):
        assert np.linalg.norm(way.away[:3, 3]) == pytest.approx(0.15)


def test_ways_to_a_pose_leave_the_object_before_they_turn_there() -> None:
    away = np.eye(4)
    away[:3, 3] = 1.0, 0.0, 0.0
    for way in ways_to(np.eye(4), away, np.array([0.0, -1.0, 0.0]), 0.15, up=UP)[:6]:
        path = way.wrists(np.linspace(0.0, 1.0, 200))[:, :3, 3]
        aside = np.abs(path[:, 0])
        back = np.linalg.norm(path[:, 1:], axis=1)
        assert np.allclose(path[-1], away[:3, 3])
        assert back[aside > 0.03].max() > 0.06
        assert back[int(np.argmax(aside > 0.02))] > 0.06, "a hand's depth off before it goes aside"


@given(st.lists(st.tuples(st.floats(0.0, 0.8), st.floats(0.15, 1.0), st.floats(0.0, 1.5)), min_size=1, max_size=4))
def test_a_finger_is_paced_by_its_fastest_joint(joints: list[tuple[float, float, float]]) -> None:
    parts = np.array([(begin, min(begin + length, 1.0)) for begin, length, _ in joints])
    turns = np.zeros((len(joints), 3))
    turns[:, 0] = [turn for *_, turn in joints]
    opening = Opening(np.zeros((len(joints), 3)), turns, parts)
    every = np.ones(len(joints), dtype=np.bool_)
    time = np.linspace(0.0, 1.0, 41)
    shares = opening.reached(every, time, 0.9)
    assert shares[0] == 0.0
    assert shares[-1] == pytest.approx(0.9)
    assert (np.diff(shares) > 0.0).all()
    whole = float(opening.spent(every, 0.9))
    assert np.allclose(opening.spent(every, shares), time * whole, atol=0.02 * whole + 1e-9)
    steps = np.abs(np.diff(opening.at(shares)[..., 0], axis=0)).max(axis=1)
    # Even but for the steps in which one joint stops and another begins.
    assert steps.max() <= 1.02 * whole / 40.0 + 0.011 * opening.rates.max()


def test_fingers_that_would_hurry_take_all_the_time_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    task = _task()
    windows = finger_windows(FINGERS, task.frames.arrive, task.frames.contact, task.overlap)
    assert len(set(windows)) > 1
    plan = _plan(task)
    timeline = Timeline(task, plan.coming, plan.going)
    monkeypatch.setattr("addon.solvers.animation.timeline.HURRIED", 100.0)
    assert timeline._windows()[0] == windows
    monkeypatch.setattr("addon.solvers.animation.timeline.HURRIED", 0.0)
    assert set(timeline._windows()[0]) == {(task.frames.arrive, task.frames.contact)}
