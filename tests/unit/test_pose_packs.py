# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Packs of poses: what is written is read, what is damaged is refused, names stay apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from addon.presets.pose_packs import ANY_SIDE, PackedPose, check_name, parse_pack, read_pack, with_free_name, write_pack
from addon.presets.poses import FingerAngles, load_poses
from addon.presets.toml import PresetError


def _pack(**changes: Any) -> dict[str, Any]:
    pose = {"name": "X", "hands": {"any": {"index": {"flexion_deg": [1, 2, 3]}}}}
    return {"schema_version": 1, "source": "test", "license": "CC0-1.0", "poses": [pose], **changes}


def _pose(**changes: Any) -> dict[str, Any]:
    return _pack(poses=[{**_pack()["poses"][0], **changes}])


def test_what_is_written_is_read(tmp_path: Path) -> None:
    poses = [PackedPose(each.label, {ANY_SIDE: each.fingers}, each.description) for each in load_poses().values()]
    left, right = FingerAngles((1.0, 2.0)), FingerAngles((3.5,), (-4.0,), (0.5,))
    poses.append(PackedPose("Zwei Hände", {"L": {"index": left}, "R": {"index": right, "sixth": left}}))
    write_pack(tmp_path / "pack.json", poses, source="test", licence="CC0-1.0")
    assert read_pack(tmp_path / "pack.json") == poses
    assert [path.name for path in tmp_path.iterdir()] == ["pack.json"], "no draft is left"


def test_hands_take_their_own_shape_and_swap_when_flipped() -> None:
    pose = PackedPose("X", {"L": {"index": FingerAngles((1.0,))}, "R": {"index": FingerAngles((2.0,))}})
    assert pose.fingers("L")["index"].flexion_deg == (1.0,)
    assert pose.fingers("L", flip=True)["index"].flexion_deg == (2.0,)
    assert pose.fingers("")["index"].flexion_deg == (1.0,)
    either = PackedPose("X", {ANY_SIDE: {"index": FingerAngles((3.0,))}})
    assert either.fingers("R", flip=True) == either.fingers("L")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "no pack"),
        (_pack(schema_version=2), "schema_version 2"),
        (_pack(colour=1), "unknown colour"),
        (_pack(poses=[]), "no list of poses"),
        (_pack(poses=["X"]), "is none"),
        (_pose(colour=1), "unknown colour"),
        (_pose(name="  "), "needs a name"),
        (_pose(name="x" * 61), "needs a name"),
        (_pose(hands={}), "needs a name and hands"),
        (_pose(hands={"left": {}}), "hands left"),
        (_pose(hands={"any": {}}), "without fingers"),
        (_pose(hands={"any": {"index": {}}, "L": {"index": {}}}), "give any, or L, R or both"),
        (_pose(hands={"any": {"index": {"curl": [1]}}}), "unknown curl"),
        (_pose(hands={"any": {"index": {"flexion_deg": [float("nan")]}}}), "lists of numbers"),
        (_pose(hands={"any": {"index": [1, 2]}}), "lists of numbers"),
        (_pose(hands={"any": [1]}), "table of angles"),
        (_pack(poses=_pack()["poses"] * 2), "two poses called 'X'"),
    ],
)
def test_damaged_packs_are_refused_with_a_reason(data: Any, words: str) -> None:
    with pytest.raises(PresetError, match=words):
        parse_pack("pack.json", data)


def test_files_that_are_no_json_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "pack.json"
    for content in (b"{", b"\xff\xfe", json.dumps(3).encode()):
        path.write_bytes(content)
        with pytest.raises(PresetError, match=r"pack\.json is no pack"):
            read_pack(path)
    with pytest.raises(PresetError, match="is no pack"):
        read_pack(tmp_path / "missing.json")


def test_taken_names_get_a_number() -> None:
    pose = PackedPose("Wave", {ANY_SIDE: {"index": FingerAngles()}})
    assert with_free_name(pose, []).name == "Wave"
    assert with_free_name(pose, ["wave"]).name == "Wave 2"
    assert with_free_name(pose, ["Wave", "Wave 2"]).name == "Wave 3"
    assert check_name("  two   words ") == "two words"
