# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fingertip targets and hands that make no sense, through the operators, by every method: never NaN in a pose bone."""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Vector

from addon.rig.tips import GAP_KEY
from addon.services.finger_ik import METHODS
from addon.services.poses import hands_of
from tests.blender.model_rigs import add_hand, deform_state
from tests.blender.test_tips import store, target, update
from tests.unit.model_hands import HandShape

pytestmark = pytest.mark.long


@pytest.fixture
def hand() -> Any:
    bpy.ops.prehend.add_demo_hand(side="R")
    bpy.ops.prehend.detect_hands()
    return bpy.context.object


def assert_finite(armature: Any) -> None:
    update()
    assert np.isfinite(np.array(deform_state(armature))).all()
    assert np.isfinite(np.array([bone.matrix for bone in armature.pose.bones])).all()


def solve_or_refuse(armature: Any, method: str) -> str:
    """Press Solve Tips; what it refused with, having changed nothing, or nothing where it gave a pose."""
    before = deform_state(armature)
    try:
        assert bpy.ops.prehend.solve_tips(method=method) == {"FINISHED"}
    except RuntimeError as error:
        assert deform_state(armature) == before
        return str(error)
    assert_finite(armature)
    return ""


@pytest.mark.parametrize("method", METHODS)
def test_targets_anywhere_give_finite_poses_or_a_sentence(hand: Any, method: str) -> None:
    bpy.ops.prehend.add_tip_targets(fingers="index,thumb")
    knuckle = hand.matrix_world @ hand.pose.bones[hands_of(hand)[0].finger("index").chain[0]].head
    wrist = hand.matrix_world @ hand.pose.bones[hands_of(hand)[0].wrist].head
    for place in (knuckle, wrist, Vector((0.0, 0.0, 1e30)), Vector((math.inf, 0.0, 0.0)), Vector((1e-30, 0.0, 0.0))):
        target("index").location = place
        update()
        assert solve_or_refuse(hand, method) == ""
        assert target("index")[GAP_KEY] > 1.0
    target("index").location = (math.nan, 0.0, 0.0)
    update()
    assert "is nowhere" in solve_or_refuse(hand, method)


def test_following_a_target_that_is_nowhere_says_so_and_goes_on_after(hand: Any) -> None:
    bpy.ops.prehend.add_tip_targets(fingers="index")
    goal = target("index")
    place = goal.location.copy()
    bpy.ops.prehend.follow_tips()
    shown = bpy.context.window_manager.prehend
    goal.location = (math.nan, math.nan, math.nan)
    update()
    assert "is nowhere" in shown.follow_message
    assert_finite(hand)
    before = deform_state(hand)
    goal.location = place + Vector((0.0, -0.02, -0.02))
    update()
    assert_finite(hand)
    assert shown.follow_message == ""
    assert deform_state(hand) != before
    bpy.ops.prehend.follow_tips()


@pytest.mark.parametrize("method", METHODS)
def test_limits_the_wrong_way_round_are_taken_the_right_way(hand: Any, method: str) -> None:
    bpy.ops.prehend.add_tip_targets(fingers="index")
    bone = hands_of(hand)[0].finger("index").chain[1]
    settings = hand.data.bones[bone].prehend
    settings.use_own_limits = True
    settings.flexion_min, settings.flexion_max = 1.2, 0.1
    target("index").location += Vector((0.0, -0.03, -0.04))
    update()
    assert solve_or_refuse(hand, method) == ""


@pytest.mark.parametrize("method", METHODS)
def test_fingers_of_one_bone(method: str) -> None:
    armature, hand = add_hand(HandShape(phalanges=1, seed=6))
    store(armature, hand)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.prehend.add_tip_targets(fingers="index")
    target("index").location += Vector((0.004, 0.005, -0.006))
    update()
    assert solve_or_refuse(armature, method) == ""
    assert_finite(armature)


@pytest.mark.parametrize("method", METHODS)
def test_a_phalanx_without_length_is_refused_with_a_sentence(method: str) -> None:
    armature, hand = add_hand(HandShape(seed=6))
    store(armature, hand)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.prehend.add_tip_targets(fingers="index")
    first, second, _ = hand.finger("index").chain
    bpy.ops.object.mode_set(mode="EDIT")
    bones = armature.data.edit_bones
    bones[second].use_connect = False
    bones[second].head = bones[first].head
    bpy.ops.object.mode_set(mode="OBJECT")
    update()
    said = solve_or_refuse(armature, method)
    assert "length" in said, said
    assert_finite(armature)
