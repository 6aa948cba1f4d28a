# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a chosen grasp type asks of a grasp: its kind's quality formula, and which regions of the skin touch.

Caputo 2015, 5.5, rates power grasps by how near the hook the grasp centre and the bones are that touch first, and
precision grasps by the grasp centre and the tips of thumb and index finger. The same is done here on the ranking's
terms, each 0 to 1: `hold` is that nearness, of bones for power and of tips for precision grasps; intermediate ones,
which press with a tip on a finger's side, take the thumb by its tip and the others by the bones that touch. What else
counts follows: power grasps lie on palm and bones, precision grasps only on the pads they are named by.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ...core.arrays import BoolArray, FloatArray
from ...core.contact_regions import RegionWishes, match_regions
from ..closing import ClosingHand, Distance, Nearness, Skinned
from ..contact_patches import measure_patches

if TYPE_CHECKING:
    from .problem import Attempt, Weights

POWER, INTERMEDIATE, PRECISION = "power", "intermediate", "precision"
FORMULAS: Mapping[str, Mapping[str, float]] = {
    POWER: {"centre": 1.0, "wrap": 1.5, "palm": 1.5, "fingers": 1.0, "faces": 4.0, "hold": 1.0},
    INTERMEDIATE: {"centre": 0.8, "wrap": 0.4, "palm": 0.5, "fingers": 0.3, "faces": 6.0, "hold": 0.8},
    PRECISION: {"centre": 1.2, "wrap": 0.0, "palm": 0.0, "fingers": 0.0, "faces": 6.0, "hold": 1.2},
}
"""By what the ranking's weights are multiplied for each kind; weights that are not named stay."""
HOLD = 0.5
"""Weight of the nearness of bones or tips to the hook, before its factor."""
_NEAR = 0.06
"""Distance from the hook in [m] at which a third of that nearness is left; the hand's grasps are of this size."""
_WITHIN = 2e-3
_WORST = 0.4


@dataclass(frozen=True, eq=False)
class Demand:
    """What a type asks for on one hand."""

    kind: str
    """"power", "intermediate" or "precision"."""
    regions: RegionWishes
    """What has to touch."""
    axes: FloatArray
    """Both ends of every bone's middle line in its own frame in [m], the palm last. Shape (m + 1, 2, 3)."""

    def weighted(self, weights: Weights) -> Weights:
        """The ranking's weights for grasps of this kind."""
        known = {name: factor for name, factor in FORMULAS[self.kind].items() if name != "hold"}
        return replace(weights, **{name: factor * getattr(weights, name) for name, factor in known.items()})

    @property
    def hold(self) -> float:
        """Weight of `hold_term`."""
        return HOLD * FORMULAS[self.kind]["hold"]

    def met(
        self,
        skin: Skinned,
        angles: FloatArray,
        wrists: FloatArray,
        distance: Distance,
        normals: Callable[[FloatArray], FloatArray],
        *,
        reach: float = 1e-3,
    ) -> FloatArray:
        """How far the right regions of the skin touch, 0 to 1: on the whole, and the worst of them. Shape (a,)."""
        patches = measure_patches(skin, angles, wrists, distance, axes=self.axes, within=_WITHIN, normals=normals)
        match = match_regions(self.regions, patches, reach=reach)
        return (1.0 - _WORST) * match.mean(axis=1) + _WORST * match.min(axis=1)


def hold_term(hand: ClosingHand, attempt: Attempt, kind: str, near: Nearness, touching: float) -> FloatArray:
    """How near the hook a hand holds, 0 to 1: by the bones that touch first, or by its tips. Shape (a,).

    Args:
        hand: The hand.
        attempt: What was tried.
        kind: Of the type.
        near: The nearest skin of every bone.
        touching: Gap in [m] up to which skin touches.
    """
    total = np.zeros(len(near.gaps))
    fingers = _counted(hand, attempt.fingers, kind)
    for f in fingers:
        joints = [int(j) for j in hand.chains[f] if j >= 0]
        by_tip = kind == PRECISION or (kind == INTERMEDIATE and f == hand.thumb)
        if by_tip:
            joints = joints[-1:]
        gaps, points = near.gaps[:, joints], np.nan_to_num(near.points[:, joints])
        touch = gaps <= touching
        first = np.argmax(touch, axis=1)
        rows = np.arange(len(first))
        value = np.exp(-off_hook(attempt, points[rows, first]) / _NEAR)
        # A finger that does not touch holds nothing, however near the hook it is.
        total += np.where(touch.any(axis=1), value, 0.0)
    return total / max(len(fingers), 1)


def off_hook(attempt: Attempt, points: FloatArray) -> FloatArray:
    """Distance in [m] of points (a, 3) from the hook, along a handle for free. Shape (a,)."""
    off = points - attempt.hook
    if attempt.hook_axis is not None:
        half = 0.5 * attempt.hook_length
        off = off - np.clip(off @ attempt.hook_axis, -half, half)[:, None] * attempt.hook_axis
    return np.linalg.norm(off, axis=1)


def _counted(hand: ClosingHand, part: BoolArray, kind: str) -> list[int]:
    """Fingers that the formula counts: for precision the thumb and the first of the others, else all that take part."""
    taking = np.flatnonzero(part).tolist()
    if kind != PRECISION or hand.thumb < 0 or hand.thumb not in taking:
        return taking
    return [hand.thumb, *[f for f in taking if f != hand.thumb][:1]]
