# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sliders: numbers of postures and back on any hand, pulling neighbours, dragging and dragging back."""

from __future__ import annotations

import numpy as np
import pytest

from addon.core.arrays import FloatArray
from addon.core.errors import UnknownChoiceError
from addon.hands.poser import FINGER_SLIDERS, HAND_SLIDERS, SYNERGY_SLIDERS, Poser, make_poser
from addon.hands.poses import pose_angles
from addon.hands.slide import read_posture_sliders, slide
from addon.hands.sliders import read_sliders, shift_together, write_sliders
from addon.presets.poses import load_poses
from tests.unit.closing_hands import demo_model

VARIANTS = ("human", "cartoon", "six_finger", "gripper_2", "gripper_3")


def poser_of(variant: str) -> Poser:
    return make_poser(demo_model(variant))


def random_angles(poser: Poser, seed: int) -> FloatArray:
    rng = np.random.default_rng(seed)
    low, high = poser.hand.ranges[..., 0], poser.hand.ranges[..., 1]
    return low + rng.random(low.shape) * (high - low)


def within(poser: Poser, angles: FloatArray) -> bool:
    low, high = poser.hand.ranges[..., 0], poser.hand.ranges[..., 1]
    return bool((angles >= low - 1e-12).all() and (angles <= high + 1e-12).all())


@pytest.mark.parametrize("variant", VARIANTS)
def test_reading_and_writing_changes_no_posture(variant: str) -> None:
    poser = poser_of(variant)
    for seed in range(20):
        angles = random_angles(poser, seed)
        assert write_sliders(poser.hand, *read_sliders(poser.hand, angles)) == pytest.approx(angles, abs=1e-12)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("slider", HAND_SLIDERS)
def test_a_slider_shows_what_it_was_moved_to_and_stays_within_limits(variant: str, slider: str) -> None:
    poser = poser_of(variant)
    start = pose_angles(poser.hand.model, load_poses()["grip"])
    before = read_posture_sliders(poser, start).hand[slider]
    # A short way, on which no joint reaches its end.
    moved = slide(poser, start, slider, before + 0.04)
    assert within(poser, moved)
    if np.abs(moved - start).max() > 1e-9:
        tolerance = 0.01 if slider in SYNERGY_SLIDERS else 1e-9
        assert read_posture_sliders(poser, moved).hand[slider] == pytest.approx(before + 0.04, abs=tolerance)
    for value in (-1.0, 0.0, 1.0, 3.0):
        assert within(poser, slide(poser, start, slider, value))


@pytest.mark.parametrize("slider", HAND_SLIDERS)
def test_sliders_of_a_human_hand_all_do_something(slider: str) -> None:
    poser = poser_of("human")
    start = pose_angles(poser.hand.model, load_poses()["grip"])
    before = read_posture_sliders(poser, start).hand[slider]
    assert np.abs(slide(poser, start, slider, before + 0.2) - start).max() > np.radians(1.0)


@pytest.mark.parametrize("slider", FINGER_SLIDERS)
def test_a_finger_slider_moves_its_finger_alone_unless_coupled(slider: str) -> None:
    poser = poser_of("human")
    model = poser.hand.model
    start = pose_angles(model, load_poses()["relaxed"])
    moved = slide(poser, start, slider, 0.5, finger="ring", coupled=False)
    changed = {model.fingers[int(model.finger_of[j])] for j in np.flatnonzero(np.abs(moved - start).max(axis=1) > 1e-9)}
    assert changed == {"ring"}
    number = model.fingers.index("ring")
    shown = getattr(read_posture_sliders(poser, moved).fingers, slider.removeprefix("finger_"))
    assert shown[number] == pytest.approx(0.5, abs=1e-9)


def test_a_bent_ring_finger_pulls_its_neighbours_as_far_as_they_may_differ() -> None:
    poser = poser_of("human")
    model = poser.hand.model
    start = pose_angles(model, load_poses()["flat"])
    bases = {name: model.joints(name)[0] for name in model.fingers}
    moved = np.degrees(slide(poser, start, "finger_curl", 1.0, finger="ring")[:, 0])
    # Lin, Wu and Huang: middle - ring >= -45, ring - pinky <= 48, index - middle >= -54 degrees.
    assert moved[bases["ring"]] == pytest.approx(90.0, abs=1e-6)
    assert moved[bases["middle"]] == pytest.approx(45.0, abs=1e-6)
    assert moved[bases["pinky"]] == pytest.approx(42.0, abs=1e-6)
    assert moved[bases["index"]] == pytest.approx(np.degrees(start[bases["index"], 0]), abs=1e-6)
    alone = np.degrees(slide(poser, start, "finger_curl", 1.0, finger="ring", coupled=False)[:, 0])
    assert alone[bases["middle"]] == pytest.approx(np.degrees(start[bases["middle"], 0]), abs=1e-6)


def test_a_stretched_ring_finger_takes_the_middle_one_along() -> None:
    poser = poser_of("human")
    model = poser.hand.model
    moved = slide(poser, pose_angles(model, load_poses()["fist"]), "finger_curl", 0.0, finger="ring")
    assert np.degrees(moved[model.joints("middle")[0], 0]) == pytest.approx(20.0, abs=1e-6)


@pytest.mark.parametrize("slider", ["curl", "spread", "relax", "thumb_curl", "synergy_1"])
def test_dragging_back_leads_back(slider: str) -> None:
    poser = poser_of("human")
    start = pose_angles(poser.hand.model, load_poses()["pinch"])
    before = read_posture_sliders(poser, start).hand[slider]
    assert slide(poser, start, slider, before) == pytest.approx(start, abs=1e-9)


def test_curl_closes_every_finger_at_its_end_and_relax_leads_to_the_relaxed_pose() -> None:
    poser = poser_of("human")
    model = poser.hand.model
    start = pose_angles(model, load_poses()["point"])
    closed = read_posture_sliders(poser, slide(poser, start, "curl", 1.0)).fingers.curl[1:]
    assert closed == pytest.approx(1.0)
    assert read_posture_sliders(poser, slide(poser, start, "curl", 0.0)).fingers.curl[1:] == pytest.approx(0.0)
    assert slide(poser, start, "relax", 1.0) == pytest.approx(pose_angles(model, load_poses()["relaxed"]), abs=1e-9)


def test_cup_bends_the_palm_where_it_has_bones_and_nowhere_else() -> None:
    poser = poser_of("human")
    start = pose_angles(poser.hand.model, load_poses()["flat"])
    moved = slide(poser, start, "cup", 1.0) - start
    bent = {poser.hand.model.names[j]: round(float(np.degrees(moved[j, 0])), 6) for j in np.flatnonzero(moved[:, 0])}
    assert bent == {"ring.metacarpal.R": 20.0, "pinky.metacarpal.R": 27.0}
    gripper = poser_of("gripper_3")
    still = np.array(gripper.hand.model.rest_angles)
    assert slide(gripper, still, "cup", 1.0) == pytest.approx(still)


def test_unknown_sliders_and_fingers_are_named() -> None:
    poser = poser_of("human")
    start = np.array(poser.hand.model.rest_angles)
    with pytest.raises(UnknownChoiceError, match="slider 'wiggle'"):
        slide(poser, start, "wiggle", 1.0)
    with pytest.raises(UnknownChoiceError, match="finger 'toe'"):
        slide(poser, start, "finger_curl", 1.0, finger="toe")


@pytest.mark.parametrize("mean", [-0.5, 0.0, 0.3, 0.77, 1.0])
def test_values_shifted_together_have_the_mean_and_keep_their_order(mean: float) -> None:
    values, chosen = np.array([0.9, 0.1, 0.5, 0.45]), np.array([False, True, True, True])
    out = shift_together(values, chosen, mean, lowest=0.0)
    assert out[0] == 0.9
    assert out[chosen].mean() == pytest.approx(mean, abs=1e-12)
    assert (np.diff(out[[1, 3, 2]]) >= -1e-12).all()
