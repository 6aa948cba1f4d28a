# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo props as Blender objects."""

from __future__ import annotations

import bpy

# isort: split
# Blender's other modules exist only after bpy.
import bmesh
import numpy as np
import pytest
from mathutils.bvhtree import BVHTree

from addon.rig.objects import create_mesh_object
from addon.shapes.mesh import signed_volume
from addon.shapes.props import PROPS


@pytest.mark.parametrize("key", PROPS)
def test_prop_becomes_a_manifold_object_with_its_materials(key: str) -> None:
    mesh = PROPS[key].build()
    obj = create_mesh_object(PROPS[key].label, mesh, bpy.data.collections.new("Props"))
    # Blender's own validation found nothing to drop.
    assert len(obj.data.vertices) == len(mesh.vertices)
    assert len(obj.data.polygons) == len(mesh.sizes)
    assert tuple(material.name for material in obj.data.materials) == mesh.material_names
    used = {polygon.material_index for polygon in obj.data.polygons}
    assert used == set(range(len(mesh.material_names)))
    solid = bmesh.new()
    try:
        solid.from_mesh(obj.data)
        assert all(edge.is_manifold and edge.is_contiguous for edge in solid.edges)
        assert all(vertex.is_manifold for vertex in solid.verts)
        expected = signed_volume(mesh.vertices, mesh.triangles())
        assert solid.calc_volume(signed=True) == pytest.approx(expected, rel=1e-3)
    finally:
        solid.free()
    np.testing.assert_allclose(obj.dimensions, np.ptp(mesh.vertices, axis=0), atol=1e-6)


@pytest.mark.parametrize("key", PROPS)
def test_no_two_faces_cut_through_each_other(key: str) -> None:
    mesh = PROPS[key].build()
    triangles = mesh.triangles()
    # In micrometres, because the tree works in single precision.
    tree = BVHTree.FromPolygons((mesh.vertices * 1e6).tolist(), triangles.tolist(), all_triangles=True)
    crossing = [
        (first, second)
        for first, second in tree.overlap(tree)
        if first < second and not set(triangles[first].tolist()) & set(triangles[second].tolist())
    ]
    assert crossing == []
