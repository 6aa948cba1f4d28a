# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Skins that lie beside their bones as a whole are told from those that fit and those that are wrong otherwise."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from addon.core.rotations import matrix_from_axis_angle, matrix_from_quaternion, unit
from addon.core.skeleton import Skeleton
from addon.hands.skin_offset import off_by, skin_offset
from addon.hands.skinning import RestSkin
from addon.shapes.hand import HandSpec, build_hand
from tests.unit.model_hands import HandShape, make_hand
from tests.unit.test_model_volume import tube_skin

VARIANTS = ("human", "cartoon", "six_finger", "gripper_2", "gripper_3")


@lru_cache(maxsize=8)
def demo(variant: str = "human") -> tuple[Skeleton, RestSkin]:
    built = build_hand(HandSpec(variant=variant, side="R"))
    order = np.argsort(-built.weights, axis=1)[:, :4]
    weights = np.take_along_axis(built.weights, order, axis=1)
    weights = weights / weights.sum(axis=1, keepdims=True)
    return built.skeleton, RestSkin(points=built.mesh.vertices, bones=order, weights=weights)


def moved(skin: RestSkin, offset: np.ndarray, turn: np.ndarray | None = None, scale: float = 1.0) -> RestSkin:
    return replace(skin, points=scale * skin.points @ (np.eye(3) if turn is None else turn).T + offset)


@pytest.mark.parametrize("variant", VARIANTS)
def test_skins_round_their_bones_are_left_alone(variant: str) -> None:
    assert skin_offset(*demo(variant)) is None


@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=25, deadline=None)
@given(way=st.tuples(*[st.floats(-1.0, 1.0)] * 3), far=st.floats(0.3, 30.0), seed=st.integers(0, 9))
def test_one_translation_is_found_wherever_it_leads(
    variant: str, way: tuple[float, float, float], far: float, seed: int
) -> None:
    skeleton, skin = demo(variant)
    direction = unit(np.array(way)) if np.linalg.norm(way) > 0.1 else np.array([0.0, 0.0, 1.0])
    # The whole scene turned, as nothing may depend on the world's axes.
    turn = matrix_from_quaternion(unit(np.random.default_rng(seed).normal(size=4)))
    skeleton = replace(skeleton, heads=skeleton.heads @ turn.T, tails=skeleton.tails @ turn.T)
    found = skin_offset(skeleton, moved(skin, far * direction, turn))
    assert found is not None
    assert np.linalg.norm(found - far * direction) < 4e-3, "nearer than the bones' own scatter in their flesh"


@pytest.mark.parametrize("offset", [(0.035, 0.0, 0.0), (0.0, -0.03, 0.0), (0.02, 0.02, 0.02)])
def test_a_few_centimetres_are_noticed_on_fingers(offset: tuple[float, float, float]) -> None:
    skeleton, skin = demo()
    found = skin_offset(skeleton, moved(skin, np.array(offset)))
    assert found is not None
    assert np.linalg.norm(found - offset) < 4e-3


@pytest.mark.parametrize("size", [1e-2, 1.0, 100.0])
def test_size_makes_no_difference(size: float) -> None:
    skeleton, skin = demo()
    big = replace(skeleton, heads=size * skeleton.heads, tails=size * skeleton.tails)
    offset = size * np.array([0.0, 0.0, 0.8])
    found = skin_offset(big, moved(skin, offset, scale=size))
    assert found is not None
    assert np.linalg.norm(found - offset) < 4e-3 * size
    assert skin_offset(big, moved(skin, np.zeros(3), scale=size)) is None


def test_what_is_smaller_than_the_scatter_counts_as_nothing() -> None:
    found = skin_offset(demo("cartoon")[0], moved(demo("cartoon")[1], np.array([0.0, 0.0, 0.8])))
    assert found is not None
    assert found[:2].tolist() == [0.0, 0.0], "put up and nowhere else"


@pytest.mark.parametrize(
    "wrong",
    [
        lambda skin: moved(skin, np.zeros(3), scale=100.0),
        lambda skin: moved(skin, np.zeros(3), matrix_from_axis_angle(np.array([1.0, 0.0, 0.0]), np.pi / 2.0)),
        lambda skin: moved(skin, np.array([0.0, 0.0, 0.8]), scale=2.0),
        lambda skin: moved(
            skin, np.array([0.0, 0.0, 0.8]), matrix_from_axis_angle(np.array([0.0, 1.0, 0.0]), np.pi / 2.0)
        ),
    ],
    ids=["another size", "turned", "moved and of another size", "moved and turned"],
)
def test_skins_that_are_wrong_otherwise_are_not_aligned(wrong: object) -> None:
    skeleton, skin = demo()
    assert skin_offset(skeleton, wrong(skin)) is None  # type: ignore[operator]


def test_half_a_skin_beside_its_bones_is_not_aligned() -> None:
    skeleton, skin = demo()
    names = np.array(skeleton.names)[skin.bones[:, 0]]
    away = np.array(["index" in name or "middle" in name or "ring" in name for name in names])
    shifted = skin.points + np.where(away[:, None], np.array([0.0, 0.5, 0.0]), 0.0)
    assert skin_offset(skeleton, replace(skin, points=shifted)) is None


def test_a_prop_on_one_bone_and_loose_clothes_do_not_matter() -> None:
    skeleton, skin = demo()
    rng = np.random.default_rng(0)
    hand = skeleton.index("hand.R")
    sword = np.array([0.0, -0.05, 0.05]) + rng.uniform(-1.0, 1.0, (3000, 1)) * np.array([1.0, 0.0, 0.0])
    sleeve = skin.points + rng.normal(scale=0.02, size=skin.points.shape)
    only = np.zeros((len(sword), skin.bones.shape[1]))
    only[:, 0] = 1.0
    dressed = RestSkin(
        points=np.concatenate([skin.points, sword, sleeve]),
        bones=np.concatenate([skin.bones, np.full((len(sword), skin.bones.shape[1]), hand), skin.bones]),
        weights=np.concatenate([skin.weights, only, skin.weights]),
    )
    assert skin_offset(skeleton, dressed) is None
    found = skin_offset(skeleton, moved(dressed, np.array([0.0, 0.8, 0.0])))
    assert found is not None
    assert abs(found[1] - 0.8) < 4e-3


def test_tails_that_point_anywhere_do_not_matter() -> None:
    skeleton, skin = demo()
    lost = replace(skeleton, tails=skeleton.heads + np.random.default_rng(0).normal(size=skeleton.heads.shape))
    assert skin_offset(lost, skin) is None


def test_bones_that_lead_nowhere_tell_nothing() -> None:
    skeleton, hand = make_hand(HandShape(flat=True))
    bones = [name for finger in hand.fingers for name in finger.chain]
    skin = tube_skin(skeleton, bones)
    assert skin_offset(skeleton, skin) is None
    assert skin_offset(skeleton, moved(skin, np.array([0.0, 0.8, 0.0]))) is None
    assert skin_offset(skeleton, tube_skin(skeleton, bones[:3])) is None


@pytest.mark.parametrize(("metres", "text"), [(0.0304, "30 mm"), (0.8157, "82 cm"), (2.5, "2.50 m")])
def test_distances_are_told_as_people_do(metres: float, text: str) -> None:
    assert off_by(np.array([0.0, -metres, 0.0])) == text
