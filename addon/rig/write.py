# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Postures to pose bones: only the channels that turn them, whatever lies between the bones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from mathutils import Matrix

from ..core.arrays import FloatArray, frozen_floats
from ..core.errors import PrehendError
from ..core.rotations import angle_between, nearest_rotation
from ..hands.forward import forward
from ..hands.model import HandModel
from .channels import Channels, get_channels, get_turn, set_channels, set_location, set_turn
from .read import Placement, read_hand_frame, read_matrices, read_placement
from .state import why_read_only

GOOD_TURN = 1e-6
"""Residual in [rad] that needs no second pass."""


class ReadOnlyArmatureError(PrehendError):
    """An armature's pose cannot be changed in this file."""

    def __init__(self, name: str, reason: str) -> None:
        """Keep the object's name and why."""
        super().__init__(f"Armature '{name}' {reason}.")
        self.name = name


@dataclass(frozen=True, eq=False)
class WriteResult:
    """How well a rig took on a posture."""

    names: tuple[str, ...]
    """Bones written, as in the model. Length m."""
    turns: FloatArray
    """Angle between the wanted and the shown frame of each joint in [rad]. Shape (m,)."""
    swings: FloatArray
    """Angle between the wanted and the shown direction of each bone in [rad]: `turns` without twist. Shape (m,)."""
    gaps: FloatArray
    """Distance between the wanted and the shown place of each joint, seen from the hand, in [m]. Shape (m,)."""
    locked: tuple[str, ...]
    """Bones with locked channels, which were left as they are."""
    moved: tuple[str, ...]
    """Bones whose location was written too, as nothing carries them along."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        m = len(self.names)
        object.__setattr__(self, "turns", frozen_floats(self.turns, (m,), "turns"))
        object.__setattr__(self, "swings", frozen_floats(self.swings, (m,), "swings"))
        object.__setattr__(self, "gaps", frozen_floats(self.gaps, (m,), "gaps"))

    @property
    def exact(self) -> bool:
        """Whether every joint turned as wanted, to a ten-thousandth of a degree."""
        return bool(self.turns.max(initial=0.0) < 2.0 * GOOD_TURN)

    def off(self, tolerance: float = 1e-3) -> tuple[str, ...]:
        """Bones that the rig holds off their direction by more than `tolerance` in [rad]."""
        return tuple(name for name, swing in zip(self.names, self.swings, strict=True) if swing > tolerance)


def check_writable(armature: Any) -> None:
    """Refuse armatures whose pose bones cannot be changed.

    Raises:
        ReadOnlyArmatureError: It is linked, a locked override, or in edit mode.
    """
    reason = why_read_only(armature)
    if reason is not None:
        raise ReadOnlyArmatureError(armature.name, reason)
    if armature.mode == "EDIT":
        raise ReadOnlyArmatureError(armature.name, "is in edit mode; leave it first")


def set_angles(armature: Any, model: HandModel, angles: FloatArray, *, joints: Sequence[int] | None = None) -> None:
    """Set the channels of a hand's bones once, for whoever updates the view layer anyway; see `write_angles`.

    Raises:
        ReadOnlyArmatureError: The pose cannot be changed. Nothing was.
        ScaleError: The object is scaled unevenly. Nothing was changed.
    """
    check_writable(armature)
    goal = _Goal(armature, model, np.asarray(angles, dtype=np.float64), read_placement(armature), joints)
    goal.write(np.broadcast_to(np.eye(3), (len(model.names), 3, 3)))


def write_angles(
    armature: Any, model: HandModel, angles: FloatArray, *, view_layer: Any, joints: Sequence[int] | None = None
) -> WriteResult:
    """Turn a hand's bones so that its joints have `angles`; the wrist stays where it is.

    Pose bones of the hand are written parents first from one reading of the pose; bones in between (mechanism bones of
    control rigs) are taken to follow rigidly. The view layer is then updated once. Where the rig shows something else,
    bones are written once more from what it shows, and left so only if that helped.

    Args:
        armature: The armature object.
        model: Its hand.
        angles: Flexion, abduction and twist in [rad]. Shape (m, 3).
        view_layer: View layer whose evaluated pose tells what the rig shows.
        joints: Which joints to turn, and to tell of, parents first; all of them if not given.

    Raises:
        ReadOnlyArmatureError: The pose cannot be changed. Nothing was.
        ScaleError: The object is scaled unevenly. Nothing was changed.
    """
    check_writable(armature)
    placement = read_placement(armature)
    goal = _Goal(armature, model, np.asarray(angles, dtype=np.float64), placement, joints)
    locked = goal.write(np.broadcast_to(np.eye(3), (len(model.names), 3, 3)))
    view_layer.update()
    result = goal.compare(tuple(locked))
    if result.turns.max(initial=0.0) > GOOD_TURN:
        before = goal.keep()
        goal.write(goal.lag())
        view_layer.update()
        second = goal.compare(tuple(locked))
        if second.turns.sum() < result.turns.sum():
            return second
        goal.put_back(before)
        view_layer.update()
    return result


def turn_bones(armature: Any, turns: dict[str, FloatArray]) -> list[str]:
    """Turn pose bones, parents first, to orientations in the armature; give those with locks.

    Args:
        armature: The armature object.
        turns: Wanted orientations by bone name, each of shape (3, 3).
    """
    pass_ = _Pass([armature.pose.bones[name] for name in turns])
    return [name for name, turn in turns.items() if pass_.turn(armature.pose.bones[name], turn, None)]


class _Goal:
    """One posture on its way to one armature; lives for a single call."""

    def __init__(
        self,
        armature: Any,
        model: HandModel,
        angles: FloatArray,
        placement: Placement,
        joints: Sequence[int] | None = None,
    ) -> None:
        self.armature = armature
        self.model = model
        self.placement = placement
        self.frames = forward(model, angles)
        self.joints = list(range(len(model.names)) if joints is None else joints)
        self.bones: list[Any] = [armature.pose.bones[model.names[j]] for j in self.joints]

    def write(self, corrections: FloatArray) -> list[str]:
        """Set the channels of all bones; give the names of those with locks.

        Args:
            corrections: Turns in the hand's frame that go on top of the wanted ones. Shape (m, 3, 3).
        """
        model = self.model
        T_world_hand = read_hand_frame(self.armature, model, self.placement)
        R_world_joint = T_world_hand[:3, :3] @ corrections @ self.frames.rotations
        R_world_bone = R_world_joint @ np.swapaxes(model.binding.joint_in_bone, -1, -2)
        turns = self.placement.turn.T @ R_world_bone
        heads = self.placement.to_armature(self.frames.origins @ T_world_hand[:3, :3].T + T_world_hand[:3, 3])
        pass_ = _Pass(self.bones)
        locked: list[str] = []
        for bone, turn, head in zip(self.bones, turns[self.joints], heads[self.joints], strict=True):
            if pass_.turn(bone, turn, head if bone.name in model.binding.loose else None):
                locked.append(bone.name)
        for finger, tip in enumerate(model.binding.tips):
            last = int(model.last_joints[finger])
            if tip is not None and tip in model.binding.loose and last in self.joints:
                pass_.carry(self.armature.pose.bones[tip], self.armature.pose.bones[model.names[last]])
        return locked

    def compare(self, locked: tuple[str, ...]) -> WriteResult:
        """What the rig shows against what was wanted."""
        binding = self.model.binding
        T_world_hand = read_hand_frame(self.armature, self.model, self.placement)
        shown, heads = self._shown(binding.readers, binding.joint_in_reader)
        shown = T_world_hand[:3, :3].T @ shown
        places = (self.placement.to_world(heads) - T_world_hand[:3, 3]) @ T_world_hand[:3, :3]
        wanted = self.frames.rotations
        along = self.model.directions[:, :, None]
        bone, goal = (shown @ along)[..., 0], (wanted @ along)[..., 0]
        swings = np.arctan2(np.linalg.norm(np.cross(bone, goal), axis=1), np.sum(bone * goal, axis=1))
        gaps = np.linalg.norm(places - self.frames.origins, axis=1)
        return WriteResult(
            names=tuple(self.model.names[j] for j in self.joints),
            turns=angle_between(shown, wanted)[self.joints],
            swings=swings[self.joints],
            gaps=gaps[self.joints],
            locked=locked,
            moved=binding.loose,
        )

    def lag(self) -> FloatArray:
        """Turns in the hand's frame from where deforming bones are to where their controls are. Shape (m, 3, 3)."""
        binding = self.model.binding
        T_world_hand = read_hand_frame(self.armature, self.model, self.placement)
        control, _ = self._shown(self.model.names, binding.joint_in_bone)
        deform, _ = self._shown(binding.readers, binding.joint_in_reader)
        turns = control @ np.swapaxes(deform, -1, -2)
        return T_world_hand[:3, :3].T @ turns @ T_world_hand[:3, :3]

    def _shown(self, names: tuple[str, ...], joint_in_bone: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Joint frames in the world (m, 3, 3) and heads in the armature (m, 3) that bones show."""
        matrices = read_matrices(self.armature, names)
        return self.placement.turn @ nearest_rotation(matrices[:, :3, :3]) @ joint_in_bone, matrices[:, :3, 3]

    def keep(self) -> list[Channels]:
        """Present channels of all bones."""
        return [get_channels(bone) for bone in self.bones]

    def put_back(self, channels: list[Channels]) -> None:
        """Undo the writing of joints since `keep`."""
        for bone, values in zip(self.bones, channels, strict=True):
            set_channels(bone, values)


class _Pass:
    """Pose matrices as they will be once the channels set so far are evaluated."""

    def __init__(self, bones: list[Any]) -> None:
        self.old: dict[str, Matrix] = {}
        self.new: dict[str, Matrix] = {}
        for bone in bones:
            while bone is not None and bone.name not in self.old:
                self.old[bone.name] = bone.matrix.copy()
                bone = bone.parent

    def turn(self, bone: Any, turn: FloatArray, head: FloatArray | None) -> bool:
        """Turn a bone to `turn` (3, 3) of the armature and, with `head`, move it there; give whether it has locks."""
        wanted = Matrix(turn.tolist()).to_4x4()
        if head is not None:
            wanted.translation = head.tolist()
        basis = self._convert(bone, wanted, invert=True)
        locked = set_turn(bone, basis)
        if head is not None:
            locked |= set_location(bone, np.array(basis.translation, dtype=np.float64))
        self._predict(bone)
        return locked

    def carry(self, bone: Any, by: Any) -> None:
        """Have a bone follow another rigidly from rest, with location and rotation."""
        wanted = self.new[by.name] @ by.bone.matrix_local.inverted() @ bone.bone.matrix_local
        basis = self._convert(bone, wanted, invert=True)
        set_turn(bone, basis)
        set_location(bone, np.array(basis.translation, dtype=np.float64))

    def _predict(self, bone: Any) -> None:
        basis = get_turn(bone) @ Matrix.Diagonal((*bone.scale, 1.0))
        # Blender ignores the location of bones that are connected to their parent.
        if not bone.bone.use_connect:
            basis.translation = bone.location
        self.new[bone.name] = self._convert(bone, basis, invert=False)

    def _convert(self, bone: Any, matrix: Matrix, *, invert: bool) -> Matrix:
        rest = bone.bone
        if bone.parent is None:
            return rest.convert_local_to_pose(matrix, rest.matrix_local, invert=invert)
        return rest.convert_local_to_pose(
            matrix,
            rest.matrix_local,
            parent_matrix=self._present(bone.parent),
            parent_matrix_local=bone.parent.bone.matrix_local,
            invert=invert,
        )

    def _present(self, bone: Any) -> Matrix:
        """Pose matrix of any bone: as predicted, as its nearest predicted parent takes it along, or as it was."""
        ancestor = bone
        while ancestor is not None and ancestor.name not in self.new:
            ancestor = ancestor.parent
        if ancestor is None:
            return self._old(bone)
        if ancestor == bone:
            return self.new[bone.name]
        return self.new[ancestor.name] @ self._old(ancestor).inverted() @ self._old(bone)

    def _old(self, bone: Any) -> Matrix:
        if bone.name not in self.old:
            self.old[bone.name] = bone.matrix.copy()
        return self.old[bone.name]
