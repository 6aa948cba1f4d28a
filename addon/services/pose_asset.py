# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keep the pose of a hand as an asset for Blender's pose library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import bpy
import numpy as np

from ..compat import new_pose_action
from ..core.errors import PrehendError
from ..core.handmap import HandMap
from ..core.raster import Picture, draw_triangles, frame_points
from ..hands.model import HandModel
from ..rig.channels import rotation_property
from ..rig.previews import bone_triangles, set_preview, shown_triangles
from ..rig.read import read_hand_frame, read_placement
from ..rig.skin import objects_beside, skin_objects
from .posture import model_of

SIZE = 256
"""Pixels along a preview's side."""
ROUND_THE_HAND = 1.25
"""How far from the middle of the hand skin is shown, over what the hand's own joints span."""


class PoseAssetError(PrehendError):
    """A pose cannot be kept as an asset."""


@dataclass(frozen=True)
class PoseAssetReport:
    """What was kept."""

    action: str
    """Name of the action that is the asset."""
    bones: tuple[str, ...]
    """Bones that it poses."""


def save_pose_asset(
    armature: Any,
    hands: Sequence[HandMap],
    name: str,
    *,
    view_layer: Any,
    frame: int = 1,
    description: str = "",
    tags: Sequence[str] = (),
    catalog_id: str = "",
    props: Sequence[Any] = (),
) -> PoseAssetReport:
    """Make a pose asset of what hands show now; the armature and its own action stay as they are.

    Args:
        armature: The armature object.
        hands: Which of its hands.
        name: Name of the pose.
        view_layer: View layer that shows the armature.
        frame: Frame of the asset's keys; its only one.
        description: Shown in the asset browser.
        tags: Words to find it by.
        catalog_id: Catalog that it belongs to, as the asset library lists it; empty for none.
        props: Objects that are in the picture too.

    Raises:
        PoseAssetError: The pose has no name, the catalog is none, or there is nothing to pose.
    """
    title = name.strip()
    if not title:
        raise PoseAssetError("The pose has no name: give it one.")
    if catalog_id:
        try:
            UUID(catalog_id)
        except ValueError as error:
            raise PoseAssetError(f"'{catalog_id}' is no catalog: copy its UUID from the asset browser.") from error
    bones = [bone for hand in hands for finger in hand.fingers for bone in (finger.metacarpal, *finger.chain) if bone]
    bones = [bone for bone in dict.fromkeys(bones) if bone in armature.pose.bones]
    if not bones:
        raise PoseAssetError(f"Armature '{armature.name}' has no hand with fingers: detect or map its hands first.")
    picture = hand_picture(armature, [model_of(armature, hand) for hand in hands], view_layer=view_layer, props=props)
    action, curves = new_pose_action(title, armature.name)
    try:
        for bone in bones:
            _key(armature.pose.bones[bone], curves, frame)
        _mark(action, description, tags, catalog_id)
        set_preview(action, picture)
    except BaseException:
        bpy.data.actions.remove(action)
        raise
    return PoseAssetReport(str(action.name), tuple(bones))


def _mark(action: Any, description: str, tags: Sequence[str], catalog_id: str) -> None:
    # Marking gives it the user that keeps it in the file.
    action.user_clear()
    action.asset_mark()
    data = action.asset_data
    data.description = description
    for tag in tags:
        data.tags.new(tag, skip_if_exists=True)
    if catalog_id:
        data.catalog_id = catalog_id


def _key(bone: Any, curves: Any, frame: int) -> None:
    """One key for each channel of a bone: what moves it, in its own rotation mode."""
    path = f'pose.bones["{bpy.utils.escape_identifier(bone.name)}"].'
    for channel in ("location", rotation_property(bone), "scale"):
        for index, value in enumerate(getattr(bone, channel)):
            curve = curves.new(f"{path}{channel}", index, bone.name)
            point = curve.keyframe_points.insert(frame, value)
            point.interpolation = "CONSTANT"
            curve.update()


def hand_picture(
    armature: Any, models: Sequence[HandModel], *, view_layer: Any, props: Sequence[Any] = (), size: int = SIZE
) -> Picture:
    """A picture of hands as they are now, seen from the palm and the thumb, fingers up.

    Args:
        armature: The armature object.
        models: Its hands.
        view_layer: View layer that shows it.
        props: Objects that are in the picture too, as far as they are near.
        size: Pixels along a side.
    """
    depsgraph = view_layer.depsgraph
    placement = read_placement(armature)
    bones = [bone for model in models for bone in (model.binding.carrier, *model.binding.readers)]
    matrix = np.array(armature.matrix_world, dtype=np.float64)
    ends = np.array([end for bone in bones for end in (armature.pose.bones[bone].head, armature.pose.bones[bone].tail)])
    ends = ends @ matrix[:3, :3].T + matrix[:3, 3]
    # Tails of imported bones may be anywhere; joints are not.
    joints = ends[::2]
    middle = 0.5 * (joints.min(axis=0) + joints.max(axis=0))
    reach = ROUND_THE_HAND * (float(np.linalg.norm(joints - middle, axis=1).max()) + 0.5 * _finger_end(models))
    skins = [obj for obj in skin_objects(armature, objects_beside(armature)) if obj.visible_get(view_layer=view_layer)]
    shown = shown_triangles([*skins, *(obj for obj in props if obj not in skins)], depsgraph)
    shown = shown.only((np.linalg.norm(shown.corners - middle, axis=2) < reach).all(axis=1))
    if not len(shown.corners):
        shown = bone_triangles(armature, bones)
    frame = read_hand_frame(armature, models[0], placement)
    thumb = {"L": -1.0, "R": 1.0}.get(models[0].side, 1.0)
    direction = -0.8 * frame[:3, 1] + 0.5 * thumb * frame[:3, 0] + 0.15 * frame[:3, 2]
    eye = frame_points(shown.corners.reshape(-1, 3), direction, frame[:3, 2], field_of_view=0.45)
    return draw_triangles(shown.corners, shown.colours, eye, size=(size, size), normals=shown.normals, samples=3)


def _finger_end(models: Sequence[HandModel]) -> float:
    """Length in [m] of the longest last bone, which reaches past its joint."""
    return max((float(length) for model in models for length in model.lengths), default=0.0)
