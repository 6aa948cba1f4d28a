# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Quality formulas of power, intermediate and precision grasps, and the search for a chosen type."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import test_search as scenes

from addon.hands.contact_roles import bone_axes, region_wishes
from addon.presets.movements import KINDS, load_movements
from addon.solvers.closing import Nearness
from addon.solvers.search import Attempt, Demand, Weights, drain, search
from addon.solvers.search.demand import FORMULAS, hold_term
from addon.solvers.search.ranking import total
from tests.unit import closing_hands as hands


def demanded(attempt: Attempt, key: str, kind: str | None = None) -> Attempt:
    model, movement = hands.demo_model(), load_movements()[key]
    return replace(attempt, demand=Demand(kind or movement.kind, region_wishes(model, movement), bone_axes(model)))


def nearness(touching: dict[int, tuple[float, float, float]]) -> Nearness:
    """Bones that touch, and where; all others are far away."""
    m = len(hands.demo_model().names)
    gaps, points = np.full((1, m + 1), 0.1), np.zeros((1, m + 1, 3))
    for joint, point in touching.items():
        gaps[0, joint], points[0, joint] = 0.0, point
    return Nearness(gaps, points, np.zeros((1, m + 1), dtype=np.int64))


def test_there_is_a_formula_for_every_kind_and_they_differ() -> None:
    assert set(FORMULAS) == set(KINDS)
    weights = {kind: Demand(kind, None, None).weighted(Weights()) for kind in KINDS}  # type: ignore[arg-type]
    assert weights["power"].wrap > weights["intermediate"].wrap > weights["precision"].wrap == 0.0
    assert weights["power"].palm > Weights().palm
    assert weights["precision"].faces > weights["power"].faces > Weights().faces
    # What the user sets is multiplied, not replaced.
    doubled = Demand("power", None, None).weighted(Weights(wrap=2.0 * Weights().wrap))  # type: ignore[arg-type]
    assert doubled.wrap == pytest.approx(2.0 * weights["power"].wrap)


def test_power_counts_the_bones_that_touch_first_and_precision_the_tips_of_thumb_and_index() -> None:
    model = hands.demo_model()
    hand = hands.demo_skin().hand
    attempt = replace(scenes.build("ball", "power_sphere").attempts[0], hook=np.zeros(3), hook_axis=None)
    near, far = (0.01, 0.0, 0.0), (0.05, 0.0, 0.0)
    bones = {model.joints(finger)[k]: near for finger in model.fingers for k in (-2,)}
    tips = {model.joints(finger)[-1]: far for finger in model.fingers}
    both = nearness(bones | tips)
    value = {kind: float(hold_term(hand, attempt, kind, both, 1e-3)[0]) for kind in KINDS}
    assert value["power"] == pytest.approx(np.exp(-0.01 / 0.06))
    assert value["precision"] == pytest.approx(np.exp(-0.05 / 0.06))
    # The thumb by its tip, the four others by the bones that touch first.
    assert value["intermediate"] == pytest.approx((np.exp(-0.05 / 0.06) + 4.0 * np.exp(-0.01 / 0.06)) / 5.0)
    # Precision looks at no other fingers, and fingers that do not touch count nothing.
    pinch = nearness({model.joints("thumb")[-1]: near, model.joints("index")[-1]: near})
    assert hold_term(hand, attempt, "precision", pinch, 1e-3)[0] == pytest.approx(np.exp(-0.01 / 0.06))
    assert hold_term(hand, attempt, "power", pinch, 1e-3)[0] == pytest.approx(0.4 * np.exp(-0.01 / 0.06))
    assert hold_term(hand, attempt, "precision", nearness({}), 1e-3)[0] == 0.0


def test_the_kind_decides_between_a_wrapping_and_a_pinching_hand() -> None:
    problem = scenes.build("ball", "power_sphere")
    even = dict.fromkeys(("contact", "fingers", "opposition", "centre", "upright", "above", "arm_above", "palm"), 0.8)
    rest = {"inside": 0.0, "arm": 1.0, "reach": 0.0, "beyond": 0.0, "hold": 0.5}
    terms = {name: np.full(2, value) for name, value in (even | rest).items()}
    # One lies on all of its bones, the other touches with just the skin that is asked for.
    terms |= {"wrap": np.array([1.0, 0.1]), "faces": np.array([0.6, 0.8])}
    attempt = problem.attempts[0]
    power = total(problem, demanded(attempt, "power_sphere", "power"), terms)
    precision = total(problem, demanded(attempt, "power_sphere", "precision"), terms)
    assert power[0] > power[1]
    assert precision[0] < precision[1]


def test_a_chosen_type_ends_with_the_skin_that_it_asks_for() -> None:
    """Found among all that rank: thumb and finger pads on a ball small enough to be pinched with anything."""
    problem = scenes.build("ball", "power_sphere")
    attempt = demanded(problem.attempts[0], "power_sphere")
    found = drain(search(replace(problem, attempts=(attempt,))))
    assert found.candidates
    assert attempt.demand is not None
    best = found.candidates[0]
    plain = drain(search(replace(problem, attempts=(replace(attempt, demand=None),)))).candidates[0]
    met, met_plain = (
        float(
            attempt.demand.met(
                problem.skin.fine, each.angles[None], each.wrist[None], problem.precise, problem.normals
            )[0]
        )
        for each in (best, plain)
    )
    assert met == pytest.approx(best.terms["faces"])
    assert met >= met_plain
