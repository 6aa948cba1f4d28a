# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Long thin things that lie along x: a wooden rod, a chopstick and a pencil."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...core.arrays import FloatArray
from ..mesh import MeshData
from .lathe import Section, add_lathe
from .placement import axis_rotation, on_table, turned
from .profile import round_corners
from .surface import SurfaceBuilder

Ripple = Callable[[FloatArray, FloatArray], FloatArray]
"""Grids of angle in [rad] and height in [m] to a factor on the radius."""


def build_rod(*, length: float = 0.250, radius: float = 0.010) -> MeshData:
    """A turned wooden rod, such as a towel rail or a drum roller."""
    return _lying([("Prehend Wood", _bar(length, radius, 0.0015, 14))], columns=40)


def build_chopstick(*, length: float = 0.230, thick: float = 0.0041, thin: float = 0.0017) -> MeshData:
    """A chopstick, square with rounded edges at its thick end and round at its tip, which is at +x."""
    start = round_corners([(0.0, 0.0), (thick, 0.0), (thick, 0.004)], [0.0, 0.0007, 0.0], hold=0.0)
    heights = np.linspace(0.004, length - 0.001, 26)
    radii = thick + (thin - thick) * np.clip((heights - 0.004) / (length - 0.005), 0.0, 1.0)
    body = np.column_stack([radii, heights])
    tip = round_corners([body[-1], (0.75 * thin, length), (0.0, length)], [0.0, 0.0005, 0.0], hold=0.0)
    split = 8

    def square(angles: FloatArray, height: FloatArray) -> FloatArray:
        """A superellipse of power 5 at the thick end that turns into a circle half-way."""
        power = 2.0 + 3.0 * np.clip(1.0 - height / (0.6 * length), 0.0, 1.0)
        reach = (np.abs(np.cos(angles)) ** power + np.abs(np.sin(angles)) ** power) ** (-1.0 / power)
        return reach * 0.5 + 0.5 * np.minimum(reach, 1.0)

    sections: list[Section] = [
        ("Prehend Lacquer Gold", np.concatenate([start, body[1 : split + 1]])),
        ("Prehend Lacquer", np.concatenate([body[split:], tip[1:]])),
    ]
    return _lying(sections, columns=32, ripple=square)


def build_pencil(*, length: float = 0.175, radius: float = 0.0037) -> MeshData:
    """A six-sided pencil with a rubber; its lead is at +x."""
    cone, metal, rubber = 0.021, 0.014, 0.007
    end = round_corners([(0.0, 0.0), (0.0033, 0.0), (0.0033, rubber)], [0.0, 0.0012, 0.0], hold=0.0)
    ferrule = round_corners(
        [end[-1], (0.0036, rubber + 0.0003), (0.0036, rubber + metal), (radius, rubber + metal + 0.0004)], 0.0, hold=0.0
    )
    body = np.linspace(ferrule[-1], (radius, length - cone), 16)
    wood = np.linspace(body[-1], (0.0011, length - 0.006), 6)
    lead = round_corners([wood[-1], (0.0003, length), (0.0, length)], [0.0, 0.0002, 0.0], hold=0.0)

    def six_sided(angles: FloatArray, height: FloatArray) -> FloatArray:
        """Six flats with rounded edges on the painted part, round elsewhere."""
        corner = np.pi / 6.0
        flat = np.cos(corner) / np.cos((angles + corner) % (2.0 * corner) - corner)
        flat = np.minimum(flat * 1.03, 1.0)
        painted = (height > rubber + metal + 0.0002) & (height < length - cone + 1e-6)
        return np.where(painted, flat, 1.0)

    sections: list[Section] = [
        ("Prehend Rubber", end),
        ("Prehend Brass", ferrule),
        ("Prehend Pencil Paint", body),
        ("Prehend Pale Wood", wood),
        ("Prehend Lead", lead),
    ]
    return _lying(sections, columns=36, ripple=six_sided)


def _bar(length: float, radius: float, bevel: float, rows: int) -> FloatArray:
    """Profile of a bar with rounded ends. Shape (n, 2)."""
    middle = np.linspace((radius, 2.0 * bevel), (radius, length - 2.0 * bevel), rows)
    corner = round_corners([(0.0, 0.0), (radius, 0.0), middle[0]], [0.0, bevel, 0.0], hold=0.0)
    inner = np.linspace(corner[0], corner[1], 3)[:-1]
    half = np.concatenate([inner, corner[1:]])
    return np.concatenate([half, middle[1:-1], (half * (1.0, -1.0) + np.array([0.0, length]))[::-1]])


def _lying(sections: list[Section], *, columns: int, ripple: Ripple | None = None) -> MeshData:
    builder = SurfaceBuilder()
    add_lathe(builder, sections, columns=columns, ripple=ripple)
    return on_table(turned(builder.build(), axis_rotation(1, np.pi / 2.0)))
