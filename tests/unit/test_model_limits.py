# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint limits: the published numbers, the files, and what becomes of them on a hand."""

from __future__ import annotations

import tomllib
from typing import Any

import numpy as np
import pytest

from addon.core.errors import UnknownChoiceError
from addon.hands.build import build_model
from addon.hands.posture import clamp, follow, neighbour_excess
from addon.presets.limits import FOLDER, limit_sets, load_limits, parse_limits
from addon.presets.toml import PresetError
from tests.unit.model_hands import HandShape, make_gripper, make_hand, make_model


def degrees(ranges: Any) -> list[list[float]]:
    return np.degrees(np.array(ranges)).round(9).tolist()


def test_default_limits_are_the_static_constraints_of_caputo_4_1_2_1() -> None:
    limits = load_limits()
    assert limits.key == "static"
    for finger in ("index", "ring", "pinky", "sixth"):
        assert degrees(limits.ranges(finger, "proximal")) == [[0, 90], [-15, 15], [0, 0]]
        assert degrees(limits.ranges(finger, "middle")) == [[0, 110], [0, 0], [0, 0]]
        assert degrees(limits.ranges(finger, "distal")) == [[0, 90], [0, 0], [0, 0]]
    assert degrees(limits.ranges("middle", "proximal")) == [[0, 90], [0, 0], [0, 0]]
    assert [row.ratio for row in limits.couplings] == [2.0 / 3.0]


def test_thumb_limits_are_those_of_barakat_2013() -> None:
    anatomical = load_limits("anatomical")
    assert degrees(anatomical.ranges("thumb", "metacarpophalangeal"))[0] == [-8, 60]
    assert degrees(anatomical.ranges("thumb", "interphalangeal"))[0] == [-12, 88]
    # Radial abduction 62.9 and adduction 10.2 degrees, counted from 35 degrees off the fingers.
    low, high = degrees(anatomical.ranges("thumb", "carpometacarpal"))[0]
    assert abs(35 - low - 62.9) < 0.2
    assert abs(high - 35 - 10.2) < 0.3


def test_all_sets_load_and_name_their_source() -> None:
    for key in limit_sets():
        assert load_limits(key).source


def test_unknown_sets_are_named_errors() -> None:
    with pytest.raises(UnknownChoiceError, match="static"):
        load_limits("nonsense")


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data.pop("limits"),
        lambda data: data.update(surplus=1),
        lambda data: data.update(schema_version=2),
        lambda data: data["limits"]["finger"].pop("distal"),
        lambda data: data["limits"]["finger"]["distal"].pop("twist_deg"),
        lambda data: data["limits"]["finger"]["distal"].update(flexion_deg=[90.0, 0.0]),
        lambda data: data["limits"]["finger"]["distal"].update(flexion_deg="much"),
        lambda data: data["limits"]["finger"].update(knee={}),
        lambda data: data["limits"]["middle"]["proximal"].update(bend_deg=[0.0, 1.0]),
        lambda data: data["couplings"][0].pop("ratio"),
        lambda data: data["neighbours"][0].update(colour="red"),
    ],
)
def test_damaged_files_are_named_errors(damage: Any) -> None:
    data = tomllib.loads((FOLDER / "static.toml").read_text(encoding="utf-8"))
    parse_limits("static", data)
    damage(data)
    with pytest.raises(PresetError):
        parse_limits("static", data)


def test_a_hand_whose_rest_pose_is_beyond_a_limit_may_stay_there() -> None:
    model = make_model(HandShape(curl_deg=-5.0))
    joints = model.joints("index")
    assert np.allclose(model.limits.ranges[joints[1], 0], [model.rest_angles[joints[1], 0], np.radians(110.0)])
    assert model.rest_angles[joints[1], 0] < -0.05


def test_own_limits_replace_those_of_the_set() -> None:
    skeleton, hand = make_hand()
    own = np.radians([[0.0, 45.0], [-1.0, 1.0], [0.0, 0.0]])
    model = build_model(skeleton, hand, load_limits(), own_limits={"index.1": own})
    assert np.allclose(model.limits.ranges[model.names.index("index.1")], own)


def test_gripper_fingers_do_not_spread() -> None:
    model = build_model(*make_gripper(3), load_limits())
    assert np.allclose(model.limits.ranges[:, 1], 0.0, atol=1e-9)


def test_far_joints_follow_at_two_thirds() -> None:
    model = make_model()
    angles = np.zeros((4, *model.rest_angles.shape))
    angles[..., 0] = np.radians([[30.0], [60.0], [90.0], [110.0]])
    followed = follow(model, angles)
    for finger in ("index", "middle", "ring", "pinky"):
        _, middle, distal = model.joints(finger)
        assert np.allclose(np.degrees(followed[:, distal, 0]), [20.0, 40.0, 60.0, 110.0 * 2.0 / 3.0])
        assert np.array_equal(followed[:, middle], angles[:, middle])
    assert np.array_equal(followed[:, model.joints("thumb")], angles[:, model.joints("thumb")])


@pytest.mark.parametrize("phalanges", [1, 2, 4])
def test_other_numbers_of_phalanges_couple_what_they_have(phalanges: int) -> None:
    limits = make_model(HandShape(phalanges=phalanges)).limits
    assert len(limits.followers) == (4 if phalanges == 4 else 0)
    assert np.all(limits.followers == limits.leaders + 1)


def test_neighbours_differ_by_no_more_than_lee_and_kunii_allow() -> None:
    """Lee, Kunii 1995: the index finger bends at most 25 degrees more and 54 less than the middle one."""
    model = make_model()
    angles = np.zeros_like(model.rest_angles)
    index = model.joints("index")[0]
    for flexion, excess in ((25.0, 0.0), (35.0, 10.0), (-54.0, 0.0), (-60.0, 6.0)):
        angles[index, 0] = np.radians(flexion)
        assert np.allclose(np.degrees(neighbour_excess(model, angles)), [excess, 0.0, 0.0], atol=1e-9)


def test_clamping_ends_at_the_limits() -> None:
    model = make_model()
    assert np.array_equal(clamp(model, np.full((2, *model.rest_angles.shape), 9.0))[1], model.limits.ranges[..., 1])
    assert np.array_equal(clamp(model, np.full_like(model.rest_angles, -9.0)), model.limits.ranges[..., 0])
