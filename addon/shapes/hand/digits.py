# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One finger as a tube of quads with a rounded tip and a nail."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import FloatArray, IntArray
from .cage import Cage, square_ring
from .curves import smoothstep
from .nails import Nail, add_nail, nail_outline
from .plan import FingerPlan
from .profile import FingerProfile

RING_SPACING_MM = 2.5
"""Distance between rings of the mean hand."""
CREASE_RINGS_MM = (-2.2, -1.1, 0.0, 1.1, 2.2)
"""Where rings lie about a joint of the mean hand, so that its crease and wrinkles have an edge loop each."""
NAIL_WIDENING_DEG = 11.0
"""How far the columns beside a nail move down the finger's sides to make room for it."""
TIP_ANGLES_DEG = (16.0, 30.0, 43.0, 55.0)
"""Where on the fingertip's curve its rings lie; 90 is the tip."""


@dataclass(frozen=True, eq=False)
class Digit:
    """Vertices of a finger that the palm is sewn to."""

    root: IntArray
    """Its lowest ring, from the thumb's side over the back. Shape (ring,)."""
    corners: IntArray
    """Places in a ring where the back starts and ends, and the pad starts and ends. Shape (4,)."""


def ring_corners(segments: tuple[int, int]) -> IntArray:
    """Places in a ring where the back starts and ends, and the pad starts and ends. Shape (4,)."""
    back, side = segments
    start = side // 2
    return np.array([start, start + back, start + back + side, start + 2 * back + side])


def ring_angles(segments: tuple[int, int]) -> FloatArray:
    """Angles round the finger of a ring's vertices in [rad], 0 on the thumb's side. Shape (ring,)."""
    count = 2 * sum(segments)
    return np.arange(count, dtype=np.float64) * (2.0 * np.pi / count)


def add_digit(
    cage: Cage, plan: FingerPlan, profile: FingerProfile, *, owner: int, free_to: float, root: FloatArray, girth: float
) -> Digit:
    """Add a finger from its root to its tip.

    Args:
        cage: Mesh to add to.
        plan: Proportions.
        profile: Skin.
        owner: Number of the finger.
        free_to: `s` below which vertices may move to fit the palm.
        root: `s` of the lowest ring's vertices. Shape (ring,).
        girth: Thickness relative to the mean hand.
    """
    theta = ring_angles(plan.segments)
    spacing = RING_SPACING_MM * girth
    steps = _steps(float(root.mean()), free_to, spacing)
    spread = root + (free_to - root) * (np.arange(steps) / steps)[:, None]
    shaft = _shaft_rings(profile, free_to, spacing, girth)
    tau = np.sin(np.radians(np.array([0.0, *TIP_ANGLES_DEG])))
    tip = profile.tip_start + (profile.length - profile.tip_start) * tau
    rings = np.concatenate([shaft, tip])
    nail = nail_outline(plan, profile, girth)
    first = int(np.argmin(np.abs(rings - nail.root)))
    s, turned = _around_nail(rings, theta, nail, first=first, length=profile.length, girth=girth)
    free = cage.add_vertices(profile.surface(spread, theta + np.zeros_like(spread)), owner=owner, fixed=False)
    tube = cage.add_vertices(profile.surface(s, turned), owner=owner, fixed=True)
    cage.add_grid(np.concatenate([free, tube[:1]]), closed=True)
    corners = ring_corners(plan.segments)
    columns = np.arange(corners[0], corners[1] + 1)
    last = len(rings) - 2
    cage.add_grid(tube[: first + 1], closed=True)
    around = np.arange(corners[1], corners[0] + len(theta) + 1) % len(theta)
    cage.add_grid(tube[first : last + 1][:, around])
    cage.add_grid(tube[last:], closed=True)
    add_nail(cage, nail, profile, tube[first : last + 1][:, columns], owner=owner, girth=girth)
    _add_cap(cage, profile, tube[-1], plan.segments, owner=owner, closing=float(profile.closing(rings[-1:])[0]))
    return Digit(root=free[0], corners=corners)


def _around_nail(
    rings: FloatArray, theta: FloatArray, nail: Nail, *, first: int, length: float, girth: float
) -> tuple[FloatArray, FloatArray]:
    """`s` and angle of the tube's vertices, making room for the nail's root and sides. Shape (rings, ring)."""
    end = smoothstep((length - girth - rings) / (4.0 * girth))
    lag = np.exp(-(((rings - rings[first]) / (4.0 * girth)) ** 2)) * end
    away = 1.0 - np.exp(-(((theta - 0.5 * np.pi) / np.radians(38.0)) ** 2))
    s = rings[:, None] + lag[:, None] * (nail.root - nail.fold - rings[first] + nail.arc * away)
    widened = smoothstep((rings - rings[first] + 5.0 * girth) / (5.0 * girth)) * end
    sideways = np.sin(2.0 * theta - np.pi) * (np.sin(theta) > 0.0)
    return s, theta + widened[:, None] * np.radians(NAIL_WIDENING_DEG) * sideways


def _add_cap(
    cage: Cage, profile: FingerProfile, ring: IntArray, segments: tuple[int, int], *, owner: int, closing: float
) -> None:
    """Close a ring with a grid of quads on the fingertip's curve."""
    back, side = segments
    theta = ring_angles(segments)
    grid = np.full((side + 1, back + 1), -1)
    border = np.roll(ring, -ring_corners(segments)[2])
    place = square_ring(back, side)
    grid[place[:, 0], place[:, 1]] = border
    angle = np.roll(np.unwrap(theta), -ring_corners(segments)[2])
    rows, columns = np.nonzero(grid < 0)
    a, b = columns / back * 2.0 - 1.0, rows / side * 2.0 - 1.0
    radius = np.maximum(np.abs(a), np.abs(b))
    # Angle of the point where the ray from the middle leaves the square, read off the ring.
    edge = np.stack([a, b], axis=1) / np.maximum(radius, 1e-9)[:, None]
    square = np.stack([place[:, 1] / back * 2.0 - 1.0, place[:, 0] / side * 2.0 - 1.0], axis=1)
    turn = np.arctan2(square[:, 1], square[:, 0])
    order = np.argsort(turn)
    cosine = np.interp(np.arctan2(edge[:, 1], edge[:, 0]), turn[order], np.cos(angle)[order], period=2.0 * np.pi)
    sine = np.interp(np.arctan2(edge[:, 1], edge[:, 0]), turn[order], np.sin(angle)[order], period=2.0 * np.pi)
    s = profile.place_of_closing(closing * radius)
    inner = cage.add_vertices(profile.surface(s, np.arctan2(sine, cosine)), owner=owner, fixed=True)
    grid[rows, columns] = inner
    cage.add_grid(grid)


def _shaft_rings(profile: FingerProfile, start: float, spacing: float, girth: float) -> FloatArray:
    """`s` of the rings from `start` to where the fingertip closes, close together in the creases of the joints."""
    crease = girth * np.array(CREASE_RINGS_MM)
    rings: list[FloatArray] = []
    for mark in profile.marks[1:-1]:
        end = mark + crease[0]
        rings.append(np.linspace(start, end, _steps(start, end, spacing), endpoint=False))
        rings.append(mark + crease[:-1])
        start = mark + crease[-1]
    rings.append(np.linspace(start, profile.tip_start, _steps(start, profile.tip_start, spacing), endpoint=False))
    return np.concatenate(rings)


def _steps(start: float, end: float, spacing: float) -> int:
    return max(round((end - start) / spacing), 2)
