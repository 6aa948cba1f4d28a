# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Goals of effectors, and their stacked errors and Jacobians."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from ...core import quaternion_calculus as qc
from ...core import rotations
from ...core.arrays import BoolArray, FloatArray
from ..chain import ChainError
from .kinematics import Frames, effector_position, effector_rotation, point_jacobian, rotation_jacobian
from .model import Effector, Linkage
from .steps import retarget


@dataclass(frozen=True, eq=False)
class Goal:
    """Where an effector wants to be."""

    effector: Effector
    """What moves."""
    position: FloatArray
    """Wanted position in the base frame in [m]. Shape (3,)."""
    rotation: FloatArray | None = None
    """Wanted orientation, unit quaternion wxyz of shape (4,); None for any."""
    orientation_joints: BoolArray | None = None
    """Joints that may turn for the sake of orientation; None for all. Shape (n,)."""


@dataclass(frozen=True, eq=False)
class Errors:
    """How far the effectors are from their goals."""

    positions: FloatArray
    """From effector to goal in [m]. Shape (g, 3)."""
    turns: FloatArray
    """Rotation vectors from effector to goal in [rad]; zero for goals without orientation. Shape (g, 3)."""

    @property
    def distance(self) -> float:
        """The largest distance in [m]."""
        return sqrt((self.positions * self.positions).sum(axis=1).max())

    @property
    def angle(self) -> float:
        """The largest angle in [rad]."""
        return sqrt((self.turns * self.turns).sum(axis=1).max())

    def cost(self, turn_length: float) -> float:
        """Sum of squares in [m^2], with `turn_length` the length in [m] that a radian counts as."""
        return float(np.vdot(self.positions, self.positions) + turn_length**2 * np.vdot(self.turns, self.turns))


def read_goal(effector: Effector, target: ArrayLike, orientation_joints: BoolArray | None = None) -> Goal:
    """A goal from a target as solvers take it.

    Args:
        effector: What moves.
        target: Position in [m], shape (3,), or position and orientation (quaternion wxyz), shape (7,).
        orientation_joints: Joints that may turn for the sake of orientation; None for all.

    Raises:
        ChainError: Another shape, numbers that are not finite, or a quaternion of length 0.
    """
    array = np.asarray(target, dtype=np.float64)
    if array.shape not in ((3,), (7,)):
        raise ChainError(f"A target has 3 numbers (position) or 7 (position, quaternion wxyz), not {array.shape}.")
    if not np.isfinite(array).all():
        raise ChainError("The target is not finite: every coordinate has to be a number.")
    if array.shape == (3,):
        return Goal(effector=effector, position=array)
    length = float(np.linalg.norm(array[3:]))
    if length < 1e-9:
        raise ChainError("The target's quaternion has no length.")
    return Goal(
        effector=effector, position=array[:3], rotation=array[3:] / length, orientation_joints=orientation_joints
    )


def errors_of(frames: Frames, goals: tuple[Goal, ...]) -> Errors:
    """Errors of all goals. Orientation errors are `2 log(target effector*)`, which has no branch to cross."""
    positions = np.array([goal.position - effector_position(frames, goal.effector) for goal in goals])
    turns = np.zeros((len(goals), 3))
    for k, goal in enumerate(goals):
        if goal.rotation is not None:
            delta = rotations.matrix_from_quaternion(goal.rotation) @ effector_rotation(frames, goal.effector).T
            turns[k] = 2.0 * qc.log(rotations.quaternion_from_matrix(delta))
    return Errors(positions=positions, turns=turns)


def stacked_jacobian(linkage: Linkage, frames: Frames, goals: tuple[Goal, ...], turn_length: float) -> FloatArray:
    """Jacobian of all goals: three rows of position each, and three of orientation times `turn_length` where asked.

    Shape (m, 3n).
    """
    blocks: list[FloatArray] = []
    for goal in goals:
        effector = goal.effector
        blocks.append(point_jacobian(linkage, frames, effector.joint, effector_position(frames, effector)))
        if goal.rotation is not None:
            rows = rotation_jacobian(linkage, frames, effector.joint, goal.orientation_joints)
            blocks.append(turn_length * rows)
    return np.concatenate(blocks) if len(blocks) > 1 else blocks[0]


def wanted_change(
    goals: tuple[Goal, ...], errors: Errors, *, turn_length: float, max_distance: float, max_angle: float
) -> FloatArray:
    """The change that one step asks for, goals drawn near (algorithm 17), in the rows of `stacked_jacobian`.

    Args:
        goals: The goals.
        errors: How far off they are.
        turn_length: Length in [m] that a radian counts as.
        max_distance: Longest way in [m] that one step asks for.
        max_angle: Largest turn in [rad] that one step asks for.
    """
    parts: list[FloatArray] = []
    nowhere = np.zeros(3)
    for k, goal in enumerate(goals):
        parts.append(retarget(nowhere, errors.positions[k], max_distance))
        if goal.rotation is not None:
            parts.append(turn_length * retarget(nowhere, errors.turns[k], max_angle))
    return np.concatenate(parts) if len(parts) > 1 else parts[0]
