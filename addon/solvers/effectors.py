# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Several end effectors on one mechanism: separate chains solved in order, as in the thesis, or all goals at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.arrays import BoolArray, FloatArray
from .chain import ChainError, why_stopped
from .linkage.descent import StepOptions, descend
from .linkage.goals import Goal, errors_of
from .linkage.kinematics import forward
from .linkage.model import Effector, Linkage, angles_from_logs, touched


@dataclass(frozen=True)
class Branch:
    """A path of joints that serves one effector."""

    hangs_on: int
    """The joint that carries the path, -1 for the base."""
    joints: tuple[int, ...]
    """The path's own joints, root first."""


@dataclass(frozen=True, eq=False)
class EffectorsResult:
    """Where a mechanism with several effectors ended."""

    phi: FloatArray
    """Half-angle vectors. Shape (n, 3)."""
    angles: FloatArray
    """The same as flexion, abduction and twist in [rad]. Shape (n, 3)."""
    residuals: FloatArray
    """Distance of each effector from its goal in [m]. Shape (g,)."""
    rotation_residuals: FloatArray
    """Angle of each effector from its goal in [rad]. Shape (g,)."""
    converged: bool
    """Whether all goals were reached."""
    iterations: int
    """Steps taken, over all branches."""
    reason: str
    """Why it stopped, as in `IkResult`."""
    limits_touched: BoolArray
    """Which angles lie on a limit. Shape (n, 3)."""

    @property
    def residual(self) -> float:
        """Largest distance of an effector from its goal in [m]."""
        return float(self.residuals.max(initial=0.0))


def branches_of(linkage: Linkage, effectors: Sequence[Effector]) -> tuple[Branch, ...]:
    """One path for each effector, such that no joint serves two of them.

    The first effector gets all the joints from the base on; each further one those that are left.

    Raises:
        ChainError: An effector has no joint left to itself.
    """
    taken = np.zeros(linkage.size, dtype=np.bool_)
    out: list[Branch] = []
    for k, effector in enumerate(effectors):
        own = np.flatnonzero(linkage.ancestors[effector.joint] & ~taken)
        if len(own) == 0:
            raise ChainError(f"Effector {k} has no joint of its own: solve its goal together with the others.")
        taken[own] = True
        out.append(Branch(hangs_on=int(linkage.parents[own[0]]), joints=tuple(own.tolist())))
    return tuple(out)


def solve_order(branches: Sequence[Branch]) -> tuple[int, ...]:
    """Indices of the branches in an order in which each comes after the one it hangs on (section 3.2).

    Raises:
        ChainError: Branches hang on each other in a ring.
    """
    owner = {joint: k for k, branch in enumerate(branches) for joint in branch.joints}
    out: list[int] = []
    while len(out) < len(branches):
        ready = [k for k in range(len(branches)) if k not in out and owner.get(branches[k].hangs_on, -1) in (*out, -1)]
        if not ready:
            raise ChainError("Branches hang on each other in a ring.")
        out += ready
    return tuple(out)


def solve_ordered(
    linkage: Linkage,
    goals: Sequence[Goal],
    start: FloatArray,
    *,
    branches: Sequence[Branch] | None = None,
    options: StepOptions | None = None,
) -> EffectorsResult:
    """Each goal by its own branch of joints, carriers before what they carry.

    Args:
        linkage: The mechanism.
        goals: One goal for each effector.
        start: Half-angle vectors within the limits. Shape (n, 3).
        branches: The joints that serve each goal; None: from the base to the first, what is left to the others.
        options: Steps and stopping.

    Raises:
        ChainError: The branches do not fit the goals.
    """
    options = options or StepOptions()
    branches = branches_of(linkage, [goal.effector for goal in goals]) if branches is None else branches
    if len(branches) != len(goals):
        raise ChainError(f"{len(branches)} branches were given for {len(goals)} goals.")
    phi, total = start, 0
    first: tuple[bool, bool] | None = None
    for k in solve_order(branches):
        active = np.zeros(linkage.size, dtype=np.bool_)
        active[list(branches[k].joints)] = True
        reach = reach_of(linkage, goals[k].effector, active)
        found = descend(linkage, (goals[k],), phi, options=options, reach=reach, active=active)
        base = forward(linkage, phi).positions[branches[k].joints[0]]
        if not found.reached and first is None:
            # What hangs on a branch that misses its goal misses too: the first one tells why.
            first = found.stalled, bool(np.linalg.norm(goals[k].position - base) > reach)
        phi, total = found.phi, total + found.iterations
    stalled, far = first or (False, False)
    return _result(linkage, goals, phi, total, options, stalled=stalled, far=far)


def solve_stacked(
    linkage: Linkage, goals: Sequence[Goal], start: FloatArray, *, options: StepOptions | None = None
) -> EffectorsResult:
    """All goals at once, by one Jacobian of all their rows.

    Args:
        linkage: The mechanism.
        goals: One goal for each effector.
        start: Half-angle vectors within the limits. Shape (n, 3).
        options: Steps and stopping.
    """
    options = options or StepOptions()
    everything = np.ones(linkage.size, dtype=np.bool_)
    reach = max(reach_of(linkage, goal.effector, everything) for goal in goals)
    found = descend(linkage, tuple(goals), start, options=options, reach=reach)
    root = forward(linkage, start).positions[0]
    far = any(
        float(np.linalg.norm(goal.position - root)) > reach_of(linkage, goal.effector, everything) for goal in goals
    )
    return _result(linkage, goals, found.phi, found.iterations, options, stalled=found.stalled, far=far)


def reach_of(linkage: Linkage, effector: Effector, joints: BoolArray) -> float:
    """Length in [m] of the straight path through some of the joints to an effector."""
    path = np.flatnonzero(linkage.ancestors[effector.joint] & joints)
    # The first joint's own offset is not turned by any joint of the path.
    bones = np.linalg.norm(linkage.translations[path[1:]], axis=1).sum()
    return float(bones + np.linalg.norm(effector.offset))


def _result(
    linkage: Linkage,
    goals: Sequence[Goal],
    phi: FloatArray,
    iterations: int,
    options: StepOptions,
    *,
    stalled: bool,
    far: bool,
) -> EffectorsResult:
    errors = errors_of(forward(linkage, phi), tuple(goals))
    converged = errors.distance <= options.tolerance and errors.angle <= options.rotation_tolerance
    on_limit = touched(linkage, phi)
    return EffectorsResult(
        phi=phi,
        angles=angles_from_logs(linkage, phi),
        residuals=np.linalg.norm(errors.positions, axis=1),
        rotation_residuals=np.linalg.norm(errors.turns, axis=1),
        converged=converged,
        iterations=iterations,
        reason=why_stopped(reached=converged, far=far, stalled=stalled, on_limit=bool(on_limit.any())),
        limits_touched=on_limit,
    )
