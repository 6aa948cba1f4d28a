# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Products of many vectors that lie axis by axis: numpy is slow along axes as short as three."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.floating[Any]]
"""Shape (3, k), in single or double precision; so are products."""


def dot(one: Vectors, other: Vectors) -> NDArray[Any]:
    """Dot products. Shape (k,)."""
    return one[0] * other[0] + one[1] * other[1] + one[2] * other[2]


def length(vectors: Vectors) -> NDArray[Any]:
    """Euclidean lengths. Shape (k,)."""
    return np.sqrt(dot(vectors, vectors))


def cross(one: Vectors, other: Vectors) -> NDArray[Any]:
    """Cross products. Shape (3, k)."""
    (x, y, z), (u, v, w) = one, other
    return np.stack([y * w - z * v, z * u - x * w, x * v - y * u])
