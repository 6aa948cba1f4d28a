# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Things that cut, lying flat along x: scissors with rings for thumb and fingers, and a table knife."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...core.arrays import FloatArray
from ..mesh import MeshData
from .placement import axis_rotation, on_table
from .plate import add_flat, add_plate, circle
from .profile import round_corners, smooth_curve
from .surface import SurfaceBuilder
from .tube import sweep_in_xz

_APART = 0.05
"""How far in [mm] parts that touch stand off each other, so that each stays a solid of its own."""
_PIVOT = 32.0
"""Where the halves turn, in [mm] in front of where the rings' bars end."""
_FINGER_RING = (-96.0, -14.0, 0.6, 8.0, 32.0)
_THUMB_RING = (-70.0, -22.0, 0.6, 8.0, 32.0)
"""Where the opening of a ring begins and ends along x, how far the bar beside it is off the middle, how thick the bar
is and how wide the opening, in [mm]."""
_BLADE = ((4.0, 1.8), (18.0, -5.0), (34.0, -7.0), (66.0, -6.2), (134.0, -0.9), (134.0, 0.9), (66.0, 4.6), (36.0, 5.6))
"""Outline of a blade of which the ring is at +y, from the ring's edge that is next to the middle, in [mm]."""


def build_scissors(*, opening: float = 0.14, thickness: float = 0.0072) -> MeshData:
    """A pair of scissors for paper, lying flat: blades along +x, the fingers' ring at +y, the thumb's at -y.

    Args:
        opening: Angle between the blades in [rad].
        thickness: Of the rings in [m].

    Returns:
        The mesh: two rings, two blades and the two ends of the pin that they turn on.
    """
    half, steel = 500.0 * thickness, 2.4
    parts = [
        _half(_FINGER_RING, 1.0, (half, steel), opening / 2.0, "Prehend Tool Red"),
        _half(_THUMB_RING, -1.0, (half, steel), opening / 2.0, "Prehend Tool Red"),
        _pin(steel + 2.0 * _APART, 1.1),
    ]
    return on_table(_joined(parts))


def build_table_knife(*, handle: float = 0.104, blade: float = 0.118) -> MeshData:
    """A table knife that lies on its side: its blade points along +x, its back is at +y.

    Args:
        handle: Length of the handle in [m].
        blade: Length of the blade in [m].

    Returns:
        The mesh: the handle and the blade, 50 micrometres off it.
    """
    builder = SurfaceBuilder()
    line = np.column_stack([np.linspace(0.0, handle, 25), np.zeros(25)])
    wide = smooth_curve([(0.0, 10.6), (0.35, 11.4), (0.75, 9.0), (1.0, 8.2)], 25)[:, 1] * 1e-3
    thick = smooth_curve([(0.0, 7.2), (0.35, 7.6), (0.75, 6.2), (1.0, 5.4)], 25)[:, 1] * 1e-3
    # Both ends are rounded; what is left of them is flat.
    ends = np.minimum(line[:, 0], handle - line[:, 0]) / 0.006
    round_off = np.sqrt(1.0 - 0.5 * (1.0 - np.clip(ends, 0.0, 1.0)) ** 2)
    rings = builder.add_points(sweep_in_xz(line, wide * round_off, thick * round_off, 32))
    builder.add_tube(rings, "Prehend Rubber")
    for ring, sign in ((rings[0], -1), (rings[-1], 1)):
        builder.add_faces(ring[None, ::sign], "Prehend Rubber")
    start, tip = 1e3 * handle + _APART, 1e3 * (handle + blade)
    outline = [
        (start, -4.6),
        (start + 9.0, -7.0),
        (start + 16.0, -12.4),
        (tip - 26.0, -12.4),
        (tip, 2.0),
        (tip - 12.0, 5.4),
    ]
    outline += [(start, 5.4)]
    loop = 1e-3 * round_corners(outline, [0.0, 6.0, 4.0, 30.0, 2.5, 14.0, 0.0], closed=True, hold=0.0)
    _add_solid(builder, [loop], (-0.0011, 0.0011), "Prehend Steel", bevel=0.0004)
    return on_table(builder.build())


def _half(
    ring: tuple[float, float, float, float, float],
    side: float,
    sizes: tuple[float, float],
    turn: float,
    material: str,
) -> MeshData:
    """One half: its ring at +y or, with `side` -1, at -y, its blade above or below the middle, turned open."""
    first, last, off, bar, room = ring
    half, steel = sizes
    low, high = off + bar, off + bar + room
    hole = round_corners([(first, low), (last, low), (last, high), (first, high)], 0.49 * room, closed=True, segments=9)
    wall = bar - 1.5
    neck, bow = 4.0 - _APART, 0.49 * room + wall
    shape = [(first - wall, off), (neck, off), (neck, low), (last + wall, low + 0.45 * room)]
    shape += [(last + wall, high + wall), (first - wall, high + wall)]
    outer = round_corners(shape, [bow, 0.0, 0.0, bow, bow, bow], closed=True, segments=9)
    blade = round_corners([*_BLADE, (4.0, low - 0.6)], [0.0, 12.0, 20.0, 20.0, 0.6, 0.6, 20.0, 20.0, 0.0], closed=True)
    builder = SurfaceBuilder()
    _add_solid(builder, [1e-3 * outer, 1e-3 * hole], (-1e-3 * half, 1e-3 * half), material, bevel=2.0e-3, segments=5)
    span = (1e-3 * _APART / 2.0, 1e-3 * (_APART / 2.0 + steel))
    _add_solid(builder, [1e-3 * blade], span, "Prehend Steel", bevel=3e-4)
    mesh = builder.build()
    if side < 0.0:
        # Turned about x by half a turn, which keeps faces outwards: to the other side, and below.
        mesh = replace(mesh, vertices=mesh.vertices * (1.0, -1.0, -1.0))
    pivot = np.array([1e-3 * _PIVOT, 0.0, 0.0])
    # The ring at +y goes farther to +y, behind the pivot, when its blade goes to -y.
    about = axis_rotation(2, -side * turn)
    return replace(mesh, vertices=(mesh.vertices - pivot) @ about.T + pivot)


def _pin(level: float, height: float) -> MeshData:
    """Both ends of the pin, on the blades' faces; levels in [mm]."""
    builder = SurfaceBuilder()
    for sign in (1.0, -1.0):
        low, high = sorted((1e-3 * sign * level, 1e-3 * sign * (level + height)))
        loop = circle(32, 4.2e-3, (1e-3 * _PIVOT, 0.0))
        _add_solid(builder, [loop], (low, high), "Prehend Nickel", bevel=3e-4)
    return builder.build()


def _add_solid(
    builder: SurfaceBuilder,
    loops: Sequence[FloatArray],
    span: tuple[float, float],
    material: str,
    *,
    bevel: float,
    segments: int = 3,
) -> None:
    """A plate with both of its faces; holes are given counter-clockwise as outlines are."""
    outline, *holes = loops
    lower, upper = add_plate(
        builder, [outline, *(hole[::-1] for hole in holes)], span, material, bevel=bevel, segments=segments
    )
    add_flat(builder, lower, material, upwards=False)
    add_flat(builder, upper, material, upwards=True)


def _joined(parts: Sequence[MeshData]) -> MeshData:
    """One mesh of several that share no points."""
    names = tuple(dict.fromkeys(name for part in parts for name in part.material_names))
    starts = np.cumsum([0, *(len(part.vertices) for part in parts)])
    slots = [np.array([names.index(name) for name in part.material_names])[part.materials] for part in parts]
    return replace(
        parts[0],
        vertices=np.concatenate([part.vertices for part in parts]),
        corners=np.concatenate([part.corners + start for part, start in zip(parts, starts, strict=False)]),
        sizes=np.concatenate([part.sizes for part in parts]),
        materials=np.concatenate(slots),
        material_names=names,
    )
