# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Properties of the closed form that hold for any lengths and any limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_closed_form import keeps_limits, make_chain, tip_of

from addon.core.arrays import FloatArray
from addon.solvers.chain import Chain, ChainError
from addon.solvers.closed_form import ClosedFormOptions, build_finger, pose_angles, pose_tip, solve
from addon.solvers.closed_form_batch import solve_batch

ANGLE = st.floats(-170.0, 170.0)
LENGTH = st.floats(0.008, 0.07)


@st.composite
def limited_fingers(draw) -> tuple[Chain, FloatArray]:
    """A finger with any limits, and a pose within them, often on one."""
    quarter = st.floats(-80.0, 80.0)
    limits = [sorted((draw(kind), draw(kind))) for kind in (ANGLE, quarter, ANGLE, ANGLE)]
    chain = make_chain([draw(LENGTH) for _ in range(3)], limits)
    pose = np.zeros((3, 3))
    for joint, kind in ((0, 0), (0, 1), (1, 0), (2, 0)):
        low, high = chain.limits[joint, kind]
        pose[joint, kind] = low + (high - low) * draw(st.sampled_from((0.0, 1.0)) | st.floats(0.0, 1.0))
    return chain, pose


@settings(max_examples=300, deadline=None)
@given(limited_fingers())
def test_whatever_the_limits_a_reachable_target_is_reached(case: tuple[Chain, FloatArray]) -> None:
    chain, pose = case
    target = tip_of(chain, pose)
    result = solve(chain, target)
    assert result.converged
    assert np.linalg.norm(tip_of(chain, result.angles) - target) <= 1e-6
    assert keeps_limits(chain, result.angles)


@settings(max_examples=150, deadline=None)
@given(limited_fingers(), st.tuples(*[st.floats(-0.2, 0.2)] * 3), st.booleans())
def test_no_target_gives_nan_or_breaks_a_limit(case, target: tuple[float, float, float], coupled: bool) -> None:
    chain, _ = case
    try:
        finger = build_finger(chain, ClosedFormOptions(exact_coupling=coupled))
    except ChainError:
        return
    angles = pose_angles(finger, pose_tip(finger, *target))
    assert np.isfinite(angles).all()
    assert keeps_limits(chain, angles)
    poses = solve_batch(finger, np.array([target] * 10))
    assert np.isfinite(poses.angles).all()
    assert poses.residual == pytest.approx(np.full(10, pose_tip(finger, *target).residual), abs=1e-7)
