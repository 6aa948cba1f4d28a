# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fingers that are curled before they close."""

from __future__ import annotations

import closing_hands as hands
import numpy as np
import pytest

from addon.hands.forward import forward
from addon.hands.movements import MovementAngles, movement_angles
from addon.hands.preshape import Preshape, enclosed, find_preshapes, preshaped
from addon.presets.movements import load_movements


def small(variant: str = "human") -> tuple[hands.HandModel, MovementAngles]:
    model = hands.demo_model(variant)
    return model, movement_angles(model, load_movements()["small_diameter"])


def test_only_the_fingers_that_go_through_are_curled() -> None:
    model, angles = small()
    start = preshaped(model, angles, Preshape(30.0, 90.0, 2)).start
    for finger in ("index", "middle"):
        bends = np.degrees(start[model.joints(finger)[-3:], 0])
        np.testing.assert_allclose(bends, [30.0, 90.0, 60.0], atol=1e-9)
    for finger in ("thumb", "ring", "pinky"):
        np.testing.assert_array_equal(start[model.joints(finger)], angles.start[model.joints(finger)])


def test_nothing_begins_beyond_its_limits_or_more_closed_than_it_ends() -> None:
    model, angles = small()
    start = preshaped(model, angles, Preshape(170.0, 170.0, 4)).start
    assert (start[:, 0] <= model.limits.ranges[:, 0, 1] + 1e-12).all()
    assert (start[:, 0] <= np.maximum(angles.end[:, 0], angles.start[:, 0]) + 1e-12).all()


@pytest.mark.parametrize("fingers", [1, 2, 4])
@pytest.mark.parametrize("radius", [0.003, 0.006])
def test_curled_fingers_leave_room_for_the_bar(fingers: int, radius: float) -> None:
    model, angles = small()
    found = find_preshapes(model, angles, fingers=fingers, radius=radius)
    assert found
    for preshape, ring in found:
        assert ring.radius > radius
        frames = forward(model, preshaped(model, angles, preshape).start)
        # The bar across the hand at the ring's middle clears every joint and fingertip of the curled fingers ...
        for finger in model.fingers[1 : 1 + preshape.fingers]:
            joints = [j for j in model.joints(finger) if model.kinds[j] != "metacarpal"]
            places = np.vstack([frames.origins[joints], frames.tips[model.fingers.index(finger)]])
            assert np.linalg.norm(places[:, 1:] - ring.centre[1:], axis=1).min() > radius
        # ... and lies between the knuckles and the bent middle of the fingers, in front of the palm.
        knuckle, bend = (frames.origins[model.joints("index")[-3 + k]] for k in (0, 1))
        assert knuckle[2] - 0.02 < ring.centre[2] < bend[2] + 0.01
        assert ring.centre[1] < knuckle[1]


def test_straight_fingers_enclose_nothing() -> None:
    model, angles = small()
    assert enclosed(model, np.zeros_like(angles.start), ["index", "middle"]) is None


def test_hands_with_too_few_joints_are_not_curled() -> None:
    model, angles = small("gripper_2")
    assert find_preshapes(model, angles, fingers=2, radius=0.004) == []
