# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hands of Blender's armatures: read, found, stored, renamed, loaded again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix

from addon.core.errors import OutputError
from addon.core.handmap import HandMap, HandMapError
from addon.core.skeleton import Skeleton
from addon.hands.detection import NoArmatureError, NoHandError
from addon.presets.conventions import load_conventions
from addon.rig.armatures import create_armature_object
from addon.rig.skeletons import ROLES_KEY, _parents_first, read_skeleton
from addon.services.detection import (
    HANDS_KEY,
    clear_hands,
    detect_armature_hands,
    load_hands,
    save_user_convention,
    store_hands,
)
from tests.unit.detection_rigs import (
    RigBuilder,
    add_hand,
    arm_placement,
    character,
    expected_fingers,
    with_nonsense_names,
)

MIXAMO = next(convention for convention in load_conventions() if convention.key == "mixamo")


def view_layer() -> Any:
    return bpy.data.scenes[0].view_layers[0]


def add_armature(skeleton: Skeleton) -> Any:
    armature = create_armature_object("Rig", skeleton, bpy.data.scenes[0].collection)
    view_layer().update()
    return armature


def rename_all(hand: HandMap, names: dict[str, str]) -> HandMap:
    return replace(
        hand,
        wrist=names[hand.wrist],
        fingers=tuple(
            replace(
                finger,
                chain=tuple(names[bone] for bone in finger.chain),
                tip=names[finger.tip] if finger.tip else None,
                metacarpal=names[finger.metacarpal] if finger.metacarpal else None,
            )
            for finger in hand.fingers
        ),
    )


@pytest.mark.parametrize("scale", [(1, 1, 1), (0.01, 0.01, 0.01), (2, 3, 0.5), (-1, 1, 1)], ids=str)
def test_a_skeleton_is_read_in_world_metres(scale: tuple[float, float, float]) -> None:
    built = character(MIXAMO).build()
    armature = add_armature(built)
    armature.matrix_world = Matrix.LocRotScale((1, 2, 3), Euler((0.4, -0.2, 1.9)), scale)
    view_layer().update()
    skeleton = read_skeleton(armature)
    assert set(skeleton.names) == set(built.names)
    place = [built.index(name) for name in skeleton.names]
    world = np.array(armature.matrix_world)
    np.testing.assert_allclose(skeleton.heads, built.heads[place] @ world[:3, :3].T + world[:3, 3], atol=1e-5)
    np.testing.assert_allclose(skeleton.tails, built.tails[place] @ world[:3, :3].T + world[:3, 3], atol=1e-5)
    for bone, parent in enumerate(skeleton.parents):
        assert parent < bone
        own = int(built.parents[place[bone]])
        assert (skeleton.names[parent] if parent >= 0 else None) == (built.names[own] if own >= 0 else None)
    identity = skeleton.rotations @ skeleton.rotations.transpose(0, 2, 1)
    np.testing.assert_allclose(identity, np.tile(np.eye(3), (len(place), 1, 1)), atol=1e-9)
    # Mirrored objects mirror the frames of their bones; what they do to the bones they do to the frames.
    np.testing.assert_allclose(np.linalg.det(skeleton.rotations), np.sign(np.prod(scale)), atol=1e-9)
    if len(set(np.abs(scale))) == 1:
        frames = [world[:3, :3] @ np.array(armature.data.bones[name].matrix_local)[:3, :3] for name in skeleton.names]
        np.testing.assert_allclose(skeleton.rotations, np.array(frames) / abs(scale[0]), atol=1e-5)
        along = (skeleton.tails - skeleton.heads) / np.linalg.norm(skeleton.tails - skeleton.heads, axis=1)[:, None]
        np.testing.assert_allclose(skeleton.rotations[:, :, 1], along, atol=1e-4)


def test_bones_in_any_order_are_put_after_their_parents() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        count = 12
        grown = np.array([int(rng.integers(-1, k)) if k else -1 for k in range(count)])
        shuffled = rng.permutation(count)
        back = np.append(np.argsort(shuffled), -1)
        parents = back[grown[shuffled]]
        order = _parents_first(parents)
        assert sorted(order) == list(range(count))
        seen = {-1}
        for bone in order:
            assert int(parents[bone]) in seen
            seen.add(int(bone))


def test_deform_flags_and_bones_made_in_edit_mode_are_read() -> None:
    armature = add_armature(character(MIXAMO).build())
    armature.data.bones["BodyHead"].use_deform = False
    view_layer().objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    bone = armature.data.edit_bones.new("New")
    bone.tail = (0, 0, 1)
    skeleton = read_skeleton(armature)
    bpy.ops.object.mode_set(mode="OBJECT")
    assert "New" in skeleton.names
    assert [name for name, deform in zip(skeleton.names, skeleton.deform, strict=True) if not deform] == ["BodyHead"]


@pytest.mark.parametrize("heading", [0.0, 1.0, np.pi])
@pytest.mark.parametrize("scale", [0.01, 1.0])
def test_nameless_hands_keep_their_sides_wherever_the_character_looks(heading: float, scale: float) -> None:
    named = character(MIXAMO).build()
    armature = add_armature(with_nonsense_names(named))
    armature.rotation_euler.z = heading
    armature.scale = (scale, scale, scale)
    armature.location = (5.0, -3.0, 0.0)
    view_layer().update()
    back = dict(zip(with_nonsense_names(named).names, named.names, strict=True))
    hands = detect_armature_hands(armature)
    assert [(hand.side, back[hand.wrist]) for hand in hands] == [
        ("L", "mixamorig:LeftHand"),
        ("R", "mixamorig:RightHand"),
    ]
    assert all("side" not in note for hand in hands for note in hand.notes)


def test_what_is_no_armature_or_has_no_hand_is_told_so() -> None:
    mesh = bpy.data.objects.new("Cube", bpy.data.meshes.new("Cube"))
    with pytest.raises(NoArmatureError, match="'Cube' is a mesh"):
        detect_armature_hands(mesh)
    with pytest.raises(NoArmatureError, match="Nothing is selected"):
        detect_armature_hands(None)
    with pytest.raises(NoHandError):
        detect_armature_hands(bpy.data.objects.new("Empty", bpy.data.armatures.new("Empty")))


def test_stored_hands_survive_saving_renaming_and_edit_mode(tmp_path: Path) -> None:
    armature = add_armature(character(MIXAMO).build())
    assert load_hands(armature) == []
    hands = detect_armature_hands(armature)
    store_hands(armature, hands)
    assert load_hands(armature) == hands
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "rig.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "rig.blend"))
    armature = bpy.data.objects["Rig"]
    assert load_hands(armature) == hands

    names = {bone.name: f"b{number}" for number, bone in enumerate(armature.data.bones)}
    index, ring = "mixamorig:LeftHandIndex1", "mixamorig:LeftHandRing1"
    names |= {index: ring, ring: index}
    for bone in armature.data.bones:
        bone.name = f"moving {bone.name}"
    for old, new in names.items():
        armature.data.bones[f"moving {old}"].name = new
    view_layer().objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "rig.blend"))
    assert load_hands(bpy.data.objects["Rig"]) == [rename_all(hand, names) for hand in hands]


def test_a_deleted_bone_and_damaged_data_are_named() -> None:
    armature = add_armature(character(MIXAMO).build())
    store_hands(armature, detect_armature_hands(armature))
    view_layer().objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    armature.data.edit_bones.remove(armature.data.edit_bones["mixamorig:LeftHandPinky2"])
    bpy.ops.object.mode_set(mode="OBJECT")
    with pytest.raises(HandMapError, match="'mixamorig:LeftHandPinky2'"):
        load_hands(armature)
    for damage in ("nonsense", "[3]", "{}", '[{"schema_version": 1}]'):
        armature.data[HANDS_KEY] = damage
        with pytest.raises(HandMapError, match=r"damaged|another version"):
            load_hands(armature)


def test_forgetting_leaves_no_marks() -> None:
    armature = add_armature(character(MIXAMO).build())
    store_hands(armature, detect_armature_hands(armature)[:1])
    assert [hand.side for hand in load_hands(armature)] == ["L"]
    clear_hands(armature)
    assert load_hands(armature) == []
    assert HANDS_KEY not in armature.data
    assert not any(ROLES_KEY in bone for bone in armature.data.bones)


def test_hands_with_unknown_bones_are_not_stored() -> None:
    armature = add_armature(character(MIXAMO).build())
    hand = detect_armature_hands(armature)[0]
    with pytest.raises(HandMapError, match="no bone Ghost"):
        store_hands(armature, [replace(hand, wrist="Ghost")])
    assert load_hands(armature) == []
    assert not any(ROLES_KEY in bone for bone in armature.data.bones)


def test_a_linked_armature_says_that_it_cannot_keep_hands(tmp_path: Path) -> None:
    add_armature(character(MIXAMO).build())
    path = str(tmp_path / "library.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(path, link=True) as (source, target):
        target.objects = list(source.objects)
    armature = bpy.data.objects["Rig"]
    with pytest.raises(OutputError, match="linked from another file"):
        store_hands(armature, detect_armature_hands(armature))


def test_a_saved_convention_finds_the_same_kind_of_rig(tmp_path: Path) -> None:
    def spell(name: str) -> str:
        return (
            {"Hand": "qq"}.get(name, name)
            .replace("mixamorig:", "")
            .replace("Hand", "q")
            .translate(str.maketrans({"I": "A", "M": "B", "T": "C", "P": "D"}))
        )

    rig = RigBuilder()
    add_hand(rig, "Leftq", expected_fingers(MIXAMO, "L", spell), arm_placement("L"))
    add_hand(rig, "Rightq", expected_fingers(MIXAMO, "R", spell), arm_placement("R"))
    armature = add_armature(rig.build())
    left = HandMap("L", "Leftq", tuple(expected_fingers(MIXAMO, "L", spell)))
    path = save_user_convention(left, tmp_path / "own", title="My Robot 2")
    assert path.name == "my_robot_2.toml"
    hands = detect_armature_hands(armature, convention_folders=[tmp_path / "own", tmp_path / "absent"])
    assert [(hand.side, hand.wrist, hand.convention) for hand in hands] == [
        ("L", "Leftq", "my_robot_2"),
        ("R", "Rightq", "my_robot_2"),
    ]
    assert hands[0].fingers == left.fingers


def test_a_convention_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    hand = HandMap("L", "a", ())
    with pytest.raises(OutputError, match="cannot be written"):
        save_user_convention(hand, tmp_path / "file", title="x")
