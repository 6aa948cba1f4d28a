# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo command, as a new user runs it: four files that hold what they should."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import bpy
import pytest

from tests.blender.processes import run_prehend


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo folder") / "out"
    done = run_prehend("demo", "--out", str(folder), "--samples", "1", "--width", "160")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    return folder


def test_demo_writes_its_four_files_and_nothing_else(made: Path) -> None:
    assert sorted(each.name for each in made.iterdir()) == ["demo.blend", "demo.fbx", "demo.json", "demo.png"]


def test_demo_picture_has_the_asked_size_and_shows_something(made: Path) -> None:
    content = (made / "demo.png").read_bytes()
    assert struct.unpack(">II", content[16:24]) == (160, 120)
    image = bpy.data.images.load(str(made / "demo.png"))
    values = list(image.pixels)
    assert max(values[0::4]) - min(values[0::4]) > 0.2


def test_demo_blend_opens_with_hand_prop_and_keys(made: Path) -> None:
    facts = json.loads((made / "demo.json").read_text(encoding="utf-8"))
    bpy.ops.wm.open_mainfile(filepath=str(made / "demo.blend"))
    armature = bpy.data.objects[facts["hand"]["armature"]]
    scene = bpy.data.scenes[0]
    assert armature.animation_data.action is not None
    assert facts["object"]["name"] in scene.objects
    turns = []
    for pose in facts["poses"]:
        scene.frame_set(pose["frame"])
        turns.append(tuple(armature.pose.bones["index.intermediate.R"].matrix.to_quaternion()))
    assert len(set(turns)) == len(turns), "every keyed pose is another one"


def test_demo_fbx_comes_back_with_animation(made: Path) -> None:
    facts = json.loads((made / "demo.json").read_text(encoding="utf-8"))
    bpy.ops.import_scene.fbx(filepath=str(made / "demo.fbx"))
    kinds = sorted(obj.type for obj in bpy.data.objects)
    assert kinds.count("ARMATURE") == 1
    assert kinds.count("MESH") == 2
    armature = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    assert len(armature.data.bones) == facts["hand"]["bones"]
    start, end = armature.animation_data.action.frame_range
    assert end - start == facts["frames"]["end"] - facts["frames"]["start"]


def test_a_folder_that_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("mine")
    done = run_prehend("demo", "--out", str(blocked))
    assert done.returncode == 2
    assert "is a file, not a folder" in done.stderr
    assert blocked.read_text() == "mine"
