# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Detecting, correcting, posing and keying hands by operator, and what they refuse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest

from addon.core.handmap import HandMapError
from addon.services.detection import load_hands
from addon.services.hand_slots import apply_slots, refresh_slots
from addon.services.poses import hands_of
from addon.services.posture import model_of, read_posture


@pytest.fixture
def hand() -> Any:
    bpy.ops.prehend.add_demo_hand(variant="cartoon", side="R")
    return bpy.context.object


def _turns(armature: Any) -> list[tuple[float, ...]]:
    return [tuple(round(value, 9) for row in bone.matrix_basis for value in row) for bone in armature.pose.bones]


def test_detect_hands_fills_a_slot_per_bone(hand: Any) -> None:
    assert bpy.ops.prehend.detect_hands() == {"FINISHED"}
    (slots,) = hand.data.prehend.hands
    assert (slots.side, slots.wrist) == ("R", "hand.R")
    assert [finger.finger for finger in slots.fingers] == ["thumb", "index", "middle"]
    assert [slot.bone for slot in slots.fingers[0].chain] == [
        "thumb.metacarpal.R",
        "thumb.proximal.R",
        "thumb.distal.R",
    ]


def test_slots_that_nobody_changed_say_what_was_detected(hand: Any) -> None:
    bpy.ops.prehend.detect_hands()
    before = load_hands(hand)
    assert before[0].finger("index").metacarpal == "index.metacarpal.R"
    bpy.ops.prehend.apply_hand_bones()
    assert [each.fingers for each in load_hands(hand)] == [each.fingers for each in before]


def test_corrections_are_kept_and_survive_saving_and_renaming(hand: Any, tmp_path: Path) -> None:
    bpy.ops.prehend.detect_hands()
    hand.data.prehend.hands[0].fingers[2].chain[2].bone = ""
    assert bpy.ops.prehend.apply_hand_bones() == {"FINISHED"}
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "hand.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "hand.blend"))
    armature = bpy.context.scene.objects[hand_name()]
    armature.data.bones["index.proximal.R"].name = "renamed"
    (found,) = load_hands(armature)
    assert len(found.finger("middle").chain) == 2
    assert "renamed" in found.finger("index").chain
    refresh_slots(armature)
    assert "renamed" in [slot.bone for slot in armature.data.prehend.hands[0].fingers[1].chain]


def hand_name() -> str:
    return next(obj.name for obj in bpy.data.objects if obj.type == "ARMATURE")


@pytest.mark.parametrize(
    ("bone", "words"),
    [("hand.R", "stands in two slots"), ("no such bone", "has no bone no such bone")],
)
def test_impossible_corrections_change_nothing(hand: Any, bone: str, words: str) -> None:
    bpy.ops.prehend.detect_hands()
    before = load_hands(hand)
    hand.data.prehend.hands[0].fingers[0].chain[0].bone = bone
    with pytest.raises(RuntimeError, match=words):
        bpy.ops.prehend.apply_hand_bones()
    assert load_hands(hand) == before


def test_a_hand_of_one_finger_is_refused(hand: Any) -> None:
    bpy.ops.prehend.detect_hands()
    for finger in list(hand.data.prehend.hands[0].fingers)[1:]:
        for slot in finger.chain:
            slot.bone = ""
    with pytest.raises(RuntimeError, match="fewer than two fingers"):
        bpy.ops.prehend.apply_hand_bones()


def test_a_deleted_bone_is_told(hand: Any) -> None:
    bpy.ops.prehend.detect_hands()
    bpy.ops.object.mode_set(mode="EDIT")
    hand.data.edit_bones.remove(hand.data.edit_bones["index.distal.R"])
    bpy.ops.object.mode_set(mode="OBJECT")
    with pytest.raises(HandMapError, match=r"index\.distal\.R"):
        refresh_slots(hand)


def test_operators_need_an_armature() -> None:
    bpy.ops.prehend.add_demo_prop(prop="ball")
    for operator in (bpy.ops.prehend.detect_hands, bpy.ops.prehend.apply_pose, bpy.ops.prehend.key_hands):
        with pytest.raises(RuntimeError, match="poll"):
            operator()


def test_an_armature_without_a_hand_is_told_and_left_alone() -> None:
    bpy.ops.object.armature_add()
    armature = bpy.context.object
    for operator in (bpy.ops.prehend.detect_hands, bpy.ops.prehend.apply_pose):
        with pytest.raises(RuntimeError, match="hand"):
            operator()
    assert not armature.data.prehend.hands
    assert not armature.data.keys() or "prehend_hands" not in armature.data.keys()


@pytest.mark.long
@pytest.mark.parametrize("variant", ["human", "cartoon", "six_finger", "gripper_2", "gripper_3"])
@pytest.mark.parametrize("side", ["L", "R"])
def test_a_fist_closes_every_finger_of_every_demo_hand(variant: str, side: str) -> None:
    bpy.ops.prehend.add_demo_hand(variant=variant, side=side)
    armature = bpy.context.object
    tips = [bone.name for bone in armature.pose.bones if ".tip" in bone.name]
    open_heads = {name: armature.pose.bones[name].head.copy() for name in tips}
    wrist = armature.pose.bones[f"hand.{side}"].head
    assert bpy.ops.prehend.apply_pose(pose="fist") == {"FINISHED"}
    for name in tips:
        if not name.startswith("thumb"):
            now = armature.pose.bones[name].head
            assert (now - wrist).length < (open_heads[name] - wrist).length - 0.005 * armature.dimensions.z, name


def test_factor_zero_leaves_the_pose(hand: Any) -> None:
    bpy.ops.prehend.apply_pose(pose="relaxed")
    before = _turns(hand)
    bpy.ops.prehend.apply_pose(pose="fist", factor=0.0)
    for now, then in zip(_turns(hand), before, strict=True):
        assert now == pytest.approx(then, abs=1e-6)


def test_a_pose_and_its_key_are_one_undo_step(hand: Any) -> None:
    bpy.ops.ed.undo_push(message="before")
    name, before = hand.name, _turns(hand)
    bpy.ops.prehend.apply_pose(pose="fist", key=True)
    bpy.ops.ed.undo_push(message="after")
    assert bpy.data.objects[name].animation_data.action is not None
    bpy.ops.ed.undo()
    restored = bpy.data.objects[name]
    assert _turns(restored) == before
    assert restored.animation_data is None or restored.animation_data.action is None


def test_key_hands_keys_every_finger_bone_once(hand: Any) -> None:
    bpy.ops.prehend.key_hands()
    from addon.compat import action_fcurves

    curves = action_fcurves(hand.animation_data.action, hand)
    bones = {curve.data_path.split('"')[1] for curve in curves}
    assert bones == {bone.name for bone in hand.pose.bones if bone.name != "hand.R" and ".tip" not in bone.name}
    assert all(len(curve.keyframe_points) == 1 for curve in curves)


def test_mirroring_needs_two_hands(hand: Any) -> None:
    with pytest.raises(RuntimeError, match="no left hand"):
        bpy.ops.prehend.mirror_pose(source="R")


def test_slots_without_detection_hold_nothing(hand: Any) -> None:
    assert apply_slots(hand) == []


def test_own_limits_begin_with_the_present_ones_and_hold(hand: Any) -> None:
    assert bpy.ops.prehend.start_own_limits(bone="index.intermediate.R") == {"FINISHED"}
    limits = hand.data.bones["index.intermediate.R"].prehend
    assert limits.use_own_limits
    assert limits.flexion_max > 1.5
    limits.flexion_max = 0.5
    bpy.ops.prehend.apply_pose(pose="fist")
    (found,) = hands_of(hand)
    model = model_of(hand, found)
    joint = model.names.index("index.intermediate.R")
    assert read_posture(hand, found).angles[joint, 0] == pytest.approx(0.5, abs=1e-5)
    limits.use_own_limits = False
    bpy.ops.prehend.apply_pose(pose="fist")
    assert read_posture(hand, found).angles[joint, 0] > 1.2


def test_a_bone_that_is_no_joint_gets_no_limits(hand: Any) -> None:
    with pytest.raises(RuntimeError, match="no joint of a hand"):
        bpy.ops.prehend.start_own_limits(bone="hand.R")


def test_a_fist_copied_to_another_kind_of_hand_is_a_fist(hand: Any) -> None:
    bpy.ops.prehend.apply_pose(pose="fist")
    bpy.ops.prehend.add_demo_hand(variant="human", side="L")
    other = bpy.context.object
    with pytest.raises(RuntimeError, match="Select the armature to copy from"):
        bpy.ops.prehend.copy_pose()
    hand.select_set(True)
    assert bpy.ops.prehend.copy_pose() == {"FINISHED"}
    (found,) = hands_of(other)
    model = model_of(other, found)
    angles = read_posture(other, found).angles
    for finger in ("index", "middle", "ring", "pinky"):
        assert sum(angles[model.joints(finger), 0]) > 3.5, finger
