# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Grasp centres that a user may move: empties on the hand's bone, one for each movement, that the search goes by."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..core.arrays import FloatArray
from ..core.errors import UnknownChoiceError
from ..core.handmap import HandMap
from ..hands.model import HandModel
from ..hands.movements import grasp_centre
from ..presets.movements import load_movements
from ..rig.markers import centres_of, create_centre, world_point
from ..rig.read import read_hand_frame, read_placement
from ..rig.write import check_writable
from .posture import model_of

_SIZE = 0.25
"""Length of a centre's arrows over the palm's."""


def read_centres(armature: Any, hand: HandMap, model: HandModel, objects: Iterable[Any]) -> dict[str, FloatArray]:
    """How far users moved grasp centres off the computed ones, in the hand's frame in [m] (3,), by movement."""
    known = load_movements()
    found = {key: each for key, each in centres_of(armature, hand.wrist, objects).items() if key in known}
    if not found:
        return {}
    T_world_hand = read_hand_frame(armature, model, read_placement(armature))
    return {
        key: T_world_hand[:3, :3].T @ (world_point(each) - T_world_hand[:3, 3]) - grasp_centre(model, known[key])
        for key, each in found.items()
    }


def edit_centre(armature: Any, hand: HandMap, movement: str, *, view_layer: Any, collection: Any) -> str:
    """Show the grasp centre of a movement as an empty that can be moved; its name, that of the present one if any.

    Raises:
        UnknownChoiceError: There is no such movement.
        PrehendError: The hand cannot be measured. Nothing was added.
    """
    known = load_movements()
    if movement not in known:
        raise UnknownChoiceError("movement", movement, tuple(known))
    check_writable(armature)
    present = centres_of(armature, hand.wrist, view_layer.objects).get(movement)
    if present is not None:
        return str(present.name)
    model = model_of(armature, hand, objects=view_layer.objects)
    T_world_hand = read_hand_frame(armature, model, read_placement(armature))
    frame = T_world_hand.copy()
    frame[:3, 3] += T_world_hand[:3, :3] @ grasp_centre(model, known[movement])
    made = create_centre(
        armature,
        hand.wrist,
        model.binding.carrier,
        movement,
        frame,
        size=_SIZE * model.palm_length,
        collection=collection,
    )
    view_layer.update()
    return str(made.name)


def reset_centres(armature: Any, hand: HandMap, *, view_layer: Any, objects: Any) -> int:
    """Go back to the computed grasp centres of a hand; how many were moved."""
    found = list(centres_of(armature, hand.wrist, view_layer.objects).values())
    for each in found:
        objects.remove(each)
    return len(found)
