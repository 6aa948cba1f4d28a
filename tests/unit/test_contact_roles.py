# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which region of a bone's skin touches, and what movements ask for on hands of any kind."""

from __future__ import annotations

import numpy as np
import pytest

from addon.core.arrays import FloatArray
from addon.core.articulation import JointFrames, joint_frames
from addon.core.contact_faces import match_looks
from addon.core.contact_regions import REGIONS, TOUCHING, Patches, match_regions, region_of, region_values
from addon.hands.build import build_model
from addon.hands.contact_roles import bone_axes, face_wishes, region_wishes, wanted_touches
from addon.hands.model import HandModel
from addon.hands.posture import HandPose
from addon.presets.limits import load_limits
from addon.presets.movements import Movement, load_movements
from addon.solvers.closing import Distance
from addon.solvers.contact_patches import measure_patches
from tests.unit.closing_hands import RADIUS, demo_model, demo_skin, one_finger
from tests.unit.model_hands import HandShape, make_gripper, make_model

LOOKS = {"palmar": (0.0, -1.0, 0.0), "side": (1.0, 0.0, 0.0), "outer": (-1.0, 0.0, 0.0), "back": (0.0, 1.0, 0.0)}


def about(degrees: float, *, end: float = 0.0) -> FloatArray:
    """A direction off a right hand's bone, so far from palmar towards the thumb, and so far towards the bone's end."""
    round_, up = np.radians(degrees), np.radians(end)
    return np.array([np.sin(round_) * np.cos(up), -np.cos(round_) * np.cos(up), np.sin(up)])


@pytest.mark.parametrize(
    ("degrees", "region"),
    [(0, "palmar"), (59, "palmar"), (-59, "palmar"), (61, "side"), (-61, "outer"), (134, "side"), (136, "back")],
)
def test_regions_meet_where_they_are_said_to(degrees: float, region: str) -> None:
    assert region_of(about(degrees), 1.0) == region
    # A left hand is the mirror image.
    assert region_of(about(-degrees), -1.0) == region


def test_a_bones_end_is_neither_its_pad_nor_its_side() -> None:
    assert region_of(about(0.0, end=59.0), 1.0) == "palmar"
    assert region_of(about(0.0, end=61.0), 1.0) == "end"
    assert region_of(about(90.0, end=46.0), 1.0) == "end"


def pressing(model: HandModel, contacts: dict[tuple[str, int], tuple[FloatArray, float]]) -> Patches:
    """Where bones press: far away but for the contacts, by finger and place: a direction and a share along the bone."""
    m = len(model.names)
    directions, shares = np.tile([0.0, 1.0, 0.0], (1, m + 1, 1)), np.zeros((1, m + 1))
    gaps = np.full((1, m + 1), 0.05)
    for (finger, place), (look, share) in contacts.items():
        joint = model.joints(finger)[place]
        directions[0, joint], shares[0, joint], gaps[0, joint] = look, share, 0.0
    return Patches(directions, shares, gaps)


PAD = (about(0.0), 0.6)


@pytest.mark.parametrize(
    ("look", "meets"), [(about(90.0), True), (about(65.0), True), (about(55.0), False), (about(-90.0), False)]
)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_lateral_grasp_has_to_end_on_the_index_fingers_side(look: FloatArray, meets: bool, place: int) -> None:
    model = make_model(HandShape())
    patches = pressing(model, {("thumb", -1): PAD, ("index", place): (look, 0.5)})
    thumb, index = match_regions(region_wishes(model, load_movements()["lateral"]), patches)[0]
    assert thumb == 1.0
    assert (index > 0.5) == meets


@pytest.mark.parametrize(
    ("place", "look", "share", "meets"),
    [
        (-1, about(0.0), 0.6, True),
        (-1, about(50.0), 0.6, True),
        (-1, about(70.0), 0.6, False),
        (-1, about(180.0), 0.6, False),
        (-1, about(0.0), 0.2, False),
        (0, about(0.0), 0.6, False),
    ],
)
def test_a_pinch_has_to_end_on_pads(place: int, look: FloatArray, share: float, meets: bool) -> None:
    model = make_model(HandShape())
    patches = pressing(model, {("thumb", -1): PAD, ("index", place): (look, share)})
    match = match_regions(region_wishes(model, load_movements()["palmar_pinch"]), patches)[0]
    assert (match[1] > 0.5) == meets


@pytest.mark.parametrize(("share", "end", "meets"), [(0.9, 0.0, True), (1.0, 80.0, True), (0.5, 0.0, False)])
def test_a_tip_pinch_has_to_end_on_tips(share: float, end: float, meets: bool) -> None:
    model = make_model(HandShape())
    tip = (about(0.0, end=end), share)
    match = match_regions(
        region_wishes(model, load_movements()["tip_pinch"]), pressing(model, {("thumb", -1): tip, ("index", -1): tip})
    )[0]
    assert ((match > 0.5) == meets).all()


def test_what_does_not_touch_is_never_met_and_nearer_counts_more() -> None:
    model = make_model(HandShape())
    wishes = region_wishes(model, load_movements()["palmar_pinch"])
    patches = pressing(model, {("thumb", -1): PAD, ("index", -1): PAD})
    gaps = np.array([TOUCHING - 1e-6, TOUCHING + 1e-6, 2 * TOUCHING])
    many = Patches(
        np.repeat(patches.directions, 3, axis=0),
        np.repeat(patches.shares, 3, axis=0),
        np.where(patches.gaps < 0.01, gaps[:, None], patches.gaps),
    )
    found = match_regions(wishes, many, reach=1e-3)[:, 1]
    assert found[0] == 1.0
    assert 0.5 > found[1] > found[2] > 0.0


@pytest.mark.parametrize("side", ["L", "R"])
def test_where_a_finger_presses_is_measured_on_its_skin(side: str) -> None:
    """A wall that comes from a known direction meets each finger's last bone there, and about its middle."""
    model = demo_model(side=side)
    sign = -1.0 if side == "L" else 1.0
    pose = HandPose(angles=model.rest_angles, T_world_hand=np.eye(4))
    frames = joint_frames_of(model, pose)
    for finger in ("index", "middle", "ring", "pinky"):
        joint = model.joints(finger)[-1]
        turn, origin = frames.rotations[joint], frames.origins[joint]
        for name in ("palmar", "side", "outer"):
            look = turn @ (np.array(LOOKS[name]) * (sign, 1.0, 1.0))
            found = patches_at(model, pose, wall_of(look, origin, model, joint))
            assert region_of(found.directions[0, joint], sign) == name
            assert -0.2 < found.shares[0, joint] < 1.3
            assert abs(found.gaps[0, joint]) < 1e-3


def joint_frames_of(model: HandModel, pose: HandPose) -> JointFrames:
    return joint_frames(model.articulation, pose.angles)


def wall_of(look: FloatArray, origin: FloatArray, model: HandModel, joint: int) -> Distance:
    """A wall square to a direction that just touches the skin of one bone."""
    skin = demo_skin(side=model.side)  # type: ignore[arg-type]
    mine = skin.fine.probes.owners == joint
    reach = float(((skin.fine.probes.points[mine] - origin) @ look).max())
    return lambda points: reach - (points - origin) @ look


def patches_at(model: HandModel, pose: HandPose, distance: Distance) -> Patches:
    skin = demo_skin(side=model.side)  # type: ignore[arg-type]
    return measure_patches(
        skin.fine,
        pose.angles[None],
        pose.T_world_hand[None, :3],
        distance,
        axes=bone_axes(model),
        within=2e-3,
        normals=np.zeros_like,
    )


@pytest.mark.parametrize(("look", "region"), [((0.0, -1.0, 0.0), "palmar"), ((1.0, 0.0, 0.0), "side")])
def test_hands_without_skin_touch_with_the_side_that_looks_to_the_object(
    look: tuple[float, float, float], region: str
) -> None:
    skin = one_finger(0.04, 0.03)
    axes = np.zeros((3, 2, 3))
    axes[:2, 1, 2] = 0.04, 0.03
    way = np.array(look)
    wall: Distance = lambda points: RADIUS - points @ way  # noqa: E731 (a surface in one line)
    found = measure_patches(
        skin.fine,
        np.zeros((1, 2, 3)),
        np.eye(3, 4)[None],
        wall,
        axes=axes,
        within=2e-3,
        normals=lambda points: np.tile(-way, (len(points), 1)),
    )
    assert [region_of(each, 1.0) for each in found.directions[0, :2]] == [region, region]
    assert np.allclose(found.gaps[0, :2], 0.0, atol=1e-9)


def test_the_search_tells_faces_by_the_objects_direction() -> None:
    model = make_model(HandShape())
    wishes = face_wishes(model, load_movements()["palmar_pinch"])
    gaps = np.full((2, len(model.names) + 1), 0.05)
    looks = np.zeros((*gaps.shape, 3))
    for finger in ("thumb", "index"):
        joint = model.joints(finger)[-1]
        gaps[:, joint] = 0.0
        looks[0, joint], looks[1, joint] = LOOKS["palmar"], LOOKS["back"]
    assert np.allclose(match_looks(wishes, looks, gaps, touching=1e-3), [[1.0, 1.0], [0.0, 0.0]])


def test_every_direction_is_of_one_region() -> None:
    rng = np.random.default_rng(3)
    many = rng.normal(size=(500, 3))
    values = np.sort(region_values(many, 1.0), axis=1)
    assert (values[:, -1] > values[:, -2]).all()
    assert {region_of(each, 1.0) for each in many} == set(REGIONS)


@pytest.mark.parametrize("movement", load_movements().values(), ids=lambda each: each.key)
def test_what_a_type_asks_for_follows_the_taxonomy(movement: Movement) -> None:
    """Virtual fingers touch, with pads or sides or against the palm as the opposition says; nothing else is asked."""
    asked = {each.finger: each.face for each in movement.touch}
    second, third = movement.virtual_fingers
    # The stick of a tripod's variation lies on one of the two fingers that support it.
    must = set(second) - ({"ring"} if movement.key == "tripod_variation" else set())
    assert must <= set(asked)
    assert {"thumb", "palm", *second, *third, "index", "middle"} >= set(asked)
    assert "any" not in asked.values()
    if movement.opposition == "palm":
        assert asked.get("palm") == "palmar" or movement.key == "hook"
        assert all(asked[finger] == "palmar" for finger in second)
    elif movement.opposition == "pad":
        assert {asked["thumb"], *(asked[finger] for finger in second)} <= {"pad", "tip"}
    else:
        assert any(asked[finger] in ("side", "outer") for finger in second)


@pytest.mark.parametrize("key", list(load_movements()))
def test_hands_with_fewer_fingers_are_asked_for_what_they_have(key: str) -> None:
    movement = load_movements()[key]
    three = make_model(HandShape(fingers=("thumb", "index", "middle")))
    wanted = wanted_touches(three, movement)
    assert {each.finger for each in wanted} <= {"thumb", "index", "middle", "palm"}
    assert any(each.finger in ("index", "middle") for each in wanted)
    assert face_wishes(three, movement).bones.any(axis=1).all()
    assert region_wishes(three, movement).bones.any(axis=1).all()
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
