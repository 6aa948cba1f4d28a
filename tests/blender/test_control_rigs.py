# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rigs with the layout of Auto-Rig Pro: controls are written, the bones that deform are looked at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy
import numpy as np
import pytest

from addon.core.handmap import HandMap
from addon.hands.forward import forward
from addon.rig.read import read_pose
from addon.rig.write import write_angles
from addon.services.detection import detect_armature_hands
from addon.services.poses import apply_pose
from addon.services.posture import model_of
from tests.blender.control_rigs import FINGERS, add_split_rig, add_twin_rig
from tests.blender.model_rigs import random_posture
from tests.blender.test_skin_volume import evaluated_points, moved_skin
from tests.unit.hand_motion import assert_closes, assert_opposes, assert_spreads, palm_centre

TURN, GAP = 1e-6, 1e-7
SINGLE = 1.2e-7
"""Spacing of Blender's own numbers, relative: the hand is more than a metre away from its armature's origin."""

RIGS: dict[str, Callable[[str], Any]] = {
    "split": add_split_rig,
    "split, rotation only": lambda side: add_split_rig(side, copy="COPY_ROTATION"),
    "twin": add_twin_rig,
    "twin, rotation only": lambda side: add_twin_rig(side, copy="COPY_ROTATION"),
}


def layer() -> Any:
    return bpy.context.view_layer


def found(rig: str, side: str) -> tuple[Any, HandMap]:
    armature = RIGS[rig](side)
    (hand,) = detect_armature_hands(armature)
    return armature, hand


@pytest.mark.parametrize("side", ["L", "R"])
@pytest.mark.parametrize("rig", RIGS)
def test_controls_are_found_with_the_bones_that_follow_them(rig: str, side: str) -> None:
    _, hand = found(rig, side)
    s = side.lower()
    assert (hand.side, hand.wrist, hand.convention) == (side, f"c_hand_fk.{s}", "auto_rig_pro_ctrl")
    assert [finger.name for finger in hand.fingers] == list(FINGERS)
    for finger in hand.fingers:
        name = finger.name
        assert finger.chain == tuple(f"c_{name}{k}.{s}" for k in (1, 2, 3))
        assert finger.metacarpal == (None if name == "thumb" else f"c_{name}1_base.{s}")
        own = "c_" if rig.startswith("split") else ""
        assert finger.deform == (f"{name}1.{s}", f"{own}{name}2.{s}", f"{own}{name}3.{s}")


@pytest.mark.parametrize("arm", ["at rest", "posed"])
@pytest.mark.parametrize("side", ["L", "R"])
@pytest.mark.parametrize("rig", RIGS)
def test_postures_reach_the_bones_that_deform(rig: str, side: str, arm: str) -> None:
    armature, hand = found(rig, side)
    s = side.lower()
    if arm == "posed":
        armature.pose.bones[f"c_forearm_fk.{s}"].rotation_quaternion = (0.9, 0.2, -0.3, 0.2)
        armature.pose.bones[f"c_hand_fk.{s}"].rotation_quaternion = (0.8, -0.4, 0.1, 0.3)
        layer().update()
    model = model_of(armature, hand, objects=bpy.context.scene.objects)
    assert model.binding.carrier == f"hand.{s}"
    wrist = read_pose(armature, model).T_world_hand
    gap = GAP + SINGLE * float(np.linalg.norm(wrist[:3, 3]))
    deforming = [bone.name for bone in armature.pose.bones if not bone.name.startswith("c_")]
    for seed in range(3):
        angles = random_posture(model, seed)
        before = [tuple(map(tuple, armature.pose.bones[name].matrix_basis)) for name in deforming]
        result = write_angles(armature, model, angles, view_layer=layer())
        assert result.turns.max() < TURN
        assert result.gaps.max() < gap
        # Bones that follow others keep their own channels.
        assert [tuple(map(tuple, armature.pose.bones[name].matrix_basis)) for name in deforming] == before
        shown = read_pose(armature, model)
        assert np.abs(shown.angles - angles).max() < TURN
        assert np.allclose(shown.T_world_hand, wrist, atol=1e-6)


@pytest.mark.parametrize("side", ["L", "R"])
@pytest.mark.parametrize("rig", RIGS)
def test_the_skin_goes_where_the_model_says(rig: str, side: str) -> None:
    armature, hand = found(rig, side)
    model = model_of(armature, hand, objects=bpy.context.scene.objects)
    assert model.skin is not None
    for joint, reader in enumerate(model.binding.readers):
        assert np.sum(model.skin.owners == joint) == 48, reader
    skin = bpy.data.objects["skin"]
    wrist = read_pose(armature, model).T_world_hand
    rest = model.skin.points @ wrist[:3, :3].T + wrist[:3, 3]
    before = evaluated_points(skin)
    vertices = [int(np.argmin(np.linalg.norm(before - point, axis=1))) for point in rest]
    angles = random_posture(model, 4)
    write_angles(armature, model, angles, view_layer=layer())
    wanted = moved_skin(model, angles, volume=False) @ wrist[:3, :3].T + wrist[:3, 3]
    assert np.linalg.norm(evaluated_points(skin)[vertices] - wanted, axis=1).max() < 2e-6


@pytest.mark.parametrize("side", ["L", "R"])
@pytest.mark.parametrize("rig", RIGS)
def test_poses_close_and_spread(rig: str, side: str) -> None:
    armature, hand = found(rig, side)
    model = model_of(armature, hand, objects=bpy.context.scene.objects)
    assert model.notes == ()
    assert_closes(model)
    assert_spreads(model)
    assert_opposes(model)

    def tips(pose: str) -> np.ndarray:
        apply_pose(armature, [hand], pose, view_layer=layer())
        return forward(model, read_pose(armature, model).angles).tips

    flat, wide, fist = tips("flat"), tips("spread"), tips("fist")
    assert np.all(np.linalg.norm(np.diff(wide[1:], axis=0), axis=1) > np.linalg.norm(np.diff(flat[1:], axis=0), axis=1))
    goal = palm_centre(model)
    assert np.all(np.linalg.norm(fist - goal, axis=1) < 0.6 * np.linalg.norm(flat - goal, axis=1))
    # The skin of the fingers' last bones has come to the palm with them.
    T = read_pose(armature, model).T_world_hand
    skin = bpy.data.objects["skin"]
    for f, finger in enumerate(hand.fingers):
        group = skin.vertex_groups[finger.deform[-1]].index
        own = [v.index for v in skin.data.vertices if v.groups[0].group == group]
        shown = (evaluated_points(skin)[own] - T[:3, 3]) @ T[:3, :3]
        assert np.linalg.norm(shown - fist[f], axis=1).min() < 0.012, finger.name
