# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Grasps to choose from: listed with pictures, taken by a click, by the other hand and by another character."""

from __future__ import annotations

from dataclasses import fields
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from addon.core.errors import PrehendError
from addon.operators.grasp_steps import PREHEND_OT_step_grasp
from addon.panels.grasp import PREHEND_PT_candidates
from addon.panels.grasp_lists import PREHEND_UL_grasps
from addon.properties.pictures import SHOWN, _icons, icon_of
from addon.services.grasp_facts import grasp_facts, shared_volume
from addon.services.grasp_records import GRASPS_KEY, load_candidates
from addon.services.grasping import GraspRequest, GraspSearch, grasp
from addon.services.poses import hands_of
from addon.services.surfaces import surface_of
from addon.solvers.search import Weights
from addon.solvers.thumbnail import unpack
from tests.blender.arm_rigs import add_prop, select
from tests.blender.closing_scenes import everything
from tests.blender.recording import RecordingLayout, draw


def _scene(prop: str = "ball") -> tuple[Any, Any, Any]:
    bpy.ops.prehend.add_demo_hand()
    armature = bpy.context.object
    held = add_prop(prop, (0.4, 0.1, 0.0))
    select(armature, held)
    return armature, hands_of(armature)[0], held


def _middle(obj: Any) -> Any:
    return sum((Vector(corner) for corner in obj.bound_box), Vector()) / 8.0


def test_the_list_tells_what_is_kept_and_a_click_takes_it() -> None:
    armature, _, ball = _scene()
    assert bpy.ops.prehend.grasp(attempts=2) == {"FINISHED"}
    records, chosen = load_candidates(ball)
    rows = ball.prehend.grasps
    assert len(rows) == len(records) >= 2
    assert ball.prehend.grasp_index == chosen == 0
    for row, record in zip(rows, records, strict=True):
        assert (row.contacts, row.picture) == (len(record.touching), record.picture)
        assert row.opposition == pytest.approx(record.terms["opposition"], abs=1e-6)
        pixels = unpack(record.picture)
        assert pixels is not None
        assert 0.1 < pixels[..., 3].mean() < 0.9, "something is in the picture, and it is not filled"
        # Without a window icons have no number, but they are made.
        assert icon_of(row.picture) >= 0
        assert row.picture in _icons["all"]
        assert tuple(_icons["all"][row.picture].image_size) == (SHOWN, SHOWN)
    assert len({row.picture for row in rows}) == len(rows), "pictures differ as the poses do"
    assert icon_of("") == icon_of("nonsense") == 0
    assert PREHEND_PT_candidates.poll(bpy.context)
    assert ("operator", ("prehend.copy_grasp",)) in draw(PREHEND_PT_candidates, bpy.context)
    layout = RecordingLayout()
    PREHEND_UL_grasps.draw_item(None, bpy.context, layout, None, rows[1], 0, None, "", 1)  # type: ignore[arg-type]
    assert any(name == "operator" for name, _ in layout.drawn)
    place = armature.matrix_world.copy()
    assert bpy.ops.prehend.apply_grasp(number=1) == {"FINISHED"}
    assert (ball.prehend.grasp_index, load_candidates(ball)[1]) == (1, 1)
    assert armature.matrix_world != place
    assert bpy.ops.prehend.apply_grasp(number=0) == {"FINISHED"}
    np.testing.assert_allclose(np.array(armature.matrix_world), np.array(place), atol=2e-4)


@pytest.mark.parametrize("name", ["step_grasp", "apply_grasp", "mirror_grasp", "copy_grasp"])
def test_buttons_for_kept_grasps_say_what_is_missing(name: str) -> None:
    _, _, ball = _scene()
    operator = getattr(bpy.ops.prehend, name)
    assert not operator.poll()
    with pytest.raises(RuntimeError, match=r"'Ball' has no kept grasps: press Grasp first"):
        operator()
    bpy.context.scene.prehend.prop = ball
    assert not operator.poll()
    ball[GRASPS_KEY] = "{}"
    assert operator.poll()


def test_steps_tell_which_grasp_they_take() -> None:
    told = [
        PREHEND_OT_step_grasp.description(bpy.context, SimpleNamespace(step=step))  # type: ignore[arg-type]
        for step in (-1, 0, 1)
    ]
    assert [word in text for word, text in zip(("previous", "again", "next"), told, strict=True)] == [True] * 3


def test_one_contact_is_not_told_as_many() -> None:
    _, _, ball = _scene()
    texts = []
    for contacts in (1, 2):
        row = ball.prehend.grasps.add()
        row.contacts, row.depth_mm = contacts, 0.31
        layout = RecordingLayout()
        PREHEND_UL_grasps.draw_item(None, bpy.context, layout, None, row, 0, None, "", 0)  # type: ignore[arg-type]
        texts += [args["text"] for name, args in layout.drawn if name == "label"]
    assert texts == ["1 contact, 0.3 mm", "2 contacts, 0.3 mm"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("close_fingers", ["prop", "movement", "side", "fingers", "depth_mm", "use_obstacles", "adapt", "key"]),
        ("open_hand", ["movement", "side", "fingers", "key"]),
        (
            "grasp",
            [
                "prop",
                "movement",
                "side",
                "place",
                "use_cursor",
                "attempts",
                "seconds",
                "seed",
                "depth_mm",
                "use_obstacles",
            ],
        ),
        ("find_hooks", ["prop", "side"]),
    ],
)
def test_the_redo_panel_shows_what_can_be_changed_in_the_order_of_thought(name: str, shown: list[str]) -> None:
    cls = getattr(bpy.types, f"PREHEND_OT_{name}")
    known = getattr(bpy.ops.prehend, name).get_rna_type().properties
    layout = RecordingLayout()
    values = {key: None for key in known.keys()}
    group = SimpleNamespace(bl_rna=SimpleNamespace(properties=known))
    cls.draw(SimpleNamespace(layout=layout, properties=group, shown=getattr(cls, "shown", None), **values), bpy.context)
    assert [args[1] for _, args in layout.drawn] == shown
    assert [kind for kind, args in layout.drawn if args[1] == "prop"] in ([], ["prop_search"])
    unset = {"bl_rna", "rna_type"}
    assert name == "find_hooks" or set(known.keys()) - unset == set(shown), "nothing is left out"


def test_another_character_and_the_other_hand_take_it_from_the_panel() -> None:
    armature, _, ball = _scene()
    bpy.ops.prehend.grasp(attempts=1)
    place = [list(row) for row in armature.matrix_world]
    with pytest.raises(RuntimeError, match="no left hand"):
        bpy.ops.prehend.mirror_grasp()
    with pytest.raises(RuntimeError, match="Choose the armature of the other character"):
        bpy.ops.prehend.copy_grasp(armature="Nobody")
    bpy.ops.prehend.add_demo_hand(side="L")
    left = bpy.context.object
    select(armature, ball)
    assert bpy.ops.prehend.copy_grasp(armature=left.name) == {"FINISHED"}
    assert sum(row.touching for row in left.data.prehend.contacts.fingers) >= 3
    assert [list(row) for row in armature.matrix_world] == place, "the first hand stays"
    left.matrix_world = Matrix.Translation((0.0, 2.0, 0.0))
    select(left, ball)
    assert bpy.ops.prehend.mirror_grasp() == {"FINISHED"}
    assert (left.matrix_world.translation - ball.matrix_world.translation).length < 0.3


def test_only_what_is_near_and_has_faces_is_in_the_way() -> None:
    armature, hand, ball = _scene()
    bpy.ops.mesh.primitive_cube_add(size=0.1, location=(0.4, 0.3, 0.0))
    near = bpy.context.object
    bpy.ops.mesh.primitive_cube_add(size=2.0, location=(0.4, 0.1, 1.6))
    beside = bpy.context.object
    bpy.ops.mesh.primitive_cube_add(size=0.1, location=(9.0, 0.0, 0.0))
    far = bpy.context.object
    bpy.ops.curve.primitive_bezier_curve_add(location=(0.4, 0.1, 0.0))
    line = bpy.context.object
    bpy.context.view_layer.update()
    layer = bpy.context.view_layer
    given = [near, beside, far, line]
    search = GraspSearch(armature, hand, ball, GraspRequest(attempts=1), view_layer=layer, obstacles=given)
    assert search.obstacles == [near, beside]
    assert search.problem.problem.obstacles is not None


def test_weights_are_the_solvers_own_and_are_gone_by() -> None:
    _, _, ball = _scene()
    weights = bpy.context.scene.prehend.weights
    for each in fields(Weights):
        assert getattr(weights, each.name) == pytest.approx(each.default)
        assert weights.bl_rna.properties[each.name].description, each.name
    bpy.ops.prehend.grasp(attempts=1)
    usual = load_candidates(ball)[0][0].score
    weights.contact = 3.0
    bpy.ops.prehend.grasp(attempts=1)
    assert load_candidates(ball)[0][0].score > usual + 1.0


def test_a_search_notices_what_others_move_and_begins_anew_from_there() -> None:
    armature, hand, ball = _scene()
    layer = bpy.context.view_layer
    before = armature.matrix_world.copy()
    search = GraspSearch(armature, hand, ball, GraspRequest(attempts=1), view_layer=layer)
    for _ in search.run():
        pass
    search.show()
    assert not search.was_disturbed(), "what the search does itself is no disturbance"
    ball.location.x += 0.3
    armature.pose.bones[0].scale = (1.0, 1.0, 1.0)
    layer.update()
    assert search.was_disturbed()
    moved = ball.matrix_world.copy()
    search.abandon()
    assert armature.matrix_world == before
    assert ball.matrix_world == moved, "cancelled now, what was moved stays moved"
    search.show()
    ball.location.x += 0.1
    layer.update()
    moved = ball.matrix_world.copy()
    again = search.restarted()
    assert armature.matrix_world == before, "the hand is back where it was"
    assert ball.matrix_world == moved, "and the ball where it was put"
    assert not again.was_disturbed()
    for _ in again.run():
        pass
    again.accept()
    assert (armature.matrix_world.translation - ball.matrix_world.translation).length < 0.3


@pytest.mark.parametrize("how", ["eye", "viewport", "other layer", "linked"])
def test_a_prop_that_is_hidden_or_linked_is_told(how: str, tmp_path: Any) -> None:
    armature, hand, ball = _scene()
    if how == "eye":
        ball.hide_set(True)
    elif how == "viewport":
        ball.hide_viewport = True
    elif how == "other layer":
        for collection in ball.users_collection:
            collection.objects.unlink(ball)
    else:
        path = str(tmp_path / "ball.blend")
        bpy.data.libraries.write(path, {ball})
        bpy.data.objects.remove(ball)
        with bpy.data.libraries.load(path, link=True) as (_, wanted):
            wanted.objects = ["Ball"]
        ball = wanted.objects[0]
        bpy.context.scene.collection.objects.link(ball)
    bpy.context.view_layer.update()
    words = {"linked": "linked from another file", "other layer": "not in this view layer"}.get(how, "is hidden: show")
    before = everything()
    with pytest.raises(PrehendError, match=words):
        grasp(armature, hand, ball, GraspRequest(attempts=1), view_layer=bpy.context.view_layer)
    assert everything() == before


def test_facts_name_everything_and_the_volume_is_that_of_both() -> None:
    armature, hand, ball = _scene()
    report, search = grasp(armature, hand, ball, GraspRequest(attempts=1), view_layer=bpy.context.view_layer)
    facts = grasp_facts(search, report, hand_file="a", object_file="b", versions={"prehend": "1"})
    assert facts["schema_version"] == 1
    assert set(facts["hand"]) >= {"file", "armature", "meshes", "side", "convention", "bones"}
    assert facts["object"]["name"] == ball.name
    assert set(facts["search"]) == {"method", "steps", "candidates", "closings", "seconds"}
    assert facts["search"]["steps"] == 1
    assert set(facts["posture_deg"]) == set(search.model.names)
    assert all(set(each) == {"finger", "bone", "point", "normal", "distance_mm"} for each in facts["contacts"])
    np.testing.assert_allclose(facts["hook"], list(ball.matrix_world @ _middle(ball)), atol=5e-3)
    assert 0.0 <= facts["penetration"]["volume_cm3"] <= 0.5
    # Two cubes that share a quarter of one, the first without its lid.
    bpy.ops.mesh.primitive_cube_add(size=0.04, location=(5.0, 0.0, 0.0))
    skin = bpy.context.object
    import bmesh

    mesh = bmesh.new()
    mesh.from_mesh(skin.data)
    mesh.faces.ensure_lookup_table()
    bmesh.ops.delete(mesh, geom=[max(mesh.faces, key=lambda face: face.calc_center_median().z)], context="FACES_ONLY")
    mesh.to_mesh(skin.data)
    bpy.ops.mesh.primitive_cube_add(size=0.04, location=(5.0, 0.02, 0.02))
    bpy.context.view_layer.update()
    graph = bpy.context.view_layer.depsgraph
    shared = shared_volume([skin], surface_of(bpy.context.object, graph), depsgraph=graph)
    assert shared == pytest.approx(0.04 * 0.02 * 0.02, rel=0.08)
