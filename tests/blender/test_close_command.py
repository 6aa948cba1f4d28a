# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The close command on files of every kind, on broken ones, and its answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from addon.rig.surface import read_triangles
from addon.services.files import InputFileError, add_prop
from tests.blender.processes import run_prehend

# Some builds of Blender, such as Debian's, come without USD.
FOLDER = str(Path(__file__).parent)
HAS_USD = "usd_export" in dir(bpy.ops.wm)
KINDS = ("obj", "stl", "ply", "glb", "gltf", "fbx", "blend", *(("usdc", "usda") if HAS_USD else ()))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A mug in metres in every kind of file, turned, scaled and under a parent."""
    folder = tmp_path_factory.mktemp("props")
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.prehend.add_demo_prop(prop="mug")
    mug = bpy.context.object
    mug.scale, mug.location, mug.rotation_euler = (0.5, 0.5, 0.5), (0.1, 0.2, 0.3), (0.3, -0.2, 1.0)
    parent = bpy.data.objects.new("parent", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.location, mug.parent = (0.0, 0.0, 0.4), parent
    bpy.ops.object.camera_add()
    bpy.context.view_layer.update()
    bpy.ops.wm.obj_export(filepath=str(folder / "mug.obj"))
    bpy.ops.wm.stl_export(filepath=str(folder / "mug.stl"))
    bpy.ops.wm.ply_export(filepath=str(folder / "mug.ply"))
    bpy.ops.export_scene.gltf(filepath=str(folder / "mug.glb"))
    bpy.ops.export_scene.gltf(filepath=str(folder / "mug.gltf"), export_format="GLTF_SEPARATE")
    bpy.ops.export_scene.fbx(filepath=str(folder / "mug.fbx"))
    if HAS_USD:
        bpy.ops.wm.usd_export(filepath=str(folder / "mug.usdc"))
        bpy.ops.wm.usd_export(filepath=str(folder / "mug.usda"))
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "mug.blend"))
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    bpy.ops.object.camera_add()
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "camera.blend"))
    return folder


def answer(*arguments: str) -> dict[str, Any]:
    done = run_prehend("close", *arguments, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return json.loads(done.stdout[done.stdout.index("{") : done.stdout.rindex("}") + 1])


def counts() -> dict[str, int]:
    return {
        name: len(getattr(bpy.data, name))
        for name in ("objects", "meshes", "materials", "collections", "scenes", "cameras", "actions")
    }


@pytest.mark.parametrize("kind", KINDS)
def test_props_of_every_kind_come_in_as_one_object_where_they_are(files: Path, kind: str) -> None:
    before = counts()
    obj = add_prop(files / f"mug.{kind}", bpy.context.scene)
    after = counts()
    assert after == before | {"objects": before["objects"] + 1, "meshes": before["meshes"] + 1}
    found = read_triangles(obj, bpy.context.evaluated_depsgraph_get()).vertices
    wanted = _mug()
    np.testing.assert_allclose(found.min(axis=0), wanted.min(axis=0), atol=1e-5)
    np.testing.assert_allclose(found.max(axis=0), wanted.max(axis=0), atol=1e-5)


def _mug() -> np.ndarray:
    bpy.ops.prehend.add_demo_prop(prop="mug")
    mug = bpy.context.object
    mug.scale, mug.location, mug.rotation_euler = (0.5, 0.5, 0.5), (0.1, 0.2, 0.7), (0.3, -0.2, 1.0)
    bpy.context.view_layer.update()
    return read_triangles(mug, bpy.context.evaluated_depsgraph_get()).vertices


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_props_are_told_and_leave_nothing(files: Path, tmp_path: Path, kind: str) -> None:
    broken = tmp_path / f"broken.{kind}"
    broken.write_bytes(bytes(range(256))[::-1])
    before = counts()
    with pytest.raises(InputFileError, match="broken"):
        add_prop(broken, bpy.context.scene)
    assert counts() == before


@pytest.mark.parametrize(("name", "words"), [("camera.blend", "nothing with faces"), ("notes.txt", "is no file of")])
def test_files_without_a_prop_are_told(files: Path, name: str, words: str) -> None:
    (files / "notes.txt").write_text("mug")
    before = counts()
    with pytest.raises(InputFileError, match=words):
        add_prop(files / name, bpy.context.scene)
    assert counts() == before


def test_the_answer_tells_what_touches_and_the_file_shows_it(files: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "closed.blend"
    facts = answer("--hand", "demo", "--side", "L", "--object", "demo:ball", "--out", str(out))
    assert facts["schema_version"] == 1
    assert (facts["side"], facts["hand"], facts["movement"]) == ("L", "hand.L", "medium_diameter")
    assert [finger["name"] for finger in facts["fingers"]] == ["thumb", "index", "middle", "ring", "pinky"]
    assert sum(finger["touching"] for finger in facts["fingers"]) >= 3
    assert all(finger["bones"] and finger["gap_mm"] <= 0.2 for finger in facts["fingers"] if finger["touching"])
    assert 0.0 <= facts["deepest_mm"] <= 0.5
    assert set(facts["posture_deg"]["index.proximal.L"]) == {"flexion", "abduction", "twist"}
    assert facts["seconds"] > 0.0
    bpy.ops.wm.open_mainfile(filepath=str(out))
    np.testing.assert_allclose(bpy.data.objects["Ball"].matrix_world, facts["object"]["matrix_world"], atol=1e-6)
    from addon.services.poses import hands_of
    from addon.services.posture import model_of, read_posture

    armature = bpy.data.objects[facts["armature"]]
    hand = hands_of(armature)[0]
    shown = np.degrees(read_posture(armature, hand).angles)
    told = [list(facts["posture_deg"][name].values()) for name in model_of(armature, hand).names]
    np.testing.assert_allclose(shown, told, atol=1e-2)


@pytest.mark.long
def test_chosen_fingers_scale_place_and_obstacles(files: Path) -> None:
    facts = answer(
        *("--hand", "demo:six_finger", "--object", str(files / "mug.stl"), "--object-scale", "1.2"),
        *("--fingers", "index,middle", "--movement", "power_sphere", "--no-adapt", "--depth-mm", "0"),
        *("--obstacle", str(files / "mug.obj")),
    )
    assert [finger["name"] for finger in facts["fingers"] if finger["closed"]] == ["index", "middle"]
    assert facts["deepest_mm"] <= 0.2
    away = answer("--hand", "demo", "--object", "demo:mug", "--object-at", "5,0,0")
    assert not any(finger["touching"] for finger in away["fingers"])
    assert [row[3] for row in away["object"]["matrix_world"][:3]] == [5.0, 0.0, 0.0]


@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--hand", "no.blend", "--object", "demo:mug"), "no file no.blend"),
        (("--hand", "demo", "--object", "no.stl"), "no file no.stl"),
        (("--hand", "demo", "--object", "demo"), "demo:mug"),
        (("--hand", "demo", "--object", "demo:nothing"), "nothing"),
        (("--hand", "demo:nothing", "--object", "demo:mug"), "nothing"),
        (("--hand", "demo", "--object", "demo:mug", "--movement", "wave"), "wave"),
        (("--hand", "demo", "--object", "demo:mug", "--fingers", "toe"), "toe"),
        (("--hand", "demo", "--object", "demo:mug", "--fingers", "thumb,toe"), "no finger 'toe'"),
        (("--hand", "demo", "--object", "demo:mug", "--obstacle", FOLDER), "is a folder"),
        (("--hand", "demo", "--object", "demo:mug", "--armature", "Rig"), "Rig"),
        (("--hand", "demo", "--object", "demo:mug", "--depth-mm", "9"), "between 0 and 3"),
        (("--hand", "demo", "--object", "demo:mug", "--object-scale", "0"), "above 0"),
        (("--hand", "demo", "--object", "demo:mug", "--object-scale", "100"), "scale looks wrong"),
        (("--hand", "demo", "--object", "demo:mug", "--object-at", "1,2"), "three numbers"),
        (("--hand", "demo", "--object", "demo:mug", "--obstacle", "no.obj"), "no file no.obj"),
        (("--hand", "demo", "--object", "demo:mug", "--out", "x.fbx"), "end in .blend"),
    ],
)
def test_bad_input_is_one_sentence(arguments: tuple[str, ...], words: str) -> None:
    done = run_prehend("close", *arguments)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert words in done.stderr
