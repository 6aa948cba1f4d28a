# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""An X display for a Blender with a window: the environment's own, or a private one without a screen."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

SCREEN = "1600x1000x24"  # high enough for the whole tab, low enough for a software renderer


class NoDisplayError(Exception):
    """There is no display to use and none can be started."""


@contextmanager
def open_server(*, terminate: bool) -> Iterator[str]:
    """The name of the environment's display, or else of a private Xvfb that ends with the block.

    Args:
        terminate: Whether a private server ends with its last client too, so that it does not outlive a program that
            was killed; for callers that stay connected.

    Raises:
        NoDisplayError: Neither is there.
    """
    if name := os.environ.get("DISPLAY"):
        yield name
        return
    server = shutil.which("Xvfb")
    if server is None:
        raise NoDisplayError("no display and no Xvfb: install xvfb")
    read_end, write_end = os.pipe()
    arguments = ["-displayfd", str(write_end), "-screen", "0", SCREEN, "-nolisten", "tcp"]
    process = subprocess.Popen(
        [server, *arguments, *(["-terminate"] if terminate else [])],
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
        yield f":{number}"
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def window_environment(display: str, resources: str, *, software: bool) -> dict[str, str]:
    """Variables for a Blender on a display, with preferences and extensions of its own.

    Args:
        display: Name of the display.
        resources: Folder for what Blender keeps of a user, so that the user's own is left alone.
        software: Whether the processor draws, even where there is a graphics card.
    """
    environment = {key: value for key, value in os.environ.items() if key != "WAYLAND_DISPLAY"}
    environment.update({"DISPLAY": display, "BLENDER_USER_RESOURCES": resources})
    return {**environment, "LIBGL_ALWAYS_SOFTWARE": "1"} if software else environment
