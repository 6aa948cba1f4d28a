# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The palm's frame: its axes, and the vote on which side of it is the back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from addon.core.handmap import HandMap
from addon.hands.build import build_model
from addon.hands.chains import gather_chains
from addon.hands.palm import find_palm
from addon.presets.limits import load_limits
from tests.unit.model_hands import HandShape, make_gripper, make_hand


def palm_of(shape: HandShape, side: str):
    skeleton, hand = make_hand(shape)
    return find_palm(gather_chains(skeleton, hand), side)


@pytest.mark.parametrize("side", ["L", "R"])
def test_axes_point_as_documented(side: str) -> None:
    palm = palm_of(HandShape(side=side), side)
    x, y, z = palm.rotation.T
    assert np.linalg.det(palm.rotation) > 0.0
    assert z @ [0.0, 0.0, 1.0] > 0.99
    assert y @ [0.0, 1.0, 0.0] > 0.98
    assert abs(x @ [1.0, 0.0, 0.0]) > 0.98
    assert palm.side == side
    assert palm.notes == ()


@pytest.mark.parametrize("side", ["L", "R"])
@pytest.mark.parametrize("seed", range(5))
def test_side_is_found_without_a_name(side: str, seed: int) -> None:
    assert palm_of(HandShape(side=side, curl_deg=10.0, seed=seed), "").side == side


def test_curled_fingers_outvote_a_wrong_name() -> None:
    palm = palm_of(HandShape(side="R", curl_deg=20.0), "L")
    assert palm.side == "R"
    assert "left hand" in palm.notes[0]


def test_a_flat_hand_believes_its_name() -> None:
    for side in ("L", "R"):
        assert palm_of(HandShape(side="R", curl_deg=0.0, thumb_deg=(50.0, 0.0)), side).side == side


def test_a_flat_hand_without_a_name_says_so() -> None:
    shape = HandShape(curl_deg=0.0, thumb_deg=(50.0, 0.0), fingers=("index", "middle", "ring", "pinky"))
    assert "Nothing tells" in palm_of(shape, "").notes[0]


def test_slightly_overstretched_fingers_do_not_turn_the_hand_over() -> None:
    assert palm_of(HandShape(side="R", curl_deg=-4.0), "R").side == "R"


def test_order_of_the_fingers_does_not_matter() -> None:
    skeleton, hand = make_hand(HandShape(seed=3))
    turned = HandMap(side="R", wrist=hand.wrist, fingers=(hand.fingers[0], *hand.fingers[:0:-1]))
    first, second = find_palm(gather_chains(skeleton, hand), "R"), find_palm(gather_chains(skeleton, turned), "R")
    assert np.allclose(first.rotation, second.rotation, atol=1e-9)


def test_two_fingers_or_a_ring_without_a_thumb_make_a_gripper() -> None:
    for count in (2, 3, 5):
        skeleton, hand = make_gripper(count)
        palm = find_palm(gather_chains(skeleton, hand), "")
        assert palm.radial
        assert np.allclose(palm.rotation[:, 2], [0.0, 0.0, 1.0], atol=1e-9)
        assert np.isclose(palm.width, 0.08)


def test_control_rigs_are_carried_by_the_bone_that_follows_the_wrist() -> None:
    """Fingers hang on a mechanism bone at the wrist; the wrist of the map is a control beside it."""
    skeleton, hand = make_hand()
    names = (*skeleton.names, "control")
    moved = replace(
        skeleton,
        names=names,
        parents=np.append(skeleton.parents, 0),
        heads=np.vstack([skeleton.heads, skeleton.heads[1]]),
        tails=np.vstack([skeleton.tails, skeleton.tails[1]]),
        rotations=np.concatenate([skeleton.rotations, skeleton.rotations[1:2]]),
        deform=np.append(skeleton.deform, False),
    )
    model = build_model(moved, replace(hand, wrist="control"), load_limits())
    assert model.binding.wrist == "control"
    assert model.binding.carrier == "wrist"
    assert model.binding.loose == ()


def test_flat_hierarchies_are_known_as_such() -> None:
    skeleton, hand = make_hand(HandShape(flat=True))
    model = build_model(skeleton, hand, load_limits())
    assert model.binding.carrier == "wrist"
    assert set(model.binding.loose) == {name for name in skeleton.names if name not in ("root", "wrist")}
    skeleton, hand = make_hand(HandShape())
    assert build_model(skeleton, hand, load_limits()).binding.loose == ()


@pytest.mark.parametrize("side", ["L", "R"])
def test_hands_whose_palm_hangs_on_the_forearm_begin_at_the_palm(side: str) -> None:
    skeleton, hand = make_hand(HandShape(side=side, metacarpals=True))
    usual = build_model(skeleton, hand, load_limits())
    # The wrist's bone becomes the forearm's: its head goes back to where an elbow is.
    wrist = skeleton.index("wrist")
    heads = skeleton.heads.copy()
    heads[wrist] = heads[wrist] - np.array([0.0, 0.0, 0.25])
    model = build_model(replace(skeleton, heads=heads), hand, load_limits())
    starts = [skeleton.heads[skeleton.index(str(f.metacarpal))] for f in hand.fingers if f.metacarpal is not None]
    assert model.palm_length < 0.9 * usual.palm_length, "from the metacarpals on"
    back = model.binding.hand_in_carrier[:3, 3]
    R = skeleton.rotations[skeleton.index(model.binding.carrier)]
    np.testing.assert_allclose(heads[wrist] + R @ back, np.mean(starts, axis=0), atol=1e-9)
    near = skeleton.heads.copy()
    near[wrist] = near[wrist] - np.array([0.0, 0.0, 0.02])
    assert build_model(replace(skeleton, heads=near), hand, load_limits()).palm_length > usual.palm_length
