# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The nearest reachable pose of the closed form against brute force."""

from __future__ import annotations

import math

import numpy as np
import pytest
from test_closed_form import INDEX, LIMITS_DEG, keeps_limits, make_chain, tip_of

from addon.core.arrays import FloatArray
from addon.solvers.chain import Chain
from addon.solvers.closed_form import ClosedFormOptions, build_finger, pose_tip, solve
from addon.solvers.closed_form_nearest import _slope
from addon.solvers.closed_form_scalar import localise


def brute_nearest(chain: Chain, target: FloatArray, steps: int) -> float:
    ranges = [chain.limits[joint, kind] for joint, kind in ((0, 0), (0, 1), (1, 0), (2, 0))]
    axes = [np.linspace(low, high, steps if low < high else 1) for low, high in ranges]
    f, a, p, q = np.meshgrid(*axes, indexing="ij", sparse=True)
    pp, ip, dp = chain.offsets[:, 2]
    u, v = pp + ip * np.cos(p) + dp * np.cos(p + q), ip * np.sin(p) + dp * np.sin(p + q)
    x, forward = u * np.sin(a), u * np.cos(a)
    y, z = -(forward * np.sin(f) + v * np.cos(f)), forward * np.cos(f) - v * np.sin(f)
    return float(np.sqrt(((x - target[0]) ** 2 + (y - target[1]) ** 2 + (z - target[2]) ** 2).min()))


@pytest.mark.parametrize("limits_deg", [LIMITS_DEG, ((-30.0, 90.0), (5.0, 20.0), (-20.0, 100.0), (-15.0, 60.0))])
def test_nearest_reachable_pose_is_no_farther_than_a_brute_force_grid_finds(limits_deg) -> None:
    chain = make_chain(limits_deg=limits_deg)
    rng = np.random.default_rng(10)
    missed = 0
    for _ in range(40):
        target = rng.normal(scale=0.06, size=3)
        result = solve(chain, target)
        brute = brute_nearest(chain, target, 21)
        assert result.residual <= brute + 1e-9
        assert np.linalg.norm(tip_of(chain, result.angles) - target) == pytest.approx(result.residual, abs=1e-9)
        assert keeps_limits(chain, result.angles)
        if result.converged:
            continue
        missed += 1
        # A grid cannot come closer than its cells are wide, nor stay farther off: both bound the same minimum.
        assert brute - result.residual < 0.006
        assert result.reason in ("out of reach", "limits")
    assert missed > 10


def test_nearest_coupled_pose_is_no_farther_than_a_sweep_finds() -> None:
    chain = make_chain()
    finger = build_finger(chain, ClosedFormOptions(exact_coupling=True))
    rng = np.random.default_rng(11)
    for _ in range(15):
        target = rng.normal(scale=0.06, size=3)
        found = pose_tip(finger, *target)
        best = math.inf
        for pip in np.linspace(0.0, math.radians(110.0), 31):
            dip = math.degrees(2.0 / 3.0 * pip)
            locked = make_chain(limits_deg=(*LIMITS_DEG[:2], (math.degrees(pip),) * 2, (dip, dip)))
            best = min(best, brute_nearest(locked, target, 31))
        assert found.residual <= best + 1e-9
        assert best - found.residual < 0.006


def test_a_target_beyond_reach_gets_the_straight_finger_and_its_distance() -> None:
    result = solve(make_chain(), (0.0, 0.0, 0.1))
    assert not result.converged
    assert result.reason == "out of reach"
    assert result.residual == pytest.approx(0.1 - sum(INDEX))
    assert np.allclose(result.angles, 0.0)
    assert result.limits_touched[1, 0]


def test_a_target_beside_a_finger_that_cannot_abduct_gets_its_foot() -> None:
    chain = make_chain(limits_deg=(LIMITS_DEG[0], (0.0, 0.0), *LIMITS_DEG[2:]))
    result = solve(chain, (0.01, -0.03, 0.05))
    assert result.residual == pytest.approx(0.01)
    assert np.allclose(tip_of(chain, result.angles), (0.0, -0.03, 0.05))


@pytest.mark.parametrize("limits_deg", [LIMITS_DEG, ((-40.0, 90.0), (-10.0, 20.0), (-25.0, 100.0), (-20.0, 70.0))])
def test_slope_of_the_error_against_differences(limits_deg) -> None:
    """The gradient that the descent goes down, with the base joint free, on a limit of flexion, and of abduction."""
    finger = build_finger(make_chain(limits_deg=limits_deg))
    rng = np.random.default_rng(31)
    low, high = finger.box[:, 2:, 0]
    for _ in range(200):
        goal = localise(finger, *rng.normal((0.0, -0.03, 0.03), 0.05).tolist())
        pip, dip = (low + (high - low) * rng.uniform(0.05, 0.95, 2)).tolist()
        slope, h = _slope(finger, goal, pip, dip), 1e-6
        by_pip = (_slope(finger, goal, pip + h, dip).error - _slope(finger, goal, pip - h, dip).error) / (2.0 * h)
        by_dip = (_slope(finger, goal, pip, dip + h).error - _slope(finger, goal, pip, dip - h).error) / (2.0 * h)
        assert (slope.pip, slope.dip) == pytest.approx((by_pip, by_dip), abs=1e-9)
