# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fills a grid with signed distances: exact ones near the surface, good ones elsewhere."""

from __future__ import annotations

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray
from .far import far_distances
from .field import ExactField, Sheet
from .grid import SignedGrid
from .resolution import Box
from .samples import sample_surface, touched_cells
from .splat import Splat

EXACT = 0.4
"""Points nearer to the surface than this, in cells, are interpolated between exact values only."""
_BAND = np.sqrt(3.0) + EXACT
"""Nodes within this many cells of the surface get exact values: the corners of all cells with such points."""
_SLOPE_LOSS = 0.01
"""What a cell's slope may lack of 1: scanned props then stay within a tenth of a millimetre (measured on fourteen)."""
_PAIRS_PER_NODE = 60
"""Pairs of triangle and node that are measured in the time that a tree takes to find one nearest triangle."""


def build_grid(field: ExactField, box: Box, accuracy: float) -> SignedGrid:
    """The grid of a field's distances.

    Where interpolation near the surface is off by more than the accuracy at a cell's centre, the cell is marked as
    doubtful.
    """
    inside = _inside(field, box)
    samples = sample_surface(field.corners, box)
    touched = touched_cells(samples, box)
    band = _BAND * box.cell + field.half_thickness
    far = np.maximum(far_distances(samples, box) - field.half_thickness, _BAND * box.cell)
    near = _distances(field, box, inside, touched, band)
    values = np.where(np.isfinite(near), near, np.where(inside, -far, far))
    return SignedGrid(box.origin, box.cell, values, _doubtful(field, box, touched, values, accuracy))


def _inside(field: ExactField, box: Box) -> BoolArray:
    if field.inside is None:
        return np.zeros(box.shape, dtype=np.bool_)
    return field.inside.contains_grid(box.origin, box.cell, box.shape)


def _distances(field: ExactField, box: Box, inside: BoolArray, touched: BoolArray, reach: float) -> FloatArray:
    """Exact signed distances in [m] at nodes within reach, infinite elsewhere. Shape `box.shape`."""
    distances = np.full(box.shape, np.inf)
    if field.solid:
        distances = _sheet_distances(field.solid, box, touched, reach)
        distances = np.where(inside & np.isfinite(distances), -distances, distances)
    if field.shell:
        distances = np.minimum(distances, _sheet_distances(field.shell, box, touched, reach) - field.half_thickness)
    return distances


def _sheet_distances(sheet: Sheet, box: Box, touched: BoolArray, reach: float) -> FloatArray:
    """Unsigned distances in [m] at nodes within reach, infinite elsewhere. Shape `box.shape`.

    Coarse meshes are measured triangle by triangle, dense ones node by node.
    """
    cells = touched
    for _ in range(int(np.ceil(reach / box.cell)) - 1):
        cells = _grown(cells)
    nodes = np.flatnonzero(_corners_of(cells))
    # Even a triangle of no size has this many nodes round it.
    fewest = (2.0 * reach / box.cell) ** 3
    if fewest * len(sheet.corners) < _PAIRS_PER_NODE * len(nodes):
        splat = Splat(sheet.corners, box, reach)
        if splat.pairs < _PAIRS_PER_NODE * len(nodes):
            return splat.distances()
    distances = np.full(int(np.prod(box.shape)), np.inf)
    distances[nodes] = sheet.distances(_positions(box, nodes), reach)
    return distances.reshape(box.shape)


def _doubtful(field: ExactField, box: Box, touched: BoolArray, values: FloatArray, accuracy: float) -> BoolArray:
    """Cells near the surface that interpolate badly. Shape `box.shape`.

    Those whose centre is off by more than the accuracy, and those whose values do not rise by 1 m a metre, as between
    the two sides of an edge or a thin wall.
    """
    nx, ny, nz = box.shape
    centers = Box(box.origin + box.cell / 2.0, box.cell, (nx - 1, ny - 1, nz - 1))
    # A cell reaches out half a diagonal from its centre.
    reach = (np.sqrt(0.75) + EXACT) * box.cell + field.half_thickness
    exact = _distances(field, centers, _inside(field, centers), touched[:-1, :-1, :-1], reach)
    i, j, k = np.nonzero(np.isfinite(exact))
    corners = np.stack([values[i + x, j + y, k + z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    cube = corners.reshape(2, 2, 2, -1)
    rises = [(np.take(cube, 1, axis) - np.take(cube, 0, axis)).mean(axis=(0, 1)) for axis in range(3)]
    slope = np.linalg.norm(rises, axis=0) / box.cell
    bad = (np.abs(exact[i, j, k] - corners.mean(axis=0)) > accuracy) | (slope < 1.0 - _SLOPE_LOSS)
    doubtful = np.zeros(box.shape, dtype=np.bool_)
    doubtful[i[bad], j[bad], k[bad]] = True
    return doubtful


def _positions(box: Box, flat: IntArray) -> FloatArray:
    return box.origin + box.cell * np.stack(np.unravel_index(flat, box.shape), axis=1)


def _grown(cells: BoolArray) -> BoolArray:
    """The cells and their neighbours, over corners too."""
    for axis in range(3):
        here = np.moveaxis(cells, axis, 0)
        grown = here.copy()
        grown[1:] |= here[:-1]
        grown[:-1] |= here[1:]
        cells = np.moveaxis(grown, 0, axis)
    return cells


def _corners_of(cells: BoolArray) -> BoolArray:
    """Nodes that are a corner of one of the cells."""
    for axis in range(3):
        here = np.moveaxis(cells, axis, 0)
        grown = here.copy()
        grown[1:] |= here[:-1]
        cells = np.moveaxis(grown, 0, axis)
    return cells
