# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cyclic coordinate descent with swing-twist limits, and damped least squares from the start pose where it sticks."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray
from . import dls
from .chain import Chain, ChainError, IkResult
from .dls import DlsOptions
from .linkage import scalars as sc
from .linkage.coordinates import Coupling, coupled, follow
from .linkage.descent import Descent
from .linkage.goals import Goal, errors_of, read_goal
from .linkage.kinematics import forward
from .linkage.limits import HingeLimit, JointLimit
from .linkage.model import Linkage, as_quat, as_vec, from_chain, logs_from_angles, tip_of
from .linkage.partial_rotations import pose_rotation, vector_rotation
from .linkage.scalars import Quat, Vec


@dataclass(frozen=True, eq=False)
class CcdOptions:
    """How `solve` works."""

    start: FloatArray | None = None
    """Flexion, abduction and twist to start from in [rad], shape (n, 3); None: the middle of the limits."""
    fraction: float = 1.0
    """Part of the way that a joint turns at its turn, above 0 and up to 1."""
    orientation_weight: float = 0.7
    """Share of the orientation in the turns for targets that have one: 0 position only, 1 orientation only."""
    orientation_joints: tuple[bool, ...] | None = None
    """Which joints may turn for the sake of orientation; None for the last one only, which succeeds more often."""
    max_sweeps: int = 60
    """Most sweeps from tip to base."""
    stall: float = 0.05
    """Relative progress over three sweeps below which the descent gives up; 0 never gives up early."""
    tolerance: float = 1e-5
    """Distance in [m] at which a position is reached."""
    rotation_tolerance: float = 1e-3
    """Angle in [rad] at which an orientation is reached."""
    limits: tuple[JointLimit, ...] | None = None
    """Limits in the place of the chain's own, one for each joint."""
    couplings: tuple[Coupling, ...] = ()
    """Hinges that follow others."""
    fallback: bool = True
    """Whether damped least squares tries from the start pose when the descent sticks (mostly in a limit's corner)."""
    dls: DlsOptions = field(default_factory=DlsOptions)
    """How the fall-back works; start, limits, couplings and tolerances are taken from here, not from there."""


def solve(chain: Chain, target: ArrayLike, options: CcdOptions | None = None) -> IkResult:
    """Angles that bring the chain's tip to a target, or as near as they can.

    Args:
        chain: The chain, its base at the origin of the target's frame.
        target: Position in [m], shape (3,), or position and orientation (quaternion wxyz), shape (7,).
        options: How to work; None for the defaults.

    Raises:
        ChainError: The target is not finite, or an option does not fit the chain.
    """
    options = options or CcdOptions()
    n = len(chain.offsets)
    if options.orientation_joints is not None and len(options.orientation_joints) != n:
        raise ChainError(f"{len(options.orientation_joints)} orientation switches were given for {n} joints.")
    linkage = coupled(from_chain(chain, options.limits), options.couplings)
    goal = read_goal(tip_of(chain), target)
    start = dls.start_angles(chain, options.start)
    found = descend(linkage, goal, logs_from_angles(linkage, start), options)
    far = bool(np.linalg.norm(goal.position) > chain.reach)
    result = dls.result_of(linkage, found, found.iterations, out_of_reach=far)
    if result.converged or not options.fallback or result.reason == "out of reach":
        return result
    second = dls.solve(
        chain,
        target,
        replace(
            options.dls,
            start=start,
            limits=options.limits,
            couplings=options.couplings,
            tolerance=options.tolerance,
            rotation_tolerance=options.rotation_tolerance,
        ),
    )
    total = result.iterations + second.iterations
    better = second if second.converged or second.residual < result.residual else result
    return replace(better, iterations=total)


def descend(linkage: Linkage, goal: Goal, phi: FloatArray, options: CcdOptions) -> Descent:
    """The configuration that sweeps from `phi` lead a serial linkage to (algorithm 7).

    Args:
        linkage: A serial chain; the goal's effector is on its last joint.
        goal: What to reach.
        phi: Start, half-angle vectors within the limits. Shape (n, 3).
        options: Kernel and stopping.
    """
    turns = [sc.exp(as_vec(row)) for row in follow(linkage, phi, options.couplings)]
    sweeper = _Sweeper(linkage, goal, options)
    best_turns, history, sizes = turns, list[float](), list[float]()
    stalled = False
    for sweep in range(options.max_sweeps + 1):
        places = sweeper.places(turns)
        size, distance = sweeper.size(places)
        if not sizes or size < min(sizes):
            best_turns = turns
        history.append(distance)
        sizes.append(size)
        stalled = options.stall > 0.0 and sweep > 3 and min(sizes) > (1.0 - options.stall) * min(sizes[:-3])
        if size <= 1.0 or stalled or sweep == options.max_sweeps:
            break
        turns = sweeper.sweep(turns, places)
    best = np.array([sc.log(turn) for turn in best_turns])
    reached = min(sizes) <= 1.0
    return Descent(
        phi=best,
        errors=errors_of(forward(linkage, best), (goal,)),
        iterations=len(sizes) - 1,
        reached=reached,
        stalled=stalled and not reached,
        history=tuple(history),
    )


class _Sweeper:
    """A serial chain and its goal as plain numbers: a sweep of three joints takes less time than one array product."""

    def __init__(self, linkage: Linkage, goal: Goal, options: CcdOptions) -> None:
        self.options = options
        self.limits = linkage.limits
        self.rests: list[Quat] = [as_quat(row) for row in linkage.rests]
        self.offsets: list[Vec] = [as_vec(row) for row in linkage.translations]
        self.end: tuple[Quat, Vec] = (as_quat(goal.effector.rotation), as_vec(goal.effector.offset))
        self.target_position = as_vec(goal.position)
        self.target_rotation = None if goal.rotation is None else as_quat(goal.rotation)
        n = linkage.size
        self.turns_hand = options.orientation_joints or tuple(i == n - 1 for i in range(n))
        self.led = {coupling.driven for coupling in options.couplings}

    def places(self, turns: list[Quat]) -> list[tuple[Quat, Vec]]:
        """Orientation and position of every joint and, last, of the effector."""
        position, orientation = (0.0, 0.0, 0.0), sc.IDENTITY
        out: list[tuple[Quat, Vec]] = []
        for rest, offset, turn in zip(self.rests, self.offsets, turns, strict=True):
            position = sc.add(position, sc.rotate(orientation, offset))
            orientation = sc.multiply(orientation, sc.multiply(rest, turn))
            out.append((orientation, position))
        end = sc.add(position, sc.rotate(orientation, self.end[1]))
        return [*out, (sc.multiply(orientation, self.end[0]), end)]

    def size(self, places: list[tuple[Quat, Vec]]) -> tuple[float, float]:
        """The larger error in units of its tolerance (reached at 1), and the distance in [m]."""
        rotation, position = places[-1]
        distance = sc.norm(sc.subtract(self.target_position, position))
        size = distance / self.options.tolerance
        if self.target_rotation is not None:
            turn = sc.log(sc.multiply(self.target_rotation, sc.conjugate(rotation)))
            size = max(size, 2.0 * sc.norm(turn) / self.options.rotation_tolerance)
        return size, distance

    def sweep(self, turns: list[Quat], places: list[tuple[Quat, Vec]]) -> list[Quat]:
        """One turn of every joint, from the tip to the base."""
        out = list(turns)
        rotation, position = self.end
        for i in range(len(out) - 1, -1, -1):
            if i < len(out) - 1:
                # The effector in joint i's frame, with the child as this sweep has turned it.
                local = sc.multiply(self.rests[i + 1], out[i + 1])
                position = sc.add(self.offsets[i + 1], sc.rotate(local, position))
                rotation = sc.multiply(local, rotation)
            if i not in self.led:
                # Frames from the start of the sweep are still good: only children have changed.
                turn = self._turn(i, places[i], (rotation, position))
                out[i] = self.limits[i].clamp(sc.multiply(out[i], turn), out[i])
        for coupling in self.options.couplings:
            out[coupling.driven] = self._followed(out[coupling.driver], coupling)
        return out

    def _turn(self, joint: int, place: tuple[Quat, Vec], end: tuple[Quat, Vec]) -> Quat:
        into = sc.conjugate(place[0])
        wanted = sc.rotate(into, sc.subtract(self.target_position, place[1]))
        options = self.options
        if self.target_rotation is None or not self.turns_hand[joint]:
            return vector_rotation(end[1], wanted, options.fraction)
        return pose_rotation(
            end,
            (sc.multiply(into, self.target_rotation), wanted),
            fraction=options.fraction,
            # An effector on the joint itself is not moved by it: all of the turn is for the orientation.
            orientation_weight=options.orientation_weight if sc.norm(end[1]) > sc.TINY else 1.0,
        )

    def _followed(self, driver: Quat, coupling: Coupling) -> Quat:
        leader, follower = self.limits[coupling.driver], self.limits[coupling.driven]
        assert isinstance(leader, HingeLimit)
        assert isinstance(follower, HingeLimit)
        half = 0.5 * coupling.ratio * leader.angle(driver, driver)
        return follower.clamp(sc.exp(sc.scaled(follower.axis, half)), driver)
