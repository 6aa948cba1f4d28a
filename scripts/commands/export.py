# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`export`: a hand, what it holds and their animation for a game engine or another program."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from launcher.errors import SetupError
from launcher.output import add_overwrite, check_new, quiet

HELP = "write the armature, skin, prop and animation of a .blend as .fbx, .glb, .gltf or .usdc"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is exported, for whom and where to."""
    parser.add_argument("file", type=Path, metavar="FILE.blend", help="file with the animated hand")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help=".fbx, .glb, .gltf, .usdc, .usda or .usd"
    )
    parser.add_argument(
        "--preset",
        choices=("unity", "unreal", "godot", "blender"),
        default="unity",
        help="axes, units and skeleton that suit (default: unity)",
    )
    parser.add_argument("--armature", metavar="NAME", help="armature, if the file holds several")
    parser.add_argument(
        "--prop",
        action="append",
        metavar="NAME",
        help="object that goes with it, may be given again (default: those that its grasps take)",
    )
    parser.add_argument("--range", metavar="A:B", help="frames (default: the scene's)")
    parser.add_argument(
        "--takes",
        nargs="+",
        metavar="TAKE",
        help="grasps for one per animated grasp, or takes as NAME=A:B (default: one of all frames)",
    )
    parser.add_argument("--all-bones", action="store_true", help="control bones too, not only those that deform")
    parser.add_argument("--hidden", action="store_true", help="skins that are hidden too")
    add_overwrite(parser, "a file")
    parser.add_argument("--json", action="store_true", help="print the facts as JSON")


def check(options: argparse.Namespace) -> None:
    """See what can be seen before Blender is fetched and started."""
    if not options.file.is_file():
        raise SetupError(f"there is no file {options.file}: check the path.")
    if options.file.suffix.lower() != ".blend":
        raise SetupError(f"{options.file.name} is no .blend file: open it in Blender and save it as one.")
    if options.range and options.takes:
        raise SetupError("give either --range or --takes: takes have frames of their own.")
    check_new([options.out], overwrite=options.overwrite)


def run(options: argparse.Namespace) -> None:
    """Open, write and tell."""
    import bpy

    from addon.services.export import ExportRequest, export_grasp
    from addon.services.export_subjects import props_of
    from addon.services.export_takes import GRASPS, grasp_takes, parse_range, parse_take, whole_timeline
    from addon.services.files import open_character

    with quiet():
        open_character(options.file)
        context = bpy.context  # noqa: TID251 (a script has no other way to the scene)
        scene = context.scene
        armature = _armature(options)
        props = _props(options) if options.prop else props_of(armature, list(scene.objects))
        if options.takes == [GRASPS]:
            takes = grasp_takes(scene, armature)
        elif options.takes:
            takes = [parse_take(each) for each in options.takes]
        else:
            takes = [whole_timeline(scene, parse_range(options.range) if options.range else None)]
        request = ExportRequest(
            options.out,
            preset=options.preset,
            takes=tuple(takes),
            deform_only=not options.all_bones,
            hidden=options.hidden,
            overwrite=options.overwrite,
        )
        report = export_grasp(context, armature, props, request)
    if not options.json:
        print(report.sentence())
        return
    facts: dict[str, Any] = {
        "schema_version": 1,
        "files": [str(path) for path in report.paths],
        "preset": options.preset,
        "objects": list(report.objects),
        "bones": report.bones,
        "takes": [{"name": take.name, "start": take.start, "end": take.end} for take in report.takes],
        "left_out": list(report.left_out),
    }
    print(json.dumps(facts, indent=2))


def _armature(options: argparse.Namespace) -> Any:
    """The asked-for armature, else the only one, else the only one with a hand."""
    import bpy

    from addon.core.errors import PrehendError
    from addon.services.poses import hands_of

    rigs = sorted((each for each in bpy.data.objects if each.type == "ARMATURE"), key=lambda each: each.name)
    names = ", ".join(rig.name for rig in rigs)
    if options.armature is not None:
        rigs = [each for each in rigs if each.name == options.armature]
        if not rigs:
            raise SetupError(f"{options.file.name} holds no armature '{options.armature}', but {names or 'none'}.")
    if not rigs:
        raise SetupError(f"{options.file.name} holds no armature: give a file with a rigged hand.")
    if len(rigs) == 1:
        return rigs[0]
    found = []
    for rig in rigs:
        try:
            found += [rig] if hands_of(rig) else []
        except PrehendError:
            continue
    if len(found) != 1:
        raise SetupError(f"{options.file.name} holds several armatures ({names}): choose one with --armature.")
    return found[0]


def _props(options: argparse.Namespace) -> list[Any]:
    import bpy

    for name in options.prop:
        if name not in bpy.data.objects:
            raise SetupError(f"{options.file.name} holds no object '{name}': check --prop.")
    return [bpy.data.objects[name] for name in options.prop]
