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
from .chain import Chain, ChainError, IkResult
from .closed_form_nearest import find_nearest
from .closed_form_scalar import FingerPose, localise, reach
from .finger import MAX_BONES, ClosedFormOptions, Finger, build_finger

__all__ = ["ClosedFormOptions", "build_finger", "pose_angles", "pose_tip", "solve", "solve_finger", "supports"]

_CORRECTIONS = 40
"""Rounds in which the target of a chain that is not quite planar is shifted by what the tip missed."""
_TWISTS = 5
"""Twists of the base joint that are tried where the one nearest to 0 does not reach."""


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
    if finger.planar:
        pose = pose_tip(finger, x, y, z)
        found = _Skewed(pose_angles(finger, pose), pose.residual, 0)
    else:
        found = _solve_skewed(chain, finger, wanted, finger.held)
    low, high = chain.limits[0, 2].tolist()
    if found.residual > finger.tolerance and low < high:
        for step in range(_TWISTS):
            held = finger.held.copy()
            held[0, 2] = low + (high - low) * step / (_TWISTS - 1)
            found = min(found, _solve_skewed(chain, finger, wanted, held), key=lambda pose: pose.residual)
    angles, residual, rounds = found
    converged = residual <= finger.tolerance
    return IkResult(
        angles=angles,
        residual=residual,
        converged=converged,
        iterations=rounds,
        reason="reached" if converged else _reason(finger, math.hypot(x, y, z)),
        limits_touched=np.minimum(np.abs(angles - chain.limits[..., 0]), np.abs(angles - chain.limits[..., 1])) <= 1e-9,
    )


def pose_tip(finger: Finger, x: float, y: float, z: float) -> FingerPose:
    """The pose whose tip is on the target or nearest to it: the fast function below `solve`.

    Args:
        finger: From `build_finger`.
        x: Target in the chain's frame in [m].
        y: Second coordinate.
        z: Third coordinate.

    Raises:
        ChainError: The target is not finite.
    """
    goal = localise(finger, x, y, z)
    pose = reach(finger, goal)
    if pose is not None:
        return pose
    pose = find_nearest(finger, goal)
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

    angles: FloatArray
    residual: float
    rounds: int


def _solve_skewed(chain: Chain, finger: Finger, target: FloatArray, held: FloatArray) -> _Skewed:
    """The planar solution with its target shifted by what the real tip missed, until it misses no more.

    Rigs bend their fingers almost in a plane, so this gains a digit or more a round, and limits hold throughout.
    """
    aim, best, best_round = target, None, 0
    for rounds in range(1, _CORRECTIONS + 1):
        angles = np.where(held != 0.0, held, pose_angles(finger, pose_tip(finger, *aim.tolist())))
        miss = target - _tip(chain, angles)
        residual = float(np.linalg.norm(miss))
        if best is None or residual < best.residual:
            best, best_round = _Skewed(angles, residual, rounds), rounds
        if residual <= 0.1 * finger.tolerance or rounds > best_round + 4:
            break
        aim = aim + miss
    assert best is not None
    return best


def _tip(chain: Chain, angles: FloatArray) -> FloatArray:
    """Tip of a chain in its base's frame in [m]. Shape (3,)."""
    position, frame = np.zeros(3), np.eye(3)
    for offset, zero, turn in zip(chain.offsets, chain.zero, angles, strict=True):
        frame = frame @ _rotation(zero) @ _turns(*turn.tolist())
        position = position + frame @ offset
    return position


def _rotation(quaternion: FloatArray) -> FloatArray:
    w, x, y, z = (quaternion / np.linalg.norm(quaternion)).tolist()
    return np.array(
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    )


def _turns(flexion: float, abduction: float, twist: float) -> FloatArray:
    """R_x(flexion) R_y(abduction) R_z(twist)."""
    cx, sx, cy, sy = math.cos(flexion), math.sin(flexion), math.cos(abduction), math.sin(abduction)
    cz, sz = math.cos(twist), math.sin(twist)
    return np.array(
        [
            [cy * cz, -cy * sz, sy],
            [cx * sz + sx * sy * cz, cx * cz - sx * sy * sz, -sx * cy],
            [sx * sz - cx * sy * cz, sx * cz + cx * sy * sz, cx * cy],
        ]
    )
