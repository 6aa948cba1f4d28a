# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What every inverse-kinematics solver takes and gives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import BoolArray, FloatArray, frozen_bools, frozen_floats
from ..core.errors import PrehendError


class ChainError(PrehendError):
    """A chain or a target that no solver can work with."""


@dataclass(frozen=True, eq=False)
class Chain:
    """A serial chain of joints from a fixed base to a tip.

    The joint frames have z along the bone, x as flexion axis and y as abduction axis. A joint's rotation relative to
    its parent's frame is `zero[i] * R_x(flexion) * R_y(abduction) * R_z(twist)`; all angles 0 is the straight chain.
    """

    offsets: FloatArray
    """Position of the next joint (last: of the tip) in each joint's own frame, in [m]. Shape (n, 3)."""
    zero: FloatArray
    """Orientation of each joint's frame at angles 0 in its parent's frame, quaternions wxyz. Shape (n, 4)."""
    limits: FloatArray
    """Lowest and highest flexion, abduction and twist of each joint in [rad]; equal ones lock. Shape (n, 3, 2)."""

    def __post_init__(self) -> None:
        """Check shapes and values once and make the arrays read-only.

        Raises:
            ChainError: No bone, a bone without length, limits that are not numbers or lie the wrong way round.
        """
        n = len(self.offsets)
        set_field = object.__setattr__
        set_field(self, "offsets", frozen_floats(self.offsets, (n, 3), "offsets"))
        set_field(self, "zero", frozen_floats(self.zero, (n, 4), "zero"))
        set_field(self, "limits", frozen_floats(self.limits, (n, 3, 2), "limits"))
        if n == 0 or not all(np.isfinite(a).all() for a in (self.offsets, self.zero, self.limits)):
            raise ChainError("A chain needs at least one bone and finite numbers throughout.")
        if (np.linalg.norm(self.offsets, axis=1) <= 0.0).any():
            raise ChainError("A bone of the chain has no length: give every bone two different ends.")
        if (self.limits[..., 0] > self.limits[..., 1]).any():
            raise ChainError("A joint's lower limit lies above its upper limit: swap them.")

    @property
    def reach(self) -> float:
        """Length of the straight chain in [m]."""
        return float(np.linalg.norm(self.offsets, axis=1).sum())


@dataclass(frozen=True, eq=False)
class IkResult:
    """What a solver found; not reaching the target is a result with numbers, not an error."""

    angles: FloatArray
    """Flexion, abduction and twist of each joint in [rad]. Shape (n, 3)."""
    residual: float
    """Distance of the tip from the target in [m]."""
    converged: bool
    """Whether the target was reached within the tolerance."""
    iterations: int
    """Iterations used; 0 for a closed form."""
    reason: str
    """One clause why it stopped: "reached", "out of reach", "limits", "stalled", "iterations"."""
    limits_touched: BoolArray
    """Which angles lie on a limit. Shape (n, 3)."""
    rotation_residual: float = 0.0
    """Angle between the tip's orientation and the target's in [rad]; 0 for position targets."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        n = len(self.angles)
        object.__setattr__(self, "angles", frozen_floats(self.angles, (n, 3), "angles"))
        object.__setattr__(self, "limits_touched", frozen_bools(self.limits_touched, (n, 3), "limits_touched"))


def why_stopped(*, reached: bool, far: bool, stalled: bool, on_limit: bool) -> str:
    """The reason of an iterative solver's result.

    Args:
        reached: Whether the target was reached.
        far: Whether it lies beyond the straight chain.
        stalled: Whether the solver gave up before its last iteration.
        on_limit: Whether any angle lies on a limit.
    """
    if reached:
        return "reached"
    if far:
        return "out of reach"
    if stalled:
        return "limits" if on_limit else "stalled"
    return "iterations"
