# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways to bring a hand to a place: move its armature, a control bone, the arm, or the prop instead."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from mathutils import Matrix

from ..core.arrays import FloatArray
from ..core.errors import OutputError
from ..core.rotations import nearest_rotation
from ..hands.model import HandModel
from .channels import set_location, set_rotation
from .read import read_hand_frame, read_placement
from .state import why_read_only
from .write import check_writable


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
        armature.matrix_world = _motion(armature, model, T_world_hand) @ armature.matrix_world
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
        self.prop.matrix_world = _motion(armature, model, T_world_hand).inverted() @ self.prop.matrix_world
        view_layer.update()
        return 0.0


def _motion(armature: Any, model: HandModel, T_world_hand: FloatArray) -> Matrix:
    """World motion from where the hand is to where it should be."""
    now = read_hand_frame(armature, model, read_placement(armature))
    return Matrix((np.asarray(T_world_hand) @ np.linalg.inv(now)).tolist())


def _distance(armature: Any, model: HandModel, T_world_hand: FloatArray) -> float:
    now = read_hand_frame(armature, model, read_placement(armature))
    return float(np.linalg.norm(now[:3, 3] - np.asarray(T_world_hand)[:3, 3]))
