# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hand poses on the other side of a mirror."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray
from ..core.rotations import unit
from .model import HandModel
from .posture import HandPose
from .retarget import retarget


def mirror_pose(
    source: HandModel, target: HandModel, pose: HandPose, *, point: ArrayLike, normal: ArrayLike
) -> HandPose:
    """The pose of `source` as seen in a mirror, for `target`.

    Angles need no change of sign: a model counts them alike on both sides.

    Args:
        source: The hand that has the pose.
        target: Usually the other hand of the same character.
        pose: Its pose.
        point: A point of the mirror in the world in [m]. Shape (3,).
        normal: The mirror's normal. Shape (3,).
    """
    return HandPose(
        angles=retarget(source, target, pose.angles),
        T_world_hand=mirror_frame(pose.T_world_hand, point=point, normal=normal),
    )


def mirror_frame(T_world_hand: ArrayLike, *, point: ArrayLike, normal: ArrayLike) -> FloatArray:
    """A hand's frame as seen in a mirror, its x axis turned round so that it stays right-handed. Shape (4, 4)."""
    n = unit(normal)
    reflection = np.eye(4)
    reflection[:3, :3] -= 2.0 * np.outer(n, n)
    reflection[:3, 3] = 2.0 * n * float(np.dot(np.asarray(point, dtype=np.float64), n))
    return reflection @ np.asarray(T_world_hand, dtype=np.float64) @ np.diag([-1.0, 1.0, 1.0, 1.0])
