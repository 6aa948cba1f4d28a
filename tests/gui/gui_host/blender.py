# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts a Blender with a window, takes the pictures its driver asks for, and brings back the driver's result."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.launcher.display import window_environment

from .display import Display, Picture

HERE = Path(__file__).resolve().parents[1]
REPOSITORY = HERE.parents[1]

# What Blender prints when a script, an operator, a panel or a handler raises.
PYTHON_ERRORS = ("Traceback", "Error: Python", "Python script error")


class GuiRunError(AssertionError):
    """A scenario failed, hung or left Python errors in Blender's log."""


@dataclass(frozen=True)
class GuiResult:
    """What a finished scenario left behind."""

    records: dict[str, Any]
    """What the scenario recorded, by name."""
    pictures: dict[str, Picture]
    """The screenshots by name."""
    viewport: tuple[int, int, int, int]
    """Left, top, right and bottom of the 3D view in the screenshots [px]."""
    log: str
    """Everything Blender printed."""


@dataclass(frozen=True)
class GuiBlender:
    """One Blender executable and where its windows, results and screenshots go."""

    executable: str
    version: str
    display: Display
    out: Path
    """Directory of this version's screenshots and logs."""
    work: Path
    """Directory for files that nobody keeps."""
    extension_zip: Path | None
    """Extension to install; without one the add-on of this checkout is registered."""
    timeout: float
    """Longest time for one scenario [s]."""

    def run(self, scenario: str) -> GuiResult:
        """Play `scenarios/<scenario>.py` in a fresh Blender.

        Raises:
            GuiRunError: It failed, took too long, or Blender's log shows Python errors.
        """
        work = self.work / scenario
        work.mkdir(parents=True)
        self.out.mkdir(parents=True, exist_ok=True)
        for stale in self.out.glob(f"*-{scenario}-*.png"):
            stale.unlink()
        log_path = self.out / f"{scenario}.log"
        with log_path.open("wb") as log_file:
            process = subprocess.Popen(
                self._command(scenario, work),
                env=window_environment(self.display.name, str(work / "user"), software=True),
                stdin=subprocess.PIPE,  # nothing is written; its end tells the driver that this process is gone
                stdout=log_file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                pictures = self._serve(process, scenario, work)
            finally:
                _end_group(process)
        log = log_path.read_text(encoding="utf-8", errors="replace")
        return self._judge(scenario, work, pictures, log, process.returncode)

    def _command(self, scenario: str, work: Path) -> list[str]:
        add_on = ["--zip", str(self.extension_zip)] if self.extension_zip else ["--repository", str(REPOSITORY)]
        return [
            self.executable,
            *("--factory-startup", "--enable-event-simulate", "--window-geometry", "0", "0", "1600", "1000"),
            *("--python-exit-code", "4", "--python", str(HERE / "driver.py"), "--"),
            *("--scenario", scenario, "--work", str(work), *add_on),
        ]

    def _serve(self, process: subprocess.Popen[bytes], scenario: str, work: Path) -> dict[str, Picture]:
        """Answer the driver's requests for screenshots until Blender ends."""
        pictures: dict[str, Picture] = {}
        end = time.monotonic() + self.timeout
        while process.poll() is None:
            if time.monotonic() > end:
                self.display.picture().save(self.out / f"99-{scenario}-timeout.png")
                raise GuiRunError(f"{scenario}: no end after {self.timeout:.0f} s; see {self.out}/{scenario}.log")
            for request in sorted(work.glob("*.want")):
                name = request.stem
                picture = self.display.picture()
                picture.save(self.out / f"{name}.png")
                pictures[name] = picture
                request.rename(request.with_suffix(".done"))
            time.sleep(0.02)
        return pictures

    def _judge(self, scenario: str, work: Path, pictures: dict[str, Picture], log: str, exit_code: int) -> GuiResult:
        result_path = work / "result.json"
        if not result_path.exists():
            raise GuiRunError(f"{scenario}: Blender ended with code {exit_code} and no result\n{_tail(log)}")
        result = json.loads(result_path.read_text(encoding="utf-8"))
        (self.out / f"{scenario}.json").write_text(json.dumps(result, indent=1), encoding="utf-8")
        if result["error"]:
            raise GuiRunError(f"{scenario}, in Blender {self.version}:\n{result['error']}\n{_tail(log)}")
        if exit_code != 0:
            raise GuiRunError(f"{scenario}: Blender ended with code {exit_code}\n{_tail(log)}")
        if any(sign in log for sign in PYTHON_ERRORS):
            raise GuiRunError(f"{scenario}: Python errors in Blender's log\n{_tail(log)}")
        for name, picture in pictures.items():
            if picture.colours() < 16:
                raise GuiRunError(f"{scenario}: screenshot {name} shows nothing")
        return GuiResult(result["records"], pictures, _viewport_box(result["viewport"], pictures), log)


def blender_version(executable: str) -> str:
    """The version that an executable reports, as "4.3"."""
    answer = subprocess.run([executable, "--version"], capture_output=True, text=True, timeout=120, check=True)
    match = re.search(r"Blender (\d+\.\d+)", answer.stdout)
    if match is None:
        raise GuiRunError(f"{executable} --version does not answer like Blender: {answer.stdout[:200]!r}")
    return match[1]


def _viewport_box(rectangle: dict[str, int], pictures: dict[str, Picture]) -> tuple[int, int, int, int]:
    """Turn Blender's rectangle, counted from the lower left, into a box of the screenshots."""
    height = next(iter(pictures.values())).height if pictures else 0
    left, bottom = rectangle["x"], height - rectangle["y"]
    return left, bottom - rectangle["height"], left + rectangle["width"], bottom


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End Blender and whatever wrapper or helper it was started with."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    if process.stdin:
        process.stdin.close()
    process.wait()


def _tail(log: str) -> str:
    return "--- end of Blender's log ---\n" + "\n".join(log.splitlines()[-40:])
