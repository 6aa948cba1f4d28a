# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Round things of a kitchen: a can, a jar, a jar's lid and a plate; and a coin."""

from __future__ import annotations

import numpy as np

from ...core.arrays import FloatArray
from ..mesh import MeshData
from .lathe import Section, add_lathe
from .placement import on_table
from .profile import round_corners, smooth_curve
from .surface import SurfaceBuilder


def build_can(*, radius: float = 0.033, height: float = 0.115) -> MeshData:
    """A drinks can of a third of a litre."""
    metal = "Prehend Aluminium"
    foot = round_corners(
        [
            (0.0, 0.009),
            (0.6 * radius, 0.006),
            (0.69 * radius, 0.0),
            (0.76 * radius, 0.0),
            (0.90 * radius, 0.005),
            (radius, 0.014),
        ],
        [0.0, 0.004, 0.001, 0.001, 0.004, 0.0],
        hold=0.0,
    )
    foot = np.concatenate([np.linspace(foot[0], foot[1], 5)[:-1], foot[1:]])
    wall = np.linspace(foot[-1], (radius, height - 0.016), 10)
    neck = round_corners(
        [wall[-1], (0.82 * radius, height - 0.004), (0.82 * radius, height), (0.77 * radius, height)],
        [0.0, 0.003, 0.0008, 0.0],
        hold=0.0,
    )
    top = round_corners(
        [neck[-1], (0.755 * radius, height - 0.005), (0.72 * radius, height - 0.0035), (0.0, height - 0.0035)],
        [0.0, 0.0008, 0.0006, 0.0],
        hold=0.0,
    )
    top = np.concatenate([top[:-1], np.linspace(top[-2], top[-1], 5)[1:]])
    return _standing([(metal, foot), ("Prehend Can Print", wall), (metal, neck), (metal, top)])


def build_jar(*, radius: float = 0.0425, height: float = 0.135) -> MeshData:
    """A preserving jar with its lid on, closed."""
    glass, lid = "Prehend Jar", "Prehend Tin"
    shoulder = height - 0.026
    foot = round_corners([(0.0, 0.0), (0.93 * radius, 0.0), (radius, 0.008)], [0.0, 0.004, 0.0], hold=0.0)
    foot = np.concatenate([np.linspace(foot[0], foot[1], 5)[:-1], foot[1:]])
    wall = np.linspace(foot[-1], (radius, shoulder - 0.012), 9)
    neck = smooth_curve([wall[-1], (0.97 * radius, shoulder - 0.004), (0.88 * radius, shoulder + 0.004)], 8)
    cap = _lid_outside(neck[-1], 0.91 * radius, shoulder + 0.005, height)
    return _standing([(glass, foot), ("Prehend Label", wall), (glass, neck), (lid, cap)])


def build_lid(*, radius: float = 0.044, height: float = 0.015, wall: float = 0.0012) -> MeshData:
    """The lid of a jar, open below."""
    inside = round_corners(
        [
            (0.0, height - wall - 0.0008),
            (radius - wall - 0.0035, height - wall - 0.0008),
            (radius - wall - 0.0005, height - wall - 0.0038),
            (radius - wall - 0.0005, 0.0),
            (radius, 0.0),
        ],
        [0.0, 0.002, 0.001, 0.0004, 0.0],
        hold=0.0,
    )
    inside = np.concatenate([np.linspace(inside[0], inside[1], 5)[:-1], inside[1:]])
    outside = _lid_outside(inside[-1], radius, 0.0, height)
    return _standing([("Prehend Tin", np.concatenate([inside, outside[1:]]))])


def _lid_outside(start: FloatArray, radius: float, low: float, high: float) -> FloatArray:
    """Profile of a lid's wall and top, from a point below on. Shape (n, 2)."""
    points = round_corners(
        [
            (float(start[0]), float(start[1])),
            (radius, low + 0.0008),
            (radius, low + 0.003),
            (radius - 0.0005, low + 0.0035),
            (radius - 0.0005, high - 0.003),
            (radius - 0.003, high),
            (0.80 * radius, high),
            (0.78 * radius, high - 0.0008),
            (0.0, high - 0.0008),
        ],
        [0.0, 0.0004, 0.0003, 0.0003, 0.001, 0.002, 0.0004, 0.0004, 0.0],
        hold=0.0,
    )
    return np.concatenate([points[:-1], np.linspace(points[-2], points[-1], 5)[1:]])


def build_plate(*, radius: float = 0.105, height: float = 0.020) -> MeshData:
    """A dessert plate of porcelain, its rim level."""
    thick = 0.0045
    below = smooth_curve(
        [
            (0.0, 0.0035),
            (0.40 * radius, 0.0035),
            (0.50 * radius, 0.0006),
            (0.545 * radius, 0.0),
            (0.585 * radius, 0.0016),
            (0.66 * radius, height - thick - 0.006),
            (0.76 * radius, height - thick - 0.0015),
            (0.97 * radius, height - thick),
        ],
        40,
    )
    below[0] = (0.0, 0.0035)
    angles = np.linspace(-np.pi / 2.0, np.pi / 2.0, 7)
    centre, half = np.array([below[-1, 0], height - thick / 2.0]), thick / 2.0
    rim = centre + half * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    above = smooth_curve(
        [
            rim[-1],
            (0.76 * radius, height - 0.0018),
            (0.67 * radius, height - 0.0062),
            (0.58 * radius, 0.0078),
            (0.45 * radius, 0.0072),
            (0.0, 0.0072),
        ],
        34,
    )
    return _standing([("Prehend Porcelain", np.concatenate([below, rim[1:], above[1:]]))], columns=72)


def build_coin(*, radius: float = 0.01288, height: float = 0.0022) -> MeshData:
    """A two-euro sized coin with a raised rim and a core of another metal."""
    core, rim = 0.70 * radius, 0.93 * radius

    def face(level: float, sign: float) -> FloatArray:
        low = level - sign * 0.00012
        return np.array([(core, low), (rim - 0.0003, low), (rim, level), (radius - 0.0002, level)])

    def middle(level: float, sign: float) -> FloatArray:
        low = level - sign * 0.00012
        return np.linspace((0.0, low), (core, low), 4)

    edge = np.array([(radius - 0.0002, 0.0), (radius, 0.0002), (radius, height - 0.0002), (radius - 0.0002, height)])
    gold, silver = "Prehend Gold", "Prehend Nickel"
    sections: list[Section] = [
        (gold, middle(0.0, -1.0)),
        (silver, np.concatenate([face(0.0, -1.0), edge[1:], face(height, 1.0)[-2::-1]])),
        (gold, middle(height, 1.0)[::-1]),
    ]
    return _standing(sections, columns=56)


def _standing(sections: list[Section], *, columns: int = 64) -> MeshData:
    builder = SurfaceBuilder()
    add_lathe(builder, sections, columns=columns)
    return on_table(builder.build())
