# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The published quality of closed hands (Caputo 2015, 5.5 and 6.5.4): distances to the hook and to the shoulder.

As published the sum falls where fingers touch nothing and fold up beside a small object. Here a finger that does not
touch counts as far away as its tip and as much more as it is long: never less than if any of its bones touched.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray
from ...core.articulation import joint_frames
from ...core.rotations import angles_from_rotation
from ..closing import ClosingHand


@dataclass(frozen=True)
class QualityWeights:
    """What each metre of a distance costs; the published numbers."""

    centre: float = 5.0
    """Grasp centre to hook (gDist)."""
    fingers: float = 1.0
    """Fingers to hook (fDist, or tDist for tips)."""
    wrist: float = 1.0
    """Wrist to shoulder (wDist)."""


@dataclass(frozen=True, eq=False)
class Distances:
    """What the quality is made of, in [m]. Shapes (a,)."""

    centre: FloatArray
    """Grasp centre to hook (gDist)."""
    fingers: FloatArray
    """Hook to the ends of the bones that touched first, or to the tips, over the fingers (fDist, tDist)."""
    wrist: FloatArray
    """Wrist to shoulder (wDist)."""
    touching: IntArray
    """Fingers that touch."""


@dataclass(frozen=True)
class WristRange:
    """How far the hook's frame may turn from where a search began (6.5.4), in [rad]."""

    roll_up: float = float(np.radians(145.0))
    """About z, clockwise for who looks along a right arm: the palm comes up."""
    roll_down: float = float(np.radians(70.0))
    """About z the other way."""
    bend: float = float(np.radians(45.0))
    """About x, both ways."""
    aside: float = float(np.radians(30.0))
    """About y, both ways."""

    def allows(self, start: FloatArray, rotations: FloatArray, *, left: bool = False) -> BoolArray:
        """Which frames (a, 3, 3) are within the range of a start (3, 3); left hands roll the other way. Shape (a,)."""
        turn = angles_from_rotation(start.T @ rotations)
        roll = -turn[:, 2] if left else turn[:, 2]
        return (
            (roll <= self.roll_up + 1e-9)
            & (roll >= -self.roll_down - 1e-9)
            & (np.abs(turn[:, 0]) <= self.bend + 1e-9)
            & (np.abs(turn[:, 1]) <= self.aside + 1e-9)
        )


def bone_ends(hand: ClosingHand) -> FloatArray:
    """Where each joint's bone ends in its own frame in [m]: at the next joint, the last at its tip. Shape (m, 3)."""
    out = np.zeros((len(hand.finger_of), 3))
    for chain in hand.chains:
        joints = chain[chain >= 0].tolist()
        for joint, after in pairwise(joints):
            out[joint] = hand.articulation.offsets[after]
        ends = hand.volumes.ends[hand.volumes.joints == joints[-1]].reshape(-1, 3)
        if len(ends):
            out[joints[-1]] = ends[int(np.argmax(np.linalg.norm(ends, axis=1)))]
    return out


def first_touching(hand: ClosingHand, reached: FloatArray) -> IntArray:
    """The bone of each finger that touched first: the last of those that came least far (algorithm 7). Shape (a, f).

    Args:
        hand: The hand.
        reached: How far each joint came. Shape (a, m).
    """
    chains = hand.chains[:, ::-1]
    came = np.where(chains >= 0, reached[:, chains], np.inf)
    return chains[np.arange(len(chains)), np.argmin(came, axis=2)]


def measure_distances(
    hand: ClosingHand,
    ends: FloatArray,
    wrists: FloatArray,
    angles: FloatArray,
    reached: FloatArray,
    touched: BoolArray,
    *,
    fingers: BoolArray,
    hook: FloatArray,
    centre: FloatArray,
    shoulder: FloatArray | None,
    tips: bool,
) -> Distances:
    """What the quality of closed hands is made of.

    Args:
        hand: The hand.
        ends: Its `bone_ends`.
        wrists: Its frames in [m]. Shape (a, 3, 4).
        angles: Its closed postures in [rad]. Shape (a, m, 3).
        reached: How far each joint came. Shape (a, m).
        touched: Bones that touched. Shape (a, m).
        fingers: Fingers that count. Shape (f,).
        hook: Where the object is taken in [m]. Shape (3,).
        centre: Grasp centre in the hand's frame in [m]. Shape (3,).
        shoulder: Of the character in [m]; None for a hand without. Shape (3,).
        tips: Whether tips count, and not the bones that touched first.
    """
    frames = joint_frames(hand.articulation, angles)
    # The hook in the hand's frame: one point to turn for each hand, and not all bones.
    local = np.einsum("aij,ai->aj", wrists[:, :, :3], hook - wrists[:, :, 3])
    reach = np.einsum("amij,mj->ami", frames.rotations, ends) + frames.origins
    away = np.linalg.norm(reach - local[:, None], axis=2)
    lengths = np.linalg.norm(ends, axis=1)
    real = hand.chains >= 0
    last = hand.chains[np.arange(len(real)), real.sum(axis=1) - 1]
    touch: BoolArray = np.asarray((touched[:, hand.chains] & real).any(axis=2))
    tip = away[:, last]
    near = tip if tips else away[np.arange(len(wrists))[:, None], first_touching(hand, reached)]
    far = tip + np.where(real, lengths[hand.chains], 0.0).sum(axis=1)
    spans: FloatArray = np.asarray(np.where(touch, near, far), dtype=np.float64)
    counted: FloatArray = np.asarray(np.sum(spans, axis=1, where=fingers))
    return Distances(
        centre=np.linalg.norm(local - centre, axis=1),
        fingers=counted,
        wrist=np.zeros(len(wrists)) if shoulder is None else np.linalg.norm(wrists[:, :, 3] - shoulder, axis=1),
        touching=touch[:, fingers].sum(axis=1),
    )


def quality(distances: Distances, weights: QualityWeights) -> FloatArray:
    """The published sum, 5.1 for power and 5.2 for precision. Shape (a,)."""
    return -(weights.centre * distances.centre + weights.fingers * distances.fingers + weights.wrist * distances.wrist)
