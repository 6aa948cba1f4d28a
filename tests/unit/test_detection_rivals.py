# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers of one hand, several hands on one side, missing bones, absurd shapes and hands that cannot be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from addon.core.errors import PrehendError
from addon.core.handmap import FingerMap
from addon.hands.detection import CoincidentJointsError, NoHandError, OneFingerError, detect_hands
from addon.presets.conventions import load_conventions
from tests.unit.detection_rigs import (
    RigBuilder,
    add_body,
    add_hand,
    arm_placement,
    character,
    expected_fingers,
    with_nonsense_names,
    wrist_name,
)

CONVENTIONS = load_conventions()
BY_KEY = {convention.key: convention for convention in CONVENTIONS}


def test_controls_win_over_the_deforming_bones_they_lie_on() -> None:
    rig = character(BY_KEY["rigify_ctrl"])
    for key in ("rigify_def", "rigify_org"):
        for side in ("L", "R"):
            fingers = expected_fingers(BY_KEY[key], side)
            add_hand(rig, wrist_name(BY_KEY[key], side), fingers, arm_placement(side), deform=key == "rigify_def")
    hands = detect_hands(rig.build(), CONVENTIONS)
    assert [(hand.side, hand.wrist, hand.convention) for hand in hands] == [
        ("L", "hand_fk.L", "rigify_ctrl"),
        ("R", "hand_fk.R", "rigify_ctrl"),
    ]
    for hand in hands:
        assert hand.notes == ()
        for finger in hand.fingers:
            assert finger.deform == tuple(f"DEF-{bone}" for bone in finger.chain)


@pytest.mark.parametrize("order", [("DEF_", "CTRL_"), ("CTRL_", "DEF_")])
def test_controls_of_unknown_rigs_win_as_well(order: tuple[str, str]) -> None:
    rig = RigBuilder()
    for prefix in order:
        fingers = [
            FingerMap(name, tuple(f"{prefix}{name}_{joint}_L" for joint in "abc"))
            for name in ("thumb", "index", "middle", "ring", "pinky")
        ]
        add_hand(rig, f"{prefix}hand_L", fingers, arm_placement("L"), deform=prefix == "DEF_")
    (hand,) = detect_hands(rig.build(), CONVENTIONS)
    assert hand.wrist == "CTRL_hand_L"
    assert hand.finger("ring").deform == ("DEF_ring_a_L", "DEF_ring_b_L", "DEF_ring_c_L")


def test_two_equal_hands_on_one_side_are_both_reported() -> None:
    convention = BY_KEY["unreal_ue4_mpfb_game_engine"]
    rig = character(convention)
    place = arm_placement("L")
    lower = replace(place, origin=place.origin - [0.0, 0.0, 0.3])
    add_hand(
        rig,
        "hand_l.001",
        expected_fingers(convention, "L", lambda name: f"{name}.001"),
        lower,
        parent="BodyLowArmL",
    )
    hands = detect_hands(rig.build(), CONVENTIONS)
    assert [(hand.side, hand.wrist) for hand in hands] == [("L", "hand_l"), ("L", "hand_l.001"), ("R", "hand_r")]
    for hand in hands:
        assert hand.convention == convention.key
        own = ".001" if hand.wrist.endswith(".001") else "_" + hand.side.lower()
        assert all(bone.endswith(own) for bone in hand.bones())
    assert all(any("another hand" in note for note in hand.notes) for hand in hands[:2])
    assert hands[2].notes == ()


def test_missing_fingers_short_thumbs_and_missing_tips_are_no_obstacle() -> None:
    convention = BY_KEY["mixamo"]
    rig = RigBuilder()
    fingers = {finger.name: finger for finger in expected_fingers(convention, "R")}
    kept = [
        replace(fingers["thumb"], chain=fingers["thumb"].chain[1:], tip=None),
        replace(fingers["index"], tip=None),
        fingers["ring"],
    ]
    add_hand(rig, wrist_name(convention, "R"), kept, arm_placement("R"))
    (hand,) = detect_hands(rig.build(), CONVENTIONS)
    assert list(hand.fingers) == kept
    assert hand.convention == "mixamo"
    assert hand.notes == ("No bones found for: middle, pinky.",)
    assert 0.9 <= hand.confidence < 1.0


def test_an_absurd_shape_lowers_the_confidence_and_says_why() -> None:
    convention = BY_KEY["unreal_ue4_mpfb_game_engine"]
    skeleton = character(convention).build()
    heads = skeleton.heads.copy()
    heads[skeleton.index("index_02_l")] = (3.0, 2.0, 5.0)
    left, right = detect_hands(replace(skeleton, heads=heads), CONVENTIONS)
    assert left.confidence < 0.8
    assert any("index" in note for note in left.notes)
    assert (right.confidence, right.notes) == (1.0, ())


def test_a_hand_named_for_the_wrong_side_is_doubted_not_renamed() -> None:
    convention = BY_KEY["unreal_ue4_mpfb_game_engine"]
    skeleton = character(convention).build()
    swap = {"l": "r", "r": "l"}
    names = tuple(name[:-1] + swap[name[-1]] if name[-2:] in ("_l", "_r") else name for name in skeleton.names)
    hands = detect_hands(replace(skeleton, names=names), CONVENTIONS)
    assert [hand.wrist for hand in hands] == ["hand_l", "hand_r"]
    assert all(hand.confidence < 0.8 and "Named as a" in hand.notes[0] for hand in hands)


@pytest.mark.parametrize("hair_rise", [-0.1, 0.1], ids=["hanging hair", "standing hair"])
def test_no_hand_is_an_error_that_says_what_was_looked_for(hair_rise: float) -> None:
    rig = RigBuilder()
    add_body(rig, hair=5, toes=3, hair_rise=hair_rise)
    for number, toe in enumerate(("thumb", "index", "middle", "ring", "pinky")):
        points = [np.array([0.07 + 0.01 * number, y, 0.01]) for y in (-0.12, -0.15, -0.18)]
        rig.chain([f"toe_{toe}_{joint}_L" for joint in (1, 2)], "AnkleL", points)
    for skeleton in (rig.build(), with_nonsense_names(rig.build())):
        with pytest.raises(NoHandError, match=r"naming conventions.*select the armature") as caught:
            detect_hands(skeleton, CONVENTIONS)
        assert caught.value.bones == len(skeleton.names)
        assert isinstance(caught.value, PrehendError)


def test_an_empty_armature_has_no_hand() -> None:
    with pytest.raises(NoHandError):
        detect_hands(RigBuilder().build(), CONVENTIONS)


def test_a_hand_with_one_finger_is_an_error_that_names_it() -> None:
    convention = BY_KEY["ready_player_me"]
    rig = RigBuilder()
    add_hand(rig, "LeftHand", expected_fingers(convention, "L")[1:2], arm_placement("L"))
    with pytest.raises(OneFingerError, match=r"'LeftHand'.*'index'"):
        detect_hands(rig.build(), CONVENTIONS)


def test_a_hand_with_one_finger_beside_a_whole_one_is_mentioned() -> None:
    convention = BY_KEY["ready_player_me"]
    rig = RigBuilder()
    add_hand(rig, "LeftHand", expected_fingers(convention, "L")[1:2], arm_placement("L"))
    add_hand(rig, "RightHand", expected_fingers(convention, "R"), arm_placement("R"))
    (hand,) = detect_hands(rig.build(), CONVENTIONS)
    assert hand.side == "R"
    assert any("'LeftHand'" in note for note in hand.notes)


@pytest.mark.parametrize("whole", [True, False], ids=["armature", "hand"])
def test_joints_in_one_point_are_an_error(whole: bool) -> None:
    skeleton = character(BY_KEY["ready_player_me"]).build()
    heads = skeleton.heads.copy()
    shrunk = [number for number, name in enumerate(skeleton.names) if whole or name.startswith("LeftHand")]
    heads[shrunk] = (0.5, 0.0, 1.0)
    with pytest.raises(CoincidentJointsError, match="one point"):
        detect_hands(replace(skeleton, heads=heads, tails=heads + np.array([0.0, 0.0, 1e-3])), CONVENTIONS)
