# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hands found without any names."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from addon.core.arrays import FloatArray
from addon.core.handmap import FingerMap, HandMap
from addon.core.skeleton import Skeleton
from addon.hands.detection import detect_hands
from addon.presets.conventions import load_conventions
from tests.unit.detection_rigs import (
    Placement,
    RigBuilder,
    add_body,
    add_hand,
    arm_placement,
    with_nonsense_names,
    with_nonsense_tails,
)

CONVENTIONS = load_conventions()
FIVE = ("thumb", "index", "middle", "ring", "pinky")
SETS = {
    "three fingers": ("thumb", "index", "middle"),
    "four fingers": ("thumb", "index", "middle", "ring"),
    "five fingers": FIVE,
    "six fingers": ("thumb", "index", "middle", "ring", "extra", "pinky"),
}
RENAMED = {"extra": "finger_5"}


def fingers_of(
    names: tuple[str, ...], *, palm: bool = False, tips: bool = False, thumb_bones: int = 3
) -> list[FingerMap]:
    return [
        FingerMap(
            name,
            tuple(f"{name}{k}" for k in range(thumb_bones if name == "thumb" else 3)),
            metacarpal=f"{name}.palm" if palm and name != "thumb" else None,
            tip=f"{name}.tip" if tips else None,
        )
        for name in names
    ]


def translated(hand: HandMap, nonsense: Skeleton, named: Skeleton) -> HandMap:
    """A map of nonsense names told in the names that the bones had before."""
    back = dict(zip(nonsense.names, named.names, strict=True))
    fingers = tuple(
        replace(
            finger,
            chain=tuple(back[bone] for bone in finger.chain),
            metacarpal=back.get(finger.metacarpal or ""),
            tip=back.get(finger.tip or ""),
        )
        for finger in hand.fingers
    )
    return replace(hand, wrist=back[hand.wrist], fingers=fingers)


def detect_nameless(named: Skeleton) -> list[HandMap]:
    nonsense = with_nonsense_names(named)
    return [translated(hand, nonsense, named) for hand in detect_hands(nonsense, CONVENTIONS)]


def mirrored(side: str, place: Placement) -> Placement:
    flip = np.diag([-1.0 if side == "L" else 1.0, 1.0, 1.0])
    return replace(place, axes=place.axes @ flip)


def random_placement(seed: int, size: float) -> Placement:
    rng = np.random.default_rng(seed)
    axes = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    axes[:, 0] *= np.sign(np.linalg.det(axes))
    return Placement(rng.normal(size=3), axes * size)


@pytest.mark.parametrize("names", SETS.values(), ids=SETS)
@pytest.mark.parametrize("palm", [False, True], ids=["", "metacarpals"])
@pytest.mark.parametrize("tips", [False, True], ids=["", "tips"])
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), size=st.sampled_from([0.01, 1.0, 100.0]), side=st.sampled_from("LR"))
def test_a_bare_hand_is_found_however_it_lies(
    names: tuple[str, ...], palm: bool, tips: bool, seed: int, size: float, side: str
) -> None:
    rig = RigBuilder()
    fingers = fingers_of(names, palm=palm, tips=tips)
    np.random.default_rng(seed).shuffle(fingers)  # type: ignore[arg-type]
    add_hand(rig, "wrist?", fingers, mirrored(side, random_placement(seed, size)))
    (hand,) = detect_nameless(rig.build())
    assert (hand.side, hand.wrist, hand.convention) == (side, "wrist?", "structure")
    expected = [
        replace(each, name=RENAMED.get(each.name, each.name)) for each in fingers_of(names, palm=palm, tips=tips)
    ]
    assert list(hand.fingers) == expected
    assert 0.0 < hand.confidence < 0.9
    assert hand.notes


@pytest.mark.parametrize("side", ["L", "R"])
def test_tails_left_by_importers_and_two_bone_thumbs(side: str) -> None:
    rig = RigBuilder()
    fingers = fingers_of(FIVE, thumb_bones=2)
    add_hand(rig, "root", fingers, mirrored(side, random_placement(3, 1.0)))
    (hand,) = detect_nameless(with_nonsense_tails(rig.build()))
    assert (hand.side, list(hand.fingers)) == (side, fingers)


def gripper(count: int, bones: int, *, angle: float = 0.5) -> RigBuilder:
    """Equal fingers round the axis of a robot's hand."""
    rig = RigBuilder()
    rig.chain(["link", "flange"], None, [np.zeros(3), np.array([0.0, 0.0, 0.1]), np.array([0.0, 0.0, 0.15])])
    for finger in range(count):
        turn = 2.0 * np.pi * finger / count
        out = np.array([np.cos(turn), np.sin(turn), 0.0])
        points: list[FloatArray] = [np.array([0.0, 0.0, 0.16]) + 0.04 * out]
        for joint in range(bones):
            bend = angle - 0.45 * joint
            points.append(points[-1] + 0.05 * (np.sin(bend) * out + np.cos(bend) * np.array([0.0, 0.0, 1.0])))
        rig.chain([f"claw{finger}{joint}" for joint in range(bones)], "flange", points)
    return rig


@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("bones", [2, 3])
def test_grippers_have_numbered_fingers_and_no_side(count: int, bones: int) -> None:
    (hand,) = detect_nameless(gripper(count, bones).build())
    assert hand.wrist == "flange"
    assert [finger.name for finger in hand.fingers] == [f"finger_{number}" for number in range(1, count + 1)]
    assert {finger.chain for finger in hand.fingers} == {
        tuple(f"claw{finger}{joint}" for joint in range(bones)) for finger in range(count)
    }
    assert hand.side == ""
    assert any("choose the side" in note for note in hand.notes)
    assert any("thumb" in note for note in hand.notes)


def whole_character(
    names: tuple[str, ...] = FIVE, *, palm: bool = False, toes: int = 5, hair: int = 6, hair_rise: float = -0.1
) -> RigBuilder:
    rig = RigBuilder()
    add_body(rig, toes=toes, hair=hair, hair_rise=hair_rise)
    for side in ("L", "R"):
        fingers = [
            replace(
                finger,
                chain=tuple(f"{bone}{side}" for bone in finger.chain),
                metacarpal=finger.metacarpal and f"{finger.metacarpal}{side}",
            )
            for finger in fingers_of(names, palm=palm)
        ]
        add_hand(rig, f"paw{side}", fingers, arm_placement(side), parent=f"LowArm{side}")
    return rig


@pytest.mark.parametrize("names", SETS.values(), ids=SETS)
@pytest.mark.parametrize("palm", [False, True], ids=["", "metacarpals"])
@pytest.mark.parametrize(("hair", "hair_rise"), [(0, 0.0), (5, -0.1), (6, -0.1), (2, 0.1), (5, 0.1)])
def test_a_character_has_two_hands_not_feet_hair_or_hips(
    names: tuple[str, ...], palm: bool, hair: int, hair_rise: float
) -> None:
    hands = detect_nameless(whole_character(names, palm=palm, hair=hair, hair_rise=hair_rise).build())
    assert [(hand.side, hand.wrist) for hand in hands] == [("L", "pawL"), ("R", "pawR")]
    for hand in hands:
        assert [finger.name for finger in hand.fingers] == [RENAMED.get(name, name) for name in names]
        assert all(bone.endswith(hand.side) for bone in hand.bones())
        for finger in hand.fingers:
            assert finger.chain[0].startswith("extra" if finger.name == "finger_5" else finger.name)


def test_a_turned_character_keeps_its_sides() -> None:
    skeleton = whole_character().build()
    turn = np.diag([-1.0, -1.0, 1.0])
    turned = replace(skeleton, heads=skeleton.heads @ turn, tails=skeleton.tails @ turn)
    nonsense = with_nonsense_names(turned)
    hands = detect_hands(nonsense, CONVENTIONS, left=(-1.0, 0.0, 0.0))
    assert [translated(hand, nonsense, turned).wrist for hand in hands] == ["pawL", "pawR"]
    assert [hand.side for hand in hands] == ["L", "R"]
    assert all("side" not in note for hand in hands for note in hand.notes)


def test_a_prop_in_the_hand_is_no_finger() -> None:
    rig = whole_character()
    place = arm_placement("R")
    rig.chain(
        ["sabre0", "sabre1"], "pawR", list(place(np.array([[0.0, -0.03, 0.05], [0.3, -0.03, 0.1], [0.9, -0.03, 0.2]])))
    )
    left, right = detect_nameless(rig.build())
    assert len(left.fingers) == len(right.fingers) == 5
    assert "sabre0" not in set(right.bones())
    assert any("Left out" in note for note in right.notes)
    assert not any("Left out" in note for note in left.notes)


def test_a_thumb_that_hangs_on_the_first_palm_bone() -> None:
    rig = RigBuilder()
    place = random_placement(11, 1.0)
    fingers = fingers_of(FIVE, palm=True)
    add_hand(rig, "wrist?", fingers, place)
    skeleton = rig.build()
    parents = skeleton.parents.copy()
    moved = list(range(len(skeleton.names)))
    # The palm bone has to come before the thumb that now hangs on it.
    palm = skeleton.index("index.palm")
    moved.remove(palm)
    moved.insert(1, palm)
    parents[skeleton.index("thumb0")] = palm
    place_of = {bone: number for number, bone in enumerate(moved)}
    reordered = Skeleton(
        tuple(skeleton.names[bone] for bone in moved),
        np.array([-1 if parents[bone] < 0 else place_of[int(parents[bone])] for bone in moved]),
        skeleton.heads[moved],
        skeleton.tails[moved],
        skeleton.rotations[moved],
        skeleton.deform[moved],
    )
    (hand,) = detect_nameless(reordered)
    assert (hand.wrist, list(hand.fingers)) == ("wrist?", fingers)


@pytest.mark.parametrize("side", ["L", "R"])
@pytest.mark.parametrize("column", [0, 1, 2])
@pytest.mark.parametrize("seed", range(4))
def test_a_flat_hand_is_put_together_by_the_joints_directions(side: str, column: int, seed: int) -> None:
    rig = RigBuilder()
    fingers = fingers_of(FIVE, palm=True, tips=True)
    add_hand(rig, "wrist?", fingers, mirrored(side, random_placement(seed, 1.0)), flat=True)
    chained = RigBuilder()
    add_hand(chained, "wrist?", fingers, mirrored(side, random_placement(seed, 1.0)))
    skeleton = rig.build()
    along = chained.build().tails - skeleton.heads
    rotations = np.empty((len(skeleton.names), 3, 3))
    for bone, direction in enumerate(along / np.linalg.norm(along, axis=1)[:, None]):
        frame = np.linalg.qr(np.column_stack([direction, np.eye(3)[:, :2]]))[0]
        frame[:, 0] = direction
        rotations[bone] = np.roll(frame, column, axis=1)
    # A wrist that points back along the arm must not turn the fingers round.
    rotations[0] *= 1.0 if seed % 2 else -1.0
    shuffled = np.random.default_rng(seed).permutation(len(skeleton.names))
    flat = Skeleton(
        tuple(skeleton.names[bone] for bone in shuffled),
        skeleton.parents[shuffled],
        skeleton.heads[shuffled],
        skeleton.tails[shuffled],
        rotations[shuffled],
        skeleton.deform[shuffled],
    )
    (hand,) = detect_nameless(flat)
    assert (hand.side, hand.wrist, list(hand.fingers)) == (side, "wrist?", fingers)
    assert any("one parent" in note for note in hand.notes)
