# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`bench hold`: grasps as Grasp finds them, put to the published test: does the object stay in the hand?"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from launcher.errors import SetupError

from .data import add_data, check_data
from .grasp import add_search, grasp_objects, take
from .peers import Peer, ask
from .report import Column, Report

HELP = "grasps held in a physics simulation and judged by contact wrenches, as papers measure them"
BULLET = Peer("Bullet", "hold_bullet.py", ("pybullet", "trimesh", "rtree", "networkx", "scipy", "numpy"))
COLUMNS = (
    Column("name", "hand and object"),
    Column("movement", "movement"),
    Column("contacts", "contacts", ".0f"),
    Column("epsilon", "epsilon", ".4f"),
    Column("mean_cm", "mean cm", ".2f"),
    Column("worst_cm", "worst cm", ".2f"),
)
MOST_CM = 0.5
"""How far an object may go in the worst of six directions. One that nothing holds falls 10.7 cm."""
LEAST_EPSILON = 1e-6


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where real hands and objects are, and how long to search."""
    add_data(parser)
    add_search(parser)


def run(options: argparse.Namespace) -> Report:
    """Every hand takes every object; Bullet pulls at it."""
    from addon.services.watching import watch_skins

    from .close_cases import cases

    check_data(options)
    report = Report(
        "hold",
        f"Grasps found with {options.attempts} attempts, seed {options.seed}, pulled six ways in Bullet",
        COLUMNS,
    )
    with ExitStack() as undo, tempfile.TemporaryDirectory(prefix="prehend-hold-") as folder:
        watch_skins(undo)
        for title, case, make in cases(options, grasp_objects(options.data), report.notes):
            report.rows.append({"name": title, **_hold_case(case, make, options, folder)})
    report.notes += _summary(report.rows)
    return report


def _hold_case(case: Any, make: Callable[[Any, Any], Any], options: argparse.Namespace, folder: str) -> dict[str, Any]:
    from addon.core.errors import PrehendError
    from addon.rig.skin import skin_objects
    from addon.services.closing import without

    try:
        taken = take(case, make, options)
    except PrehendError as error:
        return {"note": str(error), "held": False, "closed": False}
    if taken.search.model.skin is None:
        return {"movement": taken.report.movement, "note": "no skin near the hand to simulate"}
    skins = skin_objects(taken.armature, without(taken.prop, taken.layer.objects))
    question = {
        "hand": _meshes(skins, taken.layer.depsgraph),
        "object": _meshes([taken.prop], taken.layer.depsgraph),
        "folder": folder,
    }
    try:
        answer = ask(BULLET, question)
    except SetupError as error:
        return {"movement": taken.report.movement, "note": str(error)}
    falls = answer["displacements_cm"]
    return {
        "movement": taken.report.movement,
        "contacts": answer["contacts"],
        "epsilon": answer["epsilon"],
        "mean_cm": sum(falls) / len(falls),
        "worst_cm": max(falls),
        "held": max(falls) <= MOST_CM,
        "closed": answer["epsilon"] > LEAST_EPSILON,
    }


def _meshes(objects: list[Any], depsgraph: Any) -> dict[str, Any]:
    """Meshes as Blender shows them, as one, in world metres."""
    from addon.rig.surface import read_triangles

    vertices: list[Any] = []
    triangles: list[Any] = []
    for obj in objects:
        read = read_triangles(obj, depsgraph)
        triangles += (read.triangles + len(vertices)).tolist()
        vertices += read.vertices.tolist()
    return {"vertices": vertices, "triangles": triangles}


def _summary(rows: list[dict[str, Any]]) -> list[str]:
    judged = [row for row in rows if "held" in row]
    if not judged:
        return []
    falls = [row["worst_cm"] for row in judged if "worst_cm" in row]
    held, closed = (sum(row[key] for row in judged) for key in ("held", "closed"))
    return [
        f"{held} of {len(judged)} objects move by no more than {MOST_CM} cm in the worst of six directions "
        f"(mean of the worst {sum(falls) / max(len(falls), 1):.2f} cm); {closed} of {len(judged)} grasps have force "
        f"closure at a friction of 0.6."
    ]
