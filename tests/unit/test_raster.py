# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of triangles: beside rays cast one by one, and beside areas that are known."""

from __future__ import annotations

import numpy as np
import pytest

from addon.core.errors import ShapeError
from addon.core.raster import Eye, draw_triangles, frame_points, smooth_normals

SIZE = (20, 14)


def looking_down(width: float, distance: float = 0.0, height: float = 5.0) -> Eye:
    frame = np.eye(4)
    frame[2, 3] = height
    return Eye(frame, width, distance)


def nearest_by_rays(triangles: np.ndarray, eye: Eye, size: tuple[int, int]) -> np.ndarray:
    """The nearest triangle that a ray through each pixel's middle meets, one ray and one triangle at a time."""
    axes, centre = eye.T_world_eye[:3, :3], eye.T_world_eye[:3, 3]
    step = eye.width / min(size)
    found = np.full((size[1], size[0]), -1)
    for row in range(size[1]):
        for column in range(size[0]):
            aside = np.array([(column + 0.5 - 0.5 * size[0]) * step, (row + 0.5 - 0.5 * size[1]) * step, 0.0])
            if eye.distance > 0.0:
                start, way = centre, axes @ (aside - np.array([0.0, 0.0, eye.distance]))
            else:
                start, way = centre + axes @ aside, axes @ np.array([0.0, 0.0, -1.0])
            hits = []
            for k, (a, b, c) in enumerate(triangles):
                u, v, t = np.linalg.solve(np.column_stack([b - a, c - a, -way]), start - a)
                if u >= 0.0 and v >= 0.0 and u + v <= 1.0:
                    hits.append((t, k))
            if hits:
                found[row, column] = min(hits)[1]
    return found


@pytest.mark.parametrize("distance", [0.0, 5.0])
def test_every_pixel_shows_the_triangle_that_a_ray_meets_first(distance: float) -> None:
    rng = np.random.default_rng(3)
    triangles = rng.uniform(-1.3, 1.3, (20, 3, 3))
    colours = np.zeros((20, 3))
    colours[:, 0] = 0.5
    colours[:, 1] = np.linspace(0.0, 0.5, 20)  # green over red tells the triangle, whatever its brightness
    eye = looking_down(2.0, distance)
    picture = draw_triangles(triangles, colours, eye, size=SIZE, samples=1)
    wanted = nearest_by_rays(triangles, eye, SIZE)
    assert np.array_equal(picture[..., 3] > 0.5, wanted >= 0)
    seen = wanted >= 0
    shown = np.rint(picture[seen][:, 1] / picture[seen][:, 0] * 19.0).astype(int)
    assert np.array_equal(shown, wanted[seen])
    assert len(np.unique(shown)) > 8


def test_areas_are_as_large_as_they_are() -> None:
    square = np.array([[[0.0, 0, 0], [1, 0, 0], [1, 1, 0]], [[0.0, 0, 0], [1, 1, 0], [0, 1, 0]]])
    picture = draw_triangles(square, np.ones((2, 3)), looking_down(4.0), size=(64, 64), samples=1)
    assert np.flatnonzero(picture[..., 3].any(axis=0)).tolist() == list(range(32, 48))
    assert np.flatnonzero(picture[..., 3].any(axis=1)).tolist() == list(range(32, 48))  # up is up: the upper rows
    assert picture[..., 3].sum() == 16 * 16
    turns = np.linspace(0.0, 2.0 * np.pi, 257)
    ring = np.stack([np.cos(turns), np.sin(turns), np.zeros(257)], axis=1)
    disc = np.stack([np.zeros((256, 3)), ring[:-1], ring[1:]], axis=1)
    picture = draw_triangles(disc, np.ones((256, 3)), looking_down(4.0), size=(64, 64), samples=4)
    assert picture[..., 3].sum() == pytest.approx(np.pi * 16**2, rel=5e-3)


def test_edges_keep_their_colour() -> None:
    triangle = np.array([[[-0.9, -0.8, 0], [0.9, -0.7, 0], [0.1, 0.9, 0]]])
    picture = draw_triangles(triangle, np.array([[0.4, 0.2, 0.1]]), looking_down(2.0), size=(20, 20), samples=4)
    partly = (picture[..., 3] > 0.0) & (picture[..., 3] < 1.0)
    whole = picture[picture[..., 3] == 1.0]
    assert partly.any()
    assert np.allclose(picture[partly][:, :3], whole[0, :3], atol=1e-6)


def test_a_face_is_as_bright_from_behind() -> None:
    triangle = np.array([[[-0.9, -0.8, 0.3], [0.9, -0.7, 0.1], [0.1, 0.9, -0.5]]])
    front = draw_triangles(triangle, np.ones((1, 3)) * 0.5, looking_down(2.0), size=SIZE)
    back = draw_triangles(triangle[:, ::-1], np.ones((1, 3)) * 0.5, looking_down(2.0), size=SIZE)
    assert np.allclose(front, back, atol=1e-6)


def test_smooth_normals_of_a_sphere_point_outwards_and_blend_the_shading() -> None:
    u, v = np.meshgrid(np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False), np.linspace(0.1, np.pi - 0.1, 9))
    vertices = np.stack([np.sin(v) * np.cos(u), np.sin(v) * np.sin(u), np.cos(v)], axis=-1).reshape(-1, 3)
    k = np.arange(16 * 8)
    beside = k - k % 16 + (k + 1) % 16
    triangles = np.concatenate([np.stack([k, k + 16, beside], 1), np.stack([beside, k + 16, beside + 16], 1)])
    normals = smooth_normals(vertices, triangles)
    assert (np.einsum("ijk,ijk->ij", normals, vertices[triangles]) > 0.9).all()
    colours = np.ones((len(triangles), 3)) * 0.5
    smooth = draw_triangles(vertices[triangles], colours, looking_down(2.2), size=(64, 64), normals=normals, samples=1)
    flat = draw_triangles(vertices[triangles], colours, looking_down(2.2), size=(64, 64), samples=1)
    inner = (slice(26, 38), slice(40, 56))  # away from the hole at the top and from the rim
    assert (
        np.abs(np.diff(smooth[inner][..., 0], axis=1)).max() < 0.3 * np.abs(np.diff(flat[inner][..., 0], axis=1)).max()
    )


@pytest.mark.parametrize("field_of_view", [0.0, 0.9])
def test_a_framed_picture_holds_all_points_and_wastes_no_room(field_of_view: float) -> None:
    rng = np.random.default_rng(5)
    points = rng.normal(size=(60, 3)) * [0.2, 1.0, 0.5] + [7.0, -3.0, 2.0]
    tiny = points[:, None] + np.array([[0.0, 0, 0], [8e-2, 0, 0], [0, 8e-2, 8e-2]])
    eye = frame_points(points, np.array([1.0, -0.4, 0.5]), np.array([0.0, 0.0, 1.0]), field_of_view=field_of_view)
    alone = [draw_triangles(tiny[[k]], np.ones((1, 3)), eye, size=(100, 100), samples=2)[..., 3] for k in range(60)]
    assert all(picture.sum() > 0.0 for picture in alone)
    used = np.argwhere(np.sum(alone, axis=0) > 0.0)
    assert used.min() >= 4
    assert used.max() <= 95
    assert (used.max(axis=0) - used.min(axis=0)).max() > (78 if field_of_view == 0.0 else 45)


def test_what_cannot_be_drawn_is_left_out() -> None:
    assert not draw_triangles(np.empty((0, 3, 3)), np.empty((0, 3)), looking_down(2.0)).any()
    behind = np.array([[[-1.0, -1, 6], [1, -1, 6], [0, 1, 4]]])
    assert not draw_triangles(behind, np.ones((1, 3)), looking_down(2.0, 5.0)).any()
    broken = np.array([[[np.nan, -1, 0], [1, -1, 0], [0, 1, 0]], [[0.0, 0, 0], [0, 0, 0], [1, 0, 0]]])
    assert not draw_triangles(broken, np.ones((2, 3)), looking_down(2.0)).any()
    with pytest.raises(ShapeError):
        draw_triangles(np.zeros((2, 3, 3)), np.ones((1, 3)), looking_down(2.0))
