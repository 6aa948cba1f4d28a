# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where distances grow, for any way of measuring them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..core.arrays import FloatArray
from ..core.rotations import unit


def slopes(points: FloatArray, distance: Callable[[FloatArray], FloatArray], step: float) -> FloatArray:
    """Unit directions in which the distance grows, by differences over `step` in [m]. Shape (k, 3)."""
    moves = step * np.concatenate([np.eye(3), -np.eye(3)])
    values = distance((points[:, None] + moves).reshape(-1, 3)).reshape(-1, 2, 3)
    return unit(values[:, 0] - values[:, 1])
