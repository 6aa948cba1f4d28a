# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses of hands as assets: they come back, show what they are and disturb nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from addon.compat import all_fcurves
from addon.services.pose_asset import PoseAssetError, save_pose_asset
from addon.services.poses import apply_pose, hands_of
from tests.blender.export_scenes import add_demo, state
from tests.blender.model_rigs import add_hand, deform_state


def posed() -> tuple[Any, list[Any]]:
    bpy.ops.prehend.add_demo_hand(variant="human")
    armature = bpy.context.object
    for number, bone in enumerate(armature.pose.bones):
        bone.rotation_mode = ("QUATERNION", "XYZ", "ZXY", "AXIS_ANGLE")[number % 4]
    hands = hands_of(armature)
    apply_pose(armature, hands, "grip", view_layer=bpy.context.view_layer)
    return armature, hands


def apply_asset(armature: Any, name: str) -> None:
    """What the operator of Blender's pose library calls for an asset; the slot is Blender's to choose."""
    action = bpy.data.actions[name]
    armature.pose.apply_pose_from_action(action, evaluation_time=action.frame_range[0])
    bpy.context.view_layer.update()


def test_the_pose_comes_back_whatever_came_between() -> None:
    armature, hands = posed()
    wanted = np.array([value for row in deform_state(armature) for value in row])
    report = save_pose_asset(armature, hands, "Firm Grip", view_layer=bpy.context.view_layer, frame=7)
    apply_pose(armature, hands, "flat", view_layer=bpy.context.view_layer)
    assert np.abs(np.array([value for row in deform_state(armature) for value in row]) - wanted).max() > 0.1
    apply_asset(armature, report.action)
    found = np.array([value for row in deform_state(armature) for value in row])
    assert np.abs(found - wanted).max() < 1e-5
    assert armature.animation_data is None, "it is a pose, and no animation"


def test_the_pose_suits_other_armatures_with_the_same_bones() -> None:
    armature, hands = posed()
    wanted = np.array([value for row in deform_state(armature) for value in row])
    report = save_pose_asset(armature, hands, "Firm Grip", view_layer=bpy.context.view_layer)
    bpy.ops.prehend.add_demo_hand(variant="human")
    other = bpy.context.object
    assert other.name != armature.name
    for bone in armature.pose.bones:
        other.pose.bones[bone.name].rotation_mode = bone.rotation_mode
    apply_asset(other, report.action)
    assert np.abs(np.array([value for row in deform_state(other) for value in row]) - wanted).max() < 1e-5


def test_only_the_hand_is_keyed_once_and_marked_with_what_was_told() -> None:
    armature, hands = posed()
    catalog = "12345678-1234-4234-8234-123456789abc"
    report = save_pose_asset(
        armature,
        hands,
        " Firm Grip ",
        view_layer=bpy.context.view_layer,
        frame=7,
        description="As on a mug",
        tags=("hand", "power", "hand"),
        catalog_id=catalog,
    )
    action = bpy.data.actions["Firm Grip"]
    assert report.action == action.name
    assert set(report.bones) == {
        bone.name for bone in armature.pose.bones if not bone.name.startswith("hand") and "tip" not in bone.name
    }
    curves = all_fcurves(action)
    assert {path.split('"')[1] for path in (curve.data_path for curve in curves)} == set(report.bones)
    assert all([point.co[0] for point in curve.keyframe_points] == [7.0] for curve in curves)
    assert action.asset_data.description == "As on a mug"
    assert [tag.name for tag in action.asset_data.tags] == ["hand", "power"]
    assert action.asset_data.catalog_id == catalog
    assert action.asset_data.author == ""
    assert (action.users, action.use_fake_user) == (1, True)


def test_the_preview_is_a_picture_of_the_pose() -> None:
    armature, hands = posed()
    fist = _picture(save_pose_asset(armature, hands, "a", view_layer=bpy.context.view_layer).action)
    apply_pose(armature, hands, "spread", view_layer=bpy.context.view_layer)
    spread = _picture(save_pose_asset(armature, hands, "b", view_layer=bpy.context.view_layer).action)
    for picture in (fist, spread):
        solid = picture[..., 3] > 0.5
        assert 0.15 < solid.mean() < 0.8
        assert not solid[0].any()
        assert not solid[:, 0].any()
        skin = picture[solid][:, :3].mean(axis=0)
        assert skin[0] > skin[2] > 0.1  # skin is redder than blue
    # Stretched fingers leave gaps between them: the outline is longer for its area.
    assert _outline(spread) / np.sqrt((spread[..., 3] > 0.5).sum()) > 1.2 * _outline(fist) / np.sqrt(
        (fist[..., 3] > 0.5).sum()
    )


def _picture(name: str) -> np.ndarray:
    preview = bpy.data.actions[name].preview
    assert preview.is_image_custom
    width, height = preview.image_size
    return np.array(preview.image_pixels_float[:]).reshape(height, width, 4)


def _outline(picture: np.ndarray) -> int:
    solid = picture[..., 3] > 0.5
    return int((solid[1:] != solid[:-1]).sum() + (solid[:, 1:] != solid[:, :-1]).sum())


def test_a_hand_without_skin_shows_its_bones() -> None:
    armature, hand = add_hand()
    report = save_pose_asset(armature, [hand], "bones", view_layer=bpy.context.view_layer)
    assert 0.01 < (_picture(report.action)[..., 3] > 0.5).mean() < 0.6


def test_nothing_else_changes_and_one_undo_takes_it_back() -> None:
    armature, _ = add_demo()
    bpy.context.view_layer.objects.active = armature
    bpy.ops.ed.undo_push(message="before")
    before = state()
    assert bpy.ops.prehend.save_pose_asset("EXEC_DEFAULT", True, name="Kept") == {"FINISHED"}
    after = state()
    assert [name for name, _ in after["data"]["actions"]].count("Kept") == 1
    after["data"]["actions"] = [each for each in after["data"]["actions"] if each[0] != "Kept"]
    assert after == before
    bpy.ops.ed.undo()
    assert "Kept" not in bpy.data.actions
    assert state()["objects"] == before["objects"]


def test_it_is_still_there_after_saving(tmp_path: Path) -> None:
    armature, hands = posed()
    save_pose_asset(armature, hands, "Firm Grip", view_layer=bpy.context.view_layer)
    wanted = _picture("Firm Grip")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "poses.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "poses.blend"))
    assert bpy.data.actions["Firm Grip"].asset_data is not None
    assert np.abs(_picture("Firm Grip") - wanted).max() < 1e-6


def test_what_cannot_be_kept_is_told_and_leaves_nothing() -> None:
    armature, hands = posed()
    for arguments in ({"name": "  "}, {"name": "x", "catalog_id": "nonsense"}):
        with pytest.raises(PoseAssetError):
            save_pose_asset(armature, hands, view_layer=bpy.context.view_layer, **arguments)
    with pytest.raises(PoseAssetError):
        save_pose_asset(armature, [], "x", view_layer=bpy.context.view_layer)
    assert not len(bpy.data.actions)
