# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers of a grasp against closed forms and slow twins."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from addon.core.arrays import FloatArray
from addon.core.errors import PrehendError
from addon.core.rotations import matrix_from_axis_angle, unit
from addon.solvers.metrics import contact_wrenches, force_closure, intersection_volume, measure_opposition
from addon.solvers.metrics.polytope import inner_ball


def slow_inner_ball(points: FloatArray) -> float:
    """Smallest facet offset by trying every plane through d of the points; 0 when the origin is not inside."""
    d = points.shape[1]
    best = np.inf
    subsets = np.array(list(itertools.combinations(range(len(points)), d)))
    for chunk in np.array_split(subsets, len(subsets) // 20_000 + 1):
        corners = points[chunk]
        edges = corners[:, 1:] - corners[:, :1]
        _, values, ways = np.linalg.svd(edges)
        normals, proper = ways[:, -1], values[:, -1] > 1e-9
        heights = np.einsum("kd,nd->kn", normals, points)
        offsets = np.einsum("kd,kd->k", normals, corners[:, 0])
        for sign in (1.0, -1.0):
            facet = proper & (np.max(sign * heights - (sign * offsets)[:, None], axis=1) < 1e-9)
            best = min(best, float((sign * offsets)[facet].min(initial=np.inf)))
    return max(best, 0.0)


def sphere_contacts(count: int, seed: int, radius: float = 0.04) -> tuple[FloatArray, FloatArray]:
    normals = unit(np.random.default_rng(seed).normal(size=(count, 3)))
    return radius * normals, normals


def epsilon(points: FloatArray, normals: FloatArray, **options: float) -> float:
    settings_ = {"radius": 0.04, **options}
    return force_closure(points, normals, centre=np.zeros(3), **settings_).epsilon  # type: ignore[arg-type]


@pytest.mark.parametrize("d", [2, 3, 4, 6])
def test_balls_in_cubes_and_cross_polytopes(d: int) -> None:
    cube = np.array(list(itertools.product([-2.0, 2.0], repeat=d)))
    cross = 3.0 * np.concatenate([np.eye(d), -np.eye(d)])
    assert np.isclose(inner_ball(cube).radius, 2.0, atol=1e-6)
    assert np.isclose(inner_ball(cross).radius, 3.0 / np.sqrt(d), atol=1e-6)


@pytest.mark.parametrize("d", [2, 3, 6])
def test_the_ball_in_a_regular_simplex(d: int) -> None:
    corners = np.eye(d + 1) - 1.0 / (d + 1)
    basis = np.linalg.svd(corners)[2][:d]
    simplex = corners @ basis.T
    outer = float(np.linalg.norm(simplex[0]))
    assert np.isclose(inner_ball(simplex).radius, outer / d, atol=1e-6)


def test_no_ball_beside_or_in_a_flat_hull() -> None:
    cube = np.array(list(itertools.product([-1.0, 1.0], repeat=3)))
    assert inner_ball(cube + np.array([1.5, 0.0, 0.0])).radius == 0.0
    assert inner_ball(cube * [1.0, 1.0, 0.0]).radius == 0.0
    assert inner_ball(np.zeros((8, 3))).radius == 0.0
    assert inner_ball(cube[:3]).radius == 0.0


@given(st.integers(0, 10_000), st.integers(2, 4))
@settings(max_examples=25, deadline=None)
def test_the_ball_is_that_of_the_nearest_facet(seed: int, d: int) -> None:
    points = np.random.default_rng(seed).normal(size=(d + 8, d))
    ball = inner_ball(points)
    assert np.isclose(ball.radius, slow_inner_ball(points), atol=1e-6)
    assert ball.radius <= ball.bound + 1e-12 or ball.radius == ball.bound == 0.0


@pytest.mark.parametrize(("count", "edges", "seed"), [(4, 4, 1), (5, 4, 2), (3, 5, 3), (4, 5, 0)])
def test_epsilon_is_that_of_all_facets(count: int, edges: int, seed: int) -> None:
    points, normals = sphere_contacts(count, seed)
    wrenches = contact_wrenches(points, normals, centre=np.zeros(3), radius=0.05, edges=edges)
    assert np.isclose(inner_ball(wrenches).radius, slow_inner_ball(wrenches), atol=1e-6)


def test_some_of_these_are_closed() -> None:
    closed = [epsilon(*sphere_contacts(3, seed)) > 1e-3 for seed in range(12)]
    assert any(closed)
    assert not all(closed)


def test_no_direction_is_weaker_than_epsilon() -> None:
    points, normals = sphere_contacts(12, 3)
    held = force_closure(points, normals, centre=np.zeros(3), radius=0.04)
    assert held.closed
    wrenches = contact_wrenches(points, normals, centre=np.zeros(3), radius=0.04)
    ways = unit(np.random.default_rng(0).normal(size=(20_000, 6)))
    assert (ways @ wrenches.T).max(axis=1).min() >= held.epsilon


def test_two_points_let_the_object_spin_and_one_holds_nothing() -> None:
    points = np.array([[0.03, 0.0, 0.0], [-0.03, 0.0, 0.0]])
    assert not force_closure(points, unit(points), centre=np.zeros(3), radius=0.03).closed
    assert not force_closure(points[:1], unit(points[:1]), centre=np.zeros(3), radius=0.03).closed
    assert epsilon(np.zeros((0, 3)), np.zeros((0, 3))) == 0.0


def test_three_points_round_a_ball_hold_it() -> None:
    angles = np.arange(3) * (2.0 * np.pi / 3.0)
    normals = np.stack([np.cos(angles), np.sin(angles), np.zeros(3)], axis=1)
    held = force_closure(0.04 * normals, normals, centre=np.zeros(3), radius=0.04)
    assert held.closed
    # Straight up it is held by friction alone, which is 0.6 of the normal forces' sum.
    assert 0.1 < held.epsilon <= 0.6
    slippery = force_closure(0.04 * normals, normals, centre=np.zeros(3), radius=0.04, friction=0.05)
    assert 0.0 < slippery.epsilon <= 0.05


@given(st.integers(0, 1000))
@settings(max_examples=15, deadline=None)
def test_epsilon_grows_with_contacts_and_friction_and_knows_no_size_or_place(seed: int) -> None:
    points, normals = sphere_contacts(7, seed)
    whole = epsilon(points, normals)
    assert epsilon(points[:5], normals[:5]) <= whole + 1e-6
    assert epsilon(points, normals, friction=0.3) <= whole + 1e-6
    shift = np.array([1.0, -2.0, 0.5])
    moved = force_closure(10.0 * points + shift, normals, centre=shift, radius=0.4).epsilon
    assert np.isclose(moved, whole, atol=1e-5)


def test_a_fine_cone_is_round() -> None:
    """With many edges a turn of everything changes nothing; with few it does."""
    points, normals = sphere_contacts(6, 11)
    R = matrix_from_axis_angle(unit(np.array([1.0, 2.0, -1.0])), 0.7)
    fine = [
        force_closure(p, n, centre=np.zeros(3), radius=0.04, edges=48).epsilon
        for p, n in ((points, normals), (points @ R.T, normals @ R.T))
    ]
    assert np.isclose(fine[0], fine[1], rtol=0.01)


def test_forces_lie_on_the_cone_and_torques_are_theirs() -> None:
    points, normals = sphere_contacts(3, 5)
    wrenches = contact_wrenches(points, normals, centre=[0.01, 0.0, 0.0], radius=0.05).reshape(3, 8, 6)
    for c in range(3):
        forces = wrenches[c, :, :3]
        assert np.allclose(forces @ -normals[c], 1.0)
        assert np.allclose(np.linalg.norm(forces + normals[c], axis=1), 0.6)
        assert np.allclose(wrenches[c, :, 3:], np.cross(points[c] - [0.01, 0.0, 0.0], forces) / 0.05)


@pytest.mark.parametrize("wrong", [{"radius": 0.0}, {"friction": -1.0}, {"edges": 2}, {"radius": np.nan}])
def test_bad_contacts_are_refused(wrong: dict[str, float]) -> None:
    points, normals = sphere_contacts(3, 5)
    with pytest.raises(PrehendError, match="finite"):
        epsilon(points, normals, **wrong)
    with pytest.raises(PrehendError, match="finite"):
        epsilon(points * np.nan, normals)


def ball(centre: FloatArray, radius: float) -> Callable[[FloatArray], FloatArray]:
    return lambda points: np.linalg.norm(points - centre, axis=1) - radius


@pytest.mark.parametrize("apart", [0.0, 0.01, 0.02, 0.03])
def test_the_lens_of_two_balls(apart: float) -> None:
    radius = 0.02
    first, second = ball(np.zeros(3), radius), ball(np.array([apart, 0.0, 0.0]), radius)
    volume = intersection_volume(first, second, [-0.02] * 3, [0.05, 0.02, 0.02])
    lens = np.pi * (4.0 * radius + apart) * (2.0 * radius - apart) ** 2 / 12.0
    assert np.isclose(volume, lens, rtol=0.01)


def test_blocks_that_are_passed_over_hold_nothing() -> None:
    """The same points one by one."""
    first, second = ball(np.zeros(3), 0.02), ball(np.array([0.011, 0.007, 0.013]), 0.015)
    low, high, cell = np.array([-0.021, -0.02, -0.0203]), np.array([0.0217, 0.02, 0.03]), 0.0013
    number = np.ceil((high - low) / cell).astype(int)
    nodes = np.stack(np.meshgrid(*(np.arange(n) for n in number), indexing="ij"), axis=-1).reshape(-1, 3)
    points = low + cell * (nodes + 0.5)
    wanted = int(((first(points) < 0.0) & (second(points) < 0.0)).sum()) * cell**3
    assert np.isclose(intersection_volume(first, second, low, high, cell=cell), wanted, rtol=1e-12)
    # Distances that are too short are no reason to pass over more.
    cautious = intersection_volume(lambda p: 0.3 * first(p), lambda p: 0.3 * second(p), low, high, cell=cell)
    assert np.isclose(cautious, wanted, rtol=1e-12)


def test_apart_or_empty_boxes_have_no_overlap() -> None:
    first, second = ball(np.zeros(3), 0.02), ball(np.array([0.05, 0.0, 0.0]), 0.02)
    assert intersection_volume(first, second, [-0.02] * 3, [0.07, 0.02, 0.02]) == 0.0
    assert intersection_volume(first, first, [0.01] * 3, [0.0] * 3) == 0.0


@pytest.mark.parametrize("cell", [0.0, -1.0, np.nan])
def test_bad_grids_are_refused(cell: float) -> None:
    with pytest.raises(PrehendError, match="positive cell"):
        intersection_volume(ball(np.zeros(3), 1.0), ball(np.zeros(3), 1.0), [0.0] * 3, [1.0] * 3, cell=cell)


def test_opposite_contacts_oppose() -> None:
    points = np.array([[-0.02, 0.0, 0.0], [0.02, 0.0, 0.0], [0.0, 0.02, 0.0]])
    found = measure_opposition(points, unit(points), [True, False, False])
    assert np.isclose(found.value, 1.0)
    assert (found.thumb, found.finger) == (0, 1)
    assert found.holds(0.01)


@pytest.mark.parametrize("angle", [0.0, 0.3, 0.6, 1.2, 2.0])
def test_contacts_on_a_ball_oppose_by_half_their_angle(angle: float) -> None:
    """The chord between two places leaves both normals by half of what is missing to opposite places."""
    normals = np.array([[-1.0, 0.0, 0.0], [np.cos(angle), np.sin(angle), 0.0]])
    found = measure_opposition(0.03 * normals, normals, [True, False])
    assert np.isclose(found.value, np.cos(angle / 2.0))
    assert found.holds(0.6) == (np.tan(angle / 2.0) <= 0.6)


def test_contacts_on_the_same_side_do_not_oppose() -> None:
    points, normals = np.array([[0.0, 0.0, 0.0], [0.02, 0.0, 0.0]]), np.array([[0.0, 0.0, 1.0]] * 2)
    assert abs(measure_opposition(points, normals, [True, False]).value) < 1e-12
    # Fingers inside a ring press away from each other.
    inside = np.array([[-0.02, 0.0, 0.0], [0.02, 0.0, 0.0]])
    assert np.isclose(measure_opposition(inside, -unit(inside), [True, False]).value, -1.0)


def test_without_thumb_or_fingers_nothing_opposes() -> None:
    points = np.array([[-0.02, 0.0, 0.0], [0.02, 0.0, 0.0]])
    for thumb in ([True, True], [False, False]):
        assert measure_opposition(points, unit(points), thumb).value == -1.0
    assert measure_opposition(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0, dtype=bool)).finger == -1


def test_both_sides_of_a_sheet_oppose() -> None:
    found = measure_opposition(np.zeros((2, 3)), np.array([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]), [True, False])
    assert found.value == 1.0
