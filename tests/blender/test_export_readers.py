# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exported files read by tools that are not Blender, each in an environment of its own; skipped where it cannot be."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import bpy
import pytest

from addon.rig.export_writers import Take
from addon.services.export import ExportRequest, export_grasp
from tests.blender.export_scenes import LAST, add_demo
from tests.blender.test_export import HAS_USD

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from benchmarks.export import UFBX, judge, record
from benchmarks.export_gltf import validate
from benchmarks.peers import ask
from launcher.errors import SetupError


def read(path: Path, wanted: dict[str, Any]) -> dict[str, dict[str, Any]]:
    rows = judge(path, wanted)
    reasons = [row["note"] for row in rows if "good" not in row]
    if reasons:
        pytest.skip(reasons[0])
    return {row["tool"]: row for row in rows}


@pytest.mark.parametrize(
    ("preset", "ending", "tool"),
    [("unreal", "fbx", "ufbx"), ("godot", "glb", "buffers"), *([("unreal", "usdc", "usd-core")] if HAS_USD else [])],
)
def test_others_read_the_same_bones_frames_and_places(tmp_path: Path, preset: str, ending: str, tool: str) -> None:
    armature, mug = add_demo()
    bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = 30, 1.001
    wanted = record(armature, mug, LAST)
    path = tmp_path / f"hand.{ending}"
    export_grasp(bpy.context, armature, [mug], ExportRequest(path, preset=preset))
    rows = read(path, wanted)
    assert {row["good"] for row in rows.values()} == {"yes"}, rows
    assert (rows[tool]["bones"], rows[tool]["frames"]) == (20, LAST)
    assert rows[tool]["heads_mm"] < 0.1
    # A judge that could not tell would be of no use: a mug a millimetre away is seen.
    wanted["places"][mug.name] = wanted["places"][mug.name] + 1e-3
    assert read(path, wanted)[tool]["good"] == "no"


def test_ufbx_finds_clean_nodes_and_takes(tmp_path: Path) -> None:
    armature, mug = add_demo()
    path = tmp_path / "hand.fbx"
    takes = (Take("reach", 1, 5), Take("lift", 6, LAST))
    export_grasp(bpy.context, armature, [mug], ExportRequest(path, preset="unreal", takes=takes))
    alone = tmp_path / "alone.fbx"
    export_grasp(bpy.context, armature, [mug], ExportRequest(alone, preset="unreal", takes=takes[1:]))
    try:
        answer, one = (ask(UFBX, {"path": str(each)}) for each in (path, alone))
    except SetupError as error:
        pytest.skip(str(error))
    assert [(take["name"], take["times"][0], len(take["times"])) for take in one["takes"]] == [("lift", 0.0, LAST - 5)]
    assert answer["carrier_offset"] < 1e-6
    assert set(answer["nodes"]) == {"Armature", "Human Hand.R Skin", "Mug", *answer["bones"]}
    assert [take["name"] for take in answer["takes"]] == ["reach", "lift"]
    assert [len(take["times"]) for take in answer["takes"]] == [5, LAST - 5]
    assert all(take["times"][0] == 0.0 for take in answer["takes"])


def test_text_gltf_with_its_buffers_passes_the_validator(tmp_path: Path) -> None:
    armature, mug = add_demo()
    export_grasp(bpy.context, armature, [mug], ExportRequest(tmp_path / "hand.gltf"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hand.bin", "hand.gltf"]
    try:
        report = validate(tmp_path / "hand.gltf")
    except SetupError as error:
        pytest.skip(str(error))
    assert report["issues"]["numErrors"] == 0
    assert report["info"]["animationCount"] == 1
    assert report["info"]["hasSkins"]
