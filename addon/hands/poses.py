# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Named poses on any hand: finger by finger, joint by joint, within the hand's limits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.arrays import FloatArray
from ..presets.poses import FingerAngles, Pose
from .model import HandModel


def pose_angles(model: HandModel, pose: Pose) -> FloatArray:
    """Flexion, abduction and twist in [rad] of every joint of `model` in a pose, clipped to its limits. Shape (m, 3).

    A finger that the pose does not name takes the angles of the one that stands where it does in the row, so that a
    six-fingered hand and a gripper close too. Joints beyond those that the pose names repeat its last; palm bones rest.
    """
    angles = np.array(model.rest_angles)
    for finger in model.fingers:
        wanted = pose.fingers.get(finger) or _standing_for(finger, model, pose)
        for number, joint in enumerate(model.joints(finger)):
            for channel, values in enumerate((wanted.flexion_deg, wanted.abduction_deg, wanted.twist_deg)):
                angles[joint, channel] = np.radians(_joint_value(values, number, repeat=channel == 0))
    return np.clip(angles, model.limits.ranges[..., 0], model.limits.ranges[..., 1])


def stand_in(finger: str, model: HandModel, named: Sequence[str]) -> str | None:
    """Which of the named fingers stands where a finger of `model` does in the row; None for thumbs and empty rows."""
    row = [name for name in model.fingers if name != "thumb"]
    others = [name for name in named if name != "thumb"]
    if finger not in row or not others:
        return None
    share = row.index(finger) / max(len(row) - 1, 1)
    return others[round(share * (len(others) - 1))]


def _standing_for(finger: str, model: HandModel, pose: Pose) -> FingerAngles:
    source = stand_in(finger, model, list(pose.fingers))
    # A gripper's fingers all close alike; sideways they must not follow one finger of a human hand.
    return FingerAngles(flexion_deg=pose.fingers[source].flexion_deg) if source is not None else FingerAngles()


def _joint_value(values: tuple[float, ...], number: int, *, repeat: bool) -> float:
    if number < len(values):
        return values[number]
    return values[-1] if repeat and values else 0.0
