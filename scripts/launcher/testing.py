# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The test command: chooses the legs, runs them and says what ran and what did not."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .errors import BAD_INPUT, SetupError
from .interpreters import find_python
from .legs import Leg, Outcome, blender_leg, gui_leg, run_leg, unit_leg, wheel_leg
from .main import choose_wheel
from .wheels import WHEELS


def main() -> int:
    """Run the chosen legs; 0 when nothing that ran failed."""
    options, extra = _parse()
    try:
        legs = _legs(options)
    except SetupError as error:
        print(f"test: {error}", file=sys.stderr)
        return BAD_INPUT
    if options.brief:
        extra = ["-m", "not long", *extra]
    outcomes = _run(legs, extra, jobs=options.jobs)
    _summarise(legs, outcomes)
    ran = [each for each in outcomes if not each.not_run]
    if not ran:
        return BAD_INPUT
    return 1 if any(each.failed for each in ran) else 0


def _parse() -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser(description="Run Prehend's tests; further arguments go to pytest.")
    parser.add_argument("--wheel", choices=[*(each.series for each in WHEELS), "all"], help="Blender wheels to test on")
    parser.add_argument("--blender", type=Path, action="append", default=[], help="test inside this Blender")
    parser.add_argument("--gui", type=Path, action="append", default=[], help="window tests with this Blender")
    parser.add_argument(
        "--brief", action="store_true", help="no unit tests, and none in Blender that take long and tell little of it"
    )
    parser.add_argument("--jobs", type=int, default=1, help="legs to run side by side")
    return parser.parse_known_args()


def _legs(options: argparse.Namespace) -> list[Leg]:
    python = _any_python()
    legs: list[Leg] = []
    if options.wheel or not (options.blender or options.gui):
        if not options.brief:
            legs.append(unit_leg(python))
        chosen = WHEELS if options.wheel == "all" else (choose_wheel(options.wheel),)
        legs += [wheel_leg(each) for each in chosen]
    legs += [blender_leg(path.absolute(), python) for path in options.blender]
    legs += [gui_leg(path.absolute(), python) for path in options.gui]
    return legs


def _any_python() -> tuple[int, int]:
    """A Python version that Blender ships and this machine has; this one if it fits."""
    versions = sorted({each.python for each in WHEELS}, key=lambda each: each != sys.version_info[:2])
    found = next((each for each in versions if find_python(each) is not None), None)
    return found or choose_wheel(None).python


def _run(legs: list[Leg], extra: list[str], *, jobs: int) -> list[Outcome]:
    if jobs <= 1:
        outcomes: list[Outcome] = []
        for leg in legs:
            print(f"=== {leg.name}", flush=True)
            outcomes.append(run_leg(leg, extra, capture=False))
        return outcomes
    with ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(run_leg, leg, extra, capture=True) for leg in legs]
        for leg, future in zip(legs, futures):  # noqa: B905 (this file is read by older Pythons too)
            print(f"=== {leg.name}\n{future.result().output}", flush=True)
        return [future.result() for future in futures]


def _summarise(legs: list[Leg], outcomes: list[Outcome]) -> None:
    print("\nleg                     passed  failed  skipped  seconds")
    for leg, each in zip(legs, outcomes):  # noqa: B905 (as above)
        counts = "not run" if each.not_run else f"{each.passed:>6}  {each.failed:>6}  {each.skipped:>7}"
        print(f"{leg.name:<22}  {counts:<23}  {each.seconds:>7.0f}")
    passed, failed, skipped = (sum(getattr(each, key) for each in outcomes) for key in ("passed", "failed", "skipped"))
    missing = [f"{leg.name} ({each.not_run})" for leg, each in zip(legs, outcomes) if each.not_run]  # noqa: B905
    if skipped:
        missing.append(f"{skipped} skipped tests (named above with their reasons)")
    print(f"tests: {passed} passed, {failed} failed, {skipped} skipped")
    print(f"Not run: {'; '.join(missing) or 'nothing'}")
