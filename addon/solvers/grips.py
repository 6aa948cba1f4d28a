# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stored grips: choosing the one nearest to a palm, and reaching it with the arm first and the fingers last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..core import quaternion_calculus as qc
from ..core.arrays import FloatArray, frozen_floats
from ..core.rotations import multiply


@dataclass(frozen=True, eq=False)
class Grip:
    """A palm's pose on an object and where the fingertips go, in the object's frame."""

    position: FloatArray
    """Palm in [m]. Shape (3,)."""
    rotation: FloatArray
    """Palm's orientation, quaternion wxyz. Shape (4,)."""
    tips: FloatArray
    """Fingertip targets in [m], one for each finger. Shape (f, 3)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        object.__setattr__(self, "position", frozen_floats(self.position, (3,), "position"))
        object.__setattr__(self, "rotation", frozen_floats(self.rotation, (4,), "rotation"))
        object.__setattr__(self, "tips", frozen_floats(self.tips, (-1, 3), "tips"))


@dataclass(frozen=True, eq=False)
class GripStep:
    """What one step towards a grip did."""

    position: FloatArray
    """Palm in [m]. Shape (3,)."""
    rotation: FloatArray
    """Palm's orientation, quaternion wxyz. Shape (4,)."""
    fingers_solved: bool
    """Whether the palm was near enough for the fingers to be solved."""


MoveArm = Callable[[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]
"""From wanted palm position and orientation to those that the arm gets."""
SolveFingers = Callable[[FloatArray], None]
"""Takes the fingertip targets, shape (f, 3), in the frame that the grip was given in."""


def moved(grip: Grip, position: FloatArray, rotation: FloatArray) -> Grip:
    """A grip on an object, in the frame that the object's own pose is given in.

    Args:
        grip: The grip in the object's frame.
        position: The object's origin in [m]. Shape (3,).
        rotation: The object's orientation, quaternion wxyz. Shape (4,).
    """
    return Grip(
        position=qc.rotate(rotation, grip.position) + position,
        rotation=multiply(rotation, grip.rotation),
        tips=qc.rotate(rotation, grip.tips) + position,
    )


def closest_grip(
    grips: Sequence[Grip], position: FloatArray, rotation: FloatArray, *, max_distance: float, max_angle: float
) -> int | None:
    """Index of the grip within a distance of the palm that turns the palm least; None for none (algorithm 21).

    Args:
        grips: Grips in the palm's frame of reference.
        position: The palm in [m]. Shape (3,).
        rotation: Its orientation, quaternion wxyz. Shape (4,).
        max_distance: Farthest grip in [m].
        max_angle: Most turn in [rad].
    """
    best, least = None, max_angle
    for k, grip in enumerate(grips):
        distance = float(np.linalg.norm(position - grip.position))
        # The absolute value: q and -q are one orientation. The thesis takes the arc cosine of a quaternion.
        angle = 2.0 * float(np.arccos(min(1.0, abs(float(rotation @ grip.rotation)))))
        if distance < max_distance and angle < least:
            best, least = k, angle
    return best


def reach_grip(grip: Grip, move_arm: MoveArm, solve_fingers: SolveFingers, *, start_distance: float) -> GripStep:
    """One step: the arm moves, then the fingers are solved if the palm is near enough.

    Fingers that start earlier are later pushed through the object.

    Args:
        grip: The grip in the frame that arm and fingers work in.
        move_arm: Moves the palm towards a pose and says where it got.
        solve_fingers: Brings the fingertips to targets.
        start_distance: Distance in [m] of the palm from the grip below which the fingers start.
    """
    position, rotation = move_arm(grip.position, grip.rotation)
    near = float(np.linalg.norm(position - grip.position)) < start_distance
    if near:
        solve_fingers(grip.tips)
    return GripStep(position=position, rotation=rotation, fingers_solved=near)
