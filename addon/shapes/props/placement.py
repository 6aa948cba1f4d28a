# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Turning and moving finished props onto the table, the plane z = 0."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from ...core.arrays import FloatArray
from ..mesh import MeshData


def turned(mesh: MeshData, rotation: ArrayLike) -> MeshData:
    """`mesh` turned by a 3x3 rotation matrix."""
    return replace(mesh, vertices=mesh.vertices @ np.asarray(rotation, dtype=np.float64).T)


def axis_rotation(axis: int, angle: float) -> FloatArray:
    """The 3x3 matrix that turns by `angle` in [rad] about the x (0), y (1) or z (2) axis."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(3)
    matrix[i, i] = matrix[j, j] = np.cos(angle)
    matrix[j, i] = np.sin(angle)
    matrix[i, j] = -matrix[j, i]
    return matrix


def on_table(mesh: MeshData, *, centre: tuple[bool, bool] = (True, True)) -> MeshData:
    """`mesh` moved so that its lowest point has z = 0 and, per axis of `centre`, its bounds are centred in x and y."""
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    middle = np.where(centre, (low + high)[:2] / 2.0, 0.0)
    return replace(mesh, vertices=mesh.vertices - np.array([middle[0], middle[1], low[2]]))
