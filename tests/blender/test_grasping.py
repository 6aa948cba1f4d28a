# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Grasps in Blender: found, taken, kept with the prop, given to other hands, and refused in a sentence."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import bpy
import numpy as np
import pytest

from addon.core.errors import PrehendError
from addon.rig.shown_skin import shown_vertices
from addon.services.demo import HandSpec, Placement, add_demo_hand, add_demo_prop
from addon.services.grasp_places import ARM, FIXED
from addon.services.grasp_problem import GraspProblem, tries_of
from addon.services.grasp_records import GRASPS_KEY, load_candidates
from addon.services.grasp_setup import set_up
from addon.services.grasping import GraspRequest, GraspSearch, apply_record, grasp
from addon.services.poses import hands_of
from addon.services.surfaces import surface_of
from addon.solvers.search import HookSearch
from tests.blender.model_rigs import deform_state


def _scene(prop: str = "ball", *, side: str = "R", variant: str = "human") -> tuple[Any, Any, Any]:
    scene, layer = bpy.context.scene, bpy.context.view_layer
    made = add_demo_hand(Placement(scene.collection, layer), HandSpec(side=side, variant=variant))
    held = bpy.data.objects[add_demo_prop(Placement(scene.collection, layer, (0.4, 0.1, 0.02)), prop)]
    layer.update()
    return bpy.data.objects[made.armature], bpy.data.objects[made.mesh], held


def _deepest_mm(skin: Any, prop: Any) -> float:
    graph = bpy.context.view_layer.depsgraph
    points = shown_vertices([skin], graph, centre=np.array(prop.location), radius=5.0)
    return -1e3 * float(surface_of(prop, graph).exact_distance(points).min())


def _state(*objects: Any) -> list[Any]:
    return [
        ([tuple(row) for row in obj.matrix_world], deform_state(obj) if obj.type == "ARMATURE" else None)
        for obj in objects
    ]


@pytest.mark.long
@pytest.mark.parametrize("variant", ["human", "cartoon", "six_finger", "gripper_2", "gripper_3"])
def test_every_demo_hand_takes_a_ball(variant: str) -> None:
    armature, skin, prop = _scene(variant=variant)
    before = _state(prop)
    report, _ = grasp(
        armature, hands_of(armature)[0], prop, GraspRequest(attempts=2), view_layer=bpy.context.view_layer
    )
    assert sum(finger.touching for finger in report.fingers) >= 2
    assert _deepest_mm(skin, prop) <= 0.5
    assert _state(prop) == before, "a hand without an arm goes to the prop"


@pytest.mark.long
def test_a_pen_is_held_across_by_a_tripod() -> None:
    armature, _, prop = _scene("pen")
    request = GraspRequest(movement="tripod", attempts=1)
    search = GraspSearch(armature, hands_of(armature)[0], prop, request, view_layer=bpy.context.view_layer)
    bars = [each for each in search.problem.problem.attempts if each.hook_axis is not None]
    assert bars
    for attempt in bars:
        assert attempt.hand_axis is not None
        assert float(attempt.hand_axis @ attempt.press_axis) == pytest.approx(0.0, abs=1e-9)
    _, found = grasp(armature, hands_of(armature)[0], prop, request, view_layer=bpy.context.view_layer)
    assert found.candidates[0].terms["opposition"] > 0.5


def _assert_same_tries(one: GraspProblem, other: GraspProblem, count: int) -> None:
    """The first so many attempts and all that is told of them are the same, to the bit."""
    for name in ("movements", "reasons", "preshapes"):
        assert getattr(one, name)[:count] == getattr(other, name)[:count]
    for mine, theirs in zip(one.problem.attempts[:count], other.problem.attempts[:count], strict=True):
        for name in ("label", "prior", "palm", "side", "hook_length"):
            assert getattr(mine, name) == getattr(theirs, name)
        for name in ("hook", "start", "end", "fingers", "centre", "hand_axis", "press_axis", "behind"):
            np.testing.assert_array_equal(getattr(mine, name), getattr(theirs, name))
        np.testing.assert_array_equal(mine.faces.bones, theirs.faces.bones)


@pytest.mark.parametrize("pairs", [1, 2, 4])
def test_what_is_prepared_is_what_will_be_tried_and_begins_like_all_that_could_be(pairs: int) -> None:
    armature, _, prop = _scene("mug")
    hand, layer = hands_of(armature)[0], bpy.context.view_layer
    few, many = (
        GraspSearch(armature, hand, prop, GraspRequest(attempts=count), view_layer=layer) for count in (pairs, 1000)
    )
    attempts = few.problem.problem.attempts
    assert len(attempts) == tries_of(many.problem.problem.attempts, pairs) < len(many.problem.problem.attempts)
    assert len({attempt.label for attempt in attempts}) == pairs
    assert few.problem.preshapes[0] is not None, "a mug's handle is threaded in two ways, and closed round"
    assert len(few.problem.movements) == len(few.problem.reasons) == len(few.problem.preshapes) == len(attempts)
    _assert_same_tries(few.problem, many.problem, len(attempts))


def test_all_is_prepared_where_all_may_be_tried_or_chosen_from() -> None:
    armature, _, prop = _scene("mug")
    hand, layer = hands_of(armature)[0], bpy.context.view_layer
    whole = GraspSearch(armature, hand, prop, GraspRequest(attempts=1000), view_layer=layer)
    count = len(whole.problem.problem.attempts)
    for request, kind in (
        (GraspRequest(attempts=1), ARM),
        (GraspRequest(attempts=1), FIXED),
        (GraspRequest(attempts=1, published=HookSearch()), whole.place.kind),
    ):
        place = replace(whole.place, kind=kind)
        found, _ = set_up(whole.model, whole.surface, whole.placed.triangles, request, place)
        assert len(found.problem.attempts) == count
        _assert_same_tries(found, whole.problem, count)
    # Every place can be chosen, the least promising as well.
    last = whole.problem.hooks[-1].point
    point = tuple((whole.surface.T_world_frame @ np.array([*last, 1.0]))[:3].tolist())
    request = GraspRequest(attempts=1, only=(point,))
    only = GraspSearch(armature, hand, prop, request, view_layer=layer).problem
    mine = [each for each in whole.problem.problem.attempts if each.label[1] == len(whole.problem.hooks) - 1]
    assert [each.label for each in only.problem.attempts] == [each.label for each in mine] != []


def test_the_same_seed_finds_the_same_grasp() -> None:
    found = []
    for _ in range(2):
        bpy.ops.wm.read_homefile(use_empty=True)
        armature, _, prop = _scene()
        grasp(
            armature, hands_of(armature)[0], prop, GraspRequest(attempts=1, seed=3), view_layer=bpy.context.view_layer
        )
        found.append(_state(armature))
    assert found[0] == found[1]


@pytest.mark.long
def test_more_attempts_are_never_worse() -> None:
    armature, _, prop = _scene("hammer")
    best = []
    for attempts in (1, 2, 3):
        search = GraspSearch(
            armature,
            hands_of(armature)[0],
            prop,
            GraspRequest(attempts=attempts),
            view_layer=bpy.context.view_layer,
        )
        for _ in search.run():
            pass
        best.append(search.candidates[0].score)
    assert best == sorted(best)


def test_searching_changes_nothing_and_restoring_puts_all_back_to_the_bit() -> None:
    armature, _, prop = _scene()
    before = _state(armature, prop)
    search = GraspSearch(
        armature, hands_of(armature)[0], prop, GraspRequest(attempts=1), view_layer=bpy.context.view_layer
    )
    for _ in search.run():
        assert _state(armature, prop) == before
    search.show()
    assert _state(armature, prop) != before
    search.restore()
    assert _state(armature, prop) == before


def test_the_prop_comes_to_the_hand_on_request() -> None:
    armature, skin, prop = _scene()
    place = [tuple(row) for row in armature.matrix_world]
    grasp(
        armature,
        hands_of(armature)[0],
        prop,
        GraspRequest(attempts=1, place="prop"),
        view_layer=bpy.context.view_layer,
    )
    assert [tuple(row) for row in armature.matrix_world] == place
    assert _deepest_mm(skin, prop) <= 0.5


def test_grasps_are_kept_with_the_prop_and_fit_the_other_hand_and_another_size() -> None:
    armature, _, prop = _scene("mug")
    grasp(armature, hands_of(armature)[0], prop, GraspRequest(attempts=2), view_layer=bpy.context.view_layer)
    records, chosen = load_candidates(prop)
    assert chosen == 0
    assert json.loads(prop[GRASPS_KEY])["schema_version"] == 1
    layer = bpy.context.view_layer
    for spec in (HandSpec(side="L"), HandSpec(side="R", scale=1.15)):
        made = add_demo_hand(Placement(bpy.context.scene.collection, layer, (1.0, 0.0, 0.0)), spec)
        layer.update()
        other = bpy.data.objects[made.armature]
        report = apply_record(other, hands_of(other)[0], prop, records[0], view_layer=layer)
        assert sum(finger.touching for finger in report.fingers) >= 3
        assert _deepest_mm(bpy.data.objects[made.mesh], prop) <= 0.5


@pytest.mark.long
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda prop: setattr(prop, "scale", (100.0, 100.0, 100.0)), "scale looks wrong"),
        (lambda prop: setattr(prop, "scale", (6.0, 6.0, 6.0)), "no part that this hand could close round"),
        (lambda prop: prop.data.clear_geometry(), "has no faces"),
        (lambda prop: setattr(prop, "scale", (1.0, 1.0, 0.0)), "pressed flat"),
    ],
    ids=["huge", "too big", "empty", "flat"],
)
def test_a_prop_that_cannot_be_held_is_refused_and_nothing_changes(change: Any, words: str) -> None:
    armature, _, prop = _scene()
    change(prop)
    bpy.context.view_layer.update()
    before = _state(armature, prop)
    with pytest.raises(PrehendError, match=words):
        grasp(armature, hands_of(armature)[0], prop, GraspRequest(attempts=1), view_layer=bpy.context.view_layer)
    assert _state(armature, prop) == before


@pytest.mark.long
@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (GraspRequest(hooks=((9.0, 0.0, 0.0),)), "hook is"),
        (GraspRequest(attempts=0), "budget"),
        (GraspRequest(seconds=0.0), "budget"),
        (GraspRequest(seconds=float("nan")), "budget"),
        (GraspRequest(seed=-1), "seed"),
        (GraspRequest(movement="juggle"), "no movement 'juggle'"),
    ],
    ids=["far hook", "no attempts", "no time", "no number", "negative seed", "unknown movement"],
)
def test_wishes_that_cannot_be_met_are_refused(request_: GraspRequest, words: str) -> None:
    armature, _, prop = _scene()
    before = _state(armature, prop)
    with pytest.raises(PrehendError, match=words):
        grasp(armature, hands_of(armature)[0], prop, request_, view_layer=bpy.context.view_layer)
    assert _state(armature, prop) == before


def test_operators_take_step_and_say_what_to_do() -> None:
    armature, skin, prop = _scene()
    bpy.context.view_layer.objects.active = armature
    for obj in bpy.context.view_layer.objects:
        obj.select_set(obj in (armature, prop))
    with pytest.raises(RuntimeError, match="press Grasp first"):
        bpy.ops.prehend.step_grasp(step=1)
    bpy.ops.ed.undo_push(message="before")
    before = _state(armature, prop)
    assert bpy.ops.prehend.grasp(attempts=2) == {"FINISHED"}
    assert _deepest_mm(skin, prop) <= 0.5
    assert any(finger.touching for finger in armature.data.prehend.contacts.fingers)
    assert bpy.ops.prehend.step_grasp(step=1) == {"FINISHED"}
    assert load_candidates(prop)[1] == 1 % len(load_candidates(prop)[0])
    assert _deepest_mm(skin, prop) <= 0.5
    assert _state(armature, prop) != before


@pytest.mark.long
def test_the_published_search_finds_a_grasp_too() -> None:
    armature, skin, prop = _scene()
    request = GraspRequest(attempts=2, published=HookSearch())
    report, search = grasp(armature, hands_of(armature)[0], prop, request, view_layer=bpy.context.view_layer)
    assert sum(finger.touching for finger in report.fingers) >= 3
    assert _deepest_mm(skin, prop) <= 0.5
    assert search.candidates


def test_the_panels_search_is_the_one_that_is_used() -> None:
    armature, _, prop = _scene()
    bpy.context.view_layer.objects.active = armature
    settings = bpy.context.scene.prehend
    settings.prop = prop
    assert settings.search.published() is None
    settings.search.method, settings.search.step, settings.search.first_guess = "HOOK", "three", 2
    options = settings.search.published()
    assert (options.step, options.approximate, options.angle) == ("three", 2, pytest.approx(np.radians(10.0)))
    settings.search.random_angle, settings.search.wrist_range = True, False
    options = settings.search.published()
    assert options.angle is None
    assert options.wrist_range is None
    assert bpy.ops.prehend.grasp(attempts=1) == {"FINISHED"}
