# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Movement files and what they become on hands: open to closed, within limits, the object in between."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from addon.core.handmap import FINGER_NAMES
from addon.hands.build import build_model
from addon.hands.forward import forward
from addon.hands.model import HandModel
from addon.hands.movements import (
    grasp_axis,
    grasp_centre,
    hand_size,
    movement_angles,
    opposition_axis,
)
from addon.hands.posture import clamp, follow, neighbour_excess
from addon.hands.skin_places import pad_points
from addon.presets.limits import load_limits
from addon.presets.movements import REFERENCE_PALM_WIDTH, TYPES, Movement, load_movements, parse_movement
from addon.presets.toml import PresetError
from addon.shapes.hand import HandSpec, build_hand
from addon.shapes.props import PROPS
from tests.unit.hand_motion import demo_map
from tests.unit.model_hands import HandShape, make_gripper, make_model

KEYS = list(load_movements())
PADS = [key for key, each in load_movements().items() if each.centre.place == "pads" and each.opposition == "pad"]
ODD_HANDS = [
    HandShape(side="L", seed=3),
    HandShape(fingers=("thumb", "index", "middle")),
    HandShape(fingers=("thumb", "middle", "ring")),
    HandShape(fingers=("index", "middle", "ring")),
    HandShape(phalanges=2),
    HandShape(metacarpals=True, scale=0.1),
]


@cache
def demo_model(variant: str = "human", side: str = "R", scale: float = 1.0) -> HandModel:
    skeleton = build_hand(HandSpec(variant=variant, side=side, scale=scale)).skeleton  # type: ignore[arg-type]
    return build_model(skeleton, demo_map(skeleton.names, side), load_limits())


def _data(**changes: Any) -> dict[str, Any]:
    data: dict[str, Any] = {
        "schema_version": 1,
        "source": "test",
        "license": "CC0-1.0",
        "title": "X",
        "description": "Y",
        "number": 1,
        "virtual_fingers": {"second": ["index"]},
        "touch": ["palm", "index palmar"],
        "example": {"prop": "ball", "radius_mm": 36.5, "x": [1, 0, 0], "z": [0, 1, 0]},
        "kind": "power",
        "opposition": "palm",
        "thumb": "abducted",
        "fingers": ["index"],
        "object_size_mm": [10, 20],
        "shapes": ["sphere"],
        "axis": "any",
        "grasp_centre": {"place": "palm", "along": 0.9},
        "start": {"thumb": {}, "index": {"flexion_deg": [0, 0, 0]}},
        "end": {"index": {"flexion_deg": [80, 90, 60]}},
    }
    return {**data, **changes}


TEN = (
    *("power_sphere", "large_diameter", "medium_diameter", "small_diameter", "palmar_pinch", "tripod", "lateral"),
    *("hook", "prismatic_four_finger", "precision_disk"),
)
# Feix, Romero, Schmiedmayer, Dollar, Kragic 2016, figure 4: number, name, kind, opposition, thumb, and the fingers (1
# is the thumb) of the second and third virtual finger.
TAXONOMY = """
1 Large Diameter|power palm abducted 2-5
2 Small Diameter|power palm abducted 2-5
3 Medium Wrap|power palm abducted 2-5
4 Adducted Thumb|power palm adducted 2-5 1
5 Light Tool|power palm adducted 2-5 1
6 Prismatic 4 Finger|precision pad abducted 2-5
7 Prismatic 3 Finger|precision pad abducted 2-4
8 Prismatic 2 Finger|precision pad abducted 2-3
9 Palmar Pinch|precision pad abducted 2
10 Power Disk|power palm abducted 2-5
11 Power Sphere|power palm abducted 2-5
12 Precision Disk|precision pad abducted 2-5
13 Precision Sphere|precision pad abducted 2-5
14 Tripod|precision pad abducted 2-3
15 Fixed Hook|power palm adducted 2-5
16 Lateral|intermediate side adducted 2
17 Index Finger Extension|power palm adducted 3-5 2
18 Extension Type|power pad abducted 2-4
19 Distal Type|power pad abducted 2-5
20 Writing Tripod|precision side abducted 3
21 Tripod Variation|intermediate side abducted 3-4
22 Parallel Extension|precision pad adducted 2-5
23 Adduction Grip|intermediate side abducted 2
24 Tip Pinch|precision pad abducted 2
25 Lateral Tripod|intermediate side adducted 3
26 Sphere 4-Finger|power pad abducted 2-4
27 Quadpod|precision pad abducted 2-4
28 Sphere 3-Finger|power pad abducted 2-3
29 Stick|intermediate side adducted 2
30 Palmar|power palm adducted 2-5
31 Ring|power pad abducted 2
32 Ventral|intermediate side adducted 2
33 Inferior Pincer|precision pad abducted 2
"""


def _fingers(span: str) -> tuple[str, ...]:
    first, _, last = span.partition("-")
    return FINGER_NAMES[int(first) - 1 : int(last or first)]


def test_all_types_of_the_taxonomy_are_there_as_it_has_them() -> None:
    by_number = {each.number: each for each in load_movements().values()}
    assert len(by_number) == len(KEYS) == TYPES
    for line in TAXONOMY.strip().splitlines():
        name, _, rest = line.partition("|")
        number, _, title = name.partition(" ")
        kind, opposition, thumb, second, *third = rest.split()
        movement = by_number[int(number)]
        assert (movement.title, movement.kind, movement.opposition, movement.thumb) == (title, kind, opposition, thumb)
        assert movement.virtual_fingers == (_fingers(second), _fingers(third[0]) if third else ())


def test_the_first_ten_keep_their_places_and_alone_are_tried_unasked() -> None:
    """Files keep a movement by its place and grasps by its key; the search's time goes by how many it tries."""
    assert tuple(KEYS[:10]) == TEN
    assert [load_movements()[key].order for key in TEN] == list(range(1, 11))
    assert {key for key in KEYS if load_movements()[key].auto} == set(TEN)
    orders = [each.order for each in load_movements().values()]
    assert len(set(orders)) == len(orders)


@pytest.mark.parametrize("key", KEYS)
def test_what_has_to_touch_takes_part_and_the_example_is_of_a_fitting_size(key: str) -> None:
    movement = load_movements()[key]
    assert movement.touch
    assert {each.finger for each in movement.touch} - {"palm"} <= set(movement.fingers)
    assert movement.example.prop in PROPS
    smallest, largest = movement.object_size
    assert smallest <= 2.0 * movement.example.radius <= largest
    # The opposition that the type is named by is among what has to touch.
    faces = {each.face for each in movement.touch if each.finger != "thumb"}
    assert faces & {"palm": {"palmar"}, "pad": {"pad", "tip"}, "side": {"side", "outer"}}[movement.opposition]


@pytest.mark.parametrize("key", KEYS)
def test_every_movement_is_complete(key: str) -> None:
    movement = load_movements()[key]
    assert tuple(movement.start.fingers) == tuple(movement.end.fingers) == FINGER_NAMES
    assert movement.shapes
    assert not movement.description.endswith(".")
    assert movement.centre.place == "palm" or movement.opposition != "palm"
    for finger in set(FINGER_NAMES) - set(movement.fingers):
        assert movement.end.fingers[finger] == movement.start.fingers[finger]


@pytest.mark.parametrize("key", KEYS)
def test_postures_need_no_clipping_and_keep_to_couplings_and_neighbours(key: str) -> None:
    """Angles go straight from start to end, so what holds at both ends holds on the way."""
    model, movement = demo_model(), load_movements()[key]
    angles = movement_angles(model, movement)
    for posture, pose in ((angles.start, movement.start), (angles.end, movement.end)):
        for finger in FINGER_NAMES:
            assert np.allclose(np.degrees(posture[model.joints(finger), 0]), pose.fingers[finger].flexion_deg)
        assert np.allclose(follow(model, posture), posture, atol=1e-9)
        assert neighbour_excess(model, posture).max() < 1e-9
    turn = angles.end - angles.start
    assert (turn[:, 0] >= 0.0).all()
    moved = {model.fingers[f] for f in set(model.finger_of[np.abs(turn).max(axis=1) > np.radians(5.0)].tolist())}
    assert moved == set(movement.fingers)


@pytest.mark.parametrize("key", PADS)
def test_pads_close_over_all_sizes(key: str) -> None:
    """Open wider than the largest object, closed tighter than the smallest, and never opening on the way."""
    model, movement = demo_model(), load_movements()[key]
    angles = movement_angles(model, movement)
    pads = pad_points(model, forward(model, np.array([angles.at(t) for t in np.linspace(0.0, 1.0, 21)])))
    others = [f for f, name in enumerate(model.fingers) if name in movement.fingers and name != "thumb"]
    apart = pads[:, 0] - pads[:, others].mean(axis=1)
    gaps = np.linalg.norm(apart[:, 1:] if movement.axis == "across" else apart, axis=1)
    smallest, largest = movement.object_size
    assert gaps[0] > largest
    assert gaps[-1] < max(smallest, 0.005)
    closing = gaps[gaps > max(smallest, 0.008)]
    assert (np.diff(closing) < 0.0).all()


@pytest.mark.parametrize("key", PADS)
@pytest.mark.parametrize("share", [0.25, 0.5, 1.0])
def test_the_centre_is_half_way_between_pads_opened_to_the_object(key: str, share: float) -> None:
    model, movement = demo_model(), load_movements()[key]
    radius = 0.5 * (movement.object_size[0] + share * (movement.object_size[1] - movement.object_size[0]))
    centre = grasp_centre(model, movement, radius=radius) - np.array(movement.centre.offset)
    angles = movement_angles(model, movement)
    pads = pad_points(model, forward(model, np.array([angles.at(t) for t in np.linspace(0.0, 1.0, 500)])))
    others = [f for f, name in enumerate(model.fingers) if name in movement.fingers and name != "thumb"]
    kept = slice(1, 3) if movement.axis == "across" else slice(0, 3)
    far = np.maximum(
        np.abs(np.linalg.norm((pads[:, 0] - centre)[:, kept], axis=1) - radius),
        np.abs(np.linalg.norm((pads[:, others].mean(axis=1) - centre)[:, kept], axis=1) - radius),
    )
    assert far.min() < 2e-3


@pytest.mark.parametrize("key", [key for key in KEYS if load_movements()[key].centre.place == "palm"])
def test_palm_centres_stand_a_radius_off_the_palm(key: str) -> None:
    model, movement = demo_model(), load_movements()[key]
    near, far = (grasp_centre(model, movement, radius=radius) for radius in (0.01, 0.03))
    assert np.allclose(far - near, [0.0, -0.02, 0.0])
    skin = grasp_centre(model, movement, radius=0.0)
    assert -0.03 < skin[1] < 0.0
    assert np.isclose(skin[2], movement.centre.along * model.palm_length)


@pytest.mark.parametrize("side", ["L", "R"])
def test_a_ball_lies_on_the_thumbs_side_of_the_palm(side: str) -> None:
    model, movement = demo_model(side=side), load_movements()["power_sphere"]
    towards = np.sign(forward(model, model.rest_angles).tips[0, 0])
    plain = grasp_centre(model, load_movements()["large_diameter"])
    assert np.isclose((grasp_centre(model, movement) - plain)[0] * towards, movement.centre.across * model.palm_width)


def test_the_lateral_centre_lies_beside_the_index_finger() -> None:
    model, movement = demo_model(), load_movements()["lateral"]
    centre = grasp_centre(model, movement, radius=0.002)
    angles = movement_angles(model, movement)
    gaps = []
    for share in np.linspace(0.0, 1.0, 50):
        frames = forward(model, angles.at(float(share)))
        joint = model.joints("index")[1]
        local = (centre - frames.origins[joint]) @ frames.rotations[joint]
        gaps.append((abs(local[0] - 0.0085), local[0], local[2]))
    _, side, along = min(gaps)
    assert 0.0 < side < 0.016
    assert 0.0 < along < model.lengths[model.joints("index")[1]]


@pytest.mark.parametrize("key", KEYS)
def test_left_hands_mirror_right_ones(key: str) -> None:
    movement = load_movements()[key]
    right, left = demo_model(), demo_model(side="L")
    mirrored = grasp_centre(left, movement) * [-1.0, 1.0, 1.0]
    assert np.allclose(grasp_centre(right, movement), mirrored, atol=1e-3)
    assert np.allclose(movement_angles(right, movement).end, movement_angles(left, movement).end)


@pytest.mark.parametrize("key", KEYS)
def test_centres_grow_with_the_hand(key: str) -> None:
    movement = load_movements()[key]
    small, large = demo_model(), demo_model(scale=3.0)
    assert np.isclose(hand_size(large), 3.0 * hand_size(small), rtol=1e-3)
    assert np.allclose(3.0 * grasp_centre(small, movement), grasp_centre(large, movement), atol=1e-3)


def test_the_demo_hand_has_the_reference_size() -> None:
    assert np.isclose(hand_size(demo_model()), REFERENCE_PALM_WIDTH, rtol=0.01)


@pytest.mark.parametrize("shape", ODD_HANDS, ids=str)
@pytest.mark.parametrize("key", KEYS)
def test_every_movement_works_on_odd_hands(shape: HandShape, key: str) -> None:
    model, movement = make_model(shape), load_movements()[key]
    angles = movement_angles(model, movement)
    _assert_closes(model, movement)
    thumbless = "thumb" not in model.fingers
    row = [f for f, name in enumerate(model.fingers) if name != "thumb"]
    assert angles.taking_part[row].sum() >= (2 if thumbless else 1)
    if not thumbless:
        assert angles.taking_part[0] == ("thumb" in movement.fingers)
    centre = grasp_centre(model, movement)
    assert np.isfinite(centre).all()
    assert np.linalg.norm(centre) < 3.0 * model.palm_length


@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("key", KEYS)
def test_grippers_open_wide_and_close_to_their_middle(count: int, key: str) -> None:
    model, movement = build_model(*make_gripper(count), load_limits()), load_movements()[key]
    _assert_closes(model, movement)
    angles = movement_angles(model, movement)
    assert angles.taking_part.all()
    pads = pad_points(model, forward(model, np.array([angles.start, angles.end])))
    spread = np.linalg.norm(pads[..., :2], axis=-1)
    assert np.ptp(spread[0]) < 1e-6
    assert spread[0].min() > 0.03
    assert spread[1].max() < 0.005
    centre = grasp_centre(model, movement, radius=0.02)
    assert np.allclose(centre[:2], 0.0, atol=1e-6)
    assert centre[2] > 0.06


def _assert_closes(model: HandModel, movement: Movement) -> None:
    angles = movement_angles(model, movement)
    assert np.allclose(clamp(model, angles.start), angles.start)
    assert np.allclose(clamp(model, angles.end), angles.end)
    still = ~angles.taking_part[model.finger_of]
    assert np.array_equal(angles.start[still], angles.end[still])
    for f in np.flatnonzero(angles.taking_part):
        joints = model.joints(model.fingers[int(f)])
        assert np.abs(angles.end[joints] - angles.start[joints]).sum() > 0.1


def test_six_fingers_all_take_part_in_a_power_grasp_and_the_extra_one_follows_its_neighbours() -> None:
    model = demo_model("six_finger")
    assert movement_angles(model, load_movements()["power_sphere"]).taking_part.all()
    assert movement_angles(model, load_movements()["hook"]).taking_part.tolist() == [False] + [True] * 5
    assert movement_angles(model, load_movements()["palmar_pinch"]).taking_part.tolist() == [True, True] + [False] * 4


@pytest.mark.parametrize("key", KEYS)
def test_axes_are_unit_vectors_in_the_hand(key: str) -> None:
    model, movement = demo_model(), load_movements()[key]
    assert np.isclose(np.linalg.norm(opposition_axis(model, movement)), 1.0)
    axis = grasp_axis(model, movement)
    assert (axis is None) == (movement.axis == "any")
    if movement.centre.place == "palm":
        assert np.array_equal(opposition_axis(model, movement), model.approach)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"schema_version": 9}, "schema_version 9"),
        ({"colour": 1}, "unknown colour"),
        ({"kind": "strong"}, "kind cannot be 'strong'; choose from power, intermediate, precision"),
        ({"opposition": "tip"}, "opposition cannot be 'tip'"),
        ({"thumb": "up"}, "thumb cannot be 'up'"),
        ({"axis": "up"}, "axis cannot be 'up'"),
        ({"shapes": ["blob"]}, "shapes cannot be 'blob'"),
        ({"object_size_mm": [10]}, "two numbers"),
        ({"object_size_mm": [20, 10]}, "the smallest size and a larger one"),
        ({"object_size_mm": [0, 10]}, "the smallest size and a larger one"),
        ({"grasp_centre": {"place": "back"}}, "place cannot be 'back'"),
        ({"grasp_centre": {"place": "palm"}}, "lacks along"),
        ({"grasp_centre": {"place": "pads", "along": 1}}, "unknown along"),
        ({"grasp_centre": {"place": "palm", "along": "x"}}, "must be numbers"),
        ({"fingers": ["thumb"]}, "take part"),
        ({"start": {"thumb": {}}}, "take part"),
        ({"start": {"index": {"curl": [1]}}}, "unknown curl"),
    ],
)
def test_damaged_movements_are_refused_with_a_reason(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(PresetError, match=words):
        parse_movement("x", _data(**changes))


def test_a_sound_movement_is_read() -> None:
    movement = parse_movement("x", _data())
    assert movement.object_size == (0.01, 0.02)
    assert movement.end.fingers["index"].flexion_deg == (80.0, 90.0, 60.0)
