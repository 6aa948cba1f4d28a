# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`grasp`: a hand takes an object, as keyframes, in four files."""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import sys
import tomllib
from pathlib import Path
from typing import Any

from launcher.environments import CHECKOUT
from launcher.errors import SetupError
from launcher.output import add_overwrite, check_folder, check_new, quiet, staged

from commands.subjects import add_subjects, check_subjects, load_hand, load_prop, place, places

ELEVATION_DEG = 22.0
"""How high the camera stands."""
MOST_SHOWN = 6.0
"""How far from the hand's middle, in palm lengths, an object is still shown whole: a suitcase is, a broom is not."""
ASIDE_DEG = (0.0, 25.0, -25.0, 50.0, -50.0, 75.0, -75.0)
"""Turns of the camera that are compared, the usual one first."""
CLEARER = 1.25
"""How many times as much of an object has to be seen from elsewhere for the camera to go there."""
MOST_LOOKED_AT = 400

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
    context = bpy.context  # noqa: TID251 (a script has no other way to the scene)
    scene, view_layer = context.scene, context.view_layer
    still = _hold_still(armature, scene)
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
    )
    report, search = grasp(armature, hand, prop, request, view_layer=view_layer)
    facts = grasp_facts(search, report, hand_file=options.hand, object_file=options.object, versions=_versions())
    facts["notes"] += still
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
        _take_picture(folder / f"{name}.png", search.model, armature, prop, skins, options)
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / f"{name}.blend"), compress=True)
    # Tell which files belong together, and later whether somebody has changed them.
    others = (path for path in outputs(folder, name, pictures=options.samples > 0) if path.suffix != ".json")
    facts["files"] = {path.name: digest(path) for path in others}
    (folder / f"{name}.json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    return facts


def _take_picture(
    path: Path, model: Any, armature: Any, prop: Any, skins: list[Any], options: argparse.Namespace
) -> None:
    """Render the prop as it is held, and leave camera and lights in the scene."""
    import bpy
    from capsule_mesh import Capsules
    from mathutils import Vector

    from addon.rig.read import read_pose
    from addon.services.picture import View, add_studio, render_picture

    context = bpy.context  # noqa: TID251 (a script has no other way to the scene)
    scene = context.scene
    pose = read_pose(armature, model)
    # Rods in the place of skin that is not there, for the picture alone.
    rods = Capsules(scene) if model.skin is None else None
    if rods is not None:
        rods.follow(model, pose.angles, pose.T_world_hand)
        skins = [rods.object]
    # The hand and what it holds, wherever the rest of a character or of a long object may be.
    length = model.palm_length
    middle = pose.T_world_hand[:3, 3] + length * pose.T_world_hand[:3, 2]
    far = max((Vector(middle.tolist()) - prop.matrix_world @ Vector(corner)).length for corner in prop.bound_box)
    add_studio(
        scene,
        context.evaluated_depsgraph_get(),
        [*skins, prop],
        View(azimuth_deg=_clearest(scene, prop, _azimuth(model, pose.T_world_hand)), elevation_deg=ELEVATION_DEG),
        size=(options.width, options.width * 3 // 4),
        around=(middle, max(1.7 * length, min(far, MOST_SHOWN * length))),
    )
    render_picture(scene, path, samples=options.samples)
    scene.render.filepath = "//"
    if rods is not None:
        rods.remove()


def _hold_still(armature: Any, scene: Any) -> list[str]:
    """Have a character stand as it does now, as its own motion would take the hand from where it was found to hold.

    Its actions stay in the file. Gives what a user should know.
    """
    scene.frame_set(scene.frame_current)
    own = armature.animation_data
    if own is None or (own.action is None and not len(own.nla_tracks)):
        return []
    own.action, own.use_nla = None, False
    return [f"'{armature.name}' stands as at frame {scene.frame_current}: its own animation is switched off."]


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


def _clearest(scene: Any, prop: Any, usual: float) -> float:
    """The turn of a camera in [deg] near the usual one from which most of an object is seen past the hand."""
    import bpy
    import numpy as np
    from mathutils import Vector

    graph = bpy.context.evaluated_depsgraph_get()  # noqa: TID251 (a script has no other way to the scene)
    mesh = prop.evaluated_get(graph).to_mesh()
    every = max(len(mesh.vertices) // MOST_LOOKED_AT, 1)
    points = [prop.matrix_world @ vertex.co for vertex in list(mesh.vertices)[::every]]
    prop.evaluated_get(graph).to_mesh_clear()

    def seen(azimuth: float) -> float:
        turn, up = math.radians(azimuth), math.radians(ELEVATION_DEG)
        towards = Vector((math.sin(turn) * math.cos(up), -math.cos(turn) * math.cos(up), math.sin(up)))
        free = [p for p in points if not scene.ray_cast(graph, p + 1e-4 * towards, towards)[0]]
        if len(free) < 3:
            return 0.0
        # What is seen end-on, as a pen from its tip, is hardly seen.
        flat = np.array([p - p.dot(towards) * towards for p in free])
        return len(free) * float(np.linalg.norm(flat - flat.mean(axis=0), axis=1).mean())

    found = {aside: seen(usual + aside) for aside in ASIDE_DEG}
    best = max(ASIDE_DEG, key=lambda aside: found[aside])
    return usual + (best if found[best] > CLEARER * found[0.0] else 0.0)


def _azimuth(model: Any, frame: Any) -> float:
    """Turn of a camera in [deg] that sees thumb, fingers and prop: before the fingertips, from the thumb's side."""
    thumb = {"L": -1.0, "R": 1.0}.get(model.side, 1.0)
    towards = 0.8 * frame[:3, 2] + 0.7 * thumb * frame[:3, 0] + 0.3 * (frame[:3, :3] @ model.approach)
    return math.degrees(math.atan2(float(towards[0]), -float(towards[1])))
