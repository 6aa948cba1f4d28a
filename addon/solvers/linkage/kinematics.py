# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Forward kinematics and the Jacobians of points and orientations, the fast route: rotation matrices and levers.

`dual_kinematics` is the thesis's own route to the same numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core import quaternion_calculus as qc
from ...core import rotations
from ...core.arrays import BoolArray, FloatArray
from .model import Effector, Linkage

_IDENTITY = np.eye(3)


@dataclass(frozen=True, eq=False)
class Frames:
    """Where the joints are, and how the base frame sees their parameters."""

    rotations: FloatArray
    """Orientation of each joint. Shape (n, 3, 3)."""
    positions: FloatArray
    """Position of each joint in [m]. Shape (n, 3)."""
    axes: FloatArray
    """Angular velocity of each joint per unit change of its phi, one column a component. Shape (n, 3, 3)."""


def forward(linkage: Linkage, phi: FloatArray) -> Frames:
    """Joint frames in the base frame (algorithm 6).

    Args:
        linkage: The mechanism.
        phi: Half-angle vectors. Shape (n, 3).
    """
    n = linkage.size
    turns, rates = _turns_and_rates(phi)
    bases = np.empty((n, 3, 3))
    out = np.empty((n, 3, 3))
    positions = np.empty((n, 3))
    for i, parent in enumerate(linkage.parents.tolist()):
        if parent < 0:
            bases[i], positions[i] = linkage.rest_matrices[i], linkage.translations[i]
        else:
            bases[i] = out[parent] @ linkage.rest_matrices[i]
            positions[i] = positions[parent] + out[parent] @ linkage.translations[i]
        out[i] = bases[i] @ turns[i]
    return Frames(rotations=out, positions=positions, axes=bases @ rates)


def _turns_and_rates(phi: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Matrices of `exp(phi)` and `angular_rates(phi)`: both are sums of I, [w]x and w w^T. Each of shape (n, 3, 3)."""
    squares = np.einsum("ij,ij->i", phi, phi)
    # Quotients of sines are flat near 0: at 1e-5 in the place of anything smaller they are right to the last digit
    # that counts, because what they multiply is that small.
    n = np.maximum(np.sqrt(squares), 1e-5)
    sinc, cosine = np.sin(n) / n, np.cos(n)
    skew = qc.cross_matrix(phi)
    outer = phi[:, :, None] * phi[:, None, :]
    fade = (1.0 - sinc * cosine) / (n * n)
    # [w]x [w]x = w w^T - n^2 I.
    twice = 2.0 * sinc * sinc
    turns = _combined(np.array([1.0 - twice * squares, 2.0 * sinc * cosine, twice]), skew, outer)
    rates = _combined(np.array([2.0 - 2.0 * fade * squares, twice, 2.0 * fade]), skew, outer)
    return turns, rates


def _combined(coefficients: FloatArray, skew: FloatArray, outer: FloatArray) -> FloatArray:
    a, b, c = coefficients[:, :, None, None]
    return a * _IDENTITY + b * skew + c * outer


def effector_position(frames: Frames, effector: Effector) -> FloatArray:
    """Position of an effector in the base frame in [m]. Shape (3,)."""
    return frames.positions[effector.joint] + frames.rotations[effector.joint] @ effector.offset


def effector_rotation(frames: Frames, effector: Effector) -> FloatArray:
    """Orientation of an effector in the base frame. Shape (3, 3)."""
    return frames.rotations[effector.joint] @ rotations.matrix_from_quaternion(effector.rotation)


def point_jacobian(linkage: Linkage, frames: Frames, joint: int, point: FloatArray) -> FloatArray:
    """Derivative of a point fixed to a joint by all half-angle vectors, `A_i x (p - t_i)`. Shape (3, 3n).

    Args:
        linkage: The mechanism.
        frames: Its joint frames.
        joint: The joint that carries the point.
        point: Position in the base frame in [m]. Shape (3,).
    """
    levers = point - frames.positions
    # -[lever]x A is A x lever, column by column.
    columns = -qc.cross_matrix(levers) @ frames.axes
    columns[~linkage.ancestors[joint]] = 0.0
    return np.concatenate(list(columns), axis=1)


def rotation_jacobian(linkage: Linkage, frames: Frames, joint: int, used: BoolArray | None = None) -> FloatArray:
    """Angular velocity of a joint's frame by all half-angle vectors. Shape (3, 3n).

    Args:
        linkage: The mechanism.
        frames: Its joint frames.
        joint: The joint whose frame is meant.
        used: Joints that may turn for the sake of orientation; the others' columns are zero. Shape (n,).
    """
    columns = frames.axes.copy()
    columns[~linkage.ancestors[joint]] = 0.0
    if used is not None:
        columns[~used] = 0.0
    return np.concatenate(list(columns), axis=1)
