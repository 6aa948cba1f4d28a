# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hand models on real rigs: demo hands, generated Rigify, and real hands where they are to be had."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy
import numpy as np
import pytest

from addon.core.handmap import FingerMap, HandMap
from addon.hands.forward import forward
from addon.hands.model import HandModel
from addon.hands.poses import pose_angles
from addon.presets.poses import load_poses
from addon.rig.armatures import create_hand_objects
from addon.rig.read import read_pose
from addon.rig.write import write_angles
from addon.services.posture import model_of
from addon.shapes.hand import VARIANTS, HandSpec, build_hand
from tests.blender.model_rigs import random_posture
from tests.blender.processes import run_blender_code
from tests.real_files import HANDS, WHY
from tests.unit.hand_motion import assert_closes, assert_opposes, assert_spreads, demo_map

FINGERS = ("thumb", "index", "middle", "ring", "pinky")

Rig = tuple[Any, HandMap]


def demo_rig(variant: str, side: str) -> Rig:
    build = build_hand(HandSpec(variant=variant, side=side))  # type: ignore[arg-type]
    armature, _ = create_hand_objects("Demo", build, bpy.context.scene.collection)
    return armature, demo_map(build.skeleton.names, side)


def godot_rig(side: str) -> Rig:
    path = HANDS / f"Hand_Nails_{side}.gltf"
    if not path.exists():
        pytest.skip(WHY)
    bpy.ops.import_scene.gltf(filepath=str(path))
    armature = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    fingers = [FingerMap("thumb", _names("Thumb", ("Metacarpal", "Proximal", "Distal"), side), tip=f"Thumb_Tip_{side}")]
    for finger, word in zip(FINGERS[1:], ("Index", "Middle", "Ring", "Little"), strict=True):
        chain = _names(word, ("Proximal", "Intermediate", "Distal"), side)
        fingers.append(FingerMap(finger, chain, metacarpal=f"{word}_Metacarpal_{side}", tip=f"{word}_Tip_{side}"))
    return armature, HandMap(side=side, wrist=f"Wrist_{side}", fingers=tuple(fingers))


def _names(finger: str, bones: tuple[str, ...], side: str) -> tuple[str, ...]:
    return tuple(f"{finger}_{bone}_{side}" for bone in bones)


def mpfb_rig(side: str) -> Rig:
    path = HANDS / "mpfb_human_game_engine.blend"
    if not path.exists():
        pytest.skip(WHY)
    with bpy.data.libraries.load(str(path)) as (_, loaded):
        loaded.objects = ["Human.rig"]
    armature = bpy.data.objects["Human.rig"]
    bpy.context.scene.collection.objects.link(armature)
    fingers = [FingerMap(f, tuple(f"{f}_0{k}_{side.lower()}" for k in (1, 2, 3))) for f in FINGERS]
    return armature, HandMap(side=side, wrist=f"hand_{side.lower()}", fingers=tuple(fingers))


# Leaving at once: with Rigify enabled, some versions of the bpy module do not end by themselves.
GENERATE = """
bpy.ops.wm.read_homefile(use_empty=True)
bpy.ops.preferences.addon_enable(module="rigify")
bpy.ops.object.armature_human_metarig_add()
bpy.ops.pose.rigify_generate()
bpy.ops.wm.save_as_mainfile(filepath={path!r})
result("done")
import os, sys
sys.stdout.flush()
os._exit(0)
"""


@pytest.fixture(scope="module")
def rigify_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("rigify") / "human.blend")
    assert run_blender_code(GENERATE.format(path=path)) == "done"
    return path


def rigify_rig(path: str, side: str) -> Rig:
    bpy.ops.wm.open_mainfile(filepath=path, use_scripts=True)
    armature = bpy.data.objects["rig"]
    words = ("thumb", "f_index", "f_middle", "f_ring", "f_pinky")
    fingers = [
        FingerMap(
            finger,
            tuple(f"{word}.0{k}.{side}" for k in (1, 2, 3)),
            deform=tuple(f"DEF-{word}.0{k}.{side}" for k in (1, 2, 3)),
        )
        for finger, word in zip(FINGERS, words, strict=True)
    ]
    return armature, HandMap(side=side, wrist=f"hand_fk.{side}", fingers=tuple(fingers))


RIGS: dict[str, Callable[[], Rig]] = {
    **{f"demo {v} {s}": lambda v=v, s=s: demo_rig(v, s) for v in sorted(VARIANTS) for s in "LR"},
    **{f"godot {s}": lambda s=s: godot_rig(s) for s in "LR"},
    **{f"mpfb {s}": lambda s=s: mpfb_rig(s) for s in "LR"},
}


def shown_tips(armature: Any, model: HandModel) -> np.ndarray:
    """Fingertips in the hand's frame as the rig shows them: ends of the deforming bones' joints."""
    return forward(model, read_pose(armature, model).angles).tips


@pytest.mark.parametrize("name", RIGS)
def test_rigs_close_spread_oppose_and_take_on_postures(name: str) -> None:
    assert_works(*RIGS[name]())


@pytest.mark.parametrize("side", ["L", "R"])
def test_generated_rigify_closes_spreads_opposes_and_takes_on_postures(rigify_file: str, side: str) -> None:
    assert_works(*rigify_rig(rigify_file, side), rigify=True)


def assert_works(armature: Any, hand: HandMap, *, rigify: bool = False) -> None:
    layer = bpy.context.view_layer
    layer.update()
    model = model_of(armature, hand)
    assert model.side == ("" if model.radial else hand.side)
    assert model.notes == ()
    assert_closes(model)
    if not model.radial:
        assert_spreads(model)
        assert_opposes(model)
    # The rig itself, not only its model, shows the fingertips where the model has them.
    angles = random_posture(model, 1)
    result = write_angles(armature, model, angles, view_layer=layer)
    assert result.swings.max() < (1e-5 if rigify else 1e-6)
    assert result.gaps.max() < (1e-6 if rigify else 3e-7)
    # Rigify's first deforming bones stretch between controls and so do not take over their twist.
    assert result.turns.max() < (0.1 + np.abs(angles[:, 2]).max() if rigify else 1e-6)
    wanted = forward(model, angles).tips
    assert np.abs(shown_tips(armature, model) - wanted).max() < 1e-5
    write_angles(armature, model, model.rest_angles, view_layer=layer)
    assert np.abs(shown_tips(armature, model) - forward(model, model.rest_angles).tips).max() < 1e-5


def test_rigify_deforms_as_its_controls_are_told_with_the_arm_posed(rigify_file: str) -> None:
    armature, hand = rigify_rig(rigify_file, "R")
    layer = bpy.context.view_layer
    armature.pose.bones["upper_arm_parent.R"]["IK_FK"] = 1.0
    armature.pose.bones["forearm_fk.R"].rotation_quaternion = (0.9, 0.3, 0.1, 0.2)
    armature.pose.bones["hand_fk.R"].rotation_quaternion = (0.8, -0.2, 0.4, 0.1)
    layer.update()
    model = model_of(armature, hand)
    assert model.binding.carrier == "DEF-hand.R"
    assert model.binding.readers[0] == "DEF-thumb.01.R"
    wrist = read_pose(armature, model).T_world_hand
    result = write_angles(armature, model, random_posture(model, 2), view_layer=layer)
    assert result.swings.max() < 1e-5
    assert np.allclose(read_pose(armature, model).T_world_hand, wrist, atol=1e-6)


def assert_poses_keep_limits(armature: Any, hand: HandMap, *, channels: int = 2) -> None:
    """Every pose of the library, as the rig shows it, has every joint within its limits, and differs from others."""
    layer = bpy.context.view_layer
    layer.update()
    model = model_of(armature, hand)
    low, high = model.limits.ranges[:, :channels, 0] - 1e-3, model.limits.ranges[:, :channels, 1] + 1e-3
    shown = {}
    for key, pose in load_poses().items():
        wanted = pose_angles(model, pose)
        result = write_angles(armature, model, wanted, view_layer=layer)
        shown[key] = read_pose(armature, model).angles
        assert result.swings.max() < 1e-4, key
        assert ((wanted >= model.limits.ranges[..., 0]) & (wanted <= model.limits.ranges[..., 1])).all(), key
        assert ((shown[key][:, :channels] >= low) & (shown[key][:, :channels] <= high)).all(), key
    assert np.degrees(np.abs(shown["fist"] - shown["flat"]).max()) > 40.0
    assert model.radial or np.degrees(np.abs(shown["asl_v"] - shown["asl_l"]).max()) > 60.0


@pytest.mark.parametrize("name", ["godot R", "mpfb R", "demo cartoon R", "demo gripper_3 R"])
def test_every_pose_keeps_limits_on_any_hand(name: str) -> None:
    assert_poses_keep_limits(*RIGS[name]())


def test_every_pose_keeps_limits_on_generated_rigify(rigify_file: str) -> None:
    # Its first deforming bones do not take over twist, so that angles of the next ones are not those that were written;
    # that all bones point where a posture within the limits has them is what can be asked for.
    assert_poses_keep_limits(*rigify_rig(rigify_file, "R"), channels=0)
