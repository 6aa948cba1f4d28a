# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bring a character's hand to a place: by its arm's control, by its arm's bones, or with the whole armature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.errors import PrehendError
from ..core.handmap import HandMap
from ..core.rotations import angle_between, nearest_rotation
from ..hands.arm import find_arm
from ..hands.model import HandModel
from ..rig.controls import find_wrist_control
from ..rig.placement import ArmatureMover, ArmMover, ControlMover, WristMover
from ..rig.read import read_hand_frame, read_placement
from ..rig.skeletons import read_skeleton
from ..rig.tips import create_wrist_target, find_wrist_target, tips_collection
from ..rig.write import check_writable
from .arm_ik import ArmPose, solve_arm
from .posture import model_of


class ReachError(PrehendError):
    """A hand that cannot be brought to a place, and what to do about it."""


@dataclass(frozen=True)
class ReachReport:
    """What became of a hand."""

    way: str
    """What was moved: "the control <name>", "the arm" or "the armature"."""
    gap: float
    """Distance in [m] that is left."""
    turn: float
    """Angle in [rad] that is left."""


def wrist_mover(armature: Any, model: HandModel, *, view_layer: Any) -> tuple[str, WristMover]:
    """The way to bring a hand of an armature to a place, with its name for people."""
    control = find_wrist_control(armature, model, view_layer=view_layer)
    if control is not None:
        return f"the control {control}", ControlMover(control)
    arm = find_arm(read_skeleton(armature), model)
    if arm is None:
        return "the armature", ArmatureMover()

    def solve(base: FloatArray, shoulder: FloatArray, frames: FloatArray, wanted: FloatArray) -> FloatArray:
        return solve_arm(arm, ArmPose(base, shoulder, frames), wanted).frames

    return "the arm", ArmMover(arm, solve)


def choose_wrist_target(armature: Any, hand: HandMap, selected: Sequence[Any], *, scene: Any) -> Any:
    """The object that a hand is to reach for: the selected one, or else the target of its wrist.

    Args:
        armature: The armature object.
        hand: Which of its hands.
        selected: Selected objects besides the armature.
        scene: Scene with the target.

    Raises:
        ReachError: Several are selected, or none and there is no target.
    """
    found = selected[0] if len(selected) == 1 else None
    if not selected:
        found = find_wrist_target(armature, hand, scene.objects)
    if found is None:
        raise ReachError(
            "Select the object to reach for, then with Shift the armature; or add a target (Add Wrist Target)."
        )
    return found


def reach_wrist(
    armature: Any, hand: HandMap, target: Any, *, view_layer: Any, use_rotation: bool = True
) -> ReachReport:
    """Move a character's hand to an object's place, within the arm's limits where its bones are turned.

    Args:
        armature: The armature object.
        hand: Which of its hands.
        target: Object whose origin the wrist goes to; its z axis points along the fingers, y out of the back.
        view_layer: View layer that shows the armature.
        use_rotation: Whether the hand takes on the target's orientation; otherwise it keeps its own.

    Raises:
        ReachError: The target is no place. Nothing was changed.
        PrehendError: The armature cannot be posed. Nothing was changed.
    """
    check_writable(armature)
    model = model_of(armature, hand)
    placement = read_placement(armature)
    wanted = read_hand_frame(armature, model, placement)
    frame = np.array(target.matrix_world, dtype=np.float64)
    if not np.isfinite(frame).all() or (use_rotation and abs(np.linalg.det(frame[:3, :3])) < 1e-12):
        raise ReachError(f"'{target.name}' is no place for a hand: give it a location and scale that are numbers.")
    wanted[:3, 3] = frame[:3, 3]
    if use_rotation:
        wanted[:3, :3] = nearest_rotation(frame[:3, :3] * np.sign(np.linalg.det(frame[:3, :3])))
    way, mover = wrist_mover(armature, model, view_layer=view_layer)
    gap = mover.move(armature, model, wanted, view_layer=view_layer)
    now = read_hand_frame(armature, model, read_placement(armature))
    return ReachReport(way, gap, float(angle_between(now[:3, :3], wanted[:3, :3])))


def add_wrist_target(armature: Any, hand: HandMap, *, scene: Any) -> str:
    """Add an empty at a hand's wrist with the hand's orientation, for `reach_wrist`; its name.

    Raises:
        PrehendError: The hand cannot be measured. Nothing was added.
    """
    model = model_of(armature, hand)
    frame = read_hand_frame(armature, model, read_placement(armature))
    target = create_wrist_target(armature, hand, frame, size=0.5 * model.palm_length)
    tips_collection(scene).objects.link(target)
    return target.name
