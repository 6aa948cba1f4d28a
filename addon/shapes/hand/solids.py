# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Machine parts with bevelled edges, each a closed solid that one bone carries."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import FloatArray, IntArray
from ..mesh import MeshData

METAL, DARK, RUBBER = 0, 1, 2
MATERIAL_NAMES = ("Prehend Metal", "Prehend Dark Metal", "Prehend Rubber")
FLAT_ANGLE = float(np.radians(32.0))
"""Edges between flat parts are shaded sharp, those round pins and bosses smooth."""


@dataclass(frozen=True, eq=False)
class Solid:
    """One part."""

    points: FloatArray
    """Vertices in [mm]. Shape (n, 3)."""
    faces: tuple[tuple[int, ...], ...]
    """Faces, counter-clockwise from outside."""
    bone: int
    """Bone that carries it."""
    material: int
    """Place of its material in `MATERIAL_NAMES`."""


def prism(
    outline: FloatArray,
    span: tuple[float, float],
    bevel: float,
    *,
    origin: FloatArray,
    axes: FloatArray,
    bone: int,
    material: int,
) -> Solid:
    """A convex outline drawn out along the third axis, with bevelled rims.

    Args:
        outline: Corners in the plane of the first two axes, counter-clockwise. Shape (n, 2).
        span: Where it starts and ends along the third axis.
        bevel: Width of the bevels.
        origin: Where the axes meet.
        axes: Columns, right-handed. Shape (3, 3).
        bone: Bone that carries it.
        material: Its material.
    """
    n = len(outline)
    inner = inset(outline, bevel)
    low, high = span
    levels = ((inner, low), (outline, low + bevel), (outline, high - bevel), (inner, high))
    local = np.concatenate([np.column_stack([ring, np.full(n, level)]) for ring, level in levels])
    k = np.arange(n)
    sides = [
        np.stack([r * n + k, r * n + (k + 1) % n, (r + 1) * n + (k + 1) % n, (r + 1) * n + k], axis=1).tolist()
        for r in range(3)
    ]
    faces = [tuple(quad) for side in sides for quad in side]
    faces += [tuple(range(n - 1, -1, -1)), tuple(range(3 * n, 4 * n))]
    return Solid(points=origin + local @ axes.T, faces=tuple(faces), bone=bone, material=material)


def inset(outline: FloatArray, width: float) -> FloatArray:
    """A convex outline with all its edges moved inwards by `width`. Shape (n, 2)."""
    edge = np.roll(outline, -1, axis=0) - outline
    edge = edge / np.linalg.norm(edge, axis=1, keepdims=True)
    normal = np.stack([-edge[:, 1], edge[:, 0]], axis=1)
    before = np.roll(normal, 1, axis=0)
    return outline + width * (normal + before) / (1.0 + np.sum(normal * before, axis=1, keepdims=True))


def circle(radius: float, count: int = 32, centre: tuple[float, float] = (0.0, 0.0)) -> FloatArray:
    """Corners of a circle, counter-clockwise. Shape (count, 2)."""
    angle = np.arange(count) * (2.0 * np.pi / count)
    return np.array(centre) + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def rounded_box(half: tuple[float, float], radius: float, count: int = 6) -> FloatArray:
    """A rectangle with round corners, counter-clockwise. Shape (4 count, 2)."""
    turn = np.linspace(0.0, 0.5 * np.pi, count)
    corners = [
        np.array([sx * (half[0] - radius), sy * (half[1] - radius)])
        + radius * np.stack([np.cos(turn + start), np.sin(turn + start)], axis=1)
        for sx, sy, start in ((1, 1, 0.0), (-1, 1, 0.5 * np.pi), (-1, -1, np.pi), (1, -1, 1.5 * np.pi))
    ]
    return np.concatenate(corners)


def link(length: float, radii: tuple[float, float], count: int = 14) -> FloatArray:
    """Outline of a belt round a wheel at the origin and one `length` further along y. Shape (2 count, 2)."""
    lean = np.arcsin((radii[0] - radii[1]) / length)
    # Coordinates are (along, towards the pad); the belt leaves the wheels where their common tangents touch.
    far = np.linspace(-0.5 * np.pi + lean, 0.5 * np.pi - lean, count)
    near = np.linspace(0.5 * np.pi - lean, 1.5 * np.pi + lean, count)
    ends = [
        np.stack([length + radii[1] * np.cos(far), radii[1] * np.sin(far)], axis=1),
        np.stack([radii[0] * np.cos(near), radii[0] * np.sin(near)], axis=1),
    ]
    return np.concatenate(ends)


def join(solids: list[Solid]) -> tuple[MeshData, IntArray]:
    """All parts as one mesh, and the bone of each vertex. Shape (n,)."""
    starts = np.cumsum([0] + [len(solid.points) for solid in solids])
    faces = [
        [index + int(start) for index in face]
        for solid, start in zip(solids, starts, strict=False)
        for face in solid.faces
    ]
    mesh = MeshData(
        vertices=np.concatenate([solid.points for solid in solids]),
        corners=np.array([index for face in faces for index in face], dtype=np.int64),
        sizes=np.array([len(face) for face in faces], dtype=np.int64),
        materials=np.repeat([solid.material for solid in solids], [len(solid.faces) for solid in solids]),
        material_names=MATERIAL_NAMES,
        flat_angle=FLAT_ANGLE,
    )
    return mesh, np.repeat([solid.bone for solid in solids], [len(solid.points) for solid in solids])
