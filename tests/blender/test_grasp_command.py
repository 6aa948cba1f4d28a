# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The grasp command, as a new user runs it: a character's arm takes an object, and what is wrong is one sentence."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from addon.services.surfaces import surface_of
from tests.blender.arm_rigs import add_arm_hand
from tests.blender.closing_scenes import box_object
from tests.blender.processes import CHECKOUT, run_prehend

AT = (0.03, 0.0, 0.05)
FOLDER = str(Path(__file__).parent)


def _wave(armature: Any) -> None:
    """Have the arm move by an action on a track of its own, as importers of glTF leave them."""
    bone = armature.pose.bones["upper_arm.R"]
    bone.rotation_mode = "XYZ"
    for frame, turn in ((1, 0.0), (20, 0.9)):
        bone.rotation_euler.x = turn
        bone.keyframe_insert("rotation_euler", frame=frame)
    own = armature.animation_data
    own.nla_tracks.new().strips.new("Wave", 1, own.action)
    own.action = None
    bpy.context.scene.frame_set(1)


def test_an_arm_takes_an_object_that_was_put_somewhere(tmp_path: Path) -> None:
    armature, _ = add_arm_hand()
    _wave(armature)
    bpy.ops.object.armature_add()
    # A plan without hands that comes first by name and is hidden, as generators leave them behind.
    bpy.context.object.name = "A plan"
    bpy.context.object.hide_set(True)
    rig = tmp_path / "rig.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(rig))
    out = tmp_path / "out"
    place = ",".join(str(value) for value in AT)
    done = run_prehend(
        *("grasp", "--hand", str(rig), "--object", "demo:ball", f"--object-at={place}"),
        *("--attempts", "2", "--samples", "0", "--out", str(out), "--json"),
        f"--carry-along={place};0.03,0.0,0.0",
        "--carry-to=0.0,0.0,0.0",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(each.name for each in out.iterdir()) == ["grasp.blend", "grasp.fbx", "grasp.json"]
    facts = json.loads((out / "grasp.json").read_text(encoding="utf-8"))
    # Blender's own lines come first where a Blender runs the command.
    assert json.loads(done.stdout[done.stdout.index("{") :]) == facts
    assert facts["place"] == "arm"
    assert any("animation is left out" in note for note in facts["notes"])
    assert [row[3] for row in facts["object"]["matrix"][:3]] == pytest.approx(AT)
    assert set(facts["versions"]) == {"prehend", "blender", "python"}
    assert facts["penetration"]["volume_cm3"] <= 0.5
    assert facts["search"]["steps"] >= 1
    frames = facts["frames"]
    assert frames["approach"] < frames["contact"] <= frames["hold"] < frames["release"]
    bpy.ops.wm.open_mainfile(filepath=str(out / "grasp.blend"))
    scene = bpy.data.scenes[0]
    scene.frame_set(scene.frame_end)
    ball = bpy.data.objects[facts["object"]["name"]]
    assert tuple(ball.matrix_world.translation) == pytest.approx((0.0, 0.0, 0.0), abs=1e-4), "it was carried there"
    scene.frame_set(frames["lift"])
    armature, ball = bpy.data.objects[facts["hand"]["armature"]], bpy.data.objects[facts["object"]["name"]]
    np.testing.assert_allclose(np.array(armature.matrix_world), np.eye(4), atol=1e-6)
    surface = surface_of(ball, scene.view_layers[0].depsgraph)
    skin = surface_of(bpy.data.objects[facts["hand"]["meshes"][0]], scene.view_layers[0].depsgraph)
    points = skin.vertices @ skin.T_world_frame[:3, :3].T + skin.T_world_frame[:3, 3]
    deepest = -1e3 * float(surface.exact_distance(points).min())
    assert 0.0 < deepest <= 0.5, "the skin that is shown holds the ball"


def test_a_character_that_moves_by_itself_holds_what_came_to_it(tmp_path: Path) -> None:
    armature, _ = add_arm_hand()
    _wave(armature)
    rig, out = tmp_path / "rig.blend", tmp_path / "out"
    bpy.ops.wm.save_as_mainfile(filepath=str(rig))
    arguments = ("--object", "demo:ball", "--attempts", "1", "--samples", "0", "--out", str(out))
    done = run_prehend("grasp", "--hand", str(rig), *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "animation is left out" in done.stdout
    facts = json.loads((out / "grasp.json").read_text(encoding="utf-8"))
    assert facts["place"] == "prop"
    bpy.ops.wm.open_mainfile(filepath=str(out / "grasp.blend"))
    scene = bpy.data.scenes[0]
    scene.frame_set(facts["frames"]["hold"])
    graph = scene.view_layers[0].depsgraph
    ball = surface_of(bpy.data.objects[facts["object"]["name"]], graph)
    skin = surface_of(bpy.data.objects[facts["hand"]["meshes"][0]], graph)
    points = skin.vertices @ skin.T_world_frame[:3, :3].T + skin.T_world_frame[:3, 3]
    assert 0.0 < -1e3 * float(ball.exact_distance(points).min()) <= 0.5, "the skin that is shown holds the ball"


@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--hand", "no.blend", "--object", "demo:mug"), "no file no.blend"),
        (("--hand", "demo", "--object", "demo:mug", "--hook", "1,2"), "three numbers"),
        (("--hand", "demo", "--object", "demo:mug", "--budget-s", "0"), "no time"),
        (("--hand", "demo", "--object", "demo:mug", "--budget-s", "nan"), "no time"),
        (("--hand", "demo", "--object", "demo:mug", "--seed", "-1"), "--seed must be 0 or above"),
        (("--hand", "demo", "--object", "demo:mug", "--samples", "-1"), "--samples must be 0"),
        (("--hand", "demo", "--object", "demo:mug", "--width", "0"), "--width must be between"),
        (("--hand", "demo", "--object", "demo:mug", "--width", "10000000"), "--width must be between"),
        (("--hand", "demo", "--object", "demo:mug", "--hook", "-9,0,0"), "mm away from 'Mug'"),
        (("--hand", "demo", "--object", FOLDER), "is a folder"),
        (("--hand", FOLDER, "--object", "demo:mug"), "is a folder"),
        (("--hand", "demo", "--object", "demo:mug", "--attempts", "0"), "no time"),
        (("--hand", "demo", "--object", "demo:mug", "--place", "moon"), "invalid choice"),
        (("--hand", "demo", "--object", "demo:mug", "--carry-along", "0,0,1"), "two or more places"),
        (("--hand", "demo", "--object", "demo:mug", "--place", "arm"), "No arm was found"),
    ],
)
def test_bad_input_is_one_sentence_and_leaves_nothing(arguments: tuple[str, ...], words: str, tmp_path: Path) -> None:
    done = run_prehend("grasp", *arguments, "--out", str(tmp_path / "out"))
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert words in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("size", "wall_at", "moves"),
    [((0.2, 0.01, 0.01), None, False), ((0.01, 0.2, 0.01), None, True), ((0.2, 0.01, 0.01), (0.0, -0.1, 0.04), True)],
    ids=["broadside", "end-on", "hidden"],
)
def test_the_camera_goes_where_the_object_is_seen(
    size: tuple[float, ...], wall_at: tuple[float, ...] | None, moves: bool
) -> None:
    sys.path.insert(0, str(CHECKOUT / "scripts"))
    from grasp_view import clearest

    rod = box_object("Rod", size)
    if wall_at is not None:
        box_object("Wall", (0.22, 0.01, 0.12)).location = wall_at
    bpy.context.view_layer.update()
    assert (clearest(bpy.context.scene, rod, [], 0.0, around=(rod.location, 1.0)) != 0.0) is moves


@pytest.mark.parametrize(("behind", "far"), [(-0.08, False), (0.08, True)], ids=["before", "behind"])
def test_the_camera_goes_where_the_hand_is_seen(behind: float, far: bool) -> None:
    sys.path.insert(0, str(CHECKOUT / "scripts"))
    from grasp_view import clearest

    cup, hand = box_object("Cup", (0.1, 0.1, 0.1)), box_object("Hand", (0.05, 0.02, 0.05))
    hand.location.y = behind
    bpy.context.view_layer.update()
    # From one corner more of a box is seen than from its front, but that is not far.
    assert (abs(clearest(bpy.context.scene, cup, [hand], 0.0, around=(hand.location, 1.0))) > 30.0) is far
