# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo command, as a new user runs it: two grasps in files that hold what they should."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import bpy
import pytest

from addon.services.surfaces import surface_of
from tests.blender.processes import run_prehend

PROPS = ("mug", "bottle")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo folder") / "out"
    done = run_prehend("demo", "--out", str(folder), "--samples", "1", "--width", "160")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    return folder


def _facts(made: Path, prop: str) -> dict:
    return json.loads((made / f"{prop}.json").read_text(encoding="utf-8"))


def test_demo_writes_four_files_for_each_prop_and_nothing_else(made: Path) -> None:
    wanted = sorted(f"{prop}.{ending}" for prop in PROPS for ending in ("blend", "fbx", "json", "png"))
    assert sorted(each.name for each in made.iterdir()) == wanted


@pytest.mark.parametrize("prop", PROPS)
def test_demo_pictures_have_the_asked_size_and_show_something(made: Path, prop: str) -> None:
    content = (made / f"{prop}.png").read_bytes()
    assert struct.unpack(">II", content[16:24]) == (160, 120)
    image = bpy.data.images.load(str(made / f"{prop}.png"))
    values = list(image.pixels)
    assert max(values[0::4]) - min(values[0::4]) > 0.2


def test_demo_takes_the_mug_by_its_handle_with_all_fingers(made: Path) -> None:
    facts = _facts(made, "mug")
    # The handle stands off the body along +x of the mug.
    assert facts["hook"][0] > 0.05
    assert {each["finger"] for each in facts["contacts"]} >= {"thumb", "index", "middle", "ring", "pinky"}


@pytest.mark.parametrize("prop", PROPS)
def test_demo_hand_holds_the_prop_at_the_frame_that_says_so(made: Path, prop: str) -> None:
    facts = _facts(made, prop)
    bpy.ops.wm.open_mainfile(filepath=str(made / f"{prop}.blend"))
    scene, view_layer = bpy.data.scenes[0], bpy.data.scenes[0].view_layers[0]
    skin, held = bpy.data.objects[facts["hand"]["meshes"][0]], bpy.data.objects[facts["object"]["name"]]
    gaps = {}
    for name in ("approach", "hold"):
        scene.frame_set(facts["frames"][name])
        view_layer.update()
        shown = skin.evaluated_get(view_layer.depsgraph)
        points = [shown.matrix_world @ vertex.co for vertex in shown.data.vertices]
        gaps[name] = 1e3 * surface_of(held, view_layer.depsgraph).exact_distance(_array(points)).min()
    assert gaps["approach"] > 5.0
    assert -0.5 <= gaps["hold"] <= 0.2
    assert facts["penetration"]["max_mm"] <= 0.5


def _array(points):
    import numpy as np

    return np.array([tuple(point) for point in points])


@pytest.mark.parametrize("prop", PROPS)
def test_demo_fbx_comes_back_with_animation(made: Path, prop: str) -> None:
    facts = _facts(made, prop)
    bpy.ops.import_scene.fbx(filepath=str(made / f"{prop}.fbx"))
    kinds = sorted(obj.type for obj in bpy.data.objects)
    assert kinds.count("ARMATURE") == 1
    assert kinds.count("MESH") == 2
    armature = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    assert set(facts["posture_deg"]) <= {bone.name for bone in armature.data.bones}
    start, end = armature.animation_data.action.frame_range
    assert end - start >= facts["frames"]["release"] - facts["frames"]["approach"]


def test_a_folder_that_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("mine")
    done = run_prehend("demo", "--out", str(blocked))
    assert done.returncode == 2
    assert "is a file, not a folder" in done.stderr
    assert blocked.read_text() == "mine"
