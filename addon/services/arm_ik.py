# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Arms as chains for the solver, and the turns that bring a hand to a frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import FloatArray
from ..core.rotations import angles_from_rotation, quaternion_from_matrix, rotation_from_angles
from ..hands.arm import ArmModel
from ..solvers import arm as arm_solver
from ..solvers.chain import Chain


@dataclass(frozen=True, eq=False)
class ArmPose:
    """Where an arm is, in the world."""

    base: FloatArray
    """Turn of what carries the upper arm from its rest. Shape (3, 3)."""
    shoulder: FloatArray
    """Position in [m]. Shape (3,)."""
    frames: FloatArray
    """Joint frames. Shape (3, 3, 3)."""


@dataclass(frozen=True, eq=False)
class ArmSolution:
    """The turns of an arm."""

    frames: FloatArray
    """Joint frames in the world. Shape (3, 3, 3)."""
    residual: float
    """Distance of the wrist from its target in [m]."""
    rotation_residual: float
    """Angle of the hand from its target's in [rad]."""
    reason: str
    """As in `IkResult`."""


def arm_chain(arm: ArmModel) -> Chain:
    """The arm as a chain whose angles count from the rest pose, in the frame of what carries it."""
    zeros = np.array([arm.frames[0], arm.frames[0].T @ arm.frames[1], arm.frames[1].T @ arm.frames[2]])
    offsets = np.zeros((3, 3))
    offsets[:, 2] = arm.lengths
    return Chain(offsets, quaternion_from_matrix(zeros), arm.limits)


def arm_angles(arm: ArmModel, pose: ArmPose) -> FloatArray:
    """Flexion, abduction and twist of shoulder, elbow and wrist from rest in [rad]. Shape (3, 3)."""
    before = np.array(
        [pose.base @ arm.frames[0], *(pose.frames[k] @ arm.frames[k].T @ arm.frames[k + 1] for k in (0, 1))]
    )
    return angles_from_rotation(np.swapaxes(before, -1, -2) @ pose.frames)


def solve_arm(arm: ArmModel, pose: ArmPose, frame: FloatArray) -> ArmSolution:
    """The turns that bring the hand to a frame of the world within limits, the elbow on the side where it is.

    Args:
        arm: The arm.
        pose: Where it is now.
        frame: Wanted frame of the hand in [m]. Shape (4, 4).

    Raises:
        ChainError: The target is not finite.
    """
    chain = arm_chain(arm)
    wrist = pose.base.T @ (frame[:3, 3] - pose.shoulder)
    hand = quaternion_from_matrix(pose.base.T @ frame[:3, :3])
    start = np.clip(arm_angles(arm, pose), arm.limits[..., 0], arm.limits[..., 1])
    elbow = pose.base.T @ (pose.frames[0][:, 2] * arm.lengths[0])
    options = arm_solver.ArmOptions(start=start, elbow_hint=elbow)
    found = arm_solver.solve(chain, np.concatenate([wrist, hand]), options)
    angles = np.clip(found.angles, arm.limits[..., 0], arm.limits[..., 1])
    turns = rotation_from_angles(angles)
    frames = [pose.base @ arm.frames[0] @ turns[0]]
    for k in (1, 2):
        frames.append(frames[-1] @ arm.frames[k - 1].T @ arm.frames[k] @ turns[k])
    return ArmSolution(np.array(frames), found.residual, found.rotation_residual, found.reason)
