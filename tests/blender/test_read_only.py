# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Linked armatures and library overrides: what cannot be changed says so in one sentence and stays as it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from addon.core.errors import PrehendError
from addon.rig.placement import ArmatureMover, ControlMover, PropMover
from addon.services.detection import HANDS_KEY, clear_hands, detect_armature_hands, store_hands
from addon.services.hand_slots import apply_slots, detect_and_show, refresh_slots
from addon.services.limits import start_own_limits
from addon.services.poses import apply_pose, copy_pose, hands_of, key_hands, mirror_pose
from addon.services.posture import apply_posture, model_of, read_posture
from tests.blender.model_rigs import deform_state
from tests.blender.test_detection import MIXAMO, add_armature
from tests.unit.detection_rigs import character


@pytest.fixture
def library(tmp_path: Path) -> str:
    """A file with a character whose hands are kept, in a collection."""
    armature = add_armature(character(MIXAMO).build())
    store_hands(armature, detect_armature_hands(armature))
    collection = bpy.data.collections.new("Character")
    collection.objects.link(armature)
    bpy.context.scene.collection.children.link(collection)
    bpy.context.scene.collection.objects.unlink(armature)
    path = str(tmp_path / "library.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    return path


def linked(path: str) -> Any:
    with bpy.data.libraries.load(path, link=True) as (_, target):
        target.objects = ["Rig"]
    armature = target.objects[0]
    bpy.context.scene.collection.objects.link(armature)
    return _shown(armature)


def overridden(path: str, *, system: bool) -> Any:
    with bpy.data.libraries.load(path, link=True) as (_, target):
        target.objects = ["Rig"]
    armature = target.objects[0].override_create()
    armature.override_library.is_system_override = system
    bpy.context.scene.collection.objects.link(armature)
    return _shown(armature)


def hierarchy(path: str, *, editable: bool) -> Any:
    with bpy.data.libraries.load(path, link=True) as (_, target):
        target.collections = ["Character"]
    collection = target.collections[0]
    bpy.context.scene.collection.children.link(collection)
    scene, layer = bpy.context.scene, bpy.context.view_layer
    made = collection.override_hierarchy_create(scene, layer, do_fully_editable=editable)
    (armature,) = (obj for obj in made.all_objects if obj.type == "ARMATURE")
    assert armature.override_library.is_system_override is not editable
    return _shown(armature)


def _shown(armature: Any) -> Any:
    bpy.context.view_layer.update()
    bpy.context.view_layer.objects.active = armature
    return armature


LOCKED: dict[str, Callable[[str], Any]] = {
    "linked": linked,
    "system override": lambda path: overridden(path, system=True),
    "system hierarchy": lambda path: hierarchy(path, editable=False),
}
FREE: dict[str, Callable[[str], Any]] = {
    "override": lambda path: overridden(path, system=False),
    "hierarchy": lambda path: hierarchy(path, editable=True),
}


def state(armature: Any) -> tuple[Any, ...]:
    """All that any of the services could have changed."""
    return (
        deform_state(armature),
        tuple(map(tuple, armature.matrix_world)),
        armature.animation_data is None,
        armature.data.get(HANDS_KEY),
        [(bone.name, bone.get("prehend_roles"), bone.prehend.use_own_limits) for bone in armature.data.bones],
        len(armature.data.prehend.hands),
        len(bpy.data.actions),
    )


def layer() -> Any:
    return bpy.context.view_layer


def _other(armature: Any) -> Any:
    return add_armature(character(MIXAMO).build())


POSING: dict[str, Callable[[Any], Any]] = {
    "apply pose": lambda rig: apply_pose(rig, hands_of(rig), "fist", view_layer=layer()),
    "mirror pose": lambda rig: mirror_pose(rig, source_side="L", view_layer=layer()),
    "copy pose": lambda rig: copy_pose(_other(rig), rig, view_layer=layer()),
    "apply posture": lambda rig: apply_posture(
        rig, hands_of(rig)[0], read_posture(rig, hands_of(rig)[0]).angles + 0.2, view_layer=layer()
    ),
    "key hands": lambda rig: key_hands(rig, hands_of(rig), 7),
    "move armature": lambda rig: ArmatureMover().move(
        rig, model_of(rig, hands_of(rig)[0]), np.eye(4), view_layer=layer()
    ),
    "move control": lambda rig: ControlMover("mixamorig:LeftHand").move(
        rig, model_of(rig, hands_of(rig)[0]), np.eye(4), view_layer=layer()
    ),
    "move prop": lambda rig: PropMover(rig).move(rig, model_of(rig, hands_of(rig)[0]), np.eye(4), view_layer=layer()),
}
KEEPING: dict[str, Callable[[Any], Any]] = {
    "detect": detect_and_show,
    "store": lambda rig: store_hands(rig, hands_of(rig)[:1]),
    "clear": clear_hands,
    "apply slots": apply_slots,
    "refresh slots": refresh_slots,
    "own limits": lambda rig: start_own_limits(rig, "mixamorig:LeftHandIndex1"),
}


@pytest.mark.parametrize("action", POSING | KEEPING)
@pytest.mark.parametrize("kind", LOCKED)
def test_what_cannot_be_changed_says_so_and_stays(library: str, kind: str, action: str) -> None:
    armature = LOCKED[kind](library)
    before = state(armature)
    with pytest.raises(PrehendError, match=r"^(Armature|Object) 'Rig' is [^.]*; make [^.]* first\.$"):
        (POSING | KEEPING)[action](armature)
    assert state(armature) == before


@pytest.mark.parametrize("kind", LOCKED)
@pytest.mark.parametrize("operator", ["apply_pose", "mirror_pose", "key_hands", "detect_hands"])
def test_operators_report_it(library: str, kind: str, operator: str) -> None:
    armature = LOCKED[kind](library)
    before = state(armature)
    with pytest.raises(RuntimeError, match=r"'Rig' is .* first\."):
        getattr(bpy.ops.prehend, operator)()
    assert state(armature) == before


@pytest.mark.parametrize("kind", FREE)
def test_editable_overrides_can_be_posed_and_keyed(library: str, kind: str) -> None:
    armature = FREE[kind](library)
    model = model_of(armature, hands_of(armature)[0])
    rest = read_posture(armature, hands_of(armature)[0]).angles
    for action in ("apply pose", "mirror pose", "copy pose", "key hands"):
        POSING[action](armature)
    assert armature.animation_data.action is not None
    turned = read_posture(armature, hands_of(armature)[0]).angles - rest
    assert np.abs(turned).max() < 1e-5  # the other character's rest pose was copied last
    apply_pose(armature, hands_of(armature), "fist", view_layer=layer())
    flexion = (read_posture(armature, hands_of(armature)[0]).angles - rest)[:, 0]
    assert flexion[model.last_joints].min() > 0.3
    assert np.allclose(Matrix(armature.matrix_world), Matrix())
