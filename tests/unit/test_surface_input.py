# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What meshes may be: open, doubled, scattered, degenerate; and what they may not."""

from __future__ import annotations

import numpy as np
import pytest
import surface_shapes as shapes

from addon.core.errors import PrehendError, ShapeError
from addon.solvers.surface import SurfaceError, build_surface, fingerprint
from addon.solvers.surface.errors import BadCoordinateError, EmptyMeshError, TriangleIndexError
from addon.solvers.surface.soup import weld

PLANE = (
    0.05 * np.array([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]]),
    np.array([[0, 1, 2], [0, 2, 3]]),
)


@pytest.mark.parametrize("thickness", [1e-3, 4e-3])
def test_plane_is_a_sheet_that_says_so(thickness: float) -> None:
    surface = build_surface(*PLANE, thickness=thickness)
    assert not surface.closed
    assert f"{thickness * 1e3:g} mm" in surface.note
    heights = np.linspace(-0.01, 0.01, 81)
    points = np.stack([0.0123 * np.cos(heights * 900.0), 0.0211 * np.sin(heights * 700.0), heights], axis=1)
    truth = np.abs(heights) - thickness / 2.0
    np.testing.assert_allclose(surface.exact_distance(points), truth, atol=1e-12)
    near = np.abs(truth) < 0.4 * surface.grid.cell
    np.testing.assert_allclose(surface.distance(points)[near], truth[near], atol=surface.accuracy)
    found = surface.closest(points)
    np.testing.assert_allclose(found.points + found.distances[:, None] * found.normals, points, atol=1e-9)
    np.testing.assert_allclose(np.abs(found.points[:, 2]), thickness / 2.0, atol=1e-9)


def test_box_without_a_lid_is_a_sheet_and_closed_parts_beside_it_stay_solid() -> None:
    vertices, triangles = shapes.box()
    surface = build_surface(*shapes.joined((vertices, triangles[:-2]), shapes.moved(shapes.ball(), (0.2, 0.0, 0.0))))
    assert not surface.closed
    assert "1 of the mesh's parts" in surface.note
    points = np.array([[0.0, 0.0, 0.0], [0.2, 0.0, 0.0], [0.04, 0.0, 0.0]])
    found = surface.exact_distance(points)
    assert found[0] > 0.01
    assert found[1] < -0.029
    assert found[2] == pytest.approx(-5e-4, abs=1e-9)
    np.testing.assert_allclose(surface.distance(points[2:]), found[2:], atol=surface.accuracy)


def test_closed_meshes_have_no_note() -> None:
    surface = build_surface(*shapes.box())
    assert surface.closed
    assert surface.note == ""


def test_direction_of_all_faces_does_not_matter() -> None:
    vertices, triangles = shapes.torus()
    points = shapes.points_near(vertices[triangles], 300, np.random.default_rng(8))
    one, two = build_surface(vertices, triangles), build_surface(vertices, triangles[:, ::-1])
    np.testing.assert_allclose(one.exact_distance(points), two.exact_distance(points), atol=1e-12)
    on_surface = one.closest(points).points
    np.testing.assert_allclose(one.closest(on_surface).normals, two.closest(on_surface).normals, atol=0.1)


def test_triangles_that_share_no_vertices_are_still_closed() -> None:
    vertices, triangles = shapes.torus(columns=24, rows=12)
    surface = build_surface(vertices[triangles].reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3))
    assert surface.closed
    assert surface.exact_distance(np.array([[0.03, 0.0, 0.0]]))[0] < -0.009


def test_seams_that_rounding_tore_open_are_welded() -> None:
    vertices, triangles = shapes.torus(columns=24, rows=12)
    noise = np.random.default_rng(9).normal(size=(3 * len(triangles), 3)) * 1e-10
    surface = build_surface(vertices[triangles].reshape(-1, 3) + noise, np.arange(3 * len(triangles)).reshape(-1, 3))
    assert surface.closed


def test_doubled_and_collapsed_faces_are_dropped() -> None:
    vertices, triangles = shapes.box()
    worthless = np.array([[0, 0, 1], [2, 2, 2]])
    surface = build_surface(vertices, np.concatenate([triangles, worthless, triangles, triangles[:, ::-1]]))
    assert surface.closed
    assert len(surface.field.corners) == 12
    doubled = build_surface(PLANE[0], np.concatenate([PLANE[1], PLANE[1][:, ::-1]]))
    assert not doubled.closed


def test_slivers_without_area_hold_a_mesh_together() -> None:
    vertices, triangles = shapes.box()
    # One side of a face is split at its middle, the neighbour is not: a sliver fills the gap.
    a, b, c = triangles[0]
    middle = len(vertices)
    split = np.array([[a, middle, c], [middle, b, c], [a, b, middle]])
    surface = build_surface(
        np.concatenate([vertices, [(vertices[a] + vertices[b]) / 2.0]]), np.concatenate([triangles[1:], split])
    )
    assert surface.closed
    points = np.random.default_rng(10).uniform(-0.06, 0.06, size=(1000, 3))
    truth = shapes.box_distance(points, (0.08, 0.05, 0.03))
    np.testing.assert_allclose(surface.exact_distance(points), truth, atol=1e-9)


@pytest.mark.parametrize("offset", [0.0, 100.0])
@pytest.mark.parametrize("scale", [0.01, 30.0])
def test_far_from_the_origin_and_at_any_scale(offset: float, scale: float) -> None:
    vertices, triangles = shapes.ball(columns=24)
    surface = build_surface(scale * vertices + offset, triangles)
    assert surface.exact_distance(np.full((1, 3), offset))[0] < -0.95 * 0.03 * scale
    assert surface.distance(np.full((1, 3), offset))[0] < 0.0
    assert surface.distance(np.full((1, 3), offset + 2.0 * 0.03 * scale))[0] > 0.0


def test_bad_meshes_are_named() -> None:
    vertices, triangles = shapes.box()
    with pytest.raises(EmptyMeshError, match="no faces"):
        build_surface(vertices, np.zeros((0, 3), dtype=np.int64))
    with pytest.raises(EmptyMeshError, match="12 triangles"):
        build_surface(0.0 * vertices, triangles)
    with pytest.raises(EmptyMeshError, match="collapsed"):
        build_surface(vertices * [1.0, 0.0, 0.0], triangles)
    broken = vertices.copy()
    broken[3, 1] = np.nan
    with pytest.raises(BadCoordinateError, match="Vertex 3"):
        build_surface(broken, triangles)
    with pytest.raises(TriangleIndexError, match=r"Triangle 2 .* 8"):
        build_surface(vertices, np.where(np.arange(12)[:, None] == 2, 8, triangles))
    with pytest.raises(ShapeError):
        build_surface(vertices[:, :2], triangles)
    with pytest.raises(SurfaceError, match=r"accuracy .* positive"):
        build_surface(vertices, triangles, accuracy=0.0)
    with pytest.raises(SurfaceError, match=r"cell size .* positive"):
        build_surface(vertices, triangles, cell=-1.0)
    with pytest.raises(SurfaceError, match=r"thickness .* positive"):
        build_surface(vertices, triangles, thickness=float("nan"))
    assert issubclass(SurfaceError, PrehendError)


def test_a_vertex_that_no_face_uses_may_be_anything() -> None:
    vertices, triangles = shapes.box()
    assert len(weld(np.concatenate([[[np.nan] * 3], vertices]), triangles + 1).vertices) == 8


def test_bad_points_are_named() -> None:
    surface = build_surface(*shapes.box())
    with pytest.raises(BadCoordinateError, match="Point 1"):
        surface.distance([[0.0, 0.0, 0.0], [0.0, np.inf, 0.0]])
    with pytest.raises(ShapeError):
        surface.closest([0.0, 0.0, 0.0])


def test_no_points_give_no_distances() -> None:
    surface = build_surface(*shapes.box())
    none = np.zeros((0, 3))
    assert surface.exact_distance(none).shape == surface.distance(none).shape == (0,)
    assert surface.closest(none).points.shape == surface.gradient(none).shape == (0, 3)


def test_fingerprint_follows_every_number() -> None:
    vertices, triangles = shapes.box()
    key = fingerprint(vertices, triangles)
    assert key == fingerprint(vertices.tolist(), triangles.astype(np.int32))
    moved = vertices.copy()
    moved[5, 2] = np.nextafter(moved[5, 2], 1.0)
    others = ((moved, triangles), (vertices, triangles[::-1]), (vertices, triangles[:-1]))
    assert len({key, *(fingerprint(*other) for other in others)}) == 4
