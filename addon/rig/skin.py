# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes that an armature moves, as one skin at rest."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.arrays import BoolArray, FloatArray, IntArray
from ..core.sampling import points_between, spread_out
from ..core.skeleton import Skeleton
from ..hands.skinning import RestSkin
from .mesh_changes import weights_checksum
from .surface import mesh_triangles

MOST_GROUPS = 8
"""Weights read for each vertex; the smallest are left out."""
MOST_VERTICES = 24_000
"""Vertices of one object whose weights are read; of more, an even choice."""
SPARSE = 0.25
"""Points between vertices are worth it from so many on, over the vertices."""


_MODIFIER_STATES = {
    "ARMATURE": ("object", "use_vertex_groups", "use_deform_preserve_volume"),
    "MASK": ("mode", "vertex_group", "threshold", "invert_vertex_group"),
}
"""Settings of modifiers that change a skin."""


def objects_beside(armature: Any) -> list[Any]:
    """All objects of the scenes that an armature object is in."""
    # By name: an object that several scenes share is one.
    return list({obj.name_full: obj for scene in armature.users_scene for obj in scene.objects}.values())


HELD_KEY = "prehend_held"
"""Custom property of props that hang on a hand's bone because it holds them: they are no skin."""


def skin_objects(armature: Any, objects: Iterable[Any]) -> list[Any]:
    """Meshes that follow an armature: by a modifier, as its deformed children or as children of its bones."""
    return [obj for obj in objects if obj.type == "MESH" and (_deformed_by(obj, armature) or _rigid_on(obj, armature))]


def fingerprint(obj: Any, armature: Any) -> tuple[Any, ...]:
    """What tells whether the skin that an object gives an armature has changed: shape, place, weights and modifiers."""
    return (
        obj.name_full,
        obj.data.name_full,
        zlib.crc32(rest_coordinates(obj.data).tobytes()),
        weights_checksum(obj),
        tuple(group.name for group in obj.vertex_groups),
        tuple(_modifier_state(modifier) for modifier in obj.modifiers if modifier.type in _MODIFIER_STATES),
        obj.parent_type,
        obj.parent_bone,
        _place_on(armature, obj),
    )


def read_skin(
    armature: Any,
    skeleton: Skeleton,
    objects: Iterable[Any],
    *,
    centre: FloatArray,
    radius: float,
    spacing: float = np.inf,
) -> RestSkin | None:
    """The skin round a place at rest in world metres; None where there is none.

    Args:
        armature: The armature object.
        skeleton: Its bones, which weights refer to.
        objects: Mesh objects that follow it.
        centre: Middle of the region to read in [m]. Shape (3,).
        radius: Its radius in [m].
        spacing: Where vertices are farther apart than this in [m], points between them are read, too: a pencil fits
            between the vertices of a hand made for games.
    """
    place = {name: k for k, name in enumerate(skeleton.names)}
    read = [
        (
            _with_between(obj, _read_object(obj, armature, place, centre, radius), spacing),
            _preserves_volume(obj, armature),
        )
        for obj in objects
    ]
    read = [(part, bulges) for part, bulges in read if len(part.points)]
    if not read:
        return None
    parts = [part for part, _ in read]
    wide = max(part.bones.shape[1] for part in parts)
    return RestSkin(
        points=np.concatenate([part.points for part in parts]),
        bones=np.concatenate([_widened(part.bones, wide) for part in parts]),
        weights=np.concatenate([_widened(part.weights, wide) for part in parts]),
        volume=np.concatenate([np.full(len(part.points), bulges) for part, bulges in read]),
        between=np.concatenate([part.between for part in parts]),
    )


@dataclass(frozen=True, eq=False)
class _Part:
    """Skin of one object."""

    vertices: IntArray
    """Which of the mesh's vertices the points are; -1 for points between them. Shape (n,)."""
    points: FloatArray
    """At rest in the world in [m]. Shape (n, 3)."""
    bones: IntArray
    """Shape (n, k)."""
    weights: FloatArray
    """Shape (n, k)."""

    @property
    def between(self) -> BoolArray:
        """Which are no vertices. Shape (n,)."""
        return self.vertices < 0


def _with_between(obj: Any, part: _Part, spacing: float) -> _Part:
    """A part with the points between those of its vertices that are far apart."""
    if not np.isfinite(spacing) or len(part.points) in (0, MOST_VERTICES):
        return part
    row_of = np.full(len(obj.data.vertices), -1)
    row_of[part.vertices] = np.arange(len(part.vertices))
    triangles = row_of[mesh_triangles(obj.data)]
    found = points_between(part.points, triangles[(triangles >= 0).all(axis=1)], spacing)
    count = len(found.corners)
    if count < SPARSE * len(part.points):
        # Here and there, such as at a wrist that is cut off, it does not matter.
        return part
    bones = part.bones[found.corners].reshape(count, -1)
    weights = (found.shares[:, :, None] * part.weights[found.corners]).reshape(count, -1)
    wide = bones.shape[1]
    return _Part(
        np.concatenate([part.vertices, np.full(count, -1)]),
        np.concatenate([part.points, found.mix(part.points)]),
        np.concatenate([_widened(part.bones, wide), bones]),
        np.concatenate([_widened(part.weights, wide), weights]),
    )


def _widened(values: Any, wide: int) -> Any:
    """Rows (n, k) filled up with zeros to (n, wide)."""
    return np.pad(values, ((0, 0), (0, wide - values.shape[1])))


def rest_coordinates(mesh: Any) -> FloatArray:
    """Vertices of a mesh with its shape keys mixed in, before any modifier. Shape (n, 3)."""
    flat = np.empty(len(mesh.vertices) * 3, dtype=np.float32)
    mesh.vertices.foreach_get("co", flat)
    if mesh.shape_keys is None or not mesh.shape_keys.use_relative:
        return flat.astype(np.float64).reshape(-1, 3)
    blocks = mesh.shape_keys.key_blocks
    mesh.shape_keys.reference_key.data.foreach_get("co", flat)
    mixed = flat.astype(np.float64)
    for block in blocks:
        if block.mute or not block.value or block == mesh.shape_keys.reference_key:
            continue
        block.data.foreach_get("co", flat)
        shaped = flat.astype(np.float64)
        block.relative_key.data.foreach_get("co", flat)
        mixed += block.value * (shaped - flat)
    return mixed.reshape(-1, 3)


def _read_object(obj: Any, armature: Any, place: dict[str, int], centre: FloatArray, radius: float) -> _Part:
    points = rest_coordinates(obj.data)
    rigid = not _deformed_by(obj, armature)
    T_world_mesh = np.array(obj.matrix_world, dtype=np.float64)
    if rigid:
        bone = armature.pose.bones[obj.parent_bone]
        back = (
            armature.matrix_world @ bone.bone.matrix_local @ bone.matrix.inverted() @ armature.matrix_world.inverted()
        )
        T_world_mesh = np.array(back @ obj.matrix_world, dtype=np.float64)
    points = points @ T_world_mesh[:3, :3].T + T_world_mesh[:3, 3]
    near = np.flatnonzero(np.linalg.norm(points - centre, axis=1) < radius)
    near = _unmasked(obj, near)
    near = near[spread_out(points[near], MOST_VERTICES)]
    bones = np.zeros((len(near), MOST_GROUPS), dtype=np.int64)
    weights = np.zeros((len(near), MOST_GROUPS))
    if rigid:
        bones[:, 0], weights[:, 0] = place[obj.parent_bone], 1.0
    else:
        _read_weights(obj, armature, place, near, bones, weights)
    total = weights.sum(axis=1)
    # Blender moves vertices of less weight than this not at all.
    kept = total > 1e-4
    return _Part(near[kept], points[near[kept]], bones[kept], weights[kept] / total[kept, None])


def _read_weights(
    obj: Any, armature: Any, place: dict[str, int], near: IntArray, bones: IntArray, weights: FloatArray
) -> None:
    deforming = armature.data.bones
    bone_of = {
        group.index: place[group.name]
        for group in obj.vertex_groups
        if group.name in place and deforming[group.name].use_deform
    }
    vertices = obj.data.vertices
    for row, vertex in enumerate(near.tolist()):
        found = [(each.weight, bone_of[each.group]) for each in vertices[vertex].groups if each.group in bone_of]
        if len(found) > MOST_GROUPS:
            found = sorted(found, reverse=True)[:MOST_GROUPS]
        for k, (weight, bone) in enumerate(found):
            weights[row, k], bones[row, k] = weight, bone


def _deformed_by(obj: Any, armature: Any) -> bool:
    if any(modifier.type == "ARMATURE" and modifier.object == armature for modifier in obj.modifiers):
        return True
    return obj.parent == armature and obj.parent_type == "ARMATURE"


def _preserves_volume(obj: Any, armature: Any) -> bool:
    return any(
        modifier.type == "ARMATURE" and modifier.object == armature and modifier.use_deform_preserve_volume
        for modifier in obj.modifiers
    )


def _rigid_on(obj: Any, armature: Any) -> bool:
    if obj.get(HELD_KEY):
        return False
    return obj.parent == armature and obj.parent_type == "BONE" and obj.parent_bone in armature.data.bones


def _modifier_state(modifier: Any) -> tuple[Any, ...]:
    values = [getattr(modifier, name) for name in _MODIFIER_STATES[modifier.type]]
    # Names: a kept reference would outlive its object.
    return (modifier.type, *(getattr(value, "name_full", value) for value in values))


def _place_on(armature: Any, obj: Any) -> tuple[float, ...]:
    """Where an object is to what carries it, coarse enough to stay the same wherever the armature goes."""
    if obj.parent == armature and obj.parent_type == "BONE":
        matrix = obj.matrix_parent_inverse @ obj.matrix_basis
    else:
        matrix = armature.matrix_world.inverted_safe() @ obj.matrix_world
    return tuple((np.round(np.array(matrix, dtype=np.float64), 5) + 0.0).ravel().tolist())


def _unmasked(obj: Any, near: IntArray) -> IntArray:
    """Those vertices that no mask modifier hides, such as the helper shapes of characters. Shape (n,)."""
    for modifier in obj.modifiers:
        if modifier.type != "MASK" or modifier.mode != "VERTEX_GROUP" or modifier.vertex_group not in obj.vertex_groups:
            continue
        group = obj.vertex_groups[modifier.vertex_group].index
        vertices = obj.data.vertices
        inside = [
            any(each.group == group and each.weight > modifier.threshold for each in vertices[k].groups)
            for k in near.tolist()
        ]
        near = near[np.array(inside, dtype=np.bool_) != modifier.invert_vertex_group]
    return near
