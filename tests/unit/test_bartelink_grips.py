# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Grips: acceptance tests AT-59, AT-60 and AT-62 of Bartelink's thesis."""

from __future__ import annotations

import numpy as np
import pytest
from bartelink_models import DEG, Z, random_quaternions, turn

from addon.core import quaternion_calculus as qc
from addon.core.arrays import FloatArray
from addon.solvers.grips import Grip, closest_grip, moved, reach_grip

FAR = 0.2
"""The farthest grip that counts, in [m]."""


def grip_at(distance: float, degrees: float) -> Grip:
    return Grip(position=np.array([distance, 0.0, 0.0]), rotation=np.array(turn(Z, degrees)), tips=np.zeros((5, 3)))


def test_at59_the_grip_that_turns_the_palm_least() -> None:
    grips = [grip_at(0.5 * FAR, 40.0), grip_at(0.9 * FAR, 10.0), grip_at(1.1 * FAR, 0.0)]
    palm = np.array([1.0, 0.0, 0.0, 0.0])
    for rotation in (palm, -palm):
        found = closest_grip(grips, np.zeros(3), rotation, max_distance=FAR, max_angle=60 * DEG)
        assert found == 1
    assert closest_grip(grips, np.full(3, 9.0), palm, max_distance=FAR, max_angle=60 * DEG) is None
    assert closest_grip(grips, np.zeros(3), palm, max_distance=FAR, max_angle=5 * DEG) is None
    assert closest_grip([], np.zeros(3), palm, max_distance=FAR, max_angle=60 * DEG) is None


def test_at59_the_whole_angle_counts() -> None:
    # The printed arc cosine is half of the angle and would let 100 degrees pass.
    palm = np.array([1.0, 0.0, 0.0, 0.0])
    assert closest_grip([grip_at(0.0, 100.0)], np.zeros(3), palm, max_distance=FAR, max_angle=60 * DEG) is None


@pytest.mark.parametrize(("distance", "solved"), [(0.10, False), (0.02, False), (0.019, True), (0.0, True)])
def test_at60_fingers_wait_for_the_palm(distance: float, solved: bool) -> None:
    calls: list[str] = []

    def move_arm(position: FloatArray, rotation: FloatArray) -> tuple[FloatArray, FloatArray]:
        calls.append("arm")
        return position + np.array([distance, 0.0, 0.0]), rotation

    def solve_fingers(tips: FloatArray) -> None:
        calls.append("fingers")
        assert tips.shape == (5, 3)

    step = reach_grip(grip_at(0.0, 0.0), move_arm, solve_fingers, start_distance=0.02)
    assert step.fingers_solved == solved
    assert calls == (["arm", "fingers"] if solved else ["arm"])


def test_at62_targets_move_with_the_object() -> None:
    rng = np.random.default_rng(62)
    grip = Grip(position=rng.normal(size=3), rotation=random_quaternions(rng, 1)[0], tips=rng.normal(size=(5, 3)))
    rotation, position = random_quaternions(rng, 1)[0], rng.normal(size=3)
    world = moved(grip, position, rotation)
    # The tips stay where they are as seen from the palm.
    before = qc.rotate(qc.conjugate(grip.rotation), grip.tips - grip.position)
    after = qc.rotate(qc.conjugate(world.rotation), world.tips - world.position)
    assert np.abs(after - before).max() < 1e-12
    assert np.abs(world.tips - (qc.rotate(rotation, grip.tips) + position)).max() < 1e-12
    still = moved(grip, np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]))
    assert np.abs(still.tips - grip.tips).max() < 1e-15
