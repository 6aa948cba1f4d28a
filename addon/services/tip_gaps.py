# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which fingertips did not arrive at their targets, and how far away they are now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.errors import PrehendError
from ..rig.read import read_pose
from ..rig.tips import read_missed, target_owners
from .poses import hands_of
from .posture import model_of
from .tips import GOOD_GAP, fingertips


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

    Hands that cannot be measured have none: this is drawn at every redraw, where nothing can be said.
    """
    gaps: list[TipGap] = []
    for armature in target_owners(scene.objects):
        missed = read_missed(armature, scene.objects)
        if not missed or armature.mode == "EDIT":
            continue
        try:
            for hand in hands_of(armature):
                own = [each for each in missed if each.wrist == hand.wrist]
                if own:
                    model = model_of(armature, hand, objects=scene.objects)
                    tips = fingertips(model, read_pose(armature, model))
                    gaps += [TipGap(each.finger, tips[model.fingers.index(each.finger)], each.point) for each in own]
        except (PrehendError, ValueError):
            continue  # ValueError: a finger that the hand no longer has.
    return [gap for gap in gaps if GOOD_GAP < float(np.linalg.norm(gap.target - gap.tip)) < np.inf]
