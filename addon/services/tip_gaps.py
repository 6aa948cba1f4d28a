# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which fingertips did not arrive at their targets, and how far away they are now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..rig.tips import read_missed
from .tips import GOOD_GAP


@dataclass(frozen=True, eq=False)
class TipGap:
    """One fingertip and its target, in the world."""

    finger: str
    tip: FloatArray
    """In [m]. Shape (3,)."""
    target: FloatArray
    """In [m]. Shape (3,)."""

    @property
    def text(self) -> str:
        """The distance for people."""
        gap = float(np.linalg.norm(self.target - self.tip))
        return f"{1000.0 * gap:.1f} mm" if gap < 0.1 else f"{100.0 * gap:.1f} cm"


def find_gaps(scene: Any) -> list[TipGap]:
    """Fingertips of a scene that were last seen not to reach their targets, and do not now either.

    This is drawn at every redraw, so it goes by notes with the targets and builds no hand.
    """
    gaps = [TipGap(*each) for each in read_missed(scene.objects)]
    return [gap for gap in gaps if GOOD_GAP < float(np.linalg.norm(gap.target - gap.tip)) < np.inf]
