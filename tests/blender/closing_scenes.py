# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hands before props, and what the skin that is shown does at them, for the tests of closing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from addon.core.handmap import HandMap
from addon.rig.skin import skin_objects
from addon.rig.surface import read_triangles
from addon.services.closing import CloseRequest, close_fingers
from addon.services.closing_report import CloseReport
from addon.services.demo import HandSpec, Placement, add_demo_hand, add_demo_prop
from addon.services.facing import face_palm
from addon.services.poses import hands_of
from addon.services.posture import model_of
from addon.solvers.surface import build_surface

DEEPEST_MM = 0.5
GAP_MM = 0.2
SPHERE = CloseRequest(movement="power_sphere")


@dataclass
class Scene:
    """A hand and what it closes on."""

    armature: Any
    hand: HandMap
    prop: Any = None

    @property
    def skin(self) -> Any:
        return skin_objects(self.armature, bpy.context.view_layer.objects)[0]

    def face(self, request: CloseRequest = SPHERE) -> Scene:
        update()
        face_palm(self.armature, self.hand, self.prop, request, view_layer=bpy.context.view_layer)
        return self

    def close(self, request: CloseRequest = SPHERE, obstacles: tuple[Any, ...] = ()) -> CloseReport:
        update()
        layer = bpy.context.view_layer
        return close_fingers(self.armature, self.hand, self.prop, request, view_layer=layer, obstacles=obstacles)


def update() -> None:
    bpy.context.view_layer.update()


def demo(variant: str = "human", side: str = "R", *, prop: str | None = "ball", matrix: Matrix | None = None) -> Scene:
    """A demo hand, and a prop that is not placed yet."""
    placement = Placement(bpy.context.scene.collection, bpy.context.view_layer)
    added = add_demo_hand(placement, HandSpec(variant=variant, side=side))
    armature = bpy.data.objects[added.armature]
    if matrix is not None:
        armature.matrix_world = matrix
        update()
    scene = Scene(armature, hands_of(armature)[0])
    if prop is not None:
        scene.prop = bpy.data.objects[add_demo_prop(placement, prop)]
    select(armature, scene.prop)
    return scene


def select(armature: Any, *others: Any) -> None:
    """The armature active, the others selected with it."""
    for obj in bpy.context.view_layer.objects:
        obj.select_set(obj == armature or obj in others)
    bpy.context.view_layer.objects.active = armature


def mesh_object(name: str, vertices: Any, faces: Any) -> Any:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([tuple(map(float, each)) for each in vertices], [], [tuple(map(int, each)) for each in faces])
    obj = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(obj)
    return obj


def box_object(name: str, size: Any) -> Any:
    corners = [[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return mesh_object(name, np.array(corners) * size, faces)


def shown_skin(scene: Scene) -> np.ndarray:
    """World positions of all vertices of the skin as Blender evaluates it. Shape (n, 3)."""
    evaluated = scene.skin.evaluated_get(bpy.context.evaluated_depsgraph_get())
    matrix = np.array(evaluated.matrix_world)
    points = np.array([vertex.co[:] for vertex in evaluated.data.vertices])
    return points @ matrix[:3, :3].T + matrix[:3, 3]


def skin_depth_mm(scene: Scene, obj: Any = None) -> float:
    """How deep the deepest vertex of the shown skin is in an object; negative where all are outside."""
    found = read_triangles(obj or scene.prop, bpy.context.evaluated_depsgraph_get())
    surface = build_surface(found.vertices, found.triangles)
    return -1e3 * float(surface.exact_distance(shown_skin(scene)).min())


def deepest_in_skin_mm(scene: Scene, obj: Any) -> float:
    """How deep the deepest vertex of an object is in the shown skin; negative where all are outside."""
    graph = bpy.context.evaluated_depsgraph_get()
    skin, found = read_triangles(scene.skin, graph), read_triangles(obj, graph)
    return -1e3 * float(build_surface(skin.vertices, skin.triangles).exact_distance(found.vertices).min())


def assert_touching(scene: Scene, report: CloseReport, *, least: int) -> None:
    """Enough fingers touch, none too deep, and the report tells what is shown."""
    touching = [finger for finger in report.fingers if finger.touching]
    assert len(touching) >= least, report.sentence()
    assert all(-DEEPEST_MM <= finger.gap_mm <= GAP_MM and finger.bones for finger in touching), report
    depth = skin_depth_mm(scene)
    assert depth <= DEEPEST_MM
    # Of skins with few vertices, places between them count, too.
    skin = model_of(scene.armature, scene.hand).skin
    sparse = skin is not None and bool(np.any(skin.between))
    assert -2e-3 < report.deepest_mm - max(depth, 0.0) < (DEEPEST_MM if sparse else 2e-3), (
        "the report tells what is shown"
    )


def everything() -> dict[str, Any]:
    """Pose channels, object matrices and actions of the whole file."""
    found: dict[str, Any] = {}
    for obj in bpy.data.objects:
        found[obj.name] = [tuple(row) for row in obj.matrix_world], [tuple(row) for row in obj.matrix_basis]
        for bone in obj.pose.bones if obj.pose else ():
            found[f"{obj.name}/{bone.name}"] = channels(bone)
    found["actions"] = len(bpy.data.actions)
    found["meshes"] = len(bpy.data.meshes)
    return found


def channels(bone: Any) -> tuple[Any, ...]:
    turns = (*bone.rotation_quaternion, *bone.rotation_euler, *bone.rotation_axis_angle)
    return (*bone.location, *turns, *bone.scale, bone.rotation_mode)
