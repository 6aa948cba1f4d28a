# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fingertip targets: empties that carry, as custom properties, which finger of which armature they are for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ..core.arrays import FloatArray
from ..core.handmap import HandMap

COLLECTION = "Prehend Tips"
ARMATURE_KEY = "prehend_tip_armature"
WRIST_KEY = "prehend_tip_wrist"
SIDE_KEY = "prehend_tip_side"
FINGER_KEY = "prehend_tip_finger"
GAP_KEY = "prehend_tip_gap_mm"
BONE_KEY = "prehend_tip_bone"
PLACE_KEY = "prehend_tip_place"
REACH_ARMATURE_KEY = "prehend_reach_armature"
REACH_WRIST_KEY = "prehend_reach_wrist"


@dataclass(frozen=True, eq=False)
class TipTarget:
    """One target as it is now; names, never references to Blender's data."""

    name: str
    """Of the empty."""
    wrist: str
    """Wrist bone of its hand."""
    side: str
    """Side of its hand, for hands whose wrist was renamed."""
    finger: str
    """Name of its finger."""
    point: FloatArray
    """Where it is in the world in [m]. Shape (3,)."""
    gap_mm: float | None = None
    """How far its fingertip was last seen to stay away in [mm]; None if it arrived."""


@dataclass(frozen=True, eq=False)
class TipNote:
    """What is noted with a target that its fingertip does not reach."""

    gap: float
    """Distance in [m]."""
    bone: str
    """Bone that carries the fingertip."""
    tip: FloatArray
    """Where the fingertip is in the world while the bone is where it is now, in [m]. Shape (3,)."""


def read_targets(armature: Any, objects: Iterable[Any]) -> list[TipTarget]:
    """The targets among objects that are for an armature."""
    return [
        TipTarget(
            name=obj.name,
            wrist=str(obj.get(WRIST_KEY, "")),
            side=str(obj.get(SIDE_KEY, "")),
            finger=str(obj.get(FINGER_KEY, "")),
            point=np.array(obj.matrix_world.translation, dtype=np.float64),
            gap_mm=obj.get(GAP_KEY),
        )
        for obj in objects
        if obj.type == "EMPTY" and obj.get(ARMATURE_KEY) == armature
    ]


def read_missed(objects: Iterable[Any]) -> list[tuple[str, FloatArray, FloatArray]]:
    """Finger, fingertip and target, in the world in [m], of targets among objects that were noted as not reached."""
    missed: list[tuple[str, FloatArray, FloatArray]] = []
    for obj in objects:
        if obj.type != "EMPTY" or GAP_KEY not in obj:
            continue
        armature, place = obj.get(ARMATURE_KEY), obj.get(PLACE_KEY)
        bone = armature.pose.bones.get(obj.get(BONE_KEY, "")) if armature is not None and armature.pose else None
        if bone is not None and place is not None and armature.mode != "EDIT":
            tip = armature.matrix_world @ (bone.matrix @ Vector(place))
            missed.append((str(obj.get(FINGER_KEY, "")), np.array(tip), np.array(obj.matrix_world.translation)))
    return missed


def target_owners(objects: Iterable[Any]) -> list[Any]:
    """Armature objects that targets among objects are for, each once, in the order of the objects."""
    owners: dict[str, Any] = {}
    for obj in objects:
        owner = obj.get(ARMATURE_KEY) if obj.type == "EMPTY" else None
        if owner is not None:
            owners.setdefault(owner.name, owner)
    return list(owners.values())


def owner_of(obj: Any) -> Any:
    """The armature object that an object is, or that it is a fingertip's or a wrist's target for; else None."""
    if obj is None or obj.type != "EMPTY":
        return obj if obj is not None and obj.type == "ARMATURE" else None
    return obj.get(ARMATURE_KEY) or obj.get(REACH_ARMATURE_KEY)


def find_wrist_target(armature: Any, hand: HandMap, objects: Iterable[Any]) -> Any:
    """The first of the objects that is a target for the wrist of an armature's hand; None if none is."""
    for obj in objects:
        if obj.get(REACH_ARMATURE_KEY) == armature and obj.get(REACH_WRIST_KEY) == hand.wrist:
            return obj
    return None


def create_target(armature: Any, hand: HandMap, finger: str, point: FloatArray, *, size: float, parent: Any) -> Any:
    """A new target in no collection yet.

    Args:
        armature: The armature object whose finger it is for.
        hand: The hand.
        finger: Name of the finger.
        point: Where in the world in [m]. Shape (3,).
        size: Radius of the shown ball in [m].
        parent: Object that it goes along with, or None.
    """
    side = f".{hand.side}" if hand.side else ""
    target = bpy.data.objects.new(f"Tip {finger}{side} {armature.name}", None)
    target.empty_display_type, target.empty_display_size = "SPHERE", size
    target.show_in_front = True
    target[ARMATURE_KEY], target[WRIST_KEY], target[SIDE_KEY] = armature, hand.wrist, hand.side
    target[FINGER_KEY] = finger
    target.location = point.tolist()
    if parent is not None:
        target.parent = parent
        target.matrix_parent_inverse = parent.matrix_world.inverted()
    return target


def tips_collection(scene: Any) -> Any:
    """The collection of the scene's targets, made and linked if there is none."""
    found = next((each for each in scene.collection.children if each.name.startswith(COLLECTION)), None)
    if found is None:
        found = bpy.data.collections.new(COLLECTION)
        scene.collection.children.link(found)
    return found


def write_gap(target: TipTarget, note: TipNote | None, armature: Any, objects: Any) -> None:
    """Note with a target how far its fingertip stays away, or nothing if it arrives.

    Args:
        target: As it was read.
        note: The distance and the fingertip, or None.
        armature: The armature object.
        objects: The scene's, among which the target is looked for only if something changes, as that takes time.
    """
    millimetres = None if note is None else round(1000.0 * note.gap, 3)
    if target.gap_mm == millimetres:
        return
    found = objects[target.name]
    if note is None:
        for key in (GAP_KEY, BONE_KEY, PLACE_KEY):
            if key in found:
                del found[key]
        return
    shown = armature.matrix_world @ armature.pose.bones[note.bone].matrix
    found[GAP_KEY], found[BONE_KEY] = millimetres, note.bone
    found[PLACE_KEY] = list(shown.inverted_safe() @ Vector(note.tip.tolist()))


def fully_locked(armature: Any, names: Iterable[str]) -> list[str]:
    """Bones whose rotation is locked in every channel."""
    bones = (armature.pose.bones[name] for name in names)
    return [bone.name for bone in bones if all(bone.lock_rotation)]


def move_target(target: Any, point: FloatArray, *, parent: Any) -> None:
    """Put a target at a point of the world and have it go along with an object."""
    target.parent = parent
    target.matrix_parent_inverse = parent.matrix_world.inverted()
    target.location = point.tolist()


def nearest_on_surface(surface: Any, point: FloatArray, depsgraph: Any) -> FloatArray | None:
    """The point of an object's shown surface nearest to a point, both in the world in [m]; None if it has none."""
    shown = surface.evaluated_get(depsgraph)
    if surface.type != "MESH" or not len(shown.data.polygons):
        return None
    local = shown.matrix_world.inverted_safe() @ Vector(point.tolist())
    found, nearest, _, _ = shown.closest_point_on_mesh(local)
    return np.array(shown.matrix_world @ nearest, dtype=np.float64) if found else None


def create_wrist_target(armature: Any, hand: HandMap, T_world_hand: FloatArray, *, size: float) -> Any:
    """A new empty with a hand's frame, in no collection yet."""
    side = f".{hand.side}" if hand.side else ""
    target = bpy.data.objects.new(f"Wrist{side} {armature.name}", None)
    target.empty_display_type, target.empty_display_size = "ARROWS", size
    target.show_in_front = True
    target[REACH_ARMATURE_KEY], target[REACH_WRIST_KEY] = armature, hand.wrist
    target.matrix_world = Matrix(T_world_hand.tolist())
    return target
