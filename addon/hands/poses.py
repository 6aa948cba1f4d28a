# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Named poses on any hand: finger by finger, joint by joint, within the hand's limits."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from ..core.arrays import FloatArray
from ..presets.poses import FingerAngles, Pose
from .model import HandModel


def pose_angles(model: HandModel, pose: Pose) -> FloatArray:
    """Flexion, abduction and twist in [rad] of every joint of `model` in a pose, clipped to its limits. Shape (m, 3).

    A finger that the pose does not name takes the angles of the one that stands where it does in the row, so that a
    six-fingered hand and a gripper close too. Joints beyond those that the pose names repeat its last; palm bones rest.
    """
    angles = finger_angles(model, pose.fingers, np.array(model.rest_angles))
    return np.clip(angles, model.limits.ranges[..., 0], model.limits.ranges[..., 1])


def finger_angles(model: HandModel, fingers: Mapping[str, FingerAngles], start: FloatArray) -> FloatArray:
    """Angles in [rad] of `model` that named fingers ask for, whatever its limits; palm bones as in `start` (m, 3)."""
    angles = np.array(start)
    for finger in model.fingers:
        wanted = fingers.get(finger) or _standing_for(finger, model, fingers)
        joints = model.joints(finger)
        channels = (wanted.flexion_deg, wanted.abduction_deg, wanted.twist_deg)
        rows = [
            [_joint_value(values, number, repeat=channel == 0) for channel, values in enumerate(channels)]
            for number in range(len(joints))
        ]
        angles[joints] = np.radians(rows).reshape(-1, 3)
    return angles


def blend_pose(
    model: HandModel, now: FloatArray, pose: Pose, *, factor: float = 1.0, fingers: Collection[str] | None = None
) -> FloatArray:
    """A posture (m, 3) in [rad] on its way to a pose; palm bones go along when all fingers do.

    Args:
        model: The hand.
        now: Its present angles in [rad]. Shape (m, 3).
        pose: Where it goes.
        factor: 0 stays, 1 arrives.
        fingers: Names of the fingers that go; all of them if not given.
    """
    goal = pose_angles(model, pose)
    if fingers is not None:
        goes = np.array([model.fingers[int(f)] in fingers for f in model.finger_of])
        goal = np.where(goes[:, None], goal, now)
    return now + factor * (goal - now)


def pose_from_angles(model: HandModel, angles: FloatArray) -> dict[str, FingerAngles]:
    """The fingers of a pose that this hand shows, in tenths of a degree."""
    out: dict[str, FingerAngles] = {}
    for finger in model.fingers:
        rows = np.degrees(angles[model.joints(finger)]).round(1) + 0.0
        flexion, abduction, twist = (tuple(float(each) for each in rows[:, channel]) for channel in range(3))
        out[finger] = FingerAngles(flexion, abduction if any(abduction) else (), twist if any(twist) else ())
    return out


def stand_in(finger: str, model: HandModel, named: Sequence[str]) -> str | None:
    """Which of the named fingers stands where a finger of `model` does in the row; None for thumbs and empty rows."""
    row = [name for name in model.fingers if name != "thumb"]
    others = [name for name in named if name != "thumb"]
    if finger not in row or not others:
        return None
    share = row.index(finger) / max(len(row) - 1, 1)
    return others[round(share * (len(others) - 1))]


def _standing_for(finger: str, model: HandModel, fingers: Mapping[str, FingerAngles]) -> FingerAngles:
    source = stand_in(finger, model, list(fingers))
    # A gripper's fingers all close alike; sideways they must not follow one finger of a human hand.
    return FingerAngles(flexion_deg=fingers[source].flexion_deg) if source is not None else FingerAngles()


def _joint_value(values: tuple[float, ...], number: int, *, repeat: bool) -> float:
    if number < len(values):
        return values[number]
    return values[-1] if repeat and values else 0.0
