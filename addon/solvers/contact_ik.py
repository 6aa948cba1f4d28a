# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Inverse kinematics among obstacles: the tip goes to its target while the bones stay out of what is in the way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray
from .chain import Chain, IkResult
from .dls import start_angles
from .linkage.contacts import Contacts, Detector
from .linkage.goals import errors_of, read_goal
from .linkage.kinematics import Frames, forward
from .linkage.limits import JointLimit
from .linkage.model import angles_from_logs, from_chain, logs_from_angles, tip_of, touched
from .linkage.responses import ResponseOptions, respond


def _no_contacts(frames: Frames) -> Contacts:
    del frames
    nothing = np.zeros((0, 3))
    return Contacts(
        joints=np.zeros(0, dtype=np.int64), points=nothing, found_at=nothing, normals=nothing, depths=np.zeros(0)
    )


@dataclass(frozen=True, eq=False)
class ContactOptions(ResponseOptions):
    """How `solve` works."""

    detect: Detector = _no_contacts
    """Collision test, for instance `linkage.capsules.detector`."""
    start: FloatArray | None = None
    """Flexion, abduction and twist to start from in [rad], shape (n, 3); None: the middle of the limits."""
    limits: tuple[JointLimit, ...] | None = None
    """Limits in the place of the chain's own, one for each joint."""
    max_frames: int = 60
    """Most calls of the response."""
    tolerance: float = 1e-4
    """Distance in [m] at which the target is reached, and depth in [m] that does not count as contact."""
    rotation_tolerance: float = 1e-2
    """Angle in [rad] at which an orientation is reached."""
    settled: float = 1e-7
    """Largest change of a half-angle vector in a frame, in [rad], at which the chain has come to rest."""


def solve(chain: Chain, target: ArrayLike, options: ContactOptions | None = None) -> IkResult:
    """Angles that bring the chain's tip towards a target without going through the obstacles.

    Converged means that the target was reached with no bone deeper than the tolerance. A target behind an obstacle ends
    with the chain at rest against it ("stalled"), or still sliding ("iterations").

    Args:
        chain: The chain, its base at the origin of the target's frame.
        target: Position in [m], shape (3,), or position and orientation (quaternion wxyz), shape (7,).
        options: How to work; None for the defaults.

    Raises:
        ChainError: The target is not finite, or an option does not fit the chain.
        UnknownChoiceError: The response or a method is not one of the choices.
    """
    options = options or ContactOptions()
    linkage = from_chain(chain, options.limits)
    goal = read_goal(tip_of(chain), target)
    phi = logs_from_angles(linkage, start_angles(chain, options.start))
    frames_used, reason = 0, "iterations"
    while True:
        frames = forward(linkage, phi)
        errors = errors_of(frames, (goal,))
        near = errors.distance <= options.tolerance and errors.angle <= options.rotation_tolerance
        clear = bool((options.detect(frames).depths <= options.tolerance).all())
        if near and clear:
            reason = "reached"
            break
        if frames_used == options.max_frames:
            break
        moved = respond(linkage, goal, phi, options.detect, options=options, reach=chain.reach)
        frames_used += 1
        if float(np.abs(moved - phi).max()) < options.settled:
            phi, reason = moved, "stalled"
            break
        phi = moved
    if reason != "reached" and np.linalg.norm(goal.position) > chain.reach:
        reason = "out of reach"
    errors = errors_of(forward(linkage, phi), (goal,))
    return IkResult(
        angles=angles_from_logs(linkage, phi),
        residual=errors.distance,
        converged=reason == "reached",
        iterations=frames_used * options.iterations,
        reason=reason,
        limits_touched=touched(linkage, phi),
        rotation_residual=errors.angle,
    )
