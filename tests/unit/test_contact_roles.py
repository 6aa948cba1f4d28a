# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which face of a bone touches, and what movements ask for on hands of any kind."""

from __future__ import annotations

import numpy as np
import pytest

from addon.core.articulation import joint_frames
from addon.core.contact_faces import in_bone_frames, match_faces
from addon.core.rotations import matrix_from_axis_angle
from addon.hands.build import build_model
from addon.hands.contact_roles import bone_axes, face_wishes, touched_face, wanted_touches
from addon.hands.model import HandModel
from addon.presets.limits import load_limits
from addon.presets.movements import load_movements
from tests.unit.model_hands import HandShape, make_gripper, make_model

FACES = {"palmar": (0.0, -1.0), "side": (1.0, 0.0), "outer": (-1.0, 0.0), "back": (0.0, 1.0)}


def skin_at(model: HandModel, joint: int, look: tuple[float, float], share: float = 0.6) -> np.ndarray:
    """A point a centimetre off the middle of a bone, in its frame."""
    first, last = bone_axes(model)[joint]
    return first + share * (last - first) + 0.01 * np.array([*look, 0.0])


@pytest.mark.parametrize("side", ["L", "R"])
@pytest.mark.parametrize("face", FACES)
def test_faces_are_told_apart_on_either_side(side: str, face: str) -> None:
    model = make_model(HandShape(side=side))
    x, y = FACES[face]
    for joint in model.joints("index"):
        assert touched_face(model, joint, skin_at(model, joint, (x if side == "R" else -x, y))) == face


def touching_points(model: HandModel, contacts: dict[tuple[str, int], tuple[float, float]]) -> tuple[np.ndarray, ...]:
    """Nearest points (1, m + 1, 3) in the bones' frames and gaps (1, m + 1): far for all but the contacts."""
    points = np.zeros((1, len(model.names) + 1, 3))
    gaps = np.full(points.shape[:2], 0.05)
    for (finger, place), look in contacts.items():
        joint = model.joints(finger)[place]
        points[0, joint], gaps[0, joint] = skin_at(model, joint, look), 0.0
    return points, gaps


@pytest.mark.parametrize(
    ("look", "meets"), [((1.0, 0.0), True), ((0.9, -0.4), True), ((0.0, -1.0), False), ((-1.0, 0.0), False)]
)
def test_a_lateral_grasp_has_to_end_on_the_index_fingers_side(look: tuple[float, float], meets: bool) -> None:
    model = make_model(HandShape())
    wishes = face_wishes(model, load_movements()["lateral"])
    points, gaps = touching_points(model, {("thumb", -1): (0.0, -1.0), ("index", 1): look})
    thumb, index = match_faces(wishes, points, gaps, touching=5e-4)[0]
    assert thumb == 1.0
    assert (index > 0.5) == meets


@pytest.mark.parametrize(
    ("place", "look", "meets"),
    [(-1, (0.0, -1.0), True), (-1, (0.5, -0.8), True), (-1, (0.0, 1.0), False), (0, (0.0, -1.0), False)],
)
def test_a_pinch_has_to_end_on_pads(place: int, look: tuple[float, float], meets: bool) -> None:
    model = make_model(HandShape())
    points, gaps = touching_points(model, {("thumb", -1): (0.0, -1.0), ("index", place): look})
    match = match_faces(face_wishes(model, load_movements()["palmar_pinch"]), points, gaps, touching=5e-4)[0]
    assert (match[1] > 0.5) == meets


def test_farther_skin_counts_less_and_many_postures_count_one_by_one() -> None:
    model = make_model(HandShape())
    wishes = face_wishes(model, load_movements()["palmar_pinch"])
    points, gaps = touching_points(model, {("thumb", -1): (0.0, -1.0), ("index", -1): (0.0, -1.0)})
    lifts = np.array([0.0, 1e-3, 4e-3])
    found = match_faces(wishes, np.repeat(points, 3, axis=0), gaps + lifts[:, None], touching=0.0, reach=2e-3)
    assert np.allclose(found, np.exp(-lifts / 2e-3)[:, None])


def test_world_points_come_back_into_the_bones_they_were_made_in() -> None:
    model = make_model(HandShape(side="L", seed=2))
    rng = np.random.default_rng(1)
    angles = rng.uniform(0.0, 0.6, size=(4, *model.rest_angles.shape))
    frames = joint_frames(model.articulation, angles)
    local = rng.normal(scale=0.02, size=(4, len(model.names) + 1, 3))
    turns = np.array([matrix_from_axis_angle(np.array([0.6, 0.0, 0.8]), a) for a in (0.1, 1.0, 2.0, 3.0)])
    wrists = np.concatenate([turns, rng.normal(size=(4, 3, 1))], axis=2)
    in_hand = local.copy()
    in_hand[:, :-1] = np.einsum("amij,amj->ami", frames.rotations, local[:, :-1]) + frames.origins
    world = np.einsum("aij,amj->ami", turns, in_hand) + wrists[:, None, :, 3]
    assert np.allclose(in_bone_frames(frames, wrists, world), local)


@pytest.mark.parametrize("key", list(load_movements()))
def test_hands_with_fewer_fingers_are_asked_for_what_they_have(key: str) -> None:
    movement = load_movements()[key]
    three = make_model(HandShape(fingers=("thumb", "index", "middle")))
    wanted = wanted_touches(three, movement)
    assert {each.finger for each in wanted} <= {"thumb", "index", "middle", "palm"}
    assert any(each.finger in ("index", "middle") for each in wanted)
    assert face_wishes(three, movement).bones.any(axis=1).all()
    gripper = build_model(*make_gripper(3), load_limits())
    assert {each.face for each in wanted_touches(gripper, movement)} == {"any"}
    assert len(wanted_touches(gripper, movement)) == 3


def test_a_tripod_stays_one_on_three_fingers() -> None:
    three = make_model(HandShape(fingers=("thumb", "index", "middle")))
    tripod = load_movements()["tripod"]
    assert wanted_touches(three, tripod) == tripod.touch


def test_the_fingers_that_stand_in_are_asked_where_the_named_ones_are_missing() -> None:
    model = make_model(HandShape(fingers=("thumb", "middle", "ring")))
    wanted = wanted_touches(model, load_movements()["palmar_pinch"])
    assert [(each.finger, each.face) for each in wanted][1:] == [("middle", "pad"), ("ring", "pad")]
