# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways to bring a hand to a place: move its armature, a control bone, the arm, or the prop instead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from mathutils import Matrix

from ..core.arrays import FloatArray
from ..core.errors import OutputError
from ..core.rotations import nearest_rotation
from ..hands.arm import ArmModel
from ..hands.model import HandModel
from .channels import place_object, set_location, set_rotation
from .read import read_hand_frame, read_matrices, read_placement
from .state import why_read_only
from .write import check_writable, turn_bones

ArmSolver = Callable[[FloatArray, FloatArray, FloatArray, FloatArray], FloatArray]
"""From the base's turn, the shoulder, the joints' frames and the hand's wanted frame to the joints' wanted frames."""


class WristMover(Protocol):
    """Something that can bring a hand to a frame in the world."""

    def move(self, armature: Any, model: HandModel, T_world_hand: FloatArray, *, view_layer: Any) -> float:
        """Move the hand to `T_world_hand` (4, 4) and give the distance in [m] that is left to it."""
        ...


class ArmatureMover:
    """Moves the armature object: for hands without an arm."""

    def move(self, armature: Any, model: HandModel, T_world_hand: FloatArray, *, view_layer: Any) -> float:
        """Move the whole armature so that its hand is at `T_world_hand` (4, 4)."""
        check_writable(armature)
        motion = np.array(_motion(armature, model, T_world_hand), dtype=np.float64)
        place_object(armature, motion @ np.array(armature.matrix_world, dtype=np.float64))
        view_layer.update()
        return _distance(armature, model, T_world_hand)


class ControlMover:
    """Moves a bone that the hand follows, such as the target of the arm's inverse kinematics."""

    def __init__(self, control: str) -> None:
        """Take the control bone's name."""
        self.control = control

    def move(self, armature: Any, model: HandModel, T_world_hand: FloatArray, *, view_layer: Any) -> float:
        """Move the control by what the hand is off; it has to follow rigidly to arrive."""
        check_writable(armature)
        bone = armature.pose.bones[self.control]
        motion = _motion(armature, model, T_world_hand)
        wanted = armature.matrix_world.inverted() @ motion @ armature.matrix_world @ bone.matrix
        keywords: dict[str, Any] = {}
        if bone.parent is not None:
            keywords = {"parent_matrix": bone.parent.matrix, "parent_matrix_local": bone.parent.bone.matrix_local}
        basis = bone.bone.convert_local_to_pose(wanted, bone.bone.matrix_local, invert=True, **keywords)
        set_rotation(bone, nearest_rotation(np.array(basis, dtype=np.float64)[:3, :3]))
        set_location(bone, np.array(basis.translation, dtype=np.float64))
        view_layer.update()
        return _distance(armature, model, T_world_hand)


class ArmMover:
    """Turns the bones of the arm: for characters whose arms are posed bone by bone."""

    def __init__(self, arm: ArmModel, solve: ArmSolver) -> None:
        """Take the arm and what solves it."""
        self.arm = arm
        self.solve = solve

    def move(self, armature: Any, model: HandModel, T_world_hand: FloatArray, *, view_layer: Any) -> float:
        """Turn shoulder, elbow and wrist as the solver says; its limits may leave a distance."""
        check_writable(armature)
        placement = read_placement(armature)
        now = read_arm(armature, self.arm)
        frames = self.solve(now.base, now.shoulder, now.frames, np.asarray(T_world_hand))
        bones = placement.turn.T @ frames @ np.swapaxes(self.arm.joint_in_bone, -1, -2)
        turn_bones(armature, dict(zip(self.arm.names, bones, strict=True)))
        view_layer.update()
        return _distance(armature, model, T_world_hand)


@dataclass(frozen=True, eq=False)
class ArmReading:
    """Where an arm is, in the world."""

    base: FloatArray
    """Turn of the bone that carries the arm from its rest. Shape (3, 3)."""
    shoulder: FloatArray
    """Position in [m]. Shape (3,)."""
    elbow: FloatArray
    """Position in [m]. Shape (3,)."""
    frames: FloatArray
    """Joint frames. Shape (3, 3, 3)."""


def read_arm(armature: Any, arm: ArmModel) -> ArmReading:
    """Where an arm is now, constraints and drivers included."""
    placement = read_placement(armature)
    matrices = read_matrices(armature, arm.names)
    frames = placement.turn @ nearest_rotation(matrices[:, :3, :3]) @ arm.joint_in_bone
    base = np.eye(3)
    if arm.anchor is not None:
        bone = armature.pose.bones[arm.anchor]
        now, rest = (
            nearest_rotation(np.array(matrix, dtype=np.float64)[:3, :3])
            for matrix in (bone.matrix, bone.bone.matrix_local)
        )
        base = placement.turn @ now @ rest.T @ placement.turn.T
    shoulder, elbow = (placement.to_world(matrices[k, :3, 3]) for k in (0, 1))
    return ArmReading(base, shoulder, elbow, frames)


class PropMover:
    """Leaves the hand where it is and moves the prop by the opposite way."""

    def __init__(self, prop: Any) -> None:
        """Take the prop object; keep the mover no longer than the call that needs it."""
        self.prop = prop

    def move(self, armature: Any, model: HandModel, T_world_hand: FloatArray, *, view_layer: Any) -> float:
        """Move the prop so that it is to the hand as it was to `T_world_hand` (4, 4).

        Raises:
            OutputError: The prop cannot be moved. Nothing was changed.
        """
        reason = why_read_only(self.prop)
        if reason is not None:
            raise OutputError(f"Object '{self.prop.name}' {reason}.")
        wanted = _motion(armature, model, T_world_hand).inverted() @ self.prop.matrix_world
        place_object(self.prop, np.array(wanted, dtype=np.float64))
        view_layer.update()
        # Constraints and drivers may hold it where it was.
        off = np.array(self.prop.matrix_world, dtype=np.float64) - np.array(wanted, dtype=np.float64)
        return float(np.linalg.norm(off[:3, 3]))


def _motion(armature: Any, model: HandModel, T_world_hand: FloatArray) -> Matrix:
    """World motion from where the hand is to where it should be."""
    now = read_hand_frame(armature, model, read_placement(armature))
    return Matrix((np.asarray(T_world_hand) @ np.linalg.inv(now)).tolist())


def _distance(armature: Any, model: HandModel, T_world_hand: FloatArray) -> float:
    now = read_hand_frame(armature, model, read_placement(armature))
    return float(np.linalg.norm(now[:3, 3] - np.asarray(T_world_hand)[:3, 3]))
