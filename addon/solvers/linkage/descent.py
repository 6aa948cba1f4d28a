# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The iterative descent behind every Jacobian solver: damped steps, kept within limits, until the goals are reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from ...core.arrays import BoolArray, FloatArray
from .coordinates import Coupling, Room, bounded, follow, room_of
from .goals import Errors, Goal, errors_of, stacked_jacobian, wanted_change
from .kinematics import Frames, forward
from .model import Linkage, clamped
from .steps import clamp_turns, step

DAMPING_SHRINK, DAMPING_GROW = 0.4, 4.0
DAMPING_MOST = 1e4
"""Factor of the damping at which no step helps any more."""


@dataclass(frozen=True)
class StepOptions:
    """How to step and when to stop. Lengths are fractions of the chain's reach, so that they suit any size of hand."""

    method: str = "dls"
    """One of `steps.METHODS`."""
    gain: float = 1.0
    """Share of the error that a step asks for, above 0 and up to 1."""
    damping: float = 0.1
    """Damping over reach, for half-angle parameters."""
    adaptive: bool = True
    """Whether a step that makes things worse is taken back and damping follows success; False: constant damping."""
    max_iterations: int = 100
    """Most iterations from one start."""
    tolerance: float = 1e-5
    """Distance in [m] at which a position is reached."""
    rotation_tolerance: float = 1e-3
    """Angle in [rad] at which an orientation is reached."""
    max_distance: float = 0.5
    """Longest way that a step asks for, over reach (algorithm 17)."""
    max_turn: float = 0.6
    """Largest turn of a joint in one step in [rad] (algorithm 18)."""
    turn_length: float = 0.3
    """Length that a radian of orientation counts as, over reach."""
    limits_as_bounds: bool = True
    """Whether steps are planned within the limits; False: limits are clamped to afterwards only, as in the thesis."""
    stall: float = 1e-4
    """Relative progress over ten iterations below which the descent gives up; 0 never gives up early."""


@dataclass(frozen=True, eq=False)
class Descent:
    """Where a descent ended: the best configuration it saw."""

    phi: FloatArray
    """Half-angle vectors. Shape (n, 3)."""
    errors: Errors
    """What is missing."""
    iterations: int
    """Steps taken."""
    reached: bool
    """Whether every goal is within its tolerance."""
    stalled: bool
    """Whether it gave up before the last iteration."""
    history: tuple[float, ...]
    """Largest distance in [m] before each step and at the end."""


def descend(
    linkage: Linkage,
    goals: tuple[Goal, ...],
    phi: FloatArray,
    *,
    options: StepOptions,
    reach: float,
    couplings: Sequence[Coupling] = (),
    active: BoolArray | None = None,
) -> Descent:
    """The configuration that iterative steps from `phi` lead to.

    Args:
        linkage: The mechanism.
        goals: What to reach; all at once.
        phi: Start, half-angle vectors within the limits. Shape (n, 3).
        options: Steps and stopping.
        reach: Length in [m] that the options' fractions are of.
        couplings: Hinges that follow others.
        active: Joints that may move; None for all.
    """
    turn_length = options.turn_length * reach
    phi = follow(linkage, phi, couplings)
    frames = forward(linkage, phi)
    errors = errors_of(frames, goals)
    cost, factor = errors.cost(turn_length), 1.0
    best_phi, best_errors, best_cost = phi, errors, cost
    history = [errors.distance]
    costs = [cost]
    iterations, stalled = 0, False
    while iterations < options.max_iterations and not stalled and not _reached(errors, options):
        room = room_of(linkage, phi, couplings, active)
        change = _step(linkage, goals, frames, errors, room, options, reach, factor)
        trial = clamped(linkage, phi + clamp_turns(change, options.max_turn), phi)
        trial = follow(linkage, trial, couplings)
        trial_frames = forward(linkage, trial)
        trial_errors = errors_of(trial_frames, goals)
        trial_cost = trial_errors.cost(turn_length)
        iterations += 1
        if options.adaptive and not trial_cost <= cost:
            factor *= DAMPING_GROW
            stalled = factor > DAMPING_MOST
        else:
            phi, frames, errors, cost = trial, trial_frames, trial_errors, trial_cost
            factor = max(DAMPING_SHRINK * factor, 1e-3) if options.adaptive else 1.0
            if cost <= best_cost or _reached(errors, options):
                best_phi, best_errors, best_cost = phi, errors, cost
        history.append(errors.distance)
        costs.append(best_cost)
        if options.stall > 0.0 and len(costs) > 10 and costs[-1] > (1.0 - options.stall) * costs[-11]:
            stalled = True
    reached = _reached(best_errors, options)
    return Descent(
        phi=best_phi,
        errors=best_errors,
        iterations=iterations,
        reached=reached,
        stalled=stalled and not reached,
        history=tuple(history),
    )


def _reached(errors: Errors, options: StepOptions) -> bool:
    return errors.distance <= options.tolerance and errors.angle <= options.rotation_tolerance


def _step(
    linkage: Linkage,
    goals: tuple[Goal, ...],
    frames: Frames,
    errors: Errors,
    room: Room,
    options: StepOptions,
    reach: float,
    factor: float,
) -> FloatArray:
    """Change of the half-angle vectors. Shape (n, 3)."""
    turn_length = options.turn_length * reach
    J = stacked_jacobian(linkage, frames, goals, turn_length) @ room.basis
    change = options.gain * wanted_change(
        goals, errors, turn_length=turn_length, max_distance=options.max_distance * reach, max_angle=1.0
    )
    damping = options.damping * reach * factor
    if options.adaptive:
        # Damping that fades with the error ends in Newton steps: a handful of iterations to any tolerance.
        damping *= min(1.0, sqrt(errors.cost(turn_length)) / (0.1 * reach))

    def invert(jacobian: FloatArray, wanted: FloatArray) -> FloatArray:
        return step(options.method, jacobian, wanted, damping)

    y = bounded(invert, J, change, room) if options.limits_as_bounds else invert(J, change)
    return (room.basis @ y).reshape(-1, 3)
