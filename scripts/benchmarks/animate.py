# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`bench animate`: animated grasps, judged frame by frame on the skin that is shown."""

from __future__ import annotations

import argparse
import time
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from launcher.output import quiet

from .animate_path import add_path, off_path_um
from .data import add_data, check_data
from .report import Column, Report

HELP = "animated grasps of hands and props, frame by frame: depth, drift, stillness and turns"

COLUMNS = (
    Column("name", "hand, prop and attachment"),
    Column("movement", "movement"),
    Column("frames", "frames"),
    Column("deepest_mm", "deepest mm", ".2f"),
    Column("drift_mm", "drift mm", ".4f"),
    Column("jump_um", "jump um", ".3f"),
    Column("path_um", "off path um", ".1f"),
    Column("step_deg", "largest turn deg", ".1f"),
    Column("flips", "flips"),
    Column("poses", "keys a curve", ".1f"),
    Column("seconds", "seconds", ".2f"),
)
DEEPEST_MM, DRIFT_MM, JUMP_UM, PATH_UM = 1.0, 0.5, 10.0, 100.0
STEP_DEG = 20.0
"""Largest turn of a bone against its parent, or of the wrist, from one frame to the next: at 24 frames a second 480
degrees a second, about what people's fingers do at their fastest in a grasp; more is seen as a pop."""


@dataclass(frozen=True)
class Pair:
    """What is animated."""

    hand: str
    """Name of a hand case, or demo:VARIANT."""
    prop: str
    """Key of a demo prop."""
    attach: str = "KEYS"
    carries: bool = False
    path: bool = False
    """Whether it is carried along a curve."""


PAIRS = (
    Pair("demo R", "mug"),
    Pair("demo R", "bottle", "KEYS", True),
    Pair("demo R", "hammer", "CHILD_OF", True),
    Pair("demo L", "ball", "PARENT", True),
    Pair("demo L", "wine_glass"),
    Pair("Godot R", "mug", "KEYS", True),
    Pair("Godot L", "hammer", "CHILD_OF", True),
    Pair("Godot R", "bottle", "PARENT", True),
    Pair("Godot L", "ball"),
    Pair("MPFB R", "bottle"),
    Pair("MPFB R", "ball", "KEYS", True),
    Pair("MPFB R", "hammer", "CHILD_OF", True),
    Pair("demo:cartoon", "ball", "KEYS", True),
    Pair("demo:gripper_3", "ball", "KEYS", True),
    Pair("Rigify L", "ball", "KEYS", True),
    Pair("demo R", "bottle", "KEYS", path=True),
    Pair("MPFB R", "ball", "CHILD_OF", path=True),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where real hands are, and what to leave out."""
    add_data(parser, objects=False)
    parser.add_argument("--attempts", type=int, default=3, help="places and movements to try (default: 3)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the search (default: 0)")
    parser.add_argument("--bake", action="store_true", help="key every frame")


def run(options: argparse.Namespace) -> Report:
    """Animate every pair."""
    from addon.services.watching import watch_skins

    from .close_cases import HandCase, hand_cases

    check_data(options)
    report = Report("animate", f"Animated grasps, {options.attempts} attempts, seed {options.seed}", COLUMNS)
    cases = {case.name: case for case in hand_cases(options.data) if isinstance(case, HandCase)}
    with ExitStack() as undo:
        watch_skins(undo)
        for pair in PAIRS:
            way = ", carried" if pair.carries else ", along a path" if pair.path else ""
            title = f"{pair.hand}, {pair.prop}, {pair.attach.lower()}{way}"
            if options.only and options.only not in title:
                continue
            if not pair.hand.startswith("demo:") and pair.hand not in cases:
                report.notes.append(f"{title} is left out: name a folder with assets/hands by --data.")
                continue
            print(f"{title} ...", flush=True)
            report.rows.append({"name": title, **_animate(pair, cases.get(pair.hand), options)})
    good = sum(bool(row["good"]) for row in report.rows)
    report.notes.append(
        f"{good} of {len(report.rows)}: at no frame skin deeper than {DEEPEST_MM:g} mm, fingertips within {DRIFT_MM:g} "
        f"mm of where they hold, the prop still within {JUMP_UM:g} um before and after, no rotation that flips, no "
        f"bone and no wrist that turns by more than {STEP_DEG:g} degrees between two frames, what is carried along a "
        f"path within {PATH_UM:g} um of it."
    )
    return report


def _animate(pair: Pair, case: Any, options: argparse.Namespace) -> dict[str, Any]:
    import bpy

    from addon.core.errors import PrehendError
    from addon.services.animating import animate_grasp
    from addon.services.animation_request import AnimationRequest
    from addon.services.demo import HandSpec, Placement, add_demo_hand, add_demo_prop
    from addon.services.grasping import GraspRequest, grasp
    from addon.services.poses import hands_of

    from .close_cases import hand_of

    context = bpy.context  # noqa: TID251 (a script has no other way to the scene)
    with quiet():
        if case is not None:
            case.load()
            armature, hand = hand_of(case)
        else:
            bpy.ops.wm.read_homefile(use_empty=True)
            spec = HandSpec(variant=pair.hand.partition(":")[2])
            made = add_demo_hand(Placement(context.scene.collection, context.view_layer), spec)
            armature = bpy.data.objects[made.armature]
            hand = hands_of(armature)[0]
        scene, layer = context.scene, context.view_layer
        prop = bpy.data.objects[add_demo_prop(Placement(scene.collection, layer, (0.4, 0.1, 0.02)), pair.prop)]
        layer.update()
    if armature.animation_data is not None:
        armature.animation_data_clear()
    scene.frame_start, scene.frame_end = 1, 250
    try:
        found = GraspRequest(attempts=options.attempts, seed=options.seed)
        report, _ = grasp(armature, hand, prop, found, view_layer=layer)
        target = _target(scene, prop, layer) if pair.carries else None
        path = add_path(scene, prop, layer) if pair.path else None
        request = AnimationRequest(attach=pair.attach, bake=options.bake)
        started = time.process_time()
        made = animate_grasp(armature, hand, prop, request, scene=scene, view_layer=layer, target=target, path=path)
    except PrehendError as error:
        return {"note": str(error), "good": False}
    seconds = time.process_time() - started
    row = judge(armature, hand, prop, made.frames, scene, layer)
    if path is not None:
        row["path_um"] = off_path_um(prop, path, made.frames, scene)
    row["good"] = (
        row["deepest_mm"] <= DEEPEST_MM
        and row["drift_mm"] <= DRIFT_MM
        and row["jump_um"] <= JUMP_UM
        and row["flips"] == "0"
        and row["step_deg"] <= STEP_DEG
        and row.get("path_um", 0.0) <= PATH_UM
    )
    return {"movement": report.movement, **row, "seconds": seconds, "note": " ".join(made.notes)}


def _target(scene: Any, prop: Any, layer: Any) -> Any:
    """An empty a hand's breadth beside the prop and a little turned."""
    import bpy
    from mathutils import Matrix

    target = bpy.data.objects.new("Put Down", None)
    scene.collection.objects.link(target)
    target.matrix_world = Matrix.Translation((0.08, -0.06, 0.0)) @ prop.matrix_world @ Matrix.Rotation(0.4, 4, "Z")
    layer.update()
    return target


def judge(armature: Any, hand: Any, prop: Any, frames: Any, scene: Any, layer: Any) -> dict[str, Any]:
    """Every whole frame, measured apart from what the animation was made with."""
    import numpy as np

    from addon.services.posture import model_of

    from .close_cases import depth_mm

    model = model_of(armature, hand)
    deepest, places, tips, turns = 0.0, [], [], []
    for frame in range(frames.approach, frames.away + 1):
        scene.frame_set(frame)
        layer.update()
        if model.skin is not None:
            deepest = max(deepest, depth_mm(armature, prop, layer))
        else:
            deepest = max(deepest, _capsule_depth_mm(armature, model, prop, layer))
        matrix = np.array(prop.matrix_world, dtype=np.float64)
        places.append(matrix)
        bones = [armature.pose.bones[model.binding.readers[int(joint)]] for joint in model.last_joints]
        ends = np.array([armature.matrix_world @ bone.tail for bone in bones])
        tips.append((ends - matrix[:3, 3]) @ matrix[:3, :3] / np.linalg.norm(matrix[:3, 0]) ** 2)
        turns.append(_turns(armature, model))
    at = {name: getattr(frames, name) - frames.approach for name in ("contact", "lift", "put", "hold")}
    still = [
        _apart(each, first)
        for first, part in ((places[0], places[: at["lift"] + 1]), (places[at["put"]], places[at["put"] :]))
        for each in part
    ]
    held = np.array(tips[at["contact"] : at["hold"] + 1])
    steps = np.abs(np.einsum("nji,nji->nj", np.array(turns[1:]), np.array(turns[:-1])))
    curves = _curves(armature)
    return {
        "frames": str(frames.count),
        "deepest_mm": deepest,
        "drift_mm": 1e3 * float(np.linalg.norm(held - held[0], axis=2).max()),
        "jump_um": 1e6 * max(still),
        "step_deg": float(np.degrees(2.0 * np.arccos(np.clip(steps, 0.0, 1.0))).max()),
        "flips": str(_flips(armature) + _flips(prop)),
        "poses": sum(len(curve.keyframe_points) for curve in curves) / max(len(curves), 1),
    }


def _turns(armature: Any, model: Any) -> Any:
    """Turns of all bones that are keyed from their rest, and of the hand in the world, as quaternions. Shape (b, 4)."""
    import numpy as np

    keyed = {curve.data_path.split('"')[1] for curve in _curves(armature) if curve.data_path.startswith("pose.bones")}
    bones = [armature.pose.bones[name] for name in sorted(keyed | set(model.names))]
    hand = armature.matrix_world @ armature.pose.bones[model.binding.carrier].matrix
    return np.array([*(bone.matrix_basis.to_quaternion() for bone in bones), hand.to_quaternion()])


def _apart(first: Any, second: Any) -> float:
    """How far the corners of a decimetre's cube at the prop are apart in two placings."""
    import numpy as np

    corners = np.array([[x, y, z, 1.0] for x in (-0.05, 0.05) for y in (-0.05, 0.05) for z in (-0.05, 0.05)])
    return float(np.linalg.norm(corners @ (first - second).T, axis=1).max())


def _capsule_depth_mm(armature: Any, model: Any, prop: Any, layer: Any) -> float:
    from addon.rig.read import read_pose
    from addon.services.closing_report import measured_gaps
    from addon.services.surfaces import surface_of

    pose = read_pose(armature, model)
    gaps = measured_gaps(model, pose.angles, pose.T_world_hand, surface_of(prop, layer.depsgraph))
    return max(0.0, -1e3 * float(gaps.by_bone.min()))


def _curves(obj: Any) -> list[Any]:
    from addon.compat import action_fcurves

    data = obj.animation_data
    return action_fcurves(data.action, obj) if data is not None and data.action is not None else []


def _flips(obj: Any) -> int:
    """Neighbouring keys of rotations that are more than half a turn apart as they are interpolated."""
    import numpy as np

    groups: dict[str, list[Any]] = {}
    for curve in _curves(obj):
        if "rotation" in curve.data_path:
            groups.setdefault(curve.data_path, []).append(curve)
    flips = 0
    for path, curves in groups.items():
        frames = sorted({round(point.co[0]) for curve in curves for point in curve.keyframe_points})
        values = np.array([[curve.evaluate(frame) for curve in curves] for frame in frames])
        if path.endswith("quaternion"):
            flips += int((np.sum(values[1:] * values[:-1], axis=1) < 0.0).sum())
        else:
            flips += int((np.abs(np.diff(values, axis=0)) > np.pi).any(axis=1).sum()) if len(values) > 1 else 0
    return flips
