# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes with holes get an inside."""

from __future__ import annotations

import numpy as np
import pytest
import surface_shapes as shapes

from addon.solvers.surface import build_surface
from addon.solvers.surface.holes import fill_holes


@pytest.mark.parametrize("seams", [False, True], ids=["shared corners", "split corners"])
@pytest.mark.parametrize("gone", [(0,), (0, 1), (2, 7, 9)], ids=["triangle", "face", "three triangles"])
def test_a_box_with_holes_has_the_boxs_inside_again(gone: tuple[int, ...], seams: bool) -> None:
    vertices, triangles = shapes.box((0.2, 0.3, 0.4))
    open_ = np.delete(triangles, gone, axis=0)
    if seams:
        vertices, open_ = vertices[open_].reshape(-1, 3), np.arange(3 * len(open_)).reshape(-1, 3)
    assert not build_surface(vertices, open_).closed
    points, filled = fill_holes(vertices, open_)
    surface = build_surface(points, filled)
    assert surface.closed
    inside = np.array([[0.0, 0.0, 0.0], [0.08, 0.1, 0.1], [-0.08, -0.1, 0.1]])
    assert (surface.exact_distance(inside) < 0.0).all()
    assert (surface.exact_distance(inside + np.array([0.3, 0.0, 0.0])) > 0.0).all()


def test_a_closed_mesh_stays_as_it_is() -> None:
    vertices, triangles = shapes.box((0.2, 0.3, 0.4))
    points, filled = fill_holes(vertices, triangles)
    np.testing.assert_array_equal(points, vertices)
    np.testing.assert_array_equal(filled, triangles)


def test_a_wall_in_the_middle_does_not_matter() -> None:
    """Edges with three faces are as common in models as holes: a box with a sheet that cuts it in two."""
    vertices, triangles = shapes.box((0.2, 0.2, 0.2))
    low = np.flatnonzero(vertices[:, 2] < 0.0)
    extra = np.array([[low[0], low[1], len(vertices)]])
    points, filled = fill_holes(np.vstack([vertices, [[0.0, 0.0, 0.0]]]), np.vstack([triangles, extra]))
    assert build_surface(points, filled).closed


def pipe(radius: float, length: float = 0.12, count: int = 24) -> shapes.Mesh:
    """A pipe along z without ends, as handles are modelled that end in something else."""
    angles = np.arange(count) * (2.0 * np.pi / count)
    ring = np.stack([radius * np.cos(angles), radius * np.sin(angles), np.zeros(count)], axis=1)
    ends = [ring + np.array([0.0, 0.0, z]) for z in (-0.5 * length, 0.5 * length)]
    k, after = np.arange(count), (np.arange(count) + 1) % count
    sides = [np.stack([k, after, after + count], axis=1), np.stack([k, after + count, k + count], axis=1)]
    return np.concatenate(ends), np.concatenate(sides)


@pytest.mark.parametrize("flipped", [False, True])
def test_a_pipe_that_no_finger_fits_into_is_a_rod(flipped: bool) -> None:
    vertices, triangles = pipe(0.006)
    surface = build_surface(vertices, triangles[:, ::-1] if flipped else triangles)
    assert surface.closed
    assert surface.field.tells_sides, "the fans run as the pipe does"
    assert surface.note == "2 small holes of the mesh count as closed."
    inside = 0.006 * np.cos(np.pi / 24.0)
    assert surface.exact_distance(np.zeros((1, 3)))[0] == pytest.approx(-inside, rel=1e-6)
    # The ends are flat, and there.
    assert surface.exact_distance(np.array([[0.0, 0.0, 0.065]]))[0] == pytest.approx(0.005, rel=1e-6)


def test_wide_pipes_and_leaves_stay_sheets() -> None:
    for vertices, triangles in (pipe(0.020), pipe(0.006, length=0.03)):
        surface = build_surface(vertices, triangles)
        assert not surface.closed
        assert "sheet 1 mm thick" in surface.note
    leaf = build_surface(np.array([[0.0, 0.0, 0.0], [0.01, 0.0, 0.0], [0.0, 0.01, 0.0]]), np.array([[0, 1, 2]]))
    assert not leaf.closed


def test_a_cups_handle_is_filled_and_its_paper_label_is_not() -> None:
    body = shapes.box((0.08, 0.08, 0.1))
    handle = shapes.moved(pipe(0.006), (0.07, 0.0, 0.0))
    label = (np.array([[-0.05, 0.0, 0.0], [-0.05, 0.01, 0.0], [-0.05, 0.0, 0.01]]), np.array([[0, 1, 2]]))
    surface = build_surface(*shapes.joined(body, handle, label))
    distances = surface.exact_distance(np.array([[0.0, 0.0, 0.0], [0.07, 0.0, 0.0], [-0.055, 0.002, 0.002]]))
    assert distances[0] < -0.03
    assert distances[1] == pytest.approx(-0.006 * np.cos(np.pi / 24.0), rel=1e-6)
    assert distances[2] == pytest.approx(0.0045, abs=1e-6)
    assert surface.note.startswith("1 of the mesh's parts are open")


def test_meshes_of_nothing_but_leaves_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    vertices, triangles = pipe(0.006)
    monkeypatch.setattr("addon.solvers.surface.holes.MOST_OPEN", 47)
    assert not build_surface(vertices, triangles).closed
    monkeypatch.setattr("addon.solvers.surface.holes.MOST_OPEN", 48)
    assert build_surface(vertices, triangles).closed
