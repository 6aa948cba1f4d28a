# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Inside and outside: thin walls, knife edges, parts that overlap, faces turned the wrong way."""

from __future__ import annotations

import numpy as np
import pytest
import surface_shapes as shapes
from hypothesis import given
from hypothesis import strategies as st

from addon.solvers.surface import build_surface
from addon.solvers.surface.crossings import Columns, Projection
from addon.solvers.surface.parts import take_apart
from addon.solvers.surface.reference import brute_contains, winding_numbers
from addon.solvers.surface.solid import Solid
from addon.solvers.surface.soup import Soup, weld


@pytest.mark.parametrize("angle_deg", [1.0, 5.0, 30.0, 90.0])
def test_points_before_a_knife_edge_are_outside_and_behind_it_inside(angle_deg: float) -> None:
    surface = build_surface(*shapes.wedge(angle_deg))
    rng = np.random.default_rng(4)
    ahead, across = -rng.uniform(1e-6, 5e-3, 300), rng.uniform(-0.019, 0.019, 300)
    before = np.stack([ahead, across, rng.normal(size=300) * 2e-3], axis=1)
    assert (surface.exact_distance(before) > 0.0).all()
    assert (surface.distance(before) > -surface.accuracy).all()
    depth = rng.uniform(1e-3, 0.05, 300)
    height = np.tan(np.radians(angle_deg) / 2.0) * depth * rng.uniform(-0.9, 0.9, 300)
    assert (surface.exact_distance(np.stack([depth, across, height], axis=1)) < 0.0).all()


@pytest.mark.parametrize("thickness", [5e-5, 3e-4, 1e-3])
def test_middle_of_a_thin_plate_is_found_inside_by_a_coarse_grid(thickness: float) -> None:
    # The ball keeps the plate from lying in a plane of nodes.
    ball = shapes.moved(shapes.ball(0.005, columns=12), (0.0, 0.0, 0.0307))
    surface = build_surface(*shapes.joined(shapes.box((0.08, 0.06, thickness)), ball), cell=0.002)
    rng = np.random.default_rng(5)
    middle = rng.uniform(-1.0, 1.0, size=(500, 3)) * [0.038, 0.028, 0.0]
    np.testing.assert_allclose(surface.distance(middle), -thickness / 2.0, atol=surface.accuracy)
    above = middle + np.array([0.0, 0.0, thickness / 2.0 + 2e-4])
    np.testing.assert_allclose(surface.distance(above), 2e-4, atol=surface.accuracy)


def test_lines_through_vertices_and_edges_come_out_even() -> None:
    vertices, triangles = shapes.ball(0.03, columns=16)
    # On the axis through the poles, below every vertex and along the edges between them.
    below = np.concatenate([vertices * s for s in (0.0, 0.5, 0.97)])
    middles = (vertices[triangles[:, 0]] + vertices[triangles[:, 1]]) / 2.0
    solid = Solid(Soup(vertices, triangles).axes, oriented=True)
    for inside in (below, 0.97 * middles):
        assert solid.contains(inside).all()
        assert not solid.contains(inside + np.array([0.0, 0.0, 0.1])).any()
        assert not solid.contains(inside - np.array([0.1, 0.0, 0.0])).any()


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_lines_along_every_axis_leave_as_often_as_they_enter(axis: int) -> None:
    vertices, triangles = shapes.torus(columns=24, rows=12)
    columns = Columns(Projection(Soup(vertices, triangles).axes, axis))
    middles = (vertices[triangles[:, 0]] + vertices[triangles[:, 1]]) / 2.0
    _, _, total = columns.windings(np.concatenate([vertices, 0.5 * vertices, middles, np.zeros((1, 3))]))
    assert not total.any()


@pytest.mark.parametrize("oriented", [True, False])
def test_grid_signs_are_those_of_single_points(oriented: bool) -> None:
    vertices, triangles = shapes.joined(shapes.ball(), shapes.moved(shapes.turned(shapes.box()), (0.03, 0.0, 0.0)))
    solid = Solid(Soup(vertices, triangles).axes, oriented=oriented)
    origin, cell, shape = np.array([-0.0401, -0.0507, -0.0303]), 0.005, (25, 20, 13)
    index = np.stack(np.meshgrid(*map(np.arange, shape), indexing="ij"), axis=-1).reshape(-1, 3)
    nodes = origin + cell * index.astype(np.float64)
    grid = solid.contains_grid(origin, cell, shape)
    assert 0 < grid.sum() < grid.size
    np.testing.assert_array_equal(grid.reshape(-1), solid.contains(nodes))


def test_parts_that_overlap_are_a_union_whichever_way_they_face() -> None:
    one, two = shapes.box(), shapes.moved(shapes.turned(shapes.box()), (0.02, 0.01, 0.0))
    points = np.random.default_rng(6).uniform(-0.06, 0.08, size=(4000, 3))
    in_one, in_two = (brute_contains(vertices[triangles], points) for vertices, triangles in (one, two))
    assert (in_one & in_two).sum() > 20
    for first in (one, shapes.flipped(one)):
        for second in (two, shapes.flipped(two)):
            surface = build_surface(*shapes.joined(first, second))
            assert surface.closed
            np.testing.assert_array_equal(surface.exact_distance(points) < 0.0, in_one | in_two)


def test_a_part_turned_against_the_one_round_it_is_a_cavity() -> None:
    outer, inner = shapes.box(), shapes.ball(0.01)
    for mesh in (shapes.joined(outer, shapes.flipped(inner)), shapes.joined(shapes.flipped(outer), inner)):
        surface = build_surface(*mesh)
        assert surface.exact_distance(np.zeros((1, 3)))[0] > 0.009
        assert surface.exact_distance(np.array([[0.02, 0.0, 0.0]]))[0] < -0.009
    for mesh in (shapes.joined(outer, inner), shapes.flipped(shapes.joined(outer, inner))):
        assert build_surface(*mesh).exact_distance(np.zeros((1, 3)))[0] < 0.0


def test_faces_that_disagree_inside_a_part_do_not_matter() -> None:
    vertices, triangles = shapes.ball()
    rng = np.random.default_rng(7)
    mixed = np.where((rng.random(len(triangles)) < 0.3)[:, None], triangles[:, ::-1], triangles)
    surface, points = build_surface(vertices, mixed), rng.uniform(-0.05, 0.05, size=(2000, 3))
    assert surface.closed
    assert not take_apart(weld(vertices, mixed)).oriented
    assert take_apart(weld(vertices, triangles)).oriented
    np.testing.assert_array_equal(
        surface.exact_distance(points) < 0.0, build_surface(vertices, triangles).exact_distance(points) < 0.0
    )


@given(
    st.lists(st.sets(st.integers(0, 7), min_size=4, max_size=4), min_size=1, max_size=4),
    st.sets(st.integers(0, 15), max_size=2),
    st.sets(st.integers(0, 15), max_size=2),
)
def test_parts_are_those_of_edges_counted_one_by_one(
    pyramids: list[set[int]], left_out: set[int], turned: set[int]
) -> None:
    faces = [face for a, b, c, d in pyramids for face in ((a, c, b), (a, b, d), (b, c, d), (c, a, d))]
    faces = [face for number, face in enumerate(faces) if number not in left_out]
    faces = [face[::-1] if number in turned else face for number, face in enumerate(faces)]
    soup = weld(np.random.default_rng(3).random((8, 3)), np.array(faces))
    parts = take_apart(soup)
    sides: dict[frozenset[int], list[tuple[int, int]]] = {}
    for number, face in enumerate(soup.triangles.tolist()):
        for tail, head in zip(face, (*face[1:], face[0]), strict=True):
            sides.setdefault(frozenset((tail, head)), []).append((number, 1 if tail < head else -1))
    part = list(range(len(soup.triangles)))
    for members in sides.values():
        joined = {part[number] for number, _ in members}
        part = [min(joined) if each in joined else each for each in part]
    is_open = {part[members[0][0]] for members in sides.values() if len(members) % 2}
    closed = [members for members in sides.values() if part[members[0][0]] not in is_open]
    sheets = {frozenset(soup.triangles[k].tolist()) for k, each in enumerate(part) if each in is_open}
    assert {frozenset(face) for face in parts.shell.triangles.tolist()} == sheets
    assert len(parts.solid.triangles) == len(part) - len(sheets)
    assert (parts.solid_parts, parts.shell_parts) == (len(set(part) - is_open), len(is_open))
    assert parts.oriented == all(sum(way for _, way in members) == 0 for members in closed)


def test_winding_number_of_the_slow_truth_is_one_inside_and_zero_outside() -> None:
    vertices, triangles = shapes.torus(columns=24, rows=12)
    points = np.array([[0.03, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.2]])
    np.testing.assert_allclose(winding_numbers(vertices[triangles], points), [1.0, 0.0, 0.0], atol=1e-12)
