# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Movements that suit a place of an object: what people would do, for hands of any size."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from addon.presets.movements import REFERENCE_PALM_WIDTH, load_movements
from addon.services.movement_choice import MovementChoice, choose_movements, shape_of
from addon.solvers.hooks import Hook

MOVEMENTS = [each for each in load_movements().values() if each.auto]
AXIS, ACROSS = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])


def hook(kind: str, thickness_mm: float, length_mm: float, *, flat: bool = False, offset_mm: float = 0.0) -> Hook:
    return Hook(
        point=np.zeros(3),
        axis=None if kind == "compact" else AXIS,
        across=ACROSS if flat else None,
        kind=kind,
        thickness=thickness_mm / 1000.0,
        length=length_mm / 1000.0,
        offset=offset_mm / 1000.0,
        score=1.0,
        main=offset_mm > 0.0,
    )


DISK = replace(hook("compact", 70.0, 12.0), axis=AXIS)
CASES = [
    (hook("compact", 73.0, 73.0), "power_sphere"),
    (hook("tube", 82.0, 95.0), "large_diameter"),
    (hook("tube", 40.0, 150.0), "medium_diameter"),
    (hook("tube", 18.0, 120.0), "small_diameter"),
    (hook("tube", 9.0, 60.0, offset_mm=60.0), "small_diameter"),
    (hook("tube", 8.0, 140.0), "tripod"),
    (hook("compact", 20.0, 20.0), "tripod"),
    (hook("thin", 2.0, 50.0, flat=True), "lateral"),
    (hook("thin", 0.8, 85.0, flat=True), "palmar_pinch"),
    (hook("rim", 3.0, 30.0, flat=True), "palmar_pinch"),
    (DISK, "precision_disk"),
]


def best(place: Hook, hand: float = REFERENCE_PALM_WIDTH) -> MovementChoice:
    return choose_movements(place, hand, MOVEMENTS)[0]


@pytest.mark.parametrize(("place", "wanted"), CASES, ids=lambda value: value if isinstance(value, str) else value.kind)
def test_people_would_do_the_same(place: Hook, wanted: str) -> None:
    assert best(place).movement.key == wanted


@pytest.mark.parametrize(("place", "wanted"), CASES, ids=lambda value: value if isinstance(value, str) else value.kind)
@pytest.mark.parametrize("scale", [0.3, 25.0])
def test_only_sizes_relative_to_the_hand_count(place: Hook, wanted: str, scale: float) -> None:
    grown = replace(place, thickness=scale * place.thickness, length=scale * place.length, offset=scale * place.offset)
    mine = [(each.movement.key, each.score) for each in choose_movements(place, REFERENCE_PALM_WIDTH, MOVEMENTS)]
    theirs = [(each.movement.key, each.score) for each in choose_movements(grown, 0.084 * scale, MOVEMENTS)]
    assert [key for key, _ in mine] == [key for key, _ in theirs]
    assert np.allclose([score for _, score in mine], [score for _, score in theirs])
    assert theirs[0][0] == wanted


def test_a_small_hand_takes_the_same_bar_for_a_thicker_one() -> None:
    bar = hook("tube", 22.0, 200.0)
    assert best(bar).movement.key == "small_diameter"
    assert best(bar, 0.042).movement.key == "medium_diameter"


def test_all_movements_are_ranked_with_a_reason() -> None:
    choices = choose_movements(hook("tube", 30.0, 100.0), REFERENCE_PALM_WIDTH, MOVEMENTS)
    assert {each.movement.key for each in choices} == {each.key for each in MOVEMENTS}
    scores = [each.score for each in choices]
    assert scores == sorted(scores, reverse=True)
    assert all(0.0 <= score <= 1.0 for score in scores)
    assert choices[0].reason == (
        "A round bar that it suits, 30 mm thick (within its 26 to 65 mm for this hand), 100 mm long."
    )
    assert "outside its" in next(each.reason for each in choices if each.movement.key == "large_diameter")


def test_a_short_bar_is_no_place_for_four_fingers() -> None:
    long, short = hook("tube", 20.0, 120.0), hook("tube", 20.0, 20.0)
    assert best(long).movement.opposition == "palm"
    assert best(short).movement.opposition == "pad"


def test_words_for_shapes() -> None:
    assert shape_of(hook("tube", 20.0, 90.0, flat=True), 0.084) == "prism"
    assert shape_of(hook("compact", 20.0, 20.0, flat=True), 0.084) == "prism"
    assert shape_of(hook("edge", 40.0, 90.0, flat=True), 0.084) == "prism"
    assert shape_of(hook("tube", 20.0, 90.0, offset_mm=31.0), 0.084) == "handle"
    assert shape_of(hook("tube", 20.0, 90.0, offset_mm=31.0), 0.168) == "cylinder"


def test_heavy_things_are_not_carried_between_pads() -> None:
    bail = hook("tube", 7.0, 250.0)
    assert best(bail).movement.opposition == "pad"
    carried = choose_movements(bail, REFERENCE_PALM_WIDTH, MOVEMENTS, bulk=0.3)
    assert carried[0].movement.opposition == "palm"
    # Least of all by what they hang from.
    main = choose_movements(replace(bail, main=True), REFERENCE_PALM_WIDTH, MOVEMENTS, bulk=0.3)
    assert max(each.score for each in main if _pads(each)) < max(each.score for each in carried if _pads(each))


def test_light_things_do_not_hang_on_fingers_without_the_thumb() -> None:
    # The ring of a pair of scissors, and the handle of a mug.
    ring = replace(hook("tube", 7.0, 110.0, offset_mm=45.0), main=True)
    score = {
        bulk: next(
            each.score
            for each in choose_movements(ring, REFERENCE_PALM_WIDTH, MOVEMENTS, bulk=bulk)
            if each.movement.key == "hook"
        )
        for bulk in (0.055, 0.100)
    }
    assert score[0.055] < 0.5 * score[0.100]


def test_a_flat_bar_that_a_thing_is_held_by_is_a_handle() -> None:
    bar = hook("tube", 14.0, 120.0, flat=True)
    assert shape_of(bar, REFERENCE_PALM_WIDTH) == "prism"
    assert shape_of(replace(bar, main=True), REFERENCE_PALM_WIDTH) == "handle"
    assert best(replace(bar, main=True)).movement.opposition == "palm"


def test_a_handle_that_no_finger_fits_through_is_held_between_pads() -> None:
    eye = replace(hook("tube", 6.0, 25.0, offset_mm=50.0), eye=True)
    assert best(eye).movement.opposition == "pad"
    assert best(replace(eye, eye=False)).movement.opposition != "pad"


def test_only_things_that_are_small_as_a_whole_are_held_like_a_key() -> None:
    # The foot of a glass is flat and short, too.
    foot = hook("thin", 2.0, 50.0, flat=True)
    assert choose_movements(foot, REFERENCE_PALM_WIDTH, MOVEMENTS, bulk=0.02)[0].movement.key == "lateral"
    assert choose_movements(foot, REFERENCE_PALM_WIDTH, MOVEMENTS, bulk=0.10)[0].movement.key != "lateral"


def test_a_slender_handle_is_held_firmly_all_the_same() -> None:
    bar = hook("tube", 12.0, 90.0)
    assert best(bar).movement.opposition == "pad"
    assert best(replace(bar, main=True)).movement.opposition == "palm"
    pads = [
        max(each.score for each in choose_movements(place, REFERENCE_PALM_WIDTH, MOVEMENTS) if _pads(each))
        for place in (hook("tube", 22.0, 120.0), replace(hook("tube", 22.0, 120.0), main=True))
    ]
    assert pads[1] < pads[0]


def _pads(choice: MovementChoice) -> bool:
    return choice.movement.opposition == "pad"
