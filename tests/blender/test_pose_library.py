# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The library of poses in Blender: applied to some fingers, blended, flipped, saved, shared; random poses; pictures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from addon.hands.poses import pose_angles
from addon.operators import library as library_operators
from addon.operators import poses as pose_operators
from addon.operators import previews
from addon.presets.poses import load_poses
from addon.properties.library import OFFER
from addon.services.pose_library import load_library, search_library
from addon.services.poses import hands_of
from addon.services.posture import model_of, read_posture


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    place = tmp_path / "poses"
    for module in (library_operators, pose_operators, previews):
        monkeypatch.setattr(module, "poses_folder", lambda: place)
    previews.offer_library()
    yield place
    monkeypatch.undo()
    previews.offer_library()


@pytest.fixture
def hand() -> Any:
    bpy.ops.prehend.add_demo_hand(variant="cartoon", side="R")
    return bpy.context.object


def _angles(armature: Any, number: int = 0) -> Any:
    bpy.context.view_layer.update()
    return np.degrees(read_posture(armature, hands_of(armature)[number]).angles)


def _two_hands() -> Any:
    bpy.ops.prehend.add_demo_hand(variant="cartoon", side="L")
    left = bpy.context.object
    bpy.ops.prehend.add_demo_hand(variant="cartoon", side="R")
    left.select_set(True)
    bpy.ops.object.join()
    return bpy.context.object


def test_a_pose_goes_to_chosen_fingers_by_a_share(hand: Any) -> None:
    bpy.ops.prehend.apply_pose(pose="flat")
    before = _angles(hand)
    model = model_of(hand, hands_of(hand)[0])
    wanted = np.degrees(pose_angles(model, load_poses()["fist"]))
    bpy.ops.prehend.apply_pose(pose="fist", fingers={"index"}, factor=0.5)
    after = _angles(hand)
    for finger in model.fingers:
        joints = model.joints(finger)
        goal = 0.5 * (before + wanted)[joints] if finger == "index" else before[joints]
        assert after[joints] == pytest.approx(goal, abs=1e-3), finger


def test_unknown_poses_are_named(hand: Any) -> None:
    with pytest.raises(RuntimeError, match="no pose 'wiggle'"):
        bpy.ops.prehend.apply_pose(pose="wiggle")


def test_flip_poses_the_other_hand_and_swaps_poses_that_have_both() -> None:
    rig = _two_hands()
    bpy.ops.prehend.apply_pose(pose="fist", side="L", flip=True)
    assert _angles(rig, 1)[:, 0].max() > 60.0
    assert _angles(rig, 0)[:, 0].max() < 30.0
    left, right = _angles(rig, 0), _angles(rig, 1)
    bpy.ops.prehend.save_pose(name="Both", side="BOTH")
    bpy.ops.prehend.apply_pose(pose="mine:Both", flip=True)
    assert _angles(rig, 0) == pytest.approx(right, abs=0.06)
    assert _angles(rig, 1) == pytest.approx(left, abs=0.06)


def test_a_saved_pose_comes_back_and_a_taken_name_gets_a_number(hand: Any, folder: Path) -> None:
    bpy.ops.prehend.random_pose(seed=5)
    before = _angles(hand)
    assert bpy.ops.prehend.save_pose(name="Mine") == {"FINISHED"}
    assert bpy.ops.prehend.save_pose(name="mine") == {"FINISHED"}
    assert sorted(path.suffix for path in folder.iterdir()) == [".json", ".json"]
    assert [each.key for each in OFFER.entries if each.group == "mine"] == ["mine:Mine", "mine:mine 2"]
    assert bpy.context.scene.prehend.library.choice == "mine:mine 2", "what was saved is chosen"
    bpy.ops.prehend.apply_pose(pose="flat")
    bpy.ops.prehend.apply_pose(pose="mine:Mine")
    assert _angles(hand) == pytest.approx(before, abs=0.06)
    assert bpy.ops.prehend.delete_pose(pose="mine:Mine") == {"FINISHED"}
    assert [each.key for each in OFFER.entries if each.group == "mine"] == ["mine:mine 2"]
    with pytest.raises(RuntimeError, match="comes with Prehend"):
        bpy.ops.prehend.delete_pose(pose="fist")


def test_packs_are_exported_and_imported_and_never_overwrite(hand: Any, folder: Path, tmp_path: Path) -> None:
    bpy.ops.prehend.save_pose(name="Wave")
    path = tmp_path / "pack.json"
    assert bpy.ops.prehend.export_poses(filepath=str(path), group="mine") == {"FINISHED"}
    assert [each["name"] for each in json.loads(path.read_text())["poses"]] == ["Wave"]
    assert bpy.ops.prehend.import_poses(filepath=str(path)) == {"FINISHED"}
    mine = [each.pose.name for each in load_library(folder).poses.values() if each.group == "mine"]
    assert sorted(mine) == ["Wave", "Wave 2"]
    path.write_text(path.read_text().replace('"name"', '"title"'))
    before = sorted(folder.iterdir())
    with pytest.raises(RuntimeError, match="unknown title"):
        bpy.ops.prehend.import_poses(filepath=str(path))
    assert sorted(folder.iterdir()) == before
    with pytest.raises(RuntimeError, match="no poses to export"):
        bpy.ops.prehend.export_poses(filepath=str(tmp_path / "none.json"), words="nothing like this")


def test_a_damaged_file_of_the_users_takes_nothing_else_along(folder: Path) -> None:
    folder.mkdir()
    (folder / "bad.json").write_text("{")
    library = load_library(folder)
    assert len(library.poses) == len(load_poses())
    assert "bad.json" in library.damaged[0]


def test_search_finds_words_anywhere_and_the_choice_stays_among_what_is_offered() -> None:
    library = load_library(Path("none"))
    assert [each.key for each in search_library(library, words="fingerspelling w")][:1] == ["asl_w"]
    assert {each.group for each in search_library(library, group="digits")} == {"digits"}
    chosen = bpy.context.scene.prehend.library
    chosen.search = "thumbs"
    assert chosen.choice == "thumbs_up"
    chosen.search, chosen.group = "", "letters"
    chosen.choice = "asl_q"
    assert chosen.pose == "asl_q"
    chosen.search = "no such words"
    assert chosen.pose == "asl_q", "searching changes nothing"


def test_random_poses_keep_limits_and_their_seed() -> None:
    rig = _two_hands()
    bpy.ops.prehend.random_pose(seed=3)
    first = [_angles(rig, k) for k in (0, 1)]
    assert np.abs(first[0] - first[1]).max() > 1.0, "each hand has its own luck"
    bpy.ops.prehend.random_pose(seed=4)
    assert np.abs(_angles(rig, 0) - first[0]).max() > 1.0
    bpy.ops.prehend.random_pose(seed=3)
    for k, each in enumerate(hands_of(rig)):
        assert _angles(rig, k) == pytest.approx(first[k], abs=1e-3)
        ranges = np.degrees(model_of(rig, each).limits.ranges)
        assert (first[k] >= ranges[..., 0] - 1e-3).all()
        assert (first[k] <= ranges[..., 1] + 1e-3).all()


def test_pictures_show_a_hand_on_nothing() -> None:
    pose = load_library(Path("none")).find("victory")
    previews.draw_one(pose)
    picture = previews.GALLERY.pictures[pose.key]
    pixels = np.array(picture.image_pixels_float[:]).reshape(previews.SIZE, previews.SIZE, 4)
    assert OFFER.icons[pose.key] == picture.icon_id
    assert 0.08 < (pixels[..., 3] > 0.5).mean() < 0.6
    assert pixels[0, 0, 3] == 0.0
    # Two fingers up: a line near the top crosses two of them.
    row = pixels[int(0.9 * previews.SIZE), :, 3] > 0.5
    assert np.count_nonzero(np.diff(row.astype(int)) == 1) == 2
    del previews.GALLERY.pictures[pose.key]
    del OFFER.icons[pose.key]
