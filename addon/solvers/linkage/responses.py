# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a linkage does about contacts while it follows a target: the thesis's collision responses 1, 2 and 3."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf

import numpy as np

from ...core.arrays import FloatArray
from ...core.errors import UnknownChoiceError
from .contacts import Contacts, Detector, escape_jacobian, tracked_depths
from .coordinates import room_of
from .goals import Goal, errors_of, stacked_jacobian, wanted_change
from .kinematics import Frames, effector_position, forward
from .model import Linkage, clamped
from .steps import clamp_turns, retarget, stable_transpose_gain, step, task_priority

RESPONSES = ("1", "1+delta", "2", "3")
"""Names of the responses.

1: contacts are pushed out and nothing else is done while there are any; stable, but it sticks. 1+delta: a little
further out than the surface. 2: the same with short steps towards the target; clears every contact but trembles.
3: contacts first, and the target with the freedom that is left (task priority); the smoothest.
"""


@dataclass(frozen=True)
class ResponseOptions:
    """How to respond. Lengths are fractions of the chain's reach."""

    response: str = "3"
    """One of `RESPONSES`."""
    iterations: int = 10
    """Steps for each call of `respond`: one frame."""
    gain: float = 0.3
    """Share of the way to the target that a step asks for."""
    contact_gain: float = 0.3
    """Share of the depth that a step asks for."""
    exit_distance: float = 0.003
    """How far out of the obstacle contacts are pushed, over reach; response 1 pushes to the surface only."""
    method: str = "dls"
    """How steps towards the target are found, one of `steps.METHODS`."""
    contact_method: str = "pseudo-inverse"
    """How steps out of contacts are found in responses 1 and 2."""
    damping: float = 0.15
    """Damping over reach; of the target's task in response 3. With 0 that task is undamped, as printed."""
    max_distance: float = 0.07
    """Longest way towards the target in a frame, over reach (not in response 1)."""
    max_turn: float = 0.17
    """Largest turn of a joint in one step in [rad] (not in response 1)."""
    clamp_contact_steps: bool = True
    """Whether `max_turn` holds for steps with contacts too; as printed in the thesis it does not."""
    redetect: int = 1
    """Contacts are looked for anew every so many steps; 0: once a frame only, as in the thesis."""
    turn_length: float = 0.3
    """Length that a radian of orientation counts as, over reach."""


def respond(
    linkage: Linkage, goal: Goal, phi: FloatArray, detect: Detector, *, options: ResponseOptions, reach: float
) -> FloatArray:
    """Half-angle vectors after one frame of following a target among obstacles. Shape (n, 3).

    Args:
        linkage: The mechanism.
        goal: Where its effector wants to be.
        phi: Half-angle vectors within the limits. Shape (n, 3).
        detect: Collision test.
        options: How to respond.
        reach: Length in [m] that the options' fractions are of.

    Raises:
        UnknownChoiceError: The response is not one of `RESPONSES`.
    """
    if options.response not in RESPONSES:
        raise UnknownChoiceError("response", options.response, RESPONSES)
    frames = forward(linkage, phi)
    contacts = detect(frames)
    if options.response in ("2", "3"):
        # Algorithms 19 and 20 draw the target near once a frame, which bounds how deep a frame can push.
        here = effector_position(frames, goal.effector)
        goal = replace(goal, position=retarget(here, goal.position, options.max_distance * reach))
    for k in range(options.iterations):
        if k and options.redetect and k % options.redetect == 0:
            contacts = detect(frames)
        basis = room_of(linkage, phi).basis
        if contacts.count == 0:
            change = (basis @ _free_step(linkage, goal, frames, basis, options, reach)).reshape(-1, 3)
            limited = options.response in ("2", "3")
        else:
            change = (basis @ _contact_step(linkage, goal, frames, basis, contacts, options, reach)).reshape(-1, 3)
            limited = options.response in ("2", "3") and options.clamp_contact_steps
        if limited:
            change = clamp_turns(change, options.max_turn)
        phi = clamped(linkage, phi + change, phi)
        frames = forward(linkage, phi)
    return phi


def pushes(depths: FloatArray, exit_distance: float) -> FloatArray:
    """How far each contact is to be pushed in [m]: its depth and a little more, nothing once it is outside.

    For each contact by itself and by its depth as it now is; the thesis prints one test for the whole vector.
    """
    return np.where(depths < 0.0, 0.0, depths + exit_distance)


def _free_step(
    linkage: Linkage, goal: Goal, frames: Frames, basis: FloatArray, options: ResponseOptions, reach: float
) -> FloatArray:
    J, change = _target_task(linkage, goal, frames, basis, options, reach)
    return _inverted(options.method, J, change, options.damping * reach)


def _contact_step(
    linkage: Linkage,
    goal: Goal,
    frames: Frames,
    basis: FloatArray,
    contacts: Contacts,
    options: ResponseOptions,
    reach: float,
) -> FloatArray:
    escape = escape_jacobian(linkage, frames, contacts) @ basis
    exit_distance = 0.0 if options.response == "1" else options.exit_distance * reach
    push = options.contact_gain * pushes(tracked_depths(frames, contacts), exit_distance)
    if options.response != "3":
        return _inverted(options.contact_method, escape, push, options.damping * reach)
    J, change = _target_task(linkage, goal, frames, basis, options, reach)
    return task_priority(escape, push, J, change, options.damping * reach)


def _target_task(
    linkage: Linkage, goal: Goal, frames: Frames, basis: FloatArray, options: ResponseOptions, reach: float
) -> tuple[FloatArray, FloatArray]:
    turn_length = options.turn_length * reach
    errors = errors_of(frames, (goal,))
    change = wanted_change((goal,), errors, turn_length=turn_length, max_distance=inf, max_angle=1.0)
    return stacked_jacobian(linkage, frames, (goal,), turn_length) @ basis, options.gain * change


def _inverted(method: str, J: FloatArray, change: FloatArray, damping: float) -> FloatArray:
    if method == "transpose":
        # Scaled by the largest eigenvalue, so that the gains mean the same for chains of every size.
        gain = 0.5 * stable_transpose_gain(J)
        return np.multiply(gain if gain < inf else 0.0, J.T @ change)
    return step(method, J, change, damping)
