# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo props are proper solids of real size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from addon.core.arrays import FloatArray, IntArray
from addon.shapes.materials import MATERIALS
from addon.shapes.mesh import MeshData, face_edges, is_closed_manifold, signed_volume
from addon.shapes.props import PROPS
from addon.shapes.props.balls import build_ball
from addon.shapes.props.boxes import build_box
from addon.shapes.props.hammers import build_hammer


@dataclass(frozen=True)
class Expected:
    size_mm: tuple[float, float, float]
    genera: tuple[int, ...] = (0,)


EXPECTED = {
    "mug": Expected((120.0, 82.0, 95.0), genera=(1,)),
    "ball": Expected((73.0, 73.0, 73.0)),
    "bottle": Expected((65.0, 65.0, 225.0)),
    "pen": Expected((141.0, 11.0, 14.5)),
    "box": Expected((150.0, 100.0, 50.0)),
    "key": Expected((58.5, 23.6, 2.2), genera=(1,)),
    "hammer": Expected((315.0, 129.0, 33.5)),
    "wine_glass": Expected((81.5, 81.5, 210.0)),
    "door_knob": Expected((66.0, 67.0, 66.0)),
    "smartphone": Expected((147.0, 71.5, 10.5)),
    "dumbbell": Expected((224.0, 88.5, 80.0)),
    "cup_on_saucer": Expected((152.0, 152.0, 68.0), genera=(0, 1)),
    "can": Expected((66.0, 66.0, 115.0)),
    "jar": Expected((85.0, 85.0, 135.0)),
    "lid": Expected((88.0, 88.0, 15.0)),
    "plate": Expected((208.0, 208.0, 20.0)),
    "tennis_ball": Expected((67.0, 67.0, 67.0)),
    "table_tennis_ball": Expected((40.0, 40.0, 40.0)),
    "marble": Expected((16.0, 16.0, 16.0)),
    "coin": Expected((25.8, 25.8, 2.2)),
    "pill": Expected((19.0, 7.0, 7.0)),
    "card_deck": Expected((91.0, 60.0, 18.0)),
    "book": Expected((178.0, 111.0, 21.0)),
    "rod": Expected((250.0, 20.0, 20.0)),
    "pencil": Expected((175.0, 7.4, 7.4)),
    "chopstick": Expected((230.0, 8.2, 8.2)),
    "screwdriver": Expected((215.0, 29.9, 29.0)),
    "flashlight": Expected((168.0, 53.8, 53.8)),
    "scissors": Expected((234.4, 108.0, 7.2), genera=(1, 0, 1, 0, 0, 0)),
    "table_knife": Expected((218.0, 23.8, 15.2), genera=(0, 0)),
    "suitcase": Expected((340.0, 110.0, 299.2), genera=(0, 0)),
}
OFF_CENTRE = {"mug": (True, False), "cup_on_saucer": (True, False), "door_knob": (False, True)}
"""Props whose bounds are not centred in x, y: a handle to one side, or mounted on a door at y = 0."""

every_prop = pytest.mark.parametrize("key", EXPECTED)


@pytest.fixture(scope="module")
def meshes() -> dict[str, MeshData]:
    return {key: prop.build() for key, prop in PROPS.items()}


def components(mesh: MeshData) -> list[IntArray]:
    """Vertex indices of each connected part, in order of their first vertex."""
    label = np.arange(len(mesh.vertices))
    edges = face_edges(mesh)
    while True:
        low = np.minimum(label[edges[:, 0]], label[edges[:, 1]])
        before = label.copy()
        np.minimum.at(label, edges[:, 0], low)
        np.minimum.at(label, edges[:, 1], low)
        label = label[label]
        if np.array_equal(before, label):
            return [np.flatnonzero(label == root) for root in np.unique(label)]


def triangle_areas(vertices: FloatArray, triangles: IntArray) -> FloatArray:
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    return np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2.0


def winding_numbers(points: FloatArray, vertices: FloatArray, triangles: IntArray) -> FloatArray:
    """Sum of the triangles' signed solid angles over 4 pi, after Van Oosterom and Strackee (1983)."""
    result = np.empty(len(points))
    for i, point in enumerate(points):
        corners = vertices - point
        lengths = np.linalg.norm(corners, axis=1)
        a, b, c = (corners[triangles[:, k]] for k in range(3))
        la, lb, lc = (lengths[triangles[:, k]] for k in range(3))
        volume = np.einsum("ij,ij->i", a, np.cross(b, c))
        dots = [np.einsum("ij,ij->i", p, q) for p, q in ((a, b), (b, c), (c, a))]
        result[i] = np.arctan2(volume, la * lb * lc + dots[0] * lc + dots[1] * la + dots[2] * lb).sum() / (2.0 * np.pi)
    return result


def first_hits(origins: FloatArray, directions: FloatArray, vertices: FloatArray, triangles: IntArray) -> FloatArray:
    """Distance to the first triangle hit by each ray, by Moeller and Trumbore's test."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    hits = np.empty(len(origins))
    for i, (origin, direction) in enumerate(zip(origins, directions, strict=True)):
        p = np.cross(direction, c - a)
        scale = np.einsum("ij,ij->i", b - a, p)
        with np.errstate(divide="ignore", invalid="ignore"):
            u = np.einsum("ij,ij->i", origin - a, p) / scale
            q = np.cross(origin - a, b - a)
            v = q @ direction / scale
            t = np.einsum("ij,ij->i", c - a, q) / scale
            hits[i] = np.min(t[(u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (t > 1e-7)], initial=np.inf)
    return hits


def test_there_are_exactly_the_documented_props() -> None:
    assert set(PROPS) == set(EXPECTED)


@every_prop
def test_label_and_description_suit_a_menu(key: str) -> None:
    prop = PROPS[key]
    assert prop.label == prop.label.strip() != ""
    assert prop.description
    assert not prop.description.endswith(".")


@every_prop
def test_surface_is_closed_and_faces_outwards(key: str, meshes: dict[str, MeshData]) -> None:
    mesh = meshes[key]
    triangles = mesh.triangles()
    assert is_closed_manifold(mesh)
    for part in components(mesh):
        own = triangles[np.isin(triangles[:, 0], part)]
        assert signed_volume(mesh.vertices, own) > 0.0


@every_prop
def test_parts_and_handles(key: str, meshes: dict[str, MeshData]) -> None:
    mesh = meshes[key]
    face_of_corner = np.repeat(np.arange(len(mesh.sizes)), mesh.sizes)
    genera = []
    for part in components(mesh):
        inside = np.isin(mesh.corners, part)
        euler = len(part) - inside.sum() // 2 + len(np.unique(face_of_corner[inside]))
        genera.append((2 - euler) // 2)
    assert tuple(genera) == EXPECTED[key].genera


@every_prop
def test_bounds_are_of_real_size(key: str, meshes: dict[str, MeshData]) -> None:
    vertices = meshes[key].vertices
    np.testing.assert_allclose(np.ptp(vertices, axis=0) * 1000.0, EXPECTED[key].size_mm, atol=1.0)


@every_prop
def test_it_stands_on_the_table_in_the_middle(key: str, meshes: dict[str, MeshData]) -> None:
    low, high = meshes[key].vertices.min(axis=0), meshes[key].vertices.max(axis=0)
    assert low[2] == pytest.approx(0.0, abs=1e-12)
    for axis, skipped in enumerate(OFF_CENTRE.get(key, (False, False))):
        if not skipped:
            assert low[axis] + high[axis] == pytest.approx(0.0, abs=1e-9)


@every_prop
def test_no_face_is_degenerate(key: str, meshes: dict[str, MeshData]) -> None:
    mesh = meshes[key]
    triangles = mesh.triangles()
    areas = triangle_areas(mesh.vertices, triangles)
    assert areas.min() > 5e-10  # 0.0005 mm^2
    longest = np.max(
        [np.linalg.norm(mesh.vertices[triangles[:, k]] - mesh.vertices[triangles[:, k - 1]], axis=1) for k in range(3)],
        axis=0,
    )
    assert (2.0 * areas / longest).min() > 1e-6  # The smallest height of any triangle is a micrometre or more.


@every_prop
def test_every_vertex_is_used_and_alone_in_its_place(key: str, meshes: dict[str, MeshData]) -> None:
    mesh = meshes[key]
    assert np.array_equal(np.unique(mesh.corners), np.arange(len(mesh.vertices)))
    order = np.argsort(mesh.vertices[:, 0])
    sorted_points = mesh.vertices[order]
    for shift in range(1, 200):
        near = sorted_points[shift:, 0] - sorted_points[:-shift, 0] < 1e-6
        if not near.any():
            break
        gaps = np.linalg.norm(sorted_points[shift:] - sorted_points[:-shift], axis=1)
        assert gaps[near].min() > 1e-6


@every_prop
def test_polygons_are_flat_and_convex(key: str, meshes: dict[str, MeshData]) -> None:
    # Larger faces are cut into fans; a fan covers a convex face only.
    mesh = meshes[key]
    starts = np.cumsum(mesh.sizes) - mesh.sizes
    for start, size in zip(starts[mesh.sizes > 4], mesh.sizes[mesh.sizes > 4], strict=True):
        corners = mesh.vertices[mesh.corners[start : start + size]]
        edges = np.roll(corners, -1, axis=0) - corners
        bends = np.cross(edges, np.roll(edges, -1, axis=0))
        normal = bends.sum(axis=0) / np.linalg.norm(bends.sum(axis=0))
        assert (bends @ normal).min() > 0.0
        assert np.ptp(corners @ normal) < 1e-7


@every_prop
def test_either_side_of_a_face_is_inside_or_outside(key: str, meshes: dict[str, MeshData]) -> None:
    # Where surfaces cut through each other the winding number takes other values than 1 and 0.
    mesh = meshes[key]
    triangles = mesh.triangles()
    rng = np.random.default_rng(5)
    chosen = triangles[rng.choice(len(triangles), size=200, replace=False)]
    weights = rng.dirichlet((2.0, 2.0, 2.0), size=len(chosen))
    points = np.einsum("ij,ijk->ik", weights, mesh.vertices[chosen])
    a, b, c = (mesh.vertices[chosen[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    for side, winding in ((-1.0, 1.0), (1.0, 0.0)):
        found = winding_numbers(points + side * 2e-6 * normals, mesh.vertices, triangles)
        np.testing.assert_allclose(found, winding, atol=1e-6)
    assert 500 <= len(mesh.triangles()) <= 12_000


@every_prop
def test_materials_are_described(key: str, meshes: dict[str, MeshData]) -> None:
    mesh = meshes[key]
    assert set(mesh.material_names) <= set(MATERIALS)
    assert all(name.startswith("Prehend ") for name in mesh.material_names)
    assert np.array_equal(np.unique(mesh.materials), np.arange(len(mesh.material_names)))


def test_ball_is_a_sphere() -> None:
    mesh = build_ball(diameter=0.1)
    middle = mesh.vertices.mean(axis=0)
    np.testing.assert_allclose(np.linalg.norm(mesh.vertices - middle, axis=1), 0.05, atol=1e-9)
    sphere = np.pi / 6.0 * 0.1**3
    assert 0.99 * sphere < signed_volume(mesh.vertices, mesh.triangles()) < sphere


def test_box_is_a_cuboid_without_its_edges() -> None:
    bevel, sides = 0.004, np.array([0.15, 0.1, 0.05])
    mesh = build_box(length=0.15, width=0.1, height=0.05, bevel=bevel)
    # Sum of core, slabs, quarter cylinders and eighths of a sphere (Steiner's formula).
    core = sides - 2.0 * bevel
    slabs = 2.0 * bevel * (core[0] * core[1] + core[1] * core[2] + core[2] * core[0])
    exact = core.prod() + slabs + np.pi * bevel**2 * core.sum() + 4.0 / 3.0 * np.pi * bevel**3
    found = signed_volume(mesh.vertices, mesh.triangles())
    assert exact * 0.999 < found < exact


def test_sizes_scale() -> None:
    small, large = build_hammer(length=0.2), build_hammer(length=0.4)
    np.testing.assert_allclose(large.vertices, 2.0 * small.vertices, atol=1e-12)


def wall_thickness(mesh: MeshData, low: float, high: float, radius: float) -> FloatArray:
    """Distances in [m] from outer faces in a range of heights straight through the wall, away from the handle."""
    triangles = mesh.triangles()
    a, b, c = (mesh.vertices[triangles[:, k]] for k in range(3))
    centres, normals = (a + b + c) / 3.0, np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    out = np.einsum("ij,ij->i", centres[:, :2], normals[:, :2]) > 0.5 * np.linalg.norm(centres[:, :2], axis=1)
    wanted = out & (centres[:, 2] > low) & (centres[:, 2] < high) & (centres[:, 0] < radius)
    chosen = np.flatnonzero(wanted)[::7]
    return first_hits(centres[chosen], -normals[chosen], mesh.vertices, triangles)


def test_wall_of_the_mug(meshes: dict[str, MeshData]) -> None:
    thickness = wall_thickness(meshes["mug"], 0.020, 0.090, 0.0)
    assert len(thickness) > 50
    np.testing.assert_allclose(thickness, 0.004, atol=0.0002)


def test_wall_of_the_wine_glass(meshes: dict[str, MeshData]) -> None:
    thickness = wall_thickness(meshes["wine_glass"], 0.115, 0.205, 1.0)
    assert len(thickness) > 50
    np.testing.assert_allclose(thickness, 0.0015, atol=0.0002)


def test_a_finger_fits_through_the_mugs_handle(meshes: dict[str, MeshData]) -> None:
    mesh = meshes["mug"]
    triangles = mesh.triangles()
    # A cylinder of 22 mm across, along y, in the middle of the hole.
    x, z = np.meshgrid(np.linspace(-0.011, 0.011, 12), np.linspace(-0.011, 0.011, 12))
    inside = x**2 + z**2 <= 0.011**2
    origins = np.stack([x[inside] + 0.0565, np.full(inside.sum(), -0.1), z[inside] + 0.0485], axis=1)
    hits = first_hits(origins, np.tile([0.0, 1.0, 0.0], (len(origins), 1)), mesh.vertices, triangles)
    assert np.isinf(hits).all()


def test_cup_rests_on_the_saucer_without_touching(meshes: dict[str, MeshData]) -> None:
    mesh = meshes["cup_on_saucer"]
    saucer, cup = components(mesh)
    base = mesh.vertices[cup]
    base = base[base[:, 2] < base[:, 2].min() + 1e-6]
    triangles = mesh.triangles()
    below = triangles[np.isin(triangles[:, 0], saucer)]
    gaps = first_hits(base[::5], np.tile([0.0, 0.0, -1.0], (len(base[::5]), 1)), mesh.vertices, below)
    np.testing.assert_allclose(gaps, 5e-5, atol=1e-9)


def test_knob_is_mounted_on_a_door(meshes: dict[str, MeshData]) -> None:
    vertices = meshes["door_knob"].vertices
    assert vertices[:, 1].max() == pytest.approx(0.0, abs=1e-12)
    # The front third is the knob, level and round about the axis that runs through the rosette's middle.
    front = vertices[vertices[:, 1] < -0.04]
    assert np.ptp(front[:, 0]) == pytest.approx(0.055, abs=0.001)
    assert front[:, 2].min() + front[:, 2].max() == pytest.approx(vertices[:, 2].max(), abs=1e-9)


@pytest.mark.parametrize("key", ["mug", "cup_on_saucer"])
def test_both_halves_of_a_handled_vessel_mirror_each_other(key: str, meshes: dict[str, MeshData]) -> None:
    # Also their edges do, so a handle is not twisted between its joints.
    mesh = meshes[key]
    mirrored = mesh.vertices * (1.0, -1.0, 1.0)
    # Half a micrometre of offset keeps coordinates that are zero away from the rounding's edge.
    order, order_mirrored = (np.lexsort(np.floor((v + 5e-7) * 1e6).T) for v in (mesh.vertices, mirrored))
    np.testing.assert_allclose(mesh.vertices[order], mirrored[order_mirrored], atol=1e-9)
    twin = np.empty(len(order), dtype=np.int64)
    twin[order] = order_mirrored
    edges = {tuple(edge) for edge in np.sort(face_edges(mesh), axis=1).tolist()}
    assert {tuple(edge) for edge in np.sort(twin[face_edges(mesh)], axis=1).tolist()} == edges


@every_prop
def test_it_is_light(key: str, meshes: dict[str, MeshData]) -> None:
    assert 500 <= len(meshes[key].triangles()) <= 12_000
