# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The search for grasps on shapes with closed forms, with the demo hand's skin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import closing_hands as hands
import numpy as np
import pytest
import surface_shapes as shapes

from addon.core.arrays import FloatArray
from addon.core.rotations import unit
from addon.hands.contact_roles import face_wishes
from addon.hands.movements import grasp_axis, grasp_centre, movement_angles, opposition_axis, square_axis
from addon.presets.movements import load_movements
from addon.shapes.hand.spec import Side
from addon.solvers.closing import Closing, Distance, Nearness, measure_all
from addon.solvers.closing.variations import usual_way
from addon.solvers.search import Attempt, Candidate, Problem, SearchResult, back_off, drain, search
from addon.solvers.search.placing import CLEAR, hand_turns, lift_free, place_wrists
from addon.solvers.search.ranking import forearm_clearance, score_terms, total, upright

DEPTH = 3e-4
AXIS = np.array([0.0, 0.0, 1.0])
APPROACH = np.array([0.0, -1.0, 0.0])
SHAPES: dict[str, tuple[Distance, float, float, str, bool]] = {
    # Distance, thickness and radius of the whole in [m], a movement, and whether it is long along z.
    "ball": (hands.ball((0.0, 0.0, 0.0), 0.033), 0.066, 0.033, "power_sphere", False),
    "rod": (
        lambda p: np.maximum(np.hypot(p[:, 0], p[:, 1]) - 0.025, np.abs(p[:, 2]) - 0.09),
        0.05,
        0.092,
        "medium_diameter",
        True,
    ),
    "box": (hands.box((0.0, 0.0, 0.0), (0.04, 0.04, 0.12)), 0.04, 0.066, "medium_diameter", True),
    "torus": (lambda p: shapes.torus_distance(p, 0.05, 0.012), 0.024, 0.062, "small_diameter", False),
}


def slopes(distance: Distance) -> Callable[[FloatArray], FloatArray]:
    """Directions of growing distance by differences."""

    def measure(points: FloatArray) -> FloatArray:
        steps = 1e-6 * np.eye(3)
        return unit(np.stack([distance(points + each) - distance(points - each) for each in steps], axis=1))

    return measure


def build(shape: str, *movements: str, side: Side = "R") -> Problem:
    distance, thickness, radius, usual, long = SHAPES[shape]
    model = hands.demo_model(side=side)
    known = load_movements()
    hook = np.array([0.05, 0.0, 0.0]) if shape == "torus" else np.zeros(3)
    axis = AXIS if long else np.array([0.0, 1.0, 0.0]) if shape == "torus" else None
    attempts: list[Attempt] = []
    for key in movements or (usual,):
        movement, angles = known[key], movement_angles(model, known[key])
        attempts.append(
            Attempt(
                hook=hook,
                hook_axis=axis,
                hook_across=None,
                hook_length=0.12 if long else 0.03,
                start=angles.start,
                end=angles.end,
                fingers=angles.taking_part,
                centre=grasp_centre(model, movement, radius=thickness / 2.0),
                hand_axis=grasp_axis(model, movement),
                press_axis=opposition_axis(model, movement, radius=thickness / 2.0),
                palm=movement.centre.place == "palm",
                prior=1.0,
                label=(key, 0),
            )
        )
    return Problem(
        skin=skin_of(side),
        ranges=model.limits.ranges,
        approach=model.approach,
        thumb_way=np.array([{"R": 1.0, "L": -1.0}[side], 0.0, 0.0]),
        attempts=tuple(attempts),
        distance=distance,
        refined=distance,
        precise=distance,
        normals=slopes(distance),
        up=AXIS,
        floor=-radius,
        middle=np.zeros(3),
        radius=radius,
        depth=DEPTH,
    )


@cache
def skin_of(side: Side):
    return hands.demo_skin(side=side)


@cache
def found(shape: str, side: Side = "R") -> SearchResult:
    return drain(search(build(shape, side=side), seed=0))


@pytest.mark.parametrize("shape", list(SHAPES))
def test_grasps_touch_and_go_no_deeper_than_skin_gives(shape: str) -> None:
    problem, result = build(shape), found(shape)
    assert result.candidates
    hand = problem.skin.hand
    for candidate in result.candidates:
        near = measure_all(problem.skin.fine, candidate.angles[None], candidate.wrist[None], problem.precise)
        assert near.gaps.min() >= -DEPTH - 2e-4
        touching = {int(hand.finger_of[j]) for j in np.flatnonzero(near.gaps[0, :-1] <= 2e-4)}
        assert touching
        np.testing.assert_allclose(candidate.gaps.min(), near.gaps.min(), atol=1e-9)
        turn = candidate.wrist[:, :3]
        np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-9)
        assert np.linalg.det(turn) == pytest.approx(1.0)
        ranges = problem.ranges
        assert (candidate.angles >= ranges[..., 0] - 1e-9).all()
        assert (candidate.angles <= ranges[..., 1] + 1e-9).all()
        assert forearm_clearance(problem, candidate.wrist[None])[0] >= 0.0
    scores = [candidate.score for candidate in result.candidates]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("shape", ["ball", "rod"])
def test_the_best_grasp_opposes_and_every_term_is_a_share(shape: str) -> None:
    best = found(shape).candidates[0]
    assert best.terms["opposition"] > 0.5
    for name in ("contact", "fingers", "wrap", "opposition", "palm", "centre", "upright", "above", "firm"):
        for candidate in found(shape).candidates:
            assert 0.0 <= candidate.terms[name] <= 1.0, name


def test_the_seed_decides_to_the_bit() -> None:
    again = drain(search(build("ball"), seed=0))
    for one, other in zip(found("ball").candidates, again.candidates, strict=True):
        assert one.score == other.score
        assert (one.wrist == other.wrist).all()
        assert (one.angles == other.angles).all()
    assert drain(search(build("ball"), seed=1)).candidates[0].score != again.candidates[0].score


def test_more_attempts_are_never_worse_and_progress_tells_the_best() -> None:
    problem = build("rod", "lateral", "medium_diameter")
    best, last = -np.inf, None
    for number, progress in enumerate(search(problem, seed=0), 1):
        assert (progress.done, progress.count) == (number, 2)
        now = progress.best.score if progress.best is not None else -np.inf
        assert now >= best
        best, last = now, progress
        few = drain(search(problem, seed=0, most=1)) if number == 1 else None
        if few is not None:
            assert [each.score for each in few.candidates] == [each.score for each in progress.found]
    assert last is not None
    assert {each.attempt for each in last.found} == {0, 1}


def test_with_a_choice_what_is_clearly_behind_is_left_unless_some_may_be_turned_down() -> None:
    problem = build("rod", *["medium_diameter"] * 4)
    behind = replace(problem.attempts[3], prior=1.0 - 0.9 / problem.weights.prior)
    problem = replace(problem, attempts=(*problem.attempts[:3], behind))
    found = drain(search(problem, seed=0)).candidates
    assert {each.attempt for each in found} == {0, 1, 2}
    unsure = replace(problem, obstacles=lambda points: np.full(len(points), 1.0))
    more = drain(search(unsure, seed=0)).candidates
    assert {each.attempt for each in more} == {0, 1, 2, 3}
    assert more[0].score == found[0].score
    # Nor where there is not yet anything to choose from.
    two = replace(problem, attempts=(problem.attempts[0], behind))
    first = drain(search(problem, seed=0, most=1)).candidates
    assert (1 in {each.attempt for each in drain(search(two, seed=0)).candidates}) == (len(first) < 3)


def test_what_is_in_the_way_is_kept_clear_of() -> None:
    # A wall beside the ball, close enough that hands from that side cannot be there.
    wall = -0.04
    problem = replace(build("ball"), obstacles=lambda points: points[:, 0] - wall)
    result = drain(search(problem, seed=0))
    assert result.candidates

    def nearest(candidates: tuple[Candidate, ...]) -> float:
        skinned = problem.skin.fine
        places = [skinned.all_positions(skinned.motions(c.angles[None], c.wrist[None]))[0] for c in candidates]
        return min(float(each[:, 0].min()) - wall for each in places)

    assert nearest(found("ball").candidates) < 0.0
    assert nearest(result.candidates) >= 0.0
    for candidate in result.candidates:
        assert forearm_clearance(problem, candidate.wrist[None])[0] >= 0.0


@pytest.mark.parametrize("radius", [1.0, 1e-5])
def test_what_cannot_be_held_gives_nothing(radius: float) -> None:
    distance = hands.ball((0.0, 0.0, 0.0), radius)
    problem = replace(build("ball"), distance=distance, refined=distance, precise=distance, normals=slopes(distance))
    if radius < 1e-3:
        # Out of every finger's way.
        away = hands.ball((9.0, 0.0, 0.0), radius)
        problem = replace(problem, distance=away, refined=away, precise=away)
    assert drain(search(problem, seed=0)).candidates == ()


def test_a_left_hand_is_as_good_at_a_symmetric_rod_as_a_right_one() -> None:
    right, left = found("rod").candidates[0], found("rod", "L").candidates[0]
    assert left.score == pytest.approx(right.score, rel=0.05)
    assert left.terms["opposition"] > 0.5


def test_turns_lay_the_hands_axis_along_the_hooks() -> None:
    attempt = build("rod").attempts[0]
    assert attempt.hand_axis is not None
    turns = hand_turns(attempt, APPROACH, np.random.default_rng(0))
    np.testing.assert_allclose(np.abs(turns @ attempt.hand_axis @ AXIS), 1.0, atol=1e-9)
    np.testing.assert_allclose(turns @ np.swapaxes(turns, 1, 2), np.tile(np.eye(3), (len(turns), 1, 1)), atol=1e-9)
    flat = replace(attempt, hook_across=np.array([1.0, 0.0, 0.0]))
    pressed = hand_turns(flat, APPROACH, np.random.default_rng(0)) @ attempt.press_axis
    sideways = pressed - (pressed @ AXIS)[:, None] * AXIS
    assert (np.abs(unit(sideways)[:, 0]) > np.cos(0.31)).all()
    assert len(hand_turns(build("ball").attempts[0], APPROACH, np.random.default_rng(0))) > 20


def test_few_pads_hold_a_bar_that_lies_askew_between_them() -> None:
    problem = build("rod", "palmar_pinch")
    attempt = replace(problem.attempts[0], hand_axis=square_axis(problem.attempts[0].press_axis, APPROACH))
    turns = hand_turns(attempt, APPROACH, np.random.default_rng(0))
    assert attempt.hand_axis is not None
    askew = np.degrees(np.arccos(np.clip(np.abs(turns @ attempt.hand_axis @ AXIS), 0.0, 1.0)))
    assert sorted(set(askew.round().tolist())) == [0.0, 29.0]
    np.testing.assert_allclose(turns @ attempt.press_axis @ AXIS, 0.0, atol=1e-9)
    # All fingers need it along their row.
    whole = replace(attempt, fingers=np.ones(len(attempt.fingers), dtype=np.bool_))
    turns = hand_turns(whole, APPROACH, np.random.default_rng(0))
    np.testing.assert_allclose(np.abs(turns @ attempt.hand_axis @ AXIS), 1.0, atol=1e-9)


def test_a_twisted_arm_costs_more_than_a_palm_that_looks_down() -> None:
    problem = build("rod")
    # The thumb up, the palm down, and the thumb down, with the arm level.
    frames = [unit(np.array(x)) for x in ([0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0])]
    forward = np.array([1.0, 0.0, 0.0])
    wrists = np.zeros((3, 3, 4))
    for k, x in enumerate(frames):
        wrists[k, :, :3] = np.column_stack([x, np.cross(forward, x), forward])
    value = upright(replace(problem, approach=APPROACH, thumb_way=np.array([1.0, 0.0, 0.0])), wrists)
    assert value[0] == pytest.approx(1.0)
    assert value[1] > 0.7
    assert value[2] == pytest.approx(0.0, abs=1e-9)


def _score(problem: Problem, attempt: Attempt, **terms: float) -> float:
    """What the ranking makes of terms that are all as good as can be but for the given ones."""
    good = {
        name: np.ones(1)
        for name in ("contact", "fingers", "wrap", "opposition", "palm", "faces", "upright", "above", "arm_above")
    }
    good |= {name: np.zeros(1) for name in ("inside", "reach", "beyond")} | {"arm": np.ones(1), "centre": np.ones(1)}
    return float(total(problem, attempt, good | {name: np.full(1, value) for name, value in terms.items()})[0])


def test_a_promising_place_counts_only_for_hands_that_are_there() -> None:
    problem = build("ball")
    attempt = problem.attempts[0]
    scores = [_score(problem, attempt, centre=centre) for centre in (1.0, 0.5, 0.05)]
    assert scores[0] - scores[1] == pytest.approx(0.5 * problem.weights.centre)
    lost = 0.8 * problem.weights.prior * attempt.prior
    assert scores[0] - scores[2] == pytest.approx(0.95 * problem.weights.centre + lost)


def test_fingers_through_a_handle_count_only_with_the_thumb_up() -> None:
    problem = build("ball")
    usual = problem.attempts[0]
    threaded = replace(usual, behind=np.array([1.0, 0.0, 0.0]))
    weight = problem.weights.upright
    for upright_, there in ((1.0, 1.0), (0.6, 1.0), (0.25, 0.5), (0.0, 0.0)):
        lost = weight * (1.0 - upright_)
        assert _score(problem, usual, upright=1.0) - _score(problem, usual, upright=upright_) == pytest.approx(lost)
        held = _score(problem, threaded, upright=1.0) - _score(problem, threaded, upright=upright_)
        assert held == pytest.approx(lost + (1.0 - there) * problem.weights.prior * usual.prior)


def test_disks_are_taken_from_over_a_face() -> None:
    attempt = replace(build("rod", "precision_disk").attempts[0], hand_axis=None)
    turns = hand_turns(attempt, APPROACH, np.random.default_rng(0))
    looks = turns @ APPROACH @ AXIS
    assert {round(float(each)) for each in looks} == {-1, 1}, "from either side"
    np.testing.assert_allclose(np.abs(looks), 1.0, atol=1e-9)
    across = np.round(turns[looks > 0.0, :, 0], 6) + 0.0
    assert len(np.unique(across, axis=0)) == len(turns) / 2, "turned about it"


@pytest.mark.parametrize("side", ["L", "R"])
@pytest.mark.parametrize("key", ["tripod", "quadpod", "power_sphere"])
def test_a_bar_is_not_pressed_together_along_its_length(key: str, side: Side) -> None:
    model = hands.demo_model(side=side)
    press = opposition_axis(model, load_movements()[key], radius=6e-3)
    lies = square_axis(press, model.approach)
    assert np.linalg.norm(lies) == pytest.approx(1.0)
    assert float(lies @ press) == pytest.approx(0.0, abs=1e-12)
    assert abs(float(lies[0])) > 0.6, "across the fingers"


def test_a_gripper_that_presses_across_itself_holds_bars_the_other_way() -> None:
    np.testing.assert_allclose(square_axis(np.array([1.0, 0.0, 0.0]), AXIS), [0.0, 1.0, 0.0], atol=1e-12)


def test_a_coin_is_held_by_its_faces_where_the_first_place_promised_too_much() -> None:
    half = 2e-3

    def coin(points: FloatArray) -> FloatArray:
        out = np.stack([np.hypot(points[:, 0], points[:, 1]) - 0.008, np.abs(points[:, 2]) - half], axis=1)
        return np.minimum(out.max(axis=1), 0.0) + np.linalg.norm(np.maximum(out, 0.0), axis=1)

    problem = build("rod", "tip_pinch")
    attempt = replace(problem.attempts[0], hook_axis=None, hook_across=AXIS, hook_length=0.0)
    shape = {"distance": coin, "refined": coin, "precise": coin, "normals": slopes(coin)}
    problem = replace(problem, attempts=(attempt,), floor=-half, radius=0.008, **shape)
    best = drain(search(problem, seed=0)).candidates[0]
    assert best.terms["opposition"] > 0.4


def test_a_thumb_that_need_not_touch_is_not_missed() -> None:
    problem = build("rod", "small_diameter")
    model, movement = hands.demo_model(), load_movements()["small_diameter"]
    plain = problem.attempts[0]
    asked = replace(plain, faces=face_wishes(model, movement))
    wrists = place_wrists(plain, hand_turns(plain, APPROACH, np.random.default_rng(0)))[:1]
    thumb = problem.skin.hand.thumb
    gaps = np.zeros((1, len(model.names) + 1))
    gaps[:, :-1] = np.where(problem.skin.hand.finger_of == thumb, 0.02, 0.0)
    near = Nearness(gaps, np.full((1, len(model.names) + 1, 3), 0.03), np.zeros(gaps.shape, dtype=np.int64))
    closing = Closing(
        plain.end[None],
        np.ones(gaps[:, :-1].shape),
        np.zeros(gaps[:, :-1].shape, dtype=np.int64),
        np.zeros((1, len(plain.fingers))),
        usual_way(1, len(plain.fingers)),
    )
    shares = [score_terms(problem, each, wrists, closing, near)["contact"][0] for each in (plain, asked)]
    assert shares == [pytest.approx(0.8), pytest.approx(1.0)]


def _closed(problem: Problem, gaps: FloatArray, points: FloatArray) -> tuple[Closing, Nearness]:
    """Hands that closed with given gaps (a, m + 1) at given places (a, m + 1, 3)."""
    attempt, count = problem.attempts[0], len(gaps)
    closing = Closing(
        np.repeat(attempt.end[None], count, axis=0),
        np.ones(gaps[:, :-1].shape),
        np.zeros(gaps[:, :-1].shape, dtype=np.int64),
        np.zeros((count, len(attempt.fingers))),
        usual_way(count, len(attempt.fingers)),
    )
    return closing, Nearness(gaps, points, np.zeros(gaps.shape, dtype=np.int64))


def test_fingers_over_the_end_of_a_bar_cost() -> None:
    problem = build("rod")
    hand, attempt = problem.skin.hand, problem.attempts[0]
    bones = len(hand.finger_of)
    points = np.tile([0.025, 0.0, 0.0], (4, bones + 1, 1))
    thumb = np.append(hand.finger_of == hand.thumb, False)
    # The bar ends at 60 mm: a thumb before, half over and beyond it, and one there that does not touch.
    points[:, thumb, 2] = np.array([0.055, 0.065, 0.080, 0.080])[:, None]
    gaps = np.zeros((4, bones + 1))
    gaps[3, thumb] = 0.02
    wrists = np.repeat(np.eye(4)[None, :3], 4, axis=0)
    closing, near = _closed(problem, gaps, points)
    terms = score_terms(problem, attempt, wrists, closing, near)
    np.testing.assert_allclose(terms["beyond"], [0.0, 0.5, 1.0, 0.0], atol=1e-9)
    even = terms | {"opposition": np.ones(4), "contact": np.ones(4), "wrap": np.ones(4), "faces": np.ones(4)}
    even |= {"fingers": np.ones(4), "centre": np.ones(4), "arm": np.ones(4)}
    scores = total(problem, attempt, even)
    np.testing.assert_allclose(scores[0] - scores, problem.weights.beyond * terms["beyond"], atol=1e-9)
    # Pads, and fingers through an opening, may be anywhere.
    for other in (replace(attempt, palm=False), replace(attempt, behind=np.array([1.0, 0.0, 0.0]))):
        assert not score_terms(problem, other, wrists, closing, near)["beyond"].any()


def test_the_end_of_a_finger_that_sticks_out_counts_most() -> None:
    problem = build("rod")
    hand, attempt = problem.skin.hand, problem.attempts[0]
    chain = hand.chains[1][hand.chains[1] >= 0]
    gaps = np.zeros((3, len(hand.finger_of) + 1))
    gaps[1, chain[-2]] = gaps[2, chain[-1]] = 0.02
    wrists = np.repeat(np.eye(4)[None, :3], 3, axis=0)
    closing, near = _closed(problem, gaps, np.full((*gaps.shape, 3), 0.02))
    wrap = score_terms(problem, attempt, wrists, closing, near)["wrap"]
    assert wrap[0] == pytest.approx(1.0)
    assert 1.0 - wrap[2] == pytest.approx(3.0 * (1.0 - wrap[1]))
    # Pads close by their ends alone.
    wrap = score_terms(problem, replace(attempt, palm=False), wrists, closing, near)["wrap"]
    assert wrap[2] == pytest.approx(wrap[1])


def test_wrists_bring_the_grasp_centre_to_the_hook_or_along_it() -> None:
    for shape in ("ball", "rod"):
        attempt = build(shape).attempts[0]
        wrists = place_wrists(attempt, hand_turns(attempt, APPROACH, np.random.default_rng(0)))
        off = wrists[:, :, :3] @ attempt.centre + wrists[:, :, 3] - attempt.hook
        across = off - (off @ AXIS)[:, None] * AXIS if shape == "rod" else off
        np.testing.assert_allclose(across, 0.0, atol=1e-12)
        assert np.abs(off).max() <= attempt.hook_length / 2.0
        assert (np.abs(off).max(axis=1) < 1e-12).any()


@pytest.mark.parametrize("shape", ["ball", "box"])
def test_lifted_hands_are_free(shape: str) -> None:
    problem = build(shape)
    attempt = problem.attempts[0]
    wrists = place_wrists(attempt, hand_turns(attempt, APPROACH, np.random.default_rng(0)))
    lifted, lifts = lift_free(problem, attempt, wrists)
    start = np.broadcast_to(attempt.start, (len(wrists), *attempt.start.shape))
    gaps = measure_all(problem.skin.coarse, start, lifted, problem.distance).gaps.min(axis=1)
    done = np.isfinite(lifts)
    assert done.mean() > 0.5
    assert np.median(gaps[done]) > 0.0
    assert (gaps[done] >= -CLEAR).mean() > 0.9
    np.testing.assert_array_equal(lifted[:, :, :3], wrists[:, :, :3])
    # Only along the palm's direction.
    moved = lifted[:, :, 3] - wrists[:, :, 3]
    np.testing.assert_allclose(np.cross(moved, wrists[:, :, :3] @ problem.approach), 0.0, atol=1e-12)


def test_skin_is_backed_off_to_what_it_gives() -> None:
    problem = build("ball")
    attempt = problem.attempts[0]
    wrists = place_wrists(attempt, hand_turns(attempt, APPROACH, np.random.default_rng(0)))[:3]
    # The palm a few millimetres inside the ball.
    sunk, _ = lift_free(problem, attempt, wrists)
    sunk[:, :, 3] += 0.004 * (sunk[:, :, :3] @ problem.approach)
    start = np.broadcast_to(attempt.start, (len(sunk), *attempt.start.shape))
    before = measure_all(problem.skin.fine, start, sunk, problem.distance).gaps.min(axis=1)
    assert (before < -DEPTH).any()
    out = back_off(problem.skin.fine, attempt.start, sunk, problem.approach, problem.distance, DEPTH)
    after = measure_all(problem.skin.fine, start, out, problem.distance).gaps.min(axis=1)
    assert (after >= -DEPTH - 5e-5).all()
    np.testing.assert_array_equal(out[before >= -DEPTH], sunk[before >= -DEPTH])


def test_hands_that_hold_against_a_fingers_side_are_pushed_on_until_it_touches() -> None:
    problem = build("ball")
    attempt = replace(problem.attempts[0], side=True, press_axis=APPROACH)
    wrists = place_wrists(attempt, hand_turns(attempt, APPROACH, np.random.default_rng(0)))[:4]
    off, _ = lift_free(problem, attempt, wrists)
    off[:, :, 3] -= 0.002 * (off[:, :, :3] @ APPROACH)
    start = np.broadcast_to(attempt.start, (len(off), *attempt.start.shape))
    out = back_off(problem.skin.fine, attempt.start, off, APPROACH, problem.distance, DEPTH, touch=True)
    gaps = measure_all(problem.skin.fine, start, out, problem.distance).gaps.min(axis=1)
    assert (gaps <= -0.2 * DEPTH).all()
    assert (gaps >= -DEPTH - 2e-5).all()


def test_hands_that_go_through_an_opening_look_at_what_the_handle_is_fixed_to() -> None:
    behind = np.array([1.0, 0.0, 0.0])
    attempt = replace(build("rod").attempts[0], behind=behind)
    turns = hand_turns(attempt, APPROACH, np.random.default_rng(0))
    assert (turns @ APPROACH @ behind > 0.6).all()
    wrists = place_wrists(attempt, turns)
    off = wrists[:, :, :3] @ attempt.centre + wrists[:, :, 3] - attempt.hook
    # A little nearer and farther, and to both sides along the handle.
    assert np.linalg.norm(off, axis=1).max() < 0.006
    for way in (behind, AXIS):
        np.testing.assert_allclose(np.unique(np.round(off @ way, 6)), [-0.004, 0.0, 0.004])
    lifted, _ = lift_free(build("rod"), attempt, wrists)
    # Backed off where they have to be, but never pushed on.
    moved = np.einsum("ai,ai->a", lifted[:, :, 3] - wrists[:, :, 3], wrists[:, :, :3] @ APPROACH)
    assert (moved <= 1e-12).all()
