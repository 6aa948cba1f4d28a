# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bones of a character move with one arm, whatever they hang on: helpers and twist bones too."""

from __future__ import annotations

import numpy as np

from ..core.arrays import BoolArray, FloatArray
from ..core.skeleton import Skeleton
from .arm import ArmModel
from .model import HandModel

_BESIDE_ARM = 0.25
"""Bones that begin this near to upper arm or forearm, over the upper arm's length, are the arm's."""
_BESIDE_HAND = 0.9
_HAND_LENGTH = 2.3
"""Width and length of a hand over the length of its palm."""


def arm_bones(skeleton: Skeleton, model: HandModel, arm: ArmModel) -> frozenset[str]:
    """Names of the bones that begin in the arm or the hand at rest.

    By where they are: rigs with helper chains do not tell by their hierarchy what moves with an arm.

    Args:
        skeleton: Bones at rest in world metres.
        model: The hand.
        arm: The arm that carries it.
    """
    place = {name: k for k, name in enumerate(skeleton.names)}
    shoulder = skeleton.heads[place[arm.names[0]]]
    elbow = shoulder + arm.lengths[0] * arm.frames[0, :, 2]
    wrist = elbow + arm.lengths[1] * arm.frames[1, :, 2]
    end = wrist + _HAND_LENGTH * model.palm_length * arm.frames[2, :, 2]
    heads = skeleton.heads
    # The shoulder itself is where the body ends: what begins before it is the body's.
    along = (heads - shoulder) @ arm.frames[0, :, 2] > -1e-3 * arm.lengths[0]
    limb = np.minimum(_to_segment(heads, shoulder, elbow), _to_segment(heads, elbow, wrist))
    own: BoolArray = (limb < _BESIDE_ARM * arm.lengths[0]) & along
    own |= _to_segment(heads, wrist, end) < _BESIDE_HAND * model.palm_length
    return frozenset(name for name, mine in zip(skeleton.names, own.tolist(), strict=True) if mine)


def _to_segment(points: FloatArray, start: FloatArray, end: FloatArray) -> FloatArray:
    """Distances of points (n, 3) from a segment, in the points' unit. Shape (n,)."""
    span = end - start
    share = np.clip((points - start) @ span / max(float(span @ span), 1e-18), 0.0, 1.0)
    return np.linalg.norm(points - start - share[:, None] * span, axis=1)
