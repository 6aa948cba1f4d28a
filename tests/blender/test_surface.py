# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender objects as surfaces: what is shown is what is measured, and Blender's tree agrees with numpy's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix

from addon.rig.objects import create_mesh_object
from addon.rig.surface import NoMeshError, WorldTriangles, read_shape, read_triangles
from addon.shapes.mesh import signed_volume
from addon.shapes.props import PROPS
from addon.solvers.surface import build_surface, bvh, fingerprint
from addon.solvers.surface.bvh import BlenderTree, BlockTree, build_tree
from addon.solvers.surface.pointtriangle import closest_on, triangle_frames
from addon.solvers.surface.soup import Soup
from addon.solvers.surface.tree import NumpyTree

BOX = np.array([0.08, 0.05, 0.03])


def box_object(name: str = "Box", size: Any = BOX) -> Any:
    corners = [[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata((np.array(corners) * size).tolist(), [], faces)
    return linked(bpy.data.objects.new(name, mesh))


def linked(obj: Any) -> Any:
    bpy.context.scene.collection.objects.link(obj)
    return obj


def read(obj: Any, **options: float) -> WorldTriangles:
    return read_triangles(obj, bpy.context.evaluated_depsgraph_get(), **options)


def box_distance(points: np.ndarray) -> np.ndarray:
    beyond = np.abs(points) - BOX / 2.0
    return np.linalg.norm(np.maximum(beyond, 0.0), axis=1) + np.minimum(beyond.max(axis=1), 0.0)


@pytest.mark.parametrize(
    "scale", [(1.0, 1.0, 1.0), (0.01, 0.01, 0.01), (-1.0, 1.0, 1.0), (-1.0, -2.0, -0.5), (1.0, 3.0, 0.2)]
)
def test_scale_and_mirroring_are_folded_in(scale: tuple[float, float, float]) -> None:
    factors = np.abs(scale)
    obj = box_object(size=BOX / factors)
    matrix = Matrix.LocRotScale((0.3, -1.2, 0.9), Euler((0.4, 1.1, -2.0)), scale)
    obj.matrix_world = matrix
    found = read(obj)
    assert signed_volume(found.vertices, found.triangles) == pytest.approx(np.prod(BOX), rel=1e-4)
    surface = build_surface(found.vertices, found.triangles)
    assert surface.closed
    local = np.random.default_rng(0).uniform(-0.08, 0.08, size=(500, 3))
    # The columns without their lengths: a rotation, mirrored as the object is; a mirrored box is the same box.
    axes = np.array(matrix.to_3x3())
    rotation = axes / np.linalg.norm(axes, axis=0)
    points = local @ rotation.T + np.array(matrix.translation)
    np.testing.assert_allclose(surface.exact_distance(points), box_distance(local), atol=1e-6)


def test_parents_and_units_are_folded_in() -> None:
    parent = linked(bpy.data.objects.new("Parent", None))
    parent.scale = (0.01, 0.01, 0.01)
    obj = box_object(size=100.0 * BOX)
    obj.parent = parent
    bpy.context.view_layer.update()
    np.testing.assert_allclose(np.ptp(read(obj).vertices, axis=0), BOX, rtol=1e-5)
    np.testing.assert_allclose(np.ptp(read(obj, unit_scale=0.1).vertices, axis=0), 0.1 * BOX, rtol=1e-5)


def test_modifiers_are_applied_and_the_object_is_left_alone() -> None:
    obj = box_object()
    modifier = obj.modifiers.new("Array", "ARRAY")
    modifier.count, modifier.use_relative_offset, modifier.use_constant_offset = 2, False, True
    modifier.constant_offset_displace = (0.2, 0.0, 0.0)
    before = len(obj.data.vertices), len(bpy.data.meshes)
    found = read(obj)
    surface = build_surface(found.vertices, found.triangles)
    assert surface.exact_distance([[0.2, 0.0, 0.0]])[0] == pytest.approx(-0.015, abs=1e-6)
    assert surface.exact_distance([[0.1, 0.0, 0.0]])[0] == pytest.approx(0.06, abs=1e-6)
    assert (len(obj.data.vertices), len(bpy.data.meshes)) == before


def test_mirror_modifier_without_merging_is_closed_all_the_same() -> None:
    mesh = bpy.data.meshes.new("Half")
    corners = [[x, y, z] for x in (0.0, 0.04) for y in (-0.025, 0.025) for z in (-0.015, 0.015)]
    mesh.from_pydata(corners, [], [(4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])
    obj = linked(bpy.data.objects.new("Half", mesh))
    obj.modifiers.new("Mirror", "MIRROR").use_mirror_merge = False
    found = read(obj)
    assert build_surface(found.vertices, found.triangles).closed


def test_fingerprint_changes_with_the_shown_mesh() -> None:
    obj = box_object()
    keys: set[str] = set()
    for change in (lambda: None, lambda: setattr(obj, "location", (0.1, 0.0, 0.0)), _bevel(obj), _push(obj)):
        change()
        bpy.context.view_layer.update()
        found = read(obj)
        again = read(obj)
        keys |= {fingerprint(found.vertices, found.triangles), fingerprint(again.vertices, again.triangles)}
    assert len(keys) == 4


def _bevel(obj: Any) -> Any:
    return lambda: obj.modifiers.new("Bevel", "BEVEL")


def _push(obj: Any) -> Any:
    def push() -> None:
        obj.data.vertices[0].co.x -= 0.001
        obj.data.update()

    return push


def test_objects_without_faces_are_named() -> None:
    empty = linked(bpy.data.objects.new("Nothing", None))
    with pytest.raises(NoMeshError, match="'Nothing' has no mesh"):
        read(empty)
    wire = linked(bpy.data.objects.new("Wire", bpy.data.meshes.new("Wire")))
    wire.data.from_pydata([(0, 0, 0), (1, 0, 0)], [(0, 1)], [])
    with pytest.raises(NoMeshError, match="'Wire' has no faces"):
        read(wire)


def test_curves_with_a_bevel_are_read() -> None:
    curve = bpy.data.curves.new("Tube", "CURVE")
    curve.dimensions, curve.bevel_depth, curve.use_fill_caps = "3D", 0.01, True
    curve.splines.new("POLY").points.add(1)
    curve.splines[0].points[0].co, curve.splines[0].points[1].co = (0, 0, 0, 1), (0, 0, 0.1, 1)
    found = read(linked(bpy.data.objects.new("Tube", curve)))
    surface = build_surface(found.vertices, found.triangles)
    assert surface.exact_distance([[0.0, 0.0, 0.05]])[0] == pytest.approx(-0.01, abs=1.5e-3)


def test_keys_of_shapes_change_with_what_is_shown_and_not_with_where() -> None:
    obj = box_object()

    def key() -> str:
        bpy.context.view_layer.update()
        shape = read_shape(obj, bpy.context.evaluated_depsgraph_get(), ())
        assert shape.triangles is not None
        # Who knows a key is given no triangles.
        assert read_shape(obj, bpy.context.evaluated_depsgraph_get(), {shape.key}).triangles is None
        return shape.key

    first = key()
    obj.matrix_world = Matrix.LocRotScale((0.3, -1.2, 0.9), Euler((0.4, 1.1, -2.0)), (1.0, 1.0, 1.0))
    assert key() == first
    keys = [first]
    for change in (
        _push(obj),
        _other_diagonal(obj),
        _bevel(obj),
        _scale(obj, (2.0, 2.0, 2.0)),
        _scale(obj, (-2, 2, 2)),
    ):
        change()
        keys.append(key())
    assert len(set(keys)) == 6


def _other_diagonal(obj: Any) -> Any:
    """The same vertices with one face cut in two."""

    def cut() -> None:
        places = [vertex.co.copy() for vertex in obj.data.vertices]
        faces = [tuple(face.vertices) for face in obj.data.polygons]
        a, b, c, d = faces.pop(0)
        obj.data.clear_geometry()
        obj.data.from_pydata(places, [], [*faces, (a, b, d), (b, c, d)])

    return cut


def _scale(obj: Any, scale: tuple[float, float, float]) -> Any:
    return lambda: setattr(obj, "scale", scale)


@pytest.mark.parametrize("tree", [BlenderTree, BlockTree])
@pytest.mark.parametrize("name", ["mug", "key", "wine_glass"])
@pytest.mark.parametrize("offset", [0.0, 50.0])
def test_blender_trees_agree_with_numpy(name: str, offset: float, tree: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bvh, "_IN_BLOCK", 50)
    mesh = PROPS[name].build()
    soup = Soup(mesh.vertices + offset, mesh.triangles())
    rng = np.random.default_rng(1)
    low, high = soup.vertices.min(axis=0), soup.vertices.max(axis=0)
    points = np.concatenate([rng.uniform(low - 0.02, high + 0.02, size=(300, 3)), soup.vertices[::40] + 1e-4])
    frames = triangle_frames(soup.corners())
    fast, slow = (closest_on(frames[:, each(soup).nearest(points)], points)[1] for each in (tree, NumpyTree))
    np.testing.assert_allclose(fast, slow, atol=1e-7)
    reach = 0.003
    within = tree(soup).nearest(points, reach) >= 0
    clear = np.abs(slow - reach) > 1e-6
    np.testing.assert_array_equal(within[clear], (slow < reach)[clear])
    told = tree(soup).distances(points, reach)
    np.testing.assert_array_equal(np.isfinite(told), within)
    np.testing.assert_allclose(told[within], slow[within], atol=1e-7)
    assert tree(soup).distances(points[:0], reach).shape == (0,)


def test_inside_blender_its_tree_is_used_and_surfaces_are_the_same() -> None:
    obj = create_mesh_object("Mug", PROPS["mug"].build(), bpy.context.scene.collection)
    found = read(obj)
    assert isinstance(build_tree(Soup(found.vertices, found.triangles)), BlenderTree)
    fast = build_surface(found.vertices, found.triangles)
    slow = build_surface(found.vertices, found.triangles, tree_builder=NumpyTree)
    points = np.random.default_rng(2).uniform(fast.low - 0.02, fast.high + 0.02, size=(2000, 3))
    np.testing.assert_allclose(fast.distance(points), slow.distance(points), atol=1e-7)
    np.testing.assert_allclose(fast.exact_distance(points), slow.exact_distance(points), atol=1e-7)


def test_dense_meshes_get_trees_only_where_something_comes_near() -> None:
    bpy.ops.mesh.primitive_uv_sphere_add(segments=120, ring_count=120, radius=0.04)
    found = read(bpy.context.object)
    tree = build_tree(Soup(found.vertices, found.triangles))
    assert isinstance(tree, BlockTree)
    points = np.random.default_rng(3).normal(size=(50, 3)) * 0.001 + np.array([0.0, 0.0, 0.041])
    whole = BlenderTree(Soup(found.vertices, found.triangles))
    frames = triangle_frames(found.vertices[found.triangles])
    one, other = (closest_on(frames[:, each.nearest(points)], points)[1] for each in (tree, whole))
    np.testing.assert_allclose(one, other, atol=1e-7)
    assert 0 < len(tree._trees) < len(tree._bounds) / 3


@pytest.mark.parametrize("bend", [0.0, 0.02, 0.6])
def test_quads_are_cut_as_they_are_shown(bend: float) -> None:
    """Flat ones, bent ones and ones with a corner pushed in, beside a triangle."""
    rng = np.random.default_rng(6)
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]) + bend * rng.normal(size=(300, 4, 3))
    corners[0, 2] = (0.2, 0.2, 0.0)
    corners[1, 1] = (0.2, 0.7, 0.0)
    places = [*(corners + 3.0 * np.arange(300)[:, None, None]).reshape(-1, 3), (-1, 0, 0), (-2, 0, 0), (-1, 1, 0)]
    faces = [*(4 * k + np.arange(4) for k in range(300)), np.arange(1200, 1203)]
    mesh = bpy.data.meshes.new("quads")
    mesh.from_pydata([tuple(map(float, place)) for place in places], [], [face.tolist() for face in faces])
    obj = bpy.data.objects.new("quads", mesh)
    bpy.context.scene.collection.objects.link(obj)
    bpy.context.view_layer.update()
    found = read_triangles(obj, bpy.context.view_layer.depsgraph).triangles
    mesh.calc_loop_triangles()
    shown = [tuple(triangle.vertices) for triangle in mesh.loop_triangles]
    assert {_turned(each) for each in found.tolist()} == {_turned(each) for each in shown}


def _turned(triangle: Sequence[int]) -> tuple[int, ...]:
    """The same triangle from its lowest vertex on."""
    first = list(triangle).index(min(triangle))
    return (*triangle[first:], *triangle[:first])
