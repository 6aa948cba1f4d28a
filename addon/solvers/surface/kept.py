# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Facts about triangles that are computed when they are first asked for, as most of a dense mesh never is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...core.arrays import FloatArray, IntArray


class Kept:
    """Columns of a table, side by side in the order in which they were first asked for.

    A table of all triangles would be spread over memory that the system has to provide page by page, which takes
    longer for a dense mesh than all that is computed.
    """

    def __init__(self, rows: int, count: int, compute: Callable[[IntArray], FloatArray]) -> None:
        """Know nothing yet.

        Args:
            rows: Numbers in a column.
            count: How many columns there may be.
            compute: Gives some columns (rows, k) by their indices (k,).
        """
        self._compute = compute
        self._place = np.full(count, -1, dtype=np.int32)
        self._table = np.empty((rows, 0))
        self._used = 0

    def take(self, index: IntArray) -> FloatArray:
        """Columns, each as often as it is asked for. Shape (rows, k)."""
        place = self._place.take(index)
        if place.min(initial=0) < 0:
            new = np.unique(index[place < 0])
            end = self._used + len(new)
            if end > self._table.shape[1]:
                wider = np.empty((len(self._table), max(end, 2 * self._table.shape[1])))
                wider[:, : self._used] = self._table[:, : self._used]
                self._table = wider
            self._table[:, self._used : end] = self._compute(new)
            self._place[new] = np.arange(self._used, end)
            self._used = end
            place = self._place.take(index)
        return self._table.take(place, axis=1)
