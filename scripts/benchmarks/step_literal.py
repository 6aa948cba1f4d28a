# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One search step as published, one pose and one bone at a time, for anything that can tell whether a bone touches.

Read by other people's tools in their own environments too: numpy and nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

Touches = Callable[[int, Any], bool]
"""Number of a bone and the frame (4, 4) that carries it, to whether it touches the object."""


class LiteralStep:
    """The step's poses; what it is made of comes from `step_scene.as_question`."""

    def __init__(self, question: dict[str, Any], touches: Touches) -> None:
        """Take the poses and what tells whether bones touch."""
        self.wrists = np.array(question["wrists"])
        self.back = np.array(question["back"])
        self.lift, self.most_lifts = float(question["lift_m"]), int(question["most_lifts"])
        self.parents: list[int] = question["parents"]
        self.local = np.array(question["local"])
        self.owners: list[int] = question["owners"]
        self.touches = touches
        self.queries: list[tuple[int, Any]] = []
        self.recording = False

    def run(self) -> list[list[int]]:
        """Interpolations that each joint made, for each pose (algorithms 1 to 3)."""
        return [self._close(self._free(wrist)) for wrist in self.wrists]

    def seconds(self, runs: int) -> tuple[float, float]:
        """Shortest time of a step, and of its collision tests alone, in [s]."""
        whole = min(_timed(self.run) for _ in range(runs))
        self.recording = True
        self.run()
        self.recording = False

        def ask() -> None:
            for bone, frame in self.queries:
                self.touches(bone, frame)

        return whole, min(_timed(ask) for _ in range(runs))

    def _free(self, wrist: Any) -> Any:
        for number in range(self.most_lifts + 1):
            moved = wrist.copy()
            moved[:3, 3] += number * self.lift * (wrist[:3, :3] @ self.back)
            frames = self._frames(moved, [0] * len(self.parents))
            if not any(self._asks(bone, frames) for bone in range(len(self.owners))):
                return moved
        return moved

    def _close(self, wrist: Any) -> list[int]:
        made = [0] * len(self.parents)
        free = [True] * len(self.parents)
        for step in range(1, len(self.local)):
            made = [step if moving else before for moving, before in zip(free, made)]  # noqa: B905 (older Pythons)
            frames = self._frames(wrist, made)
            going = [bone for bone, owner in enumerate(self.owners) if owner >= 0 and free[owner]]
            for bone in [bone for bone in going if self._asks(bone, frames)]:
                joint = self.owners[bone]
                while joint >= 0:
                    free[joint] = False
                    joint = self.parents[joint]
            if not any(free):
                break
        return made

    def _asks(self, bone: int, frames: list[Any]) -> bool:
        frame = frames[self.owners[bone]]
        if self.recording:
            self.queries.append((bone, frame))
        return self.touches(bone, frame)

    def _frames(self, wrist: Any, made: list[int]) -> list[Any]:
        """Joint frames, the wrist last, where -1 finds it."""
        frames: list[Any] = []
        for joint, parent in enumerate(self.parents):
            frames.append((frames[parent] if parent >= 0 else wrist) @ self.local[made[joint], joint])
        return [*frames, wrist]


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
