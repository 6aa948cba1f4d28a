# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small triangle meshes whose distances are known."""

from __future__ import annotations

import numpy as np

from addon.core.arrays import FloatArray, IntArray

Mesh = tuple[FloatArray, IntArray]


def box(size: tuple[float, float, float] = (0.08, 0.05, 0.03)) -> Mesh:
    """A box about the origin."""
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]) * size
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners, np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))])


def ball(radius: float = 0.03, columns: int = 48) -> Mesh:
    """A ball about the origin, poles on z."""
    rows = columns // 2
    across, along = np.meshgrid(
        np.pi * np.arange(1, rows) / rows, 2 * np.pi * np.arange(columns) / columns, indexing="ij"
    )
    rings = np.stack([np.sin(across) * np.cos(along), np.sin(across) * np.sin(along), np.cos(across)], axis=-1)
    vertices = radius * np.concatenate([[[0.0, 0.0, 1.0]], rings.reshape(-1, 3), [[0.0, 0.0, -1.0]]])
    index = 1 + np.arange((rows - 1) * columns).reshape(rows - 1, columns)
    after = np.roll(index, -1, axis=1)
    top = np.stack([np.zeros(columns, dtype=np.int64), index[0], after[0]], axis=1)
    bottom = np.stack([np.full(columns, len(vertices) - 1), after[-1], index[-1]], axis=1)
    return vertices, np.concatenate([top, _strip(index[:-1], index[1:], after[1:], after[:-1]), bottom])


def torus(major: float = 0.03, minor: float = 0.01, columns: int = 96, rows: int = 48) -> Mesh:
    """A ring about z."""
    u, v = np.meshgrid(2 * np.pi * np.arange(columns) / columns, 2 * np.pi * np.arange(rows) / rows, indexing="ij")
    reach = major + minor * np.cos(v)
    vertices = np.stack([reach * np.cos(u), reach * np.sin(u), minor * np.sin(v)], axis=-1).reshape(-1, 3)
    index = np.arange(columns * rows).reshape(columns, rows)
    beside, above = np.roll(index, -1, axis=0), np.roll(index, -1, axis=1)
    return vertices, _strip(index, beside, np.roll(beside, -1, axis=1), above)


def wedge(angle_deg: float, length: float = 0.06) -> Mesh:
    """A knife edge along y at the origin that opens towards +x."""
    half = np.tan(np.radians(angle_deg) / 2.0) * length
    profile = np.array([[0.0, 0.0], [length, -half], [length, half]])
    vertices = np.array([[x, y, z] for y in (-0.02, 0.02) for x, z in profile])
    sides = [(0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5)]
    return vertices, np.array([(0, 2, 1), (3, 4, 5), *(t for a, b, c, d in sides for t in ((a, b, c), (a, c, d)))])


def joined(*meshes: Mesh) -> Mesh:
    """Several meshes as one."""
    starts = np.cumsum([0, *(len(vertices) for vertices, _ in meshes)])
    triangles = [each + start for (_, each), start in zip(meshes, starts, strict=False)]
    return np.concatenate([vertices for vertices, _ in meshes]), np.concatenate(triangles)


def moved(mesh: Mesh, offset: tuple[float, float, float]) -> Mesh:
    """The mesh elsewhere."""
    return mesh[0] + np.array(offset), mesh[1]


def flipped(mesh: Mesh) -> Mesh:
    """The mesh with all its faces turned round."""
    return mesh[0], mesh[1][:, ::-1]


def turned(mesh: Mesh, seed: int = 0) -> Mesh:
    """The mesh turned in space, so that nothing is parallel to an axis."""
    axes, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    axes[:, 0] *= np.sign(np.linalg.det(axes))
    return mesh[0] @ axes.T, mesh[1]


def box_distance(points: FloatArray, size: tuple[float, float, float]) -> FloatArray:
    """Signed distances to a box about the origin, in closed form."""
    beyond = np.abs(points) - np.array(size) / 2.0
    return np.linalg.norm(np.maximum(beyond, 0.0), axis=1) + np.minimum(beyond.max(axis=1), 0.0)


def torus_distance(points: FloatArray, major: float, minor: float) -> FloatArray:
    """Signed distances to a ring about z, in closed form."""
    return np.hypot(np.hypot(points[:, 0], points[:, 1]) - major, points[:, 2]) - minor


def points_near(corners: FloatArray, number: int, rng: np.random.Generator) -> FloatArray:
    """Points from a hundredth of a millimetre to a few millimetres off random triangles, and some anywhere."""
    weights = rng.dirichlet([1.0, 1.0, 1.0], size=number)
    near = np.einsum("ij,ijk->ik", weights, corners[rng.integers(len(corners), size=number)])
    near += rng.normal(size=(number, 3)) * rng.choice([1e-5, 1e-4, 1e-3, 5e-3], size=(number, 1))
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    return np.concatenate([near, rng.uniform(low - 0.03, high + 0.03, size=(number // 2, 3))])


def _strip(a: IntArray, b: IntArray, c: IntArray, d: IntArray) -> IntArray:
    a, b, c, d = (each.reshape(-1) for each in (a, b, c, d))
    return np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
