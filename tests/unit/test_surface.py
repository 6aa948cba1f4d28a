# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances to surfaces against closed forms and the slow truth."""

from __future__ import annotations

import numpy as np
import pytest
import surface_shapes as shapes
from hypothesis import given, settings
from hypothesis import strategies as st

from addon.core.arrays import FloatArray
from addon.shapes.props import PROPS
from addon.solvers.surface import Surface, build_surface
from addon.solvers.surface.reference import brute_signed_distances

PROP_NAMES = ["mug", "wine_glass", "key", "hammer", "pen", "cup_on_saucer"]


def prop_mesh(name: str) -> shapes.Mesh:
    mesh = PROPS[name].build()
    return mesh.vertices, mesh.triangles()


MESHES = {
    "ball": shapes.ball(),
    "box": shapes.box(),
    "turned box": shapes.turned(shapes.box()),
    "torus": shapes.torus(columns=32, rows=16),
    "wedge": shapes.wedge(8.0),
    "turned wedge": shapes.turned(shapes.wedge(3.0)),
    "plate": shapes.turned(shapes.box((0.08, 0.06, 0.0006))),
    "needle": shapes.turned(shapes.box((0.0008, 0.0008, 0.12))),
}


@pytest.fixture(scope="module", params=[*sorted(MESHES), *PROP_NAMES])
def case(request: pytest.FixtureRequest) -> tuple[Surface, FloatArray, FloatArray]:
    """A surface, points round it and their true distances."""
    name = request.param
    surface = build_surface(*(MESHES[name] if name in MESHES else prop_mesh(name)))
    points = shapes.points_near(surface.field.corners, 400, np.random.default_rng(len(name)))
    return surface, points, brute_signed_distances(surface.field.corners, points)


def test_exact_distances_are_the_slow_truth(case: tuple[Surface, FloatArray, FloatArray]) -> None:
    surface, points, truth = case
    assert surface.closed
    np.testing.assert_allclose(surface.exact_distance(points), truth, atol=1e-9)


def test_exact_distances_stay_so_once_there_is_a_grid(case: tuple[Surface, FloatArray, FloatArray]) -> None:
    surface, points, truth = case
    assert surface.grid.cell > 0.0
    np.testing.assert_allclose(surface.exact_distance(points), truth, atol=1e-9)


def test_grid_distances_are_accurate_near_the_surface(case: tuple[Surface, FloatArray, FloatArray]) -> None:
    surface, points, truth = case
    near = np.abs(truth) < 0.4 * surface.grid.cell
    errors = np.abs(surface.distance(points) - truth)[near]
    assert near.sum() > 100
    assert np.quantile(errors, 0.98) <= surface.accuracy
    assert errors.max() <= 5.0 * surface.accuracy


def test_signs_by_the_grid_are_right_beyond_its_accuracy(case: tuple[Surface, FloatArray, FloatArray]) -> None:
    surface, points, truth = case
    clear = np.abs(truth) > 5.0 * surface.accuracy
    np.testing.assert_array_equal(surface.distance(points)[clear] < 0.0, truth[clear] < 0.0)


def test_distances_away_from_the_surface_are_within_a_cell(case: tuple[Surface, FloatArray, FloatArray]) -> None:
    surface, points, truth = case
    high = surface.grid.high
    held = ((points > surface.grid.origin) & (points < high)).all(axis=1) & (truth > 0.0)
    off = np.abs(surface.distance(points) - truth)[held] / surface.grid.cell
    assert off.max() < 1.0
    assert np.quantile(off, 0.8) < 0.25
    assert (surface.distance(points) <= truth + surface.grid.cell).all()


def test_closest_points_lead_back_to_the_queried_ones(case: tuple[Surface, FloatArray, FloatArray]) -> None:
    surface, points, truth = case
    found = surface.closest(points)
    np.testing.assert_allclose(found.distances, truth, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(found.normals, axis=1), 1.0, atol=1e-6)
    np.testing.assert_allclose(found.points + found.distances[:, None] * found.normals, points, atol=2e-9)
    assert np.abs(surface.exact_distance(found.points)).max() < 1e-9


def test_ball_is_a_ball() -> None:
    surface = build_surface(*shapes.ball(0.03, columns=200), cell=0.002)
    directions = np.random.default_rng(1).normal(size=(3000, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    gaps = np.random.default_rng(2).uniform(-0.0008, 0.0008, size=3000)
    points = (0.03 + gaps)[:, None] * directions
    facets = 0.03 * (1.0 - np.cos(np.pi / 100.0))
    errors = np.abs(surface.distance(points) - gaps)
    assert errors.max() < 5e-5 + facets
    assert np.median(errors) < 2e-5 + facets
    assert (np.einsum("ij,ij->i", surface.gradient(points), directions) > np.cos(np.radians(3.0))).all()


def test_gradient_agrees_with_differences_of_the_grid() -> None:
    grid, step = build_surface(*shapes.torus()).grid, 1e-7
    points = np.random.default_rng(3).uniform(-0.04, 0.04, size=(500, 3)) * [1.0, 1.0, 0.4]
    slopes = np.stack([grid.lookup(points + e).distances - grid.lookup(points - e).distances for e in step * np.eye(3)])
    place = (points - grid.origin) / grid.cell
    clear = (np.abs(place - np.rint(place)) > 1e-3).all(axis=1)
    assert clear.sum() > 400
    np.testing.assert_allclose(grid.gradient(points)[clear], slopes.T[clear] / (2.0 * step), atol=1e-6)


def test_gradient_points_away_from_the_closest_point(case: tuple[Surface, FloatArray, FloatArray]) -> None:
    surface, points, truth = case
    gradient, normals = surface.gradient(points), surface.closest(points).normals
    np.testing.assert_allclose(np.linalg.norm(gradient, axis=1), 1.0, atol=1e-9)
    # Next to an edge or a middle plane directions jump within a cell; elsewhere they agree.
    aligned = np.einsum("ij,ij->i", gradient, normals)[np.abs(truth) < surface.grid.cell]
    assert np.quantile(aligned, 0.3) > 0.9


@pytest.fixture(scope="module")
def solid_box() -> Surface:
    return build_surface(*shapes.box())


@pytest.fixture(scope="module")
def ring() -> Surface:
    return build_surface(*shapes.torus())


@given(st.lists(st.tuples(*[st.floats(-0.1, 0.1)] * 3), min_size=1, max_size=20))
@settings(max_examples=60, deadline=None)
def test_box_in_closed_form(solid_box: Surface, places: list[tuple[float, float, float]]) -> None:
    points = np.array(places)
    truth = shapes.box_distance(points, (0.08, 0.05, 0.03))
    exact = solid_box.exact_distance(points)
    np.testing.assert_allclose(np.abs(exact), np.abs(truth), atol=1e-9)
    clear = np.abs(truth) > 1e-9
    np.testing.assert_array_equal(exact[clear] < 0.0, truth[clear] < 0.0)
    assert (np.abs(solid_box.distance(points)) <= np.abs(truth) + solid_box.grid.cell).all()


@given(st.floats(-0.05, 0.05), st.floats(-0.05, 0.05), st.floats(-0.02, 0.02))
@settings(max_examples=60, deadline=None)
def test_torus_in_closed_form(ring: Surface, x: float, y: float, z: float) -> None:
    point = np.array([[x, y, z]])
    # The facets of 96 x 48 lie this much inside the true ring.
    facets = 0.04 * (1.0 - np.cos(np.pi / 96.0)) + 0.01 * (1.0 - np.cos(np.pi / 48.0))
    assert abs(ring.exact_distance(point) - shapes.torus_distance(point, 0.03, 0.01))[0] < facets
