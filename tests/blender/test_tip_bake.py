# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Baking fingertips: keys at every frame in each bone's own rotation mode, and cancelling that leaves no trace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Vector

from addon.compat import action_fcurves
from addon.core.errors import PrehendError
from addon.core.rotations import angle_between, nearest_rotation
from addon.services.export import export_fbx
from addon.services.finger_ik import TipOptions
from addon.services.poses import hands_of
from addon.services.tip_bake import TipBake, bake_tips
from tests.blender.model_rigs import deform_state
from tests.blender.test_tips import gap, target


@pytest.fixture
def hand() -> Any:
    """A hand whose index target moves from frame 1 to 9."""
    bpy.ops.prehend.add_demo_hand(side="R")
    bpy.ops.prehend.detect_hands()
    hand = bpy.context.object
    bpy.ops.prehend.add_tip_targets(fingers="index")
    goal = target("index")
    goal.keyframe_insert("location", frame=1)
    goal.location += Vector((0.005, -0.03, -0.03))
    goal.keyframe_insert("location", frame=9)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 9
    bpy.context.scene.frame_set(4)
    return hand


def keyed(hand: Any) -> dict[str, list[float]]:
    if hand.animation_data is None or hand.animation_data.action is None:
        return {}
    curves = action_fcurves(hand.animation_data.action, hand)
    return {f"{c.data_path}[{c.array_index}]": [p.co[0] for p in c.keyframe_points] for c in curves}


def test_every_frame_is_keyed_and_plays_back_with_the_tip_on_its_target(hand: Any) -> None:
    chain = hands_of(hand)[0].finger("index").chain
    hand.pose.bones[chain[0]].rotation_mode = "XYZ"
    hand.pose.bones[chain[1]].rotation_mode = "AXIS_ANGLE"
    assert bpy.ops.prehend.bake_tips() == {"FINISHED"}
    assert bpy.context.scene.frame_current == 4
    curves = keyed(hand)
    ends = {path.rpartition(".")[2].partition("[")[0] for path in curves}
    assert ends == {"rotation_euler", "rotation_axis_angle", "rotation_quaternion"}
    assert all(frames == list(range(1, 10)) for frames in curves.values())
    assert all("index" in path for path in curves)
    for frame in range(1, 10):
        bpy.context.scene.frame_set(frame)
        assert gap(hand, "index") < 1e-5


def test_a_range_of_its_own(hand: Any) -> None:
    bpy.ops.prehend.bake_tips(use_scene_range=False, frame_start=3, frame_end=5)
    assert set(map(tuple, keyed(hand).values())) == {(3.0, 4.0, 5.0)}


def test_cancelling_half_way_leaves_everything_as_it_was(hand: Any) -> None:
    hand.pose.bones[hands_of(hand)[0].finger("index").chain[0]].rotation_quaternion = (0.98, 0.2, 0.0, 0.0)
    bpy.context.view_layer.update()
    before, objects = deform_state(hand), set(bpy.data.objects.keys())
    bake = TipBake(
        hand,
        scene=bpy.context.scene,
        view_layer=bpy.context.view_layer,
        options=TipOptions(),
        frames=(1, 9),
        side="BOTH",
    )
    steps = bake.steps()
    assert [next(steps) for _ in range(3)] == pytest.approx([1 / 9, 2 / 9, 3 / 9])
    assert deform_state(hand) != before
    bake.cancel()
    assert deform_state(hand) == before
    assert keyed(hand) == {}
    assert bpy.context.scene.frame_current == 4
    assert set(bpy.data.objects.keys()) == objects
    assert len(bpy.data.actions) == 1  # the target's own


def test_bad_input_changes_nothing(hand: Any) -> None:
    before = deform_state(hand)
    with pytest.raises(RuntimeError, match="is empty"):
        bpy.ops.prehend.bake_tips(use_scene_range=False, frame_start=5, frame_end=3)
    bpy.data.objects.remove(target("index"))
    with pytest.raises(RuntimeError, match="no fingertip targets"):
        bpy.ops.prehend.bake_tips()
    assert deform_state(hand) == before
    assert keyed(hand) == {}


def test_a_target_that_ends_half_way_takes_everything_back(hand: Any) -> None:
    before = deform_state(hand)
    curve = next(c for c in action_fcurves(target("index").animation_data.action, target("index")))
    curve.keyframe_points[1].co[1] = float("nan")
    curve.update()
    with pytest.raises(RuntimeError, match="is nowhere"):
        bpy.ops.prehend.bake_tips()
    assert deform_state(hand) == before
    assert keyed(hand) == {}
    assert np.isfinite(np.array(before)).all()


def test_the_service_alone(hand: Any) -> None:
    count = bake_tips(hand, scene=bpy.context.scene, view_layer=bpy.context.view_layer, frames=(1, 4))
    assert count == 3
    with pytest.raises(PrehendError):
        bake_tips(hand, scene=bpy.context.scene, view_layer=bpy.context.view_layer, frames=(1, 4), side="L")


def test_baked_keys_survive_an_fbx_round_trip(hand: Any, tmp_path: Path) -> None:
    """Lu 1997, acceptance vector [22]: re-imported rotations within 0.01 degrees of the keyed ones at every frame."""
    bpy.ops.prehend.bake_tips()
    chain = hands_of(hand)[0].finger("index").chain
    wanted = {}
    for frame in range(1, 10):
        bpy.context.scene.frame_set(frame)
        wanted[frame] = turns_in_parents(hand, chain)
    export_fbx(bpy.context, tmp_path / "hand.fbx", [hand])
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.fbx(filepath=str(tmp_path / "hand.fbx"))
    again = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    shift = int(again.animation_data.action.frame_range[0]) - 1
    for frame, turns in wanted.items():
        bpy.context.scene.frame_set(frame + shift)
        assert np.degrees(angle_between(turns_in_parents(again, chain), turns)).max() < 0.01


def turns_in_parents(armature: Any, names: tuple[str, ...]) -> np.ndarray:
    """Frames of bones in the frames of the bones before them, from the second on. Shape (n - 1, 3, 3)."""
    frames = nearest_rotation(np.array([armature.pose.bones[name].matrix.to_3x3() for name in names]))
    return np.swapaxes(frames[:-1], -1, -2) @ frames[1:]
