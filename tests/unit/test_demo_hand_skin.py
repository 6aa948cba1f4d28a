# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo hands' skins: proper solids that keep their volume when they bend."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from addon.core.arrays import FloatArray, IntArray
from addon.shapes.hand import VARIANTS, HandBuild, HandSpec, build_hand
from addon.shapes.mesh import face_edges, is_closed_manifold, signed_volume
from tests.unit.demo_hand_skinning import skinned

FLESH = ("human", "cartoon", "six_finger")


@cache
def built(variant: str = "human", side: str = "R", size_sd: float = 0.0) -> HandBuild:
    return build_hand(HandSpec(variant=variant, side=side, size_sd=size_sd))  # type: ignore[arg-type]


def finger_of(name: str) -> str:
    return name.split(".")[0]


def dominant_fingers(build: HandBuild) -> np.ndarray:
    """Name of the finger that carries each vertex with its phalanges alone, "" for the palm and the webs."""
    names = np.array([finger_of(n) for n in build.skeleton.names])
    phalanx = np.array([".metacarpal." not in n and finger_of(n) != "hand" for n in build.skeleton.names])
    fingers = np.unique(names[phalanx])
    shares = np.stack([build.weights[:, phalanx & (names == f)].sum(axis=1) for f in fingers], axis=1)
    return np.where(shares.max(axis=1) > 0.999, fingers[shares.argmax(axis=1)], "")


@pytest.mark.parametrize("size_sd", [-3.0, 0.0, 3.0])
@pytest.mark.parametrize("side", ["L", "R"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_skin_is_a_closed_solid_with_outward_faces(variant: str, side: str, size_sd: float) -> None:
    build = built(variant, side, size_sd)
    assert is_closed_manifold(build.mesh)
    assert np.all(np.isfinite(build.mesh.vertices))
    volume = signed_volume(build.mesh.vertices, build.mesh.triangles())
    assert 5e-5 < volume < 1.2e-3  # A mean adult hand with a stump of forearm displaces about 0.4 litres.
    assert len(np.unique(build.mesh.corners)) == len(build.mesh.vertices)


@pytest.mark.parametrize("size_sd", [-3.0, 0.0, 3.0])
@pytest.mark.parametrize("variant", FLESH)
def test_skin_of_flesh_is_one_piece_of_moderate_size(variant: str, size_sd: float) -> None:
    mesh = built(variant, "R", size_sd).mesh
    assert 5_000 <= len(mesh.triangles()) <= 20_000
    assert set(mesh.sizes) == {4}
    edges = face_edges(mesh)
    label = np.arange(len(mesh.vertices))
    for _ in range(len(mesh.vertices)):
        lower = label.copy()
        np.minimum.at(lower, edges[:, 0], label[edges[:, 1]])
        lower = lower[lower]
        if np.array_equal(lower, label):
            break
        label = lower
    assert np.all(label == 0)
    # A sphere has Euler characteristic 2: no handles, no pinched holes.
    assert len(mesh.vertices) - len(edges) // 2 + len(mesh.sizes) == 2


@pytest.mark.parametrize("size_sd", [-3.0, 0.0, 3.0])
@pytest.mark.parametrize("variant", FLESH)
def test_faces_are_not_folded(variant: str, size_sd: float) -> None:
    build = built(variant, "R", size_sd)
    v = build.mesh.vertices[build.mesh.corners.reshape(-1, 4)]
    first = np.cross(v[:, 1] - v[:, 0], v[:, 2] - v[:, 0])
    second = np.cross(v[:, 2] - v[:, 0], v[:, 3] - v[:, 0])
    flat = np.einsum("ij,ij->i", first, second) / (np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1))
    # The few that are lie in the valleys between fingers and below the free edges of the nails.
    assert np.mean(flat < 0.5) < 0.008
    assert np.mean(flat < 0.0) < 0.004


@pytest.mark.parametrize("variant", VARIANTS)
def test_weights_sum_to_one_over_at_most_four_bones(variant: str) -> None:
    build = built(variant)
    np.testing.assert_allclose(build.weights.sum(axis=1), 1.0, atol=1e-12)
    assert build.weights.min() >= 0.0
    assert (build.weights > 0.0).sum(axis=1).max() <= 4
    assert build.weights[:, ~build.skeleton.deform].max() == 0.0


@pytest.mark.parametrize("variant", ["gripper_2", "gripper_3"])
def test_gripper_links_are_rigid(variant: str) -> None:
    assert set(np.unique(built(variant).weights)) == {0.0, 1.0}


@pytest.mark.parametrize("variant", FLESH)
def test_no_finger_carries_another_fingers_skin(variant: str) -> None:
    build = built(variant)
    names = build.skeleton.names
    fingers = sorted({finger_of(name) for name in names} - {"hand"})
    phalanges = {f: [finger_of(n) == f and ".metacarpal." not in n for n in names] for f in fingers}
    shares = np.stack([build.weights[:, phalanges[f]].sum(axis=1) for f in fingers], axis=1)
    for column, finger in enumerate(fingers):
        k = names.index(f"{finger}.proximal.R")
        start, end = build.skeleton.heads[k], build.skeleton.tails[k]
        way = (build.mesh.vertices - start) @ (end - start) / ((end - start) @ (end - start))
        # Webs belong to two fingers; they end before two thirds of the first phalanx.
        own = (shares[:, column] > 0.55) & (way > 0.67)
        assert own.sum() > 200
        assert np.delete(shares[own], column, axis=1).max() == 0.0, finger
        np.testing.assert_allclose(shares[own, column], 1.0)


@pytest.mark.parametrize("size_sd", [-3.0, 0.0, 3.0])
@pytest.mark.parametrize("variant", FLESH)
def test_fingers_do_not_touch_at_rest(variant: str, size_sd: float) -> None:
    build = built(variant, "R", size_sd)
    owner = dominant_fingers(build)
    outer = [".intermediate." in n or ".distal." in n for n in build.skeleton.names]
    points = {
        finger: build.mesh.vertices[(owner == finger) & (build.weights[:, outer].sum(axis=1) > 0.5)]
        for finger in set(owner) - {""}
    }
    names = sorted(points)
    gaps = [
        np.sqrt(((points[a][:, None] - points[b][None]) ** 2).sum(axis=2).min())
        for i, a in enumerate(names)
        for b in names[i + 1 :]
    ]
    assert min(gaps) > 0.0012


def region_volume(points: FloatArray, triangles: IntArray, inside: np.ndarray) -> float:
    """Volume under the triangles whose corners are all `inside`, closed by fans to the middles of their open rims."""
    part = triangles[inside[triangles].all(axis=1)]
    edges = np.concatenate([part[:, [0, 1]], part[:, [1, 2]], part[:, [2, 0]]])
    known = {tuple(e) for e in edges.tolist()}
    rim = [e for e in edges.tolist() if (e[1], e[0]) not in known]
    following = {a: b for a, b in rim}
    volume = signed_volume(points, part)
    while following:
        start, nxt = following.popitem()
        loop = [start]
        while nxt != start:
            loop.append(nxt)
            nxt = following.pop(nxt)
        ring = points[loop]
        middle = ring.mean(axis=0)
        volume += float(np.einsum("ij,ij->", np.cross(np.roll(ring, -1, axis=0), ring), middle[None]) / 6.0)
    return volume


def bend_ratio(build: HandBuild, bone: str, angle_deg: float) -> float:
    """Volume about a joint after bending over volume before."""
    k = build.skeleton.index(bone)
    head, along = build.skeleton.heads[k], build.skeleton.rotations[k][:, 1]
    finger = np.array([finger_of(n) == finger_of(bone) for n in build.skeleton.names])
    own = build.weights[:, finger].sum(axis=1) > 0.99
    width = np.ptp(
        ((build.mesh.vertices - head) @ build.skeleton.rotations[k][:, 0])[
            own & (np.abs((build.mesh.vertices - head) @ along) < 0.002)
        ]
    )
    inside = own & (np.abs((build.mesh.vertices - head) @ along) < width)
    triangles = build.mesh.triangles()
    posed = skinned(build, {bone: (angle_deg, 0.0, 0.0)})
    return region_volume(posed, triangles, inside) / region_volume(build.mesh.vertices, triangles, inside)


@pytest.mark.parametrize("size_sd", [-3.0, 0.0, 3.0])
@pytest.mark.parametrize("finger", ["index", "middle", "ring", "pinky"])
def test_bending_the_middle_joint_keeps_the_fingers_volume(finger: str, size_sd: float) -> None:
    rest_deg = 9.0
    ratio = bend_ratio(built("human", "R", size_sd), f"{finger}.intermediate.R", 90.0 - rest_deg)
    assert ratio == pytest.approx(1.0, abs=0.25)


def test_a_fist_keeps_the_hands_volume() -> None:
    build = built()
    pose = {}
    for finger in ("index", "middle", "ring", "pinky"):
        pose |= {f"{finger}.proximal.R": (75.0, 0.0, 0.0), f"{finger}.intermediate.R": (95.0, 0.0, 0.0)}
        pose |= {f"{finger}.distal.R": (55.0, 0.0, 0.0)}
    triangles = build.mesh.triangles()
    ratio = signed_volume(skinned(build, pose), triangles) / signed_volume(build.mesh.vertices, triangles)
    assert ratio == pytest.approx(1.0, abs=0.12)


@pytest.mark.parametrize("variant", FLESH)
def test_every_finger_has_a_nail_on_its_back(variant: str) -> None:
    build = built(variant)
    mesh = build.mesh
    quads = mesh.corners.reshape(-1, 4)[mesh.materials == mesh.material_names.index("Prehend Nail")]
    centres = mesh.vertices[quads].mean(axis=1)
    normals = np.cross(
        mesh.vertices[quads[:, 2]] - mesh.vertices[quads[:, 0]], mesh.vertices[quads[:, 3]] - mesh.vertices[quads[:, 1]]
    )
    for k, name in enumerate(build.skeleton.names):
        if ".distal." not in name:
            continue
        near = np.linalg.norm(centres - build.skeleton.tails[k], axis=1) < 0.02 * (1.7 if variant == "cartoon" else 1.0)
        assert near.sum() > 20, name
        assert normals[near].sum(axis=0) @ build.skeleton.rotations[k][:, 2] < 0.0, name


def test_flush_lies_between_none_and_full() -> None:
    flush = built().flush
    assert 0.0 <= flush.min() < 0.05
    assert 0.5 < flush.max() <= 1.0


def test_fingertip_markers_sit_on_the_fleshy_end() -> None:
    build = built()
    for k, name in enumerate(build.skeleton.names):
        if ".tip." in name:
            gap = np.linalg.norm(build.mesh.vertices - build.skeleton.heads[k], axis=1).min()
            assert gap < 1e-4, name
