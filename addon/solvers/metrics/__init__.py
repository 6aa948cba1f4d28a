# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a grasp is worth in numbers."""

from .closure import EDGES, FRICTION, ForceClosure, contact_wrenches, force_closure
from .opposition import Opposition, measure_opposition
from .overlap import CELL, intersection_volume

__all__ = [
    "CELL",
    "EDGES",
    "FRICTION",
    "ForceClosure",
    "Opposition",
    "contact_wrenches",
    "force_closure",
    "intersection_volume",
    "measure_opposition",
]
