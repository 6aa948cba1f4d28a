# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plane curves, their insets and triangulations, and the rings made of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from addon.core.arrays import FloatArray
from addon.shapes.mesh import is_closed_manifold, signed_volume
from addon.shapes.props.lathe import add_lathe
from addon.shapes.props.plate import add_flat, add_plate, circle, inset
from addon.shapes.props.polygon import triangulate
from addon.shapes.props.profile import fill, resample, round_corners, smooth_curve
from addon.shapes.props.surface import SurfaceBuilder, block_edge
from addon.shapes.props.tube import fillet, oval


def area(loop: FloatArray) -> float:
    following = np.roll(loop, -1, axis=0)
    return float((loop[:, 0] * following[:, 1] - loop[:, 1] * following[:, 0]).sum() / 2.0)


def star(rng: np.random.Generator, corners: int) -> FloatArray:
    """A polygon that is seen whole from its middle, with its edge between 0.8 and 2 from it."""
    angles = np.arange(corners) * (2.0 * np.pi / corners)
    return rng.uniform(0.8, 2.0, corners)[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)


@given(seed=st.integers(0, 10_000), corners=st.integers(8, 30), holes=st.integers(0, 4))
def test_triangles_cover_the_region_once(seed: int, corners: int, holes: int) -> None:
    rng = np.random.default_rng(seed)
    loops = [star(rng, corners)]
    for k in range(holes):
        angle = 0.5 * np.pi * k
        loops.append(circle(int(rng.integers(3, 9)), 0.15, (0.35 * np.cos(angle), 0.35 * np.sin(angle)))[::-1])
    ends = np.cumsum([len(loop) for loop in loops])
    points = np.concatenate(loops)
    triangles = triangulate(points, np.split(np.arange(ends[-1]), ends[:-1]))
    areas = np.array([area(points[triangle]) for triangle in triangles])
    assert len(triangles) == len(points) - 2 + 2 * holes
    assert areas.min() > 0.0
    assert areas.sum() == pytest.approx(sum(area(loop) for loop in loops), rel=1e-12)


def test_points_on_straight_sides_get_no_flat_triangles() -> None:
    side = np.linspace(0.0, 1.0, 6)[:-1]
    zero, one = np.zeros(5), np.ones(5)
    square = np.concatenate(
        [np.column_stack(xy) for xy in ((side, zero), (one, side), (1 - side, one), (zero, 1 - side))]
    )
    triangles = triangulate(square, [np.arange(20)])
    assert min(area(square[triangle]) for triangle in triangles) > 1e-3


def test_hole_outside_of_the_outline_is_refused() -> None:
    points = np.concatenate([circle(8, 1.0), circle(5, 0.2, (3.0, 0.0))[::-1]])
    with pytest.raises(ValueError, match="outside"):
        triangulate(points, [np.arange(8), np.arange(8, 13)])


@given(radius=st.floats(0.05, 0.45), segments=st.integers(2, 12))
def test_rounded_square_has_the_area_of_its_arcs(radius: float, segments: int) -> None:
    square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
    rounded = round_corners(square, radius, segments=segments, closed=True)
    # A quarter disc in pieces has half the sine of the piece's angle as area, per piece.
    quarter = segments * 0.5 * radius**2 * np.sin(np.pi / (2.0 * segments))
    assert area(rounded) == pytest.approx(1.0 - 4.0 * radius**2 + 4.0 * quarter, rel=1e-9)


def test_arcs_never_reach_past_the_middle_of_a_side() -> None:
    rounded = round_corners([(0.0, 0.0), (1.0, 0.0), (1.0, 0.2), (0.0, 0.2)], 5.0, closed=True)
    assert area(rounded) > 0.0
    assert rounded.min() >= 0.0
    assert rounded[:, 0].max() <= 1.0


@given(distance=st.floats(-0.3, 0.3), count=st.integers(3, 40))
def test_inset_moves_every_side_by_the_distance(distance: float, count: int) -> None:
    moved = inset(circle(count, 1.0), distance)
    inner = np.cos(np.pi / count)
    np.testing.assert_allclose(np.linalg.norm(moved, axis=1), (inner - distance) / inner, atol=1e-9)


def test_smooth_curve_goes_through_its_ends_evenly() -> None:
    knots = [(0.0, 0.0), (1.0, 0.4), (1.5, 2.0), (3.0, 2.2)]
    curve = smooth_curve(knots, 50)
    steps = np.linalg.norm(np.diff(curve, axis=0), axis=1)
    np.testing.assert_allclose(curve[[0, -1]], [knots[0], knots[-1]], atol=1e-12)
    assert np.ptp(steps) < 0.02 * steps.mean()
    dense = smooth_curve(knots, 5000)
    for knot in knots:
        assert np.linalg.norm(dense - knot, axis=1).min() < 2e-3


def test_fill_keeps_the_stops_and_the_spacing() -> None:
    filled = fill([0.0, 1.0, 1.3, 4.0], 0.5)
    assert {0.0, 1.0, 1.3, 4.0} <= set(filled)
    assert np.diff(filled).max() <= 0.5 + 1e-12
    assert len(filled) == 2 + 1 + 6 + 1


def test_resample_keeps_both_ends() -> None:
    line = np.array([(0.0, 0.0), (3.0, 0.0), (3.0, 4.0)])
    np.testing.assert_allclose(resample(line, 8)[[0, 3, -1]], [(0, 0), (3, 0), (3, 4)])


def test_block_edge_encloses_the_block_counter_clockwise() -> None:
    rows, columns = block_edge(3, 10, 4)
    loop = np.column_stack([columns, rows]).astype(np.float64)
    assert len(loop) == 16
    assert area(loop) == 16.0
    assert tuple(loop[0]) == (12.0, 5.0)
    assert np.abs(np.diff(loop, axis=0, append=loop[:1])).sum(axis=1).max() == 1.0


def test_fillet_between_a_plane_and_a_cylinder_is_a_quarter_arc() -> None:
    start, end = np.array([[2.0, 0.0, 0.0]]), np.array([[1.0, 0.0, 1.0]])
    rings = fillet(start, np.array([[-1.0, 0.0, 0.0]]), end, np.array([0.0, 0.0, 1.0]), count=9)
    assert np.linalg.norm(rings[:, 0] - (2.0, 0.0, 1.0), axis=1) == pytest.approx(1.0, abs=0.01)


@given(power=st.floats(2.0, 6.0), width=st.floats(0.5, 2.0))
def test_oval_satisfies_its_equation(power: float, width: float) -> None:
    points = oval(24, width, 1.0, power=power)
    np.testing.assert_allclose(np.abs(points[:, 0] / width) ** power + np.abs(points[:, 1]) ** power, 1.0, atol=1e-9)


def test_lathe_of_a_rectangle_is_a_prism() -> None:
    builder = SurfaceBuilder()
    add_lathe(builder, [("a", np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 2.0), (0.0, 2.0)]))], columns=12)
    mesh = builder.build()
    assert is_closed_manifold(mesh)
    assert signed_volume(mesh.vertices, mesh.triangles()) == pytest.approx(2.0 * area(circle(12, 1.0)))


def test_plate_with_a_hole_is_closed_and_has_its_volume() -> None:
    loops = [round_corners([(-2, -2), (2, -2), (2, 2), (-2, 2)], 0.8, closed=True), circle(24, 1.0)[::-1]]
    builder = SurfaceBuilder()
    low, high = add_plate(builder, loops, (0.0, 1.0), "a", bevel=1e-4)
    add_flat(builder, low, "a", upwards=False)
    add_flat(builder, high, "a")
    mesh = builder.build()
    assert is_closed_manifold(mesh)
    assert signed_volume(mesh.vertices, mesh.triangles()) == pytest.approx(sum(area(loop) for loop in loops), rel=1e-3)
