# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`bench close`: hands closing on objects, judged on the skin that is shown, and how long it takes beside others."""

from __future__ import annotations

import argparse
from contextlib import ExitStack

from .data import add_data, check_data
from .report import Column, Report

HELP = "closing fingers: depth, gaps and time on the shown skin, beside the literal algorithm on mathutils and fcl"

COLUMNS = (
    Column("name", "hand and object"),
    Column("touching", "touching"),
    Column("deepest_mm", "deepest mm", ".2f"),
    Column("worst_gap_mm", "worst gap mm", ".2f"),
    Column("first_ms", "first ms", ".0f"),
    Column("again_ms", "again ms", ".1f"),
    Column("ratio", "times", ".1f"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where real hands and objects are, and what to leave out."""
    add_data(parser)
    parser.add_argument("--movement", default="medium_diameter", help="how hands close (default: medium_diameter)")
    parser.add_argument("--no-speed", action="store_true", help="leave out the rows that measure time alone")


def run(options: argparse.Namespace) -> Report:
    """Every hand on every object, then the clock."""
    from addon.services.watching import watch_skins

    from .close_cases import cases, close_case, objects

    check_data(options)
    report = Report("close", f"Close Fingers ({options.movement}), objects placed before the palm", COLUMNS)
    verdicts: list[bool] = []
    with ExitStack() as undo:
        # As in the running extension.
        watch_skins(undo)
        for title, case, make in cases(options, objects(options.data), report.notes):
            row = {"name": title, **close_case(case, make, options.movement)}
            verdicts.append(row["good"])
            report.rows.append(row)
        if not options.no_speed:
            from .close_speed import speed_rows

            report.rows += speed_rows()
    share = 100.0 * sum(verdicts) / max(len(verdicts), 1)
    report.notes += [
        f"{sum(verdicts)} of {len(verdicts)} cases ({share:.1f} %) have no vertex of the shown skin deeper than "
        "0.5 mm and every finger that the object stopped within 0.2 mm of it.",
        "first ms: from click to pose with nothing known of the object; again ms: with what the first one found out; "
        "times: against the first row of its kind. Rows that measure time alone give the processor's.",
        "Literal rows do less: rigid hulls of bones, one way of closing, the 20 published interpolations and no place "
        "between them; they read, pose and measure nothing in Blender. Close Fingers compares 15 ways, ends on every "
        "vertex of the skin, writes the pose and measures the mesh that is shown.",
    ]
    return report
