# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects come to where a movement holds them: against a finger's side, and before the palm for all others."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest

from addon.presets.movements import load_movements
from addon.rig.read import read_pose
from addon.services.closing import CloseRequest, close_fingers, plan
from addon.services.contact_check import check_touches
from addon.services.demo import HandSpec, Placement, add_demo_hand, add_demo_prop
from addon.services.facing import face_palm, place_before_palm
from addon.services.poses import hands_of
from addon.services.posture import HandPose, model_of
from addon.services.surfaces import surface_of
from tests.blender.model_rigs import deform_state


def _scene(side: str, prop: str, variant: str = "human") -> tuple[Any, Any, Any]:
    layer, collection = bpy.context.view_layer, bpy.context.scene.collection
    made = add_demo_hand(Placement(collection, layer), HandSpec(variant=variant, side=side))  # type: ignore[arg-type]
    armature = bpy.data.objects[made.armature]
    thing = bpy.data.objects[add_demo_prop(Placement(collection, layer), prop)]
    layer.update()
    return armature, hands_of(armature)[0], thing


@pytest.mark.long
@pytest.mark.parametrize(
    ("prop", "movement", "fingers"),
    [
        ("key", "lateral", ("thumb", "index")),
        ("coin", "lateral", ("thumb", "index")),
        ("pen", "writing_tripod", ("thumb", "index", "middle")),
        ("pen", "lateral_tripod", ("thumb", "index", "middle")),
        ("chopstick", "adduction_grip", ("index", "middle")),
    ],
)
@pytest.mark.parametrize("side", ["L", "R"])
def test_things_held_against_a_side_come_to_it(side: str, prop: str, movement: str, fingers: tuple[str, ...]) -> None:
    armature, hand, thing = _scene(side, prop)
    layer, request = bpy.context.view_layer, CloseRequest(movement=movement)
    before = deform_state(armature)
    face_palm(armature, hand, thing, request, view_layer=layer)
    assert deform_state(armature) == before, "the hand is left as it is"
    report = close_fingers(armature, hand, thing, request, view_layer=layer)
    assert {each.name for each in report.fingers if each.touching} >= set(fingers)
    assert report.deepest_mm <= 0.5
    if (prop, movement) == ("key", "lateral"):
        model = model_of(armature, hand)
        pose, surface = read_pose(armature, model), surface_of(thing, layer.depsgraph)
        assert check_touches(model, pose, surface, load_movements()[movement]).missing == ()


def test_a_thing_that_no_side_can_hold_comes_before_the_palm() -> None:
    armature, hand, thing = _scene("R", "ball")
    thing.scale = (2.5, 2.5, 2.5)
    layer = bpy.context.view_layer
    layer.update()
    matrix = face_palm(armature, hand, thing, CloseRequest(movement="adduction_grip"), view_layer=layer)
    assert np.isfinite(matrix).all()
    model = model_of(armature, hand)
    surface = surface_of(thing, layer.depsgraph)
    assert surface.exact_distance(read_pose(armature, model).T_world_hand[None, :3, 3])[0] > 0.0


@pytest.mark.parametrize("movement", ["medium_diameter", "power_sphere", "palmar_pinch"])
def test_all_others_come_before_the_palm_as_ever(movement: str) -> None:
    armature, hand, thing = _scene("R", "bottle")
    layer, request = bpy.context.view_layer, CloseRequest(movement=movement)
    model = model_of(armature, hand)
    pose, surface = read_pose(armature, model), surface_of(thing, layer.depsgraph)
    start = plan(model, pose, request).start[0]
    place = place_before_palm(model, HandPose(start, pose.T_world_hand), surface, load_movements()[movement])
    expected = place @ np.linalg.inv(surface.T_world_frame) @ np.array(thing.matrix_world)
    np.testing.assert_allclose(face_palm(armature, hand, thing, request, view_layer=layer), expected, atol=1e-6)
