# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Closed-form inverse kinematics of a finger (Duits 2015), within joint limits.

The default method for fingers. A thumb is a finger whose links are its metacarpal and two phalanges: the base joint,
its CMC, turns the plane of flexion onto the target.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..core.arrays import FloatArray
from .bones import tip_of
from .chain import Chain, ChainError, IkResult
from .closed_form_nearest import find_nearest
from .closed_form_scalar import FingerPose, localise, reach
from .finger import MAX_BONES, ClosedFormOptions, Finger, build_finger

__all__ = ["ClosedFormOptions", "build_finger", "pose_angles", "pose_tip", "solve", "solve_finger", "supports"]

_CORRECTIONS = 40
"""Rounds in which the target of a chain that is not quite planar is shifted by what the tip missed."""
_PATIENCE = 4
"""Rounds after which the gain is looked at."""
_PROGRESS = 0.5
"""Share of what was missed that may be left after them."""
_TWISTS = 5
"""Twists of the base joint that are tried where the one nearest to 0 does not reach."""
_LEAST_TWIST = 1e-3
"""Range of twist in [rad] that is worth trying."""


def supports(chain: Chain) -> bool:
    """Whether a chain has a closed form; others need an iterative solver."""
    return len(chain.offsets) <= MAX_BONES


def solve(chain: Chain, target: FloatArray | Sequence[float], options: ClosedFormOptions | None = None) -> IkResult:
    """The pose of a finger or thumb whose tip is on a target, or nearest to it.

    Args:
        chain: One to three bones; the base joint flexes and abducts, the others flex.
        target: Wanted position of the tip in the chain's frame in [m]. Shape (3,).
        options: How the spare degree of freedom is spent.

    Raises:
        ChainError: The target is not three finite numbers.
        UnsupportedChainError: The chain has four or more bones.
    """
    return solve_finger(chain, build_finger(chain, options), target)


def solve_finger(chain: Chain, finger: Finger, target: FloatArray | Sequence[float]) -> IkResult:
    """As `solve`, with a finger that was built before."""
    wanted = np.asarray(target, dtype=np.float64)
    if wanted.shape != (3,):
        raise ChainError(f"A target is three numbers, not an array of shape {wanted.shape}.")
    x, y, z = wanted.tolist()
    held = finger.held.tolist()
    if finger.planar:
        pose = pose_tip(finger, x, y, z)
        found = _Skewed(pose_angles(finger, pose).tolist(), pose.residual, 0)
    else:
        found = _solve_skewed(finger, (x, y, z), held)
    low, high = chain.limits[0, 2].tolist()
    if found.residual > finger.tolerance and high - low > _LEAST_TWIST:
        for step in range(_TWISTS):
            held[0][2] = low + (high - low) * step / (_TWISTS - 1)
            found = min(found, _solve_skewed(finger, (x, y, z), held), key=lambda pose: pose.residual)
    angles, residual, rounds = np.array(found.angles), found.residual, found.rounds
    converged = residual <= finger.tolerance
    return IkResult(
        angles=angles,
        residual=residual,
        converged=converged,
        iterations=rounds,
        reason="reached" if converged else _reason(finger, math.hypot(x, y, z)),
        limits_touched=np.minimum(np.abs(angles - chain.limits[..., 0]), np.abs(angles - chain.limits[..., 1])) <= 1e-9,
    )


def pose_tip(finger: Finger, x: float, y: float, z: float, near: FingerPose | None = None) -> FingerPose:
    """The pose whose tip is on the target or nearest to it: the fast function below `solve`.

    Args:
        finger: From `build_finger`.
        x: Target in the chain's frame in [m].
        y: Second coordinate.
        z: Third coordinate.
        near: The pose of a target close by; what is nearest to one out of reach is then looked for there only.

    Raises:
        ChainError: The target is not finite.
    """
    goal = localise(finger, x, y, z)
    pose = reach(finger, goal)
    if pose is not None:
        return pose
    pose = find_nearest(finger, goal, near)
    if pose.residual > 1e5 * finger.reach:
        # `localise` brings such targets nearer, on their ray.
        pose = pose._replace(residual=math.hypot(x, y, z))
    return pose


def pose_angles(finger: Finger, pose: FingerPose) -> FloatArray:
    """A pose as flexion, abduction and twist of each joint in [rad]. Shape (n, 3)."""
    angles = np.array(finger.held)
    angles[0, :2] = pose.flexion, pose.abduction
    angles[1:, 0] = (pose.pip, pose.dip)[: finger.bones - 1]
    return angles


def _reason(finger: Finger, distance: float) -> str:
    inside = finger.closest.distance <= distance <= finger.farthest.distance
    return "limits" if inside else "out of reach"


class _Skewed(NamedTuple):
    """A pose of a chain that is not quite planar."""

    angles: list[list[float]]
    residual: float
    rounds: int


def _solve_skewed(finger: Finger, target: tuple[float, float, float], held: list[list[float]]) -> _Skewed:
    """The planar solution with its target shifted by what the real tip missed, until it misses no more.

    Rigs bend their fingers almost in a plane, so this gains a digit or more a round, and limits hold throughout. A
    target out of reach is nearly as far from the planar finger as from the real one: there it soon gains no more.
    """
    x, y, z = target
    best, before, pose = None, math.inf, None
    for rounds in range(1, _CORRECTIONS + 1):
        pose = pose_tip(finger, x, y, z, pose)
        angles = [list(row) for row in held]
        for row, angle in zip(angles, (pose.flexion, pose.pip, pose.dip), strict=False):
            row[0] = angle
        angles[0][1] = pose.abduction
        tip = tip_of(finger.skeleton, angles)
        miss = target[0] - tip[0], target[1] - tip[1], target[2] - tip[2]
        residual = math.hypot(*miss)
        if best is None or residual < best.residual:
            best = _Skewed(angles, residual, rounds)
        if residual <= 0.1 * finger.tolerance:
            break
        if rounds % _PATIENCE == 0:
            if best.residual > _PROGRESS * before:
                break
            before = best.residual
        x, y, z = x + miss[0], y + miss[1], z + miss[2]
    assert best is not None
    return best
