# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reaching with the wrist: by the arm's bones within limits, by its control, or with the armature."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from addon.core.rotations import angles_from_rotation, nearest_rotation, rotation_from_angles
from addon.hands.arm import find_arm
from addon.hands.forward import forward
from addon.rig.read import read_hand_frame, read_matrices, read_placement
from addon.rig.skeletons import read_skeleton
from addon.services.posture import model_of
from addon.services.reach import reach_wrist, wrist_mover
from tests.blender.model_rigs import deform_state
from tests.blender.test_read_write_rigs import mpfb_rig, rigify_file, rigify_rig
from tests.blender.test_tips import store

__all__ = ["rigify_file"]  # a fixture that is used by name


def goal_at(frame: np.ndarray) -> Any:
    goal = bpy.data.objects.new("Goal", None)
    bpy.context.scene.collection.objects.link(goal)
    goal.matrix_world = Matrix(frame.tolist())
    bpy.context.view_layer.update()
    return goal


def hand_frame(armature: Any, hand: Any) -> np.ndarray:
    return read_hand_frame(armature, model_of(armature, hand), read_placement(armature))


def nearer(armature: Any, hand: Any, share: float) -> np.ndarray:
    """The hand's frame drawn towards the shoulder and turned a little."""
    frame = hand_frame(armature, hand)
    arm = find_arm(read_skeleton(armature), model_of(armature, hand))
    shoulder = read_placement(armature).to_world(read_matrices(armature, [arm.names[0]])[0, :3, 3]) if arm else None
    if shoulder is not None:
        frame[:3, 3] += share * (shoulder - frame[:3, 3]) + np.array([0.02, -0.12, 0.05])
    frame[:3, :3] = np.array(Matrix.Rotation(0.35, 3, Vector((0.3, 0.5, 0.8)))) @ frame[:3, :3]
    return frame


def assert_within_limits(armature: Any, hand: Any) -> None:
    arm = find_arm(read_skeleton(armature), model_of(armature, hand))
    assert arm is not None
    matrices = read_matrices(armature, arm.names)
    frames = read_placement(armature).turn @ nearest_rotation(matrices[:, :3, :3]) @ arm.joint_in_bone
    for k in (1, 2):
        zero = frames[k - 1] @ arm.frames[k - 1].T @ arm.frames[k]
        angles = angles_from_rotation(zero.T @ frames[k])
        assert (angles >= arm.limits[k, :, 0] - 1e-3).all()
        assert (angles <= arm.limits[k, :, 1] + 1e-3).all()


@pytest.mark.parametrize("side", ["L", "R"])
@pytest.mark.parametrize("scale", [1.0, 0.1])
def test_a_characters_arm_brings_the_hand_to_a_frame_within_limits(side: str, scale: float) -> None:
    armature, hand = mpfb_rig(side)
    armature.scale = (scale,) * 3
    store(armature, hand)
    bpy.context.view_layer.update()
    arm = find_arm(read_skeleton(armature), model_of(armature, hand))
    assert arm is not None
    assert [name.split("_")[0] for name in arm.names] == ["upperarm", "lowerarm", "hand"]
    wanted = nearer(armature, hand, 0.3)
    if scale != 1.0:
        wanted[:3, 3] = hand_frame(armature, hand)[:3, 3] + 0.3 * scale * np.array([0.0, -0.3, 0.1])
    report = reach_wrist(armature, hand, goal_at(wanted), view_layer=bpy.context.view_layer)
    assert report.way == "the arm"
    assert report.gap < 1e-4
    assert report.turn < 2e-3
    assert np.allclose(hand_frame(armature, hand), wanted, atol=3e-3)
    assert_within_limits(armature, hand)


@pytest.mark.parametrize("side", ["L", "R"])
def test_wrists_turn_farther_towards_the_little_finger(side: str) -> None:
    """Boone and Azen 1979: 22 degrees towards the thumb, 36 away from it."""
    armature, hand = mpfb_rig(side)
    model = model_of(armature, hand)
    arm = find_arm(read_skeleton(armature), model)
    assert arm is not None
    places = {name: forward(model, model.rest_angles).origins[model.joints(name)[0]] for name in ("thumb", "pinky")}
    for angle in arm.limits[2, 1]:
        # Fingers point along z, so x of the turned z tells the side.
        leans = rotation_from_angles([0.0, angle, 0.0])[0, 2] * (places["thumb"] - places["pinky"])[0] > 0.0
        assert abs(angle) == pytest.approx(np.radians(22.0 if leans else 36.0))
    assert np.degrees(arm.limits[2, 0]) == pytest.approx([-75.0, 76.0])


def test_out_of_reach_the_arm_stretches_towards_it() -> None:
    armature, hand = mpfb_rig("L")
    bpy.context.view_layer.update()
    wanted = hand_frame(armature, hand)
    wanted[:3, 3] += np.array([0.0, -3.0, 0.0])
    before = hand_frame(armature, hand)
    report = reach_wrist(armature, hand, goal_at(wanted), view_layer=bpy.context.view_layer, use_rotation=False)
    assert 1.0 < report.gap < 3.0
    assert np.linalg.norm(hand_frame(armature, hand)[:3, 3] - wanted[:3, 3]) < 3.0
    assert np.isfinite(np.array(deform_state(armature))).all()
    assert hand_frame(armature, hand)[1, 3] < before[1, 3]


@pytest.mark.parametrize("ik", [True, False])
def test_a_rigify_human_is_moved_by_its_control_or_by_its_bones(rigify_file: str, ik: bool) -> None:
    armature, hand = rigify_rig(rigify_file, "R")
    armature.pose.bones["upper_arm_parent.R"]["IK_FK"] = 0.0 if ik else 1.0
    armature.update_tag()
    bpy.context.view_layer.update()
    before = deform_state(armature)
    way, _ = wrist_mover(armature, model_of(armature, hand), view_layer=bpy.context.view_layer)
    assert way == ("the control hand_ik.R" if ik else "the arm")
    assert deform_state(armature) == before
    wanted = hand_frame(armature, hand)
    wanted[:3, 3] += np.array([0.08, -0.12, 0.05])
    report = reach_wrist(armature, hand, goal_at(wanted), view_layer=bpy.context.view_layer)
    assert report.gap < 1e-3
    assert report.turn < 0.02


def test_a_hand_without_an_arm_takes_its_armature_along() -> None:
    bpy.ops.prehend.add_demo_hand(side="R")
    armature = bpy.context.object
    frame = np.eye(4)
    frame[:3, 3] = 0.3, 0.2, 0.1
    goal_at(frame).select_set(True)
    assert bpy.ops.prehend.reach_wrist(side="R") == {"FINISHED"}
    from addon.services.poses import hands_of

    assert np.allclose(hand_frame(armature, hands_of(armature)[0]), frame, atol=1e-5)


def test_the_operators_undo_and_what_they_refuse() -> None:
    armature, hand = mpfb_rig("L")
    store(armature, hand)
    bpy.context.view_layer.objects.active = armature
    bpy.context.view_layer.update()
    with pytest.raises(RuntimeError, match="Select the object to reach for"):
        bpy.ops.prehend.reach_wrist(side="L")
    with pytest.raises(RuntimeError, match="no right hand"):
        bpy.ops.prehend.add_wrist_target(side="R")
    assert bpy.ops.prehend.add_wrist_target(side="L") == {"FINISHED"}
    goal = bpy.data.objects["Wrist.L " + armature.name]
    bpy.context.view_layer.update()
    assert np.allclose(np.array(goal.matrix_world), hand_frame(armature, hand), atol=1e-5)
    goal.location.x = float("nan")
    goal.select_set(True)
    armature.select_set(True)
    bpy.context.view_layer.update()
    before = deform_state(armature)
    with pytest.raises(RuntimeError, match="no place for a hand"):
        bpy.ops.prehend.reach_wrist(side="L")
    assert deform_state(armature) == before


def test_a_wrist_target_needs_no_selection_and_stands_for_its_armature_when_active() -> None:
    armature, hand = mpfb_rig("L")
    store(armature, hand)
    layer = bpy.context.view_layer
    layer.objects.active = armature
    layer.update()
    bpy.ops.prehend.add_wrist_target(side="L")
    goal = bpy.data.objects["Wrist.L " + armature.name]
    for active in (armature, goal):
        goal.location.z += 0.03
        bpy.ops.object.select_all(action="DESELECT")
        layer.objects.active = active
        layer.update()
        assert bpy.ops.prehend.reach_wrist(side="L") == {"FINISHED"}
        assert np.allclose(hand_frame(armature, hand)[:3, 3], goal.location, atol=1e-4)
