# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The user's hands: a mouse and a keyboard on Blender's own event queue."""

from __future__ import annotations

from typing import Any

import bpy

from .steps import Steps, settle

Point = tuple[int, int]

_KEYS = {" ": "SPACE", "-": "MINUS", ".": "PERIOD", **{str(i): name for i, name in enumerate(
    ("ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE")
)}}  # fmt: skip


class Hands:
    """Moves, clicks, drags, scrolls and types. Positions are window pixels from the lower left."""

    def __init__(self) -> None:
        self.at: Point = (0, 0)

    @property
    def window(self) -> Any:
        """The window, looked up anew because undo may move it."""
        return bpy.data.window_managers[0].windows[0]

    def _send(self, kind: str, value: str, **modifiers: Any) -> None:
        self.window.event_simulate(kind, value, x=self.at[0], y=self.at[1], **modifiers)

    def move(self, point: Point) -> Steps[None]:
        """Put the mouse somewhere."""
        self.at = (int(point[0]), int(point[1]))
        self._send("MOUSEMOVE", "NOTHING")
        yield 0.0

    def click(self, point: Point | None = None, *, button: str = "LEFTMOUSE") -> Steps[None]:
        """Press and release a mouse button, at the mouse's place if no other is given."""
        if point is not None:
            yield from self.move(point)
        self._send(button, "PRESS")
        yield 0.0
        self._send(button, "RELEASE")
        yield from settle()

    def drag(self, start: Point, end: Point, *, moves: int = 10) -> Steps[None]:
        """Move the mouse from one place to another with the left button held."""
        yield from self.move(start)
        self._send("LEFTMOUSE", "PRESS")
        yield 0.0
        for i in range(1, moves + 1):
            share = i / moves
            yield from self.move(
                (round(start[0] + share * (end[0] - start[0])), round(start[1] + share * (end[1] - start[1])))
            )
        self._send("LEFTMOUSE", "RELEASE")
        yield from settle()

    def scroll(self, *, down: bool = True) -> Steps[None]:
        """Turn the wheel by one notch."""
        self._send("WHEELDOWNMOUSE" if down else "WHEELUPMOUSE", "PRESS")
        yield from settle(2)

    def press(self, key: str, *, ctrl: bool = False, shift: bool = False, alt: bool = False) -> Steps[None]:
        """Press and release a key, named as in Blender's keymaps."""
        self._send(key, "PRESS", ctrl=ctrl, shift=shift, alt=alt)
        yield 0.0
        self._send(key, "RELEASE", ctrl=ctrl, shift=shift, alt=alt)
        yield from settle()

    def type(self, text: str) -> Steps[None]:
        """Type letters, digits and blanks."""
        for character in text:
            key = _KEYS.get(character, character.upper())
            self._send(key, "PRESS", unicode=character, shift=character.isupper())
            yield 0.0
            self._send(key, "RELEASE", shift=character.isupper())
            yield 0.0

    def undo(self) -> Steps[None]:
        """Ctrl+Z."""
        yield from self.press("Z", ctrl=True)

    def redo(self) -> Steps[None]:
        """Ctrl+Shift+Z."""
        yield from self.press("Z", ctrl=True, shift=True)
