# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The body of a hand's own character is in its way; its own arm and what it takes are not."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from addon.rig.read import read_pose
from addon.services.closing import CloseRequest, close_fingers, open_hand
from addon.services.facing import face_palm
from addon.services.poses import hands_of
from addon.services.posture import model_of
from addon.services.targets import obstacles_round
from addon.services.walls import body_wall
from tests.blender.arm_rigs import add_arm_hand, add_prop
from tests.real_files import HANDS, WHY

HUMAN = HANDS / "mpfb_human_game_engine.blend"
AWAY = (2.0, 0.0, 0.0)


def _add_belly(armature: Any, at: Vector, *, bone: str, size: float = 0.05) -> Any:
    """A cube of skin that a bone carries, made of the rest place so that it stands at `at` in the world now."""
    mesh = bpy.data.meshes.new("Belly")
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh.from_pydata([at + size * Vector(each) for each in corners], [], faces)
    belly = bpy.data.objects.new("Belly", mesh)
    bpy.context.scene.collection.objects.link(belly)
    belly.parent = armature
    belly.matrix_parent_inverse = armature.matrix_world.inverted()
    group = belly.vertex_groups.new(name=bone)
    group.add(list(range(8)), 1.0, "REPLACE")
    belly.modifiers.new("Armature", "ARMATURE").object = armature
    bpy.context.view_layer.update()
    return belly


def _wall(armature: Any, hand: Any, prop: Any) -> Any:
    layer = bpy.context.view_layer
    model = model_of(armature, hand, objects=layer.objects)
    centre = read_pose(armature, model).T_world_hand[:3, 3]
    return body_wall(armature, model, prop=prop, view_layer=layer, centre=centre, radius=0.4)


def _deforming(armature: Any) -> None:
    for bone in armature.data.bones:
        bone.use_deform = True


def test_skin_of_the_chest_is_a_wall_and_skin_of_the_arm_is_none() -> None:
    armature, hand = add_arm_hand()
    _deforming(armature)
    prop = add_prop("ball", AWAY)
    assert _wall(armature, hand, prop) is None, "a hand on an arm alone has no body"
    arm = _add_belly(armature, Vector((0.0, 0.1, -0.05)), bone="forearm.R")
    assert _wall(armature, hand, prop) is None
    chest = _add_belly(armature, Vector((0.0, 0.1, 0.1)), bone="chest.R")
    wall = _wall(armature, hand, prop)
    assert wall is not None
    np.testing.assert_allclose(wall.vertices.mean(axis=0), [0.0, 0.1, 0.1], atol=1e-5)
    assert _wall(armature, hand, chest) is None, "what is taken is no wall"
    armature.pose.bones["chest.R"].location = (0.0, 0.02, 0.0)
    bpy.context.view_layer.update()
    moved = _wall(armature, hand, prop)
    assert np.linalg.norm(moved.vertices.mean(axis=0) - wall.vertices.mean(axis=0)) > 0.019, "as it is posed"
    chest.hide_set(True)
    assert _wall(armature, hand, prop) is None, "what is hidden is in nobody's way"
    assert arm.name in bpy.data.objects


def test_fingers_stop_before_the_body() -> None:
    armature, hand = add_arm_hand()
    _deforming(armature)
    layer = bpy.context.view_layer
    prop = add_prop("ball", AWAY)
    model = model_of(armature, hand, objects=layer.objects)
    frame = Matrix(read_pose(armature, model).T_world_hand.tolist())
    prop.matrix_world = Matrix.Translation(frame @ Vector((0.0, -0.062, 0.085)))
    _add_belly(armature, frame @ Vector((-0.02, -0.118, 0.13)), bone="chest.R", size=0.045)
    layer.update()
    wall = _wall(armature, hand, prop)
    assert wall is not None

    def nearest() -> float:
        skin = next(each for each in layer.objects if each.type == "MESH" and each.name not in ("Belly", prop.name))
        shown = skin.evaluated_get(layer.depsgraph)
        mesh = shown.to_mesh()
        places = np.array([list(shown.matrix_world @ vertex.co) for vertex in mesh.vertices])
        shown.to_mesh_clear()
        return float(wall.exact_distance(places).min())

    obstacles = obstacles_round(armature, prop, layer)
    assert obstacles[-1] == armature
    close_fingers(armature, hand, prop, CloseRequest("power_sphere"), view_layer=layer, obstacles=[])
    assert nearest() < 0.0, "without obstacles the fingers go through it"
    close_fingers(armature, hand, prop, CloseRequest("power_sphere"), view_layer=layer, obstacles=obstacles)
    assert nearest() > 0.0


@pytest.mark.skipif(not HUMAN.exists(), reason=WHY)
def test_a_humans_body_is_read_without_its_arm() -> None:
    bpy.ops.wm.open_mainfile(filepath=str(HUMAN))
    layer = bpy.context.view_layer
    armature = next(each for each in layer.objects if each.type == "ARMATURE")
    hand = next(each for each in hands_of(armature) if each.side == "R")
    model = model_of(armature, hand, objects=layer.objects)
    wrist = read_pose(armature, model).T_world_hand[:3, 3]
    wall = body_wall(armature, model, prop=None, view_layer=layer, centre=wrist, radius=1.2)
    assert wall is not None
    assert wall.exact_distance(wrist[None])[0] > 0.1, "no skin of its own hand"
    assert len(wall.vertices) > 1000, "trunk and legs"


def test_a_body_in_the_prop_is_not_taken_for_the_hand() -> None:
    armature, hand = add_arm_hand()
    _deforming(armature)
    layer, request = bpy.context.view_layer, CloseRequest(movement="power_sphere")
    ball = add_prop("ball", AWAY)
    face_palm(armature, hand, ball, request, view_layer=layer)
    alone = close_fingers(armature, hand, ball, request, view_layer=layer)
    open_hand(armature, hand, request, view_layer=layer)
    middle = sum((ball.matrix_world @ Vector(corner) for corner in ball.bound_box), Vector()) / 8.0
    _add_belly(armature, middle, bone="chest.R", size=0.005)
    beside = close_fingers(armature, hand, ball, request, view_layer=layer)
    assert beside.deepest_mm <= 0.5
    assert [finger.touching for finger in beside.fingers] == [finger.touching for finger in alone.fingers]
