# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""An X display to open Blender on, and pictures of what it shows."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SCREEN = "1600x1000x24"  # high enough for the whole tab, low enough for a software renderer


class NoDisplayError(Exception):
    """There is no display to use and none can be started."""


class Picture:
    """The pixels of a display at one moment."""

    def __init__(self, size: tuple[int, int], rgb: bytes) -> None:
        self.width, self.height = size
        self.rgb = rgb

    def save(self, path: Path) -> None:
        """Write a PNG file."""
        import mss.tools

        path.parent.mkdir(parents=True, exist_ok=True)
        mss.tools.to_png(self.rgb, (self.width, self.height), output=str(path))

    def colours(self) -> int:
        """How many different colours a sample of the pixels has; a black or unpainted window has one or two."""
        return len({self.rgb[i : i + 3] for i in range(0, len(self.rgb), 3 * 101)})

    def changed(self, other: Picture, box: tuple[int, int, int, int]) -> float:
        """Share of pixels in `box` (left, top, right, bottom) that differ visibly from `other`'s."""
        left, top, right, bottom = box
        changed = total = 0
        for y in range(top, bottom, 2):
            for x in range(left, right, 2):
                i = 3 * (y * self.width + x)
                total += 1
                changed += any(abs(a - b) > 24 for a, b in zip(self.rgb[i : i + 3], other.rgb[i : i + 3], strict=True))
        return changed / max(total, 1)


class Display:
    """One X display. The open connection also keeps a private server alive, see `open_display`."""

    def __init__(self, name: str) -> None:
        # Imported here, so that a run which only collects and skips these tests does without the library.
        import mss

        self.name = name
        self._grabber = mss.MSS(display=name)

    def picture(self) -> Picture:
        """What the whole display shows now."""
        grab = self._grabber.grab(self._grabber.monitors[0])
        return Picture((grab.width, grab.height), grab.rgb)

    def close(self) -> None:
        """Give up the connection."""
        self._grabber.close()


@contextmanager
def open_display() -> Iterator[Display]:
    """The display of the environment, or else a private Xvfb that ends with the block.

    Raises:
        NoDisplayError: Neither is there.
    """
    if name := os.environ.get("DISPLAY"):
        display = Display(name)
        try:
            yield display
        finally:
            display.close()
        return
    server = shutil.which("Xvfb")
    if server is None:
        raise NoDisplayError("no display and no Xvfb: install xvfb")
    read_end, write_end = os.pipe()
    # With -terminate the server ends with its last client, so it does not outlive a pytest that was killed.
    arguments = ["-displayfd", str(write_end), "-screen", "0", SCREEN, "-nolisten", "tcp", "-terminate"]
    process = subprocess.Popen(
        [server, *arguments],
        pass_fds=[write_end],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(write_end)
    try:
        with os.fdopen(read_end) as pipe:
            number = pipe.readline().strip()  # empty when the server dies first
        if not number:
            raise NoDisplayError(f"Xvfb did not start (exit code {process.wait()})")
        display = Display(f":{number}")
        try:
            yield display
        finally:
            display.close()
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
