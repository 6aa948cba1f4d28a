# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The mechanism that the iterative solvers move: joints in a tree, with limits, and the effectors to be placed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ...core import rotations
from ...core.arrays import BoolArray, FloatArray, IntArray, frozen_bools, frozen_floats, frozen_ints
from ..chain import Chain, ChainError
from . import box_limit
from . import scalars as sc
from .limits import HingeLimit, JointLimit
from .scalars import Quat, Vec


@dataclass(frozen=True, eq=False)
class Effector:
    """A frame fixed to a joint that wants to be somewhere."""

    joint: int
    """Index of the last joint that moves it."""
    offset: FloatArray
    """Position in the joint's frame in [m]. Shape (3,)."""
    rotation: FloatArray = field(default_factory=lambda: np.array([1.0, 0.0, 0.0, 0.0]))
    """Orientation in the joint's frame, quaternion wxyz. Shape (4,)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        object.__setattr__(self, "offset", frozen_floats(self.offset, (3,), "offset"))
        object.__setattr__(self, "rotation", frozen_floats(self.rotation, (4,), "rotation"))


@dataclass(frozen=True, eq=False)
class Linkage:
    """Joints in a tree, parents before children.

    A joint's frame is `translation rest exp(phi)` in its parent's frame: bone offsets stay constant while phi changes.
    The base frame of the roots is the frame that targets are given in.
    """

    parents: IntArray
    """Index of each joint's parent, -1 for one that hangs on the base. Shape (n,)."""
    translations: FloatArray
    """Position of each joint in its parent's frame in [m]. Shape (n, 3)."""
    rests: FloatArray
    """Orientation at phi = 0 in the parent's frame, quaternions wxyz. Shape (n, 4)."""
    limits: tuple[JointLimit, ...]
    """Limits of the rotation from rest. Length n."""
    rest_matrices: FloatArray = field(init=False)
    """The rests as matrices. Shape (n, 3, 3)."""
    ancestors: BoolArray = field(init=False)
    """Row i, column j: joint j moves joint i (every joint moves itself). Shape (n, n)."""

    def __post_init__(self) -> None:
        """Check the arrays, derive the tables and make all of them read-only.

        Raises:
            ChainError: No joint, a child before its parent, or a number that is not finite.
        """
        n = len(self.parents)
        set_field = object.__setattr__
        set_field(self, "parents", frozen_ints(self.parents, (n,), "parents"))
        set_field(self, "translations", frozen_floats(self.translations, (n, 3), "translations"))
        set_field(self, "rests", frozen_floats(self.rests, (n, 4), "rests"))
        if n == 0 or len(self.limits) != n:
            raise ChainError(
                f"A linkage of {n} joints has {len(self.limits)} limits: give one joint or more, each one."
            )
        if not (np.isfinite(self.translations).all() and np.isfinite(self.rests).all()):
            raise ChainError("A linkage needs finite numbers throughout.")
        if not ((self.parents < np.arange(n)) & (self.parents >= -1)).all():
            raise ChainError("A joint of the linkage comes before its parent: order them from the root.")
        ancestors = np.zeros((n, n), dtype=np.bool_)
        for i, parent in enumerate(self.parents):
            ancestors[i, i] = True
            if parent >= 0:
                ancestors[i] |= ancestors[parent]
        set_field(self, "ancestors", frozen_bools(ancestors, (n, n), "ancestors"))
        matrices = rotations.matrix_from_quaternion(rotations.unit(self.rests))
        set_field(self, "rest_matrices", frozen_floats(matrices, (n, 3, 3), "rest_matrices"))

    @property
    def size(self) -> int:
        """Number of joints."""
        return len(self.limits)


def from_chain(chain: Chain, limits: Sequence[JointLimit] | None = None) -> Linkage:
    """A chain's joints as a linkage.

    Args:
        chain: The shared form of a serial chain.
        limits: Limits that replace the chain's own, one for each joint; None keeps the chain's.

    Raises:
        ChainError: The number of limits is not the number of joints.
    """
    n = len(chain.offsets)
    if limits is None:
        limits = [box_limit.from_ranges(chain.limits[i, :, 0], chain.limits[i, :, 1]) for i in range(n)]
    if len(limits) != n:
        raise ChainError(f"{len(limits)} limits were given for a chain of {n} joints.")
    centres = np.array([limit.centre for limit in limits])
    return Linkage(
        parents=np.arange(n) - 1,
        translations=np.vstack([np.zeros(3), chain.offsets[:-1]]),
        rests=rotations.multiply(rotations.unit(chain.zero), centres),
        limits=tuple(limits),
    )


def tip_of(chain: Chain) -> Effector:
    """The chain's tip as an effector."""
    return Effector(joint=len(chain.offsets) - 1, offset=chain.offsets[-1])


def logs_from_angles(linkage: Linkage, angles: FloatArray) -> FloatArray:
    """Half-angle vectors, within limits, of flexion, abduction and twist in [rad]. Shape (n, 3) to (n, 3)."""
    rows: list[Vec] = []
    for limit, row in zip(linkage.limits, angles.tolist(), strict=True):
        q = sc.multiply(sc.conjugate(limit.centre), box_limit.rotation(row))
        rows.append(sc.log(limit.clamp(q, sc.IDENTITY)))
    return np.array(rows)


def angles_from_logs(linkage: Linkage, phi: FloatArray) -> FloatArray:
    """Flexion, abduction and twist in [rad] of half-angle vectors. Shape (n, 3) to (n, 3)."""
    return np.array([_angles(limit, as_vec(row)) for limit, row in zip(linkage.limits, phi, strict=True)])


def touched(linkage: Linkage, phi: FloatArray) -> BoolArray:
    """Which angles lie on a limit. Shape (n, 3)."""
    return np.array([limit.touched(as_vec(row)) for limit, row in zip(linkage.limits, phi, strict=True)])


def clamped(linkage: Linkage, phi: FloatArray, previous: FloatArray) -> FloatArray:
    """Half-angle vectors within the limits; `previous` settles what singular rotations leave open. Shape (n, 3)."""
    rows: list[Vec] = []
    for limit, row, old in zip(linkage.limits, phi.tolist(), previous.tolist(), strict=True):
        rows.append(sc.log(limit.clamp(sc.exp(row), sc.exp(old))))
    return np.array(rows)


def as_vec(row: FloatArray) -> Vec:
    """Three numbers of an array as a tuple."""
    x, y, z = row.tolist()
    return (x, y, z)


def as_quat(row: FloatArray) -> Quat:
    """Four numbers of an array as a tuple."""
    w, x, y, z = row.tolist()
    return (w, x, y, z)


def _angles(limit: JointLimit, phi: Vec) -> Vec:
    if isinstance(limit, box_limit.BoxLimit):
        return limit.within(limit.angles(sc.exp(phi)))
    if isinstance(limit, HingeLimit) and limit.axis in (box_limit.X, box_limit.Y) and limit.centre == sc.IDENTITY:
        # Straight from the hinge, so that not even rounding breaks its limits.
        angle = min(max(2.0 * sc.dot(limit.axis, phi), limit.low), limit.high)
        return sc.scaled(limit.axis, angle)
    return box_limit.angles_of(sc.multiply(limit.centre, sc.exp(phi)))
