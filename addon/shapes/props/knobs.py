# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The door knob."""

from __future__ import annotations

import numpy as np

from ..mesh import MeshData
from .lathe import add_lathe
from .placement import axis_rotation, on_table, turned
from .profile import round_corners, smooth_curve
from .surface import SurfaceBuilder


def build_door_knob(*, radius: float = 0.0275, rosette_radius: float = 0.033, reach: float = 0.066) -> MeshData:
    """A brass door knob as mounted: its axis along -y, the back of its rosette on a door in the plane y = 0.

    Args:
        radius: Radius of the knob in [m].
        rosette_radius: Radius of the plate against the door in [m].
        reach: Distance of the knob's front from the door in [m].

    Returns:
        The mesh; centred in x, lowest point at z = 0.
    """
    brass = "Prehend Brass"
    rosette = round_corners(
        [
            (0.0, 0.0),
            (rosette_radius, 0.0),
            (rosette_radius, 0.0035),
            (rosette_radius - 0.003, 0.0045),
            (rosette_radius - 0.005, 0.0070),
            (0.0175, 0.0090),
            (0.0155, 0.0125),
            (0.0118, 0.0135),
        ],
        [0.0, 0.0006, 0.0012, 0.0010, 0.0015, 0.0015, 0.0012, 0.0],
    )
    rosette = np.concatenate([np.linspace(rosette[0], rosette[1], 5)[:-1], rosette[1:]])
    neck = smooth_curve([rosette[-1], (0.0100, 0.0165), (0.0092, 0.0215), (0.0100, 0.0270), (0.0130, 0.0315)], 12)
    front = smooth_curve(
        [
            neck[-1],
            (0.60 * radius, 0.0345),
            (0.88 * radius, 0.0395),
            (radius, 0.73 * reach),
            (0.93 * radius, 0.855 * reach),
            (0.72 * radius, 0.950 * reach),
            (0.45 * radius, 0.988 * reach),
        ],
        26,
    )
    button = round_corners(
        [
            front[-1],
            (0.36 * radius, 0.994 * reach),
            (0.33 * radius, 0.965 * reach),
            (0.28 * radius, 0.965 * reach),
        ],
        [0.0, 0.0010, 0.0005, 0.0],
        segments=3,
    )
    lock = round_corners(
        [button[-1], (0.26 * radius, reach + 0.0005), (0.0, reach + 0.0012)], [0.0, 0.0012, 0.0], segments=3
    )
    builder = SurfaceBuilder()
    add_lathe(
        builder, [(brass, rosette), (brass, neck), (brass, front), (brass, button), ("Prehend Steel", lock)], columns=64
    )
    return on_table(turned(builder.build(), axis_rotation(0, np.pi / 2.0)), centre=(True, False))
