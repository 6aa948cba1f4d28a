# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hand models: exact kinematics, and axes that turn the way they say on every kind of hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from addon.core.errors import ShapeError
from addon.hands.build import build_model
from addon.hands.chains import HandShapeError
from addon.hands.forward import angles_from_frames, forward
from addon.hands.model import HandModel
from addon.hands.posture import clamp
from addon.presets.limits import load_limits
from addon.shapes.hand import VARIANTS, HandSpec, build_hand
from tests.unit.hand_motion import assert_closes, assert_opposes, assert_spreads, demo_map
from tests.unit.model_hands import HandShape, make_gripper, make_hand, make_model

SHAPES = {
    "right": HandShape(),
    "left": HandShape(side="L"),
    "rolled and moved": HandShape(seed=1),
    "left rolled and moved": HandShape(side="L", seed=2),
    "straight": HandShape(curl_deg=0.0),
    "curled": HandShape(curl_deg=30.0, seed=3),
    "overstretched": HandShape(curl_deg=-12.0, seed=16),
    "relaxed": HandShape(side="L", curl_deg=20.0, thumb_deg=(25.0, 35.0), seed=4),
    "flat thumb": HandShape(thumb_deg=(55.0, 0.0), seed=5),
    "opposed thumb": HandShape(thumb_deg=(20.0, 50.0), side="L", seed=6),
    "no tips": HandShape(tips=False, seed=7),
    "metacarpals": HandShape(metacarpals=True, side="L", seed=8),
    "centimetres": HandShape(scale=0.1, seed=9),
    "two phalanges": HandShape(phalanges=2, seed=10),
    "four phalanges": HandShape(phalanges=4, side="L", seed=11),
    "three fingers": HandShape(fingers=("thumb", "index", "middle"), seed=12),
    "mitten": HandShape(fingers=("thumb", "middle"), seed=13),
    "no thumb": HandShape(fingers=("index", "middle", "ring", "pinky"), seed=14),
    "flat hierarchy": HandShape(flat=True, metacarpals=True, seed=15),
}


@pytest.fixture(params=SHAPES, ids=str)
def shape(request: pytest.FixtureRequest) -> HandShape:
    return SHAPES[request.param]


def test_frames_at_rest_are_where_the_bones_are(shape: HandShape) -> None:
    skeleton, hand = make_hand(shape)
    model = build_model(skeleton, hand, load_limits())
    frames = forward(model, model.rest_angles)
    heads = np.array([skeleton.heads[skeleton.index(name)] for name in model.names])
    wrist = skeleton.heads[skeleton.index(hand.wrist)]
    T = model.binding.hand_in_carrier
    R_world_hand = skeleton.rotations[skeleton.index(model.binding.carrier)] @ T[:3, :3]
    assert np.allclose(frames.origins @ R_world_hand.T + wrist, heads, atol=1e-12 + 1e-13 / shape.scale)
    size = float(np.abs(frames.tips).max())
    for f, finger in enumerate(hand.fingers):
        if finger.tip is not None:
            tip = skeleton.heads[skeleton.index(finger.tip)]
            assert np.allclose(R_world_hand @ frames.tips[f] + wrist, tip, atol=1e-9 * size)
    bones = np.array([skeleton.rotations[skeleton.index(name)] for name in model.names])
    joints = R_world_hand.T @ bones @ model.binding.joint_in_bone
    assert np.allclose(joints, frames.rotations, atol=1e-12)


def test_angles_of_frames_are_the_angles(shape: HandShape) -> None:
    model = make_model(shape)
    rng = np.random.default_rng(0)
    angles = model.rest_angles + rng.uniform(-1.2, 1.2, (50, *model.rest_angles.shape))
    angles[..., 1] = np.clip(angles[..., 1], -1.5, 1.5)
    assert np.allclose(angles_from_frames(model, forward(model, angles).rotations), angles, atol=1e-12)


def test_many_postures_are_each_as_alone(shape: HandShape) -> None:
    model = make_model(shape)
    angles = np.random.default_rng(1).uniform(-1.0, 1.0, (4, 2, *model.rest_angles.shape))
    together = forward(model, angles)
    for i in range(4):
        for k in range(2):
            alone = forward(model, angles[i, k])
            assert np.allclose(alone.tips, together.tips[i, k], atol=1e-14)
            assert np.allclose(alone.rotations, together.rotations[i, k], atol=1e-14)


def test_frames_follow_the_formula_joint_by_joint() -> None:
    model = make_model(HandShape(side="L", seed=2, metacarpals=True))
    angles = np.random.default_rng(2).uniform(-1.0, 1.0, model.rest_angles.shape)
    frames = forward(model, angles)
    x, y, z = np.eye(3)
    for j, parent in enumerate(model.parents):
        f, a, t = angles[j] * model.signs[j]
        R, p = (frames.rotations[parent], frames.origins[parent]) if parent >= 0 else (np.eye(3), np.zeros(3))
        turned = R @ model.zeros[j] @ _turn(x, f) @ _turn(y, a) @ _turn(z, t)
        assert np.allclose(frames.rotations[j], turned, atol=1e-13)
        assert np.allclose(frames.origins[j], p + R @ model.offsets[j], atol=1e-15)


def _turn(axis: np.ndarray, angle: float) -> np.ndarray:
    x, y, z = axis
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * skew + (1 - np.cos(angle)) * skew @ skew


def test_flexion_closes(shape: HandShape) -> None:
    assert_closes(make_model(shape))


def test_abduction_spreads(shape: HandShape) -> None:
    if len(shape.fingers) > 2:
        assert_spreads(make_model(shape))


def test_thumb_opposes(shape: HandShape) -> None:
    # A thumb that starts beyond the last knuckle of a narrow hand, or fully opposed, has nowhere to go.
    if len(shape.fingers) == 5 and shape.thumb_deg[1] < 45.0:
        assert_opposes(make_model(shape))


def test_thumb_abducts_out_of_the_palm_and_flexes_across_it(shape: HandShape) -> None:
    if "thumb" not in shape.fingers:
        return
    model = make_model(shape)
    root = model.joints("thumb")[0]
    angles = np.zeros_like(model.rest_angles)
    direction = forward(model, angles).rotations[root][:, 2]
    towards_thumb = 1.0 if model.side == "R" else -1.0
    assert np.allclose(direction, [towards_thumb * np.sin(np.radians(35)), 0.0, np.cos(np.radians(35))], atol=1e-12)
    angles[root, 1] = 0.5
    assert np.isclose(forward(model, angles).rotations[root][1, 2], -np.sin(0.5))
    angles[root, :2] = 0.5, 0.0
    across = forward(model, angles).rotations[root][:, 2]
    assert abs(across[1]) < 1e-12
    assert across[0] * towards_thumb < direction[0] * towards_thumb


@pytest.mark.parametrize("side", ["L", "R"])
@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_demo_hands_close_spread_and_oppose(variant: str, side: str) -> None:
    model = demo_model(variant, side)
    assert_closes(model)
    if not model.radial:
        assert_spreads(model)
    if "thumb" in model.fingers:
        assert_opposes(model)


@pytest.mark.parametrize("side", ["L", "R"])
@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_axes_are_near_those_the_demo_hands_were_built_with(variant: str, side: str) -> None:
    """Demo bones turn about their x axis to close. Only joint positions were used to find it again."""
    skeleton = build_hand(HandSpec(variant=variant, side=side)).skeleton  # type: ignore[arg-type]
    model = demo_model(variant, side)
    for j, name in enumerate(model.names):
        if model.kinds[j] in ("metacarpal", "carpometacarpal"):
            continue
        built = model.binding.joint_in_bone[j].T @ np.array([1.0, 0.0, 0.0])
        off = np.degrees(np.arccos(np.clip(built[0], -1.0, 1.0)))
        assert off < (14.0 if model.fingers[model.finger_of[j]] == "thumb" else 8.0), (name, off)
    assert skeleton.names


def demo_model(variant: str, side: str) -> HandModel:
    skeleton = build_hand(HandSpec(variant=variant, side=side)).skeleton  # type: ignore[arg-type]
    return build_model(skeleton, demo_map(skeleton.names, side), load_limits())


@pytest.mark.parametrize("count", [2, 3, 4])
def test_grippers_close_towards_their_axis(count: int) -> None:
    model = build_model(*make_gripper(count), load_limits())
    assert model.radial
    assert model.side == ""
    assert np.allclose(model.approach, [0.0, 0.0, 1.0])
    assert_closes(model)
    assert np.allclose(model.rest_angles[::2, 0], -0.2, atol=1e-9)


def test_left_and_right_hands_share_their_angles() -> None:
    right, left = make_model(HandShape(seed=1)), make_model(HandShape(side="L", seed=2))
    assert np.allclose(right.rest_angles, left.rest_angles, atol=1e-9)
    assert np.allclose(right.fans, left.fans, atol=1e-9)
    assert np.allclose(right.limits.ranges, left.limits.ranges, atol=1e-9)
    angles = np.random.default_rng(3).uniform(-0.5, 1.0, right.rest_angles.shape)
    mirror = np.array([-1.0, 1.0, 1.0])
    assert np.allclose(forward(right, angles).tips * mirror, forward(left, angles).tips, atol=1e-9)


def test_rolls_place_and_size_of_a_rig_do_not_matter() -> None:
    first, second = make_model(HandShape()), make_model(HandShape(seed=5, scale=0.1))
    assert np.allclose(first.rest_angles, second.rest_angles, atol=1e-9)
    assert np.allclose(100.0 * first.offsets, second.offsets, atol=1e-9)


def test_flexion_counts_from_the_straight_finger() -> None:
    model = make_model(HandShape(curl_deg=25.0))
    for name in ("index", "middle", "ring", "pinky"):
        flexion = np.degrees(model.rest_angles[model.joints(name), 0])
        assert np.allclose(flexion[1:], 25.0, atol=0.2)
        straight = model.rest_angles.copy()
        straight[model.joints(name), 0] = 0.0
        frames = forward(model, straight)
        z = frames.rotations[model.joints(name)][:, :, 2]
        assert np.allclose(z[:, 1], 0.0, atol=0.03)
        assert np.all(z[1:] @ z[0] > 0.999)
    assert np.allclose(model.rest_angles[3:, 1:], 0.0, atol=1e-9)


@given(st.integers(0, 10_000), st.floats(0.0, 35.0), st.sampled_from(["L", "R"]))
@settings(max_examples=30, deadline=None)
def test_any_hand_anywhere_closes(seed: int, curl: float, side: str) -> None:
    model = make_model(HandShape(side=side, curl_deg=curl, seed=seed))
    assert model.side == side
    assert_closes(model)


def test_bone_tails_and_own_axes_are_not_trusted() -> None:
    skeleton, hand = make_hand(HandShape())
    rng = np.random.default_rng(4)
    spoilt = replace(
        skeleton,
        tails=skeleton.heads + rng.normal(size=skeleton.heads.shape),
        rotations=np.linalg.qr(rng.normal(size=skeleton.rotations.shape))[0],
    )
    good, same = build_model(skeleton, hand, load_limits()), build_model(spoilt, hand, load_limits())
    assert np.allclose(good.rest_angles, same.rest_angles)
    assert np.allclose(good.lengths, same.lengths)


def test_missing_tips_are_estimated_from_usual_proportions() -> None:
    skeleton, hand = make_hand(HandShape(tips=False))
    spoilt = replace(skeleton, tails=skeleton.heads + np.array([0.0, 1.0, 0.0]))
    model = build_model(spoilt, hand, load_limits())
    for name, ratio in {"thumb": 0.866, "index": 0.878, "middle": 0.811, "ring": 0.828, "pinky": 1.087}.items():
        last = model.joints(name)[-1]
        assert np.isclose(model.lengths[last], ratio * model.lengths[last - 1])


def test_a_hand_map_of_another_armature_is_refused() -> None:
    skeleton, hand = make_hand()
    with pytest.raises(HandShapeError, match="nowhere"):
        build_model(skeleton, replace(hand, wrist="nowhere"), load_limits())
    with pytest.raises(HandShapeError, match="two fingers"):
        build_model(skeleton, replace(hand, fingers=hand.fingers[:1]), load_limits())
    doubled = replace(hand.fingers[1], name="other")
    with pytest.raises(HandShapeError, match="twice"):
        build_model(skeleton, replace(hand, fingers=(*hand.fingers, doubled)), load_limits())


def test_angles_of_another_hand_are_refused() -> None:
    with pytest.raises(ShapeError):
        forward(make_model(), np.zeros((3, 3)))


def test_rest_pose_is_always_within_limits(shape: HandShape) -> None:
    model = make_model(shape)
    assert np.array_equal(clamp(model, model.rest_angles), model.rest_angles)
