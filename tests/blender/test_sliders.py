# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sliders in Blender: they pose, show what is posed, key, are refused and keep out of each other's way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from addon.compat import action_fcurves
from addon.operators import sliders as slider_operators
from addon.services.poses import hands_of
from addon.services.posture import model_of, read_posture


@pytest.fixture
def hand() -> Any:
    bpy.ops.prehend.add_demo_hand(variant="human", side="R")
    _look()
    return bpy.context.object


def _look() -> bool:
    """What the timer does, which does not run without a window."""
    bpy.context.view_layer.update()
    return slider_operators.refresh(bpy.context.scene, bpy.context.view_layer)


def _sliders() -> Any:
    return bpy.context.scene.prehend.sliders


def _angles(armature: Any) -> dict[str, Any]:
    bpy.context.view_layer.update()
    (found,) = hands_of(armature)
    model = model_of(armature, found)
    return dict(zip(model.names, np.degrees(read_posture(armature, found).angles), strict=True))


def test_a_moved_slider_poses_the_hand_and_the_others_follow(hand: Any) -> None:
    _sliders().curl = 1.0
    angles = _angles(hand)
    for finger in ("index", "middle", "ring", "pinky"):
        assert angles[f"{finger}.proximal.R"][0] == pytest.approx(90.0, abs=1e-3)
    assert [row.curl for row in _sliders().fingers] == pytest.approx([1.0] * 4)
    assert angles["thumb.metacarpal.R"][0] == pytest.approx(0.0, abs=0.2)


def test_a_slider_starts_from_what_the_last_one_or_anything_else_made(hand: Any) -> None:
    _sliders().curl = 1.0
    _sliders().spread = 0.5
    assert _angles(hand)["ring.proximal.R"][:2] == pytest.approx([90.0, 7.5], abs=1e-3)
    bpy.ops.prehend.apply_pose(pose="flat")
    # Before any timer has looked.
    _sliders().spread = 0.0
    angles = _angles(hand)
    spreads = [angles[f"{finger}.proximal.R"][1] for finger in ("index", "ring", "pinky")]
    assert angles["ring.proximal.R"][0] == pytest.approx(0.0, abs=1e-3)
    assert np.mean(spreads) == pytest.approx(0.0, abs=1e-3)


def test_sliders_show_a_pose_that_something_else_made(hand: Any) -> None:
    bpy.ops.prehend.apply_pose(pose="fist")
    before = _angles(hand)
    assert _look()
    assert min(row.curl for row in _sliders().fingers) > 0.7
    after = _angles(hand)
    for name in before:
        assert after[name] == pytest.approx(before[name], abs=1e-9), "showing moves nothing"
    assert not _look(), "nothing has changed since"
    bpy.ops.prehend.apply_pose(pose="flat")
    assert _look()
    assert max(abs(row.curl) for row in _sliders().fingers) < 0.05
    assert _sliders().spread < -0.2


def test_sliders_show_the_armature_that_becomes_active(hand: Any) -> None:
    _sliders().curl = 0.8
    bpy.ops.prehend.add_demo_hand(variant="gripper_3", side="R")
    assert _look()
    assert _sliders().curl < 0.5
    assert len(_sliders().fingers) == 3
    assert "thumb_curl" not in _sliders().useful.split()
    bpy.context.view_layer.objects.active = hand
    assert _look()
    assert _sliders().curl == pytest.approx(0.8, abs=1e-6)
    assert "cup" in _sliders().useful.split()


def test_a_finger_pulls_its_neighbours_unless_switched_off(hand: Any) -> None:
    bpy.ops.prehend.apply_pose(pose="flat")
    _look()
    _sliders().fingers["ring"].curl = 1.0
    assert _angles(hand)["middle.proximal.R"][0] == pytest.approx(45.0, abs=1e-3)
    assert _sliders().fingers["middle"].curl == pytest.approx(0.5, abs=1e-6)
    _sliders().fingers["ring"].curl = 0.0
    assert _angles(hand)["middle.proximal.R"][0] == pytest.approx(0.0, abs=1e-3), "dragging back leads back"
    _sliders().coupled = False
    _sliders().fingers["ring"].curl = 1.0
    assert _angles(hand)["middle.proximal.R"][0] == pytest.approx(0.0, abs=1e-3)


def test_both_hands_of_a_character_or_one(hand: Any) -> None:
    bpy.ops.prehend.add_demo_hand(variant="human", side="L")
    left = bpy.context.object
    left.select_set(True)
    hand.select_set(True)
    bpy.context.view_layer.objects.active = hand
    bpy.ops.object.join()
    rig = bpy.context.object
    bpy.context.scene.prehend.side = "R"
    _look()
    _sliders().curl = 1.0
    bpy.context.view_layer.update()
    curls = {each.side: read_posture(rig, each).angles for each in hands_of(rig)}
    assert np.degrees(curls["R"]).max() > 85.0
    assert np.degrees(curls["L"][:, 0]).max() < 30.0
    bpy.context.scene.prehend.side = "BOTH"
    _look()
    _sliders().curl = 0.9
    bpy.context.view_layer.update()
    left_map, right_map = hands_of(rig)
    for each in (left_map, right_map):
        model = model_of(rig, each)
        bases = [model.joints(name)[0] for name in model.fingers[1:]]
        assert read_posture(rig, each).angles[bases, 0].mean() == pytest.approx(0.9 * np.pi / 2, abs=1e-4)


def test_keys_of_what_a_slider_made_take_one_click(hand: Any) -> None:
    _sliders().curl = 0.7
    assert bpy.ops.prehend.key_hands() == {"FINISHED"}
    before = _angles(hand)["index.proximal.R"][0]
    bpy.context.scene.frame_set(20)
    _sliders().curl = 0.1
    bpy.ops.prehend.key_hands()
    bpy.context.scene.frame_set(1)
    assert _angles(hand)["index.proximal.R"][0] == pytest.approx(before, abs=1e-3)
    assert _look()
    assert _sliders().curl == pytest.approx(0.7, abs=1e-4)


def test_auto_keying_keys_what_a_slider_moves(hand: Any) -> None:
    _sliders().curl = 0.3
    assert hand.animation_data is None, "nothing is keyed unasked"
    bpy.context.scene.tool_settings.use_keyframe_insert_auto = True
    bpy.context.scene.frame_set(7)
    _sliders().curl = 0.6
    curves = action_fcurves(hand.animation_data.action, hand)
    assert {point.co.x for curve in curves for point in curve.keyframe_points} == {7.0}


def test_a_rig_that_cannot_be_posed_is_told_and_left(hand: Any, tmp_path: Path) -> None:
    path = tmp_path / "hand.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    name = hand.name
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(path), link=True) as (_, wanted):
        wanted.objects = [name]
    linked = wanted.objects[0]
    bpy.context.scene.collection.objects.link(linked)
    bpy.context.view_layer.objects.active = linked
    bpy.context.view_layer.update()
    _sliders().curl = 1.0
    assert "linked" in bpy.context.window_manager.prehend.slider_message
    assert max(abs(value) for bone in linked.pose.bones for value in bone.rotation_euler) < 1e-9


def test_sliders_of_something_without_hands_do_nothing() -> None:
    bpy.ops.object.armature_add()
    _look()
    _sliders().curl = 0.5
    assert bpy.context.window_manager.prehend.slider_message
    assert bpy.context.object.pose.bones[0].matrix_basis.is_identity
    bpy.ops.prehend.add_demo_prop(prop="ball")
    assert not _look()
    _sliders().curl = 0.6


def test_read_pose_works_without_the_timer(hand: Any) -> None:
    bpy.ops.prehend.apply_pose(pose="fist")
    assert bpy.ops.prehend.read_sliders() == {"FINISHED"}
    assert _sliders().curl > 0.7
