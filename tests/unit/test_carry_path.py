# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects carried along lines: by length, from where they are to where they are put, without a jump or a corner."""

from __future__ import annotations

import numpy as np
import pytest

from addon.core.rotations import angle_between, matrix_from_axis_angle
from addon.solvers.animation import PathCarry

ROUND = np.linspace(0.0, 1.5 * np.pi, 2001)
CIRCLE = 0.2 * np.column_stack([np.cos(ROUND), np.sin(ROUND), np.zeros(len(ROUND))])
UP = np.array([0.0, 0.0, 1.0])


def frame(place: tuple[float, ...], turn: float = 0.0) -> np.ndarray:
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = matrix_from_axis_angle(UP, turn), place
    return out


def test_the_origin_goes_evenly_along_the_line_whatever_frame_is_asked_for() -> None:
    place, start = frame((0.2, 0.0, 0.0), 0.4), frame((0.25, -0.1, 0.3), -1.0)
    shares = np.linspace(0.0, 1.0, 31)
    moved = PathCarry(start, place, CIRCLE).frames(shares)
    origins = moved @ np.linalg.inv(start) @ place
    angles = shares * 1.5 * np.pi
    wanted = 0.2 * np.column_stack([np.cos(angles), np.sin(angles), np.zeros(31)])
    assert np.allclose(origins[:, :3, 3], wanted, atol=1e-6)
    assert np.allclose(moved[0], start, atol=1e-12)
    assert np.allclose(moved[:, :3, :3], start[:3, :3], atol=1e-12), "it keeps its orientation"


@pytest.mark.parametrize("put", [None, frame((-0.3, 0.4, 0.1), 2.0)])
def test_ways_to_and_from_a_line_are_smooth_and_arrive(put: np.ndarray | None) -> None:
    place = frame((0.5, -0.3, 0.2))
    carry = PathCarry(place, place, CIRCLE, put)
    shares = np.linspace(0.0, 1.0, 4001)
    moved = carry.frames(shares)
    assert np.allclose(moved[0], place, atol=1e-12)
    last = frame(tuple(CIRCLE[-1])) if put is None else put
    assert np.allclose(moved[-1], last, atol=1e-9)
    assert np.allclose(carry.end, last, atol=1e-9)
    steps = np.diff(moved[:, :3, 3], axis=0)
    assert np.ptp(np.linalg.norm(steps, axis=1)) < 1e-5, "even: easing is put on top"
    directions = steps / np.linalg.norm(steps, axis=1)[:, None]
    assert np.sum(directions[1:] * directions[:-1], axis=1).min() > 0.995, "no corner where it joins the line"
    turned = [float(angle_between(place[:3, :3], each[:3, :3])) for each in moved]
    assert turned == sorted(turned)


def test_points_that_lie_on_each_other_do_no_harm() -> None:
    line = np.repeat(np.array([[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.1, 0.1, 0.0]]), 3, axis=0)
    moved = PathCarry(np.eye(4), np.eye(4), line).frames(np.array([0.0, 0.25, 0.5, 1.0]))
    assert np.allclose(moved[:, :3, 3], [(0.0, 0.0, 0.0), (0.05, 0.0, 0.0), (0.1, 0.0, 0.0), (0.1, 0.1, 0.0)])
