# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Postures to pose bones and back, on every kind of armature."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion

from addon.core.errors import ShapeError
from addon.core.rotations import EULER_ORDERS
from addon.hands.forward import forward
from addon.rig.models import forget_models, hand_model
from addon.rig.placement import ArmatureMover, ControlMover, PropMover
from addon.rig.read import ScaleError, read_pose
from addon.rig.write import ReadOnlyArmatureError, write_angles
from addon.services.posture import apply_posture, copy_posture, mirror_posture, model_of, read_posture
from tests.blender.model_rigs import add_hand, deform_state, placed, random_posture
from tests.unit.model_hands import HandShape

TURN = 1e-6
GAP = 1e-7
SINGLE = 1.2e-7
"""Spacing of Blender's own numbers, relative: a joint one metre away from its armature's origin is no more exact."""


def layer() -> Any:
    return bpy.context.view_layer


def assert_round_trip(armature: Any, hand: Any, *, seed: int = 1) -> None:
    model = model_of(armature, hand)
    wrist = read_pose(armature, model).T_world_hand
    far = armature.matrix_world.to_3x3() @ armature.data.bones[hand.wrist].head_local
    gap = GAP + SINGLE * (far.length + armature.matrix_world.translation.length)
    angles = random_posture(model, seed)
    result = write_angles(armature, model, angles, view_layer=layer())
    shown = read_pose(armature, model)
    assert result.turns.max() < TURN
    assert result.gaps.max() < gap
    assert result.exact
    assert result.off() == ()
    assert np.abs(shown.angles - angles).max() < TURN
    assert np.allclose(shown.T_world_hand, wrist, atol=1e-6)
    T = shown.T_world_hand
    wanted = forward(model, angles).tips @ T[:3, :3].T + T[:3, 3]
    for f, tip in enumerate(model.binding.tips):
        if tip is not None:
            seen = armature.matrix_world @ armature.pose.bones[tip].head
            assert np.linalg.norm(np.array(seen) - wanted[f]) < 5.0 * gap


def test_the_rest_pose_has_the_rest_angles() -> None:
    armature, hand = add_hand(HandShape(seed=1))
    model = model_of(armature, hand)
    assert np.abs(read_posture(armature, hand).angles - model.rest_angles).max() < TURN


@pytest.mark.parametrize("side", ["L", "R"])
@pytest.mark.parametrize("seed", [None, 1, 2])
def test_round_trip_with_any_rolls(side: str, seed: int | None) -> None:
    assert_round_trip(*add_hand(HandShape(side=side, seed=seed, metacarpals=True)))


@pytest.mark.parametrize("mirror", [False, True])
@pytest.mark.parametrize("scale", [1.0, 0.01, 30.0])
def test_round_trip_at_any_object_scale(scale: float, mirror: bool) -> None:
    shape = HandShape(seed=3, scale=0.001 / scale)
    assert_round_trip(*add_hand(shape, matrix=placed(scale, mirror)))


def test_a_mirrored_object_makes_a_hand_of_the_other_side() -> None:
    # A flat hand, whose shape does not tell its side.
    flat = {"curl_deg": 0.0, "thumb_deg": (50.0, 0.0)}
    armature, hand = add_hand(HandShape(side="L", **flat), matrix=placed(1.0, mirror=True))
    model = model_of(armature, hand)
    assert model.side == "R"
    assert model.notes == ()
    straight = add_hand(HandShape(side="R", **flat))
    assert np.allclose(model.rest_angles, model_of(*straight).rest_angles, atol=1e-5)


@pytest.mark.parametrize("mode", ["QUATERNION", "AXIS_ANGLE", *EULER_ORDERS])
def test_round_trip_in_every_rotation_mode(mode: str) -> None:
    armature, hand = add_hand(HandShape(seed=4))
    for bone in armature.pose.bones:
        bone.rotation_mode = mode
    assert_round_trip(armature, hand)
    assert_round_trip(armature, hand, seed=2)


def test_a_turned_arm_takes_the_hand_along() -> None:
    armature, hand = add_hand(HandShape(seed=5))
    armature.pose.bones["root"].rotation_quaternion = (0.5, 0.5, -0.5, 0.5)
    armature.pose.bones["wrist"].rotation_quaternion = (0.8, 0.0, 0.6, 0.0)
    armature.pose.bones["wrist"].location = (0.02, 0.0, 0.01)
    layer().update()
    assert_round_trip(armature, hand)


def test_bones_that_do_not_inherit_rotation_are_turned_right() -> None:
    armature, hand = add_hand(HandShape(seed=6))
    armature.pose.bones["root"].rotation_quaternion = (0.8, 0.0, 0.6, 0.0)
    for name in ("index.0", "index.2", "thumb.1"):
        armature.data.bones[name].use_inherit_rotation = False
    layer().update()
    assert_round_trip(armature, hand)


def test_scaled_pose_bones_are_turned_right() -> None:
    armature, hand = add_hand(HandShape(seed=7))
    armature.pose.bones["wrist"].scale = (1.3, 1.3, 1.3)
    layer().update()
    model = model_of(armature, hand)
    angles = random_posture(model, 3)
    assert write_angles(armature, model, angles, view_layer=layer()).turns.max() < TURN


def test_a_stale_pose_is_corrected_in_the_same_call() -> None:
    armature, hand = add_hand(HandShape(seed=8))
    model = model_of(armature, hand)
    write_angles(armature, model, random_posture(model, 1), view_layer=layer())
    # Nothing has evaluated these yet: bone matrices are still those of before.
    armature.pose.bones["root"].rotation_quaternion = (0.6, 0.0, 0.8, 0.0)
    armature.data.bones["index.0"].use_inherit_rotation = False
    armature.data.bones["thumb.1"].use_inherit_rotation = False
    assert write_angles(armature, model, random_posture(model, 2), view_layer=layer()).exact
    assert np.abs(read_pose(armature, model).angles - random_posture(model, 2)).max() < TURN


def test_flat_hierarchies_move_joints_and_tips_too() -> None:
    armature, hand = add_hand(HandShape(flat=True, seed=9), matrix=placed(0.5))
    model = model_of(armature, hand)
    assert_round_trip(armature, hand)
    result = write_angles(armature, model, random_posture(model, 4), view_layer=layer())
    assert "index.2" in result.moved
    assert "index.tip" in result.moved


def test_only_rotation_channels_change() -> None:
    armature, hand = add_hand(HandShape(seed=10))
    armature.pose.bones["index.1"].scale = (1.0, 1.1, 1.0)
    layer().update()
    before = [(*b.location, *b.scale) for b in armature.pose.bones]
    others = [tuple(armature.pose.bones[n].rotation_quaternion) for n in ("root", "wrist", "index.tip")]
    model = model_of(armature, hand)
    write_angles(armature, model, random_posture(model, 5), view_layer=layer())
    assert [(*b.location, *b.scale) for b in armature.pose.bones] == before
    assert [tuple(armature.pose.bones[n].rotation_quaternion) for n in ("root", "wrist", "index.tip")] == others


def test_quaternions_stay_on_their_side() -> None:
    armature, hand = add_hand()
    model = model_of(armature, hand)
    for bone in armature.pose.bones:
        bone.rotation_quaternion = -Quaternion(bone.rotation_quaternion)
    layer().update()
    write_angles(armature, model, model.rest_angles, view_layer=layer())
    for name in model.names:
        assert armature.pose.bones[name].rotation_quaternion[0] < -0.999


def test_euler_angles_stay_near_their_old_turns() -> None:
    armature, hand = add_hand()
    for bone in armature.pose.bones:
        bone.rotation_mode = "XYZ"
    armature.pose.bones["index.0"].rotation_euler = (2.0 * np.pi, 0.0, 0.0)
    layer().update()
    model = model_of(armature, hand)
    write_angles(armature, model, model.rest_angles, view_layer=layer())
    assert abs(armature.pose.bones["index.0"].rotation_euler[0] - 2.0 * np.pi) < 1e-4


@pytest.mark.parametrize("mode", ["QUATERNION", "XYZ", "AXIS_ANGLE"])
def test_locked_channels_stay_and_are_told(mode: str) -> None:
    armature, hand = add_hand(HandShape(seed=11))
    bone = armature.pose.bones["middle.1"]
    bone.rotation_mode = mode
    bone.lock_rotation = (True, True, True)
    bone.lock_rotation_w = bone.lock_rotations_4d = True
    layer().update()
    model = model_of(armature, hand)
    angles = model.rest_angles.copy()
    angles[model.names.index("middle.1"), 0] += 0.5
    before = bone.matrix_basis.copy()
    result = write_angles(armature, model, angles, view_layer=layer())
    assert result.locked == ("middle.1",)
    assert np.allclose(bone.matrix_basis, before, atol=1e-6)
    assert not result.exact
    assert "middle.1" in result.off()
    assert abs(result.turns[model.names.index("middle.1")] - 0.5) < 1e-3
    others = [k for k, name in enumerate(model.names) if not name.startswith("middle")]
    assert result.turns[others].max() < TURN


def test_constraints_that_hold_a_bone_are_told() -> None:
    armature, hand = add_hand(HandShape(seed=12))
    constraint = armature.pose.bones["ring.1"].constraints.new("LIMIT_ROTATION")
    constraint.owner_space = "LOCAL"
    constraint.use_limit_x = constraint.use_limit_y = constraint.use_limit_z = True
    layer().update()
    model = model_of(armature, hand)
    angles = model.rest_angles.copy()
    angles[model.names.index("ring.1"), 0] += 0.6
    result = write_angles(armature, model, angles, view_layer=layer())
    assert "ring.1" in result.off()
    assert result.turns[model.names.index("index.1")] < TURN
    held = read_pose(armature, model).angles[model.names.index("ring.1"), 0]
    assert abs(held - model.rest_angles[model.names.index("ring.1"), 0]) < 1e-4


def test_uneven_scale_is_refused_and_nothing_changes() -> None:
    armature, hand = add_hand()
    model = model_of(armature, hand)
    armature.scale = (1.0, 2.0, 1.0)
    layer().update()
    before = deform_state(armature)
    with pytest.raises(ScaleError, match="unevenly"):
        write_angles(armature, model, model.rest_angles + 0.1, view_layer=layer())
    with pytest.raises(ScaleError):
        read_posture(armature, hand)
    assert deform_state(armature) == before


def test_linked_armatures_are_refused(tmp_path: Any) -> None:
    add_hand()
    path = str(tmp_path / "hand.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(path, link=True) as (_, loaded):
        loaded.objects = ["Hand"]
    armature = bpy.data.objects["Hand"]
    bpy.context.scene.collection.objects.link(armature)
    layer().update()
    _, hand = _map_only()
    before = deform_state(armature)
    with pytest.raises(ReadOnlyArmatureError, match="linked"):
        apply_posture(armature, hand, np.zeros((15, 3)), view_layer=layer())
    assert deform_state(armature) == before


def _map_only() -> tuple[Any, Any]:
    from tests.unit.model_hands import make_hand

    return make_hand()


def test_armatures_in_edit_mode_are_refused() -> None:
    armature, hand = add_hand()
    model = model_of(armature, hand)
    layer().objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    try:
        with pytest.raises(ReadOnlyArmatureError, match="edit mode"):
            write_angles(armature, model, model.rest_angles, view_layer=layer())
    finally:
        bpy.ops.object.mode_set(mode="OBJECT")


def test_posture_of_another_hand_is_refused() -> None:
    armature, hand = add_hand()
    with pytest.raises(ShapeError):
        apply_posture(armature, hand, np.zeros((3, 3)), view_layer=layer())


def test_applied_postures_are_kept_within_limits() -> None:
    armature, hand = add_hand()
    model = model_of(armature, hand)
    apply_posture(armature, hand, np.full_like(model.rest_angles, 3.0), view_layer=layer())
    assert np.allclose(read_posture(armature, hand).angles, model.limits.ranges[..., 1], atol=TURN)


def test_mirrored_twice_a_posture_comes_back() -> None:
    armature, hand = add_hand(HandShape(seed=13))
    other, other_hand = add_hand(HandShape(side="L", seed=14))
    model = model_of(armature, hand)
    angles = random_posture(model, 6)
    write_angles(armature, model, angles, view_layer=layer())
    copy_posture(armature, hand, other, other_hand, view_layer=layer())
    assert np.allclose(read_posture(other, other_hand).angles, angles, atol=2e-6)
    write_angles(armature, model, model.rest_angles, view_layer=layer())
    copy_posture(other, other_hand, armature, hand, view_layer=layer())
    assert np.allclose(read_posture(armature, hand).angles, angles, atol=2e-6)
    result = mirror_posture(armature, hand, hand, view_layer=layer())
    assert result.exact


def test_models_are_kept_until_the_rest_pose_or_scale_changes() -> None:
    armature, hand = add_hand()
    first = model_of(armature, hand)
    assert model_of(armature, hand) is first
    armature.location = (1.0, 2.0, 3.0)
    armature.pose.bones["index.0"].rotation_quaternion = (0.9, 0.1, 0.0, 0.0)
    layer().update()
    assert model_of(armature, hand) is first
    assert model_of(armature, hand, limits="anatomical") is not first
    armature.scale = (2.0, 2.0, 2.0)
    layer().update()
    larger = model_of(armature, hand)
    assert np.allclose(larger.lengths, 2.0 * first.lengths, rtol=1e-5)
    armature.data.transform(Matrix.Diagonal((0.5, 0.5, 0.5, 1.0)))
    layer().update()
    assert np.allclose(model_of(armature, hand).lengths, first.lengths, rtol=1e-5)


def test_moving_the_armature_brings_the_hand_there() -> None:
    armature, hand = add_hand(matrix=placed(0.01), shape=HandShape(scale=0.1, seed=15))
    model = model_of(armature, hand)
    wanted = np.array(placed(1.0), dtype=float)
    assert ArmatureMover().move(armature, model, wanted, view_layer=layer()) < 1e-6
    assert np.allclose(read_pose(armature, model).T_world_hand, wanted, atol=1e-6)


def test_moving_a_control_brings_the_hand_there() -> None:
    armature, hand = add_hand(HandShape(seed=16), matrix=placed(2.0))
    model = model_of(armature, hand)
    wanted = read_pose(armature, model).T_world_hand @ np.array(placed(1.0), dtype=float)
    assert ControlMover("root").move(armature, model, wanted, view_layer=layer()) < 1e-6
    assert np.allclose(read_pose(armature, model).T_world_hand, wanted, atol=2e-6)


def test_moving_the_prop_leaves_the_hand() -> None:
    armature, hand = add_hand(HandShape(seed=17))
    prop = bpy.data.objects.new("Prop", None)
    bpy.context.scene.collection.objects.link(prop)
    prop.matrix_world = placed(1.0)
    layer().update()
    model = model_of(armature, hand)
    now = read_pose(armature, model).T_world_hand
    wanted = now @ np.array(Matrix.Translation((0.1, 0.0, 0.0)), dtype=float)
    relation = np.linalg.inv(wanted) @ np.array(prop.matrix_world)
    assert PropMover(prop).move(armature, model, wanted, view_layer=layer()) == 0.0
    assert np.allclose(np.linalg.inv(now) @ np.array(prop.matrix_world), relation, atol=1e-6)


def test_models_can_be_forgotten() -> None:
    from addon.presets.limits import load_limits

    armature, hand = add_hand()
    first = hand_model(armature, hand, load_limits())
    forget_models()
    assert hand_model(armature, hand, load_limits()) is not first
