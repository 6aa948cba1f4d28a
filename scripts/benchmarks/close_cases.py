# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hands and objects of the closing benchmark, and one hand closing on one object, judged on the skin that is shown."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from commands.subjects import align_hand
from launcher.output import quiet

from addon.core.errors import PrehendError
from addon.core.handmap import HandMap
from addon.rig.skin import skin_objects
from addon.services.closing import CloseRequest, close_fingers, open_hand, without
from addon.services.demo import HandSpec, Placement, add_demo_hand, add_demo_prop
from addon.services.facing import face_palm
from addon.services.files import add_prop, open_character
from addon.services.poses import hands_of
from addon.services.posture import model_of
from addon.services.surfaces import forget_surfaces, surface_of

DEEPEST_MM = 0.5
GAP_MM = 0.2
DEMO_PROPS = {"ball": "sphere", "box": "box", "mug": "mug", "wine_glass": "wine glass", "key": "key"}
NEAR = 0.02
"""Vertices farther than this in [m] from the object's box are not measured."""


@dataclass(frozen=True)
class HandCase:
    """A hand and how to bring it into an empty file."""

    name: str
    load: Callable[[], None]
    side: str
    armature: str | None = None
    """Name of its armature, where there are several."""


def hand_cases(data: Path | None) -> Iterator[HandCase | str]:
    """All hands that are to be had; sentences for those that are not."""
    for side in "RL":
        yield HandCase(f"demo {side}", demo_loader(side), side)
    folder = data / "assets" / "hands" if data is not None else None
    if folder is None or not folder.is_dir():
        yield "Real hands are left out: name a folder with assets/hands by --data or PREHEND_TEST_DATA."
    else:
        for side in "RL":
            yield HandCase(f"Godot {side}", _file(folder / f"Hand_Nails_{side}.gltf"), side)
        yield HandCase("MPFB R", _file(folder / "mpfb_human_game_engine.blend"), "R")
    yield HandCase("Rigify L", _rigify, "L", "rig")


def objects(data: Path | None) -> dict[str, Callable[[Any, Any], Any]]:
    """Name and maker of every object; makers take the scene and its view layer."""
    found: dict[str, Callable[[Any, Any], Any]] = {}
    for key, name in DEMO_PROPS.items():
        found[name] = lambda scene, layer, key=key: bpy.data.objects[
            add_demo_prop(Placement(scene.collection, layer), key)
        ]
    found["cylinder"] = lambda scene, layer: _primitive("cylinder", vertices=64, radius=0.025, depth=0.12)
    found["torus"] = lambda scene, layer: _primitive("torus", major_radius=0.035, minor_radius=0.012)
    folder = data / "assets" / "objects" if data is not None else None
    for path in sorted(folder.glob("*.stl")) if folder is not None and folder.is_dir() else ():
        found[f"{path.stem} (file)"] = lambda scene, layer, path=path: add_prop(path, scene)
    return found


def cases(
    options: argparse.Namespace, props: dict[str, Callable[[Any, Any], Any]], notes: list[str]
) -> Iterator[tuple[str, HandCase, Callable[[Any, Any], Any]]]:
    """Title, hand and maker of the object of every case that is asked for; what is not to be had goes to the notes."""
    for case in hand_cases(options.data):
        if isinstance(case, str):
            notes.append(case)
            continue
        for name, make in props.items():
            title = f"{case.name}, {name}"
            if not options.only or options.only in title:
                print(f"{title} ...", flush=True)
                yield title, case, make


def close_case(case: HandCase, make: Callable[[Any, Any], Any], movement: str) -> dict[str, Any]:
    """A row of the table."""
    context = bpy.context  # noqa: TID251 (a script has no other way to the scene)
    with quiet():
        case.load()
        scene, layer = context.scene, context.view_layer
        armature, hand = hand_of(case)
        prop = make(scene, layer)
        layer.update()
    request = CloseRequest(movement=movement)
    try:
        face_palm(armature, hand, prop, request, view_layer=layer)
        forget_surfaces()
        started = time.process_time()
        close_fingers(armature, hand, prop, request, view_layer=layer)
        first = time.process_time() - started
        open_hand(armature, hand, request, view_layer=layer)
        started = time.process_time()
        report = close_fingers(armature, hand, prop, request, view_layer=layer)
        again = time.process_time() - started
    except PrehendError as error:
        return {"note": str(error), "good": False}
    meant = [finger for finger in report.fingers if finger.touching or finger.stopped]
    model = model_of(armature, hand, objects=without(prop, layer.objects))
    depth = depth_mm(armature, prop, layer) if model.skin is not None else report.deepest_mm
    worst = max((finger.gap_mm for finger in meant), default=0.0)
    return {
        "touching": f"{sum(finger.touching for finger in report.fingers)} of {len(report.fingers)}",
        "deepest_mm": depth,
        "worst_gap_mm": worst,
        "first_ms": 1e3 * first,
        "again_ms": 1e3 * again,
        "good": bool(depth <= DEEPEST_MM and worst <= GAP_MM),
        "note": "" if model.skin is not None else "no skin near the hand: its capsules close",
    }


def hand_of(case: HandCase) -> tuple[Any, HandMap]:
    """The armature that was loaded, and which of its bones are the hand."""
    rigs = [obj for obj in bpy.data.objects if obj.type == "ARMATURE" and case.armature in (None, obj.name)]
    hand = hands_of(rigs[0], side=case.side)[0]
    # As the commands do.
    align_hand(rigs[0])
    return rigs[0], hand


def depth_mm(armature: Any, prop: Any, layer: Any) -> float:
    """How deep the deepest vertex of any of the armature's skins is, as evaluated, measured here once more."""
    surface = surface_of(prop, layer.depsgraph)
    deepest = 0.0
    for obj in skin_objects(armature, without(prop, layer.objects)):
        evaluated = obj.evaluated_get(layer.depsgraph)
        matrix = np.array(evaluated.matrix_world)
        flat = np.empty(3 * len(evaluated.data.vertices), dtype=np.float32)
        evaluated.data.vertices.foreach_get("co", flat)
        points = flat.reshape(-1, 3).astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3]
        local = surface.to_frame(points)
        inside = (local > surface.surface.low - NEAR) & (local < surface.surface.high + NEAR)
        points = points[inside.all(axis=1)]
        if len(points):
            deepest = max(deepest, -1e3 * float(surface.exact_distance(points).min()))
    return deepest


def demo_loader(side: str) -> Callable[[], None]:
    """What brings a demo hand into an empty file."""

    def load() -> None:
        bpy.ops.wm.read_homefile(use_empty=True)
        context = bpy.context  # noqa: TID251 (a script has no other way to the scene)
        add_demo_hand(Placement(context.scene.collection, context.view_layer), HandSpec(side=side))  # type: ignore[arg-type]

    return load


def _file(path: Path) -> Callable[[], None]:
    return lambda: open_character(path)


def _rigify() -> None:
    """A human generated from Rigify's own metarig."""
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.preferences.addon_enable(module="rigify")
    bpy.ops.object.armature_human_metarig_add()
    bpy.ops.pose.rigify_generate()


def _primitive(kind: str, **options: float) -> Any:
    getattr(bpy.ops.mesh, f"primitive_{kind}_add")(**options)
    context = bpy.context  # noqa: TID251 (a script has no other way to the scene)
    return context.object
