# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exported files read back: bones, skin and prop where they were at every frame, and the open file as it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from addon.presets.engines import ENGINES
from addon.rig.export_writers import Take
from addon.services.export import ExportRequest, export_grasp
from tests.blender.export_scenes import LAST, add_demo, add_strays, shown, state
from tests.blender.model_rigs import add_hand, placed

# Some builds of Blender, such as Debian's, come without USD.
HAS_USD = "usd_export" in dir(bpy.ops.wm)
ENDINGS = ("fbx", "glb", *(("usdc",) if HAS_USD else ()))
TENTH_OF_MM = 1e-4
FRAMES = list(range(1, LAST + 1))


def plain(name: str) -> str:
    """A name as USD has it."""
    return name.replace(".", "_").replace(" ", "_")


def read_back(path: Path) -> tuple[Any, dict[str, Any], int]:
    """The armature of a file, its meshes by plain name, and by how much frames are shifted."""
    bpy.ops.wm.read_homefile(use_empty=True)
    if path.suffix == ".fbx":
        bpy.ops.import_scene.fbx(filepath=str(path))
    elif path.suffix == ".usdc":
        bpy.ops.wm.usd_import(filepath=str(path))
    else:
        bpy.ops.import_scene.gltf(filepath=str(path), bone_heuristic="BLENDER")
    armatures = [obj for obj in bpy.data.objects if obj.type == "ARMATURE"]
    assert len(armatures) == 1
    # The glTF importer adds a ball as the shape of bones.
    meshes = {plain(obj.name): obj for obj in bpy.data.objects if obj.type == "MESH" and obj.name != "Icosphere"}
    return armatures[0], meshes, 1 if path.suffix == ".fbx" else 0


def nearest(points: np.ndarray, others: np.ndarray) -> float:
    """How far the farthest of some points is from the nearest of others: files may split and reorder vertices."""
    return max(float(np.linalg.norm(others - point, axis=1).min()) for point in points)


# glTF has one set of axes and one unit: two presets tell whether bones or the object carry the armature's way.
CASES = [
    *((preset, "fbx") for preset in sorted(ENGINES)),
    *((preset, "glb") for preset in ("blender", "godot")),
    *((preset, "usdc") for preset in ("blender", "unity", "unreal") if HAS_USD),
]


@pytest.mark.parametrize(("preset", "ending"), CASES)
def test_everything_is_where_it_was_at_every_frame(tmp_path: Path, preset: str, ending: str) -> None:
    armature, mug = add_demo()
    skin = next(obj for obj in bpy.data.objects if obj.parent == armature)
    add_strays()
    names = {plain(skin.name), plain(mug.name)}
    wanted = shown(armature, [], FRAMES)
    meshes = {plain(obj.name): [whole(obj, frame) for frame in (1, LAST)] for obj in (skin, mug)}
    path = tmp_path / f"hand.{ending}"
    report = export_grasp(bpy.context, armature, [mug], ExportRequest(path, preset=preset, deform_only=False))
    assert report.paths == (path,)
    assert (report.bones, report.objects) == (25, (armature.name, skin.name, mug.name))
    again, found, shift = read_back(path)
    assert set(found) == names
    heads = {plain(name): places for name, places in shown(again, [], [frame + shift for frame in FRAMES]).items()}
    assert set(heads) == {plain(name) for name in wanted}
    for name, places in wanted.items():
        assert np.abs(heads[plain(name)] - places).max() < TENTH_OF_MM, name
    for name, (first, last) in meshes.items():
        for frame, points in ((1, first), (LAST, last)):
            assert nearest(points[::61], whole(found[name], frame + shift)) < TENTH_OF_MM, name


def whole(obj: Any, frame: int) -> np.ndarray:
    bpy.context.scene.frame_set(frame)
    depsgraph = bpy.context.evaluated_depsgraph_get()
    evaluated = obj.evaluated_get(depsgraph)
    mesh = evaluated.to_mesh()
    local = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", local)
    matrix = np.array(evaluated.matrix_world)
    evaluated.to_mesh_clear()
    return local.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]


@pytest.mark.parametrize("ending", ENDINGS)
def test_takes_are_animations_of_hand_and_prop_together(tmp_path: Path, ending: str) -> None:
    armature, mug = add_demo()
    wanted = shown(armature, [mug], FRAMES)
    takes = (Take("reach", 1, 5), Take("lift", 6, LAST), Take("all of it", 3, LAST))
    report = export_grasp(bpy.context, armature, [mug], ExportRequest(tmp_path / f"hand.{ending}", takes=takes))
    assert report.takes == takes
    if ending == "usdc":
        assert [path.name for path in report.paths] == ["hand_reach.usdc", "hand_lift.usdc", "hand_all_of_it.usdc"]
    for number, take in enumerate(takes):
        again, found, shift = read_back(report.paths[number if ending == "usdc" else 0])
        if ending == "usdc":
            start = take.start
        else:
            play(take.name, again, found["Mug"], ending)
            start = shift
        frames = list(range(start, start + take.end - take.start + 1))
        got = {plain(name): places for name, places in shown(again, [found["Mug"]], frames).items()}
        for name in ("index.proximal.R", "hand.R", "mesh Mug"):
            places = wanted[name][take.start - 1 : take.end]
            if name == "mesh Mug" and ending == "glb":
                places = places.mean(axis=1)
                assert np.abs(got[plain(name)].mean(axis=1) - places).max() < 5e-3
                continue
            assert np.abs(got[plain(name)] - places).max() < TENTH_OF_MM, (take.name, name)


def play(take: str, armature: Any, mug: Any, ending: str) -> None:
    """Have imported objects play one of the takes that came with them."""
    for obj in (armature, mug):
        data = obj.animation_data_create()
        if ending == "fbx":
            action = bpy.data.actions[f"{obj.name}|{take}"]
        else:
            tracks = [track for track in data.nla_tracks if track.name.startswith(take)]
            action = tracks[0].strips[0].action
            slot = getattr(tracks[0].strips[0], "action_slot", None)
        for track in list(data.nla_tracks):
            data.nla_tracks.remove(track)
        data.action = action
        if hasattr(data, "action_slot"):
            data.action_slot = slot if ending == "glb" else action.slots[0]


def test_the_open_file_stays_as_it_is(tmp_path: Path) -> None:
    armature, mug = add_demo()
    add_strays()
    bpy.data.scenes.new("Another")  # where a window would go that was left without its scene
    mug.hide_set(True)
    bpy.context.scene.frame_set(4)
    armature.pose.bones["index.proximal.R"].rotation_quaternion = (0.9, 0.1, 0.2, 0.3)  # posed, not keyed
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="POSE")
    bpy.context.view_layer.update()
    before = state()
    for ending in ENDINGS:
        export_grasp(bpy.context, armature, [mug], ExportRequest(tmp_path / f"hand.{ending}", preset="unreal"))
        assert state() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(f"hand.{ending}" for ending in ENDINGS)


@pytest.mark.parametrize("ending", ENDINGS)
def test_colours_that_nodes_compute_become_plain_ones(tmp_path: Path, ending: str) -> None:
    armature, mug = add_demo()
    skin = next(obj for obj in bpy.data.objects if obj.parent == armature)
    wanted = {plain(each.name): colour(each) for obj in (skin, mug) for each in obj.data.materials}
    assert any(socket_of(each).is_linked for each in skin.data.materials)
    before = state()
    export_grasp(bpy.context, armature, [mug], ExportRequest(tmp_path / f"hand.{ending}"))
    assert state() == before
    _, found, _ = read_back(tmp_path / f"hand.{ending}")
    got = {plain(each.name): colour(each) for obj in found.values() for each in obj.data.materials}
    assert set(got) == set(wanted)
    for name, value in wanted.items():
        assert np.abs(np.array(got[name]) - value).max() < 2e-3, name


def socket_of(material: Any) -> Any:
    return next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED").inputs["Base Color"]


def colour(material: Any) -> tuple[float, ...]:
    return tuple(socket_of(material).default_value[:3])


def test_names_that_others_have_are_lent_and_given_back(tmp_path: Path) -> None:
    armature, mug = add_demo()
    other = bpy.data.objects.new("Armature", None)
    bpy.context.scene.collection.objects.link(other)
    bpy.data.actions.new("Grasp").use_fake_user = True
    bpy.data.scenes.new("Grasp")
    before = state()
    export_grasp(bpy.context, armature, [mug], ExportRequest(tmp_path / "hand.fbx", preset="unreal"))
    assert state() == before
    assert other.name == "Armature"
    again, found, _ = read_back(tmp_path / "hand.fbx")
    assert (again.name, set(found)) == ("Armature", {"Human_Hand_R_Skin", "Mug"})
    assert "Armature|Grasp" in bpy.data.actions


@pytest.mark.parametrize(
    ("scale", "mirror", "unit"), [(0.01, False, 1.0), (100.0, False, 0.01), (1.0, True, 1.0), (2.0, False, 1.0)]
)
@pytest.mark.parametrize("preset", ["unity", "blender"])
def test_scaled_mirrored_and_moving_armatures_in_any_unit(
    tmp_path: Path, scale: float, mirror: bool, unit: float, preset: str
) -> None:
    matrix = placed(scale, mirror)
    armature, _ = add_hand(matrix=matrix)
    scene = bpy.context.scene
    scene.unit_settings.system, scene.unit_settings.scale_length = "METRIC", unit
    scene.render.fps = 30
    scene.frame_start, scene.frame_end = 3, 6
    for frame, turn in ((3, 0.0), (6, 0.9)):
        armature.location = np.array(matrix.translation) * (1.0 + turn)
        armature.keyframe_insert("location", frame=frame)
        for bone in armature.pose.bones:
            bone.rotation_mode = "XYZ"
            bone.rotation_euler = (turn, 0.2 * turn, 0.0)
            bone.keyframe_insert("rotation_euler", frame=frame)
    wanted = shown(armature, [], [3, 4, 5, 6])
    export_grasp(bpy.context, armature, [], ExportRequest(tmp_path / "hand.fbx", preset=preset, deform_only=False))
    again, _, shift = read_back(tmp_path / "hand.fbx")
    assert bpy.context.scene.unit_settings.scale_length == 1.0
    found = shown(again, [], [frame + shift for frame in (3, 4, 5, 6)])
    size = unit * max(float(np.abs(places).max()) for places in wanted.values())
    for name, places in wanted.items():
        assert np.abs(found[name] - unit * places).max() < 2e-6 * max(size, 1.0), name
