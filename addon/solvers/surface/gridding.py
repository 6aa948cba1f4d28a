# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fills a grid with signed distances: exact ones near the surface, good ones elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray
from ...core.by_axis import length
from .far import far_distances
from .field import ExactField
from .grid import CORNERS, FINE, UNKNOWN, SignedGrid
from .resolution import Box
from .samples import GAP, one_in_each_cell, sample_surface
from .splat import PIECE, Splat

EXACT = 0.4
"""Points nearer to the surface than this, in cells, are interpolated between exact values only."""
_BAND = np.sqrt(3.0) + EXACT
"""Nodes within this many cells of the surface get exact values where they are measured, as are the corners of all cells
with such points."""
_SLOPE_LOSS = 0.01
"""What a cell's slope may lack of 1: scanned props then stay within a tenth of a millimetre (measured on fourteen)."""
_CENTRE_BAND = np.sqrt(0.75) + EXACT
"""The same for the centres of cells, which reach out half a diagonal."""
_PAIRS_PER_NODE = 12
"""Pairs of triangle and node that may be measured for each node near the surface rather than to wait which are needed;
a pair takes a fortieth of the time in which a tree finds one nearest triangle, and a hand needs a fifth of them."""
_MIDDLE_AND_RISES = np.concatenate([np.full((1, 8), 0.125), 0.5 * CORNERS.T - 0.25])
"""Gives, of a cell's corners with x slowest, the value in its middle and how far it rises along each axis. (4, 8)."""


def build_grid(field: ExactField, box: Box, accuracy: float) -> SignedGrid:
    """The grid of a field's distances.

    Coarse meshes are measured triangle by triangle now; for dense ones the nodes near the surface are left to be
    measured when they are needed. Cells that interpolate badly are looked for then in any case.
    """
    inside = _inside(field, box)
    samples, touched = one_in_each_cell(sample_surface(field.corners, box), box)
    half = field.half_thickness / box.cell
    far = far_distances([samples], box) - field.half_thickness
    beyond = np.maximum(far, _BAND * box.cell)
    measure = _Measure(field, box, accuracy, np.where(inside, -beyond, beyond))
    # What the centres of cells may be near to, and from there on what their corners may be near to.
    about = _grown(touched, _layers(_CENTRE_BAND + half))
    near = _grown(about, _layers(_BAND + half) - _layers(_CENTRE_BAND + half))
    values = _splatted(field, box, inside, int(np.count_nonzero(near)))
    if values is None:
        # Cells with points that are interpolated between exact values, and how far all other nodes are at least.
        layers = int(EXACT + GAP + half) + 1
        beyond = np.maximum(far, (layers + 1.0 - GAP - half) * box.cell)
        values = np.where(inside, -beyond, beyond)
        values[_corners_of(_grown(touched, layers))] = np.nan
    else:
        values = np.where(np.isfinite(values), values, measure.far)
    cells = np.full(box.shape, FINE, dtype=np.int8)
    cells[about] = UNKNOWN
    # Above the last nodes there are no cells.
    cells[-1], cells[:, -1], cells[:, :, -1] = FINE, FINE, FINE
    return SignedGrid(box, values, cells, measure)


@dataclass(frozen=True, eq=False)
class _Measure:
    """Exact distances for a grid, node by node and cell by cell."""

    field: ExactField
    box: Box
    accuracy: float
    far: FloatArray
    """Signed distances in [m] for nodes away from the surface. Shape `box.shape`."""

    def nodes(self, flat: IntArray) -> FloatArray:
        """Signed distances in [m] at nodes, exact near the surface. Shape (k,)."""
        far = self.far.reshape(-1)[flat]
        found = self.field.node_distances(self._positions(flat, 0.0), far < 0.0, _BAND * self.box.cell)
        return np.where(np.isfinite(found), found, far)

    def doubts(self, flat: IntArray, corners: FloatArray) -> BoolArray:
        """Whether interpolation misses the exact distance in cells near the surface. Shape (k,).

        Those whose centre is off by more than the accuracy, and those whose values do not rise by 1 m a metre, as
        between the two sides of an edge or a thin wall.
        """
        told: FloatArray = _MIDDLE_AND_RISES @ corners
        centres, middle = self._positions(flat, 0.5), told[0]
        # The side that the corners speak for, and at the surface itself that of the nearest face: where they are wrong,
        # between several faces, values do not rise.
        exact = self.field.node_distances(centres, middle < 0.0, _CENTRE_BAND * self.box.cell)
        close = (np.abs(exact) < 4.0 * self.accuracy).nonzero()[0]
        if len(close) and not self.field.half_thickness:
            exact[close] = np.where(self.field.behind(centres[close]), -1.0, 1.0) * np.abs(exact[close])
        slope = length(told[1:]) / self.box.cell
        bad = (np.abs(exact - middle) > self.accuracy) | (slope < 1.0 - _SLOPE_LOSS)
        return bad & np.isfinite(exact)

    def _positions(self, flat: IntArray, shift: float) -> FloatArray:
        """Positions in [m] of nodes, shifted by a share of a cell along all axes. Shape (k, 3)."""
        out = np.empty((len(flat), 3))
        rest, out[:, 2] = np.divmod(flat, self.box.shape[2])
        out[:, 0], out[:, 1] = np.divmod(rest, self.box.shape[1])
        out += shift
        out *= self.box.cell
        out += self.box.origin
        return out


def _inside(field: ExactField, box: Box) -> BoolArray:
    if field.inside is None:
        return np.zeros(box.shape, dtype=np.bool_)
    return field.inside.contains_grid(box.origin, box.cell, box.shape)


def _splatted(field: ExactField, box: Box, inside: BoolArray, nodes: int) -> FloatArray | None:
    """Exact signed distances in [m] near the surface by its triangles, infinite elsewhere; None if they are too many.

    Args:
        field: The triangles.
        box: The grid.
        inside: Nodes inside solids. Shape `box.shape`.
        nodes: About how many nodes are near the surface.
    """
    # Even a triangle of no size has this many nodes round it.
    if (2.0 * _BAND) ** 3 * len(field.corners) > _PAIRS_PER_NODE * nodes:
        return None
    # Long triangles are cut, but all of their pieces have more nodes round them than one.
    one, other, third = field.corners.transpose(1, 0, 2)
    spans = np.maximum(np.maximum(one, other), third) - np.minimum(np.minimum(one, other), third)
    around = np.minimum(spans / box.cell, PIECE) + 2.0 * _BAND
    if float((around[:, 0] * around[:, 1] * around[:, 2]).sum()) > _PAIRS_PER_NODE * nodes:
        return None
    distances = np.full(box.shape, np.inf)
    for sheet, half in ((field.solid, 0.0), (field.shell, field.half_thickness)):
        if sheet is not None:
            splat = Splat(sheet.corners, box, _BAND * box.cell + half)
            if splat.pairs > _PAIRS_PER_NODE * nodes:
                return None
            found = splat.distances() - half
            distances = np.minimum(distances, np.where(inside, -found, found) if sheet is field.solid else found)
    return np.where(np.isneginf(distances), np.inf, distances)


def _layers(reach: float) -> int:
    """How many layers of cells round those with a sample may have points within reach, in cells."""
    return int(np.ceil(reach)) - 1


def _grown(cells: BoolArray, layers: int) -> BoolArray:
    """The cells and some layers of those round them."""
    row = cells.reshape(-1).copy()
    for _ in range(layers):
        for step in _steps(cells):
            before = row.copy()
            row[step:] |= before[:-step]
            row[:-step] |= before[step:]
    return row.reshape(cells.shape)


def _corners_of(cells: BoolArray) -> BoolArray:
    """Nodes that are a corner of one of the cells."""
    row = cells.reshape(-1).copy()
    for step in _steps(cells):
        row[step:] |= row[:-step].copy()
    return row.reshape(cells.shape)


def _steps(cells: BoolArray) -> tuple[int, int, int]:
    """From a cell to the next along each axis, with all cells in one row, which is much faster to go through.

    What runs over an end marks a cell at the other, of which nothing comes but that it is measured, too.
    """
    _, ny, nz = cells.shape
    return ny * nz, nz, 1
