# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast fingertips follow: the figures that are shown, the benchmark's loops, and the fast way to turn bones."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix, Quaternion, Vector

from addon.core.rotations import nearest_rotation
from addon.hands.forward import forward
from addon.panels.tips import rate_lines
from addon.rig.channels import get_rotation, get_turn, set_rotation, set_turn
from addon.rig.read import read_pose
from addon.rig.tips import GAP_KEY
from addon.services.poses import hands_of
from addon.services.posture import model_of
from addon.services.tip_follow import UpdateRate
from tests.blender.recording import draw

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from benchmarks import follow_scene

pytestmark = pytest.mark.long


@pytest.fixture
def hand() -> Any:
    bpy.ops.prehend.add_demo_hand(side="R")
    bpy.ops.prehend.detect_hands()
    return bpy.context.object


def test_the_rate_counts_the_last_second_and_starts_anew_after_a_pause() -> None:
    rate = UpdateRate()
    assert rate.count(10.0) == 0.0
    assert rate.count(10.02) == pytest.approx(50.0)
    counted = [rate.count(10.02 + 0.04 * k) for k in range(1, 60)]
    assert counted[-1] == pytest.approx(25.0), "what is more than a second ago no longer counts"
    assert rate.count(20.0) == 0.0
    assert rate.count(20.1) == pytest.approx(10.0)
    assert rate.count(20.8) == 0.0, "a pause of 0.7 seconds is one"
    assert rate.count(20.85) == pytest.approx(20.0)
    assert rate.count(5.0) == 0.0, "a clock that was set back is a pause too"


def test_the_panel_tells_the_rate_and_the_solvers_share(hand: Any) -> None:
    assert rate_lines(0.0, 0.0, 0.0) == ["Move a target or the wrist"]
    assert rate_lines(40.0, 0.5, 2.25) == ["40 updates a second", "Solver 0.5, with rig 2.2 of 25 ms"]
    bpy.ops.prehend.add_tip_targets()
    bpy.ops.prehend.follow_tips()
    goal = next(obj for obj in bpy.data.objects if obj.get("prehend_tip_finger") == "index")
    for _ in range(3):
        goal.location += Vector((0.0, -0.004, -0.004))
        bpy.context.view_layer.update()
        bpy.context.view_layer.update()
    shown = bpy.context.window_manager.prehend
    assert shown.follow_rate > 1.0
    assert 0.0 < shown.follow_solve_ms < shown.follow_ms
    drawn = draw(bpy.types.PREHEND_PT_tips, bpy.context)
    texts = [what["text"] for name, what in drawn if name == "label" and "text" in what]
    assert any("updates a second" in text for text in texts)
    assert any(text.startswith("Solver") for text in texts)
    bpy.ops.prehend.follow_tips()


@pytest.mark.parametrize(("beyond_mm", "noted"), [(0.3, False), (2.0, True)])
def test_a_hair_beyond_reach_is_not_held_against_a_dragged_target(hand: Any, beyond_mm: float, noted: bool) -> None:
    bpy.ops.prehend.add_tip_targets(fingers="index")
    model = model_of(hand, hands_of(hand)[0], objects=bpy.context.scene.objects)
    angles = np.array(model.rest_angles)
    angles[model.joints("index")] = 0.0
    frames, at = forward(model, angles), read_pose(hand, model).T_world_hand
    tip, base = frames.tips[model.fingers.index("index")], frames.origins[model.joints("index")[0]]
    tip = tip + 1e-3 * beyond_mm * (tip - base) / np.linalg.norm(tip - base)
    bpy.ops.prehend.follow_tips()
    goal = next(obj for obj in bpy.data.objects if obj.get("prehend_tip_finger") == "index")
    goal.location = (at[:3, :3] @ tip + at[:3, 3]).tolist()
    bpy.context.view_layer.update()
    bpy.context.view_layer.update()
    assert (GAP_KEY in goal) is noted
    bpy.ops.prehend.follow_tips()


def test_the_benchmarks_loops_end_in_the_same_poses(hand: Any) -> None:
    made = follow_scene.prepare(hand)
    assert len(made.targets) == 5
    assert np.ptp(made.paths, axis=0).max() > 0.02, "the targets move"
    followed, alone = follow_scene.measure(made, 1)
    assert followed.miss < 1e-4
    assert 0.0 < followed.solve_seconds < followed.own_seconds < followed.seconds
    assert alone.seconds > 0.0
    assert alone.own_seconds == 0.0


@pytest.mark.parametrize("mode", ["QUATERNION", "AXIS_ANGLE", "XYZ", "ZYX"])
@pytest.mark.parametrize("locked", [False, True])
def test_the_fast_way_to_turn_a_bone_is_the_slow_one(hand: Any, mode: str, locked: bool) -> None:
    rng = np.random.default_rng(12)
    bones = hand.pose.bones[1], hand.pose.bones[2]
    for bone in bones:
        bone.rotation_mode = mode
        bone.lock_rotation = (False, locked, False)
    for step in range(12):
        turn = Quaternion(rng.normal(size=4).tolist()).normalized().to_matrix().to_4x4()
        if step % 3 == 1:
            turn = turn @ Matrix.Diagonal((1.3, 0.8, 1.1, 1.0))
        if step % 3 == 2:
            turn = turn @ Matrix.Shear("XY", 4, (0.1, 0.2))
        fast = set_turn(bones[0], turn)
        slow = set_rotation(bones[1], nearest_rotation(np.array(turn, dtype=np.float64)[:3, :3]))
        assert fast == slow == locked
        np.testing.assert_allclose(get_rotation(bones[0]), get_rotation(bones[1]), atol=2e-6)
        np.testing.assert_allclose(np.array(get_turn(bones[0]))[:3, :3], get_rotation(bones[0]), atol=2e-6)


def test_a_turn_that_is_there_already_is_not_written_again(hand: Any) -> None:
    bone = hand.pose.bones[1]
    bone.rotation_mode = "QUATERNION"
    set_turn(bone, Euler((0.3, -0.2, 0.1)).to_matrix().to_4x4())
    bpy.context.view_layer.update()
    seen: list[str] = []

    def note(_scene: Any, depsgraph: Any) -> None:
        seen.extend(each.id.name for each in depsgraph.updates)

    bpy.app.handlers.depsgraph_update_post.append(note)
    try:
        set_turn(bone, get_turn(bone))
        bpy.context.view_layer.update()
        assert hand.name not in seen
        set_turn(bone, Euler((0.3, -0.2, 0.2)).to_matrix().to_4x4())
        bpy.context.view_layer.update()
        assert hand.name in seen
    finally:
        bpy.app.handlers.depsgraph_update_post.remove(note)
