# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Chains and targets that the tests of the iterative solvers share."""

from __future__ import annotations

import numpy as np

from addon.core import rotations
from addon.core.arrays import FloatArray
from addon.solvers.chain import Chain
from addon.solvers.linkage.limits import BallLimit, FreeLimit, HingeLimit, JointLimit
from addon.solvers.linkage.model import Effector, Linkage

DEG = np.pi / 180.0
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
IDENTITY = (1.0, 0.0, 0.0, 0.0)


def turn(axis: tuple[float, float, float], degrees: float) -> tuple[float, float, float, float]:
    """Quaternion of a turn about a unit axis."""
    half = 0.5 * degrees * DEG
    x, y, z = (component * float(np.sin(half)) for component in axis)
    return (float(np.cos(half)), x, y, z)


def random_quaternions(rng: np.random.Generator, count: int) -> FloatArray:
    return rotations.unit(rng.normal(size=(count, 4)))


def serial(
    lengths: tuple[float, ...], limits: tuple[JointLimit, ...] | None = None, rests: FloatArray | None = None
) -> Linkage:
    """A chain of bones along z as a linkage; free balls unless limits are given."""
    n = len(lengths)
    translations = np.zeros((n, 3))
    translations[1:, 2] = lengths[:-1]
    return Linkage(
        parents=np.arange(n) - 1,
        translations=translations,
        rests=np.tile(IDENTITY, (n, 1)) if rests is None else rests,
        limits=limits or (FreeLimit(),) * n,
    )


def straight_chain(lengths: tuple[float, ...], limits: FloatArray | None = None) -> Chain:
    """A chain of bones along z in the form that solvers take; free balls unless limits are given."""
    n = len(lengths)
    offsets = np.zeros((n, 3))
    offsets[:, 2] = lengths
    free = np.tile([-np.pi, np.pi], (n, 3, 1))
    return Chain(offsets=offsets, zero=np.tile(IDENTITY, (n, 1)), limits=free if limits is None else limits)


# Chain F of the acceptance tests.
CHAIN_F = serial((0.045, 0.025, 0.020))
TIP_F = Effector(joint=2, offset=np.array([0.0, 0.0, 0.020]))
PHI_F = np.array([[0.10, 0.25, -0.05], [0.0, 0.30, 0.0], [0.0, 0.20, 0.0]])


def index_finger() -> Chain:
    """Index finger 39.8/22.4/19.7 mm: abduction +-15, MCP 0..90, PIP 0..110, DIP 0..90 degrees."""
    limits = np.zeros((3, 3, 2))
    limits[0, 0], limits[0, 1] = (0.0, 90.0 * DEG), (-15.0 * DEG, 15.0 * DEG)
    limits[1, 0], limits[2, 0] = (0.0, 110.0 * DEG), (0.0, 90.0 * DEG)
    return straight_chain((0.0398, 0.0224, 0.0197), limits)


def index_targets(count: int, *, coupled: bool, seed: int = 20120830) -> FloatArray:
    """Reachable tip positions of `index_finger`, angles uniform within the limits; coupled: DIP = 2/3 PIP."""
    chain = index_finger()
    fraction = np.random.default_rng(seed).random((1000, 3, 3))[:count]
    angles = chain.limits[..., 0] + fraction * (chain.limits[..., 1] - chain.limits[..., 0])
    if coupled:
        angles[:, 2, 0] = 2.0 / 3.0 * angles[:, 1, 0]
    return np.array([tip_position(chain, each) for each in angles])


def thesis_finger() -> tuple[Chain, tuple[JointLimit, ...]]:
    """45/25/20 mm, MCP cone 55 degrees about 35 degrees of flexion and twist +-5, PIP 0..100, DIP 0..80."""
    limits: tuple[JointLimit, ...] = (
        BallLimit(cone=55 * DEG, twist_low=-5 * DEG, twist_high=5 * DEG, centre=turn(X, 35.0)),
        HingeLimit(axis=X, low=0.0, high=100 * DEG),
        HingeLimit(axis=X, low=0.0, high=80 * DEG),
    )
    return straight_chain((0.045, 0.025, 0.020)), limits


def tip_position(chain: Chain, angles: FloatArray) -> FloatArray:
    """Tip by plain matrix products, a twin that shares nothing with the solvers."""
    return tip_frame(chain, angles)[1]


def tip_frame(chain: Chain, angles: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Orientation and position of the tip by plain matrix products."""
    rotation, position = np.eye(3), np.zeros(3)
    for offset, zero, row in zip(chain.offsets, chain.zero, angles, strict=True):
        rotation = rotation @ rotations.matrix_from_quaternion(zero) @ rotations.rotation_from_angles(row)
        position = position + rotation @ offset
    return rotation, position


def excess(chain: Chain, angles: FloatArray) -> float:
    """How far in [rad] angles break the chain's limits; 0 or less for not at all."""
    return float(max((chain.limits[..., 0] - angles).max(), (angles - chain.limits[..., 1]).max()))
