# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Mug, and cup on a saucer."""

from __future__ import annotations

import numpy as np

from ..mesh import MeshData
from .handle import HandleSize, add_handle, wall_with_openings
from .lathe import add_lathe
from .placement import on_table
from .profile import round_corners, smooth_curve
from .surface import SurfaceBuilder

RESTING_GAP = 0.00005
"""Distance in [m] between two solids that rest on each other, so that they do not overlap."""


def build_mug(*, radius: float = 0.041, height: float = 0.095, wall: float = 0.004, reach: float = 0.033) -> MeshData:
    """A ceramic mug, one surface with its handle; the handle lies along +x.

    Args:
        radius: Outer radius in [m].
        height: Height in [m].
        wall: Thickness of the wall in [m].
        reach: Distance of the handle's centre line from the wall in [m].

    Returns:
        The mesh; the mug's axis is the z axis.
    """
    glaze, inside = "Prehend Mug Glaze", "Prehend Ceramic"
    low, high = 0.009, height - 0.005
    foot = round_corners(
        [
            (0.0, 0.002),
            (radius - 0.011, 0.002),
            (radius - 0.0095, 0.0),
            (radius - 0.0055, 0.0),
            (radius, 0.0055),
            (radius, low),
        ],
        [0.0, 0.001, 0.001, 0.002, 0.004, 0.0],
    )
    size = HandleSize(half_width=0.0065, half_thickness=0.0044, fillet=0.0060)
    joints = (0.024, height - 0.020)
    outside, openings = wall_with_openings(
        [(radius, low), (radius, high)], joints, size, before=len(foot) - 1, spacing=0.0065
    )
    rim = round_corners(
        [(radius, high), (radius, height), (radius - wall, height), (radius - wall, high)], 0.49 * wall, segments=6
    )
    well = round_corners([(radius - wall, high), (radius - wall, 0.0065), (0.0, 0.0065)], 0.010, segments=6, hold=0.3)
    well = np.concatenate([np.linspace(well[0], well[1], 7)[:-1], well[1:-2], np.linspace(well[-2], well[-1], 4)])
    builder = SurfaceBuilder()
    edges = add_lathe(
        builder,
        [(glaze, foot), (glaze, outside), (inside, rim), (inside, well)],
        columns=64,
        openings=openings,
    )
    start, tip = radius + size.fillet, radius + reach
    knots = [
        (start, joints[0]),
        (start + 0.004, joints[0] + 0.0003),
        (start + 0.55 * reach, joints[0] + 0.0060),
        (tip, joints[0] + 0.35 * (joints[1] - joints[0])),
        (tip - 0.0005, joints[1] - 0.014),
        (start + 0.45 * reach, joints[1] - 0.0015),
        (start + 0.003, joints[1]),
        (start, joints[1]),
    ]
    add_handle(builder, edges, knots, size, glaze)
    return on_table(builder.build(), centre=(False, False))


def build_cup_on_saucer(*, radius: float = 0.043, height: float = 0.062, saucer_radius: float = 0.076) -> MeshData:
    """A porcelain cup that rests on its saucer without touching it; the handle lies along +x.

    Args:
        radius: Radius of the cup's rim in [m].
        height: Height of the cup in [m].
        saucer_radius: Radius of the saucer in [m].

    Returns:
        The mesh of two closed surfaces, saucer first; their axis is the z axis.
    """
    builder = SurfaceBuilder()
    well = 0.0062
    _add_saucer(builder, saucer_radius, well)
    _add_cup(builder, radius, height, well + RESTING_GAP)
    return on_table(builder.build(), centre=(False, False))


def _add_saucer(builder: SurfaceBuilder, radius: float, well: float) -> None:
    white, gold = "Prehend Porcelain", "Prehend Gold"
    rim = 0.0195
    below = round_corners(
        [(0.0, 0.0022), (0.0285, 0.0022), (0.030, 0.0), (0.0335, 0.0), (0.0355, 0.0035)],
        [0.0, 0.0008, 0.0008, 0.0012, 0.0],
        segments=3,
        hold=0.0,
    )
    outside = smooth_curve([below[-1], (0.046, 0.0065), (0.060, 0.0115), (radius - 0.001, rim - 0.0022)], 7)
    edge = round_corners(
        [outside[-1], (radius, rim - 0.0012), (radius - 0.0008, rim), (radius - 0.004, rim - 0.0012)],
        0.0009,
        segments=3,
        hold=0.0,
    )
    inside = smooth_curve([edge[-1], (0.060, 0.0145), (0.046, 0.0098), (0.036, 0.0078), (0.0315, well + 0.0012)], 9)
    bottom = round_corners([inside[-1], (0.0295, well), (0.0, well)], [0.0, 0.001, 0.0])
    bottom = np.concatenate([bottom[:-1], np.linspace(bottom[-2], bottom[-1], 3)[1:]])
    add_lathe(builder, [(white, below), (white, outside), (gold, edge), (white, inside), (white, bottom)], columns=60)


def _add_cup(builder: SurfaceBuilder, radius: float, height: float, base: float) -> None:
    white, gold, wall = "Prehend Porcelain", "Prehend Gold", 0.0028
    foot = round_corners(
        [(0.0, 0.0022), (0.0195, 0.0022), (0.0205, 0.0), (0.0235, 0.0), (0.0235, 0.0042)],
        [0.0, 0.0007, 0.0007, 0.0010, 0.0],
        segments=3,
        hold=0.0,
    )
    bowl = smooth_curve(
        [(0.0235, 0.0042), (0.0315, 0.0125), (0.0370, 0.0245), (0.0400, 0.0380), (radius - 0.0009, height - 0.0035)], 60
    )
    size = HandleSize(half_width=0.0042, half_thickness=0.0030, fillet=0.0042)
    joints = (0.021, height - 0.0145)
    outside, openings = wall_with_openings(bowl, joints, size, before=len(foot) - 1, spacing=0.0055)
    lip = round_corners(
        [bowl[-1], (radius, height), (radius - 0.0022, height), (radius - wall - 0.0006, height - 0.0035)],
        [0.0, 0.0009, 0.0009, 0.0],
        segments=3,
        hold=0.0,
    )
    inside = smooth_curve(
        [
            lip[-1],
            (0.0372, 0.0385),
            (0.0342, 0.0262),
            (0.0285, 0.0145),
            (0.0190, 0.0082),
            (0.0080, 0.0062),
            (0.0, 0.0060),
        ],
        14,
    )
    inside[-1, 0] = 0.0
    lift = np.array([0.0, base])
    raised = [(name, points + lift) for name, points in ((white, foot), (white, outside), (gold, lip), (white, inside))]
    edges = add_lathe(builder, raised, columns=56, openings=openings)
    starts = np.interp(joints, bowl[:, 1], bowl[:, 0]) + size.fillet
    knots = [
        (starts[0] + 0.0006, joints[0] - 0.0010),
        (starts[0] + 0.0030, joints[0] - 0.0012),
        (starts[0] + 0.0110, joints[0] + 0.0008),
        (starts[1] + 0.0200, joints[0] + 0.0115),
        (starts[1] + 0.0195, joints[1] - 0.0040),
        (starts[1] + 0.0095, joints[1] + 0.0005),
        (starts[1] + 0.0025, joints[1] + 0.0002),
        (starts[1], joints[1]),
    ]
    add_handle(builder, edges, np.asarray(knots) + lift, size, white)
