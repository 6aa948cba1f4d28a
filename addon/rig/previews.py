# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What objects show as coloured triangles, and pictures as previews of data-blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.arrays import BoolArray, FloatArray
from ..core.raster import Picture, smooth_normals
from ..core.rotations import unit

PLAIN = (0.8, 0.8, 0.8)
"""Colour of what has no material, linear."""
ICON = 32
"""Pixels along an icon's side, as Blender has them."""


@dataclass(frozen=True, eq=False)
class Shown:
    """Triangles to draw."""

    corners: FloatArray
    """In the world. Shape (n, 3, 3)."""
    colours: FloatArray
    """As screens show them, 0 to 1. Shape (n, 3)."""
    normals: FloatArray
    """Of the corners, smooth. Shape (n, 3, 3)."""

    def only(self, which: BoolArray) -> Shown:
        """Some of them."""
        return Shown(self.corners[which], self.colours[which], self.normals[which])


def shown_triangles(objects: Sequence[Any], depsgraph: Any) -> Shown:
    """What objects show, in the viewport colours of their materials; those without faces show nothing."""
    parts = [part for obj in objects for part in [_read(obj, depsgraph)] if part is not None]
    if not parts:
        return Shown(np.empty((0, 3, 3)), np.empty((0, 3)), np.empty((0, 3, 3)))
    return Shown(
        np.concatenate([each.corners for each in parts]),
        np.concatenate([each.colours for each in parts]),
        np.concatenate([each.normals for each in parts]),
    )


def _read(obj: Any, depsgraph: Any) -> Shown | None:
    evaluated = obj.evaluated_get(depsgraph)
    try:
        mesh = evaluated.to_mesh()
    except RuntimeError:  # objects that have no geometry at all
        return None
    try:
        mesh.calc_loop_triangles()
        if not len(mesh.loop_triangles):
            return None
        places = np.empty(3 * len(mesh.vertices), dtype=np.float32)
        mesh.vertices.foreach_get("co", places)
        indices = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
        mesh.loop_triangles.foreach_get("vertices", indices)
        slots = np.empty(len(mesh.loop_triangles), dtype=np.int32)
        mesh.loop_triangles.foreach_get("material_index", slots)
        colours = np.array([_colour(slot.material) for slot in evaluated.material_slots] or [PLAIN])
    finally:
        evaluated.to_mesh_clear()
    matrix = np.array(evaluated.matrix_world, dtype=np.float64)
    vertices = places.reshape(-1, 3).astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3]
    triangles = indices.reshape(-1, 3).astype(np.int64)
    chosen = colours[np.minimum(slots, len(colours) - 1)]
    return Shown(vertices[triangles], chosen ** (1.0 / 2.2), smooth_normals(vertices, triangles))


def _colour(material: Any) -> tuple[float, float, float]:
    return tuple(material.diffuse_color[:3]) if material is not None else PLAIN  # type: ignore[return-value]


def bone_triangles(armature: Any, names: Sequence[str], *, width: float = 0.12) -> Shown:
    """Bones as slender double pyramids, for armatures without a skin."""
    matrix = np.array(armature.matrix_world, dtype=np.float64)
    found: list[FloatArray] = []
    for name in names:
        bone = armature.pose.bones[name]
        head, tail = (matrix[:3, :3] @ np.array(end) + matrix[:3, 3] for end in (bone.head, bone.tail))
        way = tail - head
        side = unit(np.cross(way, np.eye(3)[int(np.argmin(np.abs(way)))])) * width * np.linalg.norm(way)
        other = unit(np.cross(way, side)) * width * np.linalg.norm(way)
        ring = [head + 0.2 * way + each for each in (side, other, -side, -other)]
        for k in range(4):
            found.append(np.array([head, ring[(k + 1) % 4], ring[k]]))
            found.append(np.array([tail, ring[k], ring[(k + 1) % 4]]))
    corners = np.array(found).reshape(-1, 3, 3)
    faces = unit(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    colours = np.tile(np.array(PLAIN), (len(corners), 1))
    return Shown(corners, colours, np.repeat(faces[:, None], 3, axis=1))


def set_preview(block: Any, picture: Picture) -> None:
    """Give a data-block a picture of its own as its preview, large and as an icon; no window is needed."""
    preview = block.preview_ensure()
    height, width = picture.shape[:2]
    preview.image_size = (width, height)
    preview.image_pixels_float.foreach_set(np.ascontiguousarray(picture, dtype=np.float32).ravel())
    step = max(min(width, height) // ICON, 1)
    icon = picture[: step * ICON, : step * ICON].reshape(ICON, step, ICON, step, 4).mean(axis=(1, 3))
    preview.icon_size = (ICON, ICON)
    preview.icon_pixels_float.foreach_set(np.ascontiguousarray(icon, dtype=np.float32).ravel())
