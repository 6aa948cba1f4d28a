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
