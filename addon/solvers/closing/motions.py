# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the joints of a hand are in many postures, as rows that points are made of."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.arrays import FloatArray
from ...core.articulation import JointFrames


@dataclass(frozen=True, eq=False)
class Motions:
    """Joint motions of many postures in the world."""

    rows: FloatArray
    """Columns of each joint's frame and its origin along every chain, the wrist last. Shape (a, f, 4 (l + 1), 3)."""
    joints: FloatArray
    """The same joint by joint, the wrist last. Shape (a, m + 1, 4, 3)."""
    frames: JointFrames
    """Joint frames in the hand's frame. Shapes (a, m, 3, 3) and (a, m, 3)."""
    wrists: FloatArray
    """The hand's frames in the world. Shape (a, 3, 4)."""
