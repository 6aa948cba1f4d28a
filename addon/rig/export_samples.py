# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where bones and objects are at every frame, read in a scene beside the one that the user sees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ..core.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Motion:
    """An armature, its bones and objects at consecutive frames."""

    frames: IntArray
    """Frame numbers, ascending. Shape (n,)."""
    armature: FloatArray
    """The armature object in the world. Shape (n, 4, 4)."""
    bones: FloatArray
    """Pose matrices in the armature's space. Shape (n, b, 4, 4)."""
    objects: dict[str, FloatArray]
    """Other objects in the world by full name. Shapes (n, 4, 4)."""


def sample_motion(
    scene: Any, armature: Any, bone_names: Sequence[str], objects: Sequence[Any], frames: Sequence[int]
) -> Iterator[float | Motion]:
    """Step through the frames of a side scene, giving the share that is done after each, and last the motion.

    Args:
        scene: A side scene; the objects are linked to it, where nothing hides them.
        armature: The armature object.
        bone_names: Bones to read. Length b.
        objects: Other objects to read.
        frames: Which frames.
    """
    for obj in (armature, *objects):
        if obj.name not in scene.collection.objects:
            scene.collection.objects.link(obj)
    layer = scene.view_layers[0]
    places = np.empty((len(frames), 4, 4))
    bones = np.empty((len(frames), len(bone_names), 4, 4))
    others = {obj.name_full: np.empty((len(frames), 4, 4)) for obj in objects}
    for k, frame in enumerate(frames):
        scene.frame_set(frame)
        layer.update()
        depsgraph = layer.depsgraph
        shown = armature.evaluated_get(depsgraph)
        places[k] = shown.matrix_world
        pose = shown.pose.bones
        for b, name in enumerate(bone_names):
            bones[k, b] = pose[name].matrix
        for obj in objects:
            others[obj.name_full][k] = obj.evaluated_get(depsgraph).matrix_world
        yield (k + 1) / len(frames)
    yield Motion(np.array(frames, dtype=np.int64), places, bones, others)


def shown_mesh(scene: Any, obj: Any) -> Any:
    """A new mesh of what an object of any kind with faces shows in a side scene, with its materials."""
    layer = scene.view_layers[0]
    depsgraph = layer.depsgraph
    mesh = bpy.data.meshes.new_from_object(
        obj.evaluated_get(depsgraph), preserve_all_data_layers=True, depsgraph=depsgraph
    )
    _take_materials(mesh, obj)
    return mesh


def skin_mesh(scene: Any, obj: Any) -> Any:
    """A new mesh of a skin before its armature moves it, other modifiers applied.

    Shape keys stay where no other modifier is there; else they are mixed in, as they cannot go through one.
    """
    others = [each for each in obj.modifiers if each.type != "ARMATURE" and each.show_viewport]
    if not others:
        mesh = obj.data.copy()
        if mesh.shape_keys is not None and mesh.shape_keys.animation_data is not None:
            mesh.shape_keys.animation_data_clear()
        _take_materials(mesh, obj)
        return mesh
    double = obj.copy()
    double.animation_data_clear()
    double.parent, double.hide_viewport = None, False
    double.matrix_world = obj.matrix_world
    for modifier in [each for each in double.modifiers if each.type == "ARMATURE"]:
        double.modifiers.remove(modifier)
    scene.collection.objects.link(double)
    scene.view_layers[0].update()
    mesh = shown_mesh(scene, double)
    bpy.data.objects.remove(double)
    return mesh


def _take_materials(mesh: Any, obj: Any) -> None:
    """Materials that are kept with the object rather than with its mesh."""
    for number, slot in enumerate(obj.material_slots):
        if slot.link == "OBJECT" and number < len(mesh.materials):
            mesh.materials[number] = slot.material
