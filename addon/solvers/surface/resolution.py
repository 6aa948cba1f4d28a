# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How fine a grid has to be for a mesh, and how large."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import FloatArray, IntArray, frozen_floats
from .parts import Parts
from .soup import Soup, double_areas

BAND_NODES = 50_000
"""Nodes near the surface that a grid may have: each costs 2 to 3 us."""
ALL_NODES = 800_000
"""Nodes that a grid may have in all: 6 MB."""
STRIDE = 2
"""Cells between nodes of the coarse grid that fills the space away from the surface."""
RESERVE = 2.5
"""How much better than asked for a ball is interpolated, so that most of other shapes is good enough too."""
_MARGIN = 0.12
"""Free space round the mesh inside the box, as a share of its diagonal."""
_MARGIN_CELLS = 3.0


@dataclass(frozen=True, eq=False)
class Box:
    """Where the nodes of a grid are."""

    origin: FloatArray
    """Position of node (0, 0, 0) in [m]. Shape (3,)."""
    cell: float
    """Distance of neighbouring nodes in [m]."""
    shape: tuple[int, int, int]
    """Number of nodes along each axis, a multiple of STRIDE plus 1."""

    def __post_init__(self) -> None:
        """Check the shape once and make the array read-only."""
        object.__setattr__(self, "origin", frozen_floats(self.origin, (3,), "origin"))


def choose_cell(parts: Parts, accuracy: float) -> float:
    """The largest cell size in [m] that interpolates the mesh's distances to the accuracy, as far as budgets go.

    Linear interpolation of a distance misses by c^2 / 8 times the sum of the surface's two curvatures, so c^2 / 4r for
    radius r; r is taken as 3 volume / area, which is a ball's radius and 1.5 times a wall's thickness, and the curves
    of a mesh as RESERVE times tighter.
    """
    area = float(sum(double_areas(soup).sum() for soup in (parts.solid, parts.shell) if len(soup.triangles))) / 2.0
    radius = 3.0 * abs(_volume(parts.solid)) / area
    wanted = np.sqrt(4.0 * radius * accuracy / RESERVE)
    # A band of 2 cells and a bit on either side holds 5 nodes for each cell's face of surface.
    affordable = np.sqrt(5.0 * area / BAND_NODES)
    return float(max(wanted, affordable))


def lay_out(low: FloatArray, high: FloatArray, cell: float) -> Box:
    """A box round a mesh with cells of the wanted size, or larger ones where there would be too many.

    Args:
        low: Lowest coordinates of the mesh in [m]. Shape (3,).
        high: Highest coordinates of the mesh in [m]. Shape (3,).
        cell: Wanted size of a cell in [m].
    """
    margin = _MARGIN * float(np.linalg.norm(high - low))
    while True:
        around = max(margin, _MARGIN_CELLS * cell)
        steps: IntArray = np.ceil((high - low + 2.0 * around) / (cell * STRIDE)).astype(np.int64) * STRIDE
        if float(np.prod(steps + 1.0)) <= ALL_NODES:
            break
        cell *= 1.1
    origin = (low + high) / 2.0 - cell * steps / 2.0
    nx, ny, nz = (int(steps[axis]) + 1 for axis in range(3))
    return Box(origin=origin, cell=cell, shape=(nx, ny, nz))


def _volume(soup: Soup) -> float:
    return float(soup.volumes.sum()) if len(soup.triangles) else 0.0
