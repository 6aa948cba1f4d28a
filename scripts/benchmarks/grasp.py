# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`bench grasp`: hands that take objects, all automatic, judged on the skin that is shown."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from launcher.output import check_folder, quiet

from .data import add_data, check_data
from .grasp_sheet import Sheets
from .report import Column, Report

HELP = "grasps of every demo prop and every object of a folder: depth, contacts, opposition and time"

COLUMNS = (
    Column("name", "hand and object"),
    Column("movement", "movement"),
    Column("links", "links"),
    Column("deepest_mm", "deepest mm", ".2f"),
    Column("volume_cm3", "volume cm3", ".3f"),
    Column("opposition", "opposition", ".2f"),
    Column("epsilon", "epsilon", ".3f"),
    Column("seconds", "seconds", ".2f"),
)
OPPOSED = 0.4
POWER_LINKS = 5
MOST_VOLUME = 0.5
"""Largest intersection in [cm3]."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where real hands and objects are, how long to search, and what to leave out."""
    add_data(parser)
    parser.add_argument("--sheet", type=Path, metavar="DIR", help="write pictures of all grasps here, a sheet a hand")
    add_search(parser)


def add_search(parser: argparse.ArgumentParser) -> None:
    """Add --attempts and --seed."""
    parser.add_argument("--attempts", type=int, default=5, help="places and movements to try (default: 5)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the search (default: 0)")


def run(options: argparse.Namespace) -> Report:
    """Every hand takes every object."""
    from addon.services.watching import watch_skins

    from .close_cases import cases

    check_data(options)
    if options.sheet is not None:
        check_folder(options.sheet, option="--sheet")
    sheets = Sheets(options.sheet) if options.sheet is not None else None
    report = Report("grasp", f"Grasp, all automatic, {options.attempts} attempts, seed {options.seed}", COLUMNS)
    with ExitStack() as undo:
        watch_skins(undo)
        for title, case, make in cases(options, grasp_objects(options.data), report.notes):
            report.rows.append({"name": title, **_grasp_case(case, make, options, sheets)})
    report.notes += _summary(report.rows)
    report.notes += sheets.write() if sheets is not None else []
    return report


def grasp_objects(data: Path | None) -> dict[str, Callable[[Any, Any], Any]]:
    """Name and maker of every demo prop and every object of the folder."""
    import bpy

    from addon.services.demo import Placement, add_demo_prop
    from addon.shapes.props import PROPS

    from .close_cases import objects

    found: dict[str, Callable[[Any, Any], Any]] = {}
    for key in PROPS:
        found[key] = lambda scene, layer, key=key: bpy.data.objects[
            add_demo_prop(Placement(scene.collection, layer), key)
        ]
    return found | {name: make for name, make in objects(data).items() if name.endswith("(file)")}


@dataclass(frozen=True, eq=False)
class Taken:
    """A grasp as it stands in the open file."""

    armature: Any
    prop: Any
    scene: Any
    layer: Any
    report: Any
    """What Grasp says of it."""
    search: Any
    """How it was found."""
    seconds: float
    """Processor time, with the object's surface."""


def take(case: Any, make: Callable[[Any, Any], Any], options: argparse.Namespace) -> Taken:
    """Have a hand take an object in an otherwise empty file.

    Raises:
        PrehendError: There is no grasp.
    """
    import bpy

    from addon.services.grasping import GraspRequest, grasp
    from addon.services.surfaces import forget_surfaces

    from .close_cases import hand_of

    context = bpy.context  # noqa: TID251 (a script has no other way to the scene)
    with quiet():
        case.load()
        scene, layer = context.scene, context.view_layer
        armature, hand = hand_of(case)
        prop = make(scene, layer)
        layer.update()
    forget_surfaces()
    started = time.process_time()
    request = GraspRequest(attempts=options.attempts, seed=options.seed)
    report, search = grasp(armature, hand, prop, request, view_layer=layer)
    return Taken(armature, prop, scene, layer, report, search, time.process_time() - started)


def _grasp_case(
    case: Any, make: Callable[[Any, Any], Any], options: argparse.Namespace, sheets: Sheets | None
) -> dict[str, Any]:
    from addon.core.errors import PrehendError
    from addon.presets.movements import load_movements
    from addon.rig.read import read_pose
    from addon.services.closing_report import contact_points
    from addon.services.surfaces import surface_of

    from .close_cases import depth_mm

    try:
        taken = take(case, make, options)
    except PrehendError as error:
        return {"note": str(error), "good": False}
    armature, prop, layer, report, search = taken.armature, taken.prop, taken.layer, taken.report, taken.search
    if sheets is not None:
        sheets.add(case.name, search, armature, prop, scene=taken.scene, layer=layer)
    surface = surface_of(prop, layer.depsgraph)
    contacts = contact_points(search.model, read_pose(armature, search.model), surface)
    skinned = search.model.skin is not None
    deepest = depth_mm(armature, prop, layer) if skinned else report.deepest_mm
    terms = search.candidates[0].terms
    power = load_movements()[report.movement].kind == "power"
    volume = _volume_cm3(armature, prop, surface, layer) if skinned else None
    return {
        "movement": report.movement,
        "links": len(contacts),
        "deepest_mm": deepest,
        "volume_cm3": volume,
        "opposition": terms["opposition"],
        "epsilon": 0.25 * terms["firm"],
        "seconds": taken.seconds,
        "opposed": terms["opposition"] >= OPPOSED,
        "enough": not power or len(contacts) >= POWER_LINKS,
        "good": bool(deepest <= 0.5 and contacts and (volume is None or volume <= MOST_VOLUME)),
        "note": "" if skinned else "no skin near the hand: its capsules close",
    }


def _volume_cm3(armature: Any, prop: Any, surface: Any, layer: Any) -> float | None:
    """What hand and object share; None where the object, or the skin with its holes closed, has no inside."""
    from addon.rig.skin import skin_objects
    from addon.services.closing import without
    from addon.services.grasp_facts import shared_volume

    skins = skin_objects(armature, without(prop, layer.objects))
    volume = shared_volume(skins, surface, depsgraph=layer.depsgraph)
    return None if volume is None else 1e6 * volume


def _summary(rows: list[dict[str, Any]]) -> list[str]:
    found = [row for row in rows if "seconds" in row]
    count = max(len(rows), 1)

    def share(key: str) -> str:
        good = sum(bool(row.get(key)) for row in rows)
        return f"{good} of {len(rows)} ({100.0 * good / count:.1f} %)"

    mean = sum(row["seconds"] for row in found) / max(len(found), 1)
    longest = max((row["seconds"] for row in found), default=0.0)
    return [
        f"{share('good')} touch, share no more than {MOST_VOLUME} cm3 with the object and have no vertex of "
        f"the shown skin deeper than 0.5 mm; {share('opposed')} have thumb and "
        f"fingers, or palm and fingers, opposed; {share('enough')} touch with five links or need not.",
        f"Mean {mean:.2f} s of one core a grasp with the object's surface included, longest {longest:.2f} s.",
    ]
