# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Postures on other hands: the other side, other sizes, other numbers of fingers and bones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from addon.hands.build import build_model
from addon.hands.forward import forward
from addon.hands.mirror import mirror_frame, mirror_pose
from addon.hands.model import HandModel
from addon.hands.posture import HandPose, clamp, resample
from addon.hands.retarget import retarget
from addon.presets.limits import load_limits
from tests.unit import model_hands
from tests.unit.model_hands import HandShape, make_gripper, make_hand, make_model


def random_posture(model: HandModel, seed: int) -> np.ndarray:
    low, high = model.limits.ranges[..., 0], model.limits.ranges[..., 1]
    return low + np.random.default_rng(seed).random(low.shape) * (high - low)


@given(st.integers(0, 1000))
@settings(max_examples=20, deadline=None)
def test_mirroring_twice_gives_the_posture_back(seed: int) -> None:
    right, left = make_model(HandShape(seed=seed)), make_model(HandShape(side="L", seed=seed + 1))
    angles = random_posture(right, seed)
    assert np.allclose(retarget(left, right, retarget(right, left, angles)), angles, atol=1e-9)


def test_a_mirrored_hand_is_its_mirror_image() -> None:
    right, left = make_model(HandShape(seed=1)), make_model(HandShape(side="L", seed=2))
    angles = random_posture(right, 3)
    T = np.eye(4)
    T[:3, :3] = np.linalg.qr(np.random.default_rng(4).normal(size=(3, 3)))[0]
    T[:3, :3] *= np.sign(np.linalg.det(T[:3, :3]))
    T[:3, 3] = 0.3, -0.2, 1.0
    point, normal = np.array([0.1, 0.0, 0.0]), np.array([2.0, 0.0, 0.0])
    mirrored = mirror_pose(right, left, HandPose(angles, T), point=point, normal=normal)
    seen = forward(right, angles).tips @ T[:3, :3].T + T[:3, 3]
    seen[:, 0] = 0.2 - seen[:, 0]
    tips = forward(left, mirrored.angles).tips @ mirrored.T_world_hand[:3, :3].T + mirrored.T_world_hand[:3, 3]
    assert np.allclose(tips, seen, atol=1e-9)
    assert np.linalg.det(mirrored.T_world_hand[:3, :3]) > 0.0
    again = mirror_frame(mirrored.T_world_hand, point=point, normal=normal)
    assert np.allclose(again, T, atol=1e-12)


def test_equal_hands_keep_angles_beyond_their_limits() -> None:
    model, other = make_model(), make_model(HandShape(side="L"))
    angles = model.limits.ranges[..., 1] + 0.2
    assert np.allclose(retarget(model, other, angles)[model.joints("index")], angles[model.joints("index")], atol=1e-9)


def test_joints_bend_by_the_same_share_of_their_ranges() -> None:
    model = make_model()
    wide = np.radians([[-20.0, 60.0], [0.0, 0.0], [0.0, 0.0]])
    other = build_model(*make_hand(), load_limits(), own_limits={"index.1": wide})
    j = model.names.index("index.1")
    for given_deg, wanted_deg in ((110.0, 60.0), (55.0, 30.0), (0.0, 0.0)):
        angles = np.zeros_like(model.rest_angles)
        angles[j, 0] = np.radians(given_deg)
        assert np.isclose(np.degrees(retarget(model, other, angles)[j, 0]), wanted_deg)


@pytest.mark.parametrize(
    "shape",
    [
        HandShape(phalanges=2, side="L"),
        HandShape(phalanges=4),
        HandShape(fingers=("thumb", "index", "middle")),
        HandShape(curl_deg=25.0, thumb_deg=(20.0, 40.0), scale=0.05, seed=3),
        HandShape(metacarpals=True, seed=4),
    ],
)
def test_a_fist_is_a_fist_on_other_hands(shape: HandShape) -> None:
    source, target = make_model(), make_model(shape)
    fist = np.zeros_like(source.rest_angles)
    for finger in ("index", "middle", "ring", "pinky"):
        fist[source.joints(finger), 0] = np.radians([80.0, 95.0, 60.0])
    got = retarget(source, target, fist)
    assert np.array_equal(clamp(target, got), got)
    tips = forward(target, got).tips
    for f, finger in enumerate(target.fingers):
        if finger != "thumb":
            knuckle = forward(target, got).origins[target.joints(finger)[0]]
            reach = target.lengths[target.joints(finger)].sum()
            assert np.linalg.norm(tips[f] - knuckle) < 0.75 * reach
            assert tips[f][1] < knuckle[1]


def test_fingers_of_other_names_take_the_place_of_theirs_in_the_row() -> None:
    source, gripper = make_model(), build_model(*make_gripper(3), load_limits())
    angles = source.rest_angles.copy()
    for k, finger in enumerate(("index", "middle", "ring", "pinky")):
        angles[source.joints(finger)[0], 0] = 0.1 * (k + 1)
    flexion = retarget(source, gripper, angles)[::2, 0]
    assert np.allclose(flexion, [0.1, 0.3, 0.4], atol=0.11)
    assert flexion[0] < flexion[1] < flexion[2]


def test_spread_of_the_rest_pose_is_taken_into_account(monkeypatch: pytest.MonkeyPatch) -> None:
    """Straight fingers keep their direction in the palm, whatever their rest poses; bent ones do not splay."""
    source = make_model()
    monkeypatch.setitem(model_hands.FANS_DEG, "index", 16.0)
    target = make_model()
    root = source.joints("index")[0]
    straight = np.zeros_like(source.rest_angles)
    assert np.isclose(np.degrees(retarget(source, target, straight)[root, 1]), -10.0, atol=0.3)
    straight[root, 0] = np.pi / 2.0
    assert np.isclose(retarget(source, target, straight)[root, 1], 0.0, atol=1e-9)


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 100))
def test_resampled_fingers_bend_as_much_in_all(n: int, count: int, seed: int) -> None:
    values = np.random.default_rng(seed).random((n, 3))
    out = resample(values, count)
    assert out.shape == (count, 3)
    assert np.allclose(out.sum(axis=0), values.sum(axis=0))
    if count > 1:
        assert np.allclose(out[0], values[0])
    assert np.allclose(resample(values, n), values)
