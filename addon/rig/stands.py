# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What props stand on in pictures: the floor, or a plinth where a hand reaches lower than they do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..shapes.mesh import mesh_from_faces
from .objects import create_mesh_object

STAND = "Stand"
"""How names of plinths begin."""
SAME_LEVEL = 2e-3
"""What is lower than a prop by less than this in [m] counts as level with it."""
_BASE = 3e-3
"""Height in [m] above a prop's lowest point up to which it counts as what the prop stands on."""
_CLEAR = 4e-3
"""Room in [m] between a plinth and what passes it."""
_THINNEST = 5e-3
_LONG, _END = 2.0, 0.12
"""How much longer than wide props are that stand on two plinths, and where those are, as part of the length."""
_SIDES = 64


@dataclass(frozen=True)
class Stand:
    """An upright plinth."""

    x: float
    y: float
    """Middle in [m]."""
    top: float
    """Height of its top in [m]."""
    radius: float
    """In [m]."""


@dataclass(frozen=True)
class Ground:
    """What is below everything."""

    floor: float
    """Height of the floor in [m]."""
    stands: tuple[Stand, ...] = ()
    """Plinths on it."""


def plan_ground(resting: Sequence[FloatArray], passing: FloatArray) -> Ground:
    """A floor that props stand on, or plinths where what passes them comes lower.

    Args:
        resting: Points of props where they rest, at least one, each (n, 3) in [m].
        passing: Points of everything that moves by, at any time, in [m]. Shape (p, 3).
    """
    bottoms = [float(points[:, 2].min()) for points in resting]
    lowest = float(passing[:, 2].min(initial=np.inf))
    floor = min(bottoms, default=lowest)
    floor = lowest if lowest < floor - SAME_LEVEL else floor
    stands: list[Stand] = []
    for points, bottom in zip(resting, bottoms, strict=True):
        if bottom > floor + SAME_LEVEL:
            stands += [each for each in _stands(points, passing) if not _taken(each, stands)]
    return Ground(floor, tuple(stands))


def _taken(stand: Stand, stands: Sequence[Stand]) -> bool:
    return any(np.hypot(stand.x - each.x, stand.y - each.y) < each.radius for each in stands)


def _stands(points: FloatArray, passing: FloatArray) -> list[Stand]:
    """Plinths for a prop: one below its middle, or one near each end of a long one."""
    middle = points.mean(axis=0)
    spread = np.linalg.svd(points[:: max(len(points) // 2000, 1)] - middle, full_matrices=False)[2]
    along = (points - middle) @ spread[0]
    length, wide = float(np.ptp(along)), float(np.ptp((points - middle) @ spread[1]))
    if length < _LONG * wide or abs(spread[0][2]) > 0.5:
        return [each for each in [_stand(points, passing)] if each is not None]
    ends = [along.min() + _END * length, along.max() - _END * length]
    found = [_stand(points[np.abs(along - end) < 0.5 * _END * length], passing) for end in ends]
    return [each for each in found if each is not None]


def _stand(points: FloatArray, passing: FloatArray) -> Stand | None:
    """A plinth as wide as what stands on it if nothing passes there; None where there is no room for one."""
    if not len(points):
        return None
    bottom = float(points[:, 2].min())
    base = points[points[:, 2] < bottom + _BASE, :2]
    middle = 0.5 * (base.min(axis=0) + base.max(axis=0))
    # Balls touch the floor in a point, but are not put on needles.
    wide = 0.35 * float(np.ptp(points[:, :2], axis=0).min())
    radius = max(float(np.linalg.norm(base - middle, axis=1).max()), wide)
    below = passing[passing[:, 2] < bottom - 1e-4]
    free = float(np.linalg.norm(below[:, :2] - middle, axis=1).min(initial=np.inf)) - _CLEAR
    radius = min(radius, free)
    return Stand(float(middle[0]), float(middle[1]), bottom, radius) if radius > _THINNEST else None


def add_stands(collection: Any, ground: Ground) -> None:
    """Build the plinths."""
    angles = np.linspace(0.0, 2.0 * np.pi, _SIDES, endpoint=False)
    for stand in ground.stands:
        ring = np.stack([np.cos(angles), np.sin(angles), np.zeros(_SIDES)], axis=1) * stand.radius
        ring += [stand.x, stand.y, 0.0]
        vertices = np.concatenate([ring + np.array([0.0, 0.0, z]) for z in (ground.floor, stand.top)])
        following = np.roll(np.arange(_SIDES), -1)
        faces: list[tuple[int, ...]] = [(k, int(n), _SIDES + int(n), _SIDES + k) for k, n in enumerate(following)]
        faces.append(tuple(range(_SIDES, 2 * _SIDES)))
        create_mesh_object(STAND, mesh_from_faces(vertices, faces, material_names=("Prehend Backdrop",)), collection)
