# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs of the test run: each one pytest in one environment or one Blender."""

from __future__ import annotations

import os
import re
import subprocess
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from pathlib import Path

from .environments import CHECKOUT, Environment, add_packages, blender_environment, ensure, environments_folder
from .errors import SetupError
from .libraries import check_blender
from .wheels import Wheel

REPORTS = CHECKOUT / "out" / "tests"
_TEST_PACKAGES = ("pytest>=8", "hypothesis>=6.100")
_NO_TESTS = 5  # pytest's exit code when it collected nothing


@dataclass
class Outcome:
    """What became of a leg."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    not_run: str = ""
    """Why the leg could not run; empty when it ran."""
    seconds: float = 0.0
    output: str = field(default="", repr=False)


@dataclass(frozen=True)
class Leg:
    """One pytest run."""

    name: str
    """Shown to the user, such as "wheel 4.5"."""
    environment: Environment
    """What runs pytest."""
    tests: str
    """Folder of tests, relative to the checkout."""
    packages: tuple[str, ...] = _TEST_PACKAGES
    """Installed on top of the environment."""
    options: tuple[str, ...] = ()
    """More arguments for pytest."""
    blender_options: tuple[str, ...] = ()
    """Arguments for the Blender that pytest-blender starts."""

    @property
    def report(self) -> Path:
        """Pytest's XML report."""
        return REPORTS / (re.sub(r"[^\w.]+", "-", self.name) + ".xml")


def unit_leg(python: tuple[int, int]) -> Leg:
    """The pure tests, with no Blender in reach."""
    environment = Environment(f"unit-{python[0]}.{python[1]}", python, ("numpy>=1.24", *_TEST_PACKAGES))
    return Leg("unit", environment, "tests/unit", packages=())


def wheel_leg(wheel: Wheel) -> Leg:
    """The Blender tests on one wheel."""
    return Leg(f"wheel {wheel.series}", blender_environment(wheel), "tests/blender")


def blender_leg(executable: Path, python: tuple[int, int]) -> Leg:
    """The Blender tests inside a Blender executable."""
    environment = Environment(f"pytest-blender-{python[0]}.{python[1]}", python, ("pytest>=8", "pytest-blender>=3.0.8"))
    # Blender's own Python has no pytest as a rule; it borrows a copy, its own coming first if there is one.
    borrowed = environments_folder() / "pytest-for-blender"
    return Leg(
        f"blender {executable.name}",
        environment,
        "tests/blender",
        packages=(),
        options=("--blender-executable", str(executable)),
        blender_options=("--factory-startup", "--python-expr", f"import sys; sys.path.append({str(borrowed)!r})"),
    )


def gui_leg(executable: Path, python: tuple[int, int]) -> Leg:
    """The window tests with a Blender executable."""
    environment = Environment(f"gui-{python[0]}.{python[1]}", python, ("pytest>=8", "mss>=10.2"))
    options = ("--gui-blender", str(executable))
    return Leg(f"gui {executable.name}", environment, "tests/gui", packages=(), options=options)


def run_leg(leg: Leg, extra: list[str], *, capture: bool) -> Outcome:
    """Make the leg's environment and run its tests; what cannot be set up is not run, never passed."""
    started = time.monotonic()
    try:
        python = _prepare(leg)
    except SetupError as error:
        return Outcome(not_run=str(error), seconds=time.monotonic() - started)
    leg.report.parent.mkdir(parents=True, exist_ok=True)
    leg.report.unlink(missing_ok=True)
    command = [str(python), "-m", "pytest", leg.tests, f"--junitxml={leg.report}", *leg.options, *extra]
    if leg.blender_options:
        command += ["--", *leg.blender_options]
    pipe = subprocess.PIPE if capture else None
    done = subprocess.run(
        command, cwd=CHECKOUT, stdout=pipe, stderr=subprocess.STDOUT, text=True, check=False, env=_environ()
    )
    outcome = read_report(leg.report)
    # A crash after or before the tests is a failure whatever the report counted.
    if done.returncode not in (0, 1, _NO_TESTS) or (done.returncode == 1 and not outcome.failed):
        outcome.failed += 1
    if not (outcome.passed or outcome.failed or outcome.skipped):
        outcome.failed += 1
    outcome.seconds = time.monotonic() - started
    outcome.output = done.stdout or ""
    return outcome


def read_report(path: Path) -> Outcome:
    """Counts of a pytest XML report; a missing or broken one counts nothing."""
    try:
        suites = ElementTree.parse(path).getroot().iter("testsuite")
        counts = [
            {key: int(suite.get(key, 0)) for key in ("tests", "failures", "errors", "skipped")} for suite in suites
        ]
    except (OSError, ElementTree.ParseError):
        return Outcome()
    failed = sum(each["failures"] + each["errors"] for each in counts)
    skipped = sum(each["skipped"] for each in counts)
    return Outcome(passed=sum(each["tests"] for each in counts) - failed - skipped, failed=failed, skipped=skipped)


def _prepare(leg: Leg) -> Path:
    python = ensure(leg.environment)
    if leg.packages:
        add_packages(leg.environment, leg.packages)
        check_blender(python)
    if leg.blender_options:
        check_executable(Path(leg.options[1]))
        add_packages(leg.environment, ("pytest>=8",), target=environments_folder() / "pytest-for-blender")
    if leg.tests == "tests/gui":
        check_executable(Path(leg.options[1]))
    return python


def check_executable(path: Path) -> None:
    """Refuse what does not answer as Blender.

    Raises:
        SetupError: It is none; one sentence says why.
    """
    if not os.access(path, os.X_OK) or path.is_dir():
        raise SetupError(f"{path} is not a Blender executable: give the path of one.")
    try:
        done = subprocess.run([str(path), "--version"], capture_output=True, text=True, check=False, timeout=1200)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SetupError(f"{path} does not start ({error}): give the path of a Blender executable.") from error
    if not re.search(r"^Blender \d", done.stdout, re.MULTILINE):
        raise SetupError(f"{path} does not answer as Blender: {(done.stderr or done.stdout).strip()[-200:]}")


def _environ() -> dict[str, str]:
    # User add-ons and settings of this machine must not decide a test.
    return {**os.environ, "PYTHONNOUSERSITE": "1"}
