# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Demo hands in Blender: the same bones, the same skin, and nothing else changed."""

from __future__ import annotations

from functools import cache
from typing import Any

import bpy
import numpy as np
import pytest

from addon.rig.armatures import create_hand_objects
from addon.shapes.hand import VARIANTS, HandBuild, HandSpec, build_hand
from addon.shapes.materials import FLUSH_ATTRIBUTE
from tests.unit.demo_hand_skinning import skinned


@cache
def built(variant: str = "human", side: str = "R") -> HandBuild:
    return build_hand(HandSpec(variant=variant, side=side))  # type: ignore[arg-type]


def collection() -> Any:
    return bpy.data.scenes[0].collection


def view_layer() -> Any:
    return bpy.data.scenes[0].view_layers[0]


def evaluated_vertices(obj: Any) -> np.ndarray:
    view_layer().update()
    mesh = obj.evaluated_get(view_layer().depsgraph).data
    flat = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", flat)
    return flat.reshape(-1, 3).astype(np.float64)


@pytest.mark.parametrize("side", ["L", "R"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_rest_frames_are_the_skeletons(variant: str, side: str) -> None:
    build = built(variant, side)
    armature, _ = create_hand_objects("Hand", build, collection())
    skeleton = build.skeleton
    assert {bone.name for bone in armature.data.bones} == set(skeleton.names)
    for k, name in enumerate(skeleton.names):
        bone = armature.data.bones[name]
        rest = np.array(bone.matrix_local)
        # Blender keeps heads and tails in single precision, so the 3 mm of a tip marker say less about its direction.
        slack = 1e-6 if skeleton.deform[k] else 1e-5
        np.testing.assert_allclose(rest[:3, :3], skeleton.rotations[k], atol=slack, err_msg=name)
        np.testing.assert_allclose(rest[:3, 3], skeleton.heads[k], atol=1e-6, err_msg=name)
        np.testing.assert_allclose(bone.tail_local, skeleton.tails[k], atol=1e-6, err_msg=name)
        parent = int(skeleton.parents[k])
        assert (bone.parent.name if bone.parent else None) == (skeleton.names[parent] if parent >= 0 else None)
        assert bone.use_deform == bool(skeleton.deform[k])


@pytest.mark.parametrize("variant", ["human", "gripper_3"])
def test_skin_follows_the_bones_as_in_numpy(variant: str) -> None:
    build = built(variant)
    armature, skin = create_hand_objects("Hand", build, collection())
    pose = {}
    for k, name in enumerate(build.skeleton.names):
        angles = (12.0 + 3.0 * (k % 7), 2.0 * (k % 3), -4.0 + 2.0 * (k % 5))
        pose[name] = angles
        armature.pose.bones[name].rotation_mode = "XYZ"
        armature.pose.bones[name].rotation_euler = np.radians(angles)
    assert skin.parent == armature
    np.testing.assert_allclose(evaluated_vertices(skin), skinned(build, pose), atol=1e-5)


def test_mesh_keeps_materials_and_flush() -> None:
    build = built()
    _, skin = create_hand_objects("Hand", build, collection())
    assert [m.name for m in skin.data.materials] == ["Prehend Skin", "Prehend Nail"]
    assert not skin.data.validate()
    flush = np.empty(len(skin.data.vertices), dtype=np.float32)
    skin.data.attributes[FLUSH_ATTRIBUTE].data.foreach_get("value", flush)
    np.testing.assert_allclose(flush, build.flush, atol=1e-6)
    used = np.empty(len(skin.data.polygons), dtype=np.int32)
    skin.data.polygons.foreach_get("material_index", used)
    np.testing.assert_array_equal(used, build.mesh.materials)


def test_joint_limits_are_stored_as_ik_limits() -> None:
    build = built()
    armature, _ = create_hand_objects("Hand", build, collection())
    for k, name in enumerate(build.skeleton.names):
        bone = armature.pose.bones[name]
        for a, axis in enumerate("xyz"):
            low, high = build.limits[k, a]
            assert getattr(bone, f"use_ik_limit_{axis}")
            assert getattr(bone, f"ik_min_{axis}") == pytest.approx(low, abs=1e-6)
            assert getattr(bone, f"ik_max_{axis}") == pytest.approx(high, abs=1e-6)
            assert getattr(bone, f"lock_ik_{axis}") == (low == high)
    assert armature.pose.bones["index.intermediate.R"].lock_ik_z
    assert not armature.pose.bones["index.intermediate.R"].lock_ik_x


def test_mode_selection_and_active_object_stay() -> None:
    data = bpy.data.armatures.new("Mine")
    mine = bpy.data.objects.new("Mine", data)
    other = bpy.data.objects.new("Other", None)
    for obj in (mine, other):
        collection().objects.link(obj)
        obj.select_set(True)
    view_layer().objects.active = mine
    bpy.ops.object.mode_set(mode="EDIT")
    data.edit_bones.new("bone").tail = (0.0, 0.0, 1.0)
    scenes = list(bpy.data.scenes)
    armature, skin = create_hand_objects("Hand", built("gripper_2"), collection())
    assert mine.mode == "EDIT"
    assert view_layer().objects.active == mine
    assert {obj.name for obj in view_layer().objects if obj.select_get()} == {"Mine", "Other"}
    assert [bone.name for bone in data.edit_bones] == ["bone"]
    assert list(bpy.data.scenes) == scenes
    assert armature.mode == "OBJECT"
    assert armature.name in view_layer().objects
    assert skin.name in view_layer().objects
    bpy.ops.object.mode_set(mode="OBJECT")


def test_collection_outside_the_view_layer_is_fine() -> None:
    loose = bpy.data.collections.new("Library")
    armature, skin = create_hand_objects("Hand", built("gripper_2"), loose)
    assert {obj.name for obj in loose.objects} == {armature.name, skin.name}
    assert armature.name not in view_layer().objects
    assert len(armature.pose.bones) == len(built("gripper_2").skeleton.names)


def test_adding_twice_makes_two_hands() -> None:
    first = create_hand_objects("Hand", built("gripper_2"), collection())
    second = create_hand_objects("Hand", built("gripper_2"), collection())
    assert len({obj.name for obj in (*first, *second)}) == 4
    assert second[1].modifiers[0].object == second[0]
    assert first[0].data != second[0].data
    assert len([m for m in bpy.data.materials if m.name.startswith("Prehend Metal")]) == 1


def test_one_undo_step_takes_a_hand_away() -> None:
    bpy.ops.ed.undo_push(message="Before")
    create_hand_objects("Hand", built("gripper_2"), collection())
    bpy.ops.ed.undo_push(message="Add Hand")
    assert len(bpy.data.objects) == 2
    bpy.ops.ed.undo()
    assert len(bpy.data.objects) == 0
    assert len(bpy.data.armatures) == 0
    assert len(bpy.data.scenes) == 1
