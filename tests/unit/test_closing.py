# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Closing on shapes with closed forms, against the published simulation, and on the demo hand's own skin."""

from __future__ import annotations

from dataclasses import replace

import closing_hands as hands
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from addon.core.arrays import BoolArray, FloatArray, IntArray
from addon.hands.forward import forward
from addon.hands.movements import movement_angles
from addon.hands.skinning import deform_linear, deform_volume
from addon.presets.movements import load_movements
from addon.shapes.hand.spec import Side
from addon.solvers.closing import EVERY_WAY, ITSELF, OBJECT, OBSTACLE, USUAL, Closing, Movement, Scene, close
from addon.solvers.closing.advance import advance
from addon.solvers.closing.clearance import Blocks
from addon.solvers.closing.literal import close_literally
from addon.solvers.closing.measure import measure_all, measure_near, near_gaps
from addon.solvers.closing.motion import Skinned
from addon.solvers.closing.own_body import thumb_meets_others
from addon.solvers.closing.posing import Posing

RANGES = np.tile([[-1.0, 2.0], [-0.3, 0.3], [-0.3, 0.3]], (3, 1, 1))
TENTH = 1e-4


def shut(skin, movement: Movement, scene: Scene, ranges: FloatArray = RANGES, **options) -> Closing:
    return close(skin, movement, scene, ranges[: movement.start.shape[1]], ways=USUAL, **options)


def test_one_bone_stops_on_a_plane_at_the_angle_of_the_closed_form() -> None:
    skin = hands.one_finger(0.05)
    found = shut(skin, hands.bend(1, 90.0), hands.scene(hands.plane(-0.03)))
    # The far end, 50 mm out with a radius of 8 mm, is 30 mm down.
    assert found.angles[0, 0, 0] == pytest.approx(np.arcsin((0.03 - hands.RADIUS) / 0.05), abs=TENTH / 0.05)
    assert found.stopped_by[0, 0] == OBJECT


@pytest.mark.parametrize("depth", [0.0, 3e-4, 2e-3])
def test_soft_skin_goes_as_deep_as_it_gives(depth: float) -> None:
    found = shut(hands.one_finger(0.05), hands.bend(1, 90.0), hands.scene(hands.plane(-0.03), depth))
    assert found.angles[0, 0, 0] == pytest.approx(np.arcsin((0.03 + depth - hands.RADIUS) / 0.05), abs=TENTH / 0.05)


def _distance_to_segments(found: Closing, lengths: tuple[float, ...], centre: FloatArray) -> FloatArray:
    """Distance in the y, z plane of a point from each bone of a finger that bends there. Shape (m,)."""
    out: list[float] = []
    at, turn = np.zeros(2), 0.0
    for flexion, length in zip(found.angles[0, :, 0], lengths, strict=True):
        turn += flexion
        along = np.array([-np.sin(turn), np.cos(turn)])
        t = np.clip((centre - at) @ along, 0.0, length)
        out.append(float(np.linalg.norm(centre - at - t * along)))
        at = at + length * along
    return np.array(out)


@pytest.mark.parametrize("radius", [0.01, 0.02, 0.035])
@pytest.mark.parametrize("solid", ["rod", "ball"])
def test_a_finger_wraps_round_rods_and_balls(solid: str, radius: float) -> None:
    lengths = (0.045, 0.028, 0.022)
    centre = np.array([-radius - hands.RADIUS - 0.004, 0.03])
    shape = (
        hands.rod(float(centre[0]), float(centre[1]), radius)
        if solid == "rod"
        else hands.ball((0.0, float(centre[0]), float(centre[1])), radius)
    )
    found = shut(hands.one_finger(*lengths), hands.bend(3, 90.0, 100.0, 70.0), hands.scene(shape))
    gaps = _distance_to_segments(found, lengths, centre) - radius - hands.RADIUS
    assert gaps.min() > -TENTH
    touching = found.stopped_by[0] == OBJECT
    assert touching[0]
    np.testing.assert_allclose(gaps[touching], 0.0, atol=TENTH)
    # The proximal bone stops, and the others wrap on.
    assert found.shares[0, 1] > found.shares[0, 0] + 0.02


def test_closing_is_the_published_simulation_with_ever_smaller_steps() -> None:
    skin, movement = hands.one_finger(0.045, 0.028, 0.022), hands.bend(3, 90.0, 100.0, 70.0)
    shape = hands.rod(-0.032, 0.03, 0.02)
    found = shut(skin, movement, hands.scene(shape))
    errors: list[float] = []
    for steps in (25, 400):
        literal = close_literally(skin.fine, movement, shape, steps=steps)
        np.testing.assert_array_equal(literal.touched == 1, found.stopped_by[0] == OBJECT)
        errors.append(float(np.abs(literal.steps / steps - found.shares[0]).max()))
    # It stops a step too late, and what comes after that bone is off by a few.
    assert errors[1] < errors[0] / 3.0
    assert errors[1] < 5.0 / 400.0


def test_a_bone_that_touches_stops_its_ancestors_and_not_its_descendants() -> None:
    skin, movement = hands.one_finger(0.045, 0.028, 0.022), hands.bend(3, 90.0, 100.0, 70.0)
    # A peg that only the middle bone meets.
    literal = close_literally(skin.fine, movement, hands.rod(-0.03, 0.052, 0.004), steps=40)
    assert literal.touched.tolist() == [0, 1, 0] or literal.touched.tolist() == [0, 1, 1]
    assert literal.steps[0] == literal.steps[1] < literal.steps[2]


def test_nothing_in_reach_gives_the_end_of_the_movement() -> None:
    movement = hands.bend(3, 40.0, 50.0, 30.0)
    found = shut(hands.one_finger(0.045, 0.028, 0.022), movement, hands.scene(hands.plane(-1.0)))
    np.testing.assert_allclose(found.angles, movement.end)
    assert not found.stopped_by.any()


def test_a_finger_that_begins_inside_is_told_and_goes_no_deeper() -> None:
    skin = hands.one_finger(0.05)
    found = shut(skin, hands.bend(1, 60.0), hands.scene(hands.plane(-0.005)))
    assert found.depths[0, 0] == pytest.approx(0.003, abs=TENTH)
    assert found.shares[0, 0] < 0.02


def test_obstacles_are_kept_clear_of_and_do_not_count_as_touched() -> None:
    skin = hands.one_finger(0.05)
    scene = Scene(hands.plane(-0.04), hands.plane(-0.04), 0.0, obstacles=hands.plane(-0.02), clear=1e-3)
    found = shut(skin, hands.bend(1, 90.0), scene)
    assert found.stopped_by[0, 0] == OBSTACLE
    assert found.angles[0, 0, 0] == pytest.approx(np.arcsin((0.02 - 1e-3 - hands.RADIUS) / 0.05), abs=TENTH / 0.05)


def demo_movement(name: str, wrists: FloatArray = hands.STILL, *, variant: str = "human", side: Side = "R") -> Movement:
    angles = movement_angles(hands.demo_model(variant, side), load_movements()[name])
    count = len(wrists)
    return Movement(
        np.repeat(angles.start[None], count, axis=0),
        np.repeat(angles.end[None], count, axis=0),
        wrists,
        np.array(angles.taking_part),
    )


def wrists_round(distance: float, count: int, seed: int) -> FloatArray:
    """Frames whose palm faces the origin from somewhere, 90 mm along the hand."""
    rng = np.random.default_rng(seed)
    out = np.empty((count, 3, 4))
    for row in out:
        turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        turn *= np.sign(np.linalg.det(turn))
        row[:, :3] = turn
        row[:, 3] = -turn @ np.array([0.0, -distance, 0.09])
    return out


@pytest.mark.parametrize(("variant", "side"), [("human", "R"), ("human", "L"), ("cartoon", "R"), ("six_finger", "R")])
@pytest.mark.parametrize("radius", [0.02, 0.035])
def test_every_vertex_of_the_skin_ends_on_or_outside_a_ball(variant: str, side: Side, radius: float) -> None:
    skin, model = hands.demo_skin(variant, side), hands.demo_model(variant, side)
    distance = hands.ball((0.0, 0.0, 0.0), radius)
    movement = demo_movement("power_sphere", wrists_round(radius + 0.022, 3, 5), variant=variant, side=side)
    found = close(skin, movement, hands.scene(distance, 3e-4), model.limits.ranges)
    near = measure_all(skin.fine, found.angles, movement.wrists, distance)
    assert near.gaps[:, :-1].min() > -5e-4
    touched = found.stopped_by == OBJECT
    assert touched.any(axis=1).all()
    assert near.gaps[:, :-1][touched].max() < -3e-4 + 1.5 * TENTH
    low, high = model.limits.ranges[..., 0], model.limits.ranges[..., 1]
    assert (found.angles > low - 1e-9).all()
    assert (found.angles < high + 1e-9).all()


def test_last_joints_follow_the_middle_ones_and_give_little_at_contact() -> None:
    skin, model = hands.demo_skin(), hands.demo_model()
    movement = demo_movement("power_sphere", wrists_round(0.055, 12, 3))
    found = close(skin, movement, hands.scene(hands.ball((0.0, 0.0, 0.0), 0.035), 3e-4), model.limits.ranges)
    limits = model.limits
    excess = found.angles[:, limits.followers, 0] - limits.ratios * found.angles[:, limits.leaders, 0]
    assert excess.max() < 0.35 + np.radians(6.0)


def test_many_postures_at_once_close_as_each_alone() -> None:
    skin, model = hands.demo_skin(), hands.demo_model()
    movement = demo_movement("power_sphere", wrists_round(0.06, 5, 11))
    scene = hands.scene(hands.ball((0.0, 0.0, 0.0), 0.035), 3e-4)
    together = close(skin, movement, scene, model.limits.ranges)
    for a in range(5):
        one = slice(a, a + 1)
        alone = close(
            skin,
            replace(movement, start=movement.start[one], end=movement.end[one], wrists=movement.wrists[one]),
            scene,
            model.limits.ranges,
        )
        np.testing.assert_allclose(together.angles[one], alone.angles, atol=2e-3)


@pytest.mark.parametrize("shape", ["box", "plate", "comb"])
def test_closing_many_hands_on_edges_takes_few_rounds(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    boxes = {
        "box": [hands.box((0.0, 0.0, 0.0), (0.05, 0.03, 0.2))],
        "plate": [hands.box((0.0, 0.0, 0.0), (0.1, 0.002, 0.2))],
        "comb": [hands.box((0.0, 0.0, 0.012 * k), (0.06, 0.05, 0.003)) for k in range(-6, 7)],
    }[shape]
    rounds: list[int] = []

    def count(*arguments):
        found = advance(*arguments)
        rounds.append(found.rounds)
        return found

    monkeypatch.setattr("addon.solvers.closing.solve.advance", count)
    scene = hands.scene(lambda points: np.min([each(points) for each in boxes], axis=0))
    movement = demo_movement("medium_diameter", wrists_round(0.05, 150, 3))
    close(hands.demo_skin(), movement, scene, hands.demo_model().limits.ranges, ways=USUAL, fine=False)
    # A finger that makes no progress goes on until all rounds are made. All fingers close at once, and thumbs once more
    # where they may have come upon the others.
    assert len(rounds) in (1, 2)
    assert max(rounds) < 40


@given(st.integers(0, 10_000), st.floats(0.012, 0.05), st.floats(-0.004, 0.012))
@settings(max_examples=12, deadline=None)
def test_no_vertex_is_deep_wherever_a_box_is(seed: int, half: float, gap: float) -> None:
    skin, model = hands.demo_skin(), hands.demo_model()
    distance = hands.box((0.0, 0.0, 0.0), (2.0 * half, 0.05, 0.03))
    movement = demo_movement("medium_diameter", wrists_round(half + 0.03 + gap, 1, seed))
    found = close(skin, movement, hands.scene(distance, 3e-4), model.limits.ranges)
    before = measure_all(skin.fine, movement.start, movement.wrists, distance).gaps[:, :-1]
    after = measure_all(skin.fine, found.angles, movement.wrists, distance).gaps[:, :-1]
    # Fingers that began inside may be turned aside but not pressed deeper.
    clear = (found.depths <= 0.0)[:, model.finger_of] & (before > 0.0)
    assert (after[clear] > -5e-4).all()


def test_fingertips_stop_at_the_palm_and_the_thumb_at_the_fingers() -> None:
    skin, model = hands.demo_skin(), hands.demo_model()
    movement = demo_movement("small_diameter")
    end = movement.end.copy()
    end[:, :, 0] = np.where(movement.fingers[model.finger_of], model.limits.ranges[:, 0, 1], end[:, :, 0])
    movement = replace(movement, end=end)
    found = close(skin, movement, hands.scene(hands.plane(-5.0)), model.limits.ranges, ways=USUAL)
    assert (found.stopped_by == ITSELF).any()
    # The middle finger passes the palm by two millimetres at its very end.
    assert (found.shares[0, model.last_joints[1:]] < 1.0).sum() == 3


def test_a_finger_goes_aside_rather_than_ride_on_an_edge() -> None:
    skin, model = hands.demo_skin(), hands.demo_model()
    # A wall under the index finger that ends in its middle: only its side would touch the edge.
    index = model.fingers.index("index")
    knuckle = skin.hand.rest.origins[model.joints("index")[0]]
    distance = hands.box((knuckle[0] + 0.025 + 0.004, -0.05, 0.12), (0.05, 0.05, 0.2))
    movement = replace(demo_movement("medium_diameter"), fingers=np.arange(len(model.fingers)) == index)
    usual = close(skin, movement, hands.scene(distance, 3e-4), model.limits.ranges, ways=USUAL)
    free = close(skin, movement, hands.scene(distance, 3e-4), model.limits.ranges, ways=EVERY_WAY)
    assert usual.way.aside[0, index] == 0.0
    assert free.way.aside[0, index] != 0.0


def test_rough_bounds_find_the_nearest_vertices_that_asking_all_finds() -> None:
    skin = hands.demo_skin()
    movement = demo_movement("power_sphere", wrists_round(0.05, 2, 7))
    distance = hands.ball((0.0, 0.0, 0.0), 0.035)
    every = measure_all(skin.fine, movement.start, movement.wrists, distance)
    quick = measure_near(skin.fine, movement.start, movement.wrists, distance, within=0.01)
    near = every.gaps < 0.01
    np.testing.assert_allclose(quick.gaps[near], every.gaps[near], atol=1e-12)
    assert (quick.gaps[~near] <= every.gaps[~near] + 1e-12).all()
    gaps = near_gaps(skin.fine, movement.start, movement.wrists, distance, within=0.01)
    np.testing.assert_allclose(gaps[near], every.gaps[near], atol=1e-12)
    assert (gaps[~near] <= every.gaps[~near] + 1e-12).all()


@pytest.mark.parametrize("deepest", [1e-3, -5e-4])
def test_a_coarse_distance_finds_the_nearest_vertices_if_an_exact_one_is_asked_for_those(deepest: float) -> None:
    skin = hands.demo_skin().fine
    movement = demo_movement("power_sphere", wrists_round(0.05, 2, 7))
    apart = measure_all(skin, movement.start, movement.wrists, hands.ball((0.0, 0.0, 0.0), 0.0)).gaps
    exact = hands.ball((0.0, 0.0, 0.0), float(apart.min()) + deepest)

    def coarse(points: FloatArray) -> FloatArray:
        found = exact(points)
        return found + 5e-5 * np.sin(1e4 * points[:, 0]) + 0.1 * np.maximum(found, 0.0) * np.sin(1e3 * points[:, 1])

    every = measure_all(skin, movement.start, movement.wrists, exact)
    found = measure_near(skin, movement.start, movement.wrists, coarse, within=0.01, precise=exact)
    touching, near = every.gaps < 8e-4, every.gaps < 0.008
    assert touching.any()
    np.testing.assert_allclose(found.gaps[touching], every.gaps[touching], atol=1e-12)
    np.testing.assert_array_equal(found.probes[touching], every.probes[touching])
    beside = near & ~touching
    assert beside.any()
    assert (np.abs(found.gaps - every.gaps) <= 5e-5 + 0.1 * every.gaps + 1e-12)[beside].all()


def test_one_posture_at_many_wrists_is_where_each_of_them_has_it() -> None:
    skin, movement = hands.demo_skin().fine, demo_movement("power_sphere", wrists_round(0.05, 3, 5))
    every = skin.all_positions(skin.motions(movement.end, movement.wrists))
    np.testing.assert_allclose(skin.positions_at(movement.end[0], movement.wrists), every, atol=1e-12)


@pytest.mark.parametrize("away", [0.0, 1000.0])
def test_distances_from_capsules_are_those_of_segments_and_radii(away: float) -> None:
    rng = np.random.default_rng(5)
    starts = rng.normal(size=(4, 6, 3)) * 0.05 + away
    lengths, radii = np.array([0.0, 0.01, 0.02, 0.03, 0.04, 0.05]), rng.uniform(0.004, 0.01, (6, 2))
    along = rng.normal(size=(4, 6, 3))
    spans = lengths[:, None] * along / np.linalg.norm(along, axis=2, keepdims=True)
    blocks = Blocks(starts, spans, radii)
    points = starts.mean(axis=1)[:, None] + rng.normal(size=(4, 30, 3)) * 0.05
    # At the very axis the square of the distance is nothing but rounding.
    points[:, :5] = starts[:, 1:] + 0.3 * spans[:, 1:]
    expected = np.empty((4, 30, 6))
    for a, q, k in np.ndindex(4, 30, 6):
        span = spans[a, k]
        share = np.clip((points[a, q] - starts[a, k]) @ span / max(float(span @ span), 1e-18), 0.0, 1.0)
        off = np.linalg.norm(points[a, q] - starts[a, k] - share * span)
        expected[a, q, k] = off - (radii[k, 0] + share * (radii[k, 1] - radii[k, 0]))
    np.testing.assert_allclose(blocks.distances_of(points), expected, atol=1e-8)
    order = rng.permutation(120)
    found = blocks.distances(np.repeat(np.arange(4), 30)[order], points.reshape(-1, 3)[order])
    np.testing.assert_allclose(found, expected.reshape(-1, 6)[order], atol=1e-8)
    some = np.array([4, 1])
    np.testing.assert_allclose(blocks.of_some(some).distances_of(points), expected[..., some], atol=1e-8)


def test_points_are_never_farther_from_their_speakers_than_is_said() -> None:
    skin, model = hands.demo_skin().fine, hands.demo_model()
    low, high = model.limits.ranges[..., 0], model.limits.ranges[..., 1]
    angles = low + np.random.default_rng(11).random((20, *low.shape)) * (high - low)
    motions = skin.motions(angles, np.repeat(hands.STILL, 20, axis=0))
    places = skin.all_positions(motions)
    apart = np.linalg.norm(places - places[:, skin.leads], axis=2)
    assert (apart <= skin.spreads + 1e-12).all()
    assert np.median(skin.spreads) < 0.012, "and that says something"
    posture, point = np.repeat(np.arange(20), 50), np.tile(np.arange(0, 5000, 100), 20)
    np.testing.assert_allclose(skin.some_positions(motions, posture, point), places[posture, point], atol=1e-12)


def test_hands_without_a_closing_finger_keep_their_start() -> None:
    skin, model = hands.demo_skin(), hands.demo_model()
    movement = replace(demo_movement("power_sphere"), fingers=np.zeros(len(model.fingers), dtype=np.bool_))
    found = close(skin, movement, hands.scene(hands.plane(-0.05)), model.limits.ranges)
    np.testing.assert_array_equal(found.angles, movement.start)
    assert advance(skin.fine, movement, []).rounds == 0


@pytest.mark.parametrize("volume", [False, True])
def test_skin_goes_where_the_armature_modifier_takes_it(volume: bool) -> None:
    model = hands.demo_model()
    assert model.skin is not None
    rng = np.random.default_rng(4)
    low, high = model.limits.ranges[..., 0], model.limits.ranges[..., 1]
    angles = low + rng.random((2, *low.shape)) * (high - low)
    probes = hands.demo_skin().fine.probes
    skinned = Skinned(hands.demo_skin().hand, replace(probes, volume=np.full(len(probes.points), volume)))
    found = skinned.all_positions(skinned.motions(angles, np.repeat(hands.STILL, 2, axis=0)))
    rest = forward(model, model.rest_angles)
    for posture, places in zip(angles, found, strict=True):
        frames = forward(model, posture)
        turns = frames.rotations @ np.swapaxes(rest.rotations, -1, -2)
        moves = frames.origins - (turns @ rest.origins[..., None])[..., 0]
        truth = (deform_volume if volume else deform_linear)(model.skin, turns, moves)
        # Dual quaternions of several fingers do not add up; that skin is left to the check on the shown mesh.
        alone = np.setdiff1d(np.arange(len(truth)), skinned.shared) if volume else np.arange(len(truth))
        np.testing.assert_allclose(places[alone], truth[alone], atol=1e-9 if not volume else 1e-6)


@pytest.mark.parametrize("volume", [False, True])
@pytest.mark.parametrize("aside", [0.0, 0.2])
def test_posing_a_few_fingers_again_and_again_is_posing_the_whole_hand(aside: float, volume: bool) -> None:
    model, rng = hands.demo_model(), np.random.default_rng(8)
    probes = hands.demo_skin().fine.probes
    skinned = Skinned(hands.demo_skin().hand, replace(probes, volume=np.full(len(probes.points), volume)))
    wrists = wrists_round(0.1, 3, seed=2)
    movement = demo_movement("medium_diameter", wrists)
    fingers = np.array([finger in ("index", "ring") for finger in model.fingers])
    end = movement.end + np.array([0.0, aside, 0.0])
    movement = replace(movement, fingers=fingers, start=movement.start + 0.1, end=end + 0.1)
    shares = rng.random(movement.start.shape[:2])
    points = np.flatnonzero(np.isin(skinned.finger, np.flatnonzero(fingers)))
    posture = np.repeat([0, 1], len(points))
    posing = Posing(skinned, movement)
    posing.take(np.array([0, 2]))
    found = posing.positions(shares[[0, 2]], posture, np.tile(points, 2))
    motions = skinned.motions(movement.angles(shares), wrists)
    truth = skinned.positions(motions, np.array([0, 2])[posture], np.tile(points, 2))
    np.testing.assert_allclose(found, truth, atol=1e-12)


def test_posing_by_progress_is_posing_by_the_shares_that_joints_have_made_then() -> None:
    skinned, rng = hands.demo_skin().coarse, np.random.default_rng(3)
    movement = demo_movement("power_sphere", wrists_round(0.1, 4, seed=2))
    begin = 0.5 * rng.random(movement.start.shape[:2])
    movement = replace(movement, windows=np.stack([begin, begin + 0.1 + 0.4 * rng.random(begin.shape)], axis=-1))
    progress = rng.random(begin.shape)
    posing = Posing(skinned, movement)
    posing.take(np.array([1, 3]))
    points = np.flatnonzero(skinned.finger >= 0)
    posture = np.repeat([0, 1], len(points))
    found = posing.positions_at(progress, posture, np.tile(points, 2))
    truth = posing.positions(movement.shares(progress)[[1, 3]], posture, np.tile(points, 2))
    np.testing.assert_allclose(found, truth, atol=1e-15)


def test_thumbs_that_meet_no_finger_close_as_they_do_after_the_fingers(monkeypatch: pytest.MonkeyPatch) -> None:
    skin, model = hands.demo_skin(), hands.demo_model()
    thumb = np.flatnonzero(model.finger_of == model.fingers.index("thumb"))
    told: list[BoolArray] = []

    def note(*arguments):
        told.append(thumb_meets_others(*arguments))
        return told[-1]

    def always(*arguments):
        return np.ones(len(arguments[2]), dtype=np.bool_)

    movement = demo_movement("small_diameter", wrists_round(0.03, 60, 3))
    for radius in (0.006, 0.03):
        scene = hands.scene(hands.ball((0.0, 0.0, 0.0), radius))
        found: list[Closing] = []
        for meets in (note, always):
            monkeypatch.setattr("addon.solvers.closing.solve.thumb_meets_others", meets)
            found.append(close(skin, movement, scene, model.limits.ranges, ways=USUAL, fine=False))
        at_once, after = found
        clear = ~told[-1]
        # Fingers are not in the way of these: their thumbs must end there whether or not they were asked for.
        stopped = [(each.stopped_by[np.ix_(clear, thumb)] == ITSELF) for each in found]
        np.testing.assert_array_equal(stopped[0], stopped[1])
        np.testing.assert_allclose(at_once.shares[np.ix_(clear, thumb)], after.shares[np.ix_(clear, thumb)], atol=0.03)
        np.testing.assert_array_equal(at_once.angles[~clear], after.angles[~clear])
    assert any(each.any() for each in told), "some meet"
    assert any((~each).any() for each in told), "and some do not"


def test_a_finger_that_went_aside_into_the_object_closes_in_the_usual_way(monkeypatch: pytest.MonkeyPatch) -> None:
    def between_walls(points: FloatArray) -> FloatArray:
        return 0.012 - np.abs(points[:, 0])

    def go_aside(
        hand: object, tried: Movement, angles: FloatArray, near: object, depths: object, ways: list
    ) -> IntArray:
        return np.full((1, 1), [aside for _, aside in ways].index(0.16))

    monkeypatch.setattr("addon.solvers.closing.solve.choose_ways", go_aside)
    skin = hands.one_finger(0.05, 0.03, 0.02)
    found = close(skin, hands.bend(3, 40.0, 40.0, 30.0), hands.scene(between_walls), RANGES)
    assert found.way.aside[0, 0] == 0.0
    assert found.depths[0, 0] <= 1e-9
    np.testing.assert_allclose(found.shares, 1.0)
