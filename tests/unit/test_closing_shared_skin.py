# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Skin that several fingers move stops each of them, whichever it is counted to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from addon.core.articulation import Articulation
from addon.solvers.closing import ClosingHand, ClosingSkin, Movement, Probes, Skinned, Volumes, build_skin, close
from tests.unit import closing_hands as hands

RANGES = np.tile([-3.0, 3.0], (2, 3, 1))
THUMB, INDEX = 0, 1
ALONG = 0.03
"""How far from the joints in [m] the skin is that both fingers move."""


def two_fingers(share: float) -> ClosingSkin:
    """Two fingers of one bone along z, flexing towards -y, and a point between them that both move.

    Args:
        share: Of the first, in the point; the second has the rest.
    """
    joints = Articulation(
        parents=np.full(2, -1),
        offsets=np.array([[-0.01, 0.0, 0.0], [0.01, 0.0, 0.0]]),
        zeros=np.tile(np.eye(3), (2, 1, 1)),
        signs=np.ones((2, 3)),
    )
    ends = np.zeros((2, 2, 3))
    ends[:, 1, 2] = 1e-3
    hand = ClosingHand(
        articulation=joints,
        finger_of=np.array([THUMB, INDEX]),
        rest_angles=np.zeros((2, 3)),
        # So short that they never come to what the skin comes to.
        volumes=Volumes(np.arange(2), ends, np.full((2, 2), 5e-4)),
    )
    points = np.array([[0.0, 0.0, ALONG], [-0.01, 0.0, 5e-4], [0.01, 0.0, 5e-4]])
    pairs = np.array([[INDEX, THUMB], [THUMB, -1], [INDEX, -1]])
    weights = np.array([[1.0 - share, share], [1.0, 0.0], [1.0, 0.0]])
    return build_skin(hand, Probes(points, pairs, weights, np.zeros(3), np.zeros(3, dtype=np.bool_)))


def bending(thumb_deg: float, index_deg: float) -> Movement:
    """Both from straight."""
    end = np.zeros((1, 2, 3))
    end[0, :, 0] = np.radians([thumb_deg, index_deg])
    return Movement(np.zeros((1, 2, 3)), end, hands.STILL, np.ones(2, dtype=np.bool_))


def lowest(skin: ClosingSkin, angles: np.ndarray) -> float:
    """Height of the point between the fingers in [m]."""
    return float(skin.fine.all_positions(skin.fine.motions(angles, hands.STILL))[0, 0, 1])


@pytest.mark.parametrize("share", [0.1, 0.3, 0.45])
def test_a_finger_stops_where_skin_that_it_moves_but_little_touches(share: float) -> None:
    skin, height = two_fingers(share), -0.002
    found = close(skin, bending(80.0, 0.0), hands.scene(hands.plane(height)), RANGES)
    # The point goes down by its share of what the bone goes down: a share of a sine.
    flexion = np.arcsin(min(-height / (share * ALONG), np.sin(np.radians(80.0))))
    assert found.angles[0, THUMB, 0] == pytest.approx(flexion, abs=2e-4 / (share * ALONG))
    assert lowest(skin, found.angles) == pytest.approx(-share * ALONG * np.sin(flexion), abs=1.5e-4)


def test_fingers_that_press_the_same_skin_together_stop_in_time() -> None:
    skin, height = two_fingers(0.45), -0.004
    found = close(skin, bending(60.0, 60.0), hands.scene(hands.plane(height)), RANGES)
    assert lowest(skin, found.angles) - height > -2e-4
    assert (found.shares > 0.05).all(), "and both have moved"


def test_skin_that_begins_inside_is_not_taken_out_by_opening_and_holds_no_finger_back() -> None:
    skin = two_fingers(0.3)
    movement = replace(bending(40.0, 0.0), start=bending(10.0, 0.0).end)
    inside = lowest(skin, movement.start) + 5e-4
    found = close(skin, movement, hands.scene(hands.plane(inside)), RANGES)
    assert found.depths[0, THUMB] == 0.0
    assert lowest(skin, found.angles) >= lowest(skin, movement.start) - 2e-4


def test_every_finger_that_moves_a_point_has_a_copy_of_it() -> None:
    skin = two_fingers(0.3)
    doubled = skin.fine.doubled
    assert doubled.finger.tolist() == [INDEX, THUMB, INDEX, THUMB]
    motions = doubled.motions(bending(50.0, 20.0).end, hands.STILL)
    places = doubled.all_positions(motions)[0]
    np.testing.assert_array_equal(places[3], places[0])
    # What each finger does to it and what the others do adds up to the same for all.
    alone = doubled.positions(motions, np.zeros(4, dtype=np.int64), np.arange(4))
    alone[doubled.shared] += doubled.carried(motions)[0]
    np.testing.assert_allclose(alone, places, atol=1e-12)
    assert skin.coarse.doubled is skin.coarse, "balls follow one joint each"
    assert isinstance(doubled, Skinned)


def test_a_finger_goes_on_where_its_neighbour_has_pressed_skin_that_it_moves_little() -> None:
    skin, height = two_fingers(0.15), -0.008
    found = close(skin, bending(60.0, 60.0), hands.scene(hands.plane(height)), RANGES)
    assert found.shares[0, THUMB] > 0.98
    assert found.shares[0, INDEX] > 0.1
    assert lowest(skin, found.angles) == pytest.approx(height, abs=3e-4), "the neighbour gives way by what it presses"
