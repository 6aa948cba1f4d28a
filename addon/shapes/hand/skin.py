# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The skin of a hand of flesh: fingers, webs, palm and wrist as one closed sheet of quads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray
from .cage import Cage, mean_of_neighbours, neighbours, square_ring
from .digits import Digit, add_digit, ring_angles
from .implicit import project
from .layout import HandLayout
from .palm import FOREARM_MM, PalmField

PALM_ROWS = 46
"""Rings between the forearm's end and the fingers' roots."""
THUMB_ROWS = 6
"""Rings between the palm and the thumb's first phalanx."""
FILM_ROUNDS = 8
"""Rounds of drawing the palm tight like a soap film, before it is laid onto the surface."""
RELAX_ROUNDS = 52
"""Rounds of evening out the faces."""

SOFTEN_ROUNDS = 2
"""Rounds of smoothing the finished skin, which takes the edge off the valleys between fingers."""


@dataclass(frozen=True, eq=False)
class Skin:
    """A closed quad mesh of a right hand, in [mm]."""

    points: FloatArray
    """Vertices. Shape (n, 3)."""
    quads: IntArray
    """Faces. Shape (f, 4)."""
    materials: IntArray
    """0 for skin, 1 for nails. Shape (f,)."""
    owners: IntArray
    """Number of the finger a vertex belongs to (0 is the thumb), -1 for the palm. Shape (n,)."""


def build_skin(field: PalmField) -> Skin:
    """Mesh a hand."""
    girth = field.layout.plan.girth
    cage = Cage()
    digits: list[Digit] = []
    for k, (finger, profile) in enumerate(zip(field.layout.fingers, field.fingers, strict=True)):
        web = finger.plan.web * profile.marks[1]
        digits.append(
            add_digit(
                cage,
                finger.plan,
                profile,
                owner=k + 1,
                root=np.full(2 * sum(finger.plan.segments), web - 1.0 * girth),
                free_to=web + 9.0 * girth,
                girth=girth,
            )
        )
    thumb = add_digit(
        cage,
        field.layout.thumb.plan,
        field.thumb,
        owner=0,
        root=_thumb_root(field.layout),
        free_to=0.62 * field.thumb.marks[1],
        girth=girth,
    )
    top = _sew_webs(cage, digits)
    grid = _add_palm(cage, field, top, digits)
    _sew_thumb(cage, grid, thumb, digits)
    points = _relax(cage, field)
    used, quads = np.unique(cage.quads, return_inverse=True)
    return Skin(points=points[used], quads=quads.reshape(-1, 4), materials=cage.materials, owners=cage.owners[used])


def _thumb_root(layout: HandLayout) -> FloatArray:
    """How far up the thumb its lowest ring lies: behind its knuckle outside, before it in the web. Shape (ring,)."""
    thumb = layout.thumb
    web = (layout.fingers[0].joints[1] - thumb.joints[1]) @ thumb.frames[1]
    theta = ring_angles(thumb.plan.segments)
    inside = 0.5 + 0.5 * np.cos(theta - np.arctan2(-web[2], web[0]))
    return -0.5 * thumb.plan.lengths_mm[0] * (1.0 - inside) + 0.16 * thumb.plan.lengths_mm[1] * inside


def _sew_webs(cage: Cage, digits: list[Digit]) -> IntArray:
    """Join neighbouring roots with strips; gives the ring that the palm hangs from."""
    back: list[int] = []
    pad: list[int] = []
    for k, digit in enumerate(digits):
        a, b, c, d = digit.corners
        back += digit.root[a : b + 1].tolist()
        pad = digit.root[c : d + 1].tolist() + pad
        if k + 1 < len(digits):
            other = digits[k + 1]
            near = digit.root[b : c + 1]
            size = len(other.root)
            far = other.root[np.arange(other.corners[0], other.corners[3] - size - 1, -1) % size]
            cage.add_grid(np.stack([near, far], axis=1), flip=False)
    first, last = digits[0], digits[-1]
    outer = last.root[last.corners[1] + 1 : last.corners[2]].tolist()
    inner = first.root[np.arange(first.corners[3] + 1, first.corners[0] + len(first.root)) % len(first.root)].tolist()
    return np.array(back + outer + pad + inner)


def _add_palm(cage: Cage, field: PalmField, top: IntArray, digits: list[Digit]) -> IntArray:
    """Add rings from the forearm's end up to `top`, and the end's lid. Gives the grid, its first row lowest."""
    plan = field.layout.plan
    girth = plan.girth
    columns = int(np.sum([d.corners[1] - d.corners[0] for d in digits])) + len(digits) - 1
    side = int(digits[0].corners[2] - digits[0].corners[1])
    upper = cage.points[top]
    angle = _ring_angles(columns, side)
    half, thick = 0.97 * plan.wrist_mm[0] * girth, 1.03 * plan.wrist_mm[1] * girth
    lower = np.stack([half * np.cos(angle), thick * np.sin(angle), np.full(len(angle), -FOREARM_MM * girth)], axis=1)
    lower, _ = project(field.level, lower, rounds=4, step=1e-3 * girth, reach=4.0 * girth)
    lower[:, 2] = -FOREARM_MM * girth
    share = np.arange(1, PALM_ROWS)[:, None, None] / PALM_ROWS
    middle = lower * (1.0 - share) + upper * share
    end = cage.add_vertices(lower, owner=-1, fixed=True)
    rows = cage.add_vertices(middle, owner=-1, fixed=False)
    grid = np.concatenate([end[None], rows, top[None]])
    _add_lid(cage, end, lower, columns, side)
    return grid


def _ring_angles(columns: int, side: int) -> FloatArray:
    """Angles of the palm's columns round the wrist in [rad], from where the back starts. Shape (ring,)."""
    count = 2 * (columns + side)
    opening = np.arange(count) / count * 2.0 * np.pi
    return opening + 0.5 * np.pi - opening[columns] / 2.0


def _add_lid(cage: Cage, ring: IntArray, points: FloatArray, columns: int, side: int) -> None:
    """Close the forearm's end, slightly domed."""
    place = square_ring(columns, side)
    grid = np.full((side + 1, columns + 1), -1)
    grid[place[:, 0], place[:, 1]] = ring
    corner = np.zeros((side + 1, columns + 1, 3))
    corner[place[:, 0], place[:, 1]] = points
    i, j = np.nonzero(grid < 0)
    v = (i / side)[:, None]
    inner = corner[0, j] * (1.0 - v) + corner[side, j] * v
    half = np.abs(points[:, :2]).max(axis=0)
    dome = 1.0 - np.sum((inner[:, :2] / half) ** 2, axis=1)
    inner[:, 2] -= 0.12 * half[0] * np.clip(dome, 0.0, 1.0)
    grid[i, j] = cage.add_vertices(inner, owner=-1, fixed=True)
    cage.add_grid(grid, flip=True)


def _sew_thumb(cage: Cage, grid: IntArray, thumb: Digit, digits: list[Digit]) -> None:
    """Cut a gap into the palm's side, and lead rings from it to the thumb's root."""
    across, along = 6, len(thumb.root) // 2 - 6
    size = grid.shape[1]
    low = int(0.48 * PALM_ROWS)
    start = size - 11
    columns = np.arange(start, start + across + 1)
    keep = np.ones((grid.shape[0] - 1, size), dtype=bool)
    keep[low : low + along, columns[:-1] % size] = False
    right = np.roll(grid, -1, axis=1)
    quads = np.stack([grid[:-1], right[:-1], right[1:], grid[1:]], axis=-1)
    cage.add_quads(quads[keep])
    gap = grid[low : low + along + 1][:, columns % size]
    place = square_ring(across, along)
    border = gap[place[:, 0], place[:, 1]]
    share = np.arange(1, THUMB_ROWS)[:, None, None] / THUMB_ROWS
    points = cage.points
    rings = cage.add_vertices(points[border] * (1.0 - share) + points[thumb.root] * share, owner=0, fixed=False)
    cage.add_grid(np.concatenate([border[None], rings, thumb.root[None]]), closed=True)


def _relax(cage: Cage, field: PalmField) -> FloatArray:
    """Positions with the free vertices evened out along the surface."""
    girth = field.layout.plan.girth
    points = cage.points.copy()
    table, valence = neighbours(cage.quads, len(points))
    loose = np.flatnonzero(~cage.fixed & (valence > 0))
    valence = np.maximum(valence, 1)
    points[loose] = _inflate(points[loose], cage.owners[loose] == 0, field)
    moved, normals = points[loose], None
    for k in range(RELAX_ROUNDS):
        points[loose] = moved
        target = mean_of_neighbours(points, table, valence)[loose]
        moved = moved + 0.8 * (target - moved)
        if k < FILM_ROUNDS:
            continue
        kept = None if k % 4 == 0 else normals
        moved, normals = project(field.smooth_level, moved, kept, rounds=1, step=1e-3 * girth, reach=4.0 * girth)
    points[loose], _ = project(field.level, moved, rounds=4, step=1e-3 * girth, reach=4.0 * girth)
    for _ in range(SOFTEN_ROUNDS):
        points[loose] += 0.5 * (mean_of_neighbours(points, table, valence)[loose] - points[loose])
    return points


def _inflate(points: FloatArray, thumb: BoolArray, field: PalmField) -> FloatArray:
    """Points with those of the thumb's root moved away from its bone, out of the palm's flesh."""
    base, knuckle = field.layout.thumb.joints[:2]
    axis = (knuckle - base) / np.linalg.norm(knuckle - base)
    rays = points[thumb] - base
    rays = rays - np.outer(rays @ axis, axis)
    lengths = np.linalg.norm(rays, axis=1, keepdims=True)
    reach = 2.0 * field.layout.plan.girth
    moved = points[thumb]
    for _ in range(10):
        inside = field.level(moved) < 0.0
        moved = np.where(inside[:, None], moved + rays / lengths * reach, moved)
    result = points.copy()
    result[thumb] = moved
    return result
