# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A grasp as plain keyframes: the open hand comes, closes, holds, opens and goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.handmap import HandMap
from ..hands.model import HandModel
from ..hands.movements import movement_angles
from ..presets.movements import load_movements
from ..rig.keyframes import key_place
from ..rig.placement import ArmatureMover
from ..rig.read import read_pose
from ..rig.write import write_angles
from .poses import key_hands

BACK = 0.12
"""How far in [m] the hand stands back before it comes."""


@dataclass(frozen=True)
class GraspFrames:
    """When what happens."""

    approach: int = 1
    """The open hand begins to move."""
    arrive: int = 18
    """It is at the prop, still open."""
    contact: int = 26
    """The fingers have closed."""
    hold: int = 40
    """Until then they hold."""
    release: int = 48
    """They are open again."""
    away: int = 64
    """The hand is back."""


USUAL_FRAMES = GraspFrames()


def key_grasp(
    armature: Any,
    hand: HandMap,
    model: HandModel,
    movement: str,
    *,
    view_layer: Any,
    frames: GraspFrames = USUAL_FRAMES,
    moves: bool = True,
) -> GraspFrames:
    """Key a hand that holds something now: how it came to it and how it lets go.

    Args:
        armature: The armature object, as it holds the prop.
        hand: Which of its bones make up the hand.
        model: Its model.
        movement: Key of the movement that it closed with.
        view_layer: View layer that shows it.
        frames: When what happens.
        moves: Whether the armature moves to the prop and back, or only the fingers do.
    """
    held = read_pose(armature, model)
    start = np.array(movement_angles(model, load_movements()[movement]).start)
    back = held.T_world_hand.copy()
    back[:3, 3] -= BACK * (held.T_world_hand[:3, :3] @ model.approach)
    steps = (
        (frames.approach, start, back),
        (frames.arrive, start, held.T_world_hand),
        (frames.contact, held.angles, held.T_world_hand),
        (frames.hold, held.angles, held.T_world_hand),
        (frames.release, start, held.T_world_hand),
        (frames.away, start, back),
    )
    for frame, angles, place in steps:
        if moves:
            ArmatureMover().move(armature, model, place, view_layer=view_layer)
            key_place(armature, frame)
        write_angles(armature, model, angles, view_layer=view_layer)
        key_hands(armature, [hand], frame)
    return frames
