# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The ball."""

from __future__ import annotations

import numpy as np

from ..mesh import MeshData
from .lathe import add_lathe
from .placement import axis_rotation, on_table, turned
from .surface import SurfaceBuilder


def build_ball(*, diameter: float = 0.073, columns: int = 64) -> MeshData:
    """A rubber ball with a stripe; every vertex lies on the sphere."""
    rows = columns // 2
    stripe = rows // 10
    angles = np.linspace(-np.pi / 2.0, np.pi / 2.0, rows + 1)
    profile = np.stack([np.cos(angles), np.sin(angles)], axis=1) * diameter / 2.0
    profile[[0, -1], 0] = 0.0
    low, high = rows // 2 - stripe, rows // 2 + stripe
    builder = SurfaceBuilder()
    add_lathe(
        builder,
        [
            ("Prehend Ball Rubber", profile[: low + 1]),
            ("Prehend Ball Stripe", profile[low : high + 1]),
            ("Prehend Ball Rubber", profile[high:]),
        ],
        columns=columns,
    )
    return on_table(turned(builder.build(), axis_rotation(0, np.radians(25.0))))
