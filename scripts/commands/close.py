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
from launcher.output import add_overwrite, check_folder, check_new, quiet, staged

from commands.subjects import add_subjects, check_subjects, load_hand, load_prop, ready_hand

HELP = "close the fingers of a hand on an object and tell what touches"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What closes on what, how, and where the result goes."""
    add_subjects(parser)
    parser.add_argument("--movement", default="medium_diameter", help="how it closes (default: medium_diameter)")
    parser.add_argument("--fingers", type=_names, metavar="A,B", help="fingers that close (default: the movement's)")
    parser.add_argument(
        "--depth-mm", type=float, default=0.3, metavar="D", help="how far skin gives, 0 to 3 (default: 0.3)"
    )
    parser.add_argument("--no-adapt", action="store_true", help="close every finger in the movement's own way")
    parser.add_argument(
        "--obstacle", action="append", type=Path, default=[], metavar="FILE", help="keep clear of it; may be repeated"
    )
    parser.add_argument("--out", type=Path, metavar="FILE.blend", help="save the closed hand and the object")
    add_overwrite(parser, "a file")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")


def check(options: argparse.Namespace) -> None:
    """See that files are there and numbers make sense, before Blender is fetched and started."""
    check_subjects(options, options.obstacle)
    if not 0.0 <= options.depth_mm <= 3.0:
        raise SetupError("--depth-mm must be between 0 and 3.")
    if options.out is not None:
        if options.out.suffix.lower() != ".blend":
            raise SetupError(f"--out {options.out.name} must end in .blend.")
        check_folder(options.out.absolute().parent)
        check_new([options.out], overwrite=options.overwrite)


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


def _close(options: argparse.Namespace) -> dict[str, Any]:
    import bpy

    from addon.services.closing import CloseRequest, close_fingers
    from addon.services.facing import face_palm
    from addon.services.files import add_prop

    armature, hand = load_hand(options)
    changed = ready_hand(options, armature)
    _check_fingers(options.fingers, hand)
    context = bpy.context  # noqa: TID251 (a script has no other way to the scene)
    scene, view_layer = context.scene, context.view_layer
    prop = load_prop(options, scene, view_layer)
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
    facts["notes"] = [*changed, *facts["notes"]]
    if options.out is not None:
        with staged(options.out.absolute().parent, overwrite=options.overwrite) as stage:
            bpy.ops.wm.save_as_mainfile(filepath=str(stage / options.out.name), compress=True, copy=True)
        facts["out"] = str(options.out)
    return facts


def _check_fingers(names: frozenset[str] | None, hand: Any) -> None:
    """See that a hand has all of the fingers, of which otherwise some would be left out without a word."""
    from addon.core.errors import UnknownChoiceError

    known = tuple(finger.name for finger in hand.fingers)
    for name in sorted(names or ()):
        if name not in known:
            raise UnknownChoiceError("finger", name, known)


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
