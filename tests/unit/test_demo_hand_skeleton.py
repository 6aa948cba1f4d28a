# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo hands' bones: lengths, names, axes, limits."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from addon.core.errors import UnknownChoiceError
from addon.shapes.hand import VARIANTS, HandBuild, HandSpec, build_hand
from tests.unit.demo_hand_skinning import posed_head

FINGERS = ("index", "middle", "ring", "pinky")
BONES = ("metacarpal", "proximal", "intermediate", "distal")

# Buryanov and Kotiuk 2010, "Proportions of hand segments", lengths of the segments in mm as (mean, SD), by row:
# metacarpal, proximal, middle, distal phalanx, soft tissue at the tip.
TABLE = {
    "thumb": ((46.22, 3.94), (31.57, 3.13), (21.67, 1.60), (5.67, 0.61)),
    "index": ((68.12, 6.27), (39.78, 4.94), (22.38, 2.51), (15.82, 2.26), (3.84, 0.59)),
    "middle": ((64.60, 5.38), (44.63, 3.81), (26.33, 3.00), (17.40, 1.85), (3.95, 0.61)),
    "ring": ((58.00, 5.06), (41.37, 3.87), (25.65, 3.29), (17.30, 2.22), (3.95, 0.60)),
    "pinky": ((53.69, 4.36), (32.74, 2.77), (18.11, 2.54), (15.96, 2.45), (3.73, 0.62)),
}


@cache
def built(variant: str = "human", side: str = "R", size_sd: float = 0.0) -> HandBuild:
    return build_hand(HandSpec(variant=variant, side=side, size_sd=size_sd))  # type: ignore[arg-type]


def joint(build: HandBuild, bone: str) -> np.ndarray:
    return build.skeleton.heads[build.skeleton.index(bone)]


def test_unknown_variant_is_a_named_error() -> None:
    with pytest.raises(UnknownChoiceError, match="human"):
        build_hand(HandSpec(variant="paw"))


@pytest.mark.parametrize("size_sd", [0.0, 1.0])
@pytest.mark.parametrize("finger", TABLE)
def test_bone_lengths_are_the_table_of_buryanov_and_kotiuk_2010(finger: str, size_sd: float) -> None:
    build = built(size_sd=size_sd)
    names = [n for n in build.skeleton.names if n.startswith(finger)]
    heads = np.array([joint(build, n) for n in names])
    found_mm = 1e3 * np.linalg.norm(np.diff(heads, axis=0), axis=1)
    rows = [mean + size_sd * sd for mean, sd in TABLE[finger]]
    expected_mm = [*rows[:-2], rows[-2] + rows[-1]]
    np.testing.assert_allclose(found_mm, expected_mm, atol=1e-9)


def test_human_bones_have_their_names() -> None:
    expected = ["hand.R", *(f"thumb.{b}.R" for b in ("metacarpal", "proximal", "distal", "tip"))]
    expected += [f"{f}.{b}.R" for f in FINGERS for b in (*BONES, "tip")]
    assert list(built().skeleton.names) == expected


@pytest.mark.parametrize(("variant", "chains"), [("cartoon", 3), ("six_finger", 6), ("gripper_2", 2), ("gripper_3", 3)])
def test_variants_have_their_number_of_fingers(variant: str, chains: int) -> None:
    names = built(variant).skeleton.names
    assert sum(".tip." in name for name in names) == chains
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("side", ["L", "R"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_frames_are_right_handed_and_lie_along_their_bones(variant: str, side: str) -> None:
    skeleton = built(variant, side).skeleton
    along = skeleton.tails - skeleton.heads
    along = along / np.linalg.norm(along, axis=1, keepdims=True)
    np.testing.assert_allclose(skeleton.rotations[:, :, 1], along, atol=1e-9)
    np.testing.assert_allclose(
        skeleton.rotations.transpose(0, 2, 1) @ skeleton.rotations, [np.eye(3)] * len(along), atol=1e-9
    )
    np.testing.assert_allclose(np.linalg.det(skeleton.rotations), 1.0, atol=1e-9)
    assert np.all(skeleton.parents < np.arange(len(along)))
    assert list(skeleton.deform) == [".tip." not in name for name in skeleton.names]


def test_wrist_is_the_origin_and_the_palm_looks_down_minus_y() -> None:
    build = built()
    np.testing.assert_allclose(joint(build, "hand.R"), 0.0)
    assert joint(build, "thumb.tip.R")[0] > 0.05
    assert joint(build, "pinky.proximal.R")[0] < joint(build, "index.proximal.R")[0]
    np.testing.assert_allclose(build.skeleton.rotations[0], [[1, 0, 0], [0, 0, -1], [0, 1, 0]], atol=1e-12)


def test_knuckles_form_an_arch_with_the_middle_one_furthest_and_highest() -> None:
    knuckles = np.array([joint(built(), f"{finger}.proximal.R") for finger in FINGERS])
    assert knuckles[:, 2].argmax() == 1
    assert knuckles[:, 1].argmax() == 1
    assert knuckles[:, 1].argmin() == 3
    assert knuckles[:, 2].argmin() == 3


@pytest.mark.parametrize("finger", FINGERS)
def test_fingers_rest_slightly_bent_towards_the_palm(finger: str) -> None:
    rotations = built().skeleton.rotations
    first = built().skeleton.index(f"{finger}.proximal.R")
    for k in (first + 1, first + 2):
        relative = rotations[k - 1].T @ rotations[k]
        assert 3.0 < np.degrees(np.arctan2(relative[2, 1], relative[1, 1])) < 12.0
        assert relative[0, 0] == pytest.approx(1.0)


@pytest.mark.parametrize("side", ["L", "R"])
@pytest.mark.parametrize("variant", ["human", "cartoon", "six_finger"])
def test_flexing_any_finger_joint_takes_its_tip_to_the_palm(variant: str, side: str) -> None:
    build = built(variant, side)
    for name in build.skeleton.names:
        finger, bone, _ = (*name.split("."), "")[:3]
        if finger in ("hand", "thumb") or bone == "tip":
            continue
        tip = f"{finger}.tip.{side}"
        assert posed_head(build, tip, {name: (20.0, 0.0, 0.0)})[1] < joint(build, tip)[1] - 0.002, name


@pytest.mark.parametrize("side", ["L", "R"])
@pytest.mark.parametrize("bone", ["metacarpal", "proximal", "distal"])
def test_flexing_the_thumb_takes_its_tip_towards_the_base_of_the_little_finger(bone: str, side: str) -> None:
    build = built(side=side)
    base = joint(build, f"pinky.proximal.{side}")
    tip = f"thumb.tip.{side}"
    before = np.linalg.norm(joint(build, tip) - base)
    after = np.linalg.norm(posed_head(build, tip, {f"thumb.{bone}.{side}": (20.0, 0.0, 0.0)}) - base)
    assert after < before - 0.003


@pytest.mark.parametrize("side", ["L", "R"])
@pytest.mark.parametrize("variant", ["gripper_2", "gripper_3"])
def test_flexing_a_gripper_joint_takes_its_tip_to_the_middle(variant: str, side: str) -> None:
    build = built(variant, side)
    for name in build.skeleton.names[1:]:
        if ".tip." in name:
            continue
        tip = f"{name.split('.')[0]}.tip.{side}"
        moved = posed_head(build, tip, {name: (15.0, 0.0, 0.0)})
        assert np.hypot(*moved[:2]) < np.hypot(*joint(build, tip)[:2]) - 0.005, name


def test_limits_are_anatomical_and_count_from_rest() -> None:
    build = built()
    limits = np.degrees(build.limits)
    rows = {name: limits[k] for k, name in enumerate(build.skeleton.names)}
    rest_deg = 9.0
    np.testing.assert_allclose(rows["index.intermediate.R"][0], [0.0 - rest_deg, 110.0 - rest_deg])
    assert rows["index.proximal.R"][0, 1] - rows["index.proximal.R"][0, 0] == pytest.approx(110.0)
    np.testing.assert_allclose(rows["index.metacarpal.R"], 0.0)
    assert rows["pinky.metacarpal.R"][0, 1] > rows["ring.metacarpal.R"][0, 1] > 0.0
    assert np.all(limits[:, :, 0] <= 0.0)
    assert np.all(limits[:, :, 1] >= 0.0)


@pytest.mark.parametrize("variant", VARIANTS)
def test_left_is_the_mirror_of_right(variant: str) -> None:
    right, left = built(variant), built(variant, "L")
    mirror = np.array([-1.0, 1.0, 1.0])
    assert [n[:-1] for n in left.skeleton.names] == [n[:-1] for n in right.skeleton.names]
    np.testing.assert_array_equal(left.mesh.vertices, right.mesh.vertices * mirror)
    np.testing.assert_array_equal(left.skeleton.heads, right.skeleton.heads * mirror)
    np.testing.assert_array_equal(left.weights, right.weights)
    # The same turn of both hands' joints is a mirrored turn when it is flexion, and its opposite otherwise.
    pose = {name: (15.0, 6.0, -9.0) for name in right.skeleton.names}
    opposite = {name: (15.0, -6.0, 9.0) for name in left.skeleton.names}
    for a, b in zip(right.skeleton.names, left.skeleton.names, strict=True):
        np.testing.assert_allclose(posed_head(left, b, opposite), posed_head(right, a, pose) * mirror, atol=1e-12)


def test_scale_multiplies_everything() -> None:
    large = build_hand(HandSpec(scale=2.5))
    np.testing.assert_allclose(large.mesh.vertices, 2.5 * built().mesh.vertices, rtol=1e-12)
    np.testing.assert_allclose(large.skeleton.tails, 2.5 * built().skeleton.tails, rtol=1e-12)
