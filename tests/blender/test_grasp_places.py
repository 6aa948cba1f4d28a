# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What brings hand and prop together: the arm, the prop or nothing; and what cannot be done that way."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from addon.core.errors import PrehendError
from addon.rig.placement import read_arm
from addon.services.grasp_records import load_candidates
from addon.services.grasping import GraspRequest, GraspSearch, apply_record, grasp
from addon.services.surfaces import surface_of
from tests.blender.arm_rigs import FORE, UPPER, add_arm_hand, add_prop
from tests.blender.closing_scenes import everything

NEAR_HAND = (0.03, 0.0, 0.05)
"""In reach of the arm."""
FAR = (0.0, 4.0, 0.0)


def _take(armature: Any, hand: Any, prop: Any, place: str, **wishes: Any) -> tuple[Any, GraspSearch]:
    request = GraspRequest(attempts=wishes.pop("attempts", 1), place=place, **wishes)
    return grasp(armature, hand, prop, request, view_layer=bpy.context.view_layer)


def _matrix(obj: Any) -> list[list[float]]:
    return [list(row) for row in obj.matrix_world]


def test_an_arm_takes_a_prop_where_it_stands_with_its_forearm_outside() -> None:
    armature, hand = add_arm_hand()
    prop = add_prop("ball", NEAR_HAND)
    before = _matrix(armature), _matrix(prop)
    report, search = _take(armature, hand, prop, "arm", attempts=2)
    assert search.place.words == "the arm"
    assert (_matrix(armature), _matrix(prop)) == before, "neither the character nor the prop was moved"
    assert sum(finger.touching for finger in report.fingers) >= 3
    assert report.deepest_mm <= 0.5
    wanted = search.surface.T_world_frame @ np.vstack([search.candidates[0].wrist, [0.0, 0.0, 0.0, 1.0]])
    np.testing.assert_allclose(search.hand_frame(), wanted, atol=1.1e-3)
    assert search.place.arm is not None
    np.testing.assert_allclose(search.place.arm.lengths, [UPPER, FORE], atol=1e-6)
    # The forearm's middle line, bent or not, keeps its radius off the prop.
    elbow = read_arm(armature, _arm(search)).elbow
    wrist = search.hand_frame()[:3, 3]
    line = wrist + np.linspace(0.3, 1.0, 15)[:, None] * (elbow - wrist)
    assert surface_of(prop, bpy.context.view_layer.depsgraph).exact_distance(line).min() > 0.025


def _arm(search: GraspSearch) -> Any:
    from addon.hands.arm import find_arm
    from addon.rig.skeletons import read_skeleton

    return find_arm(read_skeleton(search.armature), search.model)


def test_a_prop_out_of_the_arms_reach_is_told_and_nothing_changes() -> None:
    armature, hand = add_arm_hand()
    prop = add_prop("ball", FAR)
    before = everything()
    with pytest.raises(PrehendError, match=r"reaches no grasp of 'Ball'.*cm away"):
        _take(armature, hand, prop, "arm")
    assert everything() == before


@pytest.mark.parametrize(("at", "moves"), [(NEAR_HAND, "arm"), (FAR, "prop")], ids=["near", "far"])
def test_in_a_scene_an_arm_reaches_for_what_is_near_and_what_is_far_comes(at: Any, moves: str) -> None:
    armature, hand = add_arm_hand()
    prop = add_prop("ball", at)
    before = _matrix(prop)
    report, search = _take(armature, hand, prop, "near")
    assert search.place.kind == moves
    assert (_matrix(prop) == before) == (moves == "arm")
    assert any("does not reach" in note for note in report.notes) == (moves == "prop")


def test_by_itself_a_character_has_the_prop_come() -> None:
    armature, hand = add_arm_hand()
    prop = add_prop("ball", NEAR_HAND)
    assert _take(armature, hand, prop, "auto")[1].place.kind == "prop"


def test_a_hand_that_stays_closes_by_the_best_movement_where_it_is() -> None:
    armature, hand = add_arm_hand()
    prop = add_prop("ball", FAR)
    # First have the hand and the ball together, then open it: that is where it stays.
    _, search = _take(armature, hand, prop, "prop")
    from addon.services.closing import CloseRequest, open_hand

    open_hand(armature, hand, CloseRequest(search.records()[0].movement), view_layer=bpy.context.view_layer)
    frame, place = search.hand_frame(), _matrix(prop)
    report, fixed = _take(armature, hand, prop, "fixed")
    assert fixed.place.kind == "fixed"
    assert sum(finger.touching for finger in report.fingers) >= 3
    np.testing.assert_array_equal(fixed.hand_frame(), frame)
    assert _matrix(prop) == place
    assert len({record.movement for record in fixed.records()}) == len(fixed.records()), "each movement once"


def test_a_hand_that_stays_away_holds_nothing() -> None:
    armature, hand = add_arm_hand()
    prop = add_prop("ball", FAR)
    before = everything()
    with pytest.raises(PrehendError, match="Where the hand is it cannot hold 'Ball'"):
        _take(armature, hand, prop, "fixed")
    assert everything() == before


def test_a_prop_that_hangs_on_the_armature_comes_and_is_not_chased() -> None:
    armature, hand = add_arm_hand()
    prop = add_prop("ball", (0.3, 0.0, 0.0))
    prop.parent, prop.parent_type, prop.parent_bone = armature, "BONE", hand.wrist
    bpy.context.view_layer.update()
    before = everything()
    for place in ("hand", "arm"):
        with pytest.raises(PrehendError, match=r"hangs on .* and would go along"):
            _take(armature, hand, prop, place)
    assert everything() == before
    assert _take(armature, hand, prop, "auto")[1].place.kind == "prop"


def test_a_prop_that_is_held_by_a_constraint_is_told() -> None:
    armature, hand = add_arm_hand()
    prop = add_prop("ball", FAR)
    constraint = prop.constraints.new("COPY_LOCATION")
    constraint.target = bpy.data.objects.new("Nail", None)
    bpy.context.scene.collection.objects.link(constraint.target)
    constraint.target.location = FAR
    bpy.context.view_layer.update()
    before = everything()
    with pytest.raises(PrehendError, match="'Ball' does not move as asked: mute its constraints"):
        _take(armature, hand, prop, "prop")
    assert everything() == before


def test_grasps_that_put_the_forearm_through_something_are_not_offered() -> None:
    armature, hand = add_arm_hand()
    prop = add_prop("ball", NEAR_HAND)
    layer = bpy.context.view_layer
    free = GraspSearch(armature, hand, prop, GraspRequest(attempts=1, place="arm"), view_layer=layer)
    for _ in free.run():
        pass
    wrist = free.candidates[0].wrist
    T_world_hand = free.surface.T_world_frame @ np.vstack([wrist, [0.0, 0.0, 0.0, 1.0]])
    assert free.place.find_elbow is not None
    elbow = free.place.find_elbow(T_world_hand)
    assert elbow is not None
    assert free.reacher.accepts(wrist)
    # A post that only the forearm goes through.
    bpy.ops.mesh.primitive_cube_add(size=0.02, location=(0.35 * T_world_hand[:3, 3] + 0.65 * elbow).tolist())
    post = bpy.context.object
    layer.update()
    request = GraspRequest(attempts=1, place="arm")
    blocked = GraspSearch(armature, hand, prop, request, view_layer=layer, obstacles=[post])
    assert not blocked.reacher.accepts(wrist)
    before = everything()
    for _ in blocked.run():
        assert everything() == before
    line = np.linspace(0.3, 1.0, 30)[:, None]
    for candidate in blocked.candidates:
        frame = free.surface.T_world_frame @ np.vstack([candidate.wrist, [0.0, 0.0, 0.0, 1.0]])
        bend = free.place.find_elbow(frame)
        assert bend is not None
        points = frame[:3, 3] + line * (bend - frame[:3, 3])
        assert surface_of(post, layer.depsgraph).exact_distance(points).min() > 0.02


def test_kept_grasps_are_taken_by_arms_and_refused_out_of_reach() -> None:
    armature, hand = add_arm_hand()
    prop = add_prop("ball", NEAR_HAND)
    _take(armature, hand, prop, "arm", attempts=2)
    record = load_candidates(prop)[0][0]
    other, its_hand = add_arm_hand(at=(0.0, 0.005, 0.0))
    layer = bpy.context.view_layer
    report = apply_record(other, its_hand, prop, record, view_layer=layer, place="arm")
    assert sum(finger.touching for finger in report.fingers) >= 3
    other.matrix_world = Matrix.Translation((3.0, 0.0, 0.0))
    layer.update()
    before = everything()
    with pytest.raises(PrehendError, match="does not get its hand to this grasp"):
        apply_record(other, its_hand, prop, record, view_layer=layer, place="arm")
    assert everything() == before
