# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which pairs of a place and a movement are tried first."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from addon.presets.movements import REFERENCE_PALM_WIDTH, load_movements
from addon.services.grasp_tries import AUTO, HANDLE_BONUS, REST, rate_pairs
from addon.solvers.hooks import Hook

MOVEMENTS = [each for each in load_movements().values() if each.auto]


def bar(x: float) -> Hook:
    return Hook(np.array([x, 0.0, 0.0]), np.array([1.0, 0.0, 0.0]), None, "tube", 0.028, 0.15, 0.0, 1.0)


def priors(*hooks: Hook) -> list[float]:
    """How promising each place is with the movement that suits it best."""
    rated = rate_pairs(hooks, MOVEMENTS, AUTO, REFERENCE_PALM_WIDTH, 0.1)
    return [max(prior for prior, number, _ in rated if number == k) for k in range(len(hooks))]


def test_what_things_are_held_by_comes_before_everything_else() -> None:
    usual = priors(bar(0.0), bar(0.1))
    assert usual[0] == usual[1]
    handle, rest = priors(replace(bar(0.0), main=True), bar(0.1))
    assert handle == pytest.approx(min(HANDLE_BONUS * usual[0], 1.5))
    assert rest == pytest.approx(REST * usual[1])


def test_the_most_promising_pairs_come_first_and_like_ones_later() -> None:
    hooks = [bar(0.1 * k) for k in range(4)]
    rated = rate_pairs(hooks, MOVEMENTS, AUTO, REFERENCE_PALM_WIDTH, 0.1)
    keys = [choice.movement.key for _, _, choice in rated]
    first = keys[0]
    assert keys[:2] == [first, first]
    assert keys[2] != first, "others get their turn before the same movement is tried at a third place"
    assert keys.count(first) == 4
