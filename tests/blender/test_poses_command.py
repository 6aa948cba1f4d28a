# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The poses command: poses by chance and by name, the same for the same seed."""

from __future__ import annotations

import json
from pathlib import Path

import bpy

from addon.services.poses import hands_of
from addon.services.posture import read_posture
from tests.blender.processes import run_prehend


def test_poses_by_chance_and_by_name_are_written(tmp_path: Path) -> None:
    options = ("--hand", "demo:cartoon", "--poses", "fist", "--random", "3", "--seed", "7")
    done = run_prehend("poses", *options, "--blend", "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads((tmp_path / "out" / "poses.json").read_text())
    assert [(each.get("pose"), each.get("seed")) for each in found["poses"]] == [
        ("fist", None),
        (None, 7),
        (None, 8),
        (None, 9),
    ]
    assert found["poses"][0]["posture_deg"]["index.proximal.R"]["flexion"] > 60.0
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "out" / "poses.blend"))
    armature = next(each for each in bpy.data.objects if each.type == "ARMATURE")
    bpy.context.view_layer.objects.active = armature
    for each in found["poses"]:
        bpy.context.scene.frame_set(each["frame"])
        (hand,) = hands_of(armature)
        flexion = read_posture(armature, hand).angles[:, 0].max() * 57.29578
        assert abs(flexion - max(row["flexion"] for row in each["posture_deg"].values())) < 0.01


def test_nothing_to_do_is_told(tmp_path: Path) -> None:
    done = run_prehend("poses", "--out", str(tmp_path / "out"))
    assert done.returncode == 2
    assert "--random N" in done.stderr
    assert not (tmp_path / "out").exists()
