# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Grasps kept with a prop: to JSON and back, damage, and the mirror for the other hand."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "unit"))

import surface_shapes as shapes
from closing_hands import demo_model

from addon.hands.movements import hand_size
from addon.services.grasp_records import (
    GRASPS_KEY,
    GraspRecord,
    GraspRecordError,
    _mirrored,
    load_candidates,
    store_candidates,
    symmetry_plane,
)
from addon.services.surfaces import WorldSurface
from addon.solvers.surface import build_surface


class Prop(dict):
    """What of an object the records use."""

    name = "Mug"


def record(**changes: object) -> GraspRecord:
    rng = np.random.default_rng(4)
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    turn *= np.linalg.det(turn)
    wrist = np.column_stack([turn, [0.05, -0.1, 0.02]])
    made = GraspRecord(
        movement="medium_diameter",
        side="R",
        wrist=tuple(tuple(float(value) for value in row) for row in wrist),
        hand_size=hand_size(demo_model()),
        hook=(0.01, 0.02, 0.03),
        score=4.25,
        terms={"contact": 1.0, "wrap": 0.123456789012345},
        touching=("index.01", "thumb.02"),
        deepest_mm=0.29,
        reason="It is round.",
    )
    return replace(made, **changes)


def mug(pose: np.ndarray | None = None, *, name: str = "Mug") -> WorldSurface:
    """A body and a handle on +x: one upright plane of symmetry, y = 0 (moved off the origin)."""
    body = shapes.box((0.06, 0.06, 0.09))
    handle = shapes.moved(shapes.box((0.03, 0.012, 0.05)), (0.04, 0.0, 0.01))
    vertices, triangles = shapes.moved(shapes.joined(_cut(body), _cut(handle)), (0.1, 0.2, 0.3))
    return WorldSurface(name, build_surface(vertices, triangles), np.eye(4) if pose is None else pose, vertices)


def _cut(mesh: shapes.Mesh, times: int = 3) -> shapes.Mesh:
    """The mesh with every triangle cut in four, a few times over."""
    vertices, triangles = mesh
    for _ in range(times):
        corners = vertices[triangles]
        middles = 0.5 * (corners + np.roll(corners, -1, axis=1))
        (a, b, c), (d, e, f) = (np.moveaxis(each, 1, 0) for each in (corners, middles))
        parts = np.concatenate([np.stack(each, axis=1) for each in ((a, d, f), (d, b, e), (f, e, c), (d, e, f))])
        vertices, triangles = np.unique(parts.reshape(-1, 3).round(9), axis=0, return_inverse=True)
        triangles = triangles.reshape(-1, 3)
    return vertices, triangles


def test_what_is_kept_comes_back_as_it_was() -> None:
    prop, records = Prop(), [record(), record(side="L", score=-1.0, touching=())]
    store_candidates(prop, records, 1)
    assert load_candidates(prop) == (records, 1)
    assert json.loads(prop[GRASPS_KEY])["schema_version"] == 1


def test_it_is_a_property_that_blender_keeps() -> None:
    import bpy

    obj = bpy.data.objects.new("Mug", None)
    try:
        store_candidates(obj, [record()], 0)
        assert load_candidates(obj) == ([record()], 0)
    finally:
        bpy.data.objects.remove(obj)


@pytest.mark.parametrize("prop", [None, Prop()], ids=["no prop", "nothing kept"])
def test_nothing_kept_says_what_to_press(prop: Prop | None) -> None:
    with pytest.raises(GraspRecordError, match="press Grasp first"):
        load_candidates(prop)


def _damaged() -> dict[str, str]:
    prop = Prop()
    store_candidates(prop, [record()], 0)
    good = prop[GRASPS_KEY]
    entry = json.loads(good)
    grasp = entry["grasps"][0]
    return {
        "cut off": good[:-20],
        "no JSON": "{grasps}",
        "a list": "[]",
        "a number": "3",
        "later version": json.dumps({**entry, "schema_version": 2}),
        "none": json.dumps({**entry, "grasps": []}),
        "chosen too high": json.dumps({**entry, "chosen": 1}),
        "chosen negative": json.dumps({**entry, "chosen": -1}),
        "unknown field": json.dumps({**entry, "grasps": [{**grasp, "colour": "red"}]}),
        "missing field": json.dumps({**entry, "grasps": [{k: v for k, v in grasp.items() if k != "wrist"}]}),
        "wrist of words": json.dumps({**entry, "grasps": [{**grasp, "wrist": [["a"]]}]}),
        "wrist of two rows": json.dumps({**entry, "grasps": [{**grasp, "wrist": grasp["wrist"][:2]}]}),
        "wrist not a number": json.dumps({**entry, "grasps": [{**grasp, "wrist": [[float("nan")] * 4] * 3}]}),
        "hook of two numbers": json.dumps({**entry, "grasps": [{**grasp, "hook": [0.0, 0.0]}]}),
        "hand without size": json.dumps({**entry, "grasps": [{**grasp, "hand_size": 0.0}]}),
        "grasps of numbers": json.dumps({**entry, "grasps": [1]}),
    }


@pytest.mark.parametrize("damage", list(_damaged()))
def test_damaged_records_are_told_of_in_a_sentence(damage: str) -> None:
    with pytest.raises(GraspRecordError, match="'Mug' are damaged: press Grasp again"):
        load_candidates(Prop({GRASPS_KEY: _damaged()[damage]}))


def test_the_mirror_of_the_mirror_is_the_frame_itself() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        frame = np.eye(4)
        frame[:3, :3], frame[:3, 3] = turn * np.linalg.det(turn), rng.normal(size=3)
        point, normal = rng.normal(size=3), rng.normal(size=3)
        normal /= np.linalg.norm(normal)
        once = _mirrored(frame, point, normal)
        assert np.linalg.det(once[:3, :3]) == pytest.approx(1.0)
        np.testing.assert_allclose(_mirrored(once, point, normal), frame, atol=1e-12)
        # Points of the hand and their mirror images, whose x is the other way round, stay in each other's mirror.
        local = rng.normal(size=3)
        seen = frame[:3, :3] @ local + frame[:3, 3]
        other = once[:3, :3] @ (local * [-1.0, 1.0, 1.0]) + once[:3, 3]
        np.testing.assert_allclose(other, seen - 2.0 * ((seen - point) @ normal) * normal, atol=1e-12)


def test_a_mug_is_its_own_mirror_image_across_its_handle() -> None:
    point, normal = symmetry_plane(mug())
    assert abs(normal[1]) == pytest.approx(1.0, abs=1e-6)
    assert point[1] == pytest.approx(0.2, abs=1e-9)


def test_a_hand_of_the_same_size_stands_where_it_was_and_the_other_one_in_the_mirror() -> None:
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], [1.0, 2.0, 3.0]
    surface, kept = mug(pose), record(hook=(0.1, 0.25, 0.3))
    own = np.vstack([np.array(kept.wrist), [0.0, 0.0, 0.0, 1.0]])
    right = kept.hand_frame(surface, demo_model(side="R"))
    np.testing.assert_allclose(right, pose @ own, atol=1e-9)
    left = np.linalg.inv(pose) @ kept.hand_frame(surface, demo_model(side="L"))
    np.testing.assert_allclose(left[:3, 3], [own[0, 3], 0.4 - own[1, 3], own[2, 3]], atol=1e-6)
    np.testing.assert_allclose(left[:3, 0], -own[:3, 0] * [1.0, -1.0, 1.0], atol=1e-6)
    np.testing.assert_allclose(left[:3, 1], own[:3, 1] * [1.0, -1.0, 1.0], atol=1e-6)


def test_a_larger_hand_stands_back_from_the_hook() -> None:
    surface, kept = mug(), record()
    small = replace(kept, hand_size=kept.hand_size / 2.0)
    own = np.array(kept.wrist)[:, 3] - kept.hook
    np.testing.assert_allclose(small.hand_frame(surface, demo_model())[:3, 3] - kept.hook, 2.0 * own, atol=1e-9)


def test_a_gripper_takes_a_hands_grasp_as_it_is() -> None:
    surface, kept = mug(), record(side="")
    frames = [kept.hand_frame(surface, demo_model(side=side)) for side in ("L", "R")]
    np.testing.assert_allclose(frames[0][:3, :3], frames[1][:3, :3], atol=1e-12)
    np.testing.assert_allclose(frames[0][:3, :3], np.array(kept.wrist)[:, :3], atol=1e-12)
