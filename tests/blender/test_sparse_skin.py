# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hands with few vertices: thin things do not slip between them."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from addon.services.closing_hands import closing_skin
from addon.services.demo import HandSpec, Placement, add_demo_hand, add_demo_prop
from addon.services.grasp_facts import shared_volume
from addon.services.grasping import GraspRequest, grasp
from addon.services.poses import hands_of
from addon.services.posture import model_of
from addon.services.surfaces import surface_of


def _sparse_hand(share: float) -> tuple[Any, Any]:
    """A demo hand with so much of its vertices, and its skin."""
    scene, layer = bpy.context.scene, bpy.context.view_layer
    made = add_demo_hand(Placement(scene.collection, layer), HandSpec())
    armature, skin = bpy.data.objects[made.armature], bpy.data.objects[made.mesh]
    own = [modifier for modifier in skin.modifiers if modifier.type == "ARMATURE"]
    fewer = skin.modifiers.new("Fewer", "DECIMATE")
    fewer.ratio = share
    for modifier in own:
        modifier.show_viewport = False
    graph = bpy.context.evaluated_depsgraph_get()
    skin.data = bpy.data.meshes.new_from_object(
        skin.evaluated_get(graph), preserve_all_data_layers=True, depsgraph=graph
    )
    skin.modifiers.remove(fewer)
    for modifier in own:
        modifier.show_viewport = True
    layer.update()
    return armature, skin


def test_points_between_vertices_are_touched_and_measure_nothing() -> None:
    armature, skin = _sparse_hand(0.08)
    model = model_of(armature, hands_of(armature)[0], objects=[skin])
    assert model.skin is not None
    assert model.skin.between is not None
    vertices = int((~model.skin.between).sum())
    assert vertices <= len(skin.data.vertices)
    assert model.skin.between.sum() > vertices
    assert len(closing_skin(model).fine.probes.points) == len(model.skin.points)
    np.testing.assert_allclose(model.skin.weights.sum(axis=1), 1.0)


def test_a_pencil_does_not_go_through_a_sparse_hand() -> None:
    armature, skin = _sparse_hand(0.08)
    scene, layer = bpy.context.scene, bpy.context.view_layer
    pencil = bpy.data.objects[add_demo_prop(Placement(scene.collection, layer, (0.4, 0.1, 0.02)), "pencil")]
    layer.update()
    grasp(armature, hands_of(armature)[0], pencil, GraspRequest(attempts=2), view_layer=layer)
    volume = shared_volume([skin], surface_of(pencil, layer.depsgraph), depsgraph=layer.depsgraph)
    assert volume is not None
    assert 1e6 * volume < 0.1


def test_a_bare_armature_holds_a_marble_between_its_pads() -> None:
    armature, skin = _sparse_hand(0.5)
    bpy.data.objects.remove(skin)
    scene, layer = bpy.context.scene, bpy.context.view_layer
    layer.update()
    marble = bpy.data.objects[add_demo_prop(Placement(scene.collection, layer, (0.4, 0.1, 0.02)), "marble")]
    layer.update()
    _, found = grasp(armature, hands_of(armature)[0], marble, GraspRequest(attempts=2), view_layer=layer)
    assert found.candidates[0].terms["opposition"] > 0.8


def test_a_wire_is_held_where_the_pads_meet() -> None:
    scene, layer = bpy.context.scene, bpy.context.view_layer
    made = add_demo_hand(Placement(scene.collection, layer), HandSpec())
    bpy.ops.mesh.primitive_cylinder_add(
        vertices=10, radius=0.0012, depth=0.3, location=(0.4, 0.1, 0.0), rotation=(0, 1.57, 0)
    )
    wire = bpy.context.object
    layer.update()
    armature = bpy.data.objects[made.armature]
    _, found = grasp(armature, hands_of(armature)[0], wire, GraspRequest(attempts=2), view_layer=layer)
    assert found.candidates[0].terms["opposition"] > 0.4
