# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Mesh arrays to Blender objects."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from ..shapes.mesh import MeshData
from .materials import material_named


def create_mesh_object(name: str, mesh: MeshData, collection: Any) -> Any:
    """A new object of `mesh`, shaded and with its materials, linked to `collection`."""
    data = bpy.data.meshes.new(name)
    data.vertices.add(len(mesh.vertices))
    data.vertices.foreach_set("co", mesh.vertices.astype(np.float32).ravel())
    data.loops.add(len(mesh.corners))
    data.loops.foreach_set("vertex_index", mesh.corners.astype(np.int32))
    data.polygons.add(len(mesh.sizes))
    data.polygons.foreach_set("loop_start", (np.cumsum(mesh.sizes) - mesh.sizes).astype(np.int32))
    for material_name in mesh.material_names:
        data.materials.append(material_named(material_name))
    data.polygons.foreach_set("material_index", mesh.materials.astype(np.int32))
    data.update(calc_edges=True)
    data.validate()
    data.shade_smooth()
    if mesh.flat_angle < np.pi:
        data.set_sharp_from_angle(angle=mesh.flat_angle)
    obj = bpy.data.objects.new(name, data)
    collection.objects.link(obj)
    return obj
