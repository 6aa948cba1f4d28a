# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How large a hand is, and what of an object is thick enough for it to notice."""

from __future__ import annotations

from ..core.arrays import FloatArray
from ..hands.model import HandModel
from ..hands.movements import hand_scale
from ..solvers.hooks import DistanceField
from ..solvers.search import power_of_two
from ..solvers.surface import SHELL_THICKNESS
from .surfaces import WorldSurface

FINE = 0.004
"""Cells of grids that tell walls, in [m] for the hand that movements are made for."""


def size_class(model: HandModel) -> float:
    """The power of two nearest to a hand's scale: 1 for all people, other for giants, dolls and rigs in centimetres."""
    return power_of_two(hand_scale(model))


def hook_fields(surface: WorldSurface, model: HandModel) -> tuple[DistanceField, DistanceField]:
    """Distances in [m] of points in an object's frame, for looking for hooks: quick ones, and such that see thin walls.

    By the grid alone where that is fine enough; thumbs and fingers would go through the walls of a bucket, which are
    thinner than its cells. Sheets are as thick as they would be for a hand of the usual size: a giant's steps would
    pass over them.
    """
    field = surface.surface
    more = 0.0 if field.closed else 0.5 * SHELL_THICKNESS * max(size_class(model) - 1.0, 0.0)

    def quick(points: FloatArray) -> FloatArray:
        return surface.quick_in_frame(points) - more

    def careful(points: FloatArray) -> FloatArray:
        return field.distance(points) - more

    return quick if field.closed and field.box.cell < FINE * hand_scale(model) else careful, careful
