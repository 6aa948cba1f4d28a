# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The pen."""

from __future__ import annotations

import numpy as np

from ..mesh import MeshData
from .lathe import Opening, add_lathe
from .placement import axis_rotation, on_table, turned
from .profile import round_corners, smooth_curve
from .surface import SurfaceBuilder
from .tube import fillet, sweep_in_xz

_CLIP_SIZE = 4
"""Rows and columns of the barrel's grid that the clip's root takes."""


def build_pen(*, length: float = 0.141, radius: float = 0.0055) -> MeshData:
    """A ball pen with a clip, lying along x with its tip at +x and the clip up.

    Args:
        length: Length in [m].
        radius: Radius of the barrel in [m].

    Returns:
        The mesh.
    """
    metal, plastic, rubber = "Prehend Steel", "Prehend Pen Plastic", "Prehend Rubber"
    top = length - 0.0105
    tip = round_corners(
        [
            (0.0, 0.0),
            (0.00038, 0.0001),
            (0.0007, 0.0030),
            (0.0012, 0.0033),
            (0.0040, 0.0150),
            (radius - 0.0009, 0.0170),
        ],
        [0.0, 0.0002, 0.0003, 0.0003, 0.0030, 0.0],
        hold=0.0,
    )
    seam = np.array([(radius - 0.0009, 0.0170), (radius - 0.0009, 0.0174), (radius - 0.0006, 0.0177)])
    grip = smooth_curve([seam[-1], (radius - 0.0003, 0.0215), (radius - 0.0006, 0.0330), (radius - 0.0001, 0.0480)], 14)
    barrel = np.linspace((radius, 0.0481), (radius, 0.0790), 5)
    band = round_corners(
        [
            barrel[-1],
            (radius - 0.0003, 0.0792),
            (radius - 0.0003, 0.0796),
            (radius, 0.0798),
            (radius, 0.0822),
            (radius - 0.0003, 0.0824),
            (radius - 0.0003, 0.0828),
            (radius, 0.0830),
        ],
        0.0,
    )
    root = top - 0.0070
    upper = np.concatenate(
        [
            np.linspace((radius, 0.0830), (radius, root - 0.0013), 6)[:-1],
            np.linspace((radius, root - 0.0013), (radius, root + 0.0013), _CLIP_SIZE + 1),
            [(radius, top - 0.0035)],
        ]
    )
    crown = round_corners(
        [upper[-1], (radius, top), (0.0031, top + 0.0006), (0.0031, length), (0.0, length)],
        [0.0, 0.0012, 0.0004, 0.0012, 0.0],
    )
    pieces = [(metal, tip), (metal, seam), (rubber, grip), (rubber, np.array([grip[-1], barrel[0]])), (plastic, barrel)]
    pieces += [(metal, band), (plastic, upper), (metal, crown)]
    before = sum(len(points) - 1 for _, points in pieces[:-2])
    builder = SurfaceBuilder()
    opening = Opening(before + 5, _CLIP_SIZE, 0.0019)
    (edge,) = add_lathe(builder, pieces, columns=40, openings=[opening])
    line = smooth_curve(
        [
            (radius + 0.0009, root),
            (radius + 0.0021, root - 0.0007),
            (radius + 0.0026, root - 0.0026),
            (radius + 0.0021, root - 0.0150),
            (radius + 0.0015, root - 0.0300),
            (radius + 0.0012, root - 0.0345),
            (radius + 0.0017, root - 0.0370),
        ],
        34,
    )
    along = np.linspace(0.0, 1.0, len(line))
    widths = 0.0012 + 0.0008 * np.clip(along / 0.15, 0.0, 1.0) - 0.0004 * along
    heights = np.full(len(line), 0.0005)
    # The free end closes in a quarter circle.
    close = np.sqrt(1.0 - np.linspace(0.0, 0.96, 5)[1:] ** 2)
    widths[-4:] *= close
    heights[-4:] *= 0.4 + 0.6 * close
    tube = sweep_in_xz(line, widths, heights, 4 * _CLIP_SIZE)
    start = line[1] - line[0]
    leaving = np.array([start[0], 0.0, start[1]]) / np.linalg.norm(start)
    rings = builder.add_points(np.concatenate([fillet(edge.positions, edge.inwards, tube[0], leaving, count=3), tube]))
    builder.add_tube([edge.ring, *rings], metal)
    builder.add_faces(rings[-1][None], metal)
    return on_table(turned(builder.build(), axis_rotation(1, -np.pi / 2.0)))
