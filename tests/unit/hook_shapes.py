# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small shapes with closed forms for tests of hooks: meshes and their signed distances."""

from __future__ import annotations

import numpy as np

from addon.core.arrays import FloatArray, IntArray
from addon.solvers.hooks import Hook, find_hooks
from addon.solvers.hooks.hook import DistanceField

HAND = 0.084
Shape = tuple[FloatArray, IntArray, DistanceField]


def _swept(radii: FloatArray, heights: FloatArray, count: int = 48) -> tuple[FloatArray, IntArray]:
    """A solid of revolution about z; radii of 0 close it."""
    angles = np.arange(count) * (2.0 * np.pi / count)
    rings = np.stack([np.outer(radii, np.cos(angles)), np.outer(radii, np.sin(angles))], axis=-1)
    vertices = np.concatenate([rings, np.repeat(heights[:, None], count, axis=1)[..., None]], axis=-1).reshape(-1, 3)
    ring, k = (each.ravel() for each in np.meshgrid(np.arange(len(radii) - 1), np.arange(count), indexing="ij"))
    a, b = ring * count + k, ring * count + (k + 1) % count
    faces = np.concatenate([np.stack([a, b, b + count], axis=1), np.stack([a, b + count, a + count], axis=1)])
    return vertices, faces.astype(np.int64)


def _cylinder_field(radius: float, half: float) -> DistanceField:
    def distance(points: FloatArray) -> FloatArray:
        off = np.stack([np.hypot(points[:, 0], points[:, 1]) - radius, np.abs(points[:, 2]) - half], axis=1)
        return np.minimum(off.max(axis=1), 0.0) + np.linalg.norm(np.maximum(off, 0.0), axis=1)

    return distance


def cylinder(radius: float, half: float) -> Shape:
    heights = np.linspace(-half, half, 25)
    radii = np.concatenate([[0.0], np.full(25, radius), [0.0]])
    vertices, faces = _swept(radii, np.concatenate([[-half], heights, [half]]))
    return vertices, faces, _cylinder_field(radius, half)


def ball(radius: float) -> Shape:
    angles = np.linspace(0.0, np.pi, 25)
    vertices, faces = _swept(radius * np.sin(angles), -radius * np.cos(angles))
    return vertices, faces, lambda points: np.linalg.norm(points, axis=1) - radius


def torus(large: float, small: float) -> Shape:
    angles = np.linspace(0.0, 2.0 * np.pi, 25)
    vertices, faces = _swept(large + small * np.cos(angles), small * np.sin(angles))
    return (
        vertices,
        faces,
        lambda points: np.hypot(np.hypot(points[:, 0], points[:, 1]) - large, points[:, 2]) - small,
    )


def box(sizes: tuple[float, float, float], cuts: int = 8) -> Shape:
    half = np.array(sizes) / 2.0
    line = np.linspace(-1.0, 1.0, cuts + 1)
    u, v = (each.ravel() for each in np.meshgrid(line, line, indexing="ij"))
    i, j = (each.ravel() for each in np.meshgrid(np.arange(cuts), np.arange(cuts), indexing="ij"))
    a = i * (cuts + 1) + j
    quad = np.stack([a, a + cuts + 1, a + cuts + 2, a + 1], axis=1)
    vertices, faces = [], []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            places = np.empty((len(u), 3))
            places[:, axis], places[:, (axis + 1) % 3], places[:, (axis + 2) % 3] = sign, u, v
            faces += [quad[:, [0, 1, 2]] + len(vertices) * len(u), quad[:, [0, 2, 3]] + len(vertices) * len(u)]
            vertices.append(places * half)

    def distance(points: FloatArray) -> FloatArray:
        off = np.abs(points) - half
        return np.minimum(off.max(axis=1), 0.0) + np.linalg.norm(np.maximum(off, 0.0), axis=1)

    return np.concatenate(vertices), np.concatenate(faces), distance


def joined(thick: tuple[float, float], thin: tuple[float, float]) -> Shape:
    """A thin cylinder on top of a thick one, both by radius and half height."""
    lower, upper = _cylinder_field(*thick), _cylinder_field(*thin)
    shift = np.array([0.0, 0.0, thick[1] + thin[1]])
    heights = np.concatenate([np.linspace(-thick[1], thick[1], 25), shift[2] + np.linspace(-thin[1], thin[1], 25)])
    radii = np.concatenate([[0.0], np.full(25, thick[0]), np.full(25, thin[0]), [0.0]])
    vertices, faces = _swept(radii, np.concatenate([heights[:1], heights, heights[-1:]]))
    return vertices, faces, lambda points: np.minimum(lower(points), upper(points - shift))


def hollow(side: float, wall: float, *, lid: bool) -> Shape:
    """A cube of walls about the origin, closed or open towards +z."""
    inner = side - 2.0 * wall
    outside, inside = box((side, side, side), cuts=12), box((inner, inner, inner), cuts=12)
    shift = np.array([0.0, 0.0, 0.0 if lid else wall])
    vertices = np.concatenate([outside[0], inside[0] + shift])
    faces = np.concatenate([outside[1], inside[1] + len(outside[0])])
    if not lid:
        # Both tops are faces of the air between the walls now.
        top = (vertices[faces][..., 2] > side / 2.0 - wall / 2.0).all(axis=1)
        faces = faces[~top]
    return (
        vertices,
        faces,
        lambda points: np.maximum(
            outside[2](points),
            -box((inner, inner, inner if lid else inner + 4.0 * side))[2](
                points - (shift if lid else np.array([0.0, 0.0, 2.0 * side]))
            ),
        ),
    )


def hooks_of(shape: Shape, hand: float = HAND) -> tuple[Hook, ...]:
    return find_hooks(shape[0], shape[1], shape[2], hand=hand)


def shifted(shape: Shape, offset: tuple[float, float, float]) -> Shape:
    move = np.array(offset)
    return shape[0] + move, shape[1], lambda points: shape[2](points - move)


def united(*parts: Shape) -> Shape:
    """Several shapes in one mesh."""
    starts = np.cumsum([0, *(len(part[0]) for part in parts)])
    faces = [part[1] + start for part, start in zip(parts, starts[:-1], strict=True)]

    def distance(points: FloatArray) -> FloatArray:
        return np.min([part[2](points) for part in parts], axis=0)

    return np.concatenate([part[0] for part in parts]), np.concatenate(faces), distance
