# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fingers of hand models as chains: the same kinematics exactly, and tips brought to points by every method."""

from __future__ import annotations

import numpy as np
import pytest
from model_hands import HandShape, make_gripper, make_model

from addon.core.arrays import FloatArray
from addon.core.errors import UnknownChoiceError
from addon.hands.build import build_model
from addon.hands.forward import forward
from addon.hands.model import HandModel
from addon.presets.limits import load_limits
from addon.services.finger_ik import METHODS, TipError, TipOptions, finger_chain, solve_tip, tip_of

SHAPES = {
    "right": HandShape(),
    "left": HandShape(side="L", seed=3),
    "metacarpals": HandShape(metacarpals=True, seed=4, curl_deg=14.0),
    "two bones": HandShape(phalanges=2),
    "four bones": HandShape(phalanges=4),
    "centimetres": HandShape(scale=0.1, seed=5),
}


def random_angles(model: HandModel, seed: int) -> FloatArray:
    rng = np.random.default_rng(seed)
    low, high = model.limits.ranges[..., 0], model.limits.ranges[..., 1]
    return low + rng.random(low.shape) * (high - low)


@pytest.mark.parametrize("name", SHAPES)
def test_chains_have_the_models_kinematics_exactly(name: str) -> None:
    model = make_model(SHAPES[name])
    for seed in range(5):
        angles = random_angles(model, seed)
        frames = forward(model, angles)
        for number, finger in enumerate(model.fingers):
            made = finger_chain(model, finger)
            first = made.joints[0]
            parent = model.parents[first]
            base = np.eye(3) if parent < 0 else frames.rotations[parent]
            tip = frames.origins[first] + base @ tip_of(made.chain, angles[list(made.joints)] * made.signs)
            assert np.abs(tip - frames.tips[number]).max() < 1e-12 * max(1.0, made.chain.reach)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", SHAPES)
def test_tips_reach_points_within_limits(name: str, method: str) -> None:
    model = make_model(SHAPES[name])
    reached = total = 0
    now = forward(model, model.rest_angles)
    options = TipOptions(method=method, tolerance=1e-5)
    for seed in range(4):
        for number, finger in enumerate(model.fingers):
            # The metacarpals stay, so the point has to be one that the finger reaches from where they are.
            angles = np.array(model.rest_angles)
            joints = list(finger_chain(model, finger).joints)
            angles[joints] = random_angles(model, 10 + seed)[joints]
            target = forward(model, angles).tips[number]
            found = solve_tip(model, now, model.rest_angles, finger, target, options)
            posed = np.array(model.rest_angles)
            posed[list(found.joints)] = found.angles
            miss = np.linalg.norm(forward(model, posed).tips[number] - target)
            assert miss == pytest.approx(found.residual, abs=1e-7)
            low, high = (model.limits.ranges[joints][..., k] for k in (0, 1))
            assert (found.angles >= low - 1e-12).all()
            assert (found.angles <= high + 1e-12).all()
            reached += miss <= 1e-4
            total += 1
    # A table ties DIP to PIP, so that it misses what only other pairs reach; then least squares helps.
    assert reached >= 0.95 * total


def test_a_grippers_fingers_are_solved_too() -> None:
    model = build_model(*make_gripper(3), load_limits())
    angles = random_angles(model, 1)
    target = forward(model, angles).tips[0]
    now = forward(model, model.rest_angles)
    found = solve_tip(model, now, model.rest_angles, model.fingers[0], target, TipOptions())
    assert found.converged


@pytest.mark.parametrize("method", METHODS)
def test_far_and_impossible_points_give_finite_angles_within_limits(method: str) -> None:
    model = make_model()
    now = forward(model, model.rest_angles)
    index = list(finger_chain(model, "index").joints)
    for target in ([0.0, 0.0, 5.0], now.origins[index[0]], [0.03, 0.2, 0.0]):
        found = solve_tip(model, now, model.rest_angles, "index", np.array(target), TipOptions(method=method))
        assert not found.converged
        assert found.reason in ("out of reach", "limits", "stalled", "iterations")
        assert np.isfinite(found.angles).all()
        assert (found.angles >= model.limits.ranges[index][..., 0]).all()
        assert (found.angles <= model.limits.ranges[index][..., 1]).all()


def test_bad_input_is_one_sentence() -> None:
    model = make_model()
    now = forward(model, model.rest_angles)
    with pytest.raises(TipError, match="no point"):
        solve_tip(model, now, model.rest_angles, "index", np.array([0.0, np.nan, 0.0]), TipOptions())
    with pytest.raises(UnknownChoiceError, match="closed_form"):
        TipOptions(method="magic")
