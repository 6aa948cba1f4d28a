# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`grasp`: a hand takes an object, as keyframes, in four files."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tomllib
from pathlib import Path
from typing import Any

from launcher.environments import CHECKOUT
from launcher.errors import SetupError
from launcher.output import add_overwrite, check_folder, check_new, quiet, staged

from commands.grasp_picture import take_picture
from commands.search_method import add_method, check_method, published_search
from commands.subjects import add_subjects, check_subjects, load_hand, load_prop, place, places, ready_hand

SMALLEST_WIDTH, LARGEST_WIDTH = 16, 8192
"""Widths of a picture in pixels that are worth rendering."""

HELP = "find a grasp of an object and write a .blend, an .fbx, a .png and a .json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What takes what, how it is looked for, and where the result goes."""
    add_subjects(parser)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write")
    parser.add_argument("--movement", default="auto", help="how it closes (default: auto)")
    parser.add_argument("--hook", default="auto", help="where it is taken: auto, or X,Y,Z in metres (default: auto)")
    parser.add_argument(
        "--place",
        choices=("auto", "hand", "arm", "prop", "fixed"),
        default="auto",
        help="what moves: the hand with its armature, the arm, the prop, or nothing but fingers (default: auto, a hand "
        "without an arm goes to the prop; to a character it comes, or its arm reaches for it with --object-at)",
    )
    parser.add_argument(
        "--carry-to", type=place, metavar="X,Y,Z", help="carry the object's origin there, in metres (default: nowhere)"
    )
    parser.add_argument(
        "--carry-along",
        type=places,
        metavar="X,Y,Z;X,Y,Z;...",
        help="carry it along these points first, as =X,Y,Z;... in quotes where the first number is negative",
    )
    parser.add_argument("--seed", type=int, default=0, help="same seed, same grasp (default: 0)")
    parser.add_argument("--attempts", type=int, default=5, help="places and movements to try (default: 5)")
    parser.add_argument("--budget-s", type=float, metavar="S", help="stop trying after so many seconds")
    add_method(parser)
    parser.add_argument(
        "--depth-mm", type=float, default=0.3, metavar="D", help="how far skin gives, 0 to 3 (default: 0.3)"
    )
    parser.add_argument("--samples", type=int, default=24, help="quality of the picture; 0 for none (default: 24)")
    parser.add_argument("--width", type=int, default=800, help="width of the picture in pixels (default: 800)")
    add_overwrite(parser)
    parser.add_argument("--json", action="store_true", help="print the facts as JSON")


def check(options: argparse.Namespace) -> None:
    """See that files are there, numbers make sense and the folder can be written."""
    check_subjects(options)
    if not 0.0 <= options.depth_mm <= 3.0:
        raise SetupError("--depth-mm must be between 0 and 3.")
    if options.attempts < 1 or (options.budget_s is not None and not options.budget_s > 0.0):
        raise SetupError("the budget leaves no time to try anything: give at least one attempt.")
    check_method(options)
    if options.seed < 0:
        raise SetupError("--seed must be 0 or above.")
    if options.samples < 0:
        raise SetupError("--samples must be 0, for no picture, or above.")
    if not SMALLEST_WIDTH <= options.width <= LARGEST_WIDTH:
        raise SetupError(f"--width must be between {SMALLEST_WIDTH} and {LARGEST_WIDTH} pixels.")
    if options.hook != "auto":
        try:
            options.hook = place(options.hook)
        except argparse.ArgumentTypeError as error:
            raise SetupError(f"--hook {error}.") from error
    check_folder(options.out)
    check_new(outputs(options.out, pictures=options.samples > 0), overwrite=options.overwrite)


def outputs(folder: Path, name: str = "grasp", *, pictures: bool = True) -> list[Path]:
    """Files that a grasp is written to."""
    endings = ("blend", "fbx", "json", *(("png",) if pictures else ()))
    return [folder / f"{name}.{ending}" for ending in endings]


def run(options: argparse.Namespace) -> None:
    """Search, key, save, export and render; the files appear together at the end."""
    with staged(options.out, overwrite=options.overwrite) as stage, quiet():
        facts = make_grasp(stage, options)
    if options.json:
        print(json.dumps(facts, indent=2))
        return
    print(f"{facts['hand']['bone']} takes {facts['object']['name']} by {facts['movement']}")
    for contact in facts["contacts"]:
        print(f"  {contact['finger']:<10} {contact['bone']:<24} {contact['distance_mm']:>7.2f} mm")
    spent = facts["search"]["seconds"]
    print(f"deepest {facts['penetration']['max_mm']:.2f} mm, {len(facts['contacts'])} bones touch")
    for note in facts["notes"]:
        print(f"note: {note}")
    print(
        f"{facts['search']['closings']} closings, " + ", ".join(f"{name} {each:.2f} s" for name, each in spent.items())
    )


def make_grasp(folder: Path, options: argparse.Namespace, *, name: str = "grasp") -> dict[str, Any]:
    """Find a grasp, key it and write the four files into a folder; gives what stands in the .json."""
    import bpy

    from addon.rig.skin import skin_objects
    from addon.services.animating import animate_grasp
    from addon.services.animation_request import AnimationRequest
    from addon.services.export import export_fbx
    from addon.services.grasp_facts import grasp_facts
    from addon.services.grasping import GraspRequest, grasp

    armature, hand = load_hand(options)
    changed = ready_hand(options, armature)
    context = bpy.context  # noqa: TID251 (a script has no other way to the scene)
    scene, view_layer = context.scene, context.view_layer
    prop = load_prop(options, scene, view_layer)
    view_layer.update()
    request = GraspRequest(
        movement=options.movement,
        hooks=() if options.hook == "auto" else (tuple(options.hook),),
        depth=1e-3 * options.depth_mm,
        seed=options.seed,
        attempts=options.attempts,
        seconds=options.budget_s,
        place=_place(options, armature, hand),
        published=published_search(options),
    )
    report, search = grasp(armature, hand, prop, request, view_layer=view_layer)
    facts = grasp_facts(search, report, hand_file=options.hand, object_file=options.object, versions=_versions())
    facts["notes"] = [*changed, *facts["notes"]]
    skins = [each for each in skin_objects(armature, view_layer.objects) if each != prop]
    scene.frame_start, scene.frame_end = 1, 250
    target, path = _carry(options, prop, scene)
    view_layer.update()
    animated = animate_grasp(
        armature, hand, prop, AnimationRequest(), scene=scene, view_layer=view_layer, target=target, path=path
    )
    frames = animated.frames
    scene.frame_start, scene.frame_end = frames.approach, frames.away
    scene.frame_set(frames.hold)
    facts["frames"] = {
        "approach": frames.approach,
        "contact": frames.contact,
        "hold": frames.hold,
        "release": frames.release,
        **({"lift": frames.lift, "put": frames.put} if frames.carries else {}),
    }
    facts["animation"] = {
        "deepest_mm": round(animated.deepest_mm, 4),
        "drift_mm": round(animated.drift_mm, 4),
        "notes": list(animated.notes),
    }
    export_fbx(context, folder / f"{name}.fbx", [armature, *skins, prop])
    if options.samples > 0:
        take_picture(
            folder / f"{name}.png",
            search.model,
            armature,
            prop,
            skins,
            width=options.width,
            samples=options.samples,
        )
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / f"{name}.blend"), compress=True)
    # Tell which files belong together, and later whether somebody has changed them.
    others = (path for path in outputs(folder, name, pictures=options.samples > 0) if path.suffix != ".json")
    facts["files"] = {path.name: digest(path) for path in others}
    (folder / f"{name}.json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    return facts


def _carry(options: argparse.Namespace, prop: Any, scene: Any) -> tuple[Any, Any]:
    """An empty and a curve for where the object is carried, each None where it is not asked for."""
    import bpy

    target = path = None
    if options.carry_to is not None:
        target = bpy.data.objects.new("Carry To", None)
        scene.collection.objects.link(target)
        target.matrix_world = prop.matrix_world.normalized()
        target.location = options.carry_to
    if options.carry_along is not None:
        data = bpy.data.curves.new("Along", "CURVE")
        data.dimensions = "3D"
        points = data.splines.new("POLY").points
        points.add(len(options.carry_along) - 1)
        for point, at in zip(points, options.carry_along, strict=True):
            point.co = (*at, 1.0)
        path = bpy.data.objects.new("Along", data)
        scene.collection.objects.link(path)
    return target, path


def digest(path: Path) -> str:
    """What a file's content is known by."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _versions() -> dict[str, str]:
    import bpy

    with (CHECKOUT / "blender_manifest.toml").open("rb") as file:
        own = str(tomllib.load(file)["version"])
    return {"prehend": own, "blender": bpy.app.version_string, "python": sys.version.split()[0]}


def _place(options: argparse.Namespace, armature: Any, hand: Any) -> str:
    """What moves: a character's arm reaches for an object that was put somewhere."""
    from addon.services.grasping import has_arm

    if options.place == "auto" and options.object_at is not None and has_arm(armature, hand):
        return "arm"
    return options.place
