# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A character's body beside its hand is not taken for the hand, and props that come to the hand keep clear of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from addon.rig.own_skin import own_skin
from addon.rig.read import read_pose
from addon.rig.standstill import stop_animation
from addon.services.closing import CloseRequest, close_fingers
from addon.services.grasping import GraspRequest, grasp
from addon.services.poses import hands_of
from addon.services.posture import model_of
from addon.services.surfaces import surface_of
from tests.blender.arm_rigs import add_arm_hand, add_prop
from tests.blender.processes import run_prehend
from tests.blender.test_body_wall import _add_belly, _deforming
from tests.blender.test_skin_volume import evaluated_points

AWAY = (2.0, 0.0, 0.0)


def hand_frame(armature: Any, hand: Any) -> Matrix:
    model = model_of(armature, hand, objects=bpy.context.view_layer.objects)
    return Matrix(read_pose(armature, model).T_world_hand.tolist())


@pytest.mark.long
@pytest.mark.parametrize("side", ["L", "R"])
def test_fingers_close_on_a_prop_that_is_in_the_body_as_if_that_were_not_there(side: str) -> None:
    armature, hand = add_arm_hand(side=side)
    _deforming(armature)
    layer = bpy.context.view_layer
    prop = add_prop("ball", AWAY)
    prop.matrix_world = Matrix.Translation(hand_frame(armature, hand) @ Vector((0.0, -0.062, 0.085)))
    layer.update()
    request = CloseRequest("power_sphere")
    alone = close_fingers(armature, hand, prop, request, view_layer=layer)
    middle = Vector(evaluated_points(prop).mean(axis=0).tolist())
    belly = _add_belly(armature, middle, bone=f"chest.{side}", size=0.015)
    surface = surface_of(prop, layer.depsgraph)
    assert surface.exact_distance(evaluated_points(belly)).min() < 0.0, "the body is in the prop"
    beside = close_fingers(armature, hand, prop, request, view_layer=layer)
    assert [each.touching for each in beside.fingers] == [each.touching for each in alone.fingers]
    assert abs(beside.deepest_mm - alone.deepest_mm) < 0.02
    assert beside.deepest_mm < 0.5


def test_own_skin_is_that_of_hand_and_arm() -> None:
    armature, hand = add_arm_hand()
    _deforming(armature)
    chest = _add_belly(armature, Vector((0.0, 0.3, 0.1)), bone="chest.R")
    arm = _add_belly(armature, Vector((0.0, 0.3, -0.1)), bone="forearm.R")
    model = model_of(armature, hand)
    own = own_skin(armature, model)
    assert own is not None
    assert own is own_skin(armature, model), "asked once"
    assert not own.holds(chest, chest.data).any()
    assert own.holds(arm, arm.data).all()
    (skin,) = (each for each in armature.children if each.name not in (chest.name, arm.name))
    assert own.holds(skin, skin.data).all()
    bpy.ops.prehend.add_demo_hand()
    (alone,) = hands_of(bpy.context.object)
    assert own_skin(bpy.context.object, model_of(bpy.context.object, alone)) is None, "a hand alone has no body"


@pytest.mark.long
def test_props_come_beside_the_body() -> None:
    armature, hand = add_arm_hand()
    _deforming(armature)
    layer = bpy.context.view_layer
    prop = add_prop("bottle", AWAY)
    request = GraspRequest(movement="medium_diameter", place="prop", attempts=3)
    _, search = grasp(armature, hand, prop, request, view_layer=layer)
    # One end of the bottle, as far from the hand as it reaches.
    ends = evaluated_points(prop)
    away = np.linalg.norm(ends - search.hand_frame()[:3, 3], axis=1)
    belly = _add_belly(armature, Vector(ends[np.argmax(away)].tolist()), bone="chest.R", size=0.04)

    def inside() -> float:
        surface = surface_of(prop, layer.depsgraph)
        grid = np.stack(np.meshgrid(*[np.linspace(-0.04, 0.04, 9)] * 3), axis=-1).reshape(-1, 3)
        middle = evaluated_points(belly).mean(axis=0)
        return float(surface.exact_distance(grid + middle).min())

    assert inside() < -0.005, "the grasp that was found goes through the body"
    report, again = grasp(armature, hand, prop, request, view_layer=layer)
    assert again.place.body is not None
    assert inside() > -0.003
    assert report.deepest_mm < 0.5
    assert not any("body" in note for note in report.notes)


def test_a_grasp_through_the_body_is_told_where_there_is_no_room() -> None:
    armature, hand = add_arm_hand()
    _deforming(armature)
    layer = bpy.context.view_layer
    prop = add_prop("ball", AWAY)
    wall = hand_frame(armature, hand) @ Vector((0.0, -0.1, 0.1))
    for k in range(3):
        _add_belly(armature, wall + Vector((0.0, 0.0, 0.03 * k)), bone="chest.R", size=0.06)
    report, search = grasp(armature, hand, prop, GraspRequest(place="prop", attempts=2), view_layer=layer)
    assert any("goes through the body" in note for note in report.notes)
    assert search.place.body is None
    assert report.deepest_mm < 0.5


def _animated(layer: Any) -> Any:
    armature, _ = add_arm_hand()
    bone = armature.pose.bones["upper_arm.R"]
    bone.rotation_mode = "QUATERNION"
    for frame, turn in ((1, (0.9, 0.4, 0.0, 0.0)), (60, (0.7, -0.7, 0.0, 0.0))):
        bone.rotation_quaternion = turn
        bone.keyframe_insert("rotation_quaternion", frame=frame)
    bpy.context.scene.frame_set(1)
    layer.update()
    return armature


@pytest.mark.parametrize("strips", [False, True])
@pytest.mark.parametrize("rest", [False, True])
def test_a_standstill_lasts(rest: bool, strips: bool) -> None:
    layer = bpy.context.view_layer
    armature = _animated(layer)
    action = armature.animation_data.action
    if strips:
        armature.animation_data.nla_tracks.new().strips.new("strip", 1, action)
        armature.animation_data.action = None
        bpy.context.scene.frame_set(1)
    bone = armature.pose.bones["upper_arm.R"]
    shown = np.array(bone.matrix)
    assert stop_animation(armature, rest=rest, view_layer=layer)
    expected = np.array(bone.bone.matrix_local) if rest else shown
    for frame in (1, 30, 60):
        bpy.context.scene.frame_set(frame)
        np.testing.assert_allclose(np.array(bone.matrix), expected, atol=1e-5)
    assert action.name in bpy.data.actions
    assert strips or action.users
    assert not stop_animation(armature, rest=rest, view_layer=layer), "nothing is left to stop"


@pytest.mark.long
@pytest.mark.parametrize("ending", ["blend", "glb"])
def test_commands_take_animated_characters_as_they_stand(ending: str, tmp_path: Path) -> None:
    _animated(bpy.context.view_layer)
    path = tmp_path / f"animated.{ending}"
    if ending == "blend":
        bpy.ops.wm.save_as_mainfile(filepath=str(path))
    else:
        bpy.ops.export_scene.gltf(filepath=str(path))
    out = tmp_path / "out"
    done = run_prehend("grasp", "--hand", str(path), "--object", "demo:ball", "--out", str(out), "--samples", "0")
    assert done.returncode == 0, done.stderr
    facts = json.loads((out / "grasp.json").read_text())
    stands = "in its rest pose" if ending == "glb" else "as at the current frame"
    assert any("animation is left out" in note and stands in note for note in facts["notes"])
    bpy.ops.wm.open_mainfile(filepath=str(out / "grasp.blend"))
    bpy.context.scene.frame_set(facts["frames"]["hold"])
    prop = bpy.data.objects[facts["object"]["name"]]
    armature = bpy.data.objects[facts["hand"]["armature"]]
    surface = surface_of(prop, bpy.context.view_layer.depsgraph)
    skins = [obj for obj in armature.children if obj.type == "MESH" and obj != prop]
    nearest = min(float(surface.exact_distance(evaluated_points(skin)).min()) for skin in skins)
    assert -1e-3 < nearest < 2e-4, "at the frame where it is held, the hand holds it"
