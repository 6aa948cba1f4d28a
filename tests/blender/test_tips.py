# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fingertip targets by operator: added, solved, undone, followed, pinned, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from addon.hands.forward import forward
from addon.rig.read import read_pose
from addon.rig.tips import COLLECTION, GAP_KEY, read_targets
from addon.rig.write import write_angles
from addon.services.finger_ik import METHODS, TipOptions
from addon.services.poses import hands_of
from addon.services.posture import model_of
from addon.services.tip_gaps import find_gaps
from addon.services.tips import fingertips, solve_tips
from tests.blender.model_rigs import add_hand, deform_state, placed, random_posture
from tests.blender.test_read_write_rigs import RIGS, rigify_file, rigify_rig
from tests.unit.model_hands import HandShape

__all__ = ["rigify_file"]  # a fixture that is used by name


@pytest.fixture
def hand() -> Any:
    bpy.ops.prehend.add_demo_hand(side="R")
    bpy.ops.prehend.detect_hands()
    return bpy.context.object


def target(finger: str) -> Any:
    return next(obj for obj in bpy.data.objects if obj.get("prehend_tip_finger") == finger)


def update() -> None:
    bpy.context.view_layer.update()


def shown_tip(armature: Any, finger: str) -> np.ndarray:
    model = model_of(armature, hands_of(armature)[0], objects=bpy.context.scene.objects)
    return fingertips(model, read_pose(armature, model))[model.fingers.index(finger)]


def gap(armature: Any, finger: str) -> float:
    return float(np.linalg.norm(shown_tip(armature, finger) - np.array(target(finger).matrix_world.translation)))


def assert_tips_arrive(armature: Any, hand: Any, method: str = "closed_form", *, slack: float = 1e-5) -> None:
    """Targets at the tips of a random posture within limits are reached, from the rest pose."""
    layer, scene = bpy.context.view_layer, bpy.context.scene
    layer.update()
    model = model_of(armature, hand, objects=scene.objects)
    rng = np.random.default_rng(7)
    ranges = model.limits.ranges
    angles = np.array(model.rest_angles)
    for finger in model.fingers:
        for j in model.joints(finger):
            # Twist is what solvers leave alone where they can, so targets are made without.
            angles[j, :2] = ranges[j, :2, 0] + (0.15 + 0.7 * rng.random(2)) * (ranges[j, :2, 1] - ranges[j, :2, 0])
    tips = forward(model, angles).tips @ read_pose(armature, model).T_world_hand[:3, :3].T
    tips = tips + read_pose(armature, model).T_world_hand[:3, 3]
    from addon.services.tips import add_tip_targets

    add_tip_targets(armature, [hand], scene=scene)
    for each in read_targets(armature, scene.objects):
        bpy.data.objects[each.name].location = tips[model.fingers.index(each.finger)].tolist()
    layer.update()
    report = solve_tips(armature, scene=scene, view_layer=layer, options=TipOptions(method=method))
    assert len(report.outcomes) == len(model.fingers)
    for outcome in report.outcomes:
        assert outcome.gap <= 1e-4 * max(1.0, model.palm_length / 0.1), outcome
    found = read_pose(armature, model).angles
    joints = [j for finger in model.fingers for j in model.joints(finger)]
    assert (found[joints, :2] >= ranges[joints, :2, 0] - slack).all()
    assert (found[joints, :2] <= ranges[joints, :2, 1] + slack).all()


@pytest.mark.long
@pytest.mark.parametrize("name", RIGS)
def test_tips_arrive_on_every_rig(name: str) -> None:
    armature, hand = RIGS[name]()
    store(armature, hand)
    assert_tips_arrive(armature, hand)


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS)
def test_every_method_arrives_on_the_demo_hand(method: str) -> None:
    armature, hand = RIGS["demo human L"]()
    store(armature, hand)
    assert_tips_arrive(armature, hand, method)


@pytest.mark.parametrize("side", ["L", "R"])
def test_tips_arrive_on_a_generated_rigify_human(rigify_file: str, side: str) -> None:
    armature, hand = rigify_rig(rigify_file, side)
    store(armature, hand)
    # Its first deforming bones do not take over their controls' twist, which shows as abduction of the next.
    assert_tips_arrive(armature, hand, slack=0.1)


@pytest.mark.parametrize("shape", [HandShape(scale=0.1, seed=2), HandShape(side="L", scale=0.1, metacarpals=True)])
@pytest.mark.parametrize("mirror", [False, True])
def test_tips_arrive_on_scaled_and_mirrored_objects(shape: HandShape, mirror: bool) -> None:
    armature, hand = add_hand(shape, matrix=placed(0.01, mirror))
    store(armature, hand)
    assert_tips_arrive(armature, hand)


@pytest.mark.parametrize("phalanges", [2, 4])
def test_tips_of_fingers_with_fewer_or_more_bones_arrive(phalanges: int) -> None:
    armature, hand = add_hand(HandShape(phalanges=phalanges, seed=6))
    store(armature, hand)
    assert_tips_arrive(armature, hand)


def store(armature: Any, hand: Any) -> None:
    from addon.services.detection import store_hands

    store_hands(armature, [hand])


def test_targets_are_added_once_at_the_tips_and_never_overwritten(hand: Any) -> None:
    assert bpy.ops.prehend.add_tip_targets() == {"FINISHED"}
    assert len(bpy.data.collections[COLLECTION].objects) == 5
    update()
    assert gap(hand, "index") < 1e-6
    target("index").location.x += 0.02
    assert bpy.ops.prehend.add_tip_targets() == {"FINISHED"}
    update()
    assert gap(hand, "index") == pytest.approx(0.02, abs=1e-5)
    assert len(bpy.data.collections[COLLECTION].objects) == 5


def test_named_fingers_only_and_an_unknown_one_is_refused(hand: Any) -> None:
    bpy.ops.prehend.add_tip_targets(fingers="index, thumb")
    assert {obj["prehend_tip_finger"] for obj in bpy.data.collections[COLLECTION].objects} == {"thumb", "index"}
    with pytest.raises(RuntimeError, match="no finger 'trigger'"):
        bpy.ops.prehend.add_tip_targets(fingers="trigger")


def test_fingers_with_selected_bones_are_chosen(hand: Any) -> None:
    from addon.compat import select_pose_bone

    bpy.ops.object.mode_set(mode="POSE")
    for bone in hand.pose.bones:
        select_pose_bone(bone, bone.name == "middle.distal.R")
    bpy.ops.prehend.add_tip_targets()
    assert [obj["prehend_tip_finger"] for obj in bpy.data.collections[COLLECTION].objects] == ["middle"]


def test_solving_turns_the_fingers_with_targets_only_and_is_one_undo_step(hand: Any) -> None:
    bpy.ops.prehend.add_tip_targets(fingers="index")
    target("index").location += Vector((0.0, -0.03, -0.03))
    update()
    bpy.ops.ed.undo_push(message="before")
    name, before = hand.name, deform_state(hand)
    assert bpy.ops.prehend.solve_tips() == {"FINISHED"}
    assert gap(hand, "index") < 1e-5
    changed = {
        bone.name.split(".")[0]
        for bone, old, new in zip(hand.pose.bones, before, deform_state(hand), strict=True)
        if old != new
    }
    assert changed == {"index"}
    bpy.ops.ed.undo_push(message="solved")
    bpy.ops.ed.undo()
    assert deform_state(bpy.data.objects[name]) == before


def test_a_target_out_of_reach_keeps_its_distance_noted(hand: Any) -> None:
    bpy.ops.prehend.add_tip_targets(fingers="ring")
    there = target("ring").location.copy()
    target("ring").location.z += 0.05
    update()
    bpy.ops.prehend.solve_tips()
    assert target("ring")[GAP_KEY] == pytest.approx(1000.0 * gap(hand, "ring"), abs=0.01)
    assert target("ring")[GAP_KEY] > 10.0
    (shown,) = find_gaps(bpy.context.scene)
    assert (shown.finger, shown.text) == ("ring", f"{target('ring')[GAP_KEY]:.1f} mm")
    assert np.allclose(shown.tip, shown_tip(hand, "ring"))
    hand.location.x += 0.1
    hand.pose.bones[hands_of(hand)[0].fingers[3].chain[0]].rotation_quaternion = (0.98, 0.2, 0.0, 0.0)
    update()
    (shown,) = find_gaps(bpy.context.scene)
    assert np.allclose(shown.tip, shown_tip(hand, "ring"), atol=1e-6), "the note goes along with the finger"
    hand.location.x -= 0.1
    target("ring").location = there
    update()
    bpy.ops.prehend.solve_tips()
    assert GAP_KEY not in target("ring")
    assert find_gaps(bpy.context.scene) == []


def assert_refused(hand: Any, words: str) -> None:
    before = deform_state(hand)
    with pytest.raises(RuntimeError, match=words):
        bpy.ops.prehend.solve_tips()
    assert deform_state(hand) == before
    assert np.isfinite(np.array(before)).all()


def test_without_targets_a_sentence(hand: Any) -> None:
    assert_refused(hand, "no fingertip targets")


def test_a_target_that_is_no_point_is_refused(hand: Any) -> None:
    bpy.ops.prehend.add_tip_targets(fingers="index,middle")
    target("index").location.x = math.nan
    update()
    assert_refused(hand, "is nowhere")


def test_a_target_at_the_end_of_the_world_gives_a_finite_pose(hand: Any) -> None:
    bpy.ops.prehend.add_tip_targets(fingers="index")
    target("index").location.x = math.inf  # Blender makes it the largest number it has.
    update()
    assert bpy.ops.prehend.solve_tips() == {"FINISHED"}
    assert np.isfinite(np.array(deform_state(hand))).all()


def test_two_targets_for_one_finger_are_refused(hand: Any) -> None:
    bpy.ops.prehend.add_tip_targets(fingers="index")
    copy = target("index").copy()
    bpy.context.scene.collection.objects.link(copy)
    assert_refused(hand, "both for the index")


def test_a_locked_bone_is_refused(hand: Any) -> None:
    bpy.ops.prehend.add_tip_targets(fingers="index")
    name = hands_of(hand)[0].finger("index").chain[1]
    hand.pose.bones[name].lock_rotation = (True, True, True)
    assert_refused(hand, f"'{name}' is locked")


def test_a_target_at_the_knuckle_gives_a_finite_pose(hand: Any) -> None:
    bpy.ops.prehend.add_tip_targets(fingers="index")
    target("index").location = hand.matrix_world @ hand.pose.bones[hands_of(hand)[0].finger("index").chain[0]].head
    update()
    assert bpy.ops.prehend.solve_tips() == {"FINISHED"}
    assert np.isfinite(np.array(deform_state(hand))).all()
    assert target("index")[GAP_KEY] > 1.0


def test_following_moves_the_finger_with_its_target_and_stops(hand: Any) -> None:
    bpy.ops.prehend.add_tip_targets()
    assert bpy.ops.prehend.follow_tips() == {"FINISHED"}
    for step in range(4):
        target("index").location += Vector((0.0, -0.006, -0.006))
        update()
        update()
        assert gap(hand, "index") < 1e-5, step
    shown = bpy.context.window_manager.prehend
    assert 0.0 < shown.follow_solve_ms <= shown.follow_ms
    assert bpy.ops.prehend.follow_tips() == {"FINISHED"}
    target("index").location += Vector((0.0, 0.0, -0.01))
    update()
    assert gap(hand, "index") > 5e-3


def test_a_dragged_target_that_is_active_stands_for_its_armature(hand: Any) -> None:
    bpy.ops.prehend.add_tip_targets(fingers="index")
    layer = bpy.context.view_layer
    layer.objects.active = target("index")
    hand.select_set(False)
    target("index").location += Vector((0.0, -0.02, -0.02))
    update()
    assert bpy.ops.prehend.solve_tips() == {"FINISHED"}
    assert gap(hand, "index") < 1e-5
    assert bpy.ops.prehend.follow_tips() == {"FINISHED"}
    assert bpy.ops.prehend.follow_tips() == {"FINISHED"}
    assert not bpy.context.scene.prehend.follow_tips
    assert bpy.ops.prehend.add_tip_targets(fingers="ring") == {"FINISHED"}
    layer.objects.active = None
    assert not bpy.ops.prehend.solve_tips.poll()


def test_following_does_not_set_itself_off(hand: Any) -> None:
    from addon.operators.follow_tips import FOLLOWER

    bpy.ops.prehend.add_tip_targets()
    bpy.ops.prehend.follow_tips()
    target("index").location += Vector((0.0, -0.01, -0.01))
    update()
    update()
    options = TipOptions(theta_u=bpy.context.scene.prehend.tip_bend)
    assert FOLLOWER.update(bpy.context.scene, options) is None
    state = deform_state(hand)
    hand.pose.bones[hands_of(hand)[0].finger("ring").chain[1]].rotation_quaternion = (0.9, 0.43, 0.0, 0.0)
    posed = deform_state(hand)
    update()
    update()
    assert deform_state(hand) == posed != state


def test_following_goes_by_animated_targets(hand: Any) -> None:
    bpy.ops.prehend.add_tip_targets(fingers="index")
    goal = target("index")
    goal.keyframe_insert("location", frame=1)
    goal.location += Vector((0.0, -0.03, -0.03))
    goal.keyframe_insert("location", frame=11)
    bpy.ops.prehend.follow_tips()
    for frame in (1, 6, 11):
        bpy.context.scene.frame_set(frame)
        update()
        assert gap(hand, "index") < 1e-5


def test_a_pinned_fingertip_stays_while_the_wrist_and_the_surface_move(hand: Any) -> None:
    model = model_of(hand, hands_of(hand)[0], objects=bpy.context.scene.objects)
    angles = np.array(model.rest_angles)
    for j in model.joints("index"):
        angles[j, 0] += 0.4
    write_angles(hand, model, angles, view_layer=bpy.context.view_layer)
    tip = shown_tip(hand, "index")
    mesh = bpy.data.meshes.new("table")
    mesh.from_pydata([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], [], [(0, 1, 2, 3)])
    table = bpy.data.objects.new("Table", mesh)
    bpy.context.scene.collection.objects.link(table)
    table.matrix_world = Matrix.Translation(tip - np.array([0.0, 0.004, 0.0])) @ Matrix.Rotation(math.pi / 2, 4, "X")
    table.select_set(True)
    hand.select_set(True)
    bpy.context.view_layer.objects.active = hand
    update()
    assert bpy.ops.prehend.pin_tips(fingers="index") == {"FINISHED"}
    update()
    pinned = np.array(target("index").matrix_world.translation)
    assert np.linalg.norm(pinned - tip) == pytest.approx(0.004, abs=1e-5)
    assert gap(hand, "index") < 1e-5
    hand.location += Vector((0.002, -0.004, 0.003))
    update()
    update()
    assert np.linalg.norm(shown_tip(hand, "index") - pinned) < 1e-5
    table.location.y -= 0.005
    update()
    update()
    assert gap(hand, "index") < 1e-5
    assert shown_tip(hand, "index")[1] == pytest.approx(pinned[1] - 0.005, abs=1e-5)


def test_pinning_needs_one_mesh_with_faces(hand: Any) -> None:
    with pytest.raises(RuntimeError, match="Select the object to pin to"):
        bpy.ops.prehend.pin_tips()
    empty = bpy.data.objects.new("Bare", bpy.data.meshes.new("bare"))
    bpy.context.scene.collection.objects.link(empty)
    empty.select_set(True)
    with pytest.raises(RuntimeError, match="has no surface"):
        bpy.ops.prehend.pin_tips()
    assert COLLECTION not in bpy.data.collections


def test_other_fingers_of_a_random_posture_are_left_alone(hand: Any) -> None:
    model = model_of(hand, hands_of(hand)[0])
    write_angles(hand, model, random_posture(model, 3), view_layer=bpy.context.view_layer)
    bpy.ops.prehend.add_tip_targets(fingers="pinky")
    before = dict(zip(hand.pose.bones.keys(), deform_state(hand), strict=True))
    target("pinky").location += Vector((0.001, -0.002, 0.0))
    update()
    bpy.ops.prehend.solve_tips(method="dls")
    for name, state in zip(hand.pose.bones.keys(), deform_state(hand), strict=True):
        assert name.startswith("pinky") or state == before[name]
