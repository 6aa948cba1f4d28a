# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is to be animated, and what comes of it: a grasp at every frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import BoolArray, FloatArray
from .approach import Approach
from .carry import Carry
from .clearance import Surroundings
from .path import PathCarry
from .timing import Frames


@dataclass(frozen=True, eq=False)
class End:
    """How the hand is before it comes, or after it has gone."""

    angles: FloatArray
    """Angles in [rad]. Shape (m, 3)."""
    wrist: FloatArray | None = None
    """The hand's frame in [m], or None to stand back. Shape (4, 4)."""
    ground: float = -np.inf
    """Height in [m] of what the object stands on then; minus infinity for nothing."""


@dataclass(frozen=True, eq=False)
class GraspTask:
    """A held grasp that is to be animated."""

    around: Surroundings
    """The hand and what is round it where it takes the object."""
    around_put: Surroundings
    """The same where it puts the object down."""
    fingers: tuple[str, ...]
    """Finger names. Length f."""
    part: BoolArray
    """Fingers that hold. Shape (f,)."""
    held: FloatArray
    """Angles that hold, in [rad]. Shape (m, 3)."""
    start: FloatArray
    """Angles of the open hand. Shape (m, 3)."""
    end: FloatArray
    """Angles that the movement goes to. Shape (m, 3)."""
    wrist: FloatArray
    """The hand's frame where it takes the object in [m]. Shape (4, 4)."""
    approach: FloatArray
    """Direction that the palm looks in, in the hand's frame. Shape (3,)."""
    up: FloatArray
    """Away from the ground. Shape (3,)."""
    before: End
    """How the hand is at first."""
    after: End
    """How it is at last."""
    frames: Frames
    """When what happens."""
    carry: Carry | PathCarry
    """The object's way; one that stays is carried nowhere."""
    distance: float
    """How far in [m] hands stand back."""
    margin: float
    """How far in [m] fingertips open beyond the object."""
    overlap: float = 0.2
    """How much later the last finger comes than the first, as part of closing."""
    delays: tuple[int, ...] = ()
    """How many frames later each finger comes, instead of what the overlap makes of it; empty or zeros for that."""
    smooth: bool = True
    """Whether motions ease."""
    moves: bool = True
    """Whether the wrist may move at all."""


@dataclass(frozen=True, eq=False)
class GraspPlan:
    """A grasp at every frame from the first to the last."""

    frames: Frames
    wrists: FloatArray
    """The hand's frames in [m]. Shape (n, 4, 4)."""
    angles: FloatArray
    """Angles in [rad]. Shape (n, m, 3)."""
    objects: FloatArray
    """The object's rigid frames in [m]. Shape (n, 4, 4)."""
    wrist_keys: tuple[int, ...]
    """Frames at which the wrist is posed."""
    joint_keys: tuple[tuple[int, ...], ...]
    """Frames at which each joint is posed. Length m."""
    coming: Approach
    going: Approach
    along_path: bool = False
    """Whether the object is carried along a line, which is followed closely."""

    def row(self, frame: int) -> int:
        """Place of a frame in the arrays."""
        return frame - self.frames.approach
