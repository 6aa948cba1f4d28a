# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Balls: of rubber, for tennis and table tennis, and a marble; and a pill, which is a ball drawn long."""

from __future__ import annotations

import numpy as np

from ...core.arrays import FloatArray
from ..mesh import MeshData
from .lathe import add_lathe
from .placement import axis_rotation, on_table, turned
from .surface import SurfaceBuilder


def build_ball(
    *,
    diameter: float = 0.073,
    columns: int = 64,
    skin: str = "Prehend Ball Rubber",
    band: str = "Prehend Ball Stripe",
    band_width: float = 0.1,
) -> MeshData:
    """A ball with a stripe; every vertex lies on the sphere.

    Args:
        diameter: In [m].
        columns: Points round its axis.
        skin: Name of the material.
        band: Name of the stripe's material.
        band_width: Half the stripe's share of the way from pole to pole.
    """
    rows = columns // 2
    stripe = max(1, int(rows * band_width))
    angles = np.linspace(-np.pi / 2.0, np.pi / 2.0, rows + 1)
    profile = np.stack([np.cos(angles), np.sin(angles)], axis=1) * diameter / 2.0
    profile[[0, -1], 0] = 0.0
    low, high = rows // 2 - stripe, rows // 2 + stripe
    builder = SurfaceBuilder()
    add_lathe(
        builder,
        [(skin, profile[: low + 1]), (band, profile[low : high + 1]), (skin, profile[high:])],
        columns=columns,
    )
    return on_table(turned(builder.build(), axis_rotation(0, np.radians(25.0))))


def build_tennis_ball() -> MeshData:
    """A tennis ball; the rules ask for 65.4 to 68.6 mm."""
    return build_ball(diameter=0.067, skin="Prehend Felt", band="Prehend Ball Stripe", band_width=0.04)


def build_table_tennis_ball() -> MeshData:
    """A table tennis ball of the 40 mm that the rules ask for."""
    return build_ball(diameter=0.040, columns=48, skin="Prehend Celluloid", band="Prehend Ball Seam", band_width=0.0)


def build_marble() -> MeshData:
    """A toy marble of 16 mm, the commonest size."""
    return build_ball(diameter=0.016, columns=40, skin="Prehend Marble", band="Prehend Ball Stripe", band_width=0.12)


def build_pill(*, length: float = 0.0190, diameter: float = 0.0070) -> MeshData:
    """A two-coloured capsule, size 1 of the pharmacies, lying along x."""
    radius, cap = diameter / 2.0, 0.45
    straight = length / 2.0 - radius
    ends = [_quarter(radius, -straight, up=False), _quarter(radius, straight, up=True)]
    seam = -straight + cap * 2.0 * straight
    lower = np.concatenate([ends[0], np.linspace((radius, -straight), (radius, seam), 4)[1:]])
    upper = np.concatenate([np.linspace((radius, seam), (radius, straight), 5), ends[1][1:]])
    builder = SurfaceBuilder()
    add_lathe(builder, [("Prehend Pill Red", lower), ("Prehend Pill White", upper)], columns=32)
    return on_table(turned(builder.build(), axis_rotation(1, np.pi / 2.0)))


def _quarter(radius: float, height: float, *, up: bool, count: int = 8) -> FloatArray:
    """Profile of half a sphere that sits on a cylinder's end: from the pole on below, to the pole above. (n, 2)."""
    angles = np.linspace(0.0, np.pi / 2.0, count + 1)
    points = np.stack([radius * np.cos(angles), radius * np.sin(angles)], axis=1)
    points[-1, 0] = 0.0
    if not up:
        points = points[::-1] * (1.0, -1.0)
    return points + np.array([0.0, height])
