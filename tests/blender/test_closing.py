# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Closing on real scenes: the skin that Blender shows ends on the surface that it shows, and nothing else moves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix
from mathutils.kdtree import KDTree

from addon.rig.read import read_pose
from addon.services import surfaces
from addon.services.closing import CloseRequest, judge_skin, open_hand
from addon.services.closing_hands import closing_skin
from addon.services.posture import model_of
from addon.solvers.surface import build_surface
from tests.blender import closing_scenes as scenes
from tests.blender.closing_scenes import GAP_MM, SPHERE, Scene, assert_touching, demo, skin_depth_mm, update
from tests.blender.model_rigs import placed

EVERYWHERE = {
    "as_made": None,
    "small": placed(0.01),
    "large": placed(30.0),
    "mirrored": placed(1.0, mirror=True),
    "small_mirrored": placed(0.01, mirror=True),
}


def scaled_to_hand(scene: Scene) -> Scene:
    """The prop in the same size to the hand as if nothing were scaled."""
    scene.prop.scale = [scene.armature.matrix_world.median_scale] * 3
    return scene


@pytest.mark.long
@pytest.mark.parametrize("side", ["R", "L"])
@pytest.mark.parametrize("prop", ["ball", "mug", "bottle"])
def test_demo_hands_hold_props(side: str, prop: str) -> None:
    scene = demo(side=side, prop=prop).face()
    report = scene.close()
    assert_touching(scene, report, least=4)
    assert report.fingers[0].touching, "the thumb takes part"


@pytest.mark.long
@pytest.mark.parametrize("where", list(EVERYWHERE))
@pytest.mark.parametrize("side", ["R", "L"])
def test_moved_scaled_and_mirrored_armatures_close(where: str, side: str) -> None:
    scene = demo(side=side, matrix=EVERYWHERE[where])
    scale = scene.armature.matrix_world.median_scale
    if scale == pytest.approx(1.0, abs=1e-3):
        scene.face()
        assert_touching(scene, scene.close(), least=4)
        return
    # Skin depth and what counts as touching are in millimetres of the world, so such hands are measured by their size.
    scaled_to_hand(scene)
    if scale < 1.0:
        scene.armature.matrix_world = scene.armature.matrix_world @ Matrix.Diagonal((100.0, 100.0, 100.0, 1.0))
        grow_down(scene)
        scene.prop.scale = (1.0, 1.0, 1.0)
        scene.face()
        assert_touching(scene, scene.close(), least=4)
    else:
        scene.face()
        report = scene.close()
        assert sum(finger.touching for finger in report.fingers) >= 4
        assert report.deepest_mm <= 0.5


def grow_down(scene: Scene) -> None:
    """Have a hundredth of the object's scale made up for by its data, as in files from Mixamo or Unreal."""
    factor = Matrix.Diagonal((100.0, 100.0, 100.0, 1.0))
    scene.armature.data.transform(factor)
    scene.skin.data.transform(factor)
    scene.armature.matrix_world = scene.armature.matrix_world @ factor.inverted()
    update()
    assert scene.armature.matrix_world.median_scale == pytest.approx(0.01, rel=1e-3)


@pytest.mark.long
@pytest.mark.parametrize(("variant", "least"), [("six_finger", 5), ("cartoon", 2), ("gripper_2", 2), ("gripper_3", 3)])
def test_hands_of_any_number_of_fingers_close(variant: str, least: int) -> None:
    scene = demo(variant, prop="ball").face()
    assert_touching(scene, scene.close(), least=least)


@pytest.mark.long
@pytest.mark.parametrize("scale", [(0.5, 0.5, 0.5), (-0.6, 0.6, 0.6), (0.5, 0.9, 0.7)])
def test_scaled_mirrored_turned_and_modified_props_are_held_as_shown(scale: tuple[float, float, float]) -> None:
    scene = demo(prop="mug")
    scene.prop.scale, scene.prop.rotation_euler = scale, (0.7, -0.4, 2.0)
    parent = bpy.data.objects.new("parent", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.matrix_world, scene.prop.parent = Matrix.LocRotScale((1, 2, 3), Euler((1, 2, 3)), (1.2, 1.2, 1.2)), parent
    scene.prop.modifiers.new("Subdivision", "SUBSURF").levels = 1
    report = scene.face().close()
    assert_touching(scene, report, least=3)


def test_modifiers_decide_where_the_surface_is() -> None:
    scene = demo(prop=None)
    scene.prop = scenes.box_object("Cube", (0.09, 0.09, 0.09))
    scene.prop.modifiers.new("Subdivision", "SUBSURF").levels = 3
    scene.face()
    assert_touching(scene, scene.close(), least=3)


def test_skin_with_modifiers_after_the_armature_is_corrected() -> None:
    scene = demo(prop="ball").face()
    scene.skin.modifiers.new("Subdivision", "SUBSURF").levels = 1
    swollen = scene.skin.modifiers.new("Fat", "DISPLACE")
    swollen.strength, swollen.mid_level = 6e-4, 0.0
    report = scene.close()
    assert_touching(scene, report, least=4)


@pytest.mark.parametrize("volume", [False, True])
def test_skin_is_computed_as_blender_shows_it(volume: bool) -> None:
    scene = demo(prop="ball").face()
    scene.skin.modifiers[0].use_deform_preserve_volume = volume
    report = scene.close()
    assert_touching(scene, report, least=4)
    model = model_of(scene.armature, scene.hand)
    pose = read_pose(scene.armature, model)
    fine = closing_skin(model).fine
    mine = fine.all_positions(fine.motions(pose.angles[None], pose.T_world_hand[None, :3]))[0]
    shown = scenes.shown_skin(scene)
    tree = KDTree(len(shown))
    for number, point in enumerate(shown):
        tree.insert(point, number)
    tree.balance()
    off = np.array([tree.find(point)[2] for point in mine])
    # Skin between two fingers follows the one that moves it most.
    share = fine.shares[:, :-1].sum(axis=1) + np.where(fine.probes.joints < 0, fine.probes.weights, 0.0).sum(axis=1)
    own = share > 1.0 - 1e-6
    assert own.mean() > 0.7
    assert off[own].max() < 1e-5


def test_bare_armatures_close_by_their_capsules() -> None:
    scene = demo(prop="ball")
    bpy.data.objects.remove(scene.skin)
    report = scene.face().close()
    touching = [finger for finger in report.fingers if finger.touching]
    assert len(touching) >= 4
    assert all(abs(finger.gap_mm + 0.3) < 0.15 for finger in touching), report
    assert report.deepest_mm <= 0.5


@pytest.mark.parametrize("depth", [0.0, 1e-3, 3e-3])
def test_soft_pads_go_as_deep_as_asked(depth: float) -> None:
    scene = demo(prop="ball").face()
    report = scene.close(replace(SPHERE, depth=depth))
    gaps = np.array([finger.gap_mm for finger in report.fingers if finger.touching])
    assert gaps.min() > -1e3 * depth - 0.15
    # A finger may come to its joints' limits before.
    assert (np.abs(gaps + 1e3 * depth) < 0.15).sum() >= 4


def beside_a_peg() -> tuple[Scene, Any]:
    """A hand before a small ball, and a block where its index finger's tip would come to, clear of the open hand."""
    scene = demo(prop="ball")
    scene.prop.scale = (0.4, 0.4, 0.4)
    scene.face()
    tip = scene.armature.pose.bones[scene.hand.fingers[1].chain[-1]]
    scene.close()
    place = scene.armature.matrix_world @ ((tip.head + tip.tail) / 2.0)
    open_hand(scene.armature, scene.hand, SPHERE, view_layer=bpy.context.view_layer)
    peg = scenes.box_object("Peg", (0.006, 0.006, 0.006))
    peg.location = place
    update()
    assert skin_depth_mm(scene, peg) < -1.0, "the open hand is clear of it"
    return scene, peg


def test_obstacles_are_kept_clear_of() -> None:
    scene, peg = beside_a_peg()
    scene.close()
    assert skin_depth_mm(scene, peg) > -2.0, "it is in the way"
    inside = scenes.deepest_in_skin_mm(scene, peg)
    assert inside > 1.0
    report = scene.close(obstacles=(peg,))
    assert scenes.deepest_in_skin_mm(scene, peg) < 0.0
    assert skin_depth_mm(scene, peg) <= 0.0
    assert skin_depth_mm(scene) <= 0.5
    assert any(finger.touching for finger in report.fingers)


def test_only_the_chosen_fingers_move_and_the_wrist_stays() -> None:
    scene = demo(prop="ball").face()
    bones = scene.armature.pose.bones
    for bone in bones:
        bone.rotation_mode = "XYZ"
    before = scenes.everything()
    frames = {bone.name: bone.matrix.copy() for bone in bones}
    report = scene.close(replace(SPHERE, fingers=frozenset({"index", "ring"})))
    assert [finger.name for finger in report.fingers if finger.closed] == ["index", "ring"]
    after = scenes.everything()
    changed = {name.partition("/")[2] for name in after if after[name] != before[name]}
    assert changed
    assert all(name.startswith(("index.", "ring.")) for name in changed), changed
    assert bones[scene.hand.wrist].matrix == frames[scene.hand.wrist]
    assert {"thumb", "middle", "pinky"}.isdisjoint(name.split(".")[0] for name in changed)


def test_closing_twice_gives_the_same_pose() -> None:
    scene = demo(prop="ball").face()
    scene.close()
    first = [np.array(bone.matrix) for bone in scene.armature.pose.bones]
    scene.close()
    np.testing.assert_allclose([np.array(bone.matrix) for bone in scene.armature.pose.bones], first, atol=1e-5)


def test_one_click_is_one_undo_step_and_is_shown() -> None:
    scene = demo(prop="ball").face()
    name = scene.armature.name
    bpy.ops.ed.undo_push(message="start")
    before = scenes.everything()
    assert bpy.ops.prehend.close_fingers("EXEC_DEFAULT", True, movement="power_sphere") == {"FINISHED"}
    closed = scenes.everything()
    contacts = bpy.data.objects[name].data.prehend.contacts
    assert sum(finger.touching for finger in contacts.fingers) >= 4
    assert contacts.prop == "Ball"
    assert closed != before
    bpy.ops.ed.undo()
    assert scenes.everything() == before
    assert not len(bpy.data.objects[name].data.prehend.contacts.fingers)
    bpy.ops.ed.redo()
    assert scenes.everything() == closed


def test_open_hand_is_one_undo_step_and_forgets_what_touched() -> None:
    scene = demo(prop="ball").face()
    name = scene.armature.name
    bpy.ops.prehend.close_fingers(movement="power_sphere")
    bpy.ops.ed.undo_push(message="closed")
    closed = scenes.everything()
    assert bpy.ops.prehend.open_hand("EXEC_DEFAULT", True, movement="power_sphere") == {"FINISHED"}
    assert scenes.everything() != closed
    assert not len(bpy.data.objects[name].data.prehend.contacts.fingers)
    bpy.ops.ed.undo()
    assert scenes.everything() == closed


@pytest.mark.parametrize("key", [False, True])
def test_keys_are_set_on_request_only(key: bool) -> None:
    scene = demo(prop="ball").face()
    bpy.context.scene.frame_set(7)
    bpy.ops.prehend.close_fingers(movement="power_sphere", key=key)
    assert (scene.armature.animation_data is not None) == key
    if key:
        shown = [np.array(bone.matrix) for bone in scene.armature.pose.bones]
        for bone in scene.armature.pose.bones:
            bone.matrix_basis = Matrix()
        bpy.context.scene.frame_set(7)
        np.testing.assert_allclose([np.array(bone.matrix) for bone in scene.armature.pose.bones], shown, atol=1e-5)
        assert scene.armature.animation_data.action.frame_range[0] == 7.0


def test_the_operator_takes_the_other_visible_objects_for_obstacles() -> None:
    scene, peg = beside_a_peg()
    scenes.select(scene.armature, scene.prop)
    bpy.ops.prehend.close_fingers(movement="power_sphere")
    assert scenes.deepest_in_skin_mm(scene, peg) < 0.0
    bpy.ops.prehend.close_fingers(movement="power_sphere", use_obstacles=False)
    assert scenes.deepest_in_skin_mm(scene, peg) > 1.0
    peg.hide_set(True)
    bpy.ops.prehend.close_fingers(movement="power_sphere")
    assert scenes.deepest_in_skin_mm(scene, peg) > 1.0


def test_surfaces_are_kept_while_only_the_place_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = demo(prop="ball").face()
    built: list[int] = []

    def build(*arguments: Any) -> Any:
        built.append(1)
        return build_surface(*arguments)

    surfaces.forget_surfaces()
    monkeypatch.setattr(surfaces, "build_surface", build)

    def builds() -> int:
        update()
        built.clear()
        scene.close()
        return len(built)

    prop = scene.prop
    assert builds() == 1
    assert builds() == 0
    prop.location.y -= 0.001
    prop.rotation_euler = (0.3, 0.4, -1.0)
    assert builds() == 0
    prop.scale = (0.9, 0.9, 0.9)
    assert builds() == 1
    prop.modifiers.new("Subdivision", "SUBSURF").levels = 1
    assert builds() == 1
    prop.data.vertices[0].co.z += 1e-4
    prop.data.update()
    assert builds() == 1
    assert builds() == 0


def test_fingers_that_do_not_reach_the_prop_are_told() -> None:
    scene = demo(prop="ball")
    scene.prop.location = (3.0, 0.0, 0.0)
    report = scene.close()
    assert not any(finger.touching or finger.bones for finger in report.fingers)
    assert all(finger.gap_mm > GAP_MM for finger in report.fingers)
    assert "No finger" in report.sentence()


@pytest.mark.long
@pytest.mark.parametrize("movement", ["small_diameter", "large_diameter", "palmar_pinch", "tripod", "lateral", "hook"])
def test_every_movement_stays_out_of_the_prop(movement: str) -> None:
    request = CloseRequest(movement=movement)
    scene = demo(prop="bottle")
    report = scene.face(request).close(request)
    assert_touching(scene, report, least=1)


def test_skin_that_is_good_enough_everywhere_beats_skin_that_is_too_far_out() -> None:
    depth = 3e-4
    cost, good = judge_skin(np.array([0.0, 1.5e-4, -0.9e-4]), depth)
    far_cost, far_good = judge_skin(np.array([0.0, 5e-4, 0.0]), depth)
    deep_cost, deep_good = judge_skin(np.array([0.0, 0.0, -3e-4]), depth)
    assert good
    assert not far_good
    assert not deep_good
    assert cost < far_cost < deep_cost
