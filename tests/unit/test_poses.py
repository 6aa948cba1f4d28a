# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pose files: readable, complete and refused when damaged."""

from __future__ import annotations

from typing import Any

import pytest

from addon.core.handmap import FINGER_NAMES
from addon.presets.poses import load_poses, parse_pose
from addon.presets.toml import PresetError


def _pose_data(**changes: Any) -> dict[str, Any]:
    header = {"schema_version": 1, "source": "test", "license": "CC0-1.0", "label": "X", "description": "Y"}
    return {**header, "fingers": {"index": {"flexion_deg": [10, 20, 30]}}, **changes}


def test_poses_come_in_their_stated_order() -> None:
    assert list(load_poses())[:4] == ["relaxed", "flat", "spread", "fist"]


@pytest.mark.parametrize("key", list(load_poses()))
def test_every_pose_names_every_finger_within_anatomical_range(key: str) -> None:
    pose = load_poses()[key]
    assert tuple(pose.fingers) == FINGER_NAMES
    assert not pose.description.endswith(".")
    for angles in pose.fingers.values():
        assert len(angles.flexion_deg) == 3
        assert all(-28.0 <= each <= 110.0 for each in angles.flexion_deg)
        assert all(-60.0 <= each <= 60.0 for each in angles.abduction_deg)


def test_relaxed_curls_more_towards_the_little_finger() -> None:
    curls = [sum(load_poses()["relaxed"].fingers[name].flexion_deg) for name in FINGER_NAMES[1:]]
    assert curls == sorted(curls)
    assert len(set(curls)) == 4


def test_angles_are_read_in_order() -> None:
    assert parse_pose("x", _pose_data()).fingers["index"].flexion_deg == (10.0, 20.0, 30.0)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"schema_version": 9}, "schema_version 9"),
        ({"colour": 1}, "unknown colour"),
        ({"fingers": {"index": {"curl": [1]}}}, "unknown curl"),
        ({"fingers": {"index": {"flexion_deg": ["a"]}}}, "lists of numbers"),
        ({"fingers": {"index": {"flexion_deg": 3}}}, "lists of numbers"),
    ],
)
def test_damaged_poses_are_refused_with_a_reason(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(PresetError, match=words):
        parse_pose("x", _pose_data(**changes))


def test_a_missing_key_is_named() -> None:
    data = _pose_data()
    del data["label"]
    with pytest.raises(PresetError, match="lacks label"):
        parse_pose("x", data)
