# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Array types and the one check that frozen dataclasses run on their arrays."""

from __future__ import annotations

from typing import Any, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import ShapeError

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]


def frozen_floats(values: ArrayLike, shape: tuple[int, ...], name: str) -> FloatArray:
    """A read-only float64 copy of `values`, whose shape is checked; -1 in `shape` takes any length."""
    return _frozen(values if _is_frozen(values, np.float64) else np.array(values, dtype=np.float64), shape, name)


def frozen_ints(values: ArrayLike, shape: tuple[int, ...], name: str) -> IntArray:
    """A read-only int64 copy of `values`, whose shape is checked; -1 in `shape` takes any length."""
    return _frozen(values if _is_frozen(values, np.int64) else np.array(values, dtype=np.int64), shape, name)


def frozen_bools(values: ArrayLike, shape: tuple[int, ...], name: str) -> BoolArray:
    """A read-only bool copy of `values`, whose shape is checked; -1 in `shape` takes any length."""
    return _frozen(np.array(values, dtype=np.bool_), shape, name)


def _is_frozen(values: ArrayLike, kind: type[np.generic]) -> TypeGuard[NDArray[Any]]:
    """Whether nobody can change an array of that kind any more, so that it need not be copied."""
    return type(values) is np.ndarray and values.dtype == kind and values.base is None and not values.flags.writeable


def _frozen(array: NDArray[Any], shape: tuple[int, ...], name: str) -> NDArray[Any]:
    fits = array.ndim == len(shape) and all(
        wanted in (-1, found) for wanted, found in zip(shape, array.shape, strict=True)
    )
    if not fits:
        raise ShapeError(name, expected=shape, found=array.shape)
    array.setflags(write=False)
    return array
