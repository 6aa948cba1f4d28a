# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every frame of an animation that was made: how deep the skin is, whether the prop keeps still and fingers stay."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..solvers.animation import Frames
from .animation_check import FrameJudge, fingertips
from .animation_grasp import TOO_DEEP
from .animation_hand import HandKeys
from .animation_task import rigid


@dataclass
class Measured:
    """What was seen."""

    depth: float = 0.0
    """How deep in [m] the deepest skin is at any frame."""
    frame: int = 0
    """Where that is."""
    jump: float = 0.0
    """How far in [m] the prop moves where it should be still."""
    drift: float = 0.0
    """How far in [m] fingertips move on the prop while it is held."""
    walls: float = 0.0
    """How deep in [m] the deepest skin is in an obstacle at any frame."""
    wall_frame: int = 0
    """Where that is."""

    def look(self, keys: HandKeys, prop: Any, place: FloatArray, frames: Frames, judge: FrameJudge) -> Iterator[int]:
        """Look at all frames one after the other; yields them.

        Args:
            keys: The hand.
            prop: The prop.
            place: Its world matrix where it is taken. Shape (4, 4).
            frames: When what happens.
            judge: Who measures the skin.
        """
        f, start = frames, np.linalg.inv(place)
        self.frame = f.approach
        tips: FloatArray | None = None
        last = place
        for frame in range(f.approach, f.away + 1):
            keys.scene.frame_set(frame)
            now = np.array(prop.matrix_world, dtype=np.float64)
            check = judge.look(rigid(now @ start))
            if check.depth > self.depth:
                self.depth, self.frame = check.depth, frame
            if -check.walls > self.walls:
                self.walls, self.wall_frame = -check.walls, frame
            if frame <= f.lift:
                self.jump = max(self.jump, apart(now, place))
            last = now if frame <= f.put else last
            if frame > f.put:
                self.jump = max(self.jump, apart(now, last))
            if f.contact <= frame <= f.hold:
                turned = rigid(now)
                seen = (fingertips(keys.model, check.pose) - turned[:3, 3]) @ turned[:3, :3]
                tips = seen if tips is None else tips
                self.drift = max(self.drift, float(np.linalg.norm(seen - tips, axis=1).max()))
            yield frame

    def notes(self) -> list[str]:
        """What a user should know of it, one sentence each."""
        out: list[str] = []
        if self.depth > TOO_DEEP:
            out.append(f"The skin is {1e3 * self.depth:.1f} mm inside the prop at frame {self.frame}.")
        if self.walls > TOO_DEEP:
            out.append(
                f"The hand is {1e3 * self.walls:.1f} mm inside an obstacle at frame {self.wall_frame}: grasp with "
                "Obstacles on, or move what is in its way."
            )
        return out


def apart(first: FloatArray, second: FloatArray) -> float:
    """How far in [m] two placings of a prop are apart: its origin, and points a decimetre from it."""
    points = np.array([[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]])
    moved = [points @ rigid(each)[:3, :3].T + each[:3, 3] for each in (first, second)]
    return float(np.linalg.norm(moved[0] - moved[1], axis=1).max())
