# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A small suitcase, its handle up."""

from __future__ import annotations

import numpy as np

from ..mesh import MeshData
from .boxes import cuboid
from .placement import on_table
from .profile import smooth_curve
from .surface import SurfaceBuilder
from .tube import sweep_in_xz


def build_suitcase(
    *, length: float = 0.340, width: float = 0.110, height: float = 0.240, room: float = 0.038
) -> MeshData:
    """A cabin suitcase that stands; its handle lies along x.

    Args:
        length: Along x in [m].
        width: Along y in [m].
        height: Of the case without its handle in [m].
        room: For the fingers below the handle in [m].

    Returns:
        The mesh: the case and the handle, which stands on it 50 micrometres off.
    """
    builder = SurfaceBuilder()
    half = np.array([length, width, height]) / 2.0
    stripe = 0.09
    lines = [
        np.concatenate([np.linspace(-0.8, -0.2, 4), [-stripe, stripe], np.linspace(0.2, 0.8, 4)]) * half[0],
        np.linspace(-0.5, 0.5, 4) * half[1],
        np.linspace(-0.7, 0.7, 6) * half[2],
    ]
    vertices, quads = cuboid(half, 0.014, lines)
    ids = builder.add_points(vertices)
    seam = np.abs(vertices[quads].mean(axis=1)[:, 0]) < stripe * half[0]
    builder.add_faces(ids[quads[~seam]], "Prehend Case")
    builder.add_faces(ids[quads[seam]], "Prehend Dark Metal")
    _add_handle(builder, half[2] + 5e-5, room)
    return on_table(builder.build())


def _add_handle(builder: SurfaceBuilder, level: float, room: float) -> None:
    """A bow of 19 mm across with flat feet on the plane z = level."""
    radius, reach = 0.0095, 0.064
    top = level + room + radius
    knots = [
        (-reach, level),
        (-reach, level + 0.55 * room),
        (-reach + 0.014, top - 0.004),
        (-0.030, top),
        (0.030, top),
        (reach - 0.014, top - 0.004),
        (reach, level + 0.55 * room),
        (reach, level),
    ]
    line = smooth_curve(knots, 56)
    feet = np.clip(np.minimum(np.arange(56), np.arange(56)[::-1]) / 12.0, 0.0, 1.0)
    size = radius * (0.62 + 0.38 * feet)
    rings = sweep_in_xz(line, 1.08 * size, size, 24)
    # The ends are cut level, so that they stand on the case.
    rings[0, :, 2] = rings[-1, :, 2] = level
    rows = builder.add_points(rings)
    builder.add_tube(rows, "Prehend Rubber")
    builder.add_faces(rows[0][None, ::-1], "Prehend Rubber")
    builder.add_faces(rows[-1][None], "Prehend Rubber")
