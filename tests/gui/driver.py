# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs inside Blender: loads the add-on, plays one scenario with mouse and keyboard, writes the result and exits.

blender --factory-startup --enable-event-simulate --python driver.py -- --scenario NAME --work DIR --repository DIR
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
import threading
import traceback
from pathlib import Path
from typing import Any

import bpy

sys.dont_write_bytecode = True  # several Blenders may share one checkout
sys.path.insert(0, str(Path(__file__).resolve().parent))

from gui_blender.gui import Gui  # noqa: E402 - needs the path above
from gui_blender.steps import CONTEXT  # noqa: E402 - needs the path above


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="driver.py")
    parser.add_argument("--scenario", required=True, help="module in scenarios/")
    parser.add_argument("--work", required=True, type=Path, help="directory for requests and the result")
    parser.add_argument("--repository", type=Path, help="checkout whose add-on is registered")
    parser.add_argument("--zip", type=Path, help="extension that is installed instead")
    return parser.parse_args(sys.argv[sys.argv.index("--") + 1 :])


def _load_add_on(arguments: argparse.Namespace) -> None:
    if arguments.zip:
        bpy.ops.extensions.package_install_files(
            filepath=str(arguments.zip), repo="user_default", enable_on_install=True
        )
        if "bl_ext.user_default.prehend" not in CONTEXT.preferences.addons:
            raise RuntimeError(f"{arguments.zip} did not install as bl_ext.user_default.prehend")
    elif arguments.repository:
        sys.path.insert(0, str(arguments.repository))
        importlib.import_module("addon").register()


class _Play:
    """A scenario on a timer."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.gui = Gui(arguments.scenario, arguments.work)
        self.work = arguments.work
        self.steps = self._steps(arguments)
        self.error = ""

    def _steps(self, arguments: argparse.Namespace) -> Any:
        _load_add_on(arguments)
        yield from self.gui.start_empty()
        yield from importlib.import_module(f"scenarios.{arguments.scenario}").play(self.gui)

    def _picture_of_failure(self) -> Any:
        yield from self.gui.screenshot(99, "failed")

    def turn(self) -> float:
        """Go on to the next wait; ends Blender after the last one."""
        try:
            return next(self.steps)
        except StopIteration:
            self.finish()
        except Exception:
            if self.error:  # the picture failed too
                self.finish()
            self.error = traceback.format_exc()
            self.steps = self._picture_of_failure()
        return 0.0

    def finish(self) -> None:
        """Write the result and end Blender, past its questions about unsaved files."""
        result = {
            "scenario": self.gui.scenario,
            "blender": bpy.app.version_string,
            "error": self.error,
            "viewport": self.gui.viewport_rectangle(),
            "records": self.gui.records,
        }
        (self.work / "result.json").write_text(json.dumps(result), encoding="utf-8")
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(1 if self.error else 0)


def _end_with_test_run() -> None:
    """End Blender, even while it hangs, when the test run that holds the other end of its input is gone."""
    os.read(0, 1)
    os._exit(3)


def main() -> None:
    """Set Blender up and start the scenario."""
    arguments = _arguments()
    CONTEXT.preferences.view.show_splash = False
    CONTEXT.preferences.view.smooth_view = 0
    CONTEXT.preferences.system.viewport_aa = "FXAA"  # one pass; by default every redraw is followed by several more
    threading.Thread(target=_end_with_test_run, daemon=True).start()
    bpy.app.timers.register(_Play(arguments).turn, persistent=True)


main()
