# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a hand's joints and fingertips are, from its angles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray
from ..core.articulation import joint_frames
from ..core.rotations import angles_from_rotation
from .model import HandModel


@dataclass(frozen=True, eq=False)
class HandFrames:
    """Joint frames of one or many postures, in the hand's frame."""

    rotations: FloatArray
    """Joint frames. Shape (..., m, 3, 3)."""
    origins: FloatArray
    """Joint positions in [m]. Shape (..., m, 3)."""
    tips: FloatArray
    """Fingertips in [m]. Shape (..., f, 3)."""


def forward(model: HandModel, angles: ArrayLike) -> HandFrames:
    """Joint frames and fingertips of one or many postures.

    Args:
        model: The hand.
        angles: Flexion, abduction and twist in [rad]. Shape (..., m, 3).
    """
    frames = joint_frames(model.articulation, angles)
    last = model.last_joints
    return HandFrames(
        rotations=frames.rotations,
        origins=frames.origins,
        tips=frames.origins[..., last, :] + frames.rotations[..., 2][..., last, :] * model.lengths[last][:, None],
    )


def angles_from_frames(model: HandModel, rotations: ArrayLike) -> FloatArray:
    """Angles in [rad] of joint frames in the hand's frame. Shape (..., m, 3, 3) to (..., m, 3)."""
    frames = np.asarray(rotations, dtype=np.float64)
    rooted = model.parents < 0
    before = np.where(rooted[:, None, None], np.eye(3), frames[..., np.maximum(model.parents, 0), :, :])
    local = np.swapaxes(before @ model.zeros, -1, -2) @ frames
    return angles_from_rotation(local) * model.signs
