# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hands found by their bones' names."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from addon.core.handmap import FingerMap, HandMap
from addon.hands.detection import detect_hands
from addon.hands.detection.names import read_name, squash, words
from addon.presets.conventions import Convention, load_conventions
from tests.real_files import RIG_TABLES, WHY
from tests.unit.detection_rigs import (
    RigBuilder,
    add_body,
    add_hand,
    arm_placement,
    character,
    expected_fingers,
    with_nonsense_tails,
    wrist_name,
)

CONVENTIONS = load_conventions()
BY_KEY = {convention.key: convention for convention in CONVENTIONS}
Spell = Callable[[str], str]
FLAT = {"babylon_hand", "webxr_generic_hand"}

anatomical = pytest.mark.parametrize(
    "convention", [each for each in CONVENTIONS if "index" in each.fingers], ids=lambda each: each.key
)
sided = pytest.mark.parametrize(
    "convention",
    [each for each in CONVENTIONS if "index" in each.fingers and "" not in each.sides],
    ids=lambda each: each.key,
)


def bare(fingers: tuple[FingerMap, ...] | list[FingerMap]) -> list[FingerMap]:
    return [replace(finger, deform=()) for finger in fingers]


def assert_found(hands: list[HandMap], convention: Convention, spell: Spell = str) -> None:
    assert [hand.side for hand in hands] == ["L", "R"]
    for hand in hands:
        assert hand.wrist == wrist_name(convention, hand.side, spell)
        assert bare(hand.fingers) == expected_fingers(convention, hand.side, spell)


@sided
def test_each_convention_is_found_whole_on_both_sides(convention: Convention) -> None:
    hands = detect_hands(character(convention, flat=convention.key in FLAT).build(), CONVENTIONS)
    assert_found(hands, convention)
    for hand in hands:
        assert (hand.convention, hand.confidence, hand.notes) == (convention.key, 1.0, ())


@pytest.mark.parametrize("side", ["L", "R"])
def test_the_flat_hand_without_sides_gets_its_side_from_its_shape(side: str) -> None:
    convention = BY_KEY["webxr_generic_hand"]
    rig = RigBuilder()
    place = arm_placement(side)
    add_hand(rig, "wrist", expected_fingers(convention, ""), place, flat=True)
    (hand,) = detect_hands(rig.build(), CONVENTIONS)
    assert (hand.side, hand.wrist, hand.convention) == (side, "wrist", "webxr_generic_hand")
    assert list(hand.fingers) == expected_fingers(convention, "")
    assert any("shape" in note for note in hand.notes)


SPELLINGS = {
    "a prefix": lambda name: f"Armature_{name}",
    "a namespace": lambda name: f"Character1:{name}",
    "a numbered prefix": lambda name: f"Hero07|{name}",
    "capitals": str.upper,
    "small letters": str.lower,
    "underscores": lambda name: re.sub(r"[ .:-]", "_", name),
    "spaces": lambda name: re.sub(r"[_.:-]", " ", name),
    "dots": lambda name: re.sub(r"[ _:-]", ".", name),
    "a copy's number": lambda name: f"{name}.001",
    "a serial number": lambda name: f"{name}_0{len(name) * 7 % 89 + 10}",
}


@sided
@pytest.mark.parametrize("spell", SPELLINGS.values(), ids=SPELLINGS)
def test_other_spellings_change_nothing(convention: Convention, spell: Spell) -> None:
    assert_found(detect_hands(character(convention, spell).build(), CONVENTIONS), convention, spell)


@sided
def test_imported_tails_are_not_trusted(convention: Convention) -> None:
    skeleton = with_nonsense_tails(character(convention, flat=convention.key in FLAT).build())
    hands = detect_hands(skeleton, CONVENTIONS)
    assert_found(hands, convention)
    assert all(hand.confidence == 1.0 for hand in hands)


@sided
def test_decoys_are_left_alone(convention: Convention) -> None:
    rig = character(convention)
    for side in ("L", "R"):
        wrist, place = wrist_name(convention, side), arm_placement(side)
        low = side.lower()
        rig.chain([f"ik_hand_root_{low}", f"ik_hand_{low}"], None, [np.zeros(3), place.origin])
        rig.chain([f"weapon_{low}", f"weapon_tip_{low}"], wrist, list(place(np.array([[0, 0, 0.05], [0, 0, 0.9]]))))
        rig.chain(
            [f"Banana{low}1", f"Banana{low}2"], wrist, list(place(np.array([[0, -0.03, 0.05], [0.1, -0.03, 0.05]])))
        )
        rig.chain(
            [f"hand_{low}_socket", f"grip_socket_{low}"], wrist, list(place(np.array([[0, 0, 0.05], [0, 0, 0.06]])))
        )
        arm = f"BodyLowArm{side}"
        rig.chain(
            [f"lowerarm_twist_01_{low}", f"lowerarm_twist_02_{low}"], arm, [np.array([0.4, 0, 1.2]), place.origin]
        )
        for finger in expected_fingers(convention, side):
            head = place(np.array([0.0, 0.0, 0.09]))
            rig.add(f"{finger.chain[0]}_twist", finger.chain[0], head, head + 0.01)
    hands = detect_hands(rig.build(), CONVENTIONS)
    assert_found(hands, convention)
    assert all(hand.confidence == 1.0 for hand in hands)


@pytest.mark.skipif(not RIG_TABLES.exists(), reason=WHY)
def test_the_files_say_what_the_reference_tables_say() -> None:
    tables = json.loads(RIG_TABLES.read_text(encoding="utf-8"))
    assert tables.keys() <= BY_KEY.keys()
    for key, table in tables.items():
        convention = BY_KEY[key]
        for side, names in table["sides"].items():
            own_side = side if side in convention.sides else ""
            assert wrist_name(convention, own_side) == names["hand"]
            for finger in expected_fingers(convention, own_side):
                said = names[finger.name]
                assert (finger.metacarpal, list(finger.chain), finger.tip) == (
                    said["metacarpal"],
                    said["chain"],
                    said["tip"],
                ), key


def _mmd(name: str) -> str:
    return name.translate(str.maketrans("０１２３", "0123")).replace("人指", "人差指")


def test_japanese_names_with_half_width_digits_and_other_words() -> None:
    assert_found(detect_hands(character(BY_KEY["mmd"], _mmd).build(), CONVENTIONS), BY_KEY["mmd"], _mmd)


GENERIC = {
    "finger_index_1.L": ("hand.{s}", "finger_{f}_{j}.{s}"),
    "L_index_a1": ("{s}_hand_jnt", "{s}_{f}_{j}_jnt"),
    "IndexFinger_01_L": ("Hand_{s}", "{F}Finger_0{j}_{s}"),
    "rokoko": ("{W}Hand", "{W}Finger{n}{J}"),
    "numbers": ("hand_{s}", "digit{n}_{j}_{s}"),
    "joint words in the middle": ("arm_hand_{s}_bind", "hand_{J}_{f}_{s}_bind"),
}


@pytest.mark.parametrize("patterns", GENERIC.values(), ids=GENERIC)
@pytest.mark.parametrize("flat", [False, True], ids=["chained", "flat"])
def test_names_of_no_convention_are_read_word_by_word(patterns: tuple[str, str], flat: bool) -> None:
    rig, expected = RigBuilder(), {}
    add_body(rig, lambda part: f"Body{part}")
    for side, word in (("L", "Left"), ("R", "Right")):
        fingers = []
        for number, finger in enumerate(("thumb", "index", "middle", "ring", "pinky"), start=1):
            joints = (
                ("metacarpal", "proximal", "distal") if finger == "thumb" else ("proximal", "intermediate", "distal")
            )
            names = tuple(
                patterns[1].format(s=side, W=word, f=finger, F=finger.title(), n=number, j=j, J=joint.title())
                for j, joint in enumerate(joints, start=1)
            )
            fingers.append(FingerMap(finger, names))
        expected[side] = (patterns[0].format(s=side, W=word), fingers)
        add_hand(rig, expected[side][0], expected[side][1], arm_placement(side), parent=f"BodyLowArm{side}", flat=flat)
    hands = detect_hands(rig.build(), CONVENTIONS)
    assert {hand.side: (hand.wrist, list(hand.fingers)) for hand in hands} == expected
    assert all(hand.convention == "names" and hand.confidence >= 0.9 for hand in hands)


def test_words_and_spelling() -> None:
    assert words("mixamorig:LeftHandIndex1") == ("mixamorig", "left", "hand", "index", "1")
    assert words("LEFTHANDINDEX1") == ("left", "hand", "index", "1")
    assert words("LTHUMB2.001") == ("l", "thumb", "2")
    assert squash("Finger_1-2.L") == squash("finger1.2L") != squash("finger12.L")
    assert read_name("CC_Base_L_Mid2").finger == "middle"
    assert read_name("brow_mid_l").is_decoy
    assert read_name("lowerarm_twist_01_l").is_decoy
    assert not read_name("LeftHandRing2").is_decoy
