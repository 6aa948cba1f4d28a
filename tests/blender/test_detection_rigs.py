# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hands of rigs made by other tools: Rigify's human, and files that lie beside the checkout."""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from addon.core.handmap import FingerMap, HandMap
from addon.presets.conventions import load_conventions
from addon.rig.armatures import create_armature_object
from addon.services.detection import detect_armature_hands
from addon.shapes.hand import VARIANTS, HandSpec, build_hand
from tests.blender.processes import run_blender_code
from tests.real_files import HANDS, WHY
from tests.unit.detection_rigs import expected_fingers, wrist_name

BY_KEY = {convention.key: convention for convention in load_conventions()}
needs_assets = pytest.mark.skipif(not HANDS.is_dir(), reason=WHY)

# Leaving at once: with Rigify enabled, some versions of the bpy module do not end by themselves.
GENERATE = """
bpy.ops.wm.read_homefile(use_empty=True)
bpy.ops.preferences.addon_enable(module="rigify")
bpy.ops.object.armature_human_metarig_add()
bpy.ops.pose.rigify_generate()
bpy.ops.wm.save_as_mainfile(filepath={path!r})
result(sorted(obj.name for obj in bpy.data.objects if obj.type == "ARMATURE"))
import os, sys
sys.stdout.flush()
os._exit(0)
"""


@pytest.fixture(scope="module")
def rigify_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("rigify") / "human.blend")
    assert run_blender_code(GENERATE.format(path=path)) == ["metarig", "rig"]
    return path


def assert_both_sides(hands: list[HandMap], key: str, *, deform: bool = False) -> None:
    assert [hand.side for hand in hands] == ["L", "R"]
    for hand in hands:
        assert (hand.convention, hand.confidence, hand.notes) == (key, 1.0, ())
        assert hand.wrist == wrist_name(BY_KEY[key], hand.side)
        for found, expected in zip(hand.fingers, expected_fingers(BY_KEY[key], hand.side), strict=True):
            followers = tuple(f"DEF-{bone}" for bone in expected.chain) if deform else ()
            assert found == FingerMap(
                expected.name, expected.chain, metacarpal=expected.metacarpal, tip=expected.tip, deform=followers
            )


def view_layer() -> Any:
    return bpy.data.scenes[0].view_layers[0]


def keep_bones(armature: Any, prefix: str) -> None:
    """Leave only the bones with a prefix, as exports to game engines do."""
    view_layer().objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    bones = armature.data.edit_bones
    for bone in list(bones):
        while bone.parent is not None and not bone.parent.name.startswith(prefix):
            bone.parent = bone.parent.parent
    for bone in [bone for bone in bones if not bone.name.startswith(prefix)]:
        bones.remove(bone)
    bpy.ops.object.mode_set(mode="OBJECT")


def test_rigifys_metarig_and_generated_rig_in_one_file(rigify_file: str) -> None:
    bpy.ops.wm.open_mainfile(filepath=rigify_file)
    assert_both_sides(detect_armature_hands(bpy.data.objects["metarig"]), "rigify_metarig")
    assert_both_sides(detect_armature_hands(bpy.data.objects["rig"]), "rigify_ctrl", deform=True)


@pytest.mark.parametrize("prefix", ["DEF-", "ORG-"])
def test_a_rig_cut_down_to_one_layer(rigify_file: str, prefix: str) -> None:
    bpy.ops.wm.open_mainfile(filepath=rigify_file)
    keep_bones(bpy.data.objects["rig"], prefix)
    hands = detect_armature_hands(bpy.data.objects["rig"])
    assert [(hand.side, hand.wrist) for hand in hands] == [("L", f"{prefix}hand.L"), ("R", f"{prefix}hand.R")]
    key = f"rigify_{prefix[:-1].lower()}"
    for hand in hands:
        assert (hand.convention, list(hand.fingers)) == (key, expected_fingers(BY_KEY[key], hand.side))


@pytest.mark.parametrize("name", ["metarig", "rig"])
def test_a_rigify_human_without_any_names(rigify_file: str, name: str) -> None:
    bpy.ops.wm.open_mainfile(filepath=rigify_file)
    armature = bpy.data.objects[name]
    back = {}
    for number, bone in enumerate(armature.data.bones):
        old = bone.name
        bone.name = f"Bone.{number:03}"
        back[bone.name] = old
    hands = detect_armature_hands(armature)
    layer = "DEF-" if name == "rig" else ""
    assert [(hand.side, back[hand.wrist]) for hand in hands] == [("L", f"{layer}hand.L"), ("R", f"{layer}hand.R")]
    for hand in hands:
        chains = [tuple(back[bone] for bone in finger.chain) for finger in hand.fingers]
        expected = expected_fingers(BY_KEY["rigify_def" if layer else "rigify_metarig"], hand.side)
        assert chains == [finger.chain for finger in expected]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("side", ["L", "R"])
def test_every_demo_hand_is_found_whole(variant: str, side: str) -> None:
    spec = HandSpec(variant=variant, side=side)  # type: ignore[arg-type]
    armature = create_armature_object("Demo", build_hand(spec).skeleton, bpy.data.scenes[0].collection)
    (hand,) = detect_armature_hands(armature)
    assert (hand.side, hand.confidence, hand.notes) == (side, 1.0, ())
    assert set(hand.bones()) == {bone.name for bone in armature.data.bones}
    assert all(finger.tip is not None for finger in hand.fingers)


@needs_assets
@pytest.mark.parametrize("side", ["L", "R"])
@pytest.mark.parametrize("named", [True, False], ids=["named", "nameless"])
def test_openxr_hands_imported_from_gltf(side: str, named: bool) -> None:
    bpy.ops.import_scene.gltf(filepath=str(HANDS / f"Hand_Nails_{side}.gltf"))
    armature = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    back = {bone.name: bone.name for bone in armature.data.bones}
    if not named:
        for number, bone in enumerate(armature.data.bones):
            old = bone.name
            bone.name = f"Bone.{number:03}"
            back[bone.name] = old
    (hand,) = detect_armature_hands(armature)
    assert (hand.side, back[hand.wrist]) == (side, f"Wrist_{side}")
    assert hand.convention == ("openxr_godot" if named else "structure")
    found = [
        FingerMap(
            finger.name,
            tuple(back[bone] for bone in finger.chain),
            metacarpal=back.get(finger.metacarpal or ""),
            tip=back.get(finger.tip or ""),
        )
        for finger in hand.fingers
    ]
    assert found == expected_fingers(BY_KEY["openxr_godot"], side)


@needs_assets
def test_a_makehuman_character_with_unreals_names() -> None:
    bpy.ops.wm.open_mainfile(filepath=str(HANDS / "mpfb_human_game_engine.blend"))
    armature = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    assert_both_sides(detect_armature_hands(armature), "unreal_ue4_mpfb_game_engine")
