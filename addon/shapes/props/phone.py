# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The smartphone."""

from __future__ import annotations

import numpy as np

from ...core.arrays import FloatArray, IntArray
from ..mesh import MeshData
from .placement import axis_rotation, on_table, turned
from .plate import add_flat, add_plate, add_step, bevel_steps, circle
from .profile import round_corners
from .surface import SurfaceBuilder

_ICONS = ("Prehend Icon Blue", "Prehend Icon Green", "Prehend Icon Orange", "Prehend Icon White")
_PATTERN = ((1, 0, 3, 2), (), (2, 3, 0, 1), (0, 1, 2, 3), (3, 2, 1, 0), (1, 0, 3, 2))
"""Which icon is where, from the dock at the lower end up; the empty row parts the dock from the others."""
_FRAME = "Prehend Phone Frame"
_BUMP = 0.0016
"""Height in [m] of the camera's base over the back."""


def build_smartphone(*, length: float = 0.147, width: float = 0.0715, thickness: float = 0.0078) -> MeshData:
    """A smartphone that lies on its back, its long side along x, propped up by the camera.

    Args:
        length: Length in [m].
        width: Width in [m].
        thickness: Thickness in [m] without the camera.

    Returns:
        The mesh.
    """
    builder = SurfaceBuilder()
    body = _rectangle(length, width, 0.0105)
    (back,), (front,) = add_plate(builder, [body], (0.0, thickness), _FRAME, bevel=0.0024, segments=5)
    _add_front(builder, front, length, width, thickness)
    camera = (length / 2.0 - 0.0215, width / 2.0 - 0.0205)
    _add_back(builder, back, camera)
    # It rests on the camera and on the far end of its back.
    tilt = np.arctan((_BUMP + 0.0006) / (camera[0] + length / 2.0))
    return on_table(turned(builder.build(), axis_rotation(1, -tilt)))


def _rectangle(
    length: float, width: float, radius: float, centre: tuple[float, float] = (0.0, 0.0), segments: int = 8
) -> FloatArray:
    x, y = length / 2.0, width / 2.0
    corners = [(-x, -y), (x, -y), (x, y), (-x, y)]
    return np.asarray(centre) + round_corners(corners, radius, segments=segments, closed=True, hold=0.0)


def _add_loop(builder: SurfaceBuilder, loop: FloatArray, z: float) -> IntArray:
    return builder.add_points(np.column_stack([loop, np.full(len(loop), z)]))


def _add_front(builder: SurfaceBuilder, ring: IntArray, length: float, width: float, z: float) -> None:
    """Bezel, display and icons in one plane."""
    glass = add_step(builder, ring, np.array([(0.0002, -0.00005), (0.0004, 0.0)]), "Prehend Screen")
    display = _add_loop(builder, _rectangle(length - 0.0115, width - 0.0115, 0.0065), z)
    add_flat(builder, [glass, display[::-1]], "Prehend Screen")
    speaker = _add_loop(builder, _rectangle(0.0050, 0.0160, 0.0024, (length / 2.0 - 0.0100, 0.0), 4), z)
    side = 0.0105
    pitch_x, pitch_y = (length - 0.030) / len(_PATTERN), (width - 0.0115) / len(_ICONS)
    holes, fills = [speaker], ["Prehend Screen"]
    for row, icons in enumerate(_PATTERN):
        for column, icon in enumerate(icons):
            centre = (-length / 2.0 + 0.0115 + (row + 0.25) * pitch_x, (column - 1.5) * pitch_y)
            holes.append(_add_loop(builder, _rectangle(side, side, 0.0026, centre, 2), z))
            fills.append(_ICONS[icon])
    add_flat(builder, [display, *(hole[::-1] for hole in holes)], "Prehend Wallpaper")
    for hole, material in zip(holes, fills, strict=True):
        builder.add_faces(hole[None], material)


def _add_back(builder: SurfaceBuilder, ring: IntArray, centre: tuple[float, float]) -> None:
    """Back with the camera's base and two lenses, all facing down."""
    square = _add_loop(builder, _rectangle(0.031, 0.031, 0.0085, centre, 6), 0.0)
    add_flat(builder, [ring, square[::-1]], "Prehend Phone Back", upwards=False)
    rise = bevel_steps(0.0006, 3)
    top = add_step(
        builder,
        square,
        np.concatenate([[(0.0, -0.0003)], rise - np.array([0.0, _BUMP])]),
        "Prehend Phone Back",
        upwards=False,
    )
    offset = 0.0066
    places = [(centre[0] + offset, centre[1] + offset), (centre[0] - offset, centre[1] - offset)]
    lenses = [_add_loop(builder, circle(28, 0.0064, place), -_BUMP) for place in places]
    flash = _add_loop(builder, circle(16, 0.0022, (centre[0] + offset, centre[1] - offset)), -_BUMP)
    add_flat(builder, [top, *(hole[::-1] for hole in (*lenses, flash))], "Prehend Phone Back", upwards=False)
    builder.add_faces(flash[None, ::-1], "Prehend Icon White")
    for lens in lenses:
        rim = np.array([(0.0, -0.0004), (0.0001, -0.00055), (0.0003, -0.0006), (0.0009, -0.0006), (0.0011, -0.0004)])
        inner = add_step(builder, lens, rim, _FRAME, upwards=False)
        eye = add_step(builder, inner, np.array([(0.0022, 0.0), (0.0024, 0.0001)]), "Prehend Lens", upwards=False)
        builder.add_faces(eye[None, ::-1], "Prehend Lens")
