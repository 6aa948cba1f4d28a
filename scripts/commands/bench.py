# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`bench`: how well and how fast, beside others, in one run."""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path
from types import ModuleType

from launcher.output import check_folder

HELP = "measure Prehend beside other tools, in one run on this machine"
BENCHES = ("ik", "follow", "sliders", "close", "step", "grasp", "hold", "animate", "export")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One sub-command per benchmark, each with its own arguments."""
    benches = parser.add_subparsers(dest="bench", required=True, metavar="BENCH")
    for name in BENCHES:
        bench = _bench(name)
        sub = benches.add_parser(name, help=bench.HELP, description=bench.HELP)
        sub.add_argument("--json", type=Path, metavar="FILE", help="write the figures to this file too")
        bench.add_arguments(sub)


def check(options: argparse.Namespace) -> None:
    """See that the file can be written, before anything is measured."""
    if options.json is not None:
        check_folder(options.json.absolute().parent, option="--json")


def run(options: argparse.Namespace) -> None:
    """Measure, print the table and write the file."""
    report = _bench(options.bench).run(options)
    print(report.text())
    if options.json is not None:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(report.json(), encoding="utf-8")


def _bench(name: str) -> ModuleType:
    return importlib.import_module(f"benchmarks.{name}")
