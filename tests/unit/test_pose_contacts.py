# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses on the demo hand's skin: what shall touch touches, and nothing goes into anything."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from addon.core.arrays import FloatArray
from addon.hands.poses import pose_angles
from addon.presets.poses import Pose, load_poses
from addon.services.pose_previews import PreviewHand, preview_hand
from addon.solvers.self_overlap import PALM, SkinParts, bone_gap, cut_skin, own_depths
from tests.unit.surface_shapes import ball, joined, moved

DEEPEST = 1e-3
"""How deep in [m] skin may lie in other skin."""
TOUCHING = 8e-4
"""Gap in [m] that still counts as touching: as much as a soft pad gives."""


@cache
def parts() -> tuple[PreviewHand, SkinParts]:
    hand = preview_hand()
    model, skin = hand.model, hand.model.skin
    assert skin is not None
    free = np.array([kind not in ("metacarpal", "carpometacarpal") for kind in model.kinds])
    part = np.where((skin.owners >= 0) & free[skin.owners], model.finger_of[skin.owners], PALM)
    return hand, cut_skin(skin.points, hand.triangles, part)


def distinct() -> list[str]:
    """One key of each shape."""
    found: dict[tuple[tuple[str, object], ...], str] = {}
    for key, pose in load_poses().items():
        found.setdefault(tuple(pose.fingers.items()), key)
    return list(found.values())


def posed(pose: Pose) -> FloatArray:
    hand, _ = parts()
    return hand.skin(pose_angles(hand.model, pose))


@pytest.mark.parametrize("key", distinct())
def test_no_finger_is_inside_another_or_the_palm(key: str) -> None:
    depths = own_depths(parts()[1], posed(load_poses()[key]))
    assert depths.max() <= DEEPEST


@pytest.mark.parametrize("key", [key for key in distinct() if load_poses()[key].contacts])
def test_what_a_pose_says_touches_does(key: str) -> None:
    pose = load_poses()[key]
    hand, skin = parts()
    points = posed(pose)
    for first, second in pose.contacts:
        gap = bone_gap(skin, points, hand.vertices_of(first), hand.vertices_of(second))
        assert gap <= TOUCHING, (first, second)


def test_signs_that_lie_on_fingers_say_so() -> None:
    for letter in "aemnst":
        assert any("thumb" in pair[0] + pair[1] for pair in load_poses()[f"asl_{letter}"].contacts), letter


def test_fingers_pushed_into_each_other_are_measured() -> None:
    hand, skin = parts()
    model = hand.model
    angles = np.array(pose_angles(model, load_poses()["flat"]))
    apart = own_depths(skin, hand.skin(angles))
    assert apart.max() == 0.0
    # A fist far beyond what skin allows: fingertips go through the palm.
    for finger in ("index", "middle", "ring", "pinky"):
        angles[model.joints(finger), 0] = np.radians([90.0, 110.0, 90.0])
    deep = own_depths(skin, hand.skin(angles))
    assert deep.max() > 3e-3


@pytest.mark.parametrize("way", [0.062, 0.058, 0.05, 0.045])
def test_two_balls_overlap_by_their_radii_less_their_distance(way: float) -> None:
    # Poles, where the balls meet, are vertices: the depth is exact but for the other ball's flat faces.
    points, triangles = joined(ball(0.03), moved(ball(0.03), (0.0, 0.0, way)))
    half = len(points) // 2
    skin = cut_skin(points, triangles, np.repeat([PALM, 0], half))
    assert own_depths(skin, points).max() == pytest.approx(max(0.06 - way, 0.0), abs=1e-4)
    gap = bone_gap(skin, points, np.arange(half, 2 * half), np.arange(half))
    if way > 0.06:
        assert gap == pytest.approx(way - 0.06, abs=1e-4)
