# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All services see a hand by the same model and by the user's own conventions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Vector

from addon import preferences
from addon.core.handmap import HandMap
from addon.hands.detection import HandDetectionError
from addon.hands.poses import pose_angles
from addon.presets.poses import load_poses
from addon.rig.skin import objects_beside
from addon.services.detection import detect_armature_hands, save_user_convention
from addon.services.poses import apply_pose, hands_of
from addon.services.posture import copy_posture, model_of, read_posture
from tests.blender.model_rigs import add_hand
from tests.blender.test_detection import MIXAMO, add_armature
from tests.unit.detection_rigs import RigBuilder, arm_placement, expected_fingers
from tests.unit.detection_rigs import add_hand as add_named_hand
from tests.unit.model_hands import HandShape


def add_skinned_hand() -> tuple[Any, HandMap]:
    """A hand without tip bones whose last bones point elsewhere than its skin ends."""
    armature, hand = add_hand(HandShape(tips=False, seed=2))
    mesh = bpy.data.meshes.new("skin")
    points, groups = [], {}
    for finger in hand.fingers:
        bone = armature.data.bones[finger.chain[-1]]
        along = (bone.tail_local - bone.head_local).normalized()
        side = along.orthogonal().normalized()
        end = 1.2 * bone.length * (along + 0.35 * side).normalized()
        first = len(points)
        for k in range(10):
            for turn in (side, along.cross(side), -side, -along.cross(side)):
                points.append(bone.head_local + end * k / 9.0 + 0.002 * Vector(turn))
        groups[bone.name] = range(first, len(points))
    mesh.from_pydata(points, [], [])
    skin = bpy.data.objects.new("skin", mesh)
    bpy.context.scene.collection.objects.link(skin)
    skin.parent = armature
    for name, vertices in groups.items():
        skin.vertex_groups.new(name=name).add(vertices, 1.0, "REPLACE")
    skin.modifiers.new("rig", "ARMATURE").object = armature
    bpy.context.view_layer.update()
    return armature, hand


def test_fingertips_on_the_skin_count_in_every_service() -> None:
    armature, hand = add_skinned_hand()
    model = model_of(armature, hand, objects=bpy.context.scene.objects)
    bare = model_of(armature, hand, objects=())
    assert np.abs(model.rest_angles - bare.rest_angles).max() > 0.1
    assert model_of(armature, hand) is model
    apply_pose(armature, [hand], "fist", view_layer=bpy.context.view_layer)
    wanted = pose_angles(model, load_poses()["fist"])
    assert np.abs(read_posture(armature, hand).angles - wanted).max() < 1e-5
    other, other_hand = add_hand(HandShape(seed=5))
    copy_posture(armature, hand, other, other_hand, view_layer=bpy.context.view_layer)
    copied = read_posture(other, other_hand).angles
    assert np.abs(copied[model.last_joints, 0] - wanted[model.last_joints, 0]).max() < 0.2


def test_objects_of_all_scenes_of_an_armature_are_looked_at_once() -> None:
    armature, _ = add_skinned_hand()
    other = bpy.data.scenes.new("Other")
    other.collection.objects.link(armature)
    other.collection.objects.link(bpy.data.objects["skin"])
    other.collection.objects.link(bpy.data.objects.new("elsewhere", None))
    bpy.data.scenes.new("Third").collection.objects.link(bpy.data.objects.new("far", None))
    assert sorted(obj.name for obj in objects_beside(armature)) == ["Hand", "elsewhere", "skin"]


def _strange(name: str) -> str:
    return name.replace("mixamorig:", "").replace("Hand", "q").translate(str.maketrans("IMTP", "ABCD"))


def test_hands_that_are_not_kept_are_found_by_the_users_conventions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = RigBuilder()
    for side, word in (("L", "Left"), ("R", "Right")):
        add_named_hand(rig, f"{word}q", expected_fingers(MIXAMO, side, _strange), arm_placement(side))
    armature = add_armature(rig.build())
    left = HandMap("L", "Leftq", tuple(expected_fingers(MIXAMO, "L", _strange)))
    save_user_convention(left, tmp_path / "conventions", title="My Robot")
    folders = [tmp_path / "conventions"]
    expected = detect_armature_hands(armature, convention_folders=folders)
    assert [hand.convention for hand in expected] == ["my_robot", "my_robot"]
    assert hands_of(armature, convention_folders=folders) == expected
    with pytest.raises(HandDetectionError):
        hands_of(armature)
    # Every operator that poses looks into the user's folder.
    monkeypatch.setattr(preferences, "user_folder", lambda: tmp_path)
    bpy.context.view_layer.objects.active = armature
    asked: list[bool] = []
    real = detect_armature_hands
    monkeypatch.setattr(
        "addon.services.poses.detect_armature_hands",
        lambda rig, *, convention_folders=(): (
            asked.append(list(convention_folders) == folders) or real(rig, convention_folders=convention_folders)
        ),
    )
    for operator in ("apply_pose", "mirror_pose", "key_hands"):
        getattr(bpy.ops.prehend, operator)()
    bpy.ops.prehend.start_own_limits(bone=left.fingers[1].chain[0])
    assert len(asked) >= 5
    assert all(asked)
