# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How much room two solids both claim."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from ...core.arrays import FloatArray, IntArray, frozen_floats
from ...core.errors import PrehendError

CELL = 1e-3
"""Distance of the grid's points in [m]."""
BLOCK = 8
"""Points along the side of a block that is looked at as a whole first."""
SLACK = 1.25
"""How much farther than a block's corners a surface must be for the block to be passed over."""
_CHUNK = 64

DistanceField = Callable[[FloatArray], FloatArray]


class BadGridError(PrehendError):
    """A box or a cell that makes no grid."""


def intersection_volume(
    first: DistanceField, second: DistanceField, low: ArrayLike, high: ArrayLike, *, cell: float = CELL
) -> float:
    """Volume in [m^3] inside both of two solids: points of a grid inside both, each for a cell.

    Args:
        first: Signed distances in [m], negative inside: shape (k, 3) to (k,). Never much longer than the truth.
        second: Likewise.
        low: Lowest corner of the box that is looked through in [m]. Shape (3,).
        high: Highest corner. Shape (3,).
        cell: Distance of the grid's points in [m].

    Raises:
        BadGridError: The cell is not positive, or the corners are not finite.
    """
    start, end = frozen_floats(low, (3,), "low"), frozen_floats(high, (3,), "high")
    if not (np.isfinite(start).all() and np.isfinite(end).all() and np.isfinite(cell) and cell > 0.0):
        raise BadGridError("A grid needs finite corners and a positive cell size: measure the objects first.")
    number = np.maximum(np.ceil((end - start) / cell).astype(np.int64), 0)
    if not number.all():
        return 0.0
    blocks = BLOCK * _lattice(-(-number // BLOCK))
    centres = start + cell * (blocks + BLOCK / 2.0)
    reach = SLACK * np.sqrt(3.0) * cell * BLOCK / 2.0
    for solid in (first, second):
        near = solid(centres) < reach
        blocks, centres = blocks[near], centres[near]
    inner = _lattice(np.full(3, BLOCK))
    count = 0
    for k in range(0, len(blocks), _CHUNK):
        nodes = (blocks[k : k + _CHUNK, None] + inner).reshape(-1, 3)
        points = start + cell * (nodes[np.all(nodes < number, axis=1)] + 0.5)
        points = points[first(points) < 0.0]
        count += int(np.count_nonzero(second(points) < 0.0)) if len(points) else 0
    return count * cell**3


def _lattice(number: IntArray) -> IntArray:
    """All triples of whole numbers below those given. Shape (n, 3)."""
    i, j, k = (int(each) for each in number)
    return np.indices((i, j, k), dtype=np.int64).reshape(3, -1).T
