# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Transforms taken apart and put together again."""

from __future__ import annotations

import numpy as np
import pytest

from addon.core.rotations import matrix_from_axis_angle
from addon.core.transforms import take_apart


def turning(count: int, scale: np.ndarray) -> np.ndarray:
    axis = np.array([0.36, 0.48, 0.8])
    result = np.tile(np.eye(4), (count, 1, 1))
    for k in range(count):
        result[k, :3, :3] = matrix_from_axis_angle(axis, 4.0 * np.pi * k / count) * scale
        result[k, :3, 3] = [k, 0.5 * k, -1.0]
    return result


@pytest.mark.parametrize("scale", [(1.0, 1.0, 1.0), (0.01, 0.01, 0.01), (0.5, 2.0, 3.0), (-1.0, -1.0, -1.0)])
def test_transforms_come_back(scale: tuple[float, ...]) -> None:
    matrices = turning(50, np.array(scale))
    assert np.allclose(take_apart(matrices).matrices(), matrices, atol=1e-12)


def test_two_whole_turns_have_no_jump() -> None:
    quaternions = take_apart(turning(50, np.ones(3))).quaternions
    assert np.linalg.norm(np.diff(quaternions, axis=0), axis=1).max() < 0.14  # twice the sine of a quarter step


def test_a_mirror_along_one_axis_keeps_places_and_turns_rigid() -> None:
    track = take_apart(turning(5, np.array([-1.0, 1.0, 1.0])))
    assert np.allclose(np.linalg.norm(track.quaternions, axis=1), 1.0)
    assert np.allclose(track.locations[:, 0], np.arange(5))


def test_shear_leaves_the_place_alone() -> None:
    matrix = np.eye(4)[None].copy()
    matrix[0, 0, 1], matrix[0, :3, 3] = 0.3, [1.0, 2.0, 3.0]
    track = take_apart(matrix)
    assert np.allclose(track.locations[0], [1.0, 2.0, 3.0])
    assert np.abs(track.matrices() - matrix).max() < 0.2


@pytest.mark.parametrize("mirror", [1.0, -1.0])
def test_the_exact_axis_stays_whatever_shear_there_is(mirror: float) -> None:
    rng = np.random.default_rng(2)
    matrices = turning(20, np.array([0.9, 1.2, 1.1]))
    matrices[:, :3, :3] = mirror * matrices[:, :3, :3] @ (np.eye(3) + rng.uniform(-0.3, 0.3, (20, 3, 3)))
    track = take_apart(matrices, exact_axis=1)
    assert np.allclose(track.matrices()[:, :3, 1], matrices[:, :3, 1], atol=1e-12)
    assert np.allclose(np.linalg.norm(track.quaternions, axis=1), 1.0)
    assert not np.allclose(take_apart(matrices).matrices()[:, :3, 1], matrices[:, :3, 1], atol=1e-3)
    plain = turning(20, np.array([0.5, 2.0, 3.0]))
    assert np.allclose(take_apart(plain, exact_axis=1).matrices(), plain, atol=1e-12)


def test_what_leads_in_is_at_rest_and_takes_no_long_way() -> None:
    track = take_apart(turning(5, np.ones(3))[3:])
    led = track.led_in()
    assert np.allclose(led.matrices()[0], np.eye(4))
    assert np.allclose(led.matrices()[1:], track.matrices())
    assert (np.einsum("ij,ij->i", led.quaternions[1:], led.quaternions[:-1]) >= 0.0).all()


def test_stepped_scales_are_whole_steps_and_never_nothing() -> None:
    track = take_apart(turning(3, np.array([0.001, 1.04, 2.0]))).with_stepped_scales(1.0 / 32.0)
    assert np.allclose(track.scales, [1.0 / 32.0, 33.0 / 32.0, 2.0])
