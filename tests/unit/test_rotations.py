# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rotations: every conversion there and back, on random and on awkward turns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from addon.core import rotations as r

angles = arrays(np.float64, 3, elements=st.floats(-np.pi, np.pi))
quaternions = arrays(np.float64, 4, elements=st.floats(-1.0, 1.0)).filter(lambda q: np.linalg.norm(q) > 0.1).map(r.unit)


def is_rotation(matrix: np.ndarray) -> bool:
    return np.allclose(matrix.T @ matrix, np.eye(3), atol=1e-12) and np.linalg.det(matrix) > 0.0


@given(angles)
def test_rotation_from_angles_is_the_product_of_its_three_turns(abc: np.ndarray) -> None:
    x, y, z = np.eye(3)
    product = np.eye(3)
    for axis, angle in zip((x, y, z), abc, strict=True):
        product = product @ r.matrix_from_axis_angle(axis, float(angle))
    assert np.allclose(r.rotation_from_angles(abc), product, atol=1e-14)


@given(st.floats(-np.pi, np.pi), st.floats(-1.57, 1.57), st.floats(-np.pi, np.pi))
def test_angles_come_back_for_any_flexion(a: float, b: float, c: float) -> None:
    back = r.angles_from_rotation(r.rotation_from_angles([a, b, c]))
    assert np.allclose(r.rotation_from_angles(back), r.rotation_from_angles([a, b, c]), atol=1e-14)
    assert abs(back[1] - b) < 1e-9


def test_flexion_of_ninety_degrees_is_not_singular() -> None:
    wanted = np.radians([90.0, 10.0, 5.0])
    assert np.allclose(r.angles_from_rotation(r.rotation_from_angles(wanted)), wanted, atol=1e-14)


@given(quaternions)
def test_quaternion_and_matrix_are_inverse(q: np.ndarray) -> None:
    matrix = r.matrix_from_quaternion(q)
    assert is_rotation(matrix)
    assert abs(abs(np.dot(r.quaternion_from_matrix(matrix), q)) - 1.0) < 1e-12


@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.6, 0.8, 0.0)])
def test_half_turns_have_quaternions(axis: tuple[float, float, float]) -> None:
    q = r.quaternion_from_matrix(r.matrix_from_axis_angle(axis, np.pi))
    assert np.allclose(np.abs(q[1:]), np.abs(axis), atol=1e-12)


@given(quaternions, quaternions)
def test_quaternion_product_turns_as_the_matrices_do(p: np.ndarray, q: np.ndarray) -> None:
    product = r.matrix_from_quaternion(p) @ r.matrix_from_quaternion(q)
    assert np.allclose(r.matrix_from_quaternion(r.multiply(p, q)), product, atol=1e-12)


@given(quaternions)
def test_axis_and_angle_come_back(q: np.ndarray) -> None:
    matrix = r.matrix_from_quaternion(q)
    axis, angle = r.axis_angle_from_matrix(matrix)
    assert 0.0 <= angle <= np.pi
    assert np.allclose(r.matrix_from_axis_angle(axis, angle), matrix, atol=1e-12)


@given(angles, st.sampled_from(r.EULER_ORDERS))
def test_euler_angles_near_themselves_come_back(xyz: np.ndarray, order: str) -> None:
    matrix = r.matrix_from_euler(xyz, order)
    assert np.allclose(r.matrix_from_euler(r.euler_from_matrix(matrix, order), order), matrix, atol=1e-12)
    near = r.euler_from_matrix(matrix, order, xyz)
    middle = "XYZ".index(order[1])
    if abs(np.cos(xyz[middle])) > 1e-6:
        assert np.allclose(near, xyz, atol=1e-8)


@pytest.mark.parametrize("order", r.EULER_ORDERS)
@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_euler_angles_are_exact_at_their_singularity(order: str, sign: float) -> None:
    xyz = np.array([0.4, -0.7, 1.1])
    xyz["XYZ".index(order[1])] = sign * np.pi / 2.0
    matrix = r.matrix_from_euler(xyz, order)
    assert np.allclose(r.matrix_from_euler(r.euler_from_matrix(matrix, order, xyz), order), matrix, atol=1e-14)


@given(quaternions, st.floats(1e-9, 3.14))
def test_angle_between_is_exact_for_tiny_and_large_turns(q: np.ndarray, angle: float) -> None:
    first = r.matrix_from_quaternion(q)
    second = first @ r.matrix_from_axis_angle(r.unit([1.0, 2.0, -0.5]), angle)
    assert abs(float(r.angle_between(first, second)) - angle) < 1e-7 * max(angle, 1e-7) + 1e-13


@given(quaternions)
def test_nearest_rotation_keeps_mirroring(q: np.ndarray) -> None:
    turn = r.matrix_from_quaternion(q)
    assert np.allclose(r.nearest_rotation(3.0 * turn), turn, atol=1e-12)
    mirrored = turn @ np.diag([1.0, 1.0, -1.0])
    assert np.allclose(r.nearest_rotation(0.01 * mirrored), mirrored, atol=1e-12)


@given(quaternions, quaternions)
def test_frame_from_zx_keeps_z_and_leans_to_x(p: np.ndarray, q: np.ndarray) -> None:
    z, x = r.matrix_from_quaternion(p)[:, 2], r.matrix_from_quaternion(q)[:, 0]
    frame = r.frame_from_zx(z, x)
    assert is_rotation(frame)
    assert np.allclose(frame[:, 2], z, atol=1e-12)
    assert frame[:, 0] @ x >= -1e-9


def test_frame_from_parallel_axes_is_still_a_frame() -> None:
    assert is_rotation(r.frame_from_zx(np.array([0.0, 0.0, 2.0]), np.array([0.0, 0.0, 1.0])))
