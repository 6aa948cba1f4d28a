# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Closing on what users may give it: a right result, or one sentence and nothing changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from addon.core.errors import PrehendError
from addon.services.closing import CloseRequest, close_fingers, open_hand
from addon.services.surfaces import forget_surfaces, surface_of
from addon.services.targets import choose_prop
from tests.blender import closing_scenes as scenes
from tests.blender.closing_scenes import SPHERE, Scene, assert_touching, demo, update

pytestmark = pytest.mark.long


def linked_in(obj: Any) -> Any:
    bpy.context.scene.collection.objects.link(obj)
    return obj


def replaced(scene: Scene, obj: Any) -> Scene:
    """Another object in the place of the prop."""
    update()
    obj.matrix_world = scene.prop.matrix_world
    bpy.data.objects.remove(scene.prop)
    scene.prop = obj
    scenes.select(scene.armature, obj)
    update()
    return scene


def no_prop(scene: Scene) -> Scene:
    scene.prop = None
    return scene


def camera(scene: Scene) -> Scene:
    return replaced(scene, linked_in(bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))))


def no_vertices(scene: Scene) -> Scene:
    return replaced(scene, scenes.mesh_object("Void", [], []))


def wire(scene: Scene) -> Scene:
    return replaced(scene, scenes.mesh_object("Wire", [(0, 0, 0), (0, 0, 1)], []))


def no_area(scene: Scene) -> Scene:
    return replaced(scene, scenes.mesh_object("Needle", [(0, 0, 0), (0, 0, 0.01), (0, 0, 0.02)], [(0, 1, 2)]))


def not_a_number(scene: Scene) -> Scene:
    scene.prop.data.vertices[3].co.x = float("nan")
    scene.prop.data.update()
    return scene


def too_large(scene: Scene) -> Scene:
    scene.prop.scale = (100.0, 100.0, 100.0)
    return scene


def too_small(scene: Scene) -> Scene:
    scene.prop.scale = (1e-4, 1e-4, 1e-4)
    return scene


def flat_scale(scene: Scene) -> Scene:
    scene.prop.scale = (0.0, 0.0, 0.0)
    return scene


def hand_inside(scene: Scene) -> Scene:
    scene.prop.scale = (3.0, 3.0, 3.0)
    update()
    scene.prop.matrix_world = Matrix.Translation((0.0, 0.0, -0.03))
    return scene


def own_skin(scene: Scene) -> Scene:
    scene.prop = scene.skin
    return scene


def on_a_finger(scene: Scene) -> Scene:
    scene.prop.parent, scene.prop.parent_type = scene.armature, "BONE"
    scene.prop.parent_bone = scene.hand.fingers[1].chain[-1]
    return scene


def collection_instance(scene: Scene) -> Scene:
    group = bpy.data.collections.new("Group")
    group.objects.link(scene.prop)
    empty = linked_in(bpy.data.objects.new("Instance", None))
    empty.instance_type, empty.instance_collection = "COLLECTION", group
    scene.prop = empty
    return scene


def edit_mode(scene: Scene) -> Scene:
    bpy.ops.object.mode_set(mode="EDIT")
    return scene


def uneven(scene: Scene) -> Scene:
    scene.armature.scale = (1.0, 2.0, 1.0)
    return scene


def rest_position(scene: Scene) -> Scene:
    scene.armature.data.pose_position = "REST"
    return scene


def nowhere(scene: Scene) -> Scene:
    scene.prop.location.x = float("nan")
    return scene


REFUSED: dict[Callable[[Scene], Scene], str] = {
    no_prop: "Choose the prop",
    camera: "type camera",
    no_vertices: "no faces",
    wire: "no faces",
    no_area: "collapsed",
    not_a_number: "number",
    too_large: "scale looks wrong",
    too_small: "scale looks wrong",
    flat_scale: "",
    hand_inside: "inside 'Ball'",
    own_skin: "skin of",
    on_a_finger: "hangs on the bone",
    collection_instance: "instance of a collection",
    edit_mode: "edit mode",
    uneven: "scaled unevenly",
    rest_position: "rest position",
    nowhere: "not a number",
}


@pytest.mark.parametrize("make", list(REFUSED), ids=lambda make: make.__name__)
def test_what_cannot_be_held_is_refused_in_a_sentence_and_nothing_changes(make: Callable[[Scene], Scene]) -> None:
    scene = make(demo(prop="ball").face())
    update()
    before = scenes.everything()
    with pytest.raises(PrehendError) as refusal:
        scene.close()
    sentence = str(refusal.value)
    assert REFUSED[make] in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence
    # Not-a-number is never equal to itself, but is written alike.
    assert repr(scenes.everything()) == repr(before)


@pytest.mark.parametrize(
    "request_", [CloseRequest(movement="wave"), CloseRequest(fingers=frozenset({"toe"})), CloseRequest(limits="none")]
)
def test_unknown_choices_name_what_there_is(request_: CloseRequest) -> None:
    scene = demo(prop="ball").face()
    before = scenes.everything()
    with pytest.raises(PrehendError, match=r"index|power_sphere|static"):
        scene.close(request_)
    assert scenes.everything() == before


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (camera, "'Camera' is of the type camera"),
        (collection_instance, "'Instance' is an instance of a collection"),
        (on_a_finger, "hangs on the bone"),
        (own_skin, "Pick the prop"),
        (no_area, "'Needle'"),
    ],
)
def test_what_is_selected_with_the_armature_is_told_what_is_wrong_with_it(
    make: Callable[[Scene], Scene], words: str
) -> None:
    scene = make(demo(prop="ball").face())
    forget_surfaces()
    update()

    def close() -> None:
        prop = choose_prop(scene.armature, [scene.armature, scene.prop], None)
        close_fingers(scene.armature, scene.hand, prop, CloseRequest(), view_layer=bpy.context.view_layer)

    with pytest.raises(PrehendError, match=words):
        close()


def test_the_operator_reports_and_cancels() -> None:
    scene = too_large(demo(prop="ball").face())
    update()
    before = scenes.everything()
    with pytest.raises(RuntimeError, match="scale looks wrong"):
        bpy.ops.prehend.close_fingers()
    scenes.select(scene.armature)
    with pytest.raises(RuntimeError, match="Pick the prop"):
        bpy.ops.prehend.close_fingers()
    assert scenes.everything() == before
    assert not len(scene.armature.data.prehend.contacts.fingers)


def test_a_prop_that_is_not_there_is_named() -> None:
    demo(prop="ball").face()
    with pytest.raises(RuntimeError, match="no object 'Bal'"):
        bpy.ops.prehend.close_fingers(prop="Bal")


def test_a_picked_prop_that_was_deleted_is_told() -> None:
    scene = demo(prop="ball").face()
    bpy.context.scene.prehend.prop = scene.prop
    scenes.select(scene.armature)
    with bpy.context.temp_override(selected_objects=[scene.prop]):
        bpy.ops.object.delete()
    before = scenes.everything()
    for operator in (bpy.ops.prehend.close_fingers, bpy.ops.prehend.grasp):
        with pytest.raises(RuntimeError, match="'Ball' was deleted"):
            operator()
    assert scenes.everything() == before


def test_instances_of_geometry_nodes_are_told() -> None:
    scene = demo(prop="ball").face()
    tree = bpy.data.node_groups.new("Instances", "GeometryNodeTree")
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    points, shape, on, out = (
        tree.nodes.new(kind)
        for kind in (
            *("GeometryNodeMeshLine", "GeometryNodeMeshUVSphere", "GeometryNodeInstanceOnPoints"),
            "NodeGroupOutput",
        )
    )
    tree.links.new(points.outputs[0], on.inputs["Points"])
    tree.links.new(shape.outputs[0], on.inputs["Instance"])
    tree.links.new(on.outputs[0], out.inputs[0])
    scene.prop.modifiers.new("Instances", "NODES").node_group = tree
    with pytest.raises(PrehendError, match="Realize Instances"):
        scene.close()


def test_several_objects_that_may_be_meant_are_named() -> None:
    scene = demo(prop="ball").face()
    other = scenes.box_object("Crate", 0.1)
    scenes.select(scene.armature, scene.prop, other)
    with pytest.raises(RuntimeError, match="'Ball', 'Crate'"):
        bpy.ops.prehend.close_fingers()


def test_fingers_that_go_through_from_inside_are_told() -> None:
    scene = demo(prop=None)
    open_hand(scene.armature, scene.hand, SPHERE, view_layer=bpy.context.view_layer)
    update()
    bone = scene.armature.pose.bones[scene.hand.finger("index").chain[-1]]
    scene.prop = scenes.box_object("Crate", [0.022, 0.03, 0.03])
    scene.prop.location = scene.armature.matrix_world @ ((bone.head + bone.tail) / 2.0)
    assert "Index starts inside 'Crate': move the hand out of it." in scene.close().notes


def test_fingers_that_stay_inside_are_told() -> None:
    scene = demo(prop="mug").face(CloseRequest())
    scene.prop.scale = (1.0, 2.0, 1.0)
    report = scene.close(CloseRequest())
    deep = [finger.name for finger in report.fingers if finger.gap_mm < -1.5]
    assert deep
    assert report.notes == (f"{', '.join(deep).capitalize()} start inside 'Mug': move the hand out of it.",)


def flipped(scene: Scene) -> None:
    scene.prop.data.flip_normals()


def one_face_flipped(scene: Scene) -> None:
    import bmesh

    shape = bmesh.new()
    shape.from_mesh(scene.prop.data)
    shape.faces.ensure_lookup_table()
    for face in list(shape.faces)[::3]:
        face.normal_flip()
    shape.to_mesh(scene.prop.data)
    shape.free()


def intersecting(scene: Scene) -> None:
    """A second ball in the same mesh, a little aside and smaller, and doubled faces."""
    mesh = scene.prop.data
    vertices = np.array([vertex.co[:] for vertex in mesh.vertices])
    faces = [tuple(face.vertices) for face in mesh.polygons]
    second = [tuple(k + len(vertices) for k in face) for face in faces]
    middle = (vertices.min(axis=0) + vertices.max(axis=0)) / 2.0
    more = (vertices - middle) * 0.8 + middle + [0.006, 0.0, 0.0]
    mesh.clear_geometry()
    mesh.from_pydata(np.concatenate([vertices, more]).tolist(), [], faces + second)


def carried_by_the_wrist(scene: Scene) -> None:
    place = scene.prop.matrix_world.copy()
    scene.prop.parent, scene.prop.parent_type, scene.prop.parent_bone = scene.armature, "BONE", scene.hand.wrist
    update()
    scene.prop.matrix_world = place


def child(scene: Scene) -> None:
    place = scene.prop.matrix_world.copy()
    scene.prop.parent = scene.armature
    update()
    scene.prop.matrix_world = place


def parent(scene: Scene) -> None:
    place = scene.armature.matrix_world.copy()
    scene.armature.parent = scene.prop
    update()
    scene.armature.matrix_world = place


def hidden(scene: Scene) -> None:
    scene.prop.hide_set(True)


def hidden_in_renders_too(scene: Scene) -> None:
    scene.prop.hide_render = scene.prop.hide_viewport = True


def not_in_the_view_layer(scene: Scene) -> None:
    bpy.context.scene.collection.objects.unlink(scene.prop)


def sharing_its_mesh(scene: Scene) -> None:
    """Another object shows the same mesh, elsewhere and in another size."""
    other = linked_in(bpy.data.objects.new("Twin", scene.prop.data))
    other.location, other.scale = (1.0, 0.0, 0.0), (2.0, 1.0, 1.0)
    update()
    surface_of(other, bpy.context.view_layer.depsgraph)


ACCEPTED = [
    flipped,
    sharing_its_mesh,
    one_face_flipped,
    intersecting,
    carried_by_the_wrist,
    child,
    parent,
    hidden,
    hidden_in_renders_too,
    not_in_the_view_layer,
]


@pytest.mark.parametrize("change", ACCEPTED)
def test_odd_props_are_held(change: Callable[[Scene], None]) -> None:
    scene = demo(prop="ball").face()
    forget_surfaces()
    change(scene)
    update()
    before = scenes.everything()
    report = scene.close()
    touching = [finger for finger in report.fingers if finger.touching]
    assert len(touching) >= 4, report.sentence()
    assert scenes.skin_depth_mm(scene) <= 0.5
    after = scenes.everything()
    assert all(after[obj.name] == before[obj.name] for obj in bpy.data.objects), "no object moved"


def test_a_plane_is_a_sheet_and_is_told() -> None:
    scene = demo(prop=None)
    corners = [(-0.05, 0.0, -0.05), (0.05, 0.0, -0.05), (0.05, 0.0, 0.05), (-0.05, 0.0, 0.05)]
    scene.prop = scenes.mesh_object("Sheet", corners, [(0, 1, 2, 3)])
    report = scene.face().close()
    assert any(finger.touching for finger in report.fingers)
    assert any("thick" in note for note in report.notes), report.notes
    assert report.deepest_mm <= 0.5


def test_locked_bones_are_left_and_told() -> None:
    scene = demo(prop="ball").face()
    bone = scene.armature.pose.bones[scene.hand.fingers[1].chain[0]]
    bone.lock_rotation, bone.lock_rotation_w = (True, True, True), True
    before = scenes.channels(bone)
    report = scene.close()
    assert scenes.channels(bone) == before
    assert bone.name in report.locked
    assert bone.name in report.sentence()


@pytest.fixture
def library(tmp_path: Path) -> Path:
    demo(prop="ball").face()
    path = tmp_path / "library.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    bpy.ops.wm.read_homefile(use_empty=True)
    return path


def test_linked_props_are_held(library: Path) -> None:
    scene = demo(prop=None)
    with bpy.data.libraries.load(str(library), link=True) as (_, wanted):
        wanted.objects = ["Ball"]
    scene.prop = linked_in(wanted.objects[0])
    update()
    assert_touching(scene, scene.close(), least=4)


def test_linked_armatures_are_refused(library: Path) -> None:
    with bpy.data.libraries.load(str(library), link=True) as (found, wanted):
        wanted.objects = list(found.objects)
    for obj in wanted.objects:
        linked_in(obj)
    armature = next(obj for obj in wanted.objects if obj.type == "ARMATURE")
    update()
    from addon.services.poses import hands_of

    scene = Scene(armature, hands_of(armature)[0], bpy.data.objects["Ball"])
    before = scenes.everything()
    with pytest.raises(PrehendError, match="linked from another file"):
        scene.close(SPHERE)
    assert scenes.everything() == before
