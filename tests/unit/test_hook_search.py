# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The published hook search: every part against loops over poses and bones, or a closed form."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import closing_hands as hands
import hook_hands as small
import numpy as np
import pytest
import surface_shapes as shapes

from addon.core.arrays import FloatArray
from addon.core.errors import PrehendError
from addon.core.rotations import angle_between, matrix_from_axis_angle, rotation_from_angles
from addon.solvers.closing import Distance
from addon.solvers.closing.literal import close_literally
from addon.solvers.closing.movement import Movement
from addon.solvers.closing.stepping import build_steps, close_in_steps
from addon.solvers.search.hook_poses import (
    grid_rotations,
    has_turned,
    place_hands,
    seven_rotations,
    start_rotation,
    three_rotations,
    translate_to_free,
)
from addon.solvers.search.hook_quality import QualityWeights, WristRange, bone_ends, first_touching, measure_distances
from addon.solvers.search.hook_search import (
    Evaluator,
    HookSearch,
    choose_hook,
    counted_fingers,
    drain_hook,
    search_hook,
)
from addon.solvers.surface import build_surface
from addon.solvers.surface.quick import QuickDistance

UP = np.array([0.0, 0.0, 1.0])
PALM = np.array([0.0, -1.0, 0.0])
SHOULDER = np.array([0.1, -0.5, 0.3])
SHAPES: dict[str, Distance] = {
    "ball": hands.ball((0.0, 0.0, 0.0), 0.03),
    "box": hands.box((0.005, 0.0, 0.0), (0.03, 0.05, 0.09)),
    "torus": lambda points: shapes.torus_distance(points, 0.04, 0.012),
    "nothing": hands.ball((9.0, 0.0, 0.0), 0.03),
}


@pytest.mark.parametrize("shape", list(SHAPES))
@pytest.mark.parametrize("depth", [0.0, 1e-3])
def test_many_wrists_close_in_exactly_the_published_steps(shape: str, depth: float) -> None:
    skin = small.three_fingers()
    attempt = small.attempt_at(skin)
    movement = build_steps(skin.coarse, attempt.start, attempt.end, attempt.fingers)
    wrists = place_hands(small.random_rotations(12, 3), attempt.hook, attempt.centre)
    found = close_in_steps(movement, wrists, SHAPES[shape], depth=depth)
    for row, wrist in enumerate(wrists):
        one = Movement(attempt.start[None], attempt.end[None], wrist[None], np.array(attempt.fingers))
        literal = close_literally(skin.coarse, one, SHAPES[shape], depth=depth)
        np.testing.assert_array_equal(found.steps[row], literal.steps)
        np.testing.assert_allclose(found.angles[row], literal.angles, atol=1e-12)
        assert (literal.touched[found.touched[row]] == 1).all()
        for f in range(3):
            mine = skin.hand.finger_of == f
            assert found.touched[row, mine].any() == (literal.touched[mine] == 1).any()


def test_fingers_that_do_not_close_make_no_step_and_few_distances_are_asked_for() -> None:
    skin = small.three_fingers()
    attempt = small.attempt_at(skin)
    some = np.array([True, False, True])
    movement = build_steps(skin.coarse, attempt.start, attempt.end, some)
    asked = 0

    def counting(points: FloatArray) -> FloatArray:
        nonlocal asked
        asked += len(points)
        return SHAPES["ball"](points)

    found = close_in_steps(movement, place_hands(small.random_rotations(8, 1), attempt.hook, attempt.centre), counting)
    assert not found.steps[:, skin.hand.finger_of == 1].any()
    assert found.steps[:, skin.hand.finger_of != 1].any()
    assert asked < 0.4 * 8 * len(skin.coarse.probes.points) * 20


def test_skin_that_follows_several_joints_is_refused() -> None:
    skin = hands.demo_skin()
    m = len(skin.hand.finger_of)
    with pytest.raises(PrehendError, match="capsules"):
        build_steps(skin.fine, np.zeros((m, 3)), np.zeros((m, 3)), np.ones(5, dtype=np.bool_))


@pytest.mark.parametrize("shape", list(SHAPES))
def test_hands_are_moved_back_as_far_as_looking_at_every_step_says(shape: str) -> None:
    skin = small.three_fingers()
    attempt = small.attempt_at(skin)
    problem = small.problem_of(skin, SHAPES[shape], attempt)
    options = HookSearch(lift=3e-3, most_lifts=12)
    rotations = small.random_rotations(10, 5)
    freed = Evaluator(problem, attempt, options).free(rotations)
    literally = small.Literally(problem, attempt, options, None)
    for rotation, wrist, lift in zip(rotations, freed.wrists, freed.lifts, strict=True):
        expected, free = literally.wrist(rotation)
        assert np.isfinite(lift) == free
        np.testing.assert_allclose(wrist, expected, atol=1e-12)


def test_the_lift_off_a_half_space_is_its_closed_form_and_has_a_bound() -> None:
    wrists = np.array([np.hstack([np.eye(3), [[0.0], [-0.05], [0.0]]])])
    places, radii = np.zeros((1, 3)), np.array([0.01])

    def free(most: int):
        back = np.array([0.0, 1.0, 0.0])
        return translate_to_free(wrists, places, radii, back, hands.plane(0.0), step=7e-3, most=most)

    # 60 mm are missing: nine steps of 7 mm.
    assert free(9).lifts[0] == pytest.approx(0.063)
    assert free(9).gaps[0, 0] == pytest.approx(0.003)
    assert np.isinf(free(8).lifts[0])


@pytest.mark.parametrize("kind", ["power", "precision"])
@pytest.mark.parametrize("shape", list(SHAPES))
def test_quality_is_the_published_sum(kind: Literal["power", "precision"], shape: str) -> None:
    skin = small.three_fingers()
    attempt = small.attempt_at(skin)
    problem = small.problem_of(skin, SHAPES[shape], attempt)
    options = HookSearch(kind=kind, wrist_range=None, weights=QualityWeights(4.0, 2.0, 0.5))
    literally = small.Literally(problem, attempt, options, SHOULDER)
    rotations = small.random_rotations(6, 7)
    _, _, found = Evaluator(problem, attempt, options).evaluate(rotations, np.eye(3), SHOULDER)
    np.testing.assert_allclose(found, [literally.quality(rotation) for rotation in rotations], atol=1e-9)


def test_published_weights() -> None:
    weights = QualityWeights()
    assert (weights.centre, weights.fingers, weights.wrist) == (5.0, 1.0, 1.0)


@pytest.mark.parametrize("tips", [False, True])
def test_a_finger_that_touches_is_never_worse_than_one_that_does_not(tips: bool) -> None:
    skin = small.three_fingers()
    hand, rng = skin.hand, np.random.default_rng(2)
    m = len(hand.finger_of)
    angles = rng.uniform(0.0, 1.5, (50, m, 3))
    wrists = place_hands(small.random_rotations(50, 9), np.zeros(3), np.array([0.0, -0.03, 0.08]))
    touched = rng.random((50, m)) < 0.3
    reached = rng.integers(0, 4, (50, m)) / 4.0

    def fingers(touch):
        return measure_distances(
            hand,
            bone_ends(hand),
            wrists,
            angles,
            reached,
            touch,
            fingers=np.ones(3, dtype=np.bool_),
            hook=np.zeros(3),
            centre=np.zeros(3),
            shoulder=None,
            tips=tips,
        )

    some, none = fingers(touched), fingers(np.zeros_like(touched))
    assert (some.fingers <= none.fingers + 1e-12).all()
    assert (some.fingers[some.touching > 0] < none.fingers[some.touching > 0]).all()
    assert (none.touching == 0).all()


def test_the_bone_that_touched_first_is_the_last_of_those_that_came_least_far() -> None:
    hand = small.three_fingers().hand
    reached = np.array([[0.2, 0.4, 0.5, 0.5, 0.9, 1.0, 1.0, 1.0]])
    assert first_touching(hand, reached).tolist() == [[0, 3, 7]]


def test_the_start_pose_points_from_the_shoulder_to_the_hook_with_the_palm_down() -> None:
    turn = start_rotation(np.array([0.0, -0.5, 0.2]), np.zeros(3), PALM, UP)
    np.testing.assert_allclose(turn[:, 2], np.array([0.0, 0.5, -0.2]) / np.hypot(0.5, 0.2), atol=1e-12)
    assert (turn @ PALM)[2] < -0.9
    assert abs((turn @ PALM)[0]) < 1e-12
    np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(turn) == pytest.approx(1.0)
    # Straight above there is no telling where down is, and grippers have no palm.
    for shoulder, palm in ((UP, PALM), (np.zeros(3), PALM), (SHOULDER, np.array([0.0, 0.0, 1.0]))):
        again = start_rotation(shoulder, np.zeros(3), palm, UP)
        np.testing.assert_allclose(again @ again.T, np.eye(3), atol=1e-12)


def test_steps_go_one_angle_both_ways_about_the_frames_own_axes() -> None:
    start = small.random_rotations(1, 4)[0]
    found = seven_rotations(start, 0.3)
    expected = [start]
    for axis in np.eye(3):
        expected += [start @ matrix_from_axis_angle(axis, 0.3), start @ matrix_from_axis_angle(axis, -0.3)]
    np.testing.assert_allclose(found, expected, atol=1e-12)
    for axis in range(3):
        rows = [0, 1 + 2 * axis, 2 + 2 * axis]
        np.testing.assert_allclose(three_rotations(start, axis, 0.3), found[rows], atol=1e-12)


def test_the_grid_holds_every_combination_of_angles() -> None:
    start = small.random_rotations(1, 6)[0]
    found = grid_rotations(start, 4)
    assert len(found) == 64
    wanted = start @ rotation_from_angles(np.radians([90.0, 180.0, 270.0]))
    assert min(angle_between(each, wanted) for each in found) < 1e-7


@pytest.mark.parametrize("left", [False, True])
@pytest.mark.parametrize(
    ("axis", "low", "high"), [(2, -70.0, 145.0), (0, -45.0, 45.0), (1, -30.0, 30.0)], ids=["roll", "bend", "aside"]
)
def test_the_wrist_range_ends_where_published(axis: int, low: float, high: float, left: bool) -> None:
    start = small.random_rotations(1, 8)[0]
    if left and axis == 2:
        low, high = -high, -low
    for degrees, inside in ((low + 0.1, True), (high - 0.1, True), (low - 0.1, False), (high + 0.1, False)):
        turned = start @ matrix_from_axis_angle(np.eye(3)[axis], np.radians(degrees))
        assert WristRange().allows(start, turned[None], left=left)[0] == inside


def test_a_right_hand_rolls_its_palm_up_further_than_down() -> None:
    start = start_rotation(np.array([0.0, -0.5, 0.0]), np.zeros(3), PALM, UP)
    rolled = start @ matrix_from_axis_angle([0.0, 0.0, 1.0], np.radians(140.0))
    assert WristRange().allows(start, rolled[None])[0]
    # Half-way the thumb, on the right hand's +x, points up.
    half = start @ matrix_from_axis_angle([0.0, 0.0, 1.0], np.radians(90.0))
    assert half[2, 0] == pytest.approx(1.0)
    assert (rolled @ PALM)[2] > 0.7


def test_poses_out_of_range_are_minus_infinity_and_never_chosen() -> None:
    skin = small.three_fingers()
    attempt = small.attempt_at(skin)
    problem = small.problem_of(skin, SHAPES["box"], attempt)
    evaluator = Evaluator(problem, attempt, HookSearch())
    start = start_rotation(SHOULDER, attempt.hook, PALM, UP)
    rotations = seven_rotations(start, np.radians(50.0))
    _, _, values = evaluator.evaluate(rotations, start, SHOULDER)
    assert np.isfinite(values).tolist() == [True, False, False, False, False, True, True]
    for progress in search_hook(
        problem, attempt, HookSearch(angle=None), np.random.default_rng(0), max_steps=15, shoulder=SHOULDER
    ):
        assert WristRange().allows(start, progress.pose.rotation[None])[0]


@pytest.mark.parametrize("step", ["seven", "three"])
@pytest.mark.parametrize("angle", [0.2, None], ids=["fixed", "random"])
@pytest.mark.parametrize("shape", ["box", "torus"])
def test_the_search_takes_the_same_way_as_one_pose_at_a_time(
    step: Literal["seven", "three"], angle: float | None, shape: str
) -> None:
    skin = small.three_fingers()
    attempt = small.attempt_at(skin)
    problem = small.problem_of(skin, SHAPES[shape], attempt)
    options = HookSearch(step=step, angle=angle, wrist_range=None, most_lifts=20)
    literally = small.Literally(problem, attempt, options, SHOULDER)
    rotation = start_rotation(SHOULDER, attempt.hook, PALM, UP)
    rng = np.random.default_rng(11)
    fast = search_hook(problem, attempt, options, np.random.default_rng(11), max_steps=4, shoulder=SHOULDER)
    for number, progress in enumerate(fast):
        turn = rng.uniform(0.0, np.pi) if angle is None else angle
        best, value = rotation, literally.quality(rotation)
        for axis in range(3) if step == "seven" else [number % 3]:
            for sign in (1.0, -1.0):
                tried = rotation @ matrix_from_axis_angle(np.eye(3)[axis], sign * turn)
                rated = literally.quality(tried)
                if rated > value + 1e-12:
                    best, value = tried, rated
        rotation = best
        np.testing.assert_allclose(progress.pose.rotation, rotation, atol=1e-9)
        assert progress.pose.quality == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("closing", ["steps", "measured", "literal"])
def test_quality_never_falls_and_the_seed_decides(closing: Literal["steps", "measured", "literal"]) -> None:
    skin = small.three_fingers()
    attempt = small.attempt_at(skin)
    problem = small.problem_of(skin, SHAPES["box"], attempt)
    options = HookSearch(angle=None, closing=closing)
    most = 3 if closing == "literal" else 12

    def run() -> list[float]:
        steps = search_hook(problem, attempt, options, np.random.default_rng(5), max_steps=most, shoulder=SHOULDER)
        return [progress.pose.quality for progress in steps]

    values = run()
    assert values == run()
    assert len(values) == most
    assert (np.diff(values) >= 0.0).all()


def test_a_fixed_angle_ends_at_a_pose_without_better_neighbours() -> None:
    skin = small.three_fingers()
    attempt = small.attempt_at(skin)
    problem = small.problem_of(skin, SHAPES["box"], attempt)
    options = HookSearch(angle=0.2)
    steps = search_hook(problem, attempt, options, np.random.default_rng(0), max_steps=60, shoulder=SHOULDER)
    pose = drain_hook(steps)
    evaluator = Evaluator(problem, attempt, options)
    start = start_rotation(SHOULDER, attempt.hook, PALM, UP)
    _, _, values = evaluator.evaluate(seven_rotations(pose.rotation, 0.2), start, SHOULDER)
    assert values.argmax() == 0


def test_the_first_guess_is_the_grids_nearest_to_the_hook() -> None:
    skin = small.three_fingers()
    attempt = small.attempt_at(skin)
    problem = small.problem_of(skin, SHAPES["box"], attempt)
    options = HookSearch(approximate=3, wrist_range=None, lift=5e-3, most_lifts=14)
    start = start_rotation(SHOULDER, attempt.hook, PALM, UP)
    literally = small.Literally(problem, attempt, options, None)
    best, nearest = start, np.inf
    for rotation in [start, *grid_rotations(start, 3)]:
        wrist, free = literally.wrist(rotation)
        away = np.linalg.norm(wrist[:, :3] @ attempt.centre + wrist[:, 3]) if free else np.inf
        if away < nearest - 1e-9:
            best, nearest = rotation, away
    np.testing.assert_allclose(Evaluator(problem, attempt, options).approximate(start), best, atol=1e-12)


def test_the_search_begins_anew_when_the_character_has_gone_round_by_ten_degrees() -> None:
    about = [np.array([np.sin(a), -np.cos(a), 0.4]) for a in np.radians([0.0, 9.9, 10.1])]
    assert not has_turned(np.zeros(3), about[0], about[1], UP)
    assert has_turned(np.zeros(3), about[0], about[2], UP)
    # Up and down and nearer do not count.
    assert not has_turned(np.zeros(3), about[0], 0.5 * about[0] + 3.0 * UP, UP)
    skin = small.three_fingers()
    attempt = small.attempt_at(skin)
    problem = small.problem_of(skin, SHAPES["box"], attempt)
    where = [about[0]]
    steps = search_hook(
        problem, attempt, HookSearch(), np.random.default_rng(0), max_steps=4, shoulder=lambda: where[-1]
    )
    assert next(steps).restarts == 0
    where.append(about[1])
    assert next(steps).restarts == 0
    where.append(about[2])
    began = next(steps)
    assert began.restarts == 1
    fresh = search_hook(problem, attempt, HookSearch(), np.random.default_rng(0), max_steps=1, shoulder=about[2])
    assert next(fresh).pose.quality == began.pose.quality
    assert next(steps).restarts == 1


def test_the_nearest_of_several_hooks_is_taken() -> None:
    skin = small.three_fingers()
    attempts = tuple(small.attempt_at(skin, hook) for hook in ((0.0, 0.0, 0.0), (0.2, 0.0, 0.0), (0.0, 0.3, 0.0)))
    assert [choose_hook(attempts, np.array(place)) for place in ((0.01, 0, 0), (0.5, 0, 0), (0, 0.16, 0))] == [0, 1, 2]


def test_precision_counts_thumb_and_the_finger_beside_it() -> None:
    skin = small.three_fingers()
    attempt = small.attempt_at(skin)
    problem = small.problem_of(skin, SHAPES["box"], attempt)
    assert counted_fingers(problem, attempt, "precision").tolist() == [True, True, False]
    assert counted_fingers(problem, attempt, "power").all()
    without = replace(attempt, fingers=np.array([False, True, True]))
    assert counted_fingers(problem, without, "precision").tolist() == [False, True, True]


def test_quick_distances_are_the_grids() -> None:
    surface = build_surface(*shapes.turned(shapes.torus()), cell=3e-3)
    points = np.random.default_rng(1).uniform(-0.1, 0.1, (3000, 3))
    points[0], points[1] = surface.grid.high, surface.grid.origin
    np.testing.assert_allclose(QuickDistance(surface.grid)(points), surface.grid.lookup(points).distances, atol=1e-9)
