# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A hand's volume and skin: capsules that fit, points that move with their bones."""

from __future__ import annotations

import numpy as np
import pytest

from addon.core.rotations import matrix_from_axis_angle, unit
from addon.core.sampling import spread_out
from addon.core.skeleton import Skeleton
from addon.hands.build import build_model
from addon.hands.forward import forward
from addon.hands.model import HandModel
from addon.hands.skinning import RestSkin, SkinPoints, deform_linear, deform_volume, sample
from addon.presets.limits import load_limits
from tests.unit.model_hands import HandShape, make_hand

RADIUS = 0.008


def tube_skin(skeleton: Skeleton, bones: list[str], radius: float = RADIUS) -> RestSkin:
    """Rings of points round the bones, each owned by its bone alone."""
    points, owners = [], []
    for name in bones:
        k = skeleton.index(name)
        head, tail = skeleton.heads[k], skeleton.tails[k]
        y = unit(tail - head)
        x = unit(np.cross(y, np.eye(3)[int(np.argmin(np.abs(y)))]))
        z = np.cross(x, y)
        for t in np.linspace(0.0, 1.0, 9):
            for a in np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False):
                points.append(head + t * (tail - head) + radius * (np.cos(a) * x + np.sin(a) * z))
                owners.append(k)
    weights = np.zeros((len(points), 2))
    weights[:, 0] = 1.0
    return RestSkin(
        points=np.array(points), bones=np.stack([owners, np.zeros(len(owners), int)], axis=1), weights=weights
    )


def skinned(shape: HandShape) -> HandModel:
    skeleton, hand = make_hand(shape)
    bones = [name for finger in hand.fingers for name in finger.chain]
    return build_model(skeleton, hand, load_limits(), skin=tube_skin(skeleton, bones))


def test_capsules_of_tubes_have_their_radius() -> None:
    model = skinned(HandShape(seed=1))
    capsules = model.capsules
    for k, j in enumerate(capsules.joints):
        if j >= 0:
            assert np.allclose(capsules.radii[k], RADIUS, rtol=0.05)
            assert np.allclose(capsules.starts[k], 0.0, atol=2e-4)
            along = model.directions[j]
            assert np.allclose(capsules.ends[k] - along * (capsules.ends[k] @ along), 0.0, atol=2e-4)


def test_the_last_capsule_ends_at_the_fingertip() -> None:
    model = skinned(HandShape(seed=1))
    for k, j in enumerate(model.capsules.joints):
        if j in model.last_joints:
            assert np.isclose(model.capsules.ends[k][2] + model.capsules.radii[k, 1], model.lengths[j], atol=1e-6)


@pytest.mark.parametrize("metacarpals", [False, True])
def test_bare_armatures_get_fingers_of_usual_thickness(metacarpals: bool) -> None:
    skeleton, hand = make_hand(HandShape(metacarpals=metacarpals))
    model = build_model(skeleton, hand, load_limits())
    assert model.skin is None
    capsules = model.capsules
    assert len(capsules.joints) == 15 + 4
    index = [k for k, j in enumerate(capsules.joints) if j >= 0 and model.names[j].startswith("index.0")]
    assert np.allclose(capsules.radii[index[0]] * 1000.0, 10.0, atol=1.5)
    assert np.all(capsules.radii > 0.003)
    palm = [k for k, j in enumerate(capsules.joints) if j < 0 or model.kinds[j] == "metacarpal"]
    assert len(palm) == 4


def test_tips_without_a_bone_are_found_on_the_skin() -> None:
    skeleton, hand = make_hand(HandShape(tips=False, seed=2))
    bones = [name for finger in hand.fingers for name in finger.chain]
    skin = tube_skin(skeleton, bones, radius=0.004)
    model = build_model(skeleton, hand, load_limits(), skin=skin)
    R = skeleton.rotations[1] @ model.binding.hand_in_carrier[:3, :3]
    tips = forward(model, model.rest_angles).tips @ R.T + skeleton.heads[1]
    for f, finger in enumerate(hand.fingers):
        assert np.allclose(tips[f], skeleton.tails[skeleton.index(finger.chain[-1])], atol=1e-3)


def two_joint_skin() -> tuple[SkinPoints, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    joints = np.tile([0, 1, -1, -1], (40, 1))
    weights = rng.random((40, 4))
    weights[:, 3] = 0.0
    skin = SkinPoints(
        points=rng.normal(size=(40, 3)), joints=joints, weights=weights / weights.sum(axis=1, keepdims=True)
    )
    rotations = np.array([matrix_from_axis_angle(unit([1, 2, 3]), 0.7), matrix_from_axis_angle(unit([0, 1, -1]), 1.1)])
    return skin, rotations, rng.normal(size=(2, 3))


def test_linear_skinning_is_the_weighted_mean() -> None:
    skin, rotations, translations = two_joint_skin()
    moved = deform_linear(skin, rotations, translations)
    for p in range(len(skin.points)):
        first, second = (rotations[k] @ skin.points[p] + translations[k] for k in (0, 1))
        w = skin.weights[p]
        assert np.allclose(moved[p], w[0] * first + w[1] * second + w[2] * skin.points[p], atol=1e-13)


@pytest.mark.parametrize("deform", [deform_linear, deform_volume])
def test_points_of_one_bone_move_rigidly(deform) -> None:
    skin, rotations, translations = two_joint_skin()
    alone = SkinPoints(points=skin.points, joints=np.ones((40, 1), int), weights=np.ones((40, 1)))
    assert np.allclose(
        deform(alone, rotations, translations), skin.points @ rotations[1].T + translations[1], atol=1e-12
    )


def test_preserve_volume_keeps_the_radius_of_a_twisted_tube() -> None:
    """Half way between rest and a turn of 170 degrees linear skinning all but closes a tube; this does not."""
    angles = np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False)
    ring = np.stack([np.cos(angles), np.sin(angles), np.zeros(16)], axis=1)
    skin = SkinPoints(points=ring, joints=np.tile([0, -1], (16, 1)), weights=np.full((16, 2), 0.5))
    turn = matrix_from_axis_angle([0.0, 0.0, 1.0], np.radians(170.0))[None]
    still = np.zeros((1, 3))
    assert np.allclose(np.linalg.norm(deform_volume(skin, turn, still), axis=1), 1.0, atol=1e-12)
    assert np.all(np.linalg.norm(deform_linear(skin, turn, still), axis=1) < 0.1)


def test_samples_are_few_even_and_always_the_same() -> None:
    points = np.random.default_rng(5).random((5000, 3))
    taken = spread_out(points, 300)
    assert 200 < len(taken) <= 300
    assert np.array_equal(taken, spread_out(points, 300))
    apart = np.linalg.norm(points[taken][:, None] - points[None], axis=2).min(axis=0)
    assert apart.max() < 0.35
    assert np.array_equal(spread_out(points[:10], 300), np.arange(10))
    skin = SkinPoints(points=points, joints=np.full((5000, 1), -1), weights=np.ones((5000, 1)))
    assert len(sample(skin, 300).points) == len(taken)
