# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint limits that a user has set on single bones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..core.arrays import FloatArray

_CHANNELS = ("flexion", "abduction", "twist")


def read_own_limits(armature: Any, names: Iterable[str]) -> dict[str, FloatArray]:
    """Ranges in [rad], shape (3, 2), of the named bones that have limits of their own.

    Without a registered extension, as in scripts, no bone has any.
    """
    found: dict[str, FloatArray] = {}
    for name in names:
        bone = armature.data.bones.get(name)
        settings = getattr(bone, "prehend", None)
        if settings is not None and settings.use_own_limits:
            rows = [(getattr(settings, f"{c}_min"), getattr(settings, f"{c}_max")) for c in _CHANNELS]
            found[name] = np.sort(np.array(rows, dtype=np.float64), axis=1)
    return found


def write_own_limits(armature: Any, name: str, ranges: FloatArray) -> None:
    """Give a bone limits of its own, ranges in [rad] of shape (3, 2)."""
    settings = armature.data.bones[name].prehend
    settings.use_own_limits = True
    for channel, (low, high) in zip(_CHANNELS, ranges.tolist(), strict=True):
        setattr(settings, f"{channel}_min", low)
        setattr(settings, f"{channel}_max", high)
