# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small pictures from points: what is where, what hides what, and text and back."""

from __future__ import annotations

import numpy as np
import pytest
import surface_shapes as shapes

from addon.solvers.thumbnail import (
    BEHIND,
    HAND,
    OBJECT,
    SHADES,
    SIDE,
    ball_points,
    colours,
    draw,
    pack,
    surface_points,
    unpack,
    view_from,
)


def _ball(centre: tuple[float, float, float], radius: float) -> np.ndarray:
    directions = np.random.default_rng(0).normal(size=(20000, 3))
    return np.array(centre) + radius * directions / np.linalg.norm(directions, axis=1, keepdims=True)


def _kind(picture: np.ndarray) -> np.ndarray:
    """0 nothing, 1 hand, 2 object, 3 hand behind the object."""
    return np.where(picture == 0, 0, 1 + (picture - 1) // SHADES)


def _picture(hand: np.ndarray, thing: np.ndarray) -> np.ndarray:
    return draw(hand, thing, view_from(0.0, 0.0), np.zeros(3), 1.0)


def test_balls_are_disks_where_and_as_large_as_they_are() -> None:
    # Seen along +y: x to the right, z up, from the lower left.
    kinds = _kind(_picture(_ball((-0.25, 0.0, 0.0), 0.2), _ball((0.25, 0.0, 0.2), 0.15)))
    y, x = np.mgrid[:SIDE, :SIDE]
    x, y = (x + 0.5) / SIDE - 0.5, (y + 0.5) / SIDE - 0.5
    pixel = 1.0 / SIDE
    for kind, middle, radius in ((1, (-0.25, 0.0), 0.2), (2, (0.25, 0.2), 0.15)):
        away = np.hypot(x - middle[0], y - middle[1])
        assert (kinds[away < radius - pixel] == kind).all(), "no holes"
        assert not (kinds[away > radius + 3.5 * pixel] == kind).any()


def test_the_nearer_one_hides_the_other_and_a_hidden_hand_shines_through() -> None:
    # The eye is at -y.
    before = _kind(_picture(_ball((0.0, -0.4, 0.0), 0.1), _ball((0.0, 0.0, 0.0), 0.3)))
    behind = _kind(_picture(_ball((0.0, 0.4, 0.0), 0.1), _ball((0.0, 0.0, 0.0), 0.3)))
    middle = SIDE // 2
    assert before[middle, middle] == 1
    assert behind[middle, middle] == 3
    assert before[middle, middle + 20] == behind[middle, middle + 20] == 2


def test_light_comes_from_the_upper_left() -> None:
    picture = _picture(np.zeros((0, 3)), _ball((0.0, 0.0, 0.0), 0.4))
    low, high = SIDE // 2 - 22, SIDE // 2 + 22
    assert picture[high, low] > picture[low, high] + 20


def test_text_brings_the_same_picture_back_and_nonsense_none() -> None:
    picture = _picture(_ball((0.0, 0.3, 0.25), 0.2), _ball((0.0, 0.0, 0.0), 0.3))
    assert {0, 1, 2, 3} == set(np.unique(_kind(picture)))
    found = unpack(pack(picture))
    assert found is not None
    np.testing.assert_array_equal(found, colours(picture))
    assert set(np.unique(found[..., 3])) == {0.0, 1.0}
    for text in ("", "no text", "####", pack(picture)[:-9], pack(np.zeros((3, 3), dtype=np.int64))):
        assert unpack(text) is None


@pytest.mark.parametrize("first", [HAND, OBJECT, BEHIND])
def test_shades_go_from_dark_to_light(first: int) -> None:
    row = colours(np.arange(first, first + SHADES)[None])
    assert (np.diff(row[0, :, :3], axis=0) > 0.0).all()


def test_points_lie_on_the_mesh_and_spread_by_area() -> None:
    vertices, triangles = shapes.box((1.0, 0.2, 0.2))
    points = surface_points(vertices, triangles, 4000)
    assert np.abs(np.abs(points / [0.5, 0.1, 0.1]).max(axis=1) - 1.0).max() < 1e-9
    # Both ends together are 2 * 0.04 of 0.88.
    ends = np.abs(points[:, 0]) > 0.5 - 1e-9
    assert ends.mean() == pytest.approx(0.08 / 0.88, abs=0.01)


def test_balls_without_a_radius_are_their_middles() -> None:
    centres = np.random.default_rng(0).normal(size=(50, 3))
    np.testing.assert_array_equal(ball_points(centres, np.zeros(50)), centres)
    around = ball_points(centres, np.full(50, 0.3)).reshape(50, -1, 3) - centres[:, None]
    np.testing.assert_allclose(np.linalg.norm(around, axis=2), 0.3)
