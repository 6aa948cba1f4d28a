# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The flat hands of WebXR from detection to posing, in Blender."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from addon.core.handmap import HandMap
from addon.hands.forward import forward
from addon.hands.model import HandModel
from addon.rig.armatures import create_armature_object
from addon.rig.read import read_pose
from addon.rig.write import write_angles
from addon.services.detection import detect_armature_hands, load_hands, store_hands
from addon.services.poses import apply_pose, copy_pose
from addon.services.posture import model_of
from tests.blender.model_rigs import placed, random_posture
from tests.unit.hand_motion import assert_closes, assert_opposes, assert_spreads, bending, palm_centre
from tests.unit.webxr_hand import webxr_fingers, webxr_hand

TURN, GAP = 1e-6, 2e-7


def layer() -> Any:
    return bpy.context.view_layer


def add_webxr(side: str, *, matrix: Matrix | None = None) -> tuple[Any, HandMap]:
    """An armature object of the hand, and what detection finds in it."""
    armature = create_armature_object(f"WebXR {side}", webxr_hand(side), bpy.context.scene.collection)
    if matrix is not None:
        armature.matrix_world = matrix
    layer().update()
    (hand,) = detect_armature_hands(armature)
    return armature, hand


def tips(armature: Any, model: HandModel) -> np.ndarray:
    """Where the tip bones are in the hand's frame, as Blender shows them. Shape (f, 3)."""
    T_world_hand = read_pose(armature, model).T_world_hand
    seen = [armature.matrix_world @ armature.pose.bones[tip].head for tip in model.binding.tips]
    return (np.array(seen) - T_world_hand[:3, 3]) @ T_world_hand[:3, :3]


@pytest.mark.parametrize("matrix", [None, placed(0.5)], ids=["plain", "placed"])
@pytest.mark.parametrize("side", ["L", "R"])
def test_it_is_found_whole_with_its_side(side: str, matrix: Matrix | None) -> None:
    armature, hand = add_webxr(side, matrix=matrix)
    assert (hand.side, hand.wrist, hand.convention) == (side, "wrist", "webxr_generic_hand")
    assert hand.fingers == webxr_fingers()
    store_hands(armature, [hand])
    assert load_hands(armature) == [hand]


@pytest.mark.parametrize("side", ["L", "R"])
def test_its_model_closes_spreads_and_opposes(side: str) -> None:
    model = model_of(*add_webxr(side))
    assert model.side == side
    assert model.notes == ()
    assert 0.05 < model.palm_width < 0.08
    assert_closes(model)
    assert_spreads(model)
    assert_opposes(model)


@pytest.mark.parametrize("side", ["L", "R"])
def test_flexion_of_every_joint_brings_every_fingertip_to_the_palm(side: str) -> None:
    armature, hand = add_webxr(side)
    model = model_of(armature, hand)
    write_angles(armature, model, model.rest_angles, view_layer=layer())
    start = tips(armature, model)
    goal = palm_centre(model)
    for joints in (*([j] for j in bending(model)), bending(model)):
        bent = model.rest_angles.copy()
        bent[joints, 0] += np.radians(20.0)
        write_angles(armature, model, bent, view_layer=layer())
        step = tips(armature, model) - start
        for f in {int(model.finger_of[j]) for j in joints}:
            assert step[f] @ (goal - start[f]) > 1e-6, (joints, model.fingers[f])
            if model.fingers[f] != "thumb":
                assert step[f, 1] < 0.0, (joints, model.fingers[f])
        still = [f for f in range(len(model.fingers)) if f not in set(model.finger_of[joints].tolist())]
        assert np.abs(step[still]).max(initial=0.0) < 1e-6


@pytest.mark.parametrize("side", ["L", "R"])
def test_spread_and_opposition_show_in_blender(side: str) -> None:
    armature, hand = add_webxr(side)
    model = model_of(armature, hand)
    apply_pose(armature, [hand], "flat", view_layer=layer())
    flat = tips(armature, model)
    apply_pose(armature, [hand], "spread", view_layer=layer())
    wide = tips(armature, model)
    assert np.all(np.linalg.norm(np.diff(wide[1:], axis=0), axis=1) > np.linalg.norm(np.diff(flat[1:], axis=0), axis=1))
    root = model.joints("thumb")[0]
    little = forward(model, model.rest_angles).origins[model.joints("pinky")[0]]
    far = []
    for degrees in (0.0, 10.0, 20.0):
        angles = model.rest_angles.copy()
        angles[root, :2] += np.radians([degrees, 0.5 * degrees])
        write_angles(armature, model, angles, view_layer=layer())
        far.append(np.linalg.norm(tips(armature, model)[0] - little))
    assert far[2] < far[1] < far[0]


@pytest.mark.parametrize("matrix", [None, placed(0.5)], ids=["plain", "placed"])
@pytest.mark.parametrize("side", ["L", "R"])
def test_postures_are_written_and_read_back(side: str, matrix: Matrix | None) -> None:
    armature, hand = add_webxr(side, matrix=matrix)
    model = model_of(armature, hand)
    for seed in range(3):
        angles = random_posture(model, seed)
        result = write_angles(armature, model, angles, view_layer=layer())
        assert result.turns.max() < TURN
        assert result.gaps.max() < GAP
        assert set(result.moved) == {bone for finger in hand.fingers for bone in _bones(finger)}
        assert np.abs(read_pose(armature, model).angles - angles).max() < TURN
        assert np.abs(tips(armature, model) - forward(model, angles).tips).max() < 2e-6


def _bones(finger: Any) -> list[str]:
    return [*([finger.metacarpal] if finger.metacarpal else []), *finger.chain, finger.tip]


@pytest.mark.parametrize("side", ["L", "R"])
def test_the_other_hand_takes_on_the_mirrored_pose(side: str) -> None:
    armature, hand = add_webxr(side)
    other, other_hand = add_webxr("R" if side == "L" else "L")
    apply_pose(armature, [hand], "fist", view_layer=layer())
    copy_pose(armature, other, view_layer=layer())
    first, second = model_of(armature, hand), model_of(other, other_hand)
    mine, theirs = tips(armature, first), tips(other, second)
    assert np.linalg.norm(mine - theirs * [-1.0, 1.0, 1.0], axis=1).max() < 0.012  # the two files differ by millimetres
    rest = forward(first, first.rest_angles).tips
    assert np.all(np.linalg.norm(mine - rest, axis=1)[1:] > 0.05)
