# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tools that are turned on a lathe and lie along x: a screwdriver and a flashlight."""

from __future__ import annotations

import numpy as np

from ...core.arrays import FloatArray
from ..mesh import MeshData
from .lathe import Section, add_lathe
from .placement import axis_rotation, on_table, turned
from .profile import round_corners, smooth_curve
from .surface import SurfaceBuilder


def build_screwdriver(*, handle: float = 0.105, blade: float = 0.110, radius: float = 0.0145) -> MeshData:
    """A screwdriver with a ribbed handle; its blade points along +x.

    Args:
        handle: Length of the handle in [m].
        blade: Length of the blade in [m].
        radius: Radius of the handle where it is thickest in [m].

    Returns:
        The mesh.
    """
    back = round_corners([(0.0, 0.0), (0.82 * radius, 0.0), (radius, 0.010)], [0.0, 0.004, 0.0], hold=0.0)
    grip = smooth_curve(
        [back[-1], (radius, 0.5 * handle), (0.92 * radius, 0.68 * handle), (0.66 * radius, 0.82 * handle)], 16
    )
    collar = round_corners(
        [grip[-1], (0.80 * radius, 0.92 * handle), (0.74 * radius, handle), (0.0032, handle)],
        [0.0, 0.003, 0.002, 0.0],
        hold=0.0,
    )
    top = handle + blade
    steel = np.concatenate([[collar[-1]], np.linspace((0.0030, handle + 0.001), (0.0030, top - 0.012), 9)])
    tip = np.array([steel[-1], (0.0030, top - 0.008), (0.0030, top - 0.004), (0.0029, top - 0.0005), (0.0, top)])

    def shape(angles: FloatArray, height: FloatArray) -> FloatArray:
        """Six flutes along the handle, and a blade that is thin at its tip."""
        span = np.clip(np.minimum(height - 0.012, 0.66 * handle - height) / 0.01, 0.0, 1.0)
        flutes = 1.0 - 0.055 * span * (0.5 + 0.5 * np.cos(6.0 * angles))
        flat = np.clip((height - (top - 0.012)) / 0.0115, 0.0, 1.0) * 0.8
        thin = 1.0 / np.sqrt(np.cos(angles) ** 2 + (np.sin(angles) / (1.0 - flat)) ** 2)
        return flutes * thin

    sections: list[Section] = [
        ("Prehend Tool Red", back),
        ("Prehend Tool Red", grip),
        ("Prehend Rubber", collar),
        ("Prehend Steel", steel),
        ("Prehend Steel", tip),
    ]
    builder = SurfaceBuilder()
    add_lathe(builder, sections, columns=48, ripple=shape)
    return on_table(turned(builder.build(), axis_rotation(1, np.pi / 2.0)))


def build_flashlight(*, length: float = 0.170, radius: float = 0.0195) -> MeshData:
    """A flashlight for three batteries; it shines along +x."""
    metal, rubber = "Prehend Dark Steel", "Prehend Rubber"
    head, front = 1.38 * radius, length - 0.002
    cap = round_corners(
        [(0.0, 0.0), (0.86 * radius, 0.0), (radius, 0.004), (radius, 0.016), (0.94 * radius, 0.0165)],
        [0.0, 0.002, 0.002, 0.0004, 0.0],
        hold=0.0,
    )
    body = np.concatenate([[cap[-1]], np.linspace((0.96 * radius, 0.0180), (0.96 * radius, 0.108), 12)])
    bell = smooth_curve([body[-1], (0.98 * radius, 0.114), (1.2 * radius, 0.128), (head, 0.136)], 10)
    rim = round_corners(
        [bell[-1], (head, front), (0.90 * head, front), (0.88 * head, front - 0.004)],
        [0.0, 0.0012, 0.0012, 0.0],
        hold=0.0,
    )
    lens = np.linspace(rim[-1], (0.0, front - 0.0035), 5)
    builder = SurfaceBuilder()
    sections: list[Section] = [(metal, cap), (rubber, body), (metal, bell), (metal, rim), ("Prehend Lens", lens)]
    add_lathe(builder, sections, columns=56)
    return on_table(turned(builder.build(), axis_rotation(1, np.pi / 2.0)))
