# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`bench export`: files for every program and format, read by tools that are not Blender."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from launcher.errors import SetupError
from launcher.output import quiet

from .export_gltf import read_places, validate
from .peers import Peer, ask
from .report import Column, Report

HELP = "exported files read by ufbx, the Khronos glTF validator and usd-core: bones, frames and places"

UFBX = Peer("ufbx", "export_ufbx.py", ("ufbx==0.0.5", "numpy<3"))
USD = Peer("usd-core", "export_usd.py", ("usd-core>=24.11", "numpy<3"))
COLUMNS = (
    Column("name", "file"),
    Column("tool", "tool"),
    Column("bones", "bones", "d"),
    Column("frames", "frames", "d"),
    Column("errors", "errors", "d"),
    Column("heads_mm", "bones off mm", ".5f"),
    Column("prop_mm", "prop off mm", ".5f"),
    Column("good", "good"),
)
CLOSE_MM = 0.1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is exported."""
    parser.add_argument("--frames", type=int, default=48, help="length of the animation (default: 48)")
    parser.add_argument("--only", metavar="WORD", help="only files with this word in their name")


def run(options: argparse.Namespace) -> Report:
    """Export one animated hand and mug in every way and have every file read."""
    from addon.presets.engines import ENGINES
    from addon.rig.export_writers import missing_writer

    if options.frames < 2:
        raise SetupError("--frames must be at least 2.")
    report = Report("export", f"Exported animation of {options.frames} frames, read without Blender", COLUMNS)
    with quiet():
        armature, prop = make_scene(options.frames)
        wanted = record(armature, prop, options.frames)
    with tempfile.TemporaryDirectory() as folder:
        for preset in ENGINES:
            for ending, form in (("fbx", "fbx"), ("glb", "gltf"), ("usdc", "usd")):
                path = Path(folder) / f"{preset}.{ending}"
                if options.only and options.only not in path.name:
                    continue
                reason = missing_writer(form)
                if reason is not None:
                    report.rows.append({"name": path.name, "note": reason})
                    continue
                print(f"{path.name} ...", flush=True)
                with quiet():
                    export(armature, prop, path, preset)
                report.rows += judge(path, wanted)
    judged = [row for row in report.rows if "good" in row]
    good = sum(row["good"] == "yes" for row in judged)
    report.notes.append(
        f"{good} of {len(judged)} readings have the same bones and frames, no error, and every bone and the prop "
        f"within {CLOSE_MM} mm of what Blender shows at every frame."
    )
    return report


def make_scene(frames: int) -> tuple[Any, Any]:
    """A demo hand that comes, closes and lifts, and a mug that goes with it from the middle on; keyed by hand."""
    import bpy

    from addon.services.demo import HandSpec, Placement, add_demo_hand, add_demo_prop
    from addon.services.poses import apply_pose, hands_of, key_hands

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    context = bpy.context  # noqa: TID251 (a script has no other way to the scene)
    placement = Placement(context.scene.collection, context.view_layer)
    armature = bpy.data.objects[add_demo_hand(placement, HandSpec()).armature]
    prop = bpy.data.objects[add_demo_prop(placement, "mug")]
    prop.scale = (0.8, 0.8, 0.8)
    context.scene.frame_start, context.scene.frame_end = 1, frames
    hands = hands_of(armature)
    for frame, pose, place, height in (
        (1, "flat", (0.1, -0.3, 0.1), 0.0),
        (frames // 2, "grip", (0.0, 0.0, 0.05), 0.0),
        (frames, "fist", (0.05, 0.1, 0.35), 0.3),
    ):
        armature.location, armature.rotation_euler = place, (0.4 * height, 2.0 * height, 3.0 * place[1])
        _key_place(armature, frame)
        apply_pose(armature, hands, pose, view_layer=context.view_layer)
        key_hands(armature, hands, frame)
        prop.location, prop.rotation_euler = (0.02, -0.09, 0.02 + height), (height, 0.0, 2.0 * height)
        _key_place(prop, frame)
    return armature, prop


def _key_place(obj: Any, frame: int) -> None:
    for name in ("location", "rotation_euler"):
        obj.keyframe_insert(name, frame=frame)


def record(armature: Any, prop: Any, frames: int) -> dict[str, Any]:
    """Where bones and prop are in Blender at every frame."""
    import bpy
    import numpy as np

    scene = bpy.context.scene  # noqa: TID251 (a script has no other way to the scene)
    places: dict[str, list[Any]] = {}
    for frame in range(1, frames + 1):
        scene.frame_set(frame)
        for bone in armature.pose.bones:
            if bone.bone.use_deform:
                places.setdefault(bone.name, []).append(np.array(armature.matrix_world @ bone.head))
        places.setdefault(prop.name, []).append(np.array(prop.matrix_world.translation))
    fps = scene.render.fps / scene.render.fps_base
    return {
        "places": {name: np.array(each) for name, each in places.items()},
        "prop": prop.name,
        "frames": frames,
        "times": [frame / fps for frame in range(1, frames + 1)],
    }


def export(armature: Any, prop: Any, path: Path, preset: str) -> None:
    """Write one file."""
    import bpy

    from addon.services.export import ExportRequest, export_grasp

    context = bpy.context  # noqa: TID251 (a script has no other way to the scene)
    export_grasp(context, armature, [prop], ExportRequest(path, preset=preset))


def judge(path: Path, wanted: dict[str, Any]) -> list[dict[str, Any]]:
    """Rows of all that read this kind of file."""
    readers = {
        ".fbx": (("ufbx", _by_ufbx),),
        ".glb": (("gltf-validator", _by_validator), ("buffers", _by_buffers)),
        ".usdc": (("usd-core", _by_usd),),
    }
    rows = []
    for tool, read in readers[path.suffix]:
        row: dict[str, Any] = {"name": path.name, "tool": tool}
        try:
            row |= read(path, wanted)
        except SetupError as error:
            row["note"] = str(error)
        else:
            off = max(row.get("heads_mm") or 0.0, row.get("prop_mm") or 0.0)
            same = (
                row.get("bones", _bones(wanted)) == _bones(wanted)
                and row.get("frames", wanted["frames"]) == wanted["frames"]
            )
            row["good"] = "yes" if same and off <= CLOSE_MM and not row.get("errors") else "no"
        rows.append(row)
    return rows


def _bones(wanted: dict[str, Any]) -> int:
    return len(wanted["places"]) - 1


def _by_ufbx(path: Path, wanted: dict[str, Any]) -> dict[str, Any]:
    answer = ask(UFBX, {"path": str(path)})
    take = answer["takes"][0]
    return _figures(answer["bones"], take["times"], take["places"], wanted) | {"errors": len(answer["takes"]) - 1}


def _by_buffers(path: Path, wanted: dict[str, Any]) -> dict[str, Any]:
    answer = read_places(path)
    take = answer["takes"][0]
    return _figures(answer["bones"], take["times"], take["places"], wanted)


def _by_validator(path: Path, wanted: dict[str, Any]) -> dict[str, Any]:
    report = validate(path)
    found = report["issues"]
    messages = sorted({each["code"] for each in found["messages"] if each["severity"] <= 1})
    return {
        "errors": found["numErrors"],
        "note": f"{found['numWarnings']} warnings{': ' if messages else ''}{', '.join(messages)}",
    }


def _by_usd(path: Path, wanted: dict[str, Any]) -> dict[str, Any]:
    answer = ask(USD, {"path": str(path)})
    named = {_plain(name): name for name in wanted["places"]}
    places = {named.get(name, name): each for name, each in answer["places"].items()}
    times = [frame / answer["fps"] for frame in answer["frames"]]
    figures = _figures(answer["bones"], times, places, wanted)
    return figures | {"note": f"{answer['up']} up, {answer['unit_m']:g} m, {answer['keyed']} keyed"}


def _plain(name: str) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in name)


def _figures(bones: list[str], times: list[float], places: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """How many bones and frames, and how far off; frames at other times than Blender's do not count."""
    import numpy as np

    right = len(times) == wanted["frames"] and np.allclose(times, wanted["times"], atol=1e-5)
    result: dict[str, Any] = {"bones": len(bones), "frames": len(times) if right else 0}
    if not right or set(wanted["places"]) - set(places):
        return result | {"errors": 1}
    off = {name: 1e3 * float(np.abs(np.array(places[name]) - each).max()) for name, each in wanted["places"].items()}
    result["prop_mm"] = off.pop(wanted["prop"])
    result["heads_mm"] = max(off.values())
    return result
