# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One step of an iterative solver, from a Jacobian and a wanted change to a change of the parameters."""

from __future__ import annotations

import numpy as np

from ...core.arrays import FloatArray
from ...core.errors import UnknownChoiceError

METHODS = ("dls", "pseudo-inverse", "transpose")
"""Names of the ways to invert a Jacobian."""

RANK_TOLERANCE = 1e-10
"""Singular values below this fraction of the largest are taken as zero."""


def step(method: str, J: FloatArray, change: FloatArray, damping: float) -> FloatArray:
    """Change of the parameters by the method of a name. Shapes (m, k) and (m,) to (k,).

    Raises:
        UnknownChoiceError: The method is not one of `METHODS`.
    """
    if method == "dls":
        return damped(J, change, damping)
    if method == "pseudo-inverse":
        return pseudo_inverse(J) @ change
    if method == "transpose":
        return transpose(J, change)
    raise UnknownChoiceError("method", method, METHODS)


def damped(J: FloatArray, change: FloatArray, damping: float) -> FloatArray:
    """Damped least squares, `J^T (J J^T + g^2 I)^-1 e`: minimises `|J x - e|^2 + g^2 |x|^2` (algorithm 11)."""
    rows, columns = J.shape
    # The smaller of the two equal systems.
    if rows <= columns:
        system = J @ J.T
        system.flat[:: rows + 1] += damping * damping
        return J.T @ _solved(system, change)
    system = J.T @ J
    system.flat[:: columns + 1] += damping * damping
    return _solved(system, J.T @ change)


def pseudo_inverse(J: FloatArray) -> FloatArray:
    """Moore-Penrose inverse with small singular values taken as zero (algorithm 10). Shape (m, k) to (k, m)."""
    return np.asarray(np.linalg.pinv(J, rcond=RANK_TOLERANCE), dtype=np.float64)


def transpose(J: FloatArray, change: FloatArray) -> FloatArray:
    """Step along `J^T e` with the length that fits `e` best (algorithm 9 with Buss's gain)."""
    return transpose_gain(J, change) * (J.T @ change)


def transpose_gain(J: FloatArray, change: FloatArray) -> float:
    """Buss's step length `<e, JJ^T e> / <JJ^T e, JJ^T e>`, cut to the stable `2 / lambda_max`; 0 for no step."""
    moved = J @ (J.T @ change)
    square = float(moved @ moved)
    return min(float(change @ moved) / square, stable_transpose_gain(J)) if square > 0.0 else 0.0


def stable_transpose_gain(J: FloatArray) -> float:
    """The gain `2 / lambda_max(J J^T)` from which on plain transpose steps diverge."""
    largest = float(np.linalg.eigvalsh(J @ J.T)[-1])
    return 2.0 / largest if largest > 0.0 else np.inf


def null_space(J: FloatArray) -> FloatArray:
    """Projector onto the changes that move nothing to first order, `I - J^+ J`. Shape (m, k) to (k, k).

    With a damped inverse in the place of the pseudo-inverse the projector leaks.
    """
    return np.eye(J.shape[1]) - pseudo_inverse(J) @ J


def task_priority(
    primary: FloatArray, primary_change: FloatArray, secondary: FloatArray, secondary_change: FloatArray, damping: float
) -> FloatArray:
    """Step that meets the primary task and, in what freedom is left, the secondary one (algorithm 20).

    Args:
        primary: Jacobian of the primary task. Shape (c, k).
        primary_change: Its wanted change. Shape (c,).
        secondary: Jacobian of the secondary task. Shape (m, k).
        secondary_change: Its wanted change. Shape (m,).
        damping: Damping of the secondary task. With 0 the step blows up where the two tasks are nearly parallel.
    """
    inverse = pseudo_inverse(primary)
    first = inverse @ primary_change
    left = secondary @ (np.eye(primary.shape[1]) - inverse @ primary)
    missing = secondary_change - secondary @ first
    # The damped step lies in the row space of J P, so that it needs no second projection.
    return first + (damped(left, missing, damping) if damping > 0.0 else pseudo_inverse(left) @ missing)


def clamp_turns(phi_change: FloatArray, max_turns: FloatArray | float) -> FloatArray:
    """Each joint's change shortened so that it turns at most by `max_turns` (algorithm 18). Shape (n, 3).

    A change of the half-angle vector by x turns the joint by 2 |x| at most.
    """
    turns = 2.0 * np.linalg.norm(phi_change, axis=1)
    return phi_change * np.minimum(1.0, max_turns / np.maximum(turns, 1e-300))[:, None]


def retarget(position: FloatArray, target: FloatArray, max_distance: float) -> FloatArray:
    """A target no further than `max_distance` in [m] from where the effector is (algorithm 17). Shape (3,)."""
    delta = target - position
    distance = float(np.linalg.norm(delta))
    return position + delta * (max_distance / distance) if distance > max_distance else target


def _solved(system: FloatArray, right: FloatArray) -> FloatArray:
    try:
        return np.asarray(np.linalg.solve(system, right), dtype=np.float64)
    except np.linalg.LinAlgError:
        # No damping at a singularity: the least-squares step.
        return np.asarray(np.linalg.lstsq(system, right, rcond=None)[0], dtype=np.float64)
