# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The dumbbell."""

from __future__ import annotations

import numpy as np

from ...core.arrays import FloatArray
from ..mesh import MeshData
from .placement import axis_rotation, on_table, turned
from .plate import add_flat, add_plate, add_step, circle
from .profile import round_corners
from .surface import SurfaceBuilder


def build_dumbbell(
    *, head_width: float = 0.080, head_length: float = 0.052, grip_radius: float = 0.015, grip_length: float = 0.120
) -> MeshData:
    """A dumbbell with six-sided rubber heads, its grip along x.

    Args:
        head_width: Width of the heads across the flats in [m].
        head_length: Length of each head in [m].
        grip_radius: Radius of the grip at its ends in [m].
        grip_length: Distance between the heads in [m].

    Returns:
        The mesh.
    """
    rubber = "Prehend Rubber"
    angles = np.arange(6) * (np.pi / 3.0)
    corners = head_width / np.sqrt(3.0) * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    hexagon = round_corners(corners, 0.012, segments=6, closed=True, hold=0.3)
    end = grip_length / 2.0
    columns = 40
    builder = SurfaceBuilder()
    profile = _grip(grip_radius, end)
    rows = builder.add_points(
        np.stack([np.column_stack([circle(columns, radius), np.full(columns, z)]) for radius, z in profile])
    )
    for i, middle in enumerate((profile[:-1, 1] + profile[1:, 1]) / 2.0):
        knurled = abs(middle) < end - 0.0115
        builder.add_strip(rows[i], rows[i + 1], "Prehend Knurled Steel" if knurled else "Prehend Steel")
    for side in (-1.0, 1.0):
        span = (end, end + head_length) if side > 0.0 else (-end - head_length, -end)
        (low,), (high,) = add_plate(builder, [hexagon], span, rubber, bevel=0.006, segments=4)
        inner, outer, collar = (low, high, rows[-1]) if side > 0.0 else (high, low, rows[0])
        add_flat(builder, [inner, collar[::-1]], rubber, upwards=side < 0.0)
        plate = builder.add_points(
            np.column_stack([circle(columns, 0.36 * head_width), np.full(columns, span[int(side > 0.0)])])
        )
        add_flat(builder, [outer, plate[::-1]], rubber, upwards=side > 0.0)
        steps = np.array([(0.0004, 0.0002), (0.0009, 0.0011), (0.0014, 0.0014), (0.0022, 0.0014)]) * (1.0, -side)
        rim = add_step(builder, plate, steps, rubber, upwards=side > 0.0)
        face = add_step(builder, rim, np.array([(0.0009, 0.0)]), "Prehend Dark Steel", upwards=side > 0.0)
        builder.add_faces(face[None] if side > 0.0 else face[None, ::-1], "Prehend Dark Steel")
    mesh = turned(turned(builder.build(), axis_rotation(2, np.pi / 2.0)), axis_rotation(1, np.pi / 2.0))
    return on_table(mesh)


def _grip(radius: float, end: float) -> FloatArray:
    """Profile (radius, z) in [m] of the grip with a collar at each end, lowest point first."""
    collar = round_corners(
        [(radius + 0.005, -end), (radius + 0.005, 0.008 - end), (radius, 0.0105 - end), (radius, 0.03 - end)],
        [0.0, 0.0018, 0.0018, 0.0],
    )[:-1]
    z = np.linspace(collar[-1, 1], 0.0, 8)[1:]
    swell = 0.0014 * np.cos(z / z[0] * np.pi / 2.0) ** 2
    half = np.concatenate([collar, np.column_stack([radius + swell, z])])
    return np.concatenate([half, half[-2::-1] * (1.0, -1.0)])
