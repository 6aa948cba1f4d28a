# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Wine glass and bottle."""

from __future__ import annotations

import numpy as np

from ...core.arrays import FloatArray
from ..mesh import MeshData
from .lathe import add_lathe
from .placement import on_table
from .profile import round_corners, smooth_curve
from .surface import SurfaceBuilder


def build_wine_glass(*, height: float = 0.210, wall: float = 0.0015) -> MeshData:
    """A wine glass with a hollow bowl.

    Args:
        height: Height in [m]; other sizes follow.
        wall: Thickness of the bowl in [m].

    Returns:
        The mesh.
    """
    scale = height / 0.210
    foot = round_corners(
        [(0.0, 0.0012), (0.030, 0.0004), (0.0345, 0.0), (0.0350, 0.0018), (0.0200, 0.0042)],
        [0.0, 0.002, 0.0004, 0.0008, 0.0],
        hold=0.2,
    )
    foot = np.concatenate([np.linspace(foot[0], foot[1], 4)[:-1], foot[1:]])
    stem = smooth_curve(
        [
            foot[-1],
            (0.0105, 0.0068),
            (0.0058, 0.0130),
            (0.0042, 0.0260),
            (0.0038, 0.0550),
            (0.0041, 0.0800),
            (0.0060, 0.0915),
        ],
        22,
    )
    bowl = smooth_curve(
        [
            stem[-1],
            (0.0150, 0.0990),
            (0.0290, 0.1110),
            (0.0375, 0.1260),
            (0.0405, 0.1420),
            (0.0395, 0.1640),
            (0.0355, 0.1900),
            (0.0325, 0.2092),
        ],
        28,
    )
    # The inner wall follows the outer one at the wall's thickness as far as the bowl's bottom.
    inner = bowl[bowl[:, 0] > 0.0145] - wall / scale * _normals(bowl)[bowl[:, 0] > 0.0145]
    rim = smooth_curve([bowl[-1], (bowl[-1] + inner[-1]) / 2.0 + (-0.00005, 0.00085), inner[-1]], 6)
    bottom = smooth_curve([inner[0], (0.0072, 0.0985), (0.0, 0.0975)], 5)
    bottom[-1, 0] = 0.0
    glass = "Prehend Glass"
    pieces = [foot, stem, bowl, rim, inner[::-1], bottom]
    builder = SurfaceBuilder()
    add_lathe(builder, [(glass, scale * piece) for piece in pieces], columns=56)
    return on_table(builder.build())


def _normals(curve: FloatArray) -> FloatArray:
    """Unit normals on the right hand of a plane curve. Shape (n, 2)."""
    tangents = np.gradient(curve, axis=0)
    return np.stack([tangents[:, 1], -tangents[:, 0]], axis=1) / np.linalg.norm(tangents, axis=1, keepdims=True)


def build_bottle(*, radius: float = 0.0325, height: float = 0.225) -> MeshData:
    """A plastic drinking bottle with shoulder, neck and a ribbed screw cap.

    Args:
        radius: Radius of the body in [m].
        height: Height with the cap in [m].

    Returns:
        The mesh.
    """
    plastic, label, steel, cap = "Prehend Bottle Plastic", "Prehend Label", "Prehend Steel", "Prehend Cap"
    top = height - 0.030
    base = round_corners(
        [(0.0, 0.0030), (0.016, 0.0030), (0.021, 0.0), (radius, 0.0), (radius, 0.035)],
        [0.0, 0.003, 0.003, 0.006, 0.0],
        segments=5,
    )
    band = np.linspace((radius, 0.035), (radius, 0.115), 5)
    shoulder = smooth_curve(
        [
            (radius, 0.115),
            (radius, 0.128),
            (radius - 0.0012, 0.142),
            (radius - 0.0060, 0.158),
            (radius - 0.0130, 0.173),
            (0.0152, top - 0.010),
            (0.0142, top - 0.0045),
        ],
        20,
    )
    shoulder[:, 0] = np.minimum(shoulder[:, 0], radius)
    neck = round_corners(
        [
            shoulder[-1],
            (0.0142, top - 0.002),
            (0.0168, top - 0.002),
            (0.0168, top + 0.0008),
            (0.0150, top + 0.0008),
            (0.0150, top + 0.0016),
        ],
        [0.0, 0.0006, 0.0007, 0.0007, 0.0003, 0.0],
        segments=3,
    )
    lid = round_corners(
        [neck[-1], (0.0180, top + 0.0016), (0.0175, height), (0.0, height)], [0.0, 0.0008, 0.0022, 0.0], segments=5
    )
    side = int(np.argmax(lid[:, 1] > top + 0.006))
    lid = np.concatenate(
        [
            lid[: side - 1],
            np.linspace(lid[side - 1], lid[side], 6),
            lid[side + 1 : -1],
            np.linspace(lid[-2], lid[-1], 4)[1:],
        ]
    )

    def ribs(angle: FloatArray, z: FloatArray) -> FloatArray:
        # Flutes on the cap's side that fade out towards its edges.
        inside = np.clip((z - top - 0.0035) / 0.0015, 0.0, 1.0) * np.clip((height - 0.0030 - z) / 0.0015, 0.0, 1.0)
        return 1.0 - 0.03 * inside * (0.5 + 0.5 * np.cos(16.0 * angle))

    builder = SurfaceBuilder()
    add_lathe(
        builder,
        [(plastic, base), (label, band), (plastic, shoulder), (steel, neck), (cap, lid)],
        columns=64,
        ripple=ribs,
    )
    return on_table(builder.build())
