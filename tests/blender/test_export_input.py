# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What cannot be exported is told in a sentence, and neither the open file nor the disk changes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

import addon.rig.export_writers as writers
import addon.services.export as service
from addon.core.errors import PrehendError
from addon.rig.export_writers import Take
from addon.services.animation_records import AnimationRecord, store_animations
from addon.services.export import ExportRequest, export_grasp, export_steps
from addon.services.export_subjects import props_of
from addon.services.export_takes import grasp_takes, parse_range, parse_take, requested_takes, whole_timeline
from tests.blender.export_scenes import LAST, add_demo, state
from tests.blender.processes import run_prehend
from tests.blender.test_export import HAS_USD, read_back


def files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def refused(folder: Path, request: ExportRequest, words: str, *, props: Any = None) -> None:
    armature = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    before, there = state(), files(folder)
    with pytest.raises(PrehendError, match=words) as found:
        export_grasp(bpy.context, armature, props or [], request)
    assert "\n" not in str(found.value)
    assert state() == before
    assert files(folder) == there


def test_paths_that_cannot_be_written(tmp_path: Path) -> None:
    add_demo()
    (tmp_path / "there.fbx").write_text("mine")
    (tmp_path / "folder.fbx").mkdir()
    refused(tmp_path, ExportRequest(tmp_path / "there.fbx"), "exists")
    assert (tmp_path / "there.fbx").read_text() == "mine"
    refused(tmp_path, ExportRequest(tmp_path / "folder.fbx", overwrite=True), "is a folder")
    refused(tmp_path, ExportRequest(tmp_path / "no" / "hand.fbx"), "no folder")
    refused(tmp_path, ExportRequest(tmp_path / "hand.txt"), "tells no format")
    refused(tmp_path, ExportRequest(tmp_path / "hand.fbx", preset="quake"), "quake")
    if os.geteuid() != 0:
        (tmp_path / "closed").mkdir(mode=0o500)
        refused(tmp_path, ExportRequest(tmp_path / "closed" / "hand.fbx"), "cannot be written")


def test_frames_that_there_are_not(tmp_path: Path) -> None:
    armature, _ = add_demo()
    path = tmp_path / "hand.fbx"
    refused(tmp_path, ExportRequest(path, takes=(Take("a", 5, 99),)), "outside the scene")
    refused(tmp_path, ExportRequest(path, takes=(Take("a", 0, 5),)), "outside the scene")
    refused(tmp_path, ExportRequest(path, takes=(Take("a", 5, 4),)), "backwards")
    refused(tmp_path, ExportRequest(path, takes=(Take("a", 1, 4), Take("a", 5, 6))), "Two takes")
    refused(tmp_path, ExportRequest(path, takes=(Take(" ", 1, 4),)), "no name")
    scene = bpy.context.scene
    for words, ask in (
        ("backwards", lambda: whole_timeline(scene, (6, 2))),
        ("no range", lambda: parse_range("1-5")),
        ("no take", lambda: parse_take("1:5")),
        ("no range", lambda: parse_take("lift=")),
    ):
        with pytest.raises(PrehendError, match=words):
            ask()
    assert parse_take("lift=2:5") == Take("lift", 2, 5)
    assert requested_takes(scene, armature, "timeline", "grasp") == [Take("Grasp", 1, LAST, keeps_frames=True)]
    assert requested_takes(scene, armature, "timeline", "custom", (2, 5)) == [Take("Grasp", 2, 5, keeps_frames=True)]
    armature.animation_data_clear()
    with pytest.raises(PrehendError, match="no animation"):
        grasp_takes(scene, armature)


def animated(prop: str, first: int, last: int) -> AnimationRecord:
    """A record of an animated grasp of which only the frames matter."""
    names = ("approach", "arrive", "contact", "lift", "put", "hold", "release", "away")
    frames = dict(zip(names, np.linspace(first, last, 8).astype(int).tolist(), strict=True))
    return AnimationRecord("hand.R", prop, "", frames, {}, "hook", [], [], {}, {})


def test_takes_of_animated_grasps_and_strips() -> None:
    armature, mug = add_demo()
    scene = bpy.context.scene
    store_animations(armature, [animated("Mug", 7, 11), animated("Mug", 2, 6)])
    assert grasp_takes(scene, armature) == [Take("Mug", 2, 6), Take("Mug 2", 7, 11)]
    assert props_of(armature, list(scene.objects)) == [mug]
    armature["prehend_animations"] = "nonsense"
    assert props_of(armature, list(scene.objects)) == []
    with pytest.raises(PrehendError, match="damaged"):
        grasp_takes(scene, armature)
    store_animations(armature, [])
    data = armature.animation_data
    strip = data.nla_tracks.new().strips.new("push", 1, data.action)
    strip.frame_end = 5
    data.action = None
    assert grasp_takes(scene, armature) == [Take(strip.name, 1, 5)]


def test_objects_that_cannot_be_exported(tmp_path: Path) -> None:
    armature, mug = add_demo()
    skin = next(obj for obj in bpy.data.objects if obj.parent == armature)
    path = tmp_path / "hand.fbx"
    mug.hide_viewport = True
    refused(tmp_path, ExportRequest(path), "disabled in viewports", props=[mug])
    mug.hide_viewport = False
    skin.hide_set(True)
    refused(tmp_path, ExportRequest(path), "are hidden")
    skin.hide_set(False)
    skin.parent = None  # it stays behind when the armature moves
    refused(tmp_path, ExportRequest(path), "does not move with")
    skin.parent = armature
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    refused(tmp_path, ExportRequest(path), "Edit Mode")
    bpy.ops.object.mode_set(mode="OBJECT")
    with pytest.raises(PrehendError, match="no armature"):
        export_grasp(bpy.context, mug, [], ExportRequest(path))


def test_what_is_hidden_or_excluded_from_view(tmp_path: Path) -> None:
    armature, mug = add_demo()
    skin = next(obj for obj in bpy.data.objects if obj.parent == armature)
    shirt = skin.copy()
    shirt.name = "Shirt"
    apart = bpy.data.collections.new("Apart")
    bpy.context.scene.collection.children.link(apart)
    apart.objects.link(shirt)
    bpy.context.scene.collection.objects.unlink(mug)
    apart.objects.link(mug)
    bpy.context.view_layer.layer_collection.children["Apart"].exclude = True
    report = export_grasp(bpy.context, armature, [mug], ExportRequest(tmp_path / "a.fbx"))
    assert report.left_out == ("Shirt",)
    assert "left out as hidden: Shirt" in report.sentence()
    assert set(report.objects) == {armature.name, skin.name, "Mug"}
    report = export_grasp(bpy.context, armature, [mug], ExportRequest(tmp_path / "b.fbx", hidden=True))
    assert "Shirt" in report.objects
    assert set(read_back(tmp_path / "b.fbx")[1]) == {"Human_Hand_R_Skin", "Shirt", "Mug"}


@pytest.mark.parametrize("ending", ["fbx", "glb", *(["usdc"] if HAS_USD else [])])
def test_an_exporter_that_fails_half_way_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    add_demo()
    form = {"fbx": "fbx", "glb": "gltf", "usdc": "usd"}[ending]
    whole: Callable[..., None] = getattr(writers, f"write_{form}")

    def broken(context: Any, scene: Any, path: Path, *more: Any) -> None:
        whole(context, scene, path, *more)
        path.write_bytes(path.read_bytes()[:100])
        bpy.data.meshes.new("left over")
        raise RuntimeError("Error: the disk is full\n")

    monkeypatch.setattr(service, f"write_{form}", broken)
    (tmp_path / f"hand.{ending}").write_text("mine")
    refused(tmp_path, ExportRequest(tmp_path / f"hand.{ending}", overwrite=True), "the disk is full")
    assert (tmp_path / f"hand.{ending}").read_text() == "mine"


@pytest.mark.parametrize("doing", ["reading frames", "writing hand.fbx", "finishing"])
def test_an_export_that_is_stopped_leaves_nothing_and_what_was_there(tmp_path: Path, doing: str) -> None:
    armature, mug = add_demo()
    armature.pose.bones["index.distal.R"].rotation_quaternion = (0.9, 0.1, 0.2, 0.3)
    bpy.context.view_layer.update()
    (tmp_path / "hand.fbx").write_text("mine")
    before, there = state(), files(tmp_path)
    steps = export_steps(bpy.context, armature, [mug], ExportRequest(tmp_path / "hand.fbx", overwrite=True))
    for number, (share, what) in enumerate(steps):
        assert 0.0 < share <= 1.0
        if what == doing and number > 1:
            break
    assert what == doing
    steps.close()
    assert state() == before
    assert files(tmp_path) == there
    assert (tmp_path / "hand.fbx").read_text() == "mine"


def test_a_blender_without_a_format_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_demo()
    monkeypatch.setattr(service, "missing_writer", lambda form: "this Blender was built without USD, choose another")
    refused(tmp_path, ExportRequest(tmp_path / "hand.usdc"), "built without USD")


def test_animation_linked_from_another_file_is_exported_and_stays_linked(tmp_path: Path) -> None:
    armature, _ = add_demo()
    bpy.data.libraries.write(str(tmp_path / "library.blend"), {armature.animation_data.action})
    name = armature.animation_data.action.name
    with bpy.data.libraries.load(str(tmp_path / "library.blend"), link=True) as (_, wanted):
        wanted.actions = [name]
    armature.animation_data.action = wanted.actions[0]
    if hasattr(armature.animation_data, "action_slot"):
        armature.animation_data.action_slot = wanted.actions[0].slots[0]
    bpy.context.scene.frame_set(LAST)
    place = np.array(armature.matrix_world @ armature.pose.bones["index.distal.R"].head)
    before = state()
    export_grasp(bpy.context, armature, [], ExportRequest(tmp_path / "hand.fbx"))
    assert state() == before
    assert armature.animation_data.action.library is not None
    again, _, shift = read_back(tmp_path / "hand.fbx")
    bpy.context.scene.frame_set(LAST + shift)
    found = np.array(again.matrix_world @ again.pose.bones["index.distal.R"].head)
    assert np.abs(found - place).max() < 1e-4


def test_the_operator_refuses_what_exists_and_reports(tmp_path: Path) -> None:
    armature, _ = add_demo()
    bpy.context.view_layer.objects.active = armature
    path = str(tmp_path / "hand.fbx")
    before = state()
    assert bpy.ops.prehend.export_grasp(filepath=path, preset="unreal") == {"FINISHED"}
    with pytest.raises(RuntimeError, match="exists"):
        bpy.ops.prehend.export_grasp(filepath=path)
    assert bpy.ops.prehend.export_grasp(filepath=path, overwrite=True) == {"FINISHED"}
    assert state() == before
    assert files(tmp_path) == ["hand.fbx"]


def test_the_command_writes_what_it_says(tmp_path: Path) -> None:
    armature, mug = add_demo()
    mug["prehend_grasps"] = "{}"
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "hand.blend"))
    source, out = str(tmp_path / "hand.blend"), tmp_path / "hand.glb"
    done = run_prehend("export", source, "--out", str(out), "--preset", "godot", "--takes", "a=1:4", "b=5:9", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    facts = json.loads(done.stdout[done.stdout.index("{") : done.stdout.rindex("}") + 1])
    assert facts["bones"] == 20
    assert [take["name"] for take in facts["takes"]] == ["a", "b"]
    assert set(facts["objects"]) == {armature.name, "Human Hand.R Skin", "Mug"}
    assert out.read_bytes()[:4] == b"glTF"
    for arguments, words in (
        (("--out", str(out)), "--overwrite"),
        (("--out", str(tmp_path / "x.fbx"), "--range", "1:999"), "outside the scene"),
        (("--out", str(tmp_path / "x.fbx"), "--prop", "Cup"), "Cup"),
    ):
        done = run_prehend("export", source, *arguments)
        assert done.returncode == 2, done.stdout + done.stderr
        assert "Traceback" not in done.stdout + done.stderr
        assert words in done.stderr
