# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""An arm as solvers see it: shoulder, elbow and wrist with axes and limits, read off a rest pose."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import FloatArray, frozen_floats
from ..core.rotations import frame_from_zx, perpendicular, unit
from ..core.skeleton import Skeleton
from .model import HandModel

_DEG = np.pi / 180.0
# Boone and Azen 1979, means of 109 men, as C. C. Norkin and D. J. White print them ("Measurement of Joint Motion",
# table A.1): shoulder flexion 167, extension 62, abduction 184, medial and lateral rotation 69 and 104, elbow 143,
# pronation and supination 76 and 82, wrist flexion and extension 76 and 75, radial and ulnar deviation 22 and 36
# degrees. Published angles count from a hanging arm and a thumb that points forward, ours from the rest pose, which may
# be anything between arms down and arms out: what turns about a bone is shared out evenly to both sides, and the
# shoulder's flexion is wider than published, so that arms that are out at rest still reach all that is.
_SHOULDER = np.array([[-150.0, 150.0], [-92.0, 92.0], [-86.5, 86.5]]) * _DEG
_ELBOW = 143.0 * _DEG
_FOREARM_TWIST = 0.5 * (76.0 + 82.0) * _DEG
_WRIST_BEND = np.array([-75.0, 76.0]) * _DEG
_RADIAL, _ULNAR = 22.0 * _DEG, 36.0 * _DEG
_STRAIGHT = 3.0 * _DEG
"""An elbow bent by less than this at rest does not tell its axis."""
_LEAST_LENGTH = 0.3
"""Shortest upper arm and forearm over the palm's length; shorter bones lie in one joint."""
_NOT_LIMBS = ("twist", "roll", "mch", "org", "tweak")
"""Words in the names of bones that only help others."""


@dataclass(frozen=True, eq=False)
class ArmModel:
    """Upper arm, forearm and hand at rest in world metres."""

    names: tuple[str, str, str]
    """Bones that shoulder, elbow and wrist turn."""
    anchor: str | None
    """Bone that carries the upper arm, None for a root."""
    frames: FloatArray
    """Joint frames at rest in the world: z along the bone, x the axis of flexion. Shape (3, 3, 3)."""
    joint_in_bone: FloatArray
    """The same in the frames of the bones. Shape (3, 3, 3)."""
    lengths: FloatArray
    """Upper arm, forearm and palm in [m]. Shape (3,)."""
    limits: FloatArray
    """Flexion, abduction and twist from rest in [rad]. Shape (3, 3, 2)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        for name, shape in {
            "frames": (3, 3, 3),
            "joint_in_bone": (3, 3, 3),
            "lengths": (3,),
            "limits": (3, 3, 2),
        }.items():
            object.__setattr__(self, name, frozen_floats(getattr(self, name), shape, name))


def find_arm(skeleton: Skeleton, model: HandModel) -> ArmModel | None:
    """The arm that carries a hand, or None for a hand without one.

    Args:
        skeleton: Bones at rest in world metres.
        model: The hand.
    """
    place = {name: k for k, name in enumerate(skeleton.names)}
    wrist = place[model.binding.wrist]
    carrier = place[model.binding.carrier]
    R_world_hand = skeleton.rotations[carrier] @ model.binding.hand_in_carrier[:3, :3]
    offset = skeleton.rotations[carrier] @ model.binding.hand_in_carrier[:3, 3]
    joints = [skeleton.heads[carrier] + offset]
    bones = [wrist]
    bone = int(skeleton.parents[wrist])
    while bone >= 0 and len(bones) < 3:
        far = np.linalg.norm(skeleton.heads[bone] - joints[-1]) > _LEAST_LENGTH * model.palm_length
        if far and not any(word in skeleton.names[bone].lower() for word in _NOT_LIMBS):
            bones.append(bone)
            joints.append(skeleton.heads[bone])
        bone = int(skeleton.parents[bone])
    if len(bones) < 3:
        return None
    hand, fore, upper = bones
    wrist_at, elbow_at, shoulder_at = joints
    frames, bend = _frames(shoulder_at, elbow_at, wrist_at, R_world_hand)
    limits = np.zeros((3, 3, 2))
    limits[0], limits[2, 0], limits[2, 1] = _SHOULDER, _WRIST_BEND, _deviation(model.side)
    limits[1, 0] = (-_ELBOW, _ELBOW) if bend < _STRAIGHT else (-bend, max(_ELBOW - bend, 0.0))
    limits[1, 2] = -_FOREARM_TWIST, _FOREARM_TWIST
    order = [upper, fore, hand]
    parent = int(skeleton.parents[upper])
    return ArmModel(
        names=(skeleton.names[upper], skeleton.names[fore], skeleton.names[hand]),
        anchor=skeleton.names[parent] if parent >= 0 else None,
        frames=frames,
        joint_in_bone=np.swapaxes(skeleton.rotations[order], -1, -2) @ frames,
        lengths=np.array(
            [np.linalg.norm(elbow_at - shoulder_at), np.linalg.norm(wrist_at - elbow_at), model.palm_length]
        ),
        limits=limits,
    )


def _deviation(side: str) -> tuple[float, float]:
    """Sideways range of a wrist in [rad]: its frame's x points at the thumb's side on a right hand."""
    if side == "R":
        return -_ULNAR, _RADIAL
    if side == "L":
        return -_RADIAL, _ULNAR
    return -_RADIAL, _RADIAL


def _frames(
    shoulder: FloatArray, elbow: FloatArray, wrist: FloatArray, R_world_hand: FloatArray
) -> tuple[FloatArray, float]:
    """Joint frames at rest (3, 3, 3) and the elbow's bend in [rad]."""
    along, fore = unit(elbow - shoulder), unit(wrist - elbow)
    axis = np.cross(along, fore)
    bend = float(np.arctan2(np.linalg.norm(axis), along @ fore))
    if bend < _STRAIGHT:
        # A straight arm may bend about any axis; the back of the hand gives one of two likely ones.
        axis = perpendicular(R_world_hand[:, 1], along)
    return np.array([frame_from_zx(along, axis), frame_from_zx(fore, axis), R_world_hand]), bend
