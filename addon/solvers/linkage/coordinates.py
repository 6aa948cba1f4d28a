# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The coordinates in which the joints of a linkage may move, couplings included, and steps that keep to their room."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...core.arrays import BoolArray, FloatArray
from ..chain import ChainError
from . import scalars as sc
from .limits import HingeLimit
from .model import Linkage, as_vec


@dataclass(frozen=True)
class Coupling:
    """A hinge that follows another: its angle is `ratio` times the driver's."""

    driver: int
    """Index of the joint that leads."""
    driven: int
    """Index of the joint that follows."""
    ratio: float
    """Angle of the follower over angle of the leader, not 0."""


@dataclass(frozen=True, eq=False)
class Room:
    """The free coordinates of a configuration."""

    basis: FloatArray
    """Change of all half-angle vectors per half radian of each coordinate. Shape (3n, k)."""
    low: FloatArray
    """Lowest step of each coordinate, 0 or negative. Shape (k,)."""
    high: FloatArray
    """Highest step of each coordinate, 0 or positive. Shape (k,)."""


def coupled(linkage: Linkage, couplings: Sequence[Coupling]) -> Linkage:
    """The linkage with each leader's range cut to where its follower stays within its own.

    Raises:
        ChainError: A coupling of joints that are no hinges, are not there, or share no angle.
    """
    limits = list(linkage.limits)
    for coupling in couplings:
        if not all(0 <= joint < linkage.size for joint in (coupling.driver, coupling.driven)):
            raise ChainError(f"Joints {coupling.driver} and {coupling.driven} of a coupling are not both in the chain.")
        leader, follower = limits[coupling.driver], limits[coupling.driven]
        if not isinstance(leader, HingeLimit) or not isinstance(follower, HingeLimit) or coupling.ratio == 0.0:
            raise ChainError("Only hinges can be coupled, with a ratio other than 0: lock abduction and twist.")
        ends = sorted((follower.low / coupling.ratio, follower.high / coupling.ratio))
        low, high = max(leader.low, ends[0]), min(leader.high, ends[1])
        if low > high:
            raise ChainError(f"Joints {coupling.driver} and {coupling.driven} are coupled but share no angle.")
        limits[coupling.driver] = replace(leader, low=low, high=high)
    return replace(linkage, limits=tuple(limits))


def follow(linkage: Linkage, phi: FloatArray, couplings: Sequence[Coupling]) -> FloatArray:
    """The configuration with every follower where its leader puts it. Shape (n, 3)."""
    out = phi.copy()
    for coupling in couplings:
        leader, follower = linkage.limits[coupling.driver], linkage.limits[coupling.driven]
        if isinstance(leader, HingeLimit) and isinstance(follower, HingeLimit):
            half = coupling.ratio * sc.dot(leader.axis, as_vec(out[coupling.driver]))
            # The leader's range makes this clip one of rounding only.
            half = min(max(half, 0.5 * follower.low), 0.5 * follower.high)
            out[coupling.driven] = sc.scaled(follower.axis, half)
    return out


def room_of(
    linkage: Linkage, phi: FloatArray, couplings: Sequence[Coupling] = (), active: BoolArray | None = None
) -> Room:
    """The free coordinates at a configuration.

    Args:
        linkage: The mechanism.
        phi: Half-angle vectors within the limits. Shape (n, 3).
        couplings: Hinges that follow others; they have no coordinate of their own.
        active: Joints that may move; None for all. Shape (n,).
    """
    led = {coupling.driven for coupling in couplings}
    moving = [i for i in range(linkage.size) if i not in led and (active is None or active[i])]
    moves = [linkage.limits[i].moves(as_vec(phi[i])) for i in moving]
    low = [step for each in moves for step in each.low]
    high = [step for each in moves for step in each.high]
    basis = np.zeros((3 * linkage.size, len(low)))
    column = 0
    for i, each in zip(moving, moves, strict=True):
        basis[3 * i : 3 * i + 3, column : column + len(each.low)] = each.basis
        for coupling in couplings:
            follower = linkage.limits[coupling.driven]
            if coupling.driver == i and isinstance(follower, HingeLimit):
                rows = slice(3 * coupling.driven, 3 * coupling.driven + 3)
                basis[rows, column] = sc.scaled(follower.axis, coupling.ratio)
        column += len(each.low)
    return Room(basis=basis, low=np.array(low), high=np.array(high))


def bounded(
    invert: Callable[[FloatArray, FloatArray], FloatArray], J: FloatArray, change: FloatArray, room: Room
) -> FloatArray:
    """Step of the free coordinates that stays in their room: what one cannot do, the others do for it.

    Coordinates whose step leaves the room are set to its end, one round after the other, and the rest are asked for
    what is still missing.

    Args:
        invert: Step from a Jacobian and a wanted change.
        J: Jacobian by the free coordinates. Shape (m, k).
        change: Wanted change. Shape (m,).
        room: The free coordinates.
    """
    count = J.shape[1]
    out = invert(J, change) if count else np.zeros(0)
    free = np.ones(count, dtype=np.bool_)
    for _ in range(count):
        if not free.all():
            out[free] = invert(J[:, free], change - J[:, ~free] @ out[~free])
        beyond = free & ((out < room.low) | (out > room.high))
        if not beyond.any():
            break
        out[beyond] = np.clip(out[beyond], room.low[beyond], room.high[beyond])
        free &= ~beyond
        if not free.any():
            break
    return out
