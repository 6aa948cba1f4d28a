# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The palm's capsules on flesh of a known shape, however few and unevenly spread its skin points are."""

from __future__ import annotations

import numpy as np
import pytest

from addon.core.arrays import FloatArray
from addon.core.skeleton import Skeleton
from addon.hands.build import build_model
from addon.hands.forward import forward
from addon.hands.model import HandModel
from addon.hands.skinning import RestSkin
from addon.presets.limits import load_limits
from tests.unit.model_hands import HandShape, make_hand

MARGIN = 0.012
"""How far the slab reaches beyond the lines to the outer knuckles, in [m]; it narrows to the wrist as they do."""


def half_thickness(z: FloatArray, length: float) -> FloatArray:
    """Of the slab, in [m]: 15 mm at the wrist, 11 mm at the knuckles."""
    return 0.015 - 0.004 * z / length


def slab(model: HandModel, count: int, *, seed: int, towards_fingers: float = 1.0) -> FloatArray:
    """Points in the hand's frame on a palm with flat back and front and round edges. Shape (count, 3).

    Args:
        model: The hand.
        count: How many.
        seed: Of the random numbers.
        towards_fingers: 1 for even points; more puts them nearer to the knuckles.
    """
    rng = np.random.default_rng(seed)
    length = model.palm_length
    knuckles = forward(model, model.rest_angles).origins[[model.joints(f)[0] for f in model.fingers if f != "thumb"]]
    z = length * rng.random(count) ** (1.0 / towards_fingers)
    thick = half_thickness(z, length)
    narrow = 0.5 + 0.5 * z / length
    low, high = knuckles[:, 0].min() * narrow - MARGIN + thick, knuckles[:, 0].max() * narrow + MARGIN - thick
    # Round the outline, at even steps: the flat sides, then the half circles of the edges.
    flat = high - low
    step = rng.random(count) * (2.0 * flat + 2.0 * np.pi * thick)
    angle = np.where(step < 2.0 * flat, 0.0, (step - 2.0 * flat) / thick)
    x = np.where(step < flat, low + step, np.where(step < 2.0 * flat, low + step - flat, 0.0))
    y = np.where(step < flat, thick, -thick)
    edge = step >= 2.0 * flat
    right = angle < np.pi
    turn = np.where(right, 0.5 * np.pi - angle, 0.5 * np.pi + (angle - np.pi))
    x = np.where(edge, np.where(right, high, low) + thick * np.cos(turn), x)
    y = np.where(edge, thick * np.sin(turn), y)
    return np.stack([x, y, z], axis=1)


def with_palm(shape: HandShape, count: int, *, seed: int, towards_fingers: float) -> HandModel:
    skeleton, hand = make_hand(shape)
    bare = build_model(skeleton, hand, load_limits())
    points = slab(bare, count, seed=seed, towards_fingers=towards_fingers)
    wrist = skeleton.index(hand.wrist)
    R = skeleton.rotations[wrist] @ bare.binding.hand_in_carrier[:3, :3]
    return build_model(skeleton, hand, load_limits(), skin=_skin(skeleton, points @ R.T + skeleton.heads[wrist], wrist))


def _skin(skeleton: Skeleton, points: FloatArray, bone: int) -> RestSkin:
    return RestSkin(points=points, bones=np.full((len(points), 1), bone), weights=np.ones((len(points), 1)))


def palm_capsules(model: HandModel) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Starts, ends and radii of the palm's capsules in the hand's frame."""
    frames = forward(model, model.rest_angles)
    found = []
    for k, j in enumerate(model.capsules.joints):
        if j < 0 or model.kinds[j] == "metacarpal":
            R, o = (np.eye(3), np.zeros(3)) if j < 0 else (frames.rotations[j], frames.origins[j])
            found.append((o + R @ model.capsules.starts[k], o + R @ model.capsules.ends[k], model.capsules.radii[k]))
    starts, ends, radii = zip(*found, strict=True)
    return np.array(starts), np.array(ends), np.array(radii)


def distances(points: FloatArray, model: HandModel) -> FloatArray:
    """From the palm's capsules to points, negative inside, in [m]. Shape (p,)."""
    out = np.full(len(points), np.inf)
    for a, b, (r, s) in zip(*palm_capsules(model), strict=True):
        t = np.clip((points - a) @ (b - a) / max(float((b - a) @ (b - a)), 1e-12), 0.0, 1.0)
        out = np.minimum(out, np.linalg.norm(points - a - t[:, None] * (b - a), axis=1) - (r + t * (s - r)))
    return out


CASES = [
    pytest.param(2000, 1.0, 0.08, id="dense"),
    pytest.param(200, 1.0, 0.2, id="sparse"),
    pytest.param(200, 2.5, 0.25, id="sparse at the wrist"),
]


@pytest.mark.parametrize(("count", "towards_fingers", "bare"), CASES)
@pytest.mark.parametrize("metacarpals", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_capsules_fill_the_palm_and_stay_within(
    count: int, towards_fingers: float, bare: float, metacarpals: bool, seed: int
) -> None:
    shape = HandShape(metacarpals=metacarpals, seed=1)
    model = with_palm(shape, count, seed=seed, towards_fingers=towards_fingers)
    gaps = distances(slab(model, 3000, seed=99), model)
    assert np.mean(gaps > 0.003) < bare
    assert np.mean(gaps < -0.003) < 0.05


@pytest.mark.parametrize(("count", "towards_fingers", "bare"), CASES)
@pytest.mark.parametrize("metacarpals", [False, True])
def test_radii_are_half_the_thickness_at_both_ends(
    count: int, towards_fingers: float, bare: float, metacarpals: bool
) -> None:
    model = with_palm(HandShape(metacarpals=metacarpals), count, seed=4, towards_fingers=towards_fingers)
    starts, ends, radii = palm_capsules(model)
    assert len(radii) == 5  # to four knuckles, and across the heel
    for place, radius in ((starts, radii[:, 0]), (ends, radii[:, 1])):
        wanted = half_thickness(place[:, 2], model.palm_length)
        assert np.abs(radius - wanted).max() < (0.0015 if count > 1000 else 0.005)
        assert np.abs(place[:, 1]).max() < (0.001 if count > 1000 else 0.005)


def test_skin_in_one_place_gives_no_capsule_without_size() -> None:
    skeleton, hand = make_hand()
    wrist = skeleton.index(hand.wrist)
    for point in (np.zeros(3), np.array([0.0, 0.0, 0.04])):
        points = np.tile(skeleton.heads[wrist] + point, (40, 1))
        model = build_model(skeleton, hand, load_limits(), skin=_skin(skeleton, points, wrist))
        assert np.all(np.isfinite(model.capsules.starts))
        assert np.all(model.capsules.radii > 0.003)
