# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The fast ways to a distance against the slow ones: tree, splats, lower bounds."""

from __future__ import annotations

import numpy as np
import pytest
import surface_shapes as shapes
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from addon.core.arrays import FloatArray, IntArray
from addon.solvers.surface import EXACT, build_surface
from addon.solvers.surface.far import far_distances
from addon.solvers.surface.kept import Kept
from addon.solvers.surface.pointtriangle import closest_on, triangle_frames
from addon.solvers.surface.ragged import batches, count_up
from addon.solvers.surface.reference import brute_distances
from addon.solvers.surface.resolution import ALL_NODES, STRIDE, Box, lay_out
from addon.solvers.surface.samples import sample_surface
from addon.solvers.surface.soup import Soup
from addon.solvers.surface.splat import Splat
from addon.solvers.surface.tree import NumpyTree

MESHES = {
    "ball": shapes.ball(columns=16),
    "turned box": shapes.turned(shapes.box()),
    "one": (np.eye(3), np.array([[0, 1, 2]])),
}

coordinates = st.floats(-1.0, 1.0)
vectors = st.tuples(coordinates, coordinates, coordinates).map(np.array)


@pytest.mark.parametrize("name", ["ball", "box", "open box"])
def test_near_distances_are_exact_where_that_is_asked_for_and_by_the_grid_elsewhere(name: str) -> None:
    vertices, triangles = shapes.ball(columns=24) if name == "ball" else shapes.box()
    surface = build_surface(vertices, triangles[2:] if name == "open box" else triangles)
    assert surface.field.tells_sides == (name != "open box")
    rng = np.random.default_rng(5)
    points = surface.low - 0.01 + rng.random((3000, 3)) * (surface.high - surface.low + 0.02)
    low = -0.004 * rng.random(3000)
    found = surface.near_distance(points, low, low + 0.005)
    grid, exact = surface.distance(points), surface.exact_distance(points)
    asked = (grid > low) & (grid < low + 0.005)
    assert 100 < asked.sum() < 2900
    np.testing.assert_allclose(found[asked], exact[asked], atol=1e-9)
    np.testing.assert_allclose(found[~asked], grid[~asked], atol=1e-9)


def test_kept_columns_are_computed_once_and_given_as_often_as_asked_for() -> None:
    computed: list[int] = []

    def compute(index: IntArray) -> FloatArray:
        computed.extend(index.tolist())
        return np.stack([index, index**2]).astype(np.float64)

    kept, rng = Kept(2, 500, compute), np.random.default_rng(2)
    for size in (0, 3, 40, 1000):
        index = rng.integers(0, 500, size)
        np.testing.assert_array_equal(kept.take(index), np.stack([index, index**2]))
    assert len(computed) == len(set(computed))


@given(vectors, vectors, vectors, vectors)
@settings(max_examples=300, deadline=None)
def test_closest_point_on_a_triangle_beats_all_samples(
    a: FloatArray, b: FloatArray, c: FloatArray, p: FloatArray
) -> None:
    corners = np.stack([a, b, c])
    assume(min(np.linalg.norm(a - b), np.linalg.norm(b - c), np.linalg.norm(c - a)) > 1e-6)
    places, distances = closest_on(triangle_frames(corners[None]), p[None])
    assert np.linalg.norm(places[0] - p) == pytest.approx(distances[0], abs=1e-9)
    s, t = np.meshgrid(np.linspace(0.0, 1.0, 21), np.linspace(0.0, 1.0, 21))
    weights = np.stack([(1.0 - s) * (1.0 - t), s * (1.0 - t), t], axis=-1).reshape(-1, 3)
    assert distances[0] <= np.linalg.norm(weights @ corners - p, axis=1).min() + 1e-9
    # The found point is one of the triangle's own: it is no farther from the corners' box or plane than rounding.
    assert (places[0] >= corners.min(axis=0) - 1e-9).all()
    assert (places[0] <= corners.max(axis=0) + 1e-9).all()
    assert abs(np.linalg.det(np.stack([b - a, c - a, places[0] - a]))) < 1e-9


@pytest.mark.parametrize("name", sorted(MESHES))
def test_tree_finds_what_trying_all_finds(name: str) -> None:
    soup = Soup(*MESHES[name])
    points = shapes.points_near(soup.corners(), 500, np.random.default_rng(11))
    truth = brute_distances(soup.corners(), points)
    frames = triangle_frames(soup.corners())
    found = NumpyTree(soup).nearest(points)
    np.testing.assert_allclose(closest_on(frames[:, found], points)[1], truth, atol=1e-12)
    within = NumpyTree(soup).nearest(points, 0.002)
    np.testing.assert_array_equal(within >= 0, truth <= 0.002)
    near = within >= 0
    np.testing.assert_allclose(closest_on(frames[:, within[near]], points[near])[1], truth[near], atol=1e-12)
    told = NumpyTree(soup).distances(points, 0.002)
    np.testing.assert_allclose(told, np.where(near, truth, np.inf), atol=1e-12)


@pytest.mark.parametrize("name", ["ball", "turned box"])
def test_splats_measure_exactly_the_nodes_within_reach(name: str) -> None:
    corners = Soup(*MESHES[name]).corners()
    box = lay_out(corners.min(axis=(0, 1)), corners.max(axis=(0, 1)), 0.003)
    truth = brute_distances(corners, _nodes(box.origin, box.cell, box.shape)).reshape(box.shape)
    reach = 2.2 * box.cell
    found = Splat(corners, box, reach).distances()
    clear = np.abs(truth - reach) > 1e-7
    np.testing.assert_array_equal(np.isfinite(found)[clear], (truth <= reach)[clear])
    both = np.isfinite(found)
    np.testing.assert_allclose(found[both], truth[both], atol=1e-7)


@pytest.mark.parametrize("name", ["ball", "ring", "open ball"])
def test_points_near_the_surface_of_a_dense_mesh_lie_between_exact_nodes(name: str) -> None:
    vertices, triangles = shapes.torus(columns=160, rows=96) if name == "ring" else shapes.ball(columns=160)
    surface = build_surface(vertices, triangles[600:] if name == "open ball" else triangles, cell=0.002, thickness=1e-3)
    grid, rng = surface.grid, np.random.default_rng(8)
    chosen = surface.field.corners[rng.integers(0, len(surface.field.corners), 400)]
    away = rng.normal(size=(400, 3))
    off = EXACT * grid.cell + surface.field.half_thickness
    points = chosen.mean(axis=1) + off * away / np.linalg.norm(away, axis=1, keepdims=True)
    first = np.floor((points - grid.origin) / grid.cell).astype(np.int64)
    nodes = np.unique((first[:, None] + np.array(list(np.ndindex(2, 2, 2)))).reshape(-1, 3), axis=0)
    exact = surface.exact_distance(grid.origin + grid.cell * nodes)
    np.testing.assert_allclose(grid.values[tuple(nodes.T)], exact, atol=1e-9)


@pytest.mark.parametrize("name", ["ball", "turned box"])
def test_far_distances_are_about_a_cell_off_at_worst_and_mostly_a_tenth(name: str) -> None:
    corners = Soup(*MESHES[name]).corners()
    box = lay_out(corners.min(axis=(0, 1)), corners.max(axis=(0, 1)), 0.002)
    truth = brute_distances(corners, _nodes(box.origin, box.cell, box.shape)).reshape(box.shape)
    far = truth > 2.2 * box.cell
    off = np.abs(far_distances(sample_surface(corners, box), box) - truth)[far] / box.cell
    assert off.max() < 1.3
    assert (off < 0.25).mean() > 0.94


def test_far_distances_of_one_point_are_exact_at_the_coarse_nodes() -> None:
    box = Box(np.array([-1.0, 2.0, 0.5]), 0.5, (21, 17, 13))
    point = np.array([2.3, 4.4, 2.1])
    nodes = _nodes(box.origin, box.cell, box.shape)
    truth = np.linalg.norm(nodes - point, axis=1).reshape(box.shape)
    found = far_distances([point[None]], box)
    coarse = (slice(None, None, STRIDE),) * 3
    np.testing.assert_allclose(found[coarse], np.maximum(truth - 0.1 * box.cell, 0.0)[coarse], atol=1e-5)


def test_dense_meshes_go_through_the_tree_to_the_same_grid(monkeypatch: pytest.MonkeyPatch) -> None:
    by_splats = build_surface(*shapes.ball(), cell=0.003).grid
    monkeypatch.setattr("addon.solvers.surface.gridding._PAIRS_PER_NODE", 0)
    by_tree = build_surface(*shapes.ball(), cell=0.003).grid
    near = np.abs(by_tree.values) < 2.1 * 0.003
    np.testing.assert_allclose(by_splats.values[near], by_tree.values[near], atol=1e-7)
    assert (by_splats.doubtful == by_tree.doubtful).mean() > 0.999


def test_nodes_are_measured_when_needed_and_the_same_in_any_order() -> None:
    corners = Soup(*shapes.ball()).corners()
    points = shapes.points_near(corners, 300, np.random.default_rng(5))
    whole, by_one = build_surface(*shapes.ball(), cell=0.003).grid, build_surface(*shapes.ball(), cell=0.003).grid
    _ = whole.values, whole.doubtful
    found = [by_one.lookup(point[None]) for point in points]
    unknown = np.isnan(by_one.nearest_nodes(_nodes(by_one.origin, by_one.cell, by_one.shape))[1]).mean()
    assert unknown > 0.02, "the whole grid was measured for a few points"
    together = whole.lookup(points)
    np.testing.assert_array_equal(np.concatenate([each.distances for each in found]), together.distances)
    np.testing.assert_array_equal(np.concatenate([each.doubtful for each in found]), together.doubtful)
    np.testing.assert_array_equal(by_one.values, whole.values)
    np.testing.assert_array_equal(by_one.doubtful, whole.doubtful)


def test_box_of_the_grid_holds_the_mesh_and_keeps_its_budget() -> None:
    corners = Soup(*shapes.box((2.0, 1.0, 0.7))).corners()
    box = lay_out(corners.min(axis=(0, 1)), corners.max(axis=(0, 1)), 0.001)
    assert np.prod(box.shape) <= ALL_NODES
    assert (box.origin < corners.min(axis=(0, 1))).all()
    assert (box.origin + box.cell * (np.array(box.shape) - 1) > corners.max(axis=(0, 1))).all()
    assert all(each % 2 == 1 for each in box.shape)


@given(st.lists(st.integers(0, 30), max_size=40), st.integers(1, 50))
def test_ragged_lists_are_counted_once_each(numbers: list[int], most: int) -> None:
    lengths = np.array(numbers, dtype=np.int64)
    index, count = count_up(lengths)
    assert list(zip(index, count, strict=True)) == [(i, k) for i, n in enumerate(numbers) for k in range(n)]
    parts = list(batches(lengths, most))
    assert [i for part in parts for i in range(part.start, part.stop)] == list(range(len(numbers)))
    assert all(lengths[part].sum() <= most or part.stop - part.start == 1 for part in parts)


def _nodes(origin: FloatArray, cell: float, shape: tuple[int, int, int]) -> FloatArray:
    return origin + cell * np.stack(np.meshgrid(*map(np.arange, shape), indexing="ij"), axis=-1).reshape(-1, 3)
