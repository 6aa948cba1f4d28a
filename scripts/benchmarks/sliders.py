# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`bench sliders`: updates of a hand that a slider drags, beside Blender alone turning the same bones."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

from .data import add_data, check_data
from .report import Column, Report

HELP = "sliders of the Pose panel: updates a second on several hands, beside Blender alone"

COLUMNS = (
    Column("name", "hand and slider"),
    Column("per_second", "updates/s", ".0f"),
    Column("ms", "CPU ms", ".2f"),
    Column("slowest_ms", "slowest ms", ".1f"),
    Column("blender_ms", "Blender alone ms", ".2f"),
    Column("ratio", "times", ".1f"),
)
SLIDERS = ("curl", "spread", "thumb_opposition")
WANTED = 30.0
"""Updates a second."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How long, and which hands."""
    add_data(parser, objects=False)
    parser.add_argument("--steps", type=int, default=80, help="updates that are timed for each slider (default: 80)")


def run(options: argparse.Namespace) -> Report:
    """Drag each slider of each hand from end to end."""
    import addon

    from .close_cases import hand_cases

    check_data(options)
    addon.register()
    report = Report("sliders", "Sliders, each update evaluated by Blender; without a window", COLUMNS)
    for case in hand_cases(options.data):
        if isinstance(case, str):
            report.notes.append(case)
        elif not options.only or options.only in case.name:
            print(f"{case.name} ...", flush=True)
            report.rows += _drag_all(case, options.steps)
    slow = [row["name"] for row in report.rows if row["per_second"] < WANTED]
    report.notes += [
        f"{len(report.rows) - len(slow)} of {len(report.rows)} at {WANTED:.0f} updates a second or more.",
        "Processor time, medians. Blender alone: the bones' rotations, kept from a first drag, are set by a script.",
    ]
    return report


def _drag_all(case: Any, steps: int) -> list[dict[str, Any]]:
    import bpy

    from addon.services.poses import hands_of

    context = bpy.context  # noqa: TID251 (a script has no other way to the scene)
    case.load()
    scene, layer = context.scene, context.view_layer
    rigs = [each for each in scene.objects if each.type == "ARMATURE" and case.armature in (None, each.name)]
    armature = next(each for each in rigs if hands_of(each))
    layer.objects.active = armature
    scene.prehend.side = case.side
    layer.update()
    return [_drag(case.name, name, armature, scene, layer, steps) for name in SLIDERS]


def _drag(title: str, name: str, armature: Any, scene: Any, layer: Any, steps: int) -> dict[str, Any]:
    """A row of the table."""
    import numpy as np

    sliders = scene.prehend.sliders
    low, high = (sliders.bl_rna.properties[name].soft_min, sliders.bl_rna.properties[name].soft_max)
    kept: list[list[Any]] = []
    bones = list(armature.pose.bones)

    def slide(step: int) -> None:
        setattr(sliders, name, low + (high - low) * step / (steps - 1))

    def keep() -> None:
        kept.append([bone.matrix_basis.copy() for bone in bones])

    own = _times(slide, layer, steps, keep)
    moved = [k for k in range(len(bones)) if kept[0][k] != kept[-1][k]]

    def turn(step: int) -> None:
        for k in moved:
            bones[k].matrix_basis = kept[step][k]

    alone = float(np.median(_times(turn, layer, steps)))
    usual = float(np.median(own))
    return {
        "name": f"{title}, {name}",
        "per_second": 1.0 / usual,
        "ms": 1e3 * usual,
        "slowest_ms": 1e3 * max(own),
        "blender_ms": 1e3 * alone,
        "ratio": usual / alone,
    }


def _times(
    update: Callable[[int], None], layer: Any, steps: int, after: Callable[[], object] = lambda: None
) -> list[float]:
    """Processor time in [s] of every update with all that Blender does for it."""
    costs: list[float] = []
    for step in range(steps):
        started = time.process_time()
        update(step)
        layer.update()
        costs.append(time.process_time() - started)
        after()
    return costs
