# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Points between the corners of large triangles."""

from __future__ import annotations

import numpy as np
import pytest

from addon.core.sampling import points_between

POINTS = np.array([[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [10.0, 10.0, 0.0], [0.0, 10.0, 0.0]])
TRIANGLES = np.array([[0, 1, 2], [0, 2, 3]])


def test_small_triangles_get_none() -> None:
    assert len(points_between(POINTS, TRIANGLES, 15.0).corners) == 0
    assert len(points_between(POINTS, TRIANGLES[:0], 1.0).corners) == 0


@pytest.mark.parametrize("spacing", [1.0, 2.5, 4.0])
def test_no_place_is_far_from_a_point(spacing: float) -> None:
    found = points_between(POINTS, TRIANGLES, spacing)
    points = np.concatenate([POINTS, found.mix(POINTS)])
    grid = np.stack(np.meshgrid(np.linspace(0, 10, 41), np.linspace(0, 10, 41)), axis=-1).reshape(-1, 2)
    away = np.linalg.norm(grid[:, None] - points[:, :2], axis=2).min(axis=1)
    assert away.max() < spacing
    assert len(points) < 4.0 * (10.0 / spacing + 1.0) ** 2


def test_shared_edges_are_filled_once_and_shares_add_up() -> None:
    found = points_between(POINTS, TRIANGLES, 2.5)
    places = found.mix(POINTS)
    assert len(np.unique(places.round(9), axis=0)) == len(places)
    np.testing.assert_allclose(found.shares.sum(axis=1), 1.0)
    assert (found.shares >= 0.0).all()


def test_slender_triangles_are_covered_by_their_edges() -> None:
    slender = np.array([[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [5.0, 0.5, 0.0]])
    found = points_between(slender, np.array([[0, 1, 2]]), 1.0)
    assert (found.shares == 0.0).any(axis=1).all()
