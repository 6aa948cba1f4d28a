# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Arm: shoulder, elbow and wrist (and a clavicle before them) to a frame for the hand, by damped least squares."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, frozen_floats
from .chain import Chain, ChainError, IkResult
from .dls import result_of, spread_angles, start_angles
from .linkage.descent import Descent, StepOptions, descend
from .linkage.goals import read_goal
from .linkage.kinematics import Frames
from .linkage.limits import JointLimit
from .linkage.model import Effector, from_chain, logs_from_angles
from .linkage.relaxation import Pull, relax


@dataclass(frozen=True, eq=False)
class ArmOptions(StepOptions):
    """How `solve` works."""

    start: FloatArray | None = None
    """Flexion, abduction and twist to start from in [rad], shape (n, 3); None: the middle of the limits."""
    limits: tuple[JointLimit, ...] | None = None
    """Limits in the place of the chain's own, for instance swing cones; one for each joint."""
    elbow_hint: FloatArray | None = None
    """Point in [m] that the elbow turns towards as far as wrist and limits let it, shape (3,); None for none."""
    hint_gain: float = 0.5
    """Share of the way to the hint that a step asks for."""
    restarts: int = 4
    """Further starts, spread evenly over the limits, when the target was not reached."""


def solve(chain: Chain, target: ArrayLike, options: ArmOptions | None = None) -> IkResult:
    """Angles that bring the wrist, the chain's last joint, to a position with the hand in an orientation.

    The hand joint alone turns for the sake of orientation, which looks most natural, and all joints where its limits
    make that impossible.

    Args:
        chain: Upper arm, forearm and hand; a clavicle and others may come before. Its base is at the origin of the
            target's frame. The length of the last bone, the hand, does not matter.
        target: Position of the wrist in [m] and orientation of the hand's frame (quaternion wxyz). Shape (7,).
        options: How to work; None for the defaults.

    Raises:
        ChainError: A chain of fewer than three joints, or a target without orientation or that is not finite.
    """
    options = options or ArmOptions()
    n = len(chain.offsets)
    if n < 3:
        raise ChainError(f"An arm needs shoulder, elbow and wrist, and this chain has {n} joints.")
    wrist = Effector(joint=n - 1, offset=np.zeros(3))
    goal = read_goal(wrist, target)
    if goal.rotation is None:
        raise ChainError("The arm's target needs an orientation: 7 numbers, position and quaternion wxyz.")
    linkage = from_chain(chain, options.limits)
    reach = float(np.linalg.norm(chain.offsets[:-1], axis=1).sum())
    pull = None if options.elbow_hint is None else _hint_pull(n, options)
    hand_only = np.arange(n) == n - 1
    first = logs_from_angles(linkage, start_angles(chain, options.start))
    best = descend(linkage, (replace(goal, orientation_joints=hand_only),), first, options=options, reach=reach)
    total = best.iterations
    out_of_reach = bool(np.linalg.norm(goal.position) > reach)
    starts = [best.phi, *(logs_from_angles(linkage, spread_angles(chain, k + 1)) for k in range(options.restarts))]
    for phi in starts:
        if best.reached:
            break
        found = descend(linkage, (goal,), phi, options=options, reach=reach)
        total += found.iterations
        best = found if _size(found, options) < _size(best, options) else best
        if out_of_reach:
            break
    if pull is not None and best.reached:
        searched = total - best.iterations
        best = relax(linkage, (goal,), best, pull, options=options, reach=reach)
        total = searched + best.iterations
    return result_of(linkage, best, total, out_of_reach=out_of_reach)


def _size(found: Descent, options: ArmOptions) -> float:
    # Both errors in units of their tolerance.
    return max(found.errors.distance / options.tolerance, found.errors.angle / options.rotation_tolerance)


def _hint_pull(n: int, options: ArmOptions) -> Pull:
    """A wish to swing the elbow round the line from shoulder to wrist, towards the hint's side of it."""
    hint = frozen_floats(options.elbow_hint if options.elbow_hint is not None else (), (3,), "elbow_hint")
    if not np.isfinite(hint).all():
        raise ChainError("The elbow hint is not finite.")
    shoulder, elbow, wrist = n - 3, n - 2, n - 1

    def pull(phi: FloatArray, frames: Frames) -> FloatArray:
        out = np.zeros_like(phi)
        swivel = swivel_angle(frames.positions[[shoulder, elbow, wrist]], hint)
        line = frames.positions[wrist] - frames.positions[shoulder]
        length = float(np.linalg.norm(line))
        if length > 1e-9:
            out[shoulder] = np.linalg.solve(frames.axes[shoulder], options.hint_gain * swivel * line / length)
        return out

    return pull


def swivel_angle(joints: FloatArray, hint: FloatArray) -> float:
    """Angle in [rad] about the line from shoulder to wrist from the elbow's side to the hint's; 0 where undefined.

    Args:
        joints: Shoulder, elbow and wrist in [m]. Shape (3, 3).
        hint: A point in [m]. Shape (3,).
    """
    line = joints[2] - joints[0]
    length = float(np.linalg.norm(line))
    if length < 1e-9:
        return 0.0
    axis = line / length
    here, there = (place - joints[0] - ((place - joints[0]) @ axis) * axis for place in (joints[1], hint))
    if min(float(np.linalg.norm(here)), float(np.linalg.norm(there))) < 1e-9:
        return 0.0
    return float(np.arctan2(axis @ np.cross(here, there), here @ there))
