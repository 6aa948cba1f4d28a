# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`detect`: the hands of every armature in a file."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from launcher.errors import SetupError
from launcher.output import quiet

HELP = "find every hand of every armature in a file"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The file and the form of the answer."""
    parser.add_argument("file", type=Path, help=".blend, .fbx, .glb, .gltf or .vrm")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")


def check(options: argparse.Namespace) -> None:
    """See that the file is there, before Blender is fetched and started."""
    if not options.file.is_file():
        raise SetupError(f"there is no file {options.file}: check the path.")


def run(options: argparse.Namespace) -> int:
    """Print the hands; 1 when no armature has any."""
    with quiet():
        armatures = _detect(options.file)
    if options.json:
        print(json.dumps({"schema_version": 1, "file": str(options.file), "armatures": armatures}, indent=2))
    else:
        _print_table(armatures)
    return 0 if any(each["hands"] for each in armatures) else 1


def _detect(path: Path) -> list[dict[str, Any]]:
    import bpy

    from addon.core.errors import PrehendError
    from addon.core.handmap import to_json
    from addon.services.detection import detect_armature_hands
    from addon.services.files import open_character
    from addon.services.skin_alignment import find_skin_offset

    open_character(path)
    found: list[dict[str, Any]] = []
    for obj in sorted((each for each in bpy.data.objects if each.type == "ARMATURE"), key=lambda each: each.name):
        try:
            hands, reason = [to_json(hand) for hand in detect_armature_hands(obj)], ""
        except PrehendError as error:
            hands, reason = [], str(error)
        offset = find_skin_offset(obj) if hands else None
        found.append(
            {
                "name": obj.name,
                "bones": len(obj.data.bones),
                "hands": hands,
                "reason": reason,
                "skin_offset_m": None if offset is None else offset.round(4).tolist(),
            }
        )
    if not found:
        raise SetupError(f"{path.name} holds no armature: give a file with a rigged hand.")
    return found


def _print_table(armatures: list[dict[str, Any]]) -> None:
    from addon.hands.skin_offset import off_by

    for armature in armatures:
        print(f"{armature['name']} ({armature['bones']} bones)")
        for hand in armature["hands"]:
            sure = f"{100 * hand['confidence']:.0f} % sure"
            print(f"  {hand['side'] or '?'}  {hand['wrist']}  ({hand['convention']}, {sure})")
            for finger in hand["fingers"]:
                palm = f"{finger['metacarpal']} > " if finger["metacarpal"] else ""
                tip = f" > tip {finger['tip']}" if finger["tip"] else ""
                print(f"     {finger['name']:<10} {palm}{' > '.join(finger['chain'])}{tip}")
            for note in hand["notes"]:
                print(f"     note: {note}")
        if armature["skin_offset_m"] is not None:
            off = off_by(armature["skin_offset_m"])
            print(f"  note: The skin lies {off} off its bones; commands move them into it.")
        if armature["reason"]:
            print(f"  {armature['reason']}")
