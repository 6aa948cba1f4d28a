# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The index finger of the benchmark, its targets, and the judge of all answers."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from addon.core import rotations
from addon.core.arrays import FloatArray
from addon.solvers.chain import Chain

LENGTHS = (0.0398, 0.0224, 0.0197)
LIMITS_DEG = ((0.0, 90.0), (-15.0, 15.0), (0.0, 110.0), (0.0, 90.0))
"""MCP flexion, MCP abduction, PIP, DIP."""
COUPLING = 2.0 / 3.0
SEED = 20120830
TIP_TOLERANCE = 1e-4
"""[m]"""
LIMIT_TOLERANCE = np.radians(0.01)
"""Single precision, as in Blender, cannot do better."""


@dataclass(frozen=True, eq=False)
class TargetSet:
    """Tips of random poses within the limits."""

    coupled: bool
    """Whether the poses have DIP = 2/3 PIP."""
    chain: Chain
    targets: FloatArray
    """In [m]. Shape (n, 3)."""

    @property
    def start(self) -> tuple[float, float, float, float]:
        """The middle of the limits in [rad], where iterative solvers begin."""
        flexion, abduction, pip, dip = (float(np.radians(0.5 * (low + high))) for low, high in LIMITS_DEG)
        return flexion, abduction, pip, dip


@dataclass(frozen=True, eq=False)
class Answer:
    """What a solver made of a set."""

    targets: TargetSet
    angles: FloatArray
    """Flexion, abduction and twist of each joint in [rad]. Shape (n, 3, 3)."""
    single_us: float
    """Time of a single solve in [us]."""
    batched_us: float | None = None
    """Time of a solve among all in [us], where the solver has such a way."""
    swings: bool = False
    """Whether the base joint swings about any axis across the bone, which is a little twist in angles of another order;
    that twist is then not held against it."""


@dataclass(frozen=True)
class Verdict:
    """Figures of one answer."""

    success_percent: float
    worst_mm: float
    """Among the successes."""
    limits_broken: int
    """Poses in which any joint is beyond its limits."""


def make_chain() -> Chain:
    """The finger as solvers take it."""
    limits = np.zeros((3, 3, 2))
    limits[0, 0], limits[0, 1], limits[1, 0], limits[2, 0] = np.radians(LIMITS_DEG)
    offsets = np.zeros((3, 3))
    offsets[:, 2] = LENGTHS
    return Chain(offsets, np.tile([1.0, 0.0, 0.0, 0.0], (3, 1)), limits)


def make_set(count: int, *, coupled: bool) -> TargetSet:
    """Targets that can be reached, the same ones every time."""
    chain = make_chain()
    low, high = chain.limits[..., 0], chain.limits[..., 1]
    angles = low + (high - low) * np.random.default_rng(SEED).random((count, 3, 3))
    if coupled:
        angles[:, 2, 0] = COUPLING * angles[:, 1, 0]
    return TargetSet(coupled, chain, tips(chain, angles))


def tips(chain: Chain, angles: FloatArray) -> FloatArray:
    """Tips by plain matrix products. Shape (n, 3)."""
    frame, position = np.eye(3), np.zeros(3)
    for joint, offset in enumerate(chain.offsets):
        frame = frame @ rotations.rotation_from_angles(angles[:, joint])
        position = position + frame @ offset
    return position


def judge(answer: Answer) -> Verdict:
    """How good the answers are, by forward kinematics of their angles."""
    chain = answer.targets.chain
    miss = np.linalg.norm(tips(chain, answer.angles) - answer.targets.targets, axis=1)
    beyond = np.maximum(chain.limits[..., 0] - answer.angles, answer.angles - chain.limits[..., 1])
    if answer.swings:
        beyond[:, 0, 2] = 0.0
    beyond = beyond.max(axis=(1, 2))
    broken = ~(beyond <= LIMIT_TOLERANCE)
    good = (miss <= TIP_TOLERANCE) & ~broken
    worst = float(miss[good].max()) if good.any() else float("nan")
    return Verdict(100.0 * float(good.mean()), 1000.0 * worst, int(broken.sum()))


def from_columns(columns: FloatArray) -> FloatArray:
    """Flexion, abduction, PIP and DIP, shape (n, 4), as angles of each joint. Shape (n, 3, 3)."""
    angles = np.zeros((len(columns), 3, 3))
    angles[:, 0, 0], angles[:, 0, 1], angles[:, 1, 0], angles[:, 2, 0] = np.asarray(columns).T
    return angles


def best_time(work: Callable[[], object], *, seconds: float = 1.0, threads: bool = False) -> float:
    """Shortest of several runs in [s]; a run that is long by itself is not repeated.

    Args:
        work: What is timed.
        seconds: How long to repeat it.
        threads: Whether it works in threads of its own, so that the wall clock counts; what else the machine does is
            left out otherwise.
    """
    clock = time.perf_counter if threads else time.process_time
    best, until = float("inf"), time.perf_counter() + seconds
    while True:
        started = clock()
        work()
        best = min(best, clock() - started)
        if time.perf_counter() >= until:
            return best
