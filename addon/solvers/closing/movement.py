# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A closing movement of many postures: from where to where, and when each joint turns."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Movement:
    """Postures to close from and to, one of each for every wrist."""

    start: FloatArray
    """Angles in [rad]. Shape (a, m, 3)."""
    end: FloatArray
    """Angles in [rad]. Shape (a, m, 3)."""
    wrists: FloatArray
    """The hand's frames in the world in [m]. Shape (a, 3, 4)."""
    fingers: BoolArray
    """Fingers that close; the others keep their start. Shape (f,)."""
    windows: FloatArray | None = None
    """Part of the movement during which each joint turns, 0 to 1; all of it by default. Shape (a, m, 2)."""

    def shares(self, progress: FloatArray) -> FloatArray:
        """Share of its own turn that each joint has made when it is that far in the movement. Shape (a, m)."""
        if self.windows is None:
            return np.minimum(np.maximum(progress, 0.0), 1.0)
        begin, end = self.windows[..., 0], self.windows[..., 1]
        return np.minimum(np.maximum((progress - begin) / (end - begin), 0.0), 1.0)

    def flexion_at(self, posture: IntArray, joint: IntArray, progress: FloatArray) -> FloatArray:
        """Flexion in [rad] of joints of postures when they are that far in the movement. Shape (k,)."""
        start, end = self.start[posture, joint, 0], self.end[posture, joint, 0]
        if self.windows is not None:
            window = self.windows[posture, joint]
            progress = (progress - window[:, 0]) / (window[:, 1] - window[:, 0])
        return start + np.clip(progress, 0.0, 1.0) * (end - start)

    def progress_at(self, posture: IntArray, joint: IntArray, flexion: FloatArray) -> FloatArray:
        """How far in the movement joints come to a flexion in [rad]; 1 or more where they do not. Shape (k,)."""
        start = self.start[posture, joint, 0]
        turn = self.end[posture, joint, 0] - start
        share = np.where(turn > 1e-9, np.maximum(flexion - start, 0.0) / np.maximum(turn, 1e-9), 1.0)
        if self.windows is None:
            return share
        window = self.windows[posture, joint]
        return window[:, 0] + share * (window[:, 1] - window[:, 0])

    def angles(self, shares: FloatArray) -> FloatArray:
        """Angles in [rad] when each joint has made a share of its turn. Shape (a, m, 3)."""
        return self.start + shares[..., None] * (self.end - self.start)

    @property
    def turning(self) -> BoolArray:
        """Joints that turn in any of the postures. Shape (m,)."""
        return np.abs(self.end - self.start).sum(axis=(0, 2)) > 1e-9

    def take(self, postures: IntArray) -> Movement:
        """Some of the postures (b,)."""
        return replace(
            self,
            start=self.start[postures],
            end=self.end[postures],
            wrists=self.wrists[postures],
            windows=None if self.windows is None else self.windows[postures],
        )

    def repeated(self, times: int) -> Movement:
        """Every posture `times` times, one after the other."""
        return replace(
            self,
            start=np.repeat(self.start, times, axis=0),
            end=np.repeat(self.end, times, axis=0),
            wrists=np.repeat(self.wrists, times, axis=0),
            windows=None if self.windows is None else np.repeat(self.windows, times, axis=0),
        )
