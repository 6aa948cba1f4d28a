# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The model's skin against Blender's own armature modifier."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from addon.hands.build import build_model
from addon.hands.forward import forward
from addon.hands.model import HandModel
from addon.hands.skinning import deform_linear, deform_volume, only_vertices
from addon.presets.limits import load_limits
from addon.rig.read import read_pose
from addon.rig.skeletons import read_skeleton
from addon.rig.skin import read_skin, rest_coordinates, skin_objects
from addon.rig.write import write_angles
from addon.services.posture import model_of
from tests.blender.model_rigs import random_posture
from tests.blender.test_read_write_rigs import demo_rig, godot_rig


def evaluated_points(obj: Any) -> np.ndarray:
    """World positions of a mesh object's vertices after all modifiers."""
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    flat = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", flat)
    evaluated.to_mesh_clear()
    matrix = np.array(obj.matrix_world)
    return flat.reshape(-1, 3).astype(float) @ matrix[:3, :3].T + matrix[:3, 3]


def moved_skin(model: HandModel, angles: np.ndarray, *, volume: bool) -> np.ndarray:
    """Skin points in the hand's frame for a posture."""
    assert model.skin is not None
    rest, posed = forward(model, model.rest_angles), forward(model, angles)
    rotations = posed.rotations @ np.swapaxes(rest.rotations, -1, -2)
    translations = posed.origins - np.einsum("jab,jb->ja", rotations, rest.origins)
    return (deform_volume if volume else deform_linear)(model.skin, rotations, translations)


@pytest.mark.parametrize("volume", [False, True])
@pytest.mark.parametrize("rig", ["demo", "godot"])
@pytest.mark.parametrize("scale", [1.0, 0.1])
def test_skin_points_are_where_blender_puts_them(rig: str, volume: bool, scale: float) -> None:
    armature, hand = demo_rig("human", "R") if rig == "demo" else godot_rig("R")
    armature.matrix_world = Matrix.LocRotScale((0.2, 0.1, -0.3), Matrix.Rotation(0.8, 3, "X"), (scale,) * 3)
    layer = bpy.context.view_layer
    layer.update()
    skins = skin_objects(armature, bpy.data.objects)
    for obj in skins:
        for modifier in obj.modifiers:
            if modifier.type == "ARMATURE":
                modifier.use_deform_preserve_volume = volume
    model = model_of(armature, hand, objects=bpy.data.objects)
    assert model.skin is not None
    assert 500 < len(model.skin.points) <= 24_000
    # Those between vertices are their means, which moves as them only about.
    model = replace(model, skin=only_vertices(model.skin))
    assert model.skin is not None
    pose = read_pose(armature, model)
    rest_world = model.skin.points @ pose.T_world_hand[:3, :3].T + pose.T_world_hand[:3, 3]
    before = np.concatenate([evaluated_points(obj) for obj in skins])
    vertices = np.array([np.argmin(np.linalg.norm(before - p, axis=1)) for p in rest_world])
    assert np.linalg.norm(before[vertices] - rest_world, axis=1).max() < 1e-5 * scale
    angles = random_posture(model, 5)
    write_angles(armature, model, angles, view_layer=layer)
    after = np.concatenate([evaluated_points(obj) for obj in skins])[vertices]
    pose = read_pose(armature, model)
    mine = moved_skin(model, angles, volume=volume) @ pose.T_world_hand[:3, :3].T + pose.T_world_hand[:3, 3]
    assert np.linalg.norm(mine - after, axis=1).max() < 1e-5 * scale


def test_parts_parented_to_bones_are_skin_too() -> None:
    armature, hand = demo_rig("human", "R")
    for obj in skin_objects(armature, bpy.data.objects):
        bpy.data.objects.remove(obj)
    layer = bpy.context.view_layer
    bpy.ops.mesh.primitive_cube_add(size=0.01)
    part = bpy.context.object
    tip = armature.matrix_world @ armature.data.bones["index.distal.R"].head_local
    part.parent, part.parent_type, part.parent_bone = armature, "BONE", "index.distal.R"
    layer.update()
    part.matrix_world = Matrix.Translation(tip)
    layer.update()
    armature.pose.bones["index.proximal.R"].rotation_quaternion = (0.8, 0.6, 0.0, 0.0)
    layer.update()
    model = model_of(armature, hand, objects=bpy.data.objects)
    assert model.skin is not None
    assert len(only_vertices(model.skin).points) == 8
    assert set(model.skin.owners.tolist()) == {model.names.index("index.distal.R")}
    origin = forward(model, model.rest_angles).origins[model.names.index("index.distal.R")]
    assert np.allclose(model.skin.points.mean(axis=0), origin, atol=1e-5)


def test_shape_keys_and_masks_count() -> None:
    armature, hand = demo_rig("human", "R")
    skin = skin_objects(armature, bpy.data.objects)[0]
    skin.shape_key_add(name="Basis")
    longer = skin.shape_key_add(name="Longer")
    for point in longer.data:
        point.co.x += 0.02
    longer.value = 0.5
    bpy.context.view_layer.update()
    basis = np.array([v.co for v in skin.data.vertices])
    assert np.allclose(rest_coordinates(skin.data), basis + np.array([0.01, 0.0, 0.0]), atol=1e-6)
    group = skin.vertex_groups.new(name="Shown")
    group.add(list(range(0, len(skin.data.vertices), 2)), 1.0, "REPLACE")
    mask = skin.modifiers.new("Mask", "MASK")
    mask.vertex_group = "Shown"
    skeleton = read_skeleton(armature)
    whole = read_skin(armature, skeleton, [skin], centre=np.zeros(3), radius=1.0)
    mask.invert_vertex_group = True
    rest = read_skin(armature, skeleton, [skin], centre=np.zeros(3), radius=1.0)
    assert whole is not None
    assert rest is not None
    assert not set(map(tuple, whole.points.round(7))) & set(map(tuple, rest.points.round(7)))
    assert build_model(skeleton, hand, load_limits(), skin=whole).skin is not None


def test_capsules_follow_the_skin() -> None:
    """Nine of ten skin points of each phalanx lie within 4 mm of its capsule's surface."""
    armature, hand = demo_rig("human", "R")
    bpy.context.view_layer.update()
    model = model_of(armature, hand, objects=bpy.data.objects)
    assert model.skin is not None
    frames = forward(model, model.rest_angles)
    for k, j in enumerate(model.capsules.joints):
        if j < 0 or model.kinds[j] in ("metacarpal", "carpometacarpal"):
            continue
        own = (model.skin.points[model.skin.owners == j] - frames.origins[j]) @ frames.rotations[j]
        a, b = model.capsules.starts[k], model.capsules.ends[k]
        t = np.clip((own - a) @ (b - a) / ((b - a) @ (b - a)), 0.0, 1.0)
        radius = model.capsules.radii[k, 0] + t * (model.capsules.radii[k, 1] - model.capsules.radii[k, 0])
        gap = np.abs(np.linalg.norm(own - a - t[:, None] * (b - a), axis=1) - radius)
        assert np.quantile(gap, 0.9) < 4e-3, model.names[j]
