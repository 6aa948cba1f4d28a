# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Grasp takes things by the part that a person would take: grips, not barrels; rims, not the middle of a wall."""

from __future__ import annotations

from itertools import product
from typing import Any

import bpy
import numpy as np
import pytest

from addon.rig.read import read_pose
from addon.services.closing_report import contact_points
from addon.services.demo import HandSpec, Placement, add_demo_hand, add_demo_prop
from addon.services.files import open_character
from addon.services.grasp_hooks import find_prop_hooks
from addon.services.grasping import GraspRequest, grasp
from addon.services.poses import hands_of
from addon.services.posture import model_of
from addon.services.sizes import hook_fields
from addon.services.surfaces import surface_of
from tests.real_files import HANDS, WHY


def _object(vertices: Any, faces: Any) -> Any:
    data = bpy.data.meshes.new("thing")
    data.from_pydata(np.asarray(vertices).tolist(), [], [list(map(int, each)) for each in faces])
    obj = bpy.data.objects.new("thing", data)
    bpy.context.scene.collection.objects.link(obj)
    return obj


def _boxes(*boxes: tuple[tuple[float, float, float], tuple[float, float, float]]) -> Any:
    """One mesh of boxes by their sizes and middles in [m]."""
    corners = np.array(list(product((-0.5, 0.5), repeat=3)))
    quads = np.array([(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])
    vertices = [corners * size + middle for size, middle in boxes]
    return _object(np.concatenate(vertices), np.concatenate([quads + 8 * k for k in range(len(boxes))]))


def _vessel(radius: float, height: float, wall: float, count: int = 48) -> Any:
    """A round vessel that is open above."""
    outline = [(0.0, 0.0), (radius, 0.0), (radius, height), (radius - wall, height), (radius - wall, wall), (0.0, wall)]
    turns = np.arange(count) * 2.0 * np.pi / count
    vertices = np.array([(r * np.cos(turn), r * np.sin(turn), z) for r, z in outline[1:-1] for turn in turns])
    last = len(vertices)
    faces: list[Any] = []
    for k, after in enumerate(np.roll(np.arange(count), -1)):
        faces += [(ring + k, ring + after, ring + count + after, ring + count + k) for ring in count * np.arange(3)]
        faces += [(last, after, k), (last + 1, 3 * count + k, 3 * count + after)]
    return _object(np.vstack([vertices, (0.0, 0.0, 0.0), (0.0, 0.0, wall)]), faces)


def _hand() -> tuple[Any, Any]:
    layer = bpy.context.view_layer
    made = add_demo_hand(Placement(bpy.context.scene.collection, layer), HandSpec())
    layer.update()
    armature = bpy.data.objects[made.armature]
    return armature, hands_of(armature)[0]


def test_a_pistol_is_held_by_its_grip() -> None:
    armature, hand = _hand()
    grip = ((0.036, 0.028, 0.1), (-0.06, 0.0, 0.05))
    thing = _boxes(((0.19, 0.028, 0.036), (0.015, 0.0, 0.115)), grip)
    layer = bpy.context.view_layer
    layer.update()
    _, search = grasp(armature, hand, thing, GraspRequest(), view_layer=layer)
    touched = contact_points(search.model, read_pose(armature, search.model), surface_of(thing, layer.depsgraph))
    points = np.array([each.point for each in touched])
    on_grip = (points[:, 2] < 0.1) & (np.abs(points[:, 0] - grip[1][0]) < 0.03)
    assert len(points) >= 5
    # Thumb and index finger may lie on the frame above it.
    assert on_grip.mean() > 0.5


@pytest.mark.parametrize("size", [(0.12, 0.12, 0.12), (0.125, 0.11, 0.13)])
def test_what_a_hand_can_only_span_is_taken_all_the_same(size: tuple[float, float, float]) -> None:
    armature, hand = _hand()
    thing = _boxes((size, (0.0, 0.0, size[2] / 2.0)))
    bpy.context.view_layer.update()
    report, _ = grasp(armature, hand, thing, GraspRequest(), view_layer=bpy.context.view_layer)
    assert sum(finger.touching for finger in report.fingers) >= 2
    assert report.deepest_mm <= 0.5


def test_the_wall_of_a_bucket_is_taken_near_its_rim_alone() -> None:
    armature, hand = _hand()
    bucket = _vessel(0.13, 0.25, 0.0025)
    layer = bpy.context.view_layer
    layer.update()
    surface = surface_of(bucket, layer.depsgraph)
    model = model_of(armature, hand, objects=layer.objects)
    angles = np.linspace(0.0, 6.0, 200)
    inside = np.stack([0.1286 * np.cos(angles), 0.1286 * np.sin(angles), np.linspace(0.02, 0.23, 200)], axis=1)
    assert (hook_fields(surface, model)[0](surface.to_frame(inside)) < 0.0).all()
    walls = [each for each in find_prop_hooks(armature, hand, bucket, view_layer=layer) if each.point[2] > 0.01]
    assert walls
    assert all(each.point[2] > 0.18 for each in walls)


@pytest.mark.skipif(not (HANDS / "Hand_Nails_R.gltf").exists(), reason=WHY)
@pytest.mark.parametrize("side", ["L", "R"])
def test_thick_fingers_go_through_a_mugs_handle_too(side: str) -> None:
    open_character(HANDS / f"Hand_Nails_{side}.gltf")
    armature = next(each for each in bpy.data.objects if each.type == "ARMATURE")
    layer = bpy.context.view_layer
    mug = bpy.data.objects[add_demo_prop(Placement(bpy.context.scene.collection, layer), "mug")]
    layer.update()
    _, found = grasp(armature, hands_of(armature, side=side)[0], mug, GraspRequest(), view_layer=layer)
    assert found.records()[0].preshape is not None, "not round the body, which is held as well as the handle"
