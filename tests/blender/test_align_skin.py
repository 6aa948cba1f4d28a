# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones are moved into a skin that lies beside them, and nothing that is seen moves with them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from addon.core.errors import PrehendError
from addon.rig.skeletons import read_skeleton
from addon.services.closing import CloseRequest, close_fingers
from addon.services.facing import face_palm
from addon.services.poses import hands_of
from addon.services.posture import model_of
from addon.services.skin_alignment import SkinFitsError, align_skin, find_skin_offset
from tests.blender.model_rigs import placed
from tests.blender.processes import run_prehend
from tests.blender.recording import draw
from tests.blender.test_skin_volume import evaluated_points

OFFSET = np.array([0.0, 0.0, 0.8])
NEAR = 4e-3
"""How well the middles of skins tell where bones were in [m]."""


def displaced(offset: np.ndarray = OFFSET, matrix: Matrix | None = None) -> tuple[Any, Any]:
    """A demo hand whose skin lies beside its bones in the world: armature and skin."""
    bpy.ops.prehend.add_demo_hand(variant="human", side="R")
    armature = bpy.context.object
    (skin,) = (obj for obj in armature.children if obj.type == "MESH")
    if matrix is not None:
        armature.matrix_world = matrix
    bpy.context.view_layer.update()
    local = skin.matrix_world.to_3x3().inverted() @ Matrix.Translation(offset.tolist()).translation
    skin.data.transform(Matrix.Translation(local))
    bpy.context.view_layer.update()
    return armature, skin


def align(armature: Any) -> Any:
    return align_skin(armature, view_layer=bpy.context.view_layer)


def heads(armature: Any) -> np.ndarray:
    return read_skeleton(armature).heads


def add_object(name: str, data: Any = None) -> Any:
    obj = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(obj)
    return obj


def world(obj: Any) -> np.ndarray:
    return np.array(obj.matrix_world)


@pytest.mark.parametrize("matrix", [None, placed(), placed(scale=0.01), placed(mirror=True)])
def test_bones_come_into_the_skin_and_the_skin_stays(matrix: Matrix | None) -> None:
    armature, skin = displaced(matrix=matrix)
    before, bones, place = evaluated_points(skin), heads(armature), world(armature)
    report = align(armature)
    size = 1.0 if matrix is None else matrix.median_scale
    assert np.linalg.norm(report.offset - OFFSET) < NEAR * size
    assert np.abs(heads(armature) - bones - report.offset).max() < 1e-5
    assert np.abs(evaluated_points(skin) - before).max() < 1e-5
    assert np.abs(world(armature) - place).max() < 1e-6, "the object itself stays"
    assert find_skin_offset(armature) is None
    with pytest.raises(SkinFitsError, match="nothing to align"):
        align(armature)


def test_the_skin_bends_where_its_joints_are_afterwards() -> None:
    armature, skin = displaced()
    offset = align(armature).offset
    bpy.ops.prehend.add_demo_hand(variant="human", side="R")
    good = bpy.context.object
    for each in (armature, good):
        bone = each.pose.bones["index.proximal.R"]
        bone.rotation_mode = "XYZ"
        bone.rotation_euler = (1.2, 0.0, 0.0)
    bpy.context.view_layer.update()
    (other,) = (obj for obj in good.children if obj.type == "MESH")
    off = np.linalg.norm(evaluated_points(skin) - OFFSET - evaluated_points(other), axis=1)
    assert off.max() < 2.0 * np.linalg.norm(offset - OFFSET) + 1e-5


def test_what_hangs_on_the_armature_keeps_place_and_parent() -> None:
    armature, _ = displaced(matrix=placed(scale=2.0))
    armature.pose.bones["hand.R"].location = (0.0, 0.01, 0.0)
    armature.pose.bones["index.proximal.R"].rotation_quaternion = (0.9, 0.3, 0.1, 0.0)
    armature.data.bones["middle.proximal.R"].use_relative_parent = True
    kinds = [("OBJECT", ""), ("BONE", "index.distal.R"), ("BONE", "middle.proximal.R"), ("ARMATURE", "")]
    children = []
    for number, (kind, bone) in enumerate(kinds):
        child = add_object(f"child {number}")
        child.parent, child.parent_type, child.parent_bone = armature, kind, bone
        child.location, child.rotation_euler = (0.1, 0.2, 0.3 * number), (0.2, 0.4, 0.6)
        children.append(child)
    below = add_object("below")
    below.parent, below.location = children[1], (0.0, 0.0, 0.2)
    held = add_object("held")
    constraint = held.constraints.new("CHILD_OF")
    constraint.target, constraint.subtarget = armature, "index.distal.R"
    bpy.context.view_layer.update()
    everything = [*children, below, held]
    before = [world(each) for each in everything]
    channels = [(tuple(each.location), tuple(each.rotation_euler)) for each in everything]
    assert align(armature).dragged == ()
    for obj, place, values in zip(everything, before, channels, strict=True):
        assert np.abs(world(obj) - place).max() < 1e-4, obj.name
        assert (tuple(obj.location), tuple(obj.rotation_euler)) == values, "keys of its own go on"
    assert [(each.parent, each.parent_type, each.parent_bone) for each in children] == [
        (armature, *kind) for kind in kinds
    ]


def test_what_follows_by_other_constraints_is_told() -> None:
    armature, _ = displaced()
    follower = add_object("Follower")
    constraint = follower.constraints.new("COPY_LOCATION")
    constraint.target, constraint.subtarget = armature, "index.distal.R"
    bpy.context.view_layer.update()
    report = align(armature)
    assert report.dragged == ("Follower",)
    assert "Follower" in report.sentence


def _keyed(armature: Any) -> None:
    for frame, place, turn in ((1, (0.0, 0.0, 0.0), 0.0), (20, (1.0, 2.0, 0.5), 1.5)):
        armature.location, armature.rotation_euler = place, (turn, 0.5 * turn, 0.0)
        armature.keyframe_insert("location", frame=frame)
        armature.keyframe_insert("rotation_euler", frame=frame)


def _driven(armature: Any) -> None:
    armature.driver_add("location", 0).driver.expression = "0.1 * frame"
    armature.driver_add("rotation_euler", 2).driver.expression = "0.1 * frame"


def _constrained(armature: Any) -> None:
    carrier = add_object("Carrier")
    carrier.location, carrier.rotation_euler = (1.0, 2.0, 3.0), (0.3, 0.0, 0.0)
    carrier.keyframe_insert("location", frame=1)
    carrier.location = (3.0, 2.0, 1.0)
    carrier.keyframe_insert("location", frame=20)
    armature.constraints.new("COPY_TRANSFORMS").target = carrier


def _parented(armature: Any) -> None:
    carrier = add_object("Carrier")
    carrier.scale = (2.0, 2.0, 2.0)
    _keyed(carrier)
    armature.parent = carrier


@pytest.mark.parametrize("carry", [_keyed, _driven, _constrained, _parented])
def test_armatures_that_something_moves_keep_their_way(carry: Callable[[Any], None]) -> None:
    armature, skin = displaced()
    armature.rotation_mode = "XYZ"
    carry(armature)
    scene = bpy.context.scene

    def seen() -> list[np.ndarray]:
        out = []
        for frame in (1, 7, 20):
            scene.frame_set(frame)
            out.append(evaluated_points(skin))
        return out

    before = seen()
    align(armature)
    assert find_skin_offset(armature) is None
    after = seen()
    assert find_skin_offset(armature) is None, "at other frames, too"
    assert max(np.abs(a - b).max() for a, b in zip(after, before, strict=True)) < 1e-4


def test_bones_that_several_objects_share_stay_for_the_others() -> None:
    armature, skin = displaced()
    other = add_object("Other", armature.data)
    bpy.context.view_layer.update()
    theirs, before, bones = heads(other), evaluated_points(skin), heads(armature)
    offset = align(armature).offset
    assert np.array_equal(heads(other), theirs)
    assert np.abs(heads(armature) - bones - offset).max() < 1e-5
    assert np.abs(evaluated_points(skin) - before).max() < 1e-5
    assert find_skin_offset(armature) is None


@pytest.mark.parametrize("carry", [_keyed, _driven, _constrained])
def test_shared_bones_of_objects_that_something_moves_are_refused(carry: Callable[[Any], None]) -> None:
    armature, skin = displaced()
    add_object("Other", armature.data)
    carry(armature)
    bpy.context.view_layer.update()
    before = (heads(armature), evaluated_points(skin), np.array(skin.matrix_parent_inverse), tuple(armature.location))
    with pytest.raises(PrehendError, match="single-user"):
        align(armature)
    now = (heads(armature), evaluated_points(skin), np.array(skin.matrix_parent_inverse), tuple(armature.location))
    assert all(np.array_equal(a, b) for a, b in zip(now, before, strict=True))


def test_edit_mode_is_refused() -> None:
    armature, _ = displaced()
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    with pytest.raises(PrehendError, match="edit mode"):
        align(armature)
    bpy.ops.object.mode_set(mode="OBJECT")


def test_linked_hands_are_refused_and_overridden_ones_move_as_objects(tmp_path: Path) -> None:
    armature, skin = displaced()
    name = armature.name
    collection = bpy.data.collections.new("Character")
    bpy.context.scene.collection.children.link(collection)
    for obj in (armature, skin):
        collection.objects.link(obj)
        bpy.context.scene.collection.objects.unlink(obj)
    path = str(tmp_path / "hand.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(path, link=True) as (_, target):
        target.collections = ["Character"]
    linked = target.collections[0]
    bpy.context.scene.collection.children.link(linked)
    bpy.context.view_layer.update()
    with pytest.raises(PrehendError, match="is linked from another file"):
        align(linked.all_objects[name])
    made = linked.override_hierarchy_create(bpy.context.scene, bpy.context.view_layer, do_fully_editable=True)
    bpy.context.view_layer.update()
    armature = next(obj for obj in made.all_objects if obj.type == "ARMATURE")
    (skin,) = (obj for obj in made.all_objects if obj.type == "MESH")
    assert armature.data.library is not None or armature.data.override_library is not None
    before = evaluated_points(skin)
    align(armature)
    assert np.abs(evaluated_points(skin) - before).max() < 1e-5
    assert find_skin_offset(armature) is None
    assert tuple(armature.location) != (0.0, 0.0, 0.0)


@pytest.mark.parametrize("mode", ["OBJECT", "POSE"])
def test_the_panel_offers_it_and_one_click_is_one_undo_step(mode: str) -> None:
    armature, skin = displaced()
    name, skin_name = armature.name, skin.name
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode=mode)
    bpy.ops.prehend.detect_hands()
    assert armature.data.prehend.skin_off == "80 cm"
    shown = str(draw(bpy.types.PREHEND_PT_hand, bpy.context))
    assert "prehend.align_skin" in shown
    assert "80 cm off its bones" in shown
    before, points = heads(armature), evaluated_points(skin)
    bpy.ops.ed.undo_push(message="detected")
    assert bpy.ops.prehend.align_skin("EXEC_DEFAULT", True) == {"FINISHED"}
    armature = bpy.data.objects[name]
    assert armature.data.prehend.skin_off == ""
    assert "prehend.align_skin" not in str(draw(bpy.types.PREHEND_PT_hand, bpy.context))
    assert find_skin_offset(armature) is None
    bpy.ops.ed.undo()
    armature = bpy.data.objects[name]
    bpy.context.view_layer.update()
    assert np.array_equal(heads(armature), before)
    assert np.abs(evaluated_points(bpy.data.objects[skin_name]) - points).max() < 1e-6
    assert armature.data.prehend.skin_off == "80 cm"


def test_nothing_is_offered_where_the_skin_fits() -> None:
    bpy.ops.prehend.add_demo_hand()
    bpy.ops.prehend.detect_hands()
    assert bpy.context.object.data.prehend.skin_off == ""
    assert "prehend.align_skin" not in str(draw(bpy.types.PREHEND_PT_hand, bpy.context))
    with pytest.raises(RuntimeError, match="nothing to align"):
        bpy.ops.prehend.align_skin()


@pytest.mark.parametrize("offset", [OFFSET, np.array([0.0, 0.04, 0.0])])
def test_notes_name_the_button_until_it_was_pressed(offset: np.ndarray) -> None:
    armature, _ = displaced(offset)
    (hand,) = hands_of(armature)
    assert any("Align Skin" in note for note in model_of(armature, hand).notes)
    align(armature)
    model = model_of(armature, hand)
    assert model.skin is not None
    assert not any("off its bones" in note for note in model.notes)


def test_the_aligned_hand_closes_with_its_skin() -> None:
    armature, skin = displaced()
    (hand,) = hands_of(armature)
    align(armature)
    layer = bpy.context.view_layer
    bpy.ops.prehend.add_demo_prop(prop="bottle")
    prop = bpy.context.object
    request = CloseRequest(movement="medium_diameter")
    face_palm(armature, hand, prop, request, view_layer=layer)
    report = close_fingers(armature, hand, prop, request, view_layer=layer)
    assert sum(each.touching for each in report.fingers) == 5
    assert report.deepest_mm <= 0.5
    assert report.notes == ()
    middle = np.array(prop.matrix_world.translation)
    assert np.linalg.norm(evaluated_points(skin) - middle, axis=1).min() < 0.2, "it is the seen skin that holds it"


@pytest.mark.long
def test_commands_align_their_copy_and_say_so(tmp_path: Path) -> None:
    displaced()
    path = tmp_path / "hand.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    content = path.read_bytes()
    done = run_prehend(
        "close", "--hand", str(path), "--object", "demo:ball", "--json", "--out", str(tmp_path / "closed.blend")
    )
    assert done.returncode == 0, done.stderr
    facts = json.loads(done.stdout[done.stdout.index("{") : done.stdout.rindex("}") + 1])
    assert facts["notes"] == ["The skin lay 80 cm off its bones: these were moved into it."]
    assert facts["deepest_mm"] <= 0.5
    assert path.read_bytes() == content
    done = run_prehend("poses", "--hand", str(path), "--random", "2", "--out", str(tmp_path / "poses"))
    assert "note: The skin lay 80 cm off its bones" in done.stdout, done.stderr
    assert json.loads((tmp_path / "poses" / "poses.json").read_text())["notes"] == facts["notes"]
    done = run_prehend("detect", str(path))
    assert "The skin lies 80 cm off its bones" in done.stdout
    assert path.read_bytes() == content
