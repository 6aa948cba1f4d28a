# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Control rigs exported with their deforming bones alone: one skeleton, and every bone where it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from addon.rig.export_bones import choose_bones
from addon.services.export import ExportRequest, export_grasp
from tests.blender.control_rigs import add_split_rig, add_twin_rig
from tests.blender.export_scenes import shown
from tests.blender.processes import run_blender_code
from tests.blender.test_export import HAS_USD, TENTH_OF_MM, plain, read_back

# Spine and right arm of the human, as the whole of it takes long to generate. Leaving at once: with Rigify enabled,
# some versions of the bpy module do not end by themselves.
GENERATE = """
import os
bpy.ops.wm.read_homefile(use_empty=True)
bpy.ops.preferences.addon_enable(module="rigify")
bpy.ops.object.armature_human_metarig_add()
rig = bpy.context.object
bpy.ops.object.mode_set(mode="EDIT")
kept = ("spine", "shoulder.R", "upper_arm.R", "forearm.R", "hand.R", "palm", "thumb", "f_")
for bone in list(rig.data.edit_bones):
    neck = bone.name in ("spine.004", "spine.005", "spine.006")
    if not bone.name.startswith(kept) or bone.name.endswith(".L") or neck:
        rig.data.edit_bones.remove(bone)
bpy.ops.object.mode_set(mode="OBJECT")
bpy.ops.pose.rigify_generate()
bpy.ops.wm.save_as_mainfile(filepath={path!r})
result("done")
os._exit(0)
"""


@pytest.fixture(scope="module")
def rigify_arm(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("rigify") / "arm.blend")
    assert run_blender_code(GENERATE.format(path=path)) == "done"
    return path


def roots(armature: Any) -> list[str]:
    return [bone.name for bone in armature.data.bones if bone.parent is None]


def disconnect(armature: Any) -> None:
    """Free bones that the importer connects to their parents, as it does where they begin at its end."""
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in armature.data.edit_bones:
        bone.use_connect = False
    bpy.ops.object.mode_set(mode="OBJECT")


@pytest.mark.parametrize(
    ("stretched", "ending"), [(False, "fbx"), (True, "fbx"), *([(False, "usdc")] if HAS_USD else [])]
)
def test_a_generated_rigify_arm_becomes_one_plain_skeleton(
    rigify_arm: str, tmp_path: Path, stretched: bool, ending: str
) -> None:
    bpy.ops.wm.open_mainfile(filepath=rigify_arm, use_scripts=True)
    rig, scene = bpy.data.objects["rig"], bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 8
    rng = np.random.default_rng(1)
    for frame in (1, 5, 8):
        for name in ("torso", "chest", "hand_ik.R", "f_index.01_master.R", "thumb.01_master.R", "f_ring.02.R"):
            bone = rig.pose.bones[name]
            if stretched:
                bone.location = rng.uniform(-0.04, 0.04, 3)
            elif name == "hand_ik.R":
                bone.location = (0.1 - 0.01 * frame, 0.0, -0.02 * frame)  # towards the body: the arm bends
            bone.keyframe_insert("location", frame=frame)
            bone.matrix_basis = bone.matrix_basis @ Matrix.Rotation(float(rng.uniform(0.0, 0.4)), 4, "X")
            quaternion = bone.rotation_mode == "QUATERNION"
            bone.keyframe_insert("rotation_quaternion" if quaternion else "rotation_euler", frame=frame)
    wanted = shown(rig, [], list(range(1, 9)))
    path = tmp_path / f"arm.{ending}"
    export_grasp(bpy.context, rig, [], ExportRequest(path, preset="unreal"))
    wanted = {plain(name): places for name, places in wanted.items()}
    again, _, shift = read_back(path)
    for bone in again.data.bones:
        bone.name = plain(bone.name)
    if stretched:
        disconnect(again)
    names = {bone.name for bone in again.data.bones}
    assert names == {name for name in wanted if name.startswith("DEF_")}
    assert len(names) > 25
    assert roots(again) == ["DEF_spine"]
    parent = {bone.name: bone.parent.name for bone in again.data.bones if bone.parent is not None}
    assert parent["DEF_spine_001"] == "DEF_spine"
    assert parent["DEF_upper_arm_R"] == "DEF_shoulder_R"
    assert parent["DEF_hand_R"] == "DEF_forearm_R_001"
    assert parent["DEF_f_index_01_R"] == "DEF_palm_01_R"
    assert parent["DEF_f_index_03_R"] == "DEF_f_index_02_R"
    found = shown(again, [], [frame + shift for frame in range(1, 9)])
    moved = 0.0
    for name in names:
        assert np.abs(found[name] - wanted[name]).max() < TENTH_OF_MM, name
        moved = max(moved, float(np.ptp(wanted[name], axis=0).max()))
    assert moved > 0.02


@pytest.mark.parametrize("make", [add_split_rig, add_twin_rig])
def test_hands_of_other_control_rigs_stay_whole(make: Any, tmp_path: Path) -> None:
    rig = make("L")
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 4
    for frame, turn in ((1, 0.0), (4, 0.8)):
        for bone in rig.pose.bones:
            if bone.name.startswith("c_") and not bone.name.startswith("c_hand_ik"):
                bone.matrix_basis = Matrix.Rotation(turn, 4, "X")
                path = "rotation_quaternion" if bone.rotation_mode == "QUATERNION" else "rotation_euler"
                bone.keyframe_insert(path, frame=frame)
    wanted = shown(rig, [], [1, 2, 3, 4])
    bones = choose_bones(rig, deform_only=True)
    assert [bones.names[k] for k in np.flatnonzero(bones.parents < 0)] == ["forearm_stretch.l"]
    assert set(bones.names) == {bone.name for bone in rig.data.bones if bone.use_deform}
    export_grasp(bpy.context, rig, [], ExportRequest(tmp_path / "hand.fbx"))
    again, _, shift = read_back(tmp_path / "hand.fbx")
    found = shown(again, [], [frame + shift for frame in (1, 2, 3, 4)])
    for name in bones.names:
        assert np.abs(found[name] - wanted[name]).max() < TENTH_OF_MM, name


def test_several_roots_get_one_for_unreal_alone(tmp_path: Path) -> None:
    armature = bpy.data.objects.new("two", bpy.data.armatures.new("two"))
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for name, x in (("left", -1.0), ("right", 1.0)):
        bone = armature.data.edit_bones.new(name)
        bone.head, bone.tail = (x, 0.0, 0.0), (x, 0.0, 1.0)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.scene.frame_end = 2
    export_grasp(bpy.context, armature, [], ExportRequest(tmp_path / "a.fbx", preset="unreal"))
    export_grasp(bpy.context, armature, [], ExportRequest(tmp_path / "b.fbx", preset="unity"))
    assert roots(read_back(tmp_path / "a.fbx")[0]) == ["root"]
    again = read_back(tmp_path / "b.fbx")[0]
    assert sorted(roots(again)) == ["left", "right"]
    assert again.name == "two"
