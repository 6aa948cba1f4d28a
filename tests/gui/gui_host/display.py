# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""An X display to open Blender on, and pictures of what it shows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scripts.launcher.display import NoDisplayError, open_server

__all__ = ["Display", "NoDisplayError", "Picture", "open_display"]


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
    with open_server(terminate=True) as name:
        display = Display(name)
        try:
            yield display
        finally:
            display.close()
