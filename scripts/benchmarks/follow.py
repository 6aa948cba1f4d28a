# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`bench follow`: five fingertips of a generated Rigify human that follow their targets, beside Blender's own work."""

from __future__ import annotations

import argparse
from pathlib import Path
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
    Column("processor_ms", "CPU ms", ".2f"),
    Column("ratio", "times", ".2f"),
)
DRAWN = (*COLUMNS[:3], Column("draw_ms", "drawing ms", ".2f"), *COLUMNS[3:])


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How long, and in which windows."""
    parser.add_argument("--rounds", type=int, default=5, help="rounds of 60 updates that are timed (default: 5)")
    parser.add_argument("--vertices", type=int, default=20_000, help="size of the skin, 0 for none (default: 20000)")
    parser.add_argument("--gui", type=Path, metavar="BLENDER", help="drag the targets in this Blender's window instead")
    parser.add_argument("--window", action="append", metavar="WxH", help="its size (default: 640x480 and 1280x800)")


def run(options: argparse.Namespace) -> Report:
    """The same movement of five targets with and without Prehend, on the bare rig and on one with a skin."""
    from .follow_scene import add_rigify_human, measure, prepare, start_empty

    if options.rounds < 1:
        raise SetupError("--rounds must be 1 or more.")
    if options.vertices < 0:
        raise SetupError("--vertices must be 0 or more.")
    if options.gui is not None:
        return _run_in_window(options)
    report = Report("follow", "", COLUMNS)
    for vertices in (0, options.vertices) if options.vertices else (0,):
        print(f"a skin of {vertices} vertices ..." if vertices else "the bare rig ...", flush=True)
        start_empty()
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
        "CPU ms: processor time of all threads, which other programs hardly change.",
        f"Farthest that a tip stayed from its target: {1000.0 * max(each['miss_m'] for each in report.rows):.4f} mm.",
    ]
    return report


def _run_in_window(options: argparse.Namespace) -> Report:
    """Dragged by the mouse in windows of different sizes, with all that Blender draws."""
    from .follow_window import WAYS, drag, parse_window, without_pixels

    windows = [parse_window(each) for each in options.window or ("640x480", "1280x800")]
    report, facts = Report("follow", "", DRAWN), {}
    for vertices in (0, options.vertices) if options.vertices else (0,):
        drags = []
        for window in windows:
            print(f"a window of {window[0]}x{window[1]}, a skin of {vertices} vertices ...", flush=True)
            drags.append(drag(options.gui.absolute(), window, rounds=options.rounds, vertices=vertices))
        report.rows += [each.row(way) for each in drags for way in WAYS]
        skin = f" with a skin of {vertices}" if vertices else ""
        if len(windows) > 1:
            left = ", ".join(f"{name} {1e3 * without_pixels(drags, way):.0f}" for way, name in WAYS.items())
            report.notes.append(f"CPU ms of a view without pixels{skin}, on the line through all sizes: {left}.")
        facts, late = drags[0].facts, sum(each.facts["late"] for each in drags)
        report.title = f"Follow Tips drawn: Rigify human of {facts['bones']} bones, Blender {facts['blender']}"
        report.notes.append(f"Drawings{skin} that showed the hand behind its targets: {late}.")
    report.notes += [
        "Each update is a mouse move of a drag (G) of all targets, solid shading; the next one comes when it is drawn.",
        "The hand stays: the same drag, nothing follows. Blender alone: channels kept from a first round are set.",
        "Medians, wall time. Blender ms: evaluating, measured without drawing; drawing: the rest; CPU: of all threads.",
        f"Drawn by {facts['renderer']}.",
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
        "processor_ms": 1e3 * loop.processor_seconds,
        "ratio": loop.seconds / alone.seconds,
        "miss_m": loop.miss,
    }
