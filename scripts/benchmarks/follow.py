# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`bench follow`: five fingertips of a generated Rigify human that follow their targets, beside Blender's own work."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from launcher.errors import SetupError

from .report import Column, Report

if TYPE_CHECKING:
    from .follow_scene import Loop

HELP = "Follow Tips on a generated Rigify human: updates a second, with and without Prehend"

COLUMNS = (
    Column("name", "loop"),
    Column("per_second", "updates/s", ".0f"),
    Column("ms", "ms", ".2f"),
    Column("blender_ms", "Blender ms", ".2f"),
    Column("prehend_ms", "Prehend ms", ".2f"),
    Column("solver_ms", "solver ms", ".2f"),
    Column("ratio", "times", ".2f"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How long."""
    parser.add_argument("--rounds", type=int, default=5, help="rounds of 60 updates that are timed (default: 5)")
    parser.add_argument("--vertices", type=int, default=20_000, help="size of the skin, 0 for none (default: 20000)")


def run(options: argparse.Namespace) -> Report:
    """The same movement of five targets with and without Prehend, on the bare rig and on one with a skin."""
    from .follow_scene import add_rigify_human, measure, prepare

    if options.rounds < 1:
        raise SetupError("--rounds must be 1 or more.")
    if options.vertices < 0:
        raise SetupError("--vertices must be 0 or more.")
    report = Report("follow", "", COLUMNS)
    for vertices in (0, options.vertices) if options.vertices else (0,):
        print(f"a skin of {vertices} vertices ..." if vertices else "the bare rig ...", flush=True)
        scene = prepare(add_rigify_human(vertices))
        report.title = f"Follow Tips: Rigify human of {scene.bones} bones, {len(scene.targets)} targets that move"
        followed, alone = measure(scene, options.rounds)
        skin = f", skin of {vertices} vertices" if vertices else ""
        report.rows += [
            _row(f"Blender alone{skin}", alone, alone),
            _row(f"with Follow Tips{skin}", followed, alone),
        ]
    report.notes += [
        "Each update moves all targets, evaluates them, turns the fingers and evaluates the rig; without a window.",
        "Blender alone: the same channels, kept from a first round, are set by a script that works nothing out.",
        "Medians of the updates, wall time; Prehend ms: reading, solving and writing; times: against Blender alone.",
        f"Farthest that a tip stayed from its target: {1000.0 * max(each['miss_m'] for each in report.rows):.4f} mm.",
    ]
    return report


def _row(name: str, loop: Loop, alone: Loop) -> dict[str, object]:
    return {
        "name": name,
        "per_second": 1.0 / loop.seconds,
        "ms": 1e3 * loop.seconds,
        "blender_ms": 1e3 * (loop.seconds - loop.own_seconds),
        "prehend_ms": 1e3 * loop.own_seconds,
        "solver_ms": 1e3 * loop.solve_seconds,
        "ratio": loop.seconds / alone.seconds,
        "miss_m": loop.miss,
    }
