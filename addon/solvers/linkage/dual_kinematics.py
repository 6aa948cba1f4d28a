# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Forward kinematics and the Jacobian of position and orientation logarithm in dual quaternions.

The thesis's own formulas (algorithms 6, 12 and 13) with their errata put right; `kinematics` gets the same numbers
faster, and a test holds the two together.
"""

from __future__ import annotations

import numpy as np

from ...core import dual_quaternions as dq
from ...core import quaternion_calculus as qc
from ...core.arrays import FloatArray
from ...core.rotations import multiply
from .model import Effector, Linkage


def forward(linkage: Linkage, phi: FloatArray) -> FloatArray:
    """Joint poses in the base frame as dual quaternions, `q_i^W = q_{i-1}^W q_i^R` (algorithm 6). Shape (n, 8)."""
    local = dq.from_pose(multiply(linkage.rests, qc.exp(phi)), linkage.translations)
    out = np.empty((linkage.size, 8))
    for i, parent in enumerate(linkage.parents.tolist()):
        out[i] = local[i] if parent < 0 else dq.multiply(out[parent], local[i])
    return out


def effector_pose(linkage: Linkage, phi: FloatArray, effector: Effector) -> FloatArray:
    """An effector's pose in the base frame as a dual quaternion. Shape (8,)."""
    return dq.multiply(forward(linkage, phi)[effector.joint], dq.from_pose(effector.rotation, effector.offset))


def effector_vector(linkage: Linkage, phi: FloatArray, effector: Effector) -> FloatArray:
    """An effector's position in [m] and half-angle logarithm of its orientation. Shape (6,)."""
    pose = effector_pose(linkage, phi, effector)
    return np.concatenate([dq.translation_of(pose), qc.log(dq.rotation_of(pose))])


def jacobian(linkage: Linkage, phi: FloatArray, effector: Effector) -> FloatArray:
    """Derivative of `effector_vector` by all half-angle vectors (algorithm 13). Shape (6, 3n)."""
    world = forward(linkage, phi)
    pose = dq.multiply(world[effector.joint], dq.from_pose(effector.rotation, effector.offset))
    # The logarithm belongs to the one of q and -q with a positive scalar part.
    sign = -1.0 if pose[0] < 0.0 else 1.0
    t, q = dq.translation_of(pose), sign * dq.rotation_of(pose)
    # Equation (10) with the pseudo-inverse of the exponential's derivative in the place of its transpose.
    to_log = qc.log_derivative(qc.log(q))
    out = np.zeros((6, 3 * linkage.size))
    for i in np.flatnonzero(linkage.ancestors[effector.joint]).tolist():
        parent = int(linkage.parents[i])
        rest = dq.from_pose(linkage.rests[i], linkage.translations[i])
        before = rest if parent < 0 else dq.multiply(world[parent], rest)
        # What follows joint i: its inverse pose times the effector's.
        tail = dq.multiply(dq.conjugate(world[i]), pose)
        turned = np.hstack([qc.exp_derivative(phi[i]).T, np.zeros((3, 4))])
        # Equations (3) to (5), (8) and (9), one row for each component of the half-angle vector.
        moved = sign * dq.multiply(dq.multiply(before, turned), tail)
        velocity = 2.0 * moved[:, 4:] - multiply(np.concatenate([[0.0], t]), moved[:, :4])
        out[:3, 3 * i : 3 * i + 3] = multiply(velocity, qc.conjugate(q))[:, 1:].T
        out[3:, 3 * i : 3 * i + 3] = to_log @ moved[:, :4].T
    return out
