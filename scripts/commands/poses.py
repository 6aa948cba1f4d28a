# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`poses`: hand poses for crowds and data sets, from the library or by chance, as JSON and .blend files."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from launcher.errors import SetupError
from launcher.output import add_overwrite, check_folder, check_new, quiet, staged

HELP = "write natural hand poses by chance, or those of the library, for any hand"
MOST = 100_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which hand, which poses, where to."""
    parser.add_argument(
        "--hand", default="demo", metavar="FILE", help=".blend, .fbx, .glb, .gltf or .vrm; demo or demo:VARIANT"
    )
    parser.add_argument("--armature", metavar="NAME", help="armature of the hand, if the file holds several")
    parser.add_argument("--side", choices=("L", "R"), help="which hand (default: the right one where there are both)")
    parser.add_argument("--random", type=int, default=0, metavar="N", help="so many poses by chance")
    parser.add_argument(
        "--poses", nargs="*", default=[], metavar="KEY", help="poses of the library by key; all for all"
    )
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same poses (default: 0)")
    parser.add_argument("--amount", type=float, default=1.0, help="how different poses by chance are (default: 1)")
    parser.add_argument("--blend", action="store_true", help="also save a .blend with one pose a frame")
    parser.add_argument("--out", type=Path, required=True, help="folder to write")
    add_overwrite(parser)


def check(options: argparse.Namespace) -> None:
    """See that there is something to do and that it can be written."""
    if options.hand.partition(":")[0] != "demo" and not Path(options.hand).is_file():
        raise SetupError(f"there is no file {options.hand}: check the path.")
    if not 0 <= options.random <= MOST:
        raise SetupError(f"--random must be 0 to {MOST}.")
    if options.seed < 0 or not 0.0 <= options.amount <= 3.0:
        raise SetupError("--seed must not be negative, --amount 0 to 3.")
    if not options.random and not options.poses:
        raise SetupError("give --random N or --poses KEY ...")
    check_folder(options.out)
    names = ("poses.json", *(("poses.blend",) if options.blend else ()))
    check_new((options.out / name for name in names), overwrite=options.overwrite)


def run(options: argparse.Namespace) -> None:
    """Pose, read back and write; the files appear together at the end."""
    with staged(options.out, overwrite=options.overwrite) as stage, quiet():
        facts = make_poses(stage, options)
    print(f"{len(facts['poses'])} poses of {facts['hand']['bone']} in {options.out / 'poses.json'}")
    for note in facts["notes"]:
        print(f"note: {note}")
    if options.blend:
        print(f"one a frame in {options.out / 'poses.blend'}")


def make_poses(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Write the poses into a folder and give what is in their file."""
    import bpy
    import numpy as np

    from addon.hands.forward import forward
    from addon.hands.poses import pose_angles
    from addon.presets.poses import Pose, load_poses
    from addon.services.pose_library import load_library
    from addon.services.poses import key_hands, random_angles
    from addon.services.posture import apply_posture, model_of
    from commands.subjects import load_hand, ready_hand

    armature, hand = load_hand(options)
    notes = ready_hand(options, armature)
    model = model_of(armature, hand)
    keys = list(load_poses()) if options.poses == ["all"] else list(options.poses)
    library = load_library(Path("no folder of one's own"))
    wanted = [(key, None, pose_angles(model, Pose("", "", library.find(key).pose.fingers(hand.side)))) for key in keys]
    wanted += [
        ("", seed, random_angles(model, seed=seed, side=hand.side, amount=options.amount))
        for seed in range(options.seed, options.seed + options.random)
    ]
    poses = []
    for frame, (key, seed, angles) in enumerate(wanted, start=1):
        tips = forward(model, angles).tips
        poses.append(
            {
                **({"pose": key} if key else {"seed": seed}),
                "frame": frame,
                "posture_deg": {
                    bone: dict(zip(("flexion", "abduction", "twist"), row, strict=True))
                    for bone, row in zip(model.names, (np.degrees(angles).round(4) + 0.0).tolist(), strict=True)
                },
                "tips_mm": dict(zip(model.fingers, (1e3 * tips).round(3).tolist(), strict=True)),
            }
        )
        if options.blend:
            context = bpy.context  # noqa: TID251 (a script has no other way to the scene)
            context.scene.frame_set(frame)
            apply_posture(armature, hand, angles, view_layer=context.view_layer)
            key_hands(armature, [hand], frame)
    facts = {
        "schema_version": 1,
        "versions": {"blender": bpy.app.version_string, "python": sys.version.split()[0]},
        "hand": {"file": options.hand, "armature": armature.name, "bone": hand.wrist, "side": hand.side},
        "seed": options.seed,
        "amount": options.amount,
        "notes": notes,
        "units": {"posture_deg": "degrees, 0 is a straight finger", "tips_mm": "millimetres in the hand's frame"},
        "poses": poses,
    }
    if options.blend:
        scene = bpy.context.scene  # noqa: TID251 (a script has no other way to the scene)
        scene.frame_start, scene.frame_end = 1, max(len(wanted), 1)
        scene.frame_set(1)
        bpy.ops.wm.save_as_mainfile(filepath=str(folder / "poses.blend"), compress=True)
    (folder / "poses.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    return facts
