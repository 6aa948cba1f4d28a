# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Give a grasp that is kept with a prop to a hand: the same, its other one, or another character's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.errors import PrehendError
from ..core.handmap import HandMap
from ..hands.movements import movement_angles
from ..hands.preshape import preshaped
from ..presets.movements import load_movements
from ..rig.skin import skin_objects
from ..rig.snapshot import put_back, take_snapshot
from ..rig.write import check_writable
from ..solvers.search import back_off
from .closing import DEFAULT_DEPTH, CloseRequest, close_fingers
from .closing_checks import check_size
from .closing_hands import closing_skin
from .closing_report import CloseReport
from .grasp_checks import check_prop
from .grasp_obstacles import near_obstacles
from .grasp_places import AUTO, NEAR, PROP, PlaceError, choose_place, go
from .grasp_problem import push_way
from .grasp_records import GraspRecord
from .posture import model_of
from .surfaces import surface_of
from .targets import obstacles_round


def apply_record(
    armature: Any,
    hand: HandMap,
    prop: Any,
    record: GraspRecord,
    *,
    view_layer: Any,
    depth: float = DEFAULT_DEPTH,
    place: str = AUTO,
    obstacles: Sequence[Any] = (),
) -> CloseReport:
    """Bring a hand, of this or another character, to a prop as a kept grasp has it, and close on its own skin.

    A hand of the other side takes the grasp as if the prop were seen in a mirror.

    Raises:
        PrehendError: The hand does not fit there. Nothing was changed.
    """
    check_writable(armature)
    check_prop(prop, armature, hand, view_layer)
    model = model_of(armature, hand, objects=view_layer.objects)
    before = take_snapshot(armature, prop)
    surface = surface_of(prop, view_layer.depsgraph)
    check_size(surface, model)
    way = choose_place(armature, hand, model, prop, place, surface, view_layer=view_layer)
    T_world_hand = record.hand_frame(surface, model)
    movement = load_movements().get(record.movement)
    if movement is not None:
        # Another hand is thicker elsewhere: it stands back until it is outside.
        angles = movement_angles(model, movement)
        start = (angles if record.preshape is None else preshaped(model, angles, record.preshape)).start
        T_world_hand[:3] = back_off(
            closing_skin(model).fine,
            start,
            T_world_hand[None, :3],
            push_way(model, movement),
            surface.distance,
            depth,
            touch=movement.centre.place == "side",
        )[0]
    try:
        try:
            go(way, armature, model, prop, T_world_hand, view_layer=view_layer)
        except PlaceError:
            if place != NEAR or way.kind == PROP:
                raise
            # Within reach, but not this way: the prop comes instead.
            put_back(before, armature, prop, view_layer=view_layer)
            way = choose_place(armature, hand, model, prop, PROP, surface, view_layer=view_layer)
            go(way, armature, model, prop, T_world_hand, view_layer=view_layer)
        return close_fingers(
            armature,
            hand,
            prop,
            CloseRequest(movement=record.movement, depth=depth, preshape=record.preshape),
            view_layer=view_layer,
            obstacles=near_obstacles(obstacles, surface, model, depsgraph=view_layer.depsgraph)
            if way.prop_stays
            else (),
        )
    except PrehendError:
        put_back(before, armature, prop, view_layer=view_layer)
        raise


def obstacles_without(holders: Sequence[Any], armature: Any, prop: Any, view_layer: Any) -> list[Any]:
    """What is in the way of a hand, but for the skins of armatures that the prop is taken from."""
    skins = [skin for each in holders for skin in skin_objects(each, view_layer.objects)]
    return [each for each in obstacles_round(armature, prop, view_layer) if each not in skins]
