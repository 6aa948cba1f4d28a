# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Damped least squares on quaternion logarithms, and its transpose, pseudo-inverse and null-space variants."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import BoolArray, FloatArray, frozen_floats
from .chain import Chain, ChainError, IkResult, why_stopped
from .linkage.coordinates import Coupling, coupled, follow
from .linkage.descent import Descent, StepOptions, descend
from .linkage.goals import read_goal
from .linkage.limits import JointLimit
from .linkage.model import Linkage, angles_from_logs, from_chain, logs_from_angles, tip_of, touched
from .linkage.relaxation import Pull, relax

KRONECKER = (0.8191725134, 0.6710436067, 0.5497004779)
"""Fractions whose multiples fill a cube evenly: powers of 1 / 1.2207440846, the root of x^4 = x + 1."""


@dataclass(frozen=True, eq=False)
class DlsOptions(StepOptions):
    """How `solve` works; the defaults suit fingers and arms of any size."""

    start: FloatArray | None = None
    """Flexion, abduction and twist to start from in [rad], shape (n, 3); None: the middle of the limits."""
    limits: tuple[JointLimit, ...] | None = None
    """Limits in the place of the chain's own, for instance swing cones; one for each joint."""
    couplings: tuple[Coupling, ...] = ()
    """Hinges that follow others."""
    orientation_joints: tuple[bool, ...] | None = None
    """Which joints may turn for the sake of orientation; None for all."""
    rest: FloatArray | None = None
    """Angles in [rad] to stay near where the target leaves freedom, shape (n, 3): the null-space variant."""
    rest_gain: float = 0.5
    """Share of the way to `rest` that a step asks for."""
    restarts: int = 4
    """Further starts, spread evenly over the limits, when the target is within reach but was not reached."""


def solve(chain: Chain, target: ArrayLike, options: DlsOptions | None = None) -> IkResult:
    """Angles that bring the chain's tip to a target, or as near as they can.

    Args:
        chain: The chain, its base at the origin of the target's frame.
        target: Position in [m], shape (3,), or position and orientation (quaternion wxyz), shape (7,).
        options: How to work; None for the defaults.

    Raises:
        ChainError: The target is not finite, or an option does not fit the chain.
    """
    options = options or DlsOptions()
    n = len(chain.offsets)
    linkage = coupled(from_chain(chain, options.limits), options.couplings)
    used = _joint_mask(options.orientation_joints, n)
    goal = read_goal(tip_of(chain), target, used)
    first = start_angles(chain, options.start)
    pull = None if options.rest is None else _rest_pull(linkage, options)  # Read now: bad input fails at once.
    best: Descent | None = None
    total = 0
    for k in range(1 + max(options.restarts, 0)):
        angles = first if k == 0 else spread_angles(chain, k)
        found = descend(
            linkage,
            (goal,),
            logs_from_angles(linkage, angles),
            options=options,
            reach=chain.reach,
            couplings=options.couplings,
        )
        total += found.iterations
        if best is None or _rank(found, options) < _rank(best, options):
            best = found
        # Nothing that lies beyond the straight chain gets nearer from another start.
        if best.reached or np.linalg.norm(goal.position) > chain.reach:
            break
    assert best is not None
    if pull is not None and best.reached:
        searched = total - best.iterations
        best = relax(linkage, (goal,), best, pull, options=options, reach=chain.reach, couplings=options.couplings)
        total = searched + best.iterations
    far = bool(np.linalg.norm(goal.position) > chain.reach)
    return result_of(linkage, best, total, out_of_reach=far)


def start_angles(chain: Chain, start: FloatArray | None) -> FloatArray:
    """Angles to start from: the given ones, or the middle of the limits. Shape (n, 3).

    Raises:
        ChainError: The given ones are not finite.
    """
    if start is None:
        return 0.5 * (chain.limits[..., 0] + chain.limits[..., 1])
    angles = frozen_floats(start, (len(chain.offsets), 3), "start")
    if not np.isfinite(angles).all():
        raise ChainError("The start angles are not finite.")
    return angles


def spread_angles(chain: Chain, index: int) -> FloatArray:
    """The start of a number from a sequence that fills the limits evenly; the same on every machine. Shape (n, 3)."""
    n = len(chain.offsets)
    step = np.array(KRONECKER)[None, :] + np.arange(n)[:, None] * 0.3819660113
    fraction = (0.5 + index * step) % 1.0
    # Half a turn either way is enough of a range that has no end.
    low, high = np.maximum(chain.limits[..., 0], -np.pi), np.minimum(chain.limits[..., 1], np.pi)
    return np.asarray(low + fraction * (high - low), dtype=np.float64)


def result_of(linkage: Linkage, found: Descent, iterations: int, *, out_of_reach: bool) -> IkResult:
    """A descent's end as the result that all solvers give."""
    on_limit = touched(linkage, found.phi)
    reason = why_stopped(reached=found.reached, far=out_of_reach, stalled=found.stalled, on_limit=bool(on_limit.any()))
    return IkResult(
        angles=angles_from_logs(linkage, found.phi),
        residual=found.errors.distance,
        converged=found.reached,
        iterations=iterations,
        reason=reason,
        limits_touched=on_limit,
        rotation_residual=found.errors.angle,
    )


def _rank(found: Descent, options: DlsOptions) -> float:
    # Both errors in units of their tolerance.
    return max(found.errors.distance / options.tolerance, found.errors.angle / options.rotation_tolerance)


def _joint_mask(joints: tuple[bool, ...] | None, n: int) -> BoolArray | None:
    if joints is None:
        return None
    if len(joints) != n:
        raise ChainError(f"{len(joints)} orientation switches were given for a chain of {n} joints.")
    return np.array(joints, dtype=np.bool_)


def _rest_pull(linkage: Linkage, options: DlsOptions) -> Pull:
    rest = frozen_floats(options.rest if options.rest is not None else (), (linkage.size, 3), "rest")
    wanted = follow(linkage, logs_from_angles(linkage, rest), options.couplings)
    return lambda phi, frames: options.rest_gain * (wanted - phi)
