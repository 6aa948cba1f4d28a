# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of naming conventions, conventions made from hands, and the marks that outlive renamed bones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from addon.core.handmap import FingerMap, HandMap, HandMapError
from addon.hands.detection import detect_hands
from addon.hands.detection.authoring import convention_from_hand
from addon.hands.detection.roles import bones_by_role, rename_bones, roles_by_bone
from addon.presets.conventions import (
    RIGS_FOLDER,
    Convention,
    dump_convention,
    load_convention,
    load_conventions,
)
from addon.presets.toml import PresetError
from tests.unit.detection_rigs import RigBuilder, add_hand, arm_placement, expected_fingers, wrist_name

CONVENTIONS = load_conventions()
GOOD = (RIGS_FOLDER / "mixamo.toml").read_text(encoding="utf-8")


def test_every_file_says_where_it_comes_from_and_may_be_used() -> None:
    files = sorted(RIGS_FOLDER.glob("*.toml"))
    assert len(files) >= 29
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert "schema_version = 1" in text
        assert 'license = "CC0-1.0"' in text
        assert "SPDX-License-Identifier: CC0-1.0" in text


BROKEN = {
    "no TOML": ("hand = [", r"bad\.toml is not valid TOML"),
    "an unknown key": (GOOD.replace("hand = ", 'colour = "red"\nhand = ', 1), "unknown colour"),
    "an unknown finger key": (GOOD + "length = 3\n", "pinky' has the unknown length"),
    "a missing key": (GOOD.replace("title", "notes", 1), "lacks title"),
    "no version": (GOOD.replace("schema_version = 1\n", ""), "lacks schema_version"),
    "another version": (GOOD.replace("schema_version = 1", "schema_version = 2"), "schema_version 2"),
    "a wrong layer": (GOOD.replace("hand = ", 'layer = "top"\nhand = ', 1), "layer 'top'; known are"),
    "a chain of numbers": (GOOD + "[fingers.sixth]\nchain = [1, 2]\n", "chain has to be a list of texts"),
    "an empty chain": (GOOD + "[fingers.sixth]\nchain = []\n", "chain has to be a list of texts"),
    "half of the sides": (GOOD.replace("R = {", "M = {"), "lacks R and has the unknown M"),
    "a hand that is no text": (GOOD.replace('hand = "{side}Hand"', "hand = 3"), "hand has to be a text"),
}


@pytest.mark.parametrize(("text", "message"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_refused_by_name_and_reason(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PresetError, match=message):
        load_convention(path)


@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda each: each.key)
def test_writing_and_reading_give_the_same_convention(tmp_path: Path, convention: Convention) -> None:
    path = tmp_path / f"{convention.key}.toml"
    path.write_text(dump_convention(convention, source="a test", license_id="CC0-1.0"), encoding="utf-8")
    assert load_convention(path) == convention


def test_odd_characters_survive_writing_and_reading(tmp_path: Path) -> None:
    odd = replace(CONVENTIONS[0], key="odd", title='a "quoted" \\ \x7f \t 手', hand="x\ny{side}")
    path = tmp_path / "odd.toml"
    path.write_text(dump_convention(odd, source="a test", license_id="CC0-1.0"), encoding="utf-8")
    assert load_convention(path) == odd


def test_a_users_file_replaces_the_shipped_one_of_its_name(tmp_path: Path) -> None:
    (tmp_path / "mixamo.toml").write_text(GOOD.replace('title = "Mixamo"', 'title = "Mine"'), encoding="utf-8")
    (tmp_path / "own.toml").write_text(GOOD, encoding="utf-8")
    loaded = {convention.key: convention for convention in load_conventions(tmp_path)}
    assert loaded["mixamo"].title == "Mine"
    assert loaded.keys() == {convention.key for convention in CONVENTIONS} | {"own"}


def hand_of(convention: Convention, side: str) -> HandMap:
    return HandMap(side, wrist_name(convention, side), tuple(expected_fingers(convention, side)))


@pytest.mark.parametrize("key", ["mixamo", "cats_fixed", "daz_genesis8", "vroid", "mmd", "rigify_def", "unreal_ue5"])
@pytest.mark.parametrize("side", ["L", "R"])
def test_one_hand_is_enough_to_name_the_other(key: str, side: str) -> None:
    original = next(convention for convention in CONVENTIONS if convention.key == key)
    made = convention_from_hand(hand_of(original, side), key="made", title="Made")
    for each in ("L", "R"):
        assert hand_of(made, each) == hand_of(original, each)


def test_the_side_stands_at_the_end_of_a_name_or_at_its_start() -> None:
    finger = FingerMap("index", ("L-Rig index1.L", "lIndex2"))
    made = convention_from_hand(HandMap("L", "L hand", (finger,)), key="made", title="Made")
    assert made.hand == "{side} hand"
    assert made.fingers["index"].chain == ("L-Rig index1.{side}", "{lower_side}Index2")
    assert convention_from_hand(HandMap("", "hand", ()), key="made", title="Made").sides == {"": {}}


def test_meaningless_names_are_found_again_through_a_saved_convention() -> None:
    fingers = [
        FingerMap(name, tuple(f"b{number}{joint}.R" for joint in "xyz"))
        for number, name in enumerate(("thumb", "index", "middle", "ring", "pinky"))
    ]
    own = convention_from_hand(HandMap("R", "b9.R", tuple(fingers)), key="own", title="Own")
    rig = RigBuilder()
    for side in ("L", "R"):
        renamed = [replace(finger, chain=tuple(bone[:-1] + side for bone in finger.chain)) for finger in fingers]
        add_hand(rig, f"b9.{side}", renamed, arm_placement(side))
    hands = detect_hands(rig.build(), [*CONVENTIONS, own])
    assert [(hand.side, hand.wrist, hand.convention, hand.confidence) for hand in hands] == [
        ("L", "b9.L", "own", 1.0),
        ("R", "b9.R", "own", 1.0),
    ]
    assert list(hands[1].fingers) == fingers


RIGIFY = next(convention for convention in CONVENTIONS if convention.key == "rigify_metarig")
HANDS = [
    replace(
        hand_of(RIGIFY, side),
        fingers=tuple(
            replace(finger, deform=tuple(f"DEF-{bone}" for bone in finger.chain))
            for finger in expected_fingers(RIGIFY, side)
        ),
    )
    for side in ("L", "R")
]


def _marks(rename: dict[str, str]) -> dict[str, list[str]]:
    """Roles as the bones carry them after a renaming."""
    marked: dict[str, list[str]] = {}
    for bone, roles in roles_by_bone(HANDS).items():
        for role in roles:
            marked.setdefault(role, []).append(rename.get(bone, bone))
    return marked


def test_renamed_and_swapped_bones_keep_their_roles() -> None:
    bones = list(roles_by_bone(HANDS))
    swap = {bone: f"{number}.{bone}" for number, bone in enumerate(bones)}
    swap |= {bones[3]: bones[4], bones[4]: bones[3]}
    now = bones_by_role(HANDS, present=set(swap.values()), marked=_marks(swap))
    for number, hand in enumerate(HANDS):
        renamed = rename_bones(hand, number, now)
        assert list(renamed.bones()) == [swap[bone] for bone in hand.bones()]
        for before, after in zip(hand.fingers, renamed.fingers, strict=True):
            assert after.deform == tuple(swap[bone] for bone in before.deform)


def test_lost_marks_fall_back_to_names_and_copies_do_not_take_over() -> None:
    bones = set(roles_by_bone(HANDS))
    assert rename_bones(HANDS[0], 0, bones_by_role(HANDS, present=bones, marked={})) == HANDS[0]
    copied = {role: [f"{names[0]}.001", *names] for role, names in _marks({}).items()}
    assert rename_bones(HANDS[0], 0, bones_by_role(HANDS, present=bones, marked=copied)) == HANDS[0]


def test_a_deleted_bone_is_named() -> None:
    bones = set(roles_by_bone(HANDS)) - {"f_index.02.L"}
    marked = {role: names for role, names in _marks({}).items() if names != ["f_index.02.L"]}
    with pytest.raises(HandMapError, match=r"'f_index\.02\.L'.*no longer exists"):
        bones_by_role(HANDS, present=bones, marked=marked)
