# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far nodes away from the surface are from it at least."""

from __future__ import annotations

import numpy as np

from ...core.arrays import BoolArray, FloatArray
from .resolution import STRIDE, Box
from .samples import GAP

_DIAGONAL = np.sqrt(3.0)


def least_distances(touched: BoolArray, box: Box) -> FloatArray:
    """Lower bounds of the unsigned distance in [m] at all nodes. Shape `box.shape`.

    Distances to the blocks of cells that the surface passes through are found at nodes STRIDE cells apart and
    interpolated. A distance d falls by no more than the way travelled and bends up by no more than 1 / d;
    interpolating over steps H at the fractions t of a step hence gives too much by at most H sqrt(S) and by
    H^2 S / 2d, S the sum of t (1 - t) over the axes. The lesser of the two is taken off.

    Args:
        touched: Cells, by their lowest node, that hold a sample of the surface. Shape `box.shape`.
        box: The grid.
    """
    step = STRIDE * box.cell
    values = step * _block_distances(touched).astype(np.float64) - GAP * box.cell
    spread = np.zeros((1, 1, 1))
    for axis in range(3):
        values = _upsampled(values, axis)
        t = (np.arange(box.shape[axis]) % STRIDE) / STRIDE
        spread = spread + np.expand_dims(t * (1.0 - t), tuple(other for other in range(3) if other != axis))
    least = np.maximum(values - _DIAGONAL * step, 1e-3 * step)
    values -= np.minimum(step * np.sqrt(spread), step * step * spread / (2.0 * least))
    return np.maximum(values, 0.0)


def _block_distances(touched: BoolArray) -> FloatArray:
    """Distances, in blocks, of the blocks' corners to the nearest touched block. Shape: blocks + 1 each way."""
    blocks = touched[:-1, :-1, :-1]
    for axis in range(3):
        shape = blocks.shape
        blocks = blocks.reshape(*shape[:axis], shape[axis] // STRIDE, STRIDE, *shape[axis + 1 :]).any(axis=axis + 1)
    squares = np.where(blocks, np.float32(0.0), np.float32(1e6))
    # The squared distance is a sum over the axes, so that the minimum is found axis by axis.
    for _ in range(3):
        number = int(squares.shape[0])
        ahead = np.arange(number + 1, dtype=np.int64)[:, None] - np.arange(number, dtype=np.int64)
        gaps = np.maximum(np.maximum(-ahead, ahead - 1), 0).astype(np.float32) ** 2
        rows = squares.reshape(number, -1)
        lowest = np.stack([(rows + gap[:, None]).min(axis=0) for gap in gaps])
        squares = np.moveaxis(lowest.reshape(number + 1, *squares.shape[1:]), 0, -1)
    return np.sqrt(squares)


def _upsampled(values: FloatArray, axis: int) -> FloatArray:
    values = np.moveaxis(values, axis, -1)
    t = np.arange(STRIDE) / STRIDE
    fine = (values[..., :-1, None] * (1.0 - t) + values[..., 1:, None] * t).reshape(*values.shape[:-1], -1)
    return np.moveaxis(np.concatenate([fine, values[..., -1:]], axis=-1), -1, axis)
