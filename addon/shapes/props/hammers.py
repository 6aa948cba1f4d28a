# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The claw hammer.

It is made upright: the head's axis along x with the face at +x, the handle along -z. The head is a tube of rings that
travels along -x and splits into the two prongs of the claw; the handle grows from an opening in its underside.
"""

from __future__ import annotations

import numpy as np

from ...core.arrays import FloatArray, IntArray
from ..mesh import MeshData
from .placement import axis_rotation, on_table, turned
from .profile import fill, smooth_curve
from .surface import SurfaceBuilder, block_edge
from .tube import oval, placed, superellipse

_STEEL, _FACE, _WOOD = "Prehend Dark Steel", "Prehend Steel", "Prehend Wood"
_COLUMNS = 40
_EYE = 6
"""Rows and columns of the head's grid that the handle takes."""
_RIGHT = np.array([0.0, -1.0, 0.0])

# Along the head: x, centre z, half width (y), half height (z) in [mm], and power of the superellipse.
_POLL = (
    (57.6, 0.0, 10.0, 10.0, 2.0),
    (57.3, 0.0, 12.2, 12.2, 2.0),
    (56.6, 0.0, 13.2, 13.2, 2.0),
    (55.6, 0.0, 13.8, 13.8, 2.0),
    (54.2, 0.0, 14.0, 14.0, 2.0),
    (50.0, 0.0, 14.0, 14.0, 2.0),
    (44.5, 0.0, 14.0, 14.0, 2.0),
    (43.4, 0.0, 13.6, 13.6, 2.0),
    (41.5, 0.0, 11.8, 11.8, 2.2),
    (39.0, 0.0, 10.6, 10.6, 2.6),
    (34.0, 0.0, 10.2, 10.2, 3.0),
    (28.0, 0.0, 10.4, 10.4, 3.0),
    (23.0, 0.0, 11.2, 11.6, 3.2),
    (18.5, 0.0, 12.4, 13.4, 3.8),
    (15.5, 0.0, 13.1, 14.4, 4.4),
)
_CLAW = (
    (-15.5, 0.2, 13.2, 14.2, 4.2),
    (-19.5, 0.6, 13.2, 12.9, 3.8),
    (-25.0, 0.9, 13.6, 10.8, 3.4),
    (-31.0, 0.7, 14.4, 8.7, 3.2),
)
# Along the prongs: x, centre z, half width of the claw, half height, half width of the slot in [mm].
_PRONGS = (
    (-33.6, 0.4, 14.7, 7.9, 0.55),
    (-35.6, -0.1, 15.0, 7.3, 0.95),
    (-39.5, -1.3, 15.5, 6.4, 1.35),
    (-45.0, -3.6, 16.0, 5.2, 1.8),
    (-52.0, -7.6, 16.4, 4.1, 2.35),
    (-59.0, -12.8, 16.6, 3.2, 2.95),
    (-65.0, -18.3, 16.6, 2.4, 3.5),
    (-69.5, -23.2, 16.4, 1.7, 4.0),
    (-70.6, -24.5, 16.0, 1.3, 4.5),
)
# Along the handle: z, half extents along x and y in [mm], from the eye to the end.
_HANDLE = (
    (-15.0, 11.6, 7.9),
    (-24.0, 11.7, 8.2),
    (-60.0, 11.4, 9.0),
    (-110.0, 12.6, 10.2),
    (-170.0, 15.4, 11.6),
    (-225.0, 16.2, 12.0),
    (-262.0, 15.0, 11.6),
    (-285.0, 16.6, 12.4),
    (-293.0, 17.2, 12.8),
)


def build_hammer(*, length: float = 0.315) -> MeshData:
    """A claw hammer that lies on its side, the handle along +x and the claw towards +y.

    Args:
        length: Overall length in [m]; other sizes follow.

    Returns:
        The mesh, one connected surface.
    """
    builder = SurfaceBuilder()
    _add_handle(builder, _add_head(builder))
    mesh = turned(builder.build(), 0.001 * (length / 0.315) * np.eye(3))
    lying = turned(mesh, [[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    # The handle's end is thinner than the claw and rests on the table as well.
    tilt = np.arctan((_PRONGS[5][2] - _HANDLE[-1][2]) / (_PRONGS[5][1] - _HANDLE[-1][0]))
    return on_table(turned(lying, axis_rotation(1, tilt)))


def _ring(x: float, z: float, half_width: float, half_height: float, power: float) -> FloatArray:
    return placed(oval(_COLUMNS, half_width, half_height, power=power), (x, 0.0, z), _RIGHT, (0.0, 0.0, 1.0))


def _add_head(builder: SurfaceBuilder) -> IntArray:
    """Add the head and give the ring from which the handle goes on."""
    eye_rows = [(x, 0.0, 13.5, 15.0, 4.6) for x in np.linspace(13.0, -13.0, _EYE + 1)]
    rings = [_ring(*row) for row in (*_POLL, *eye_rows, *_CLAW)]
    positions = np.stack(rings)
    mask = np.ones((len(rings) - 1, _COLUMNS), dtype=np.bool_)
    eyes = []
    for column, level in ((3 * _COLUMNS // 4, -15.0), (_COLUMNS // 4, 15.0)):
        edge = block_edge(len(_POLL), column, _EYE)
        # Counter-clockwise seen from outside: on top the columns run towards +y instead of -y.
        side = np.array([0.0, np.sign(level), 0.0])
        shape = oval(4 * _EYE, 8.6, 12.4, power=2.5)
        positions[edge] = placed(shape, (0.0, 0.0, level), side, (-1.0, 0.0, 0.0))
        mask[len(_POLL) : len(_POLL) + _EYE, column - _EYE // 2 : column + _EYE // 2] = False
        eyes.append(edge)
    rows = builder.add_points(positions)
    (pole,) = builder.add_points([[57.8, 0.0, 0.0]])
    builder.add_start(int(pole), rows[0], _FACE)
    builder.add_grid(rows[:5], _FACE)
    builder.add_grid(rows[4:], _STEEL, mask[4:])
    _add_claw(builder, rows[-1], rings[-1])
    bottom, top = (rows[edge] for edge in eyes)
    wood = builder.add_points(
        np.stack(
            [
                placed(oval(4 * _EYE, 8.6 - d, 12.4 - d, power=2.5), (0.0, 0.0, z), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))
                for d, z in ((0.5, 15.0), (0.6, 15.7), (1.0, 16.1), (2.0, 16.4))
            ]
        )
    )
    builder.add_strip(top, wood[0], _STEEL)
    builder.add_tube(wood, _WOOD)
    builder.add_faces(wood[-1][None], _WOOD)
    return bottom


def _add_claw(builder: SurfaceBuilder, ring: IntArray, positions: FloatArray) -> None:
    """Split a ring down the middle and add a prong on each side."""
    half, between = _COLUMNS // 2, 4
    top, bottom = _COLUMNS // 4, 3 * _COLUMNS // 4
    middle = builder.add_points(np.linspace(positions[top], positions[bottom], between + 2)[1:-1])
    right = np.concatenate([np.roll(ring, -bottom)[: half + 1], middle])
    left = np.concatenate([np.roll(ring, -top)[: half + 1], middle[::-1]])
    line = np.array([(x, z) for x, z, *_ in _PRONGS])
    tangents = np.gradient(line, axis=0)
    tangents /= np.linalg.norm(tangents, axis=1, keepdims=True)
    # The claw's outer corners, at 45 degrees of the ring, become those of the prongs.
    outer = np.pi * np.interp(np.linspace(-2.0, 2.0, half + 1), (-2.0, -1.0, 1.0, 2.0), (-0.75, -0.25, 0.25, 0.75))
    inner = np.pi * (0.75 + 0.5 * np.arange(1, between + 1) / (between + 1))
    for start, side, turn in ((right, -1.0, 0.0), (left, 1.0, np.pi)):
        angles = np.concatenate([outer, inner]) + turn
        rings = [start]
        for (x, z, width, height, slot), (tx, tz) in zip(_PRONGS, tangents, strict=True):
            shape = superellipse(angles, (width - slot) / 2.0, height, 3.4)
            centre = (x, side * (width + slot) / 2.0, z)
            rings.append(builder.add_points(placed(shape, centre, _RIGHT, (tz, 0.0, -tx))))
        builder.add_tube(rings, _STEEL)
        builder.add_faces(rings[-1][None], _STEEL)


def _add_handle(builder: SurfaceBuilder, edge: IntArray) -> None:
    """Add the handle from the edge of the eye to its rounded end."""
    knots = np.array(_HANDLE)
    depths = fill(-knots[:, 0], 9.0)
    dense = smooth_curve(knots, 400)
    rows = [
        (-level, np.interp(level, -dense[:, 0], dense[:, 1]), np.interp(level, -dense[:, 0], dense[:, 2]))
        for level in depths
    ]
    end = rows[-1]
    angles = np.linspace(0.0, np.pi / 2.0, 6)[1:]
    rows += [
        (end[0] - 5.0 * np.sin(a), end[1] - 6.0 * (1.0 - np.cos(a)), end[2] - 6.0 * (1.0 - np.cos(a))) for a in angles
    ]
    shapes = [
        placed(oval(4 * _EYE, hy, hx, power=2.3), (0.0, 0.0, level), _RIGHT, (-1.0, 0.0, 0.0)) for level, hx, hy in rows
    ]
    rings = builder.add_points(np.stack(shapes))
    builder.add_strip(edge, rings[0], _STEEL)
    builder.add_tube(rings, _WOOD)
    (pole,) = builder.add_points([[0.0, 0.0, rows[-1][0] - 0.3]])
    builder.add_end(rings[-1], int(pole), _WOOD)
