# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A second wish, granted with the freedom that reached goals leave: steps in their null space, each followed home."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ...core.arrays import FloatArray
from .coordinates import Coupling, follow, room_of
from .descent import Descent, StepOptions, descend
from .goals import Goal, stacked_jacobian
from .kinematics import Frames, forward
from .model import Linkage, clamped
from .steps import clamp_turns, null_space

Pull = Callable[[FloatArray, Frames], FloatArray]
"""From half-angle vectors and frames to the change of the half-angle vectors, shape (n, 3), that is wanted besides."""

DONE = 1e-4
"""Length in half radians of a step in the null space at which the wish is granted as far as can be."""
MOST_STEPS = 40
LEAST_SCALE = 0.02
"""Share of a step below which no step helps any more."""


def relax(
    linkage: Linkage,
    goals: tuple[Goal, ...],
    found: Descent,
    pull: Pull,
    *,
    options: StepOptions,
    reach: float,
    couplings: Sequence[Coupling] = (),
) -> Descent:
    """A configuration that keeps reached goals and is nearer to a second wish.

    `(I - J^+ J) z` with the wish z moves the effectors to second order only (section 5.5.3); a few steps towards the
    goals take that back, so that no digit of them is lost.

    Args:
        linkage: The mechanism.
        goals: The goals, which `found` has reached.
        found: Where to start.
        pull: The wish; it is smaller the nearer it is to being granted.
        options: Steps and stopping.
        reach: Length in [m] that the options' fractions are of.
        couplings: Hinges that follow others.
    """
    home = replace(options, max_iterations=min(options.max_iterations, 12))
    scale, iterations = 1.0, found.iterations
    frames = forward(linkage, found.phi)
    wish = pull(found.phi, frames)
    for _ in range(MOST_STEPS):
        step = _free_step(linkage, goals, found.phi, frames, wish, couplings, options.turn_length * reach)
        if float(np.linalg.norm(step)) < DONE:
            break
        trial = clamped(linkage, found.phi + scale * clamp_turns(step, options.max_turn), found.phi)
        back = descend(
            linkage, goals, follow(linkage, trial, couplings), options=home, reach=reach, couplings=couplings
        )
        iterations += 1 + back.iterations
        there = forward(linkage, back.phi)
        left = pull(back.phi, there)
        if back.reached and np.linalg.norm(left) < np.linalg.norm(wish):
            found, frames, wish, scale = back, there, left, min(1.0, 2.0 * scale)
        elif scale < LEAST_SCALE:
            break
        else:
            scale *= 0.5
    return replace(found, iterations=iterations)


def _free_step(
    linkage: Linkage,
    goals: tuple[Goal, ...],
    phi: FloatArray,
    frames: Frames,
    wish: FloatArray,
    couplings: Sequence[Coupling],
    turn_length: float,
) -> FloatArray:
    """The wish's part that moves no effector and leaves no limit. Shape (n, 3)."""
    room = room_of(linkage, phi, couplings)
    J = stacked_jacobian(linkage, frames, goals, turn_length) @ room.basis
    wanted = np.linalg.lstsq(room.basis, wish.ravel(), rcond=None)[0]
    free = np.ones(len(wanted), dtype=np.bool_)
    out = np.zeros(len(wanted))
    for _ in range(len(wanted)):
        out[:] = 0.0
        out[free] = null_space(J[:, free]) @ wanted[free]
        # Coordinates on a limit that the step would push through it take no part.
        stuck = free & (((room.low > -1e-9) & (out < -1e-12)) | ((room.high < 1e-9) & (out > 1e-12)))
        if not stuck.any():
            break
        free &= ~stuck
    return (room.basis @ out).reshape(-1, 3)
