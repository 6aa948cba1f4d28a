# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A small photo studio: camera, three lights and a seamless backdrop that fit what is photographed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ..compat import use_shader_nodes
from ..core.arrays import FloatArray
from ..shapes.mesh import mesh_from_faces
from .objects import create_mesh_object
from .stands import Ground, add_stands

_LENS_MM = 85.0
_SENSOR_MM = 36.0
_CENTRINGS = 6
"""Times that a camera is moved so that the subject is in the middle."""


@dataclass(frozen=True)
class View:
    """From where and how tightly a picture is taken."""

    azimuth_deg: float = 35.0
    """Turn of the camera about the vertical, 0 looks along +Y."""
    elevation_deg: float = 15.0
    """Height of the camera above the horizon."""
    margin: float = 1.12
    """Frame size over subject size."""


def evaluated_points(objects: list[Any], depsgraph: Any) -> FloatArray:
    """World positions of all vertices of the evaluated meshes in [m]. Shape (n, 3)."""
    clouds = [np.zeros((0, 3))]
    for obj in objects:
        if obj.type != "MESH":
            continue
        evaluated = obj.evaluated_get(depsgraph)
        mesh = evaluated.to_mesh()
        local = np.empty(3 * len(mesh.vertices), dtype=np.float32)
        mesh.vertices.foreach_get("co", local)
        matrix = np.array(evaluated.matrix_world)
        clouds.append(local.reshape(-1, 3).astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3])
        evaluated.to_mesh_clear()
    return np.concatenate(clouds)


def build_studio(scene: Any, points: FloatArray, view: View, *, ground: Ground | None = None) -> None:
    """Add camera, lights and backdrop round the given world points and make the camera the scene's.

    Args:
        scene: The scene.
        points: What has to be in the picture, in [m]. Shape (n, 3).
        view: From where.
        ground: What is below; a floor under the lowest point without.
    """
    center = (points.min(axis=0) + points.max(axis=0)) / 2.0
    radius = float(np.linalg.norm(points - center, axis=1).max())
    floor = float(points[:, 2].min()) if ground is None else ground.floor
    collection = bpy.data.collections.new("Studio")
    scene.collection.children.link(collection)
    camera = _camera(collection, points, view, aspect=scene.render.resolution_x / scene.render.resolution_y)
    scene.camera = camera
    right, up, back = (np.array(camera.matrix_world)[:3, k] for k in range(3))
    # Key from the upper left, fill from the right, rim from behind: sizes and powers follow the subject.
    for name, place, size, power in (
        ("Key", -1.9 * right + 2.2 * up + 2.4 * back, 1.6, 105.0),
        ("Fill", 2.8 * right + 0.6 * up + 1.6 * back, 2.6, 30.0),
        ("Rim", 1.4 * right + 2.2 * up - 2.6 * back, 1.4, 75.0),
    ):
        _light(collection, name, center + radius * place, center, size=size * radius, power=power * radius**2)
    _backdrop(collection, center, floor, radius, math.radians(view.azimuth_deg))
    if ground is not None:
        add_stands(collection, ground)
    world = bpy.data.worlds.new("Studio")
    background = use_shader_nodes(world).nodes["Background"]
    background.inputs["Color"].default_value = (0.9, 0.93, 1.0, 1.0)
    background.inputs["Strength"].default_value = 0.5
    scene.world = world


def _camera(collection: Any, points: FloatArray, view: View, *, aspect: float) -> Any:
    azimuth, elevation = math.radians(view.azimuth_deg), math.radians(view.elevation_deg)
    rotation = Matrix.Rotation(azimuth, 3, "Z") @ Matrix.Rotation(math.pi / 2.0 - elevation, 3, "X")
    axes = np.array(rotation)
    local = points @ axes
    middle = (local.min(axis=0) + local.max(axis=0)) / 2.0
    half = _SENSOR_MM / (2.0 * _LENS_MM)
    # The sensor's 36 mm lie along the longer side of the picture.
    tangent = np.array([half, half / aspect]) if aspect >= 1.0 else np.array([half * aspect, half])
    distance = 0.0
    for _ in range(_CENTRINGS):
        # Far enough for every point to fall inside the frame, each at its own depth.
        reach = np.abs(local[:, :2] - middle[:2]) * view.margin / tangent
        distance = float((reach.max(axis=1) + local[:, 2] - middle[2]).max())
        # What is near looks larger: the middle of the picture is not that of the box round the subject.
        seen = (local[:, :2] - middle[:2]) / (distance + middle[2] - local[:, 2])[:, None]
        middle[:2] += 0.5 * (seen.min(axis=0) + seen.max(axis=0)) * distance
    data = bpy.data.cameras.new("Camera")
    data.lens, data.sensor_width, data.clip_start = _LENS_MM, _SENSOR_MM, distance / 100.0
    camera = bpy.data.objects.new("Camera", data)
    position = axes @ (middle + np.array([0.0, 0.0, distance]))
    camera.matrix_world = Matrix.Translation(Vector(position.tolist())) @ rotation.to_4x4()
    collection.objects.link(camera)
    return camera


def _light(collection: Any, name: str, place: FloatArray, target: FloatArray, *, size: float, power: float) -> None:
    data = bpy.data.lights.new(name, type="AREA")
    data.shape, data.size, data.energy = "DISK", size, power
    light = bpy.data.objects.new(name, data)
    direction = Vector((target - place).tolist())
    light.matrix_world = (
        Matrix.Translation(Vector(place.tolist())) @ direction.to_track_quat("-Z", "Y").to_matrix().to_4x4()
    )
    collection.objects.link(light)


def _backdrop(collection: Any, center: FloatArray, floor: float, radius: float, azimuth: float) -> None:
    """A floor that bends up into a wall behind the subject, as seen from the camera."""
    bend, width, front, back = 2.5 * radius, 16.0 * radius, 10.0 * radius, 4.0 * radius
    angles = np.linspace(0.0, math.pi / 2.0, 24)
    profile = [(-front, 0.0), *((back + bend * math.sin(a), bend * (1.0 - math.cos(a))) for a in angles)]
    profile.append((back + bend, 14.0 * radius))
    turn = np.array([[math.cos(azimuth), -math.sin(azimuth)], [math.sin(azimuth), math.cos(azimuth)]])
    vertices = np.array([[x, y, z] for y, z in profile for x in (-width, width)])
    vertices[:, :2] = vertices[:, :2] @ turn.T + center[:2]
    vertices[:, 2] += floor
    faces = [(2 * k, 2 * k + 1, 2 * k + 3, 2 * k + 2) for k in range(len(profile) - 1)]
    create_mesh_object("Backdrop", mesh_from_faces(vertices, faces, material_names=("Prehend Backdrop",)), collection)
