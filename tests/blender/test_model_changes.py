# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kept hand models hold exactly as long as the skin they were built from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import bpy
import numpy as np
import pytest

from addon.hands.model import HandModel
from addon.rig import mesh_changes
from addon.rig.armatures import create_hand_objects
from addon.rig.skin import skin_objects
from addon.services.posture import model_of
from addon.shapes.hand import HandSpec, build_hand
from tests.unit.hand_motion import demo_map

BUILD = build_hand(HandSpec(variant="human", side="R"))
MAP = demo_map(BUILD.skeleton.names, "R")


@pytest.fixture(params=["watched", "unwatched"])
def watching(request: pytest.FixtureRequest) -> Iterator[str]:
    """With the add-on registered, and as in scripts that only call services."""
    if request.param == "unwatched":
        mesh_changes.stop_watching_meshes()
        yield request.param
        mesh_changes.watch_meshes()
    else:
        yield request.param


@pytest.fixture
def hand() -> Callable[[], HandModel]:
    create_hand_objects("Demo", BUILD, bpy.context.scene.collection)
    bpy.context.view_layer.update()
    # By name: undo replaces the objects.
    return lambda: model_of(bpy.data.objects["Demo"], MAP, objects=bpy.context.scene.objects)


def skin() -> Any:
    return skin_objects(bpy.data.objects["Demo"], bpy.context.scene.objects)[0]


def swap(first: str, second: str) -> None:
    """Give every vertex's weight for one bone to another, one by one as scripts do."""
    one, two = (skin().vertex_groups[name] for name in (first, second))
    for vertex in skin().data.vertices:
        for each in vertex.groups:
            if each.group == one.index:
                two.add([vertex.index], each.weight, "ADD")
    one.remove(range(len(skin().data.vertices)))


def count(model: HandModel, bone: str) -> int:
    assert model.skin is not None
    return int(np.sum(model.skin.owners == model.names.index(bone)))


@pytest.mark.usefixtures("watching")
@pytest.mark.parametrize("updated", [True, False])
def test_weights_set_by_script_make_a_new_model(hand: Callable[[], HandModel], updated: bool) -> None:
    before = hand()
    assert hand() is before
    assert count(before, "index.distal.R") > 20
    swap("index.distal.R", "index.intermediate.R")
    if updated:
        bpy.context.view_layer.update()
    after = hand()
    assert count(after, "index.distal.R") == 0
    assert count(after, "index.intermediate.R") > count(before, "index.intermediate.R")
    assert hand() is after


@pytest.mark.usefixtures("watching")
def test_one_weight_of_one_vertex_counts(hand: Callable[[], HandModel]) -> None:
    before = hand()
    skin().data.vertices[17].groups[0].weight *= 0.99
    after = hand()
    assert after is not before
    skin().data.vertices[17].groups[0].weight += 0.5
    assert hand() not in (before, after)


@pytest.mark.usefixtures("watching")
def test_undone_weights_bring_the_old_model_back(hand: Callable[[], HandModel]) -> None:
    bpy.ops.ed.undo_push(message="before")
    before = hand()
    swap("index.distal.R", "index.intermediate.R")
    bpy.ops.ed.undo_push(message="painted")
    assert count(hand(), "index.distal.R") == 0
    bpy.ops.ed.undo()
    assert hand() is before
    bpy.ops.ed.redo()
    assert count(hand(), "index.distal.R") == 0


@pytest.mark.usefixtures("watching")
def test_weights_changed_by_an_operator_of_the_paint_mode_count(hand: Callable[[], HandModel]) -> None:
    before = hand()
    bpy.context.view_layer.objects.active = skin()
    skin().vertex_groups.active = skin().vertex_groups["thumb.distal.R"]
    bpy.ops.object.mode_set(mode="WEIGHT_PAINT")
    # Not with a brush: Blender 4.3 has none without a window and falls over.
    bpy.ops.object.vertex_group_invert(group_select_mode="ACTIVE", auto_assign=True)
    assert hand() is not before
    bpy.ops.object.mode_set(mode="OBJECT")
    assert count(hand(), "thumb.distal.R") > count(before, "thumb.distal.R")


@pytest.mark.usefixtures("watching")
@pytest.mark.parametrize("hide", ["hide_viewport", "unlinked"])
def test_weights_of_meshes_that_nothing_shows_count(hand: Callable[[], HandModel], hide: str) -> None:
    hidden = skin()
    before = model_of(bpy.data.objects["Demo"], MAP, objects=[hidden])
    if hide == "hide_viewport":
        hidden.hide_viewport = True
    else:
        for collection in hidden.users_collection:
            collection.objects.unlink(hidden)
    bpy.context.view_layer.update()
    assert model_of(bpy.data.objects["Demo"], MAP, objects=[hidden]) is before
    hidden.vertex_groups["index.distal.R"].remove(range(len(hidden.data.vertices)))
    bpy.context.view_layer.update()
    assert count(model_of(bpy.data.objects["Demo"], MAP, objects=[hidden]), "index.distal.R") == 0


def _mask(skin: Any) -> None:
    skin.vertex_groups.new(name="Shown").add(range(0, len(skin.data.vertices), 2), 1.0, "REPLACE")
    skin.modifiers.new("Mask", "MASK").vertex_group = "Shown"


def _invert(skin: Any) -> None:
    _mask(skin)
    skin.modifiers["Mask"].invert_vertex_group = True


def _second_modifier(skin: Any) -> None:
    skin.modifiers.new("Again", "ARMATURE").object = bpy.data.objects["Demo"]


CHANGES: dict[str, Callable[[Any], None]] = {
    "preserve volume": lambda skin: setattr(skin.modifiers[0], "use_deform_preserve_volume", True),
    "mask": _mask,
    "inverted mask": _invert,
    "second armature modifier": _second_modifier,
    "bone that no longer deforms": lambda skin: setattr(
        bpy.data.objects["Demo"].data.bones["index.distal.R"], "use_deform", False
    ),
    "renamed group": lambda skin: setattr(skin.vertex_groups["index.distal.R"], "name", "other"),
    "moved skin": lambda skin: setattr(skin, "location", (0.01, 0.0, 0.0)),
    "moved vertices": lambda skin: setattr(skin.data.vertices[3], "co", (0.0, 0.0, 0.0)),
}


@pytest.mark.usefixtures("watching")
@pytest.mark.parametrize("change", CHANGES)
def test_other_changes_of_the_skin_make_a_new_model(hand: Callable[[], HandModel], change: str) -> None:
    before = hand()
    CHANGES[change](skin())
    bpy.context.view_layer.update()
    assert hand() is not before


@pytest.mark.usefixtures("watching")
def test_a_shape_key_that_is_sculpted_makes_a_new_model(hand: Callable[[], HandModel]) -> None:
    skin().shape_key_add(name="Basis")
    skin().shape_key_add(name="Longer").value = 0.5
    bpy.context.view_layer.update()
    before = hand()
    skin().data.shape_keys.key_blocks["Longer"].data[5].co.x += 0.01
    bpy.context.view_layer.update()
    assert hand() is not before


@pytest.mark.usefixtures("watching")
def test_posing_and_moving_the_character_keep_the_model(hand: Callable[[], HandModel]) -> None:
    armature = bpy.data.objects["Demo"]
    before = hand()
    for step in range(5):
        armature.location = (3.1 * step, -0.7, 12.3)
        armature.rotation_euler = (0.3 * step, 1.1, 0.2)
        armature.pose.bones["index.intermediate.R"].rotation_quaternion = (0.9, 0.1 * step, 0.0, 0.0)
        bpy.context.view_layer.update()
        assert hand() is before


def test_unchanged_weights_are_not_read_again(hand: Callable[[], HandModel], monkeypatch: pytest.MonkeyPatch) -> None:
    hand()
    read = mesh_changes._read_checksum
    calls: list[str] = []
    monkeypatch.setattr(mesh_changes, "_read_checksum", lambda mesh: calls.append(mesh.name) or read(mesh))
    bpy.data.objects["Demo"].pose.bones["index.intermediate.R"].rotation_quaternion = (0.9, 0.1, 0.0, 0.0)
    bpy.context.view_layer.update()
    hand()
    assert calls == []
    skin().vertex_groups[0].add([0], 0.4, "REPLACE")
    hand()
    assert len(calls) == 1


def test_no_reference_to_blenders_data_is_kept(hand: Callable[[], HandModel]) -> None:
    hand()
    kept = [
        *mesh_changes._known,
        *mesh_changes._edits,
        *(each for pair in mesh_changes._known.values() for each in pair),
    ]
    assert all(type(each) is int for each in kept)


def test_skin_that_is_elsewhere_is_told(hand: Callable[[], HandModel]) -> None:
    assert hand().notes == ()
    for vertex in skin().data.vertices:
        vertex.co.z += 0.8
    bpy.context.view_layer.update()
    model = hand()
    assert model.skin is None, "bones that far away move it, but nobody holds anything with it"
    assert [skin().name in note for note in model.notes] == [True]
