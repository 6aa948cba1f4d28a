# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The detect command on every kind of file, and on broken ones."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import bpy
import pytest

from tests.blender.processes import run_prehend


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("characters")
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.prehend.add_demo_hand(variant="cartoon", side="L")
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "hand.blend"))
    bpy.ops.export_scene.fbx(filepath=str(folder / "hand.fbx"), add_leaf_bones=False)
    bpy.ops.export_scene.gltf(filepath=str(folder / "hand.glb"))
    shutil.copy(folder / "hand.glb", folder / "hand.vrm")
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "cube.blend"))
    return folder


@pytest.mark.parametrize("ending", ["blend", "fbx", "glb", "vrm"])
def test_hands_are_found_in_every_kind_of_file(files: Path, ending: str) -> None:
    done = run_prehend("detect", str(files / f"hand.{ending}"), "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout[done.stdout.index("{") : done.stdout.rindex("}") + 1])
    (armature,) = found["armatures"]
    (hand,) = armature["hands"]
    assert (hand["side"], hand["wrist"]) == ("L", "hand.L")
    assert [finger["name"] for finger in hand["fingers"]] == ["thumb", "index", "middle"]


def test_a_file_without_an_armature_is_told(files: Path) -> None:
    done = run_prehend("detect", str(files / "cube.blend"))
    assert done.returncode == 2
    assert "holds no armature" in done.stderr


@pytest.mark.parametrize("ending", ["blend", "fbx", "glb"])
def test_a_damaged_file_is_told_in_one_sentence(files: Path, tmp_path: Path, ending: str) -> None:
    broken = tmp_path / f"broken.{ending}"
    broken.write_bytes((files / f"hand.{ending}").read_bytes()[:900])
    done = run_prehend("detect", str(broken))
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert "cannot be read" in done.stderr
