# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All types of the grasp taxonomy on their typical objects: what touches, with which face, within limits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy
import numpy as np
import pytest

from addon.core.errors import UnknownChoiceError
from addon.hands.movements import movement_angles
from addon.hands.poses import pose_angles
from addon.hands.posture import clamp
from addon.presets.movements import load_movements
from addon.presets.poses import load_poses
from addon.rig.read import read_pose
from addon.rig.write import write_angles
from addon.services.contact_check import check_touches
from addon.services.demo import HandSpec, Placement, add_demo_hand, add_demo_prop
from addon.services.examples import hold_example
from addon.services.grasping import GraspRequest, grasp
from addon.services.poses import hands_of
from addon.services.posture import model_of
from addon.services.surfaces import surface_of
from addon.shapes.hand import VARIANTS
from tests.blender.test_read_write_rigs import godot_rig, mpfb_rig, rigify_file, rigify_rig

pytestmark = pytest.mark.long

__all__ = ["rigify_file"]  # a fixture that is used by name

KEYS = sorted(load_movements(), key=lambda key: load_movements()[key].number)


def _hand(**spec: Any) -> tuple[Any, Any]:
    made = add_demo_hand(Placement(bpy.context.scene.collection, bpy.context.view_layer), HandSpec(**spec))
    armature = bpy.data.objects[made.armature]
    return armature, hands_of(armature)[0]


def _hold(armature: Any, hand: Any, key: str) -> Any:
    context = bpy.context
    return hold_example(armature, hand, key, collection=context.scene.collection, view_layer=context.view_layer)


FOUR = "index palmar, middle palmar, ring palmar, pinky palmar"
PADS = ("thumb pad", "index pad", "middle pad", "ring pad", "pinky pad")
TOUCHES = {
    1: f"palm palmar, thumb palmar, {FOUR}",
    2: f"palm palmar, {FOUR}",
    3: f"palm palmar, thumb palmar, {FOUR}",
    4: f"palm palmar, thumb palmar, {FOUR}",
    5: f"palm palmar, {FOUR}",
    6: ", ".join(PADS),
    7: ", ".join(PADS[:4]),
    8: ", ".join(PADS[:3]),
    9: ", ".join(PADS[:2]),
    10: f"palm palmar, thumb palmar, {FOUR}",
    11: f"palm palmar, thumb palmar, {FOUR}",
    12: ", ".join(PADS),
    13: ", ".join(PADS),
    14: ", ".join(PADS[:3]),
    15: FOUR,
    16: "thumb pad, index side",
    17: "palm palmar, thumb palmar, index pad, middle palmar, ring palmar, pinky palmar",
    18: ", ".join(PADS[:4]),
    19: ", ".join(PADS),
    20: "thumb pad, index pad, middle side",
    21: "thumb palmar, index pad, middle side",
    22: ", ".join(PADS),
    23: "index outer, middle side",
    24: "thumb tip, index tip",
    25: "thumb palmar, index palmar, middle side",
    26: ", ".join(PADS[:4]),
    27: ", ".join(PADS[:4]),
    28: ", ".join(PADS[:3]),
    29: "thumb pad, index side",
    30: f"palm palmar, {FOUR}",
    31: ", ".join(PADS[:2]),
    32: "thumb palmar, index side",
    33: ", ".join(PADS[:2]),
}
"""What touches in each type, and with which region of its skin; pads and tips are those of a finger's last bone."""


def touches(report: Any, model: Any, text: str) -> bool:
    """Whether a part of the hand, in words, is among the bones that touch."""
    finger, region = text.split()
    found = [each for each in report.touching if each.finger == finger]
    if finger == "palm":
        found += [each for each in report.touching if each.bone.startswith("thumb.metacarpal")]
    if region in ("pad", "tip"):
        last = model.names[model.joints(finger)[-1]]
        found = [each for each in found if each.bone == last and each.share > (0.25 if region == "pad" else 0.7)]
    wanted = {"pad": ("palmar",), "tip": ("palmar", "end")}.get(region, (region,))
    return any(each.region in wanted for each in found)


@pytest.mark.parametrize("key", KEYS)
def test_every_type_holds_its_typical_object_as_it_should(key: str) -> None:
    armature, hand = _hand(side="R")
    report = _hold(armature, hand, key)
    model = model_of(armature, hand, objects=bpy.context.scene.objects)
    wanted = TOUCHES[load_movements()[key].number].split(", ")
    assert [each for each in wanted if not touches(report.touches, model, each)] == []
    assert [f"{each.finger} {each.face}" for each in report.touches.wanted] == wanted
    assert report.touches.missing == ()
    assert report.close.deepest_mm < 0.5
    # Fingers beyond those that the type takes keep out of it: they are as they were when the hand was open.
    angles = read_pose(armature, model).angles
    assert np.abs(clamp(model, angles) - angles).max() < 1e-4
    start = movement_angles(model, load_movements()[key])
    still = ~start.taking_part[model.finger_of]
    assert np.allclose(angles[still], start.start[still], atol=1e-4)


@pytest.mark.parametrize(
    "key", ["light_tool", "lateral", "writing_tripod", "tripod_variation", "lateral_tripod", "ring", "distal_type"]
)
def test_a_left_hand_holds_it_the_same_way(key: str) -> None:
    armature, hand = _hand(side="L")
    assert _hold(armature, hand, key).touches.missing == ()


@pytest.mark.parametrize("prop_of", ["tripod", "lateral"])
def test_what_touches_elsewhere_is_missed(prop_of: str) -> None:
    """A hand on its typical object does not pass for one of another opposition."""
    armature, hand = _hand(side="R")
    report = _hold(armature, hand, prop_of)
    model = model_of(armature, hand, objects=bpy.context.scene.objects)
    surface = surface_of(bpy.data.objects[report.prop], bpy.context.view_layer.depsgraph)
    pose = read_pose(armature, model)
    other = {"tripod": "lateral", "lateral": "palmar_pinch"}[prop_of]
    index = {"tripod": "index side", "lateral": "index pad"}[prop_of]
    assert index in check_touches(model, pose, surface, load_movements()[other]).missing
    away = pose.T_world_hand.copy()
    away[:3, 3] += 0.3
    moved = check_touches(model, type(pose)(angles=pose.angles, T_world_hand=away), surface, load_movements()[prop_of])
    assert moved.touching == ()
    assert len(moved.missing) == len(moved.wanted)


@pytest.mark.parametrize(
    ("key", "prop", "side"),
    [
        ("lateral", "key", "R"),
        ("palmar_pinch", "coin", "R"),
        ("writing_tripod", "pen", "L"),
        ("medium_diameter", "hammer", "R"),
    ],
)
def test_the_search_ends_with_the_opposition_that_the_type_has(key: str, prop: str, side: str) -> None:
    """A lateral grasp on the index finger's side, a pinch on pads, a pen on the middle finger, a wrap on the palm."""
    armature, hand = _hand(side=side)
    context = bpy.context
    obj = bpy.data.objects[add_demo_prop(Placement(context.scene.collection, context.view_layer), prop)]
    context.view_layer.update()
    _, found = grasp(armature, hand, obj, GraspRequest(movement=key), view_layer=context.view_layer)
    surface = surface_of(obj, context.view_layer.depsgraph)
    report = check_touches(found.model, read_pose(armature, found.model), surface, load_movements()[key])
    wanted = TOUCHES[load_movements()[key].number].split(", ")
    assert [each for each in wanted if not touches(report, found.model, each)] == []


def test_objects_grow_with_the_hand() -> None:
    armature, hand = _hand(side="R", scale=2.0)
    report = _hold(armature, hand, "power_sphere")
    assert report.touches.missing == ()
    assert max(bpy.data.objects[report.prop].dimensions) == pytest.approx(0.146, rel=0.02)


def test_a_movement_that_does_not_exist_leaves_nothing_behind() -> None:
    armature, hand = _hand(side="R")
    before = set(bpy.data.objects)
    with pytest.raises(UnknownChoiceError, match="fist_bump"):
        _hold(armature, hand, "fist_bump")
    assert set(bpy.data.objects) == before


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_every_movement_stays_within_the_limits_of_demo_hands(variant: str) -> None:
    armature, hand = _hand(side="R", variant=variant)
    check_limits(armature, hand)


@pytest.mark.parametrize("rig", [godot_rig, mpfb_rig], ids=["godot", "mpfb"])
def test_every_movement_stays_within_the_limits_of_real_hands(rig: Callable[[str], tuple[Any, Any]]) -> None:
    check_limits(*rig("R"))


def test_every_movement_stays_within_the_limits_of_a_generated_rigify_human(rigify_file: str) -> None:
    check_limits(*rigify_rig(rigify_file, "L"))


def check_limits(armature: Any, hand: Any) -> None:
    """All postures on the way are within the joints' ranges, and something moves; written, they are what is read."""
    model = model_of(armature, hand, objects=bpy.context.scene.objects)
    for movement in load_movements().values():
        angles = movement_angles(model, movement)
        for posture in (angles.start, angles.at(0.5), angles.end):
            assert np.array_equal(clamp(model, posture), posture)
        moving = {int(f) for f in model.finger_of[np.abs(angles.end - angles.start).max(axis=1) > 1e-6]}
        assert moving <= set(np.flatnonzero(angles.taking_part).tolist())
        assert moving
    for pose in load_poses().values():
        posture = pose_angles(model, pose)
        assert np.array_equal(clamp(model, posture), posture)
    for posture in (angles.end, pose_angles(model, load_poses()["fist"])):
        write_angles(armature, model, posture, view_layer=bpy.context.view_layer)
        shown = read_pose(armature, model).angles
        # Rigify's deforming bones twist a little by themselves; how far they bend is what was asked for.
        assert np.abs(clamp(model, shown) - shown)[:, 0].max() < 1e-3
