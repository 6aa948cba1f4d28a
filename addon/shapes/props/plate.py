# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Flat bodies with rounded edges: outlines drawn up along z, with steps and pockets in their faces."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.arrays import FloatArray, IntArray
from .polygon import triangulate
from .surface import SurfaceBuilder


def circle(count: int, radius: float, centre: tuple[float, float] = (0.0, 0.0)) -> FloatArray:
    """Points of a circle, counter-clockwise. Shape (count, 2)."""
    angles = np.arange(count) * (2.0 * np.pi / count)
    return np.asarray(centre) + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def inset(loop: FloatArray, distance: float) -> FloatArray:
    """A closed loop moved to its left hand, parallel to itself, by `distance` in [m]. Shape (n, 2)."""
    edges = np.roll(loop, -1, axis=0) - loop
    edges /= np.linalg.norm(edges, axis=1, keepdims=True)
    normals = np.stack([-edges[:, 1], edges[:, 0]], axis=1)
    before = np.roll(normals, 1, axis=0)
    mitre = normals + before
    return loop + distance * mitre / (1.0 + np.sum(normals * before, axis=1, keepdims=True))


def bevel_steps(bevel: float, segments: int, hold: float = 0.4) -> FloatArray:
    """Steps (inset, drop) in [m] from a wall onto a face round a rounded edge; shape (segments + 2, 2)."""
    angles = np.linspace(0.0, np.pi / 2.0, segments + 1)
    arc = bevel * np.stack([1.0 - np.cos(angles), 1.0 - np.sin(angles)], axis=1)
    return np.concatenate([arc, [[(1.0 + hold) * bevel, 0.0]]])


def add_rings(builder: SurfaceBuilder, loop: FloatArray, steps: FloatArray) -> IntArray:
    """Rings of points from a loop at each step (inset, height) in [m]. Shape (steps, n)."""
    return builder.add_points(
        np.stack([np.column_stack([inset(loop, distance), np.full(len(loop), z)]) for distance, z in steps])
    )


def add_plate(
    builder: SurfaceBuilder,
    loops: Sequence[FloatArray],
    span: tuple[float, float],
    material: str,
    *,
    bevel: float,
    segments: int = 3,
) -> tuple[list[IntArray], list[IntArray]]:
    """Add the walls of a plate, with rounded edges, up to where its flat faces begin.

    Args:
        builder: Takes the points and faces.
        loops: Outline, counter-clockwise, and holes, clockwise, in [m]. Shapes (n, 2).
        span: Lowest and highest z in [m].
        material: Name of the material.
        bevel: Radius of the edges in [m].
        segments: Pieces of each edge's arc.

    Returns:
        The rings that bound the lower and the upper face, each the outline's first.
    """
    low, high = span
    steps = bevel_steps(bevel, segments)
    down, up = steps[::-1] + np.array([0.0, low]), steps * (1.0, -1.0) + np.array([0.0, high])
    walls = [add_rings(builder, loop, np.concatenate([down, up])) for loop in loops]
    for wall in walls:
        builder.add_grid(wall, material)
    return [wall[0] for wall in walls], [wall[-1] for wall in walls]


def add_flat(builder: SurfaceBuilder, rings: Sequence[IntArray], material: str, *, upwards: bool = True) -> None:
    """Fill a flat region between rings: its outline counter-clockwise, holes clockwise, seen from above."""
    ids = np.concatenate([np.asarray(ring) for ring in rings])
    ends = np.cumsum([len(ring) for ring in rings])
    local = np.split(np.arange(len(ids)), ends[:-1])
    triangles = ids[triangulate(builder.points_at(ids)[:, :2], local)]
    builder.add_faces(triangles if upwards else triangles[:, ::-1], material)


def add_step(
    builder: SurfaceBuilder, ring: IntArray, steps: FloatArray, material: str, *, upwards: bool = True
) -> IntArray:
    """Go on from a ring in a face by steps (inset, change of z) in [m], a boss or a pocket; gives the last ring.

    Args:
        builder: Takes the points and faces.
        ring: Points in the face, counter-clockwise seen from above. Shape (n,).
        steps: Inset and height, both relative to the ring, of each further ring. Shape (m, 2).
        material: Name of the material.
        upwards: Whether the face looks up.
    """
    positions = builder.points_at(ring)
    rings = add_rings(builder, positions[:, :2], steps + np.array([0.0, positions[0, 2]]))
    # Seen from the side the face looks to, rings run counter-clockwise.
    for one, other in zip([ring, *rings[:-1]], rings, strict=True):
        builder.add_strip(one if upwards else one[::-1], other if upwards else other[::-1], material)
    return rings[-1]
