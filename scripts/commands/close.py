# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`close`: a hand's fingers on an object, and what touches."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from launcher.errors import SetupError
from launcher.output import check_folder, quiet

HELP = "close the fingers of a hand on an object and tell what touches"
_DEMO = "demo"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What closes on what, how, and where the result goes."""
    parser.add_argument(
        "--hand", required=True, metavar="FILE", help=".blend, .fbx, .glb, .gltf or .vrm; demo or demo:VARIANT"
    )
    parser.add_argument(
        "--object",
        required=True,
        metavar="FILE",
        help=".blend, .obj, .stl, .ply, .glb, .gltf, .fbx or .usd*; demo:PROP for a demo prop",
    )
    parser.add_argument("--armature", metavar="NAME", help="armature of the hand, if the file holds several")
    parser.add_argument("--side", choices=("L", "R"), help="which hand (default: the right one where there are both)")
    parser.add_argument("--movement", default="medium_diameter", help="how it closes (default: medium_diameter)")
    parser.add_argument("--fingers", type=_names, metavar="A,B", help="fingers that close (default: the movement's)")
    parser.add_argument(
        "--depth-mm", type=float, default=0.3, metavar="D", help="how far skin gives, 0 to 3 (default: 0.3)"
    )
    parser.add_argument("--no-adapt", action="store_true", help="close every finger in the movement's own way")
    parser.add_argument(
        "--obstacle", action="append", type=Path, default=[], metavar="FILE", help="keep clear of it; may be repeated"
    )
    parser.add_argument("--object-scale", type=float, default=1.0, metavar="K", help="size of the object (default: 1)")
    parser.add_argument(
        "--object-at", type=_place, metavar="X,Y,Z", help="where its origin is in metres (default: before the palm)"
    )
    parser.add_argument("--out", type=Path, metavar="FILE.blend", help="save the closed hand and the object")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")


def check(options: argparse.Namespace) -> None:
    """See that files are there and numbers make sense, before Blender is fetched and started."""
    given = [Path(options.hand)] if options.hand.partition(":")[0] != _DEMO else []
    if options.object == _DEMO:
        raise SetupError("--object demo: needs a prop, such as demo:mug.")
    if not options.object.startswith(f"{_DEMO}:"):
        given.append(Path(options.object))
    for path in (*given, *options.obstacle):
        if not path.is_file():
            raise SetupError(f"there is no file {path}: check the path.")
    if not 0.0 <= options.depth_mm <= 3.0:
        raise SetupError("--depth-mm must be between 0 and 3.")
    if not 0.0 < options.object_scale < float("inf"):
        raise SetupError("--object-scale must be above 0.")
    if options.out is not None:
        if options.out.suffix.lower() != ".blend":
            raise SetupError(f"--out {options.out.name} must end in .blend.")
        check_folder(options.out.absolute().parent)


def run(options: argparse.Namespace) -> None:
    """Close, print, and save if asked to."""
    with quiet():
        facts = _close(options)
    if options.json:
        print(json.dumps(facts, indent=2))
    else:
        _print_table(facts)


def _names(text: str) -> frozenset[str]:
    return frozenset(each.strip() for each in text.split(",") if each.strip())


def _place(text: str) -> tuple[float, ...]:
    numbers = tuple(float(each) for each in text.split(","))
    if len(numbers) != 3 or not all(abs(number) < 1e6 for number in numbers):
        raise argparse.ArgumentTypeError(f"'{text}' is not three numbers X,Y,Z")
    return numbers


def _close(options: argparse.Namespace) -> dict[str, Any]:
    import bpy

    from addon.services.closing import CloseRequest, close_fingers
    from addon.services.facing import face_palm
    from addon.services.files import add_prop

    armature, hand = _hand(options)
    context = bpy.context  # noqa: TID251 (a script has no other way to the scene)
    scene, view_layer = context.scene, context.view_layer
    prop = _prop(options, scene, view_layer)
    obstacles = [add_prop(path, scene) for path in options.obstacle]
    view_layer.update()
    request = CloseRequest(
        movement=options.movement,
        fingers=options.fingers,
        depth=1e-3 * options.depth_mm,
        adapt=not options.no_adapt,
    )
    if options.object_at is None:
        face_palm(armature, hand, prop, request, view_layer=view_layer)
    started = time.perf_counter()
    report = close_fingers(armature, hand, prop, request, view_layer=view_layer, obstacles=obstacles)
    seconds = time.perf_counter() - started
    facts = _facts(armature, hand, prop, report, seconds)
    if options.out is not None:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        bpy.ops.wm.save_as_mainfile(filepath=str(options.out.absolute()), compress=True, copy=True)
        facts["out"] = str(options.out)
    return facts


def _hand(options: argparse.Namespace) -> tuple[Any, Any]:
    """The armature and which of its bones are the hand."""
    import bpy

    from addon.core.errors import PrehendError
    from addon.services.demo import HandSpec, Placement, add_demo_hand
    from addon.services.files import open_character
    from addon.services.poses import BOTH, hands_of

    kind, _, variant = options.hand.partition(":")
    if kind == _DEMO:
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        context = bpy.context  # noqa: TID251 (a script has no other way to the scene)
        spec = HandSpec(variant=variant or "human", side=options.side or "R")
        add_demo_hand(Placement(context.scene.collection, context.view_layer), spec)
    else:
        open_character(Path(options.hand))
    rigs = sorted((each for each in bpy.data.objects if each.type == "ARMATURE"), key=lambda each: each.name)
    if options.armature is not None:
        rigs = [each for each in rigs if each.name == options.armature]
    if not rigs:
        wanted = f"no armature '{options.armature}'" if options.armature else "no armature"
        raise SetupError(f"{options.hand} holds {wanted}: give a file with a rigged hand.")
    reason = ""
    for rig in rigs:
        try:
            hands = hands_of(rig, side=options.side or BOTH)
        except PrehendError as error:
            reason = reason or str(error)
            continue
        return rig, next((hand for hand in hands if hand.side == "R"), hands[0])
    raise SetupError(reason)


def _prop(options: argparse.Namespace, scene: Any, view_layer: Any) -> Any:
    import bpy

    from addon.services.demo import Placement, add_demo_prop
    from addon.services.files import add_prop

    kind, _, key = options.object.partition(":")
    if kind == _DEMO:
        prop = bpy.data.objects[add_demo_prop(Placement(scene.collection, view_layer), key)]
    else:
        prop = add_prop(Path(options.object), scene)
    prop.scale = [options.object_scale] * 3
    if options.object_at is not None:
        prop.location = options.object_at
    return prop


def _facts(armature: Any, hand: Any, prop: Any, report: Any, seconds: float) -> dict[str, Any]:
    import bpy
    import numpy as np

    from addon.services.posture import model_of, read_posture

    angles = np.degrees(read_posture(armature, hand).angles).round(4).tolist()
    names = model_of(armature, hand).names
    return {
        "schema_version": 1,
        "versions": {"blender": bpy.app.version_string, "python": sys.version.split()[0]},
        "hand": hand.wrist,
        "armature": armature.name,
        "side": hand.side,
        "convention": hand.convention,
        "object": {
            "name": prop.name,
            "triangles": sum(len(face.vertices) - 2 for face in prop.data.polygons),
            "matrix_world": [[round(value, 8) for value in row] for row in prop.matrix_world],
        },
        "movement": report.movement,
        "fingers": [
            {
                "name": each.name,
                "closed": each.closed,
                "touching": each.touching,
                "gap_mm": _millimetres(each.gap_mm),
                "bones": list(each.bones),
            }
            for each in report.fingers
        ],
        "palm_gap_mm": _millimetres(report.palm_gap_mm),
        "deepest_mm": round(report.deepest_mm, 4),
        "posture_deg": {
            name: dict(zip(("flexion", "abduction", "twist"), row, strict=True))
            for name, row in zip(names, angles, strict=True)
        },
        "locked": list(report.locked),
        "notes": list(report.notes),
        "seconds": round(seconds, 4),
    }


def _millimetres(gap: float) -> float | None:
    """A gap for the file; None where nothing is near."""
    return round(gap, 4) if abs(gap) < 1e6 else None


def _print_table(facts: dict[str, Any]) -> None:
    print(f"{facts['hand']} ({facts['side'] or '?'}, {facts['convention']}) on {facts['object']['name']}")
    print(f"\n{'finger':<12} {'touching':<9} {'gap mm':>8}  bones that touch")
    for finger in facts["fingers"]:
        gap = "away" if finger["gap_mm"] is None or finger["gap_mm"] > 2.0 else f"{finger['gap_mm']:.2f}"
        touching = "yes" if finger["touching"] else "no" if finger["closed"] else "kept"
        print(f"{finger['name']:<12} {touching:<9} {gap:>8}  {', '.join(finger['bones'])}".rstrip())
    print(f"\ndeepest {facts['deepest_mm']:.2f} mm, closed in {1e3 * facts['seconds']:.0f} ms")
    for note in facts["notes"]:
        print(f"note: {note}")
    if facts["locked"]:
        print(f"left as locked: {', '.join(facts['locked'])}")
