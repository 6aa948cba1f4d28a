# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`bench ik`: fingertip inverse kinematics on 1000 reachable targets, beside Blender, ikpy and roboticstoolbox."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from launcher.errors import SetupError

from .report import Column, Report

if TYPE_CHECKING:
    from .ik_sets import Answer, TargetSet

HELP = "fingertip IK: success, tip error and time, beside Blender's IK constraint, ikpy and roboticstoolbox"

COLUMNS = (
    Column("name", "method"),
    Column("success_free_percent", "free %"),
    Column("success_coupled_percent", "coupled %"),
    Column("worst_free_mm", "worst mm", ".1e"),
    Column("worst_coupled_mm", "worst mm", ".1e"),
    Column("limits_broken", "broken", "d"),
    Column("single_us", "us a solve", ".2f"),
    Column("batched_us", "batched us", ".3f"),
    Column("ratio", "times", ".1f"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How many targets, and whom to compare with."""
    parser.add_argument("--targets", type=int, default=1000, help="targets of each set (default: 1000)")
    parser.add_argument("--no-peers", action="store_true", help="measure Prehend's own solvers only")


def run(options: argparse.Namespace) -> Report:
    """Every solver on both sets, one judge for all."""
    from . import ik_own
    from .ik_sets import make_set

    if options.targets < 1:
        raise SetupError("--targets must be 1 or more.")
    report = Report(
        "ik",
        f"Fingertip IK: index finger 39.8/22.4/19.7 mm, {options.targets} reachable targets, DIP free and coupled",
        COLUMNS,
    )
    sets = [make_set(options.targets, coupled=coupled) for coupled in (False, True)]
    for name, solver in ik_own.SOLVERS.items():
        print(f"{name} ...", flush=True)
        report.rows.append(_row(name, [solver(each) for each in sets]))
    if not options.no_peers:
        _add_peers(report, sets)
    own = report.rows[0]["single_us"]
    for row in report.rows:
        if "single_us" in row:
            row["ratio"] = row["single_us"] / own
    report.notes += [
        "Success: tip within 0.1 mm and every joint within 0.01 degrees of its limits; worst mm: among the successes.",
        "us a solve: processor time (Blender, which has threads: wall time), best of the runs, mean of both sets;",
        "times: against the first row, in this run.",
    ]
    return report


def _add_peers(report: Report, sets: list[TargetSet]) -> None:
    from .ik_blender import SETUPS, solve_in_blender
    from .ik_peers import PEERS, solve_by_peer

    for setup in SETUPS:
        print(f"{setup.name} ...", flush=True)
        report.rows.append(_row(setup.name, [solve_in_blender(each, setup) for each in sets]))
    for peer in PEERS:
        print(f"{peer.name} ...", flush=True)
        try:
            report.rows.append(_row(peer.name, [solve_by_peer(peer, each) for each in sets]))
        except SetupError as error:
            report.rows.append({"name": peer.name, "note": str(error)})


def _row(name: str, answers: list[Answer]) -> dict[str, object]:
    from .ik_sets import judge

    free, coupled = (judge(each) for each in answers)
    batched = [each.batched_us for each in answers if each.batched_us is not None]
    return {
        "name": name,
        "success_free_percent": free.success_percent,
        "success_coupled_percent": coupled.success_percent,
        "worst_free_mm": free.worst_mm,
        "worst_coupled_mm": coupled.worst_mm,
        "limits_broken": free.limits_broken + coupled.limits_broken,
        "single_us": sum(each.single_us for each in answers) / len(answers),
        "batched_us": sum(batched) / len(batched) if batched else None,
    }
