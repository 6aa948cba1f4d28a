# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The key."""

from __future__ import annotations

import numpy as np

from ...core.arrays import FloatArray
from ..mesh import MeshData
from .placement import on_table
from .plate import add_flat, add_plate, add_step
from .profile import round_corners
from .surface import SurfaceBuilder

_BOW = (
    (0.0, 5.2), (-3.4, 5.2), (-6.6, 11.8), (-22.5, 11.8), (-28.5, 6.6),
    (-28.5, -6.6), (-22.5, -11.8), (-6.6, -11.8), (-3.4, -5.2), (0.0, -5.2), (0.0, -3.9),
)  # fmt: skip
"""Outline of the part to hold, from the blade's back to its toothed side, in [mm]."""
_BOW_RADII = (0.9, 0.9, 5.0, 6.0, 5.0, 5.0, 6.0, 5.0, 0.9, 0.9, 0.7)
_CUTS = ((5.2, -1.4), (9.2, -2.0), (13.2, -0.6), (17.2, -1.7), (21.2, -0.9), (25.0, -1.9))
"""Position and level of the blade's cuts in [mm]."""


def build_key(*, length: float = 0.0585, thickness: float = 0.0022) -> MeshData:
    """A cylinder-lock key, lying flat; the blade points along +x.

    Args:
        length: Overall length in [m]; the outline scales with it.
        thickness: Thickness in [m].

    Returns:
        The mesh.
    """
    scale = length / 58.5
    metal, groove = "Prehend Nickel", "Prehend Dark Steel"
    hole = round_corners([(-25.3, 4.6), (-20.6, 4.6), (-20.6, -4.6), (-25.3, -4.6)], 2.2, closed=True, hold=0.0)
    slot = round_corners([(1.5, 0.7), (27.0, 0.7), (27.0, 2.6), (1.5, 2.6)], 0.75, segments=3, closed=True, hold=0.0)
    panel = round_corners(
        [(-7.2, 8.0), (-17.2, 8.0), (-17.2, -8.0), (-7.2, -8.0)], [3.2, 1.6, 1.6, 3.2], closed=True, hold=0.0
    )
    builder = SurfaceBuilder()
    faces = add_plate(builder, [scale * _outline(), scale * hole], (0.0, thickness), metal, bevel=0.0002)
    for rings, upwards in zip(faces, (False, True), strict=True):
        level = thickness if upwards else 0.0
        sign = -1.0 if upwards else 1.0
        pockets = [
            builder.add_points(np.column_stack([scale * loop, np.full(len(loop), level)])) for loop in (slot, panel)
        ]
        add_flat(builder, [*rings, *(pocket[::-1] for pocket in pockets)], metal, upwards=upwards)
        for pocket, depth, inside in ((pockets[0], 0.00045, groove), (pockets[1], 0.00025, metal)):
            steps = np.array(
                [(0.00008, 0.0), (0.00014, 0.00005), (0.00022, depth - 0.00004), (0.00028, depth), (0.00038, depth)]
            ) * (1.0, sign)
            floor = add_step(builder, pocket, steps, metal, upwards=upwards)
            add_flat(builder, [floor], inside, upwards=upwards)
    return on_table(builder.build())


def _outline() -> FloatArray:
    """The key's outline, counter-clockwise, in [mm]. Shape (n, 2)."""
    points: list[tuple[float, float]] = [*_BOW]
    radii: list[float] = [*_BOW_RADII]
    for x, level in _CUTS:
        # A cut has a flat of 1.2 mm and flanks at 45 degrees; neighbours meet in a ridge below the blade's edge.
        points += [(x - 0.6, level), (x + 0.6, level)]
        radii += [0.5, 0.5]
        following = [cut for cut in _CUTS if cut[0] > x]
        if following:
            ridge_x = (x + following[0][0] + level - following[0][1]) / 2.0
            ridge = level - (ridge_x - x - 0.6)
            points += [(ridge_x, max(ridge, -3.9))]
            radii += [0.7]
    points[len(_BOW) : len(_BOW)] = [(_CUTS[0][0] - 0.6 - (_CUTS[0][1] + 3.9), -3.9)]
    radii[len(_BOW) : len(_BOW)] = [0.7]
    points += [(27.1, -3.4), (28.2, -3.4), (30.0, -0.6), (30.0, 1.2), (27.6, 3.9), (0.0, 3.9)]
    radii += [0.6, 0.7, 0.8, 0.8, 1.0, 0.7]
    segments = [8 if radius > 2.0 else 3 for radius in radii]
    return round_corners(points, radii, segments=segments, closed=True, hold=0.0)
