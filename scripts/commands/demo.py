# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`demo`: a hand beside a mug takes on a few poses, as keyframes, in four files."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from launcher.environments import CHECKOUT
from launcher.output import check_folder, quiet, staged

HELP = "pose the demo hand beside a mug and write a .blend, an .fbx, a .png and a .json"

POSES = ("relaxed", "spread", "fist", "point", "pinch", "grip")
FRAMES_PER_POSE = 20
MUG_BESIDE = (-0.105, -0.055)
"""Where the mug stands, seen from the wrist, in [m]: its handle towards the palm, clear of every pose."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the files go and how good the picture is."""
    parser.add_argument(
        "--out", type=Path, default=CHECKOUT / "out" / "demo", help="folder to write (default: out/demo)"
    )
    parser.add_argument("--samples", type=int, default=24, help="quality of the picture (default: 24)")
    parser.add_argument("--width", type=int, default=800, help="width of the picture in pixels (default: 800)")


def check(options: argparse.Namespace) -> None:
    """See that the folder can be written."""
    check_folder(options.out)


def run(options: argparse.Namespace) -> None:
    """Build, pose, key, save, export and render; the files appear together at the end."""
    started = time.monotonic()
    with staged(options.out) as stage:
        facts = _make(stage, options)
    print(f"\n{'file':<12} {'kB':>8}  in {options.out}")
    for path in sorted(options.out.glob("demo.*")):
        print(f"{path.name:<12} {path.stat().st_size / 1024:>8.0f}")
    print(f"\n{'hand':<12} {facts['hand']['bones']} bones, {facts['hand']['triangles']} triangles")
    print(f"{'poses':<12} " + ", ".join(f"{each['pose']} (frame {each['frame']})" for each in facts["poses"]))
    print(f"{'time':<12} {time.monotonic() - started:.1f} s in Blender {facts['versions']['blender']}")


def _make(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    import bpy

    from addon.services.demo import HandSpec, Placement, add_demo_hand, add_demo_prop
    from addon.services.export import export_fbx
    from addon.services.picture import View, add_studio, render_picture
    from addon.services.poses import apply_pose, hands_of, key_hands

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    context = bpy.context  # noqa: TID251 (a script has no other way to the scene)
    scene, view_layer = context.scene, context.view_layer
    with _step("Building the hand and the mug"):
        hand = add_demo_hand(Placement(scene.collection, view_layer), HandSpec())
        # Both stand on the same ground: the hand's is where its forearm ends.
        floor = min(vertex.co.z for vertex in bpy.data.objects[hand.mesh].data.vertices)
        mug = add_demo_prop(Placement(scene.collection, view_layer, (*MUG_BESIDE, floor)), "mug")
    armature, skin, prop = (bpy.data.objects[name] for name in (hand.armature, hand.mesh, mug))
    maps = hands_of(armature)
    poses: list[dict[str, Any]] = []
    with _step(f"Posing and keying {len(POSES)} poses"):
        for number, name in enumerate(POSES):
            frame = 1 + number * FRAMES_PER_POSE
            scene.frame_set(frame)
            report = apply_pose(armature, maps, name, view_layer=view_layer)
            keyed = key_hands(armature, maps, frame)
            poses.append({"pose": name, "frame": frame, "keyed_bones": keyed, "locked": list(report.locked)})
        scene.frame_start, scene.frame_end = 1, poses[-1]["frame"]
    with _step("Setting up the studio"):
        scene.frame_set(poses[-1]["frame"])
        depsgraph = context.evaluated_depsgraph_get()
        add_studio(scene, depsgraph, [skin, prop], View(), size=(options.width, options.width * 3 // 4))
    with _step("Writing demo.fbx"), quiet():
        export_fbx(context, folder / "demo.fbx", [armature, skin, prop])
    with _step("Rendering demo.png"), quiet():
        render_picture(scene, folder / "demo.png", samples=options.samples)
    with _step("Writing demo.blend"), quiet():
        scene.render.filepath = "//"
        bpy.ops.wm.save_as_mainfile(filepath=str(folder / "demo.blend"), compress=True)
    facts = {
        "schema_version": 1,
        "versions": {"blender": bpy.app.version_string, "python": sys.version.split()[0]},
        "hand": {
            "armature": hand.armature,
            "mesh": hand.mesh,
            "side": hand.side,
            "bones": len(armature.data.bones),
            "triangles": sum(len(face.vertices) - 2 for face in skin.data.polygons),
        },
        "object": {"name": mug, "location_m": prop.location.to_tuple(6)},
        "poses": poses,
        "frames": {"start": scene.frame_start, "end": scene.frame_end, "per_second": scene.render.fps},
    }
    (folder / "demo.json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    return facts


@contextlib.contextmanager
def _step(title: str) -> Iterator[None]:
    """Say what is being done and how long it took."""
    started = time.monotonic()
    print(f"{title} ...", end=" ", flush=True)
    yield
    print(f"{time.monotonic() - started:.1f} s", flush=True)
