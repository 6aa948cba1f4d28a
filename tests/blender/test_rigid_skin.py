# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lu 1997, acceptance vector [19]: a skin whose vertices follow one bone each moves as the thesis's offsets do."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest

from addon.hands.forward import forward
from addon.rig.read import read_pose
from addon.rig.skeletons import read_skeleton
from addon.rig.skin import read_skin
from addon.rig.write import write_angles
from addon.services.posture import model_of
from tests.blender.model_rigs import add_hand
from tests.blender.test_skin_volume import evaluated_points
from tests.unit.model_hands import HandShape

MM = 1e-3
RADIUS = 9.0 * MM


def add_rigid_skin(armature: Any, hand: Any) -> tuple[Any, list[str], np.ndarray]:
    """Rings round the index finger's bones, each vertex in the group of its own bone; object, bones, rest places.

    At both ends of a bone one vertex lies right above the joint, `RADIUS` from its axis, so that two of different bones
    start in the same place.
    """
    model = model_of(armature, hand)
    frames = forward(model, model.rest_angles)
    at = read_pose(armature, model).T_world_hand
    joints = model.joints("index")
    points, bones = [], []
    turns = np.linspace(0.0, 2.0 * np.pi, 8, endpoint=False)
    for place, joint in enumerate(joints):
        frame = frames.rotations[joint]
        before = frame if place == 0 else frames.rotations[joints[place - 1]]
        for share in (0.0, 0.3, 0.7, 1.0):
            middle = frames.origins[joint] + share * model.lengths[joint] * frame[:, 2]
            # The joint's own dorsal direction is that of the bone before it: both bones' vertices lie there.
            up = before if share == 0.0 else frame
            for turn in turns:
                local = RADIUS * (np.cos(turn) * up[:, 1] + np.sin(turn) * up[:, 0])
                points.append(at[:3, :3] @ (middle + local) + at[:3, 3])
                bones.append(model.names[joint])
    mesh = bpy.data.meshes.new("Rigid")
    mesh.from_pydata([point.tolist() for point in points], [], [])
    skin = bpy.data.objects.new("Rigid", mesh)
    bpy.context.scene.collection.objects.link(skin)
    for vertex, bone in enumerate(bones):
        group = skin.vertex_groups.get(bone) or skin.vertex_groups.new(name=bone)
        group.add([vertex], 1.0, "REPLACE")
    skin.modifiers.new("Armature", "ARMATURE").object = armature
    bpy.context.view_layer.update()
    return skin, bones, np.array(points)


@pytest.mark.parametrize("side", ["L", "R"])
def test_offsets_turn_with_their_bones_and_the_skin_opens_by_the_chord(side: str) -> None:
    armature, hand = add_hand(HandShape(side=side, curl_deg=0.0, seed=0))
    skin, bones, rest = add_rigid_skin(armature, hand)
    assert all(len(vertex.groups) == 1 and vertex.groups[0].weight == 1.0 for vertex in skin.data.vertices)
    model = model_of(armature, hand)
    skeleton = read_skeleton(armature)
    read = read_skin(armature, skeleton, [skin], centre=rest.mean(axis=0), radius=1.0)
    assert read is not None
    assert [skeleton.names[row[0]] for row in read.bones.tolist()] == bones, "what is read is one bone a vertex"
    assert (read.weights[:, 0] == 1.0).all()

    before = {name: np.array(armature.pose.bones[name].matrix) for name in set(bones)}
    joints = model.joints("index")
    angles = np.array(model.rest_angles)
    angles[joints[1], 0] += 0.5 * np.pi
    write_angles(armature, model, angles, view_layer=bpy.context.view_layer)
    # v' = P' + R' R^T (v - P): the offset from the segment's distal end turns with the segment.
    expected = []
    for name, point in zip(bones, rest, strict=True):
        now, joint = np.array(armature.pose.bones[name].matrix), model.names.index(name)
        end = before[name][:3, 3] + model.lengths[joint] * before[name][:3, 1]
        moved_end = now[:3, 3] + model.lengths[joint] * now[:3, 1]
        expected.append(moved_end + now[:3, :3] @ before[name][:3, :3].T @ (point - end))
    shown = evaluated_points(skin)
    assert np.abs(shown - np.array(expected)).max() < 1e-4 * MM + 1e-6

    dorsal = 8  # vertices a ring; the first of each lies dorsally
    above, below = 3 * dorsal, 4 * dorsal  # last ring of the first bone, first ring of the second
    assert np.linalg.norm(rest[above] - rest[below]) < 1e-6
    assert np.linalg.norm(shown[above] - shown[below]) / MM == pytest.approx(12.73, abs=0.1)
