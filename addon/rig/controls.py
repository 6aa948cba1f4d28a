# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the control bone that an arm's inverse kinematics follow, by trying."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.rotations import angle_between, matrix_from_axis_angle
from ..hands.model import HandModel
from .channels import get_channels, set_channels
from .placement import ControlMover
from .read import read_hand_frame, read_placement

NEAR = 0.6
"""Largest distance of a hand's control from the wrist, over the palm's length."""
_PROBE_TURN = 0.05
_PROBE_STEP = 0.05
"""How far a control is moved to see whether the hand follows: [rad], and share of the palm's length."""


def find_wrist_control(armature: Any, model: HandModel, *, view_layer: Any) -> str | None:
    """A goal of inverse kinematics that the hand follows rigidly, or None; nothing stays moved."""
    for name in _candidates(armature, model):
        if _leads(armature, model, name, view_layer):
            return name
    return None


def _candidates(armature: Any, model: HandModel) -> list[str]:
    placement = read_placement(armature)
    wrist = read_hand_frame(armature, model, placement)[:3, 3]
    found: dict[str, None] = {}
    for bone in armature.pose.bones:
        for constraint in bone.constraints:
            if constraint.type == "IK" and constraint.target == armature:
                goal = armature.pose.bones.get(constraint.subtarget)
                while goal is not None:
                    head = placement.to_world(np.array(goal.head, dtype=np.float64))
                    if np.linalg.norm(head - wrist) < NEAR * model.palm_length:
                        found[goal.name] = None
                    goal = goal.parent
    return list(found)


def _leads(armature: Any, model: HandModel, name: str, view_layer: Any) -> bool:
    bone = armature.pose.bones[name]
    before = get_channels(bone)
    placement = read_placement(armature)
    wanted = read_hand_frame(armature, model, placement)
    wanted[:3, :3] = matrix_from_axis_angle(np.array([0.0, 0.6, 0.8]), _PROBE_TURN) @ wanted[:3, :3]
    # Back towards the wrist, which an arm that is stretched out can follow too.
    wanted[:3, 3] -= _PROBE_STEP * model.palm_length * wanted[:3, 2]
    gap = ControlMover(name).move(armature, model, wanted, view_layer=view_layer)
    turn = float(angle_between(read_hand_frame(armature, model, placement)[:3, :3], wanted[:3, :3]))
    set_channels(bone, before)
    view_layer.update()
    return gap < 0.1 * _PROBE_STEP * model.palm_length and turn < 0.1 * _PROBE_TURN
