# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Follow Tips in a Blender with a window: starts it, has `follow_drag.py` drag the targets there, reads the figures."""

from __future__ import annotations

import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from launcher.display import NoDisplayError, open_server, window_environment
from launcher.errors import SetupError
from launcher.legs import check_executable

_MINUTES = 20
_SMALLEST = 300
WAYS = {"still": "the hand stays", "alone": "Blender alone", "follow": "with Follow Tips"}
"""Ways of `follow_drag.py`, for people."""


@dataclass(frozen=True)
class Dragged:
    """One drag in one window: figures of its updates, medians."""

    facts: dict[str, Any]
    """As `follow_drag.py` wrote them."""
    vertices: int

    @property
    def size(self) -> str:
        """Of the part of the window that shows the scene, in pixels."""
        return "x".join(str(each) for each in self.facts["view"])

    @property
    def pixels(self) -> int:
        """As many."""
        return int(np.prod(self.facts["view"]))

    def row(self, way: str) -> dict[str, object]:
        """A row of the table."""
        found = self.facts["ways"][way]
        seconds, own = found["seconds"], found["own_seconds"]
        # Without a window, in the same Blender: where nothing bends, nothing of the rig is evaluated.
        evaluating = self.facts["evaluate_seconds"][way == "alone"] if way != "still" else 0.0
        skin = f", skin of {self.vertices}" if self.vertices else ""
        return {
            "name": f"{self.size}: {WAYS[way]}{skin}",
            "per_second": 1.0 / seconds,
            "ms": 1e3 * seconds,
            "draw_ms": 1e3 * (seconds - own - evaluating),
            "blender_ms": 1e3 * evaluating,
            "prehend_ms": 1e3 * own,
            "solver_ms": 1e3 * found["solve_seconds"],
            "processor_ms": 1e3 * found["processor_seconds"],
            "ratio": seconds / self.facts["ways"]["alone"]["seconds"],
        }


def parse_window(text: str) -> tuple[int, int]:
    """Width and height of a window in pixels, from "1280x800".

    Raises:
        SetupError: It is no such text, or too small for a 3D view beside the other editors.
    """
    width, _, height = text.partition("x")
    if not (width.isdecimal() and height.isdecimal() and min(int(width), int(height)) >= _SMALLEST):
        raise SetupError(f"--window must be a size of {_SMALLEST} pixels or more, such as 1280x800.")
    return int(width), int(height)


def drag(executable: Path, window: tuple[int, int], *, rounds: int, vertices: int) -> Dragged:
    """Drag the targets in a fresh Blender.

    Args:
        executable: Blender.
        window: Width and height in pixels.
        rounds: How often the mouse goes round in each way.
        vertices: Size of the skin; 0 for none.

    Raises:
        SetupError: There is no display, or Blender did not get to the end.
    """
    check_executable(executable)
    script = Path(__file__).resolve().parent / "follow_drag.py"
    with tempfile.TemporaryDirectory(prefix="prehend-") as folder:
        result = Path(folder) / "result.json"
        geometry = ("--window-geometry", "0", "0", *(str(each) for each in window))
        command = [str(executable), "--factory-startup", "--enable-event-simulate", *geometry]
        command += ["--python-exit-code", "4", "--python", str(script), "--", str(result), str(rounds), str(vertices)]
        try:
            with open_server(terminate=False) as display:
                done = subprocess.run(
                    command,
                    env=window_environment(display, str(Path(folder) / "user"), software=False),
                    capture_output=True,
                    text=True,
                    check=False,
                    timeout=60 * _MINUTES,
                )
        except NoDisplayError as error:
            raise SetupError(f"Blender cannot open a window here: {error}.") from error
        except subprocess.TimeoutExpired as error:
            raise SetupError(f"Blender did not end within {_MINUTES} minutes.") from error
        if not result.exists():
            last = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["it gave no reason"]
            raise SetupError(f"Blender ended without figures: {last[0]}")
        return Dragged(json.loads(result.read_text(encoding="utf-8")), vertices)


def without_pixels(drags: list[Dragged], way: str) -> float:
    """Processor time in [s] of one update of a view without pixels, on the line through views of different sizes.

    What a software renderer does for a pixel, a graphics card does beside Blender; the rest it does not.
    """
    sizes = [each.pixels for each in drags]
    _, constant = np.polyfit(sizes, [each.facts["ways"][way]["processor_seconds"] for each in drags], 1)
    return float(constant)
