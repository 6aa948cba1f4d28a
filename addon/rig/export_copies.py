# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plain copies of an armature, its skins and props with every frame keyed: what exporters are given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ..compat import new_fcurve
from ..core.arrays import FloatArray, IntArray
from ..core.rotations import nearest_rotation
from ..core.skeleton import Skeleton
from ..core.transforms import Track, take_apart
from .armatures import create_armature_object
from .export_bones import ExportBones
from .export_samples import Motion

SHORTEST = 1e-4
"""Length given to bones that have none, as Blender removes such, as a share of the longest."""


@dataclass(frozen=True, eq=False)
class FileSpace:
    """How the world lies in the file."""

    T_file_world: FloatArray
    """What the exporter turns and scales the world by, so that it need not do it to nodes. Shape (4, 4)."""
    unit: float
    """Length of the scene's unit in [m]."""
    clean: bool
    """Whether that goes into meshes and bones rather than nodes."""

    @property
    def file_from_scene(self) -> FloatArray:
        """From what the user's scene has to what stands in the file. Shape (4, 4)."""
        return self.T_file_world @ np.diag([self.unit, self.unit, self.unit, 1.0])


def copy_armature(
    collection: Any, name: str, bones: ExportBones, motion: Motion, space: FileSpace, *, root_bone: str = ""
) -> tuple[Any, FloatArray]:
    """A new armature object with the motion keyed, and what maps the scene into its space at rest (4, 4).

    In a clean space the object stays in one place, and its root bones make the way that the armature object makes. One
    frame before the motion all bones are at rest.
    """
    reference = motion.armature[0]
    to_rest = space.file_from_scene @ reference if space.clean else np.eye(4)
    rest = to_rest @ bones.rest
    skeleton = _skeleton(bones, rest, float(np.linalg.norm(to_rest[:3, 1])), root_bone)
    armature = create_armature_object(name, skeleton, collection, connect=False)
    for bone in armature.data.bones:
        bone.inherit_scale = "FULL"
    # What Blender made of it, to the last bit.
    made = np.array([armature.data.bones[each].matrix_local for each in bones.names], dtype=np.float64)
    moved = motion.bones @ np.linalg.inv(bones.rest)
    if space.clean:
        to_file = space.file_from_scene @ motion.armature[:, None]
        moved = to_file @ moved @ np.linalg.inv(to_rest)
    wanted = moved @ made
    action = _assign_action(armature, name)
    actual = np.empty_like(wanted)
    frames = np.concatenate([motion.frames[:1] - 1, motion.frames])
    for b, bone in enumerate(bones.names):
        parent = int(bones.parents[b])
        # From where the parent really is: what cannot be keyed, as shear, does not add up along the chain.
        carried = actual[:, parent] @ np.linalg.inv(made[parent]) @ made[b] if parent >= 0 else made[b][None]
        # Ends of bones stay in place too: importers connect what begins there, and take no way of it along.
        track = take_apart(np.linalg.inv(carried) @ wanted[:, b], exact_axis=1)
        actual[:, b] = carried @ track.matrices()
        track = track.led_in()
        _key(action, armature, f'pose.bones["{bpy.utils.escape_identifier(bone)}"].', track, frames)
    if space.clean:
        _place(armature, np.linalg.inv(space.T_file_world))
        return armature, space.file_from_scene
    placed = np.diag([space.unit, space.unit, space.unit, 1.0]) @ motion.armature
    armature.rotation_mode = "QUATERNION"
    _key(action, armature, "", take_apart(placed), motion.frames)
    return armature, np.linalg.inv(reference)


def _skeleton(bones: ExportBones, rest: FloatArray, scale: float, root_bone: str) -> Skeleton:
    rotations = nearest_rotation(rest[:, :3, :3])
    # Bones are right-handed; one of a mirrored armature keeps its direction and its z axis.
    mirrored = np.linalg.det(rotations) < 0.0
    rotations[mirrored, :, 0] *= -1.0
    lengths = np.maximum(bones.lengths, SHORTEST * bones.lengths.max(initial=1e-3)) * scale
    heads = rest[:, :3, 3]
    names, parents = list(bones.names), bones.parents.copy()
    roots = np.flatnonzero(parents < 0)
    if root_bone and len(roots) > 1 and root_bone not in names:
        parents = np.concatenate([[-1], np.where(parents < 0, 0, parents + 1)])
        names = [root_bone, *names]
        heads = np.concatenate([np.zeros((1, 3)), heads])
        rotations = np.concatenate([np.eye(3)[None], rotations])
        lengths = np.concatenate([[float(np.median(lengths))], lengths])
    return Skeleton(
        names=tuple(names),
        parents=parents,
        heads=heads,
        tails=heads + rotations[:, :, 1] * lengths[:, None],
        rotations=rotations,
        deform=np.ones(len(names), dtype=np.bool_),
    )


def copy_skin(
    collection: Any,
    name: str,
    mesh: Any,
    groups: Sequence[str],
    armature: Any,
    T_rest_mesh: FloatArray,
    *,
    rigid_bone: str = "",
) -> Any:
    """A new object with a mesh that an armature copy deforms.

    Args:
        collection: Where it goes.
        name: Its name.
        mesh: A mesh of its own; it is moved into the armature's space.
        groups: Names of the vertex groups that its weights refer to.
        armature: The armature copy.
        T_rest_mesh: From the mesh to the armature's space at rest. Shape (4, 4).
        rigid_bone: The one bone that all of it follows; empty goes by the weights.
    """
    _transform(mesh, T_rest_mesh)
    obj = bpy.data.objects.new(name, mesh)
    collection.objects.link(obj)
    if rigid_bone:
        obj.vertex_groups.clear()
        obj.vertex_groups.new(name=rigid_bone).add(range(len(mesh.vertices)), 1.0, "REPLACE")
    else:
        for group in groups[len(obj.vertex_groups) :]:
            obj.vertex_groups.new(name=group)
        for group in [each for each in obj.vertex_groups if each.name not in armature.data.bones]:
            obj.vertex_groups.remove(group)
    obj.parent = armature
    modifier = obj.modifiers.new("Armature", "ARMATURE")
    modifier.object = armature
    return obj


def copy_prop(collection: Any, name: str, mesh: Any, places: FloatArray, frames: IntArray, space: FileSpace) -> Any:
    """A new object with a mesh that moves as an object of the scene does, every frame keyed. `places`: (n, 4, 4)."""
    scale = np.diag([space.unit, space.unit, space.unit, 1.0])
    # A size or a shear belongs to the mesh: nodes then only turn and move.
    turn = nearest_rotation(places[0, :3, :3])
    if np.linalg.det(turn) < 0.0:
        turn = turn @ np.diag([-1.0, 1.0, 1.0])
    shape = np.eye(4)
    shape[:3, :3] = turn.T @ places[0, :3, :3]
    if space.clean:
        into_mesh = space.file_from_scene @ shape
        onto_node = np.linalg.inv(space.file_from_scene @ shape)
        _transform(mesh, into_mesh)
        moved = scale @ places @ onto_node
    else:
        moved = scale @ places
        if not np.allclose(take_apart(moved[:1]).matrices(), moved[:1], atol=1e-6 * np.abs(moved[0]).max()):
            _transform(mesh, shape)
            moved = moved @ np.linalg.inv(shape)
    obj = bpy.data.objects.new(name, mesh)
    collection.objects.link(obj)
    obj.rotation_mode = "QUATERNION"
    action = _assign_action(obj, name)
    _key(action, obj, "", take_apart(moved), frames)
    return obj


def _transform(mesh: Any, matrix: FloatArray) -> None:
    mesh.transform(Matrix(matrix.tolist()), shape_keys=True)
    if np.linalg.det(matrix[:3, :3]) < 0.0:
        mesh.flip_normals()


def _place(obj: Any, matrix: Any) -> None:
    obj.rotation_mode = "QUATERNION"
    # Sets the object's own matrix too, which exporters read and no window's scene keeps up to date.
    obj.matrix_world = Matrix(matrix.tolist())


def _assign_action(obj: Any, name: str) -> Any:
    action = bpy.data.actions.new(f"{name} Action")
    obj.animation_data_create().action = action
    return action


def _key(action: Any, obj: Any, path: str, track: Track, frames: IntArray) -> None:
    """Linear keys at every frame; channels that do not change get one."""
    for name, values in (
        ("location", track.locations),
        ("rotation_quaternion", track.quaternions),
        ("scale", track.scales),
    ):
        for index in range(values.shape[1]):
            column = values[:, index]
            still = bool(np.ptp(column) == 0.0)
            points = np.stack([frames, column], axis=1).astype(np.float32)[: 1 if still else None]
            curve = new_fcurve(action, obj, f"{path}{name}", index)
            curve.keyframe_points.add(len(points))
            curve.keyframe_points.foreach_set("co", points.ravel())
            curve.keyframe_points.foreach_set("interpolation", np.ones(len(points), dtype=np.int32))
            curve.update()
