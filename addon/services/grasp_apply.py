# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Give a grasp that is kept with a prop to a hand: the same, its other one, or another character's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.errors import PrehendError
from ..core.handmap import HandMap
from ..hands.model import HandModel
from ..hands.movements import movement_angles
from ..hands.preshape import Preshape, preshaped
from ..presets.movements import Movement, load_movements
from ..rig.skin import skin_objects
from ..rig.snapshot import put_back, take_snapshot
from ..rig.write import check_writable
from ..solvers.closing import measure_near
from ..solvers.search import TOO_DEEP, WITHIN, back_off, find_room
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
from .surfaces import WorldSurface, surface_of
from .targets import obstacles_round

_STILL_THERE = 0.02
"""A hand that stood back farther than this in [m] holds nothing any more."""


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
    preshape = record.preshape
    if movement is not None:
        T_world_hand[:3], preshape = _standing_back(model, movement, record, T_world_hand[:3], surface, depth)
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
            CloseRequest(movement=record.movement, depth=depth, preshape=preshape),
            view_layer=view_layer,
            obstacles=near_obstacles(obstacles, surface, model, depsgraph=view_layer.depsgraph)
            if way.prop_stays
            else (),
        )
    except PrehendError:
        put_back(before, armature, prop, view_layer=view_layer)
        raise


def _standing_back(
    model: HandModel,
    movement: Movement,
    record: GraspRecord,
    wrist: FloatArray,
    surface: WorldSurface,
    depth: float,
) -> tuple[FloatArray, Preshape | None]:
    """A wrist (3, 4) from which the open hand is outside, and how its fingers are curled there.

    Another hand is thicker elsewhere: it stands back until it is outside. Where its fingers do not fit through a
    handle, fewer of them are put through.
    """
    angles, skin = movement_angles(model, movement), closing_skin(model).fine
    way, touch = push_way(model, movement), movement.centre.place == "side"
    first: tuple[FloatArray, Preshape | None] | None = None
    for preshape in _fewer(record.preshape):
        start = (angles if preshape is None else preshaped(model, angles, preshape)).start
        begin = wrist if preshape is None else find_room(skin, start, wrist, surface.distance, depth)
        back = back_off(skin, start, begin[None], way, surface.distance, depth, touch=touch)
        gap = float(measure_near(skin, start[None], back, surface.distance, within=WITHIN).gaps.min())
        if gap > -depth - TOO_DEEP and float(np.linalg.norm(back[0, :, 3] - wrist[:, 3])) < _STILL_THERE:
            return back[0], preshape
        first = (back[0], preshape) if first is None else first
    assert first is not None
    return first


def _fewer(preshape: Preshape | None) -> list[Preshape | None]:
    """The same with fewer and fewer fingers."""
    if preshape is None:
        return [None]
    return [replace(preshape, fingers=fingers) for fingers in range(preshape.fingers, 0, -1)]


def obstacles_without(holders: Sequence[Any], armature: Any, prop: Any, view_layer: Any) -> list[Any]:
    """What is in the way of a hand, but for the skins of armatures that the prop is taken from."""
    skins = [skin for each in holders for skin in skin_objects(each, view_layer.objects)]
    return [each for each in obstacles_round(armature, prop, view_layer) if each not in skins]
