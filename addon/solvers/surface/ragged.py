# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists of lists of different lengths, flattened, in batches that are small enough for temporaries to be cheap."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...core.arrays import IntArray


def batches(numbers: IntArray, most: int) -> Iterator[slice]:
    """Runs of items whose numbers add up to no more than `most`, or single items that do."""
    ends = np.cumsum(numbers)
    begin = 0
    while begin < len(numbers):
        base = int(ends[begin - 1]) if begin else 0
        end = max(int(np.searchsorted(ends, base + most, side="right")), begin + 1)
        yield slice(begin, end)
        begin = end


def count_up(numbers: IntArray) -> tuple[IntArray, IntArray]:
    """Each index as often as its number says, and the count from 0 within each."""
    index = np.repeat(np.arange(len(numbers)), numbers)
    return index, np.arange(len(index)) - np.repeat(np.cumsum(numbers) - numbers, numbers)
