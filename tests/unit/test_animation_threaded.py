# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fingers that are through a handle: a bar before a thin wall, with just enough room for them in between."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

import closing_hands as hands
import numpy as np
import pytest

from addon.core.arrays import FloatArray
from addon.hands.movements import movement_angles
from addon.hands.poses import pose_angles
from addon.hands.preshape import Preshape, enclosed, preshaped
from addon.presets.movements import load_movements
from addon.presets.poses import load_poses
from addon.solvers.animation import Carry, Durations, End, GraspPlan, GraspTask, Surroundings, plan_frames, plan_grasp
from addon.solvers.animation.approach import Approach
from addon.solvers.animation.freeing import Side, free_side
from addon.solvers.animation.opening import Opening
from addon.solvers.animation.timeline import Timeline
from addon.solvers.animation.ways import ways_back
from addon.solvers.animation.yielding import Motion, give_way
from addon.solvers.closing import USUAL, Movement, Scene, close

UP = np.array([0.0, 0.0, 1.0])
FINGERS = hands.demo_model().fingers
BAR, WALL, ROOM = 0.005, 0.004, 0.001
"""Radius of the bar, thickness of the wall and room between it and curled fingers, in [m]."""


@cache
def _task() -> GraspTask:
    """Index and middle finger curled round a bar across the hand, with a wall before their knuckles."""
    model, skin = hands.demo_model(), hands.demo_skin()
    way = movement_angles(model, load_movements()["small_diameter"])
    preshape = Preshape(30.0, 100.0, 2)
    # The others are stretched out, beside the handle.
    start = np.where((np.array(model.finger_of) > 2)[:, None], 0.0, way.start)
    way = replace(way, start=start)
    begin = np.array(preshaped(model, way, preshape).start)
    ring = enclosed(model, begin, ["index", "middle"])
    assert ring is not None
    through = [int(np.flatnonzero(np.array(FINGERS) == name)[0]) for name in ("index", "middle")]
    fine = skin.fine
    places = fine.all_positions(fine.motions(begin[None], hands.STILL))[0]
    front = float(places[np.isin(fine.finger, through), 2].max()) + ROOM

    low, high = _span(places[np.isin(fine.finger, through), 0])
    low, high = low - BAR - ROOM, high + BAR + ROOM
    corners = [np.array([x, ring.centre[1], z]) for x, z in ((low, front), (low, ring.centre[2]))]
    corners += [np.array([x, ring.centre[1], z]) for x, z in ((high, ring.centre[2]), (high, front))]

    def distance(points: FloatArray) -> FloatArray:
        # The wall is as wide as the handle: the other fingers have nothing to run into.
        off = np.abs(points - [0.5 * (low + high), 0.0, front + 0.5 * WALL]) - [0.5 * (high - low), 0.06, 0.5 * WALL]
        wall = np.linalg.norm(np.maximum(off, 0.0), axis=1) + np.minimum(off.max(axis=1), 0.0)
        handle = [_bar(points, *ends) for ends in pairwise(corners)]
        return np.min([wall, *handle], axis=0)

    part = np.isin(np.arange(len(FINGERS)), through)
    closing = Movement(begin[None], np.array(way.end)[None], hands.STILL, part)
    held = close(skin, closing, Scene(distance, distance, 3e-4), model.limits.ranges, ways=USUAL).angles[0]
    around = Surroundings(skin, distance)
    ease = pose_angles(model, load_poses()["relaxed"])
    return GraspTask(
        around=around,
        around_put=around,
        fingers=FINGERS,
        part=part,
        held=held,
        start=np.array(way.start),
        end=np.array(way.end),
        wrist=np.eye(4),
        approach=np.array([0.0, -1.0, 0.0]),
        up=UP,
        before=End(ease),
        after=End(ease),
        frames=plan_frames(1, Durations()),
        carry=Carry(np.eye(4), np.eye(4), 0.0, UP),
        distance=0.15,
        margin=0.01,
    )


def _bar(points: FloatArray, start: FloatArray, end: FloatArray) -> FloatArray:
    span = end - start
    along = np.clip((points - start) @ span / (span @ span), 0.0, 1.0)
    return np.linalg.norm(points - start - along[:, None] * span, axis=1) - BAR


def _span(values: FloatArray) -> tuple[float, float]:
    return float(values.min()), float(values.max())


def _in_place(task: GraspTask) -> GraspPlan:
    """The plan of a hand that turns all joints back where it holds, and goes straight back then."""
    way = ways_back(task.wrist, task.approach, task.distance, up=task.up)[0]
    opening = Opening(task.held, task.start, np.tile([0.0, 1.0], (len(task.held), 1)))
    approach = Approach(way, 1.0, 0.0, 0.0, opening)
    return Timeline(task, approach, approach).plan()


def _freed(task: GraspTask, plan: GraspPlan, *, going: bool) -> GraspPlan:
    around = task.around_put if going else task.around
    side = Side(going, around, ways_back(task.wrist, task.approach, task.distance, up=task.up))
    found = list(free_side(task, plan, side))[-1]
    assert isinstance(found, GraspPlan)
    return found


def _depth(task: GraspTask, angles: FloatArray, wrists: FloatArray) -> float:
    return -float(task.around.gaps(angles, wrists).min())


def test_a_hand_gives_way_where_opening_in_place_would_take_its_fingers_through_the_wall() -> None:
    task = _task()
    plan = _in_place(task)
    f = plan.frames
    rows = slice(plan.row(f.hold), None)
    planned = Motion(plan.angles[rows], plan.wrists[rows])
    assert _depth(task, planned.angles, planned.wrists) > 1.5e-3, "else this shows nothing"
    keep = Side(True, task.around, ()).keep(plan)
    assert keep[: f.release - f.hold + 1].min() == 1.0
    assert keep[-1] == 0.0
    bounds = np.stack([np.full(len(task.held), -0.5), np.full(len(task.held), 2.0)], axis=1)
    given = give_way(task.around, planned, keep, bounds=bounds, moves=True)
    held = _depth(task, task.held[None], task.wrist[None])
    assert _depth(task, given.angles, given.wrists) < held + 1e-4
    for before, after in ((planned.angles, given.angles), (planned.wrists, given.wrists)):
        assert np.allclose(after[0], before[0]), "what is held stays"
        assert np.allclose(after[-1], before[-1], atol=1e-9), "and the hand ends where it was to end"
    turned = given.wrists[:, :3, :3]
    assert np.allclose(turned @ turned.transpose(0, 2, 1), np.eye(3), atol=1e-9)
    assert np.linalg.norm(np.diff(given.wrists[:, :3, 3], axis=0), axis=1).max() < 0.06, "it does not jump"


def test_a_wrist_that_cannot_move_does_not_yield_but_fingers_do() -> None:
    task = _task()
    plan = _in_place(task)
    rows = slice(plan.row(plan.frames.hold), plan.row(plan.frames.release) + 1)
    wrists = np.tile(task.wrist, (rows.stop - rows.start, 1, 1))
    planned = Motion(plan.angles[rows], wrists)
    bounds = np.stack([np.full(len(task.held), -0.5), np.full(len(task.held), 2.0)], axis=1)
    given = give_way(task.around, planned, np.ones(len(wrists)), bounds=bounds, moves=False)
    assert np.array_equal(given.wrists, wrists)
    assert _depth(task, given.angles, wrists) < _depth(task, planned.angles, wrists) - 1e-3
    assert (given.angles[..., 0] >= bounds[:, 0] - 1e-9).all()
    assert (given.angles[..., 0] <= bounds[:, 1] + 1e-9).all()


@pytest.mark.parametrize("going", [False, True])
def test_a_side_that_is_not_clear_gets_another_way_and_the_other_side_stays(going: bool) -> None:
    task = _task()
    plan = _in_place(task)
    freed = _freed(task, plan, going=going)
    f = plan.frames
    changed = slice(plan.row(f.hold), None) if going else slice(0, plan.row(f.contact) + 1)
    other = slice(0, plan.row(f.hold) + 1) if going else slice(plan.row(f.contact), None)
    held = _depth(task, task.held[None], task.wrist[None])
    assert _depth(task, plan.angles[changed], plan.wrists[changed]) > 1.5e-3
    assert _depth(task, freed.angles[changed], freed.wrists[changed]) < held + 2e-4
    assert np.array_equal(freed.angles[other], plan.angles[other])
    assert np.array_equal(freed.wrists[other], plan.wrists[other])
    assert (freed.going if going else freed.coming).missing == 0.0
    for keys in (freed.wrist_keys, *freed.joint_keys):
        assert list(keys) == sorted(set(keys))
        assert all(f.approach <= frame <= f.away for frame in keys)


def test_a_side_that_is_clear_stays_to_the_bit() -> None:
    task = _task()
    plan = _freed(task, _in_place(task), going=True)
    assert _freed(task, plan, going=True) is plan


def test_whole_plans_of_threaded_fingers_are_clear_at_every_frame() -> None:
    task = _task()
    found = list(plan_grasp(task))[-1]
    assert isinstance(found, GraspPlan)
    held = _depth(task, task.held[None], task.wrist[None])
    assert _depth(task, found.angles, found.wrists) < held + 2e-4


def test_skin_that_is_near_is_told_with_the_way_out() -> None:
    task = _task()
    around = task.around
    need = np.full((1, len(task.held) + 1), 5e-4)
    near = around.near_skin(task.held, task.wrist, within=need, margin=5e-4)
    gaps = around.distance(near.points)
    assert np.allclose(5e-4 - gaps, near.short)
    assert near.least == pytest.approx(float(around.gaps(task.held[None], task.wrist[None]).min()), abs=1e-9)
    assert (around.distance(near.points + 1e-4 * near.normals) > gaps + 0.5e-4).mean() > 0.95
