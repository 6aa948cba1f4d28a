# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fingers of a hand model as chains for the solvers, and the poses that bring their tips to points."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from ..core.arrays import FloatArray
from ..core.errors import PrehendError, UnknownChoiceError
from ..core.rotations import matrix_from_quaternion, quaternion_from_matrix, rotation_from_angles
from ..hands.forward import HandFrames
from ..hands.model import HandModel
from ..solvers import ccd, closed_form, dls, ik, table
from ..solvers.chain import Chain, ChainError, IkResult
from ..solvers.finger import MAX_BONES, ClosedFormOptions, Finger

METHODS = ("closed_form", "dls", "ccd", "table")
_ROUNDS = 30
"""Rounds in which a table's target is shifted by what the tip of a finger that is not quite planar missed."""


class TipError(PrehendError):
    """A fingertip that cannot be brought to a point, and what to do about it."""


@dataclass(frozen=True)
class TipOptions:
    """How fingers are solved."""

    method: str = "closed_form"
    """One of `METHODS`. Fingers that it cannot do are solved by the next best."""
    theta_u: float = 11.0 / 12.0 * math.pi
    """Turn of the two outer joints together in [rad] at which the closed form's approximation is exact."""
    tolerance: float = 1e-5
    """Distance in [m] at which a point is reached."""
    thorough: bool = True
    """Whether another method and other starts are tried where limits seem to forbid a point; not while dragging."""

    def __post_init__(self) -> None:
        """Check the method.

        Raises:
            UnknownChoiceError: There is none of that name.
        """
        if self.method not in METHODS:
            raise UnknownChoiceError("method", self.method, METHODS)


@dataclass(frozen=True, eq=False)
class FingerChain:
    """One finger as solvers take it; its base is where its first joint is."""

    joints: tuple[int, ...]
    """Joints of the model, root first. Length n."""
    chain: Chain
    signs: FloatArray
    """Angles of the chain over those of the model. Shape (n, 3)."""


@dataclass(frozen=True, eq=False)
class TipSolution:
    """The pose of one finger."""

    joints: tuple[int, ...]
    """Joints of the model. Length n."""
    angles: FloatArray
    """Their flexion, abduction and twist in [rad], as the model counts them. Shape (n, 3)."""
    residual: float
    """Distance of the tip from its point in [m]."""
    converged: bool
    reason: str
    """As in `IkResult`."""


@lru_cache(maxsize=64)
def finger_chain(model: HandModel, finger: str) -> FingerChain:
    """A finger of a hand as a chain: the same joints, offsets and limits, without the metacarpal.

    Raises:
        TipError: A bone of the finger has no length.
    """
    joints = model.joints(finger)
    offsets = np.array(
        [model.offsets[after] for after in joints[1:]] + [np.array([0.0, 0.0, model.lengths[joints[-1]]])]
    )
    signs = model.signs[joints]
    ranges = model.limits.ranges[joints] * signs[..., None]
    try:
        chain = Chain(offsets, quaternion_from_matrix(model.zeros[joints]), np.sort(ranges, axis=-1))
    except ChainError as error:
        raise TipError(f"The {finger} cannot be solved: {error}") from error
    return FingerChain(tuple(joints), chain, signs)


def solve_tip(
    model: HandModel, frames: HandFrames, angles: FloatArray, finger: str, target: FloatArray, options: TipOptions
) -> TipSolution:
    """The pose of a finger whose tip is at a point of the hand's frame, or as near as its limits let it.

    Args:
        model: The hand.
        frames: Where its joints are now; the metacarpals stay there.
        angles: Its angles now in [rad], from where iterative methods begin. Shape (m, 3).
        finger: Name of the finger.
        target: In the hand's frame in [m]. Shape (3,).
        options: How to work.

    Raises:
        TipError: The finger or the target is malformed.
    """
    made = finger_chain(model, finger)
    if not np.isfinite(target).all():
        raise TipError(f"The target of the {finger} is no point: give it a place that is a number.")
    first = made.joints[0]
    parent = int(model.parents[first])
    base = np.eye(3) if parent < 0 else frames.rotations[parent]
    local = (np.asarray(target, dtype=np.float64) - frames.origins[first]) @ base
    low, high = made.chain.limits[..., 0], made.chain.limits[..., 1]
    start = np.clip(angles[list(made.joints)] * made.signs, low, high)
    found = _solve(made.chain, local, start, options)
    clamped = np.clip(found.angles, low, high)
    return TipSolution(made.joints, clamped * made.signs, found.residual, found.converged, found.reason)


def _solve(chain: Chain, target: FloatArray, start: FloatArray, options: TipOptions) -> IkResult:
    by_dls = dls.DlsOptions(start=start, tolerance=options.tolerance)
    if not options.thorough:
        by_dls = replace(by_dls, restarts=0)
    if options.method == "ccd":
        by_ccd = ccd.CcdOptions(start=start, tolerance=options.tolerance, fallback=options.thorough)
        return ik.solve(chain, target, by_ccd)
    if options.method == "dls" or len(chain.offsets) > MAX_BONES:
        return ik.solve(chain, target, by_dls)
    if options.method == "table" and len(chain.offsets) == MAX_BONES:
        found = _look_up(chain, target, options)
    else:
        closed = ClosedFormOptions(theta_u=options.theta_u, tolerance=options.tolerance)
        found = closed_form.solve_finger(chain, _prepared(chain, closed), target)
    if found.converged or found.reason == "out of reach" or not options.thorough:
        return found
    # Bones that do not bend in one plane may have a way that the planar methods do not see.
    second = ik.solve(chain, target, replace(by_dls, start=found.angles))
    return second if second.residual < found.residual - 0.1 * options.tolerance else found


@lru_cache(maxsize=64)
def _prepared(chain: Chain, options: ClosedFormOptions) -> Finger:
    return closed_form.build_finger(chain, options)


@lru_cache(maxsize=32)
def _flat_table(chain: Chain) -> tuple[Chain, table.FingerTable]:
    """The table of the finger with its bones laid in one plane."""
    n = len(chain.offsets)
    offsets, zero = np.zeros((n, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (n, 1))
    offsets[:, 2], zero[0] = np.linalg.norm(chain.offsets, axis=1), chain.zero[0]
    limits = np.array(chain.limits)
    limits[1:, 1:] = limits[0, 2] = 0.0
    flat = Chain(offsets, zero, limits)
    return flat, table.build_table(flat)


def _look_up(chain: Chain, target: FloatArray, options: TipOptions) -> IkResult:
    """A table's answer, its target shifted by what the tip of the real finger missed, until that is no more."""
    flat, made = _flat_table(chain)
    held = np.clip(0.0, chain.limits[..., 0], chain.limits[..., 1])

    def pose(aim: FloatArray) -> tuple[IkResult, FloatArray]:
        found = table.look_up(flat, made, aim, table.TableOptions())
        angles = np.array(held)
        angles[:, 0], angles[0, 1] = found.angles[:, 0], found.angles[0, 1]
        return found, angles

    return _shifted(chain, target, pose, options.tolerance)


def _shifted(
    chain: Chain, target: FloatArray, pose: Callable[[FloatArray], tuple[IkResult, FloatArray]], tolerance: float
) -> IkResult:
    aim, best = target, None
    for _ in range(_ROUNDS):
        found, angles = pose(aim)
        miss = target - tip_of(chain, angles)
        residual = float(np.linalg.norm(miss))
        if best is None or residual < best.residual:
            best = replace(found, angles=angles, residual=residual, converged=residual <= tolerance)
        if residual <= 0.1 * tolerance:
            break
        aim = aim + miss
    assert best is not None
    return replace(best, reason="reached" if best.converged else best.reason.replace("reached", "limits"))


def tip_of(chain: Chain, angles: FloatArray) -> FloatArray:
    """Tip of a chain in its base's frame in [m]. Shape (3,)."""
    turns = matrix_from_quaternion(chain.zero) @ rotation_from_angles(angles)
    position, frame = np.zeros(3), np.eye(3)
    for turn, offset in zip(turns, chain.offsets, strict=True):
        frame = frame @ turn
        position = position + frame @ offset
    return position
