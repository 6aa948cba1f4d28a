# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Read, set, mirror and copy hand postures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.errors import ShapeError
from ..core.handmap import HandMap
from ..hands.model import HandModel
from ..hands.posture import HandPose, clamp
from ..hands.retarget import retarget
from ..presets.limits import DEFAULT_LIMITS, load_limits
from ..rig.models import hand_model
from ..rig.read import read_pose
from ..rig.skin import objects_beside
from ..rig.write import WriteResult, write_angles


def model_of(
    armature: Any, hand: HandMap, *, limits: str = DEFAULT_LIMITS, objects: Iterable[Any] | None = None
) -> HandModel:
    """The model of one hand of an armature object: everywhere the same, as fingertips without a bone are on the skin.

    Args:
        armature: The armature object.
        hand: Which of its bones make up the hand.
        limits: Key of a set of joint limits.
        objects: Objects among which its skin is looked for; None for all of its scenes, empty for bare bones.

    Raises:
        UnknownChoiceError: There is no such set of limits.
        ScaleError: The object is scaled unevenly.
        HandShapeError: The map does not make a hand on this armature.
    """
    if objects is None:
        objects = objects_beside(armature)
    return hand_model(armature, hand, load_limits(limits), objects=objects)


def read_posture(armature: Any, hand: HandMap, *, limits: str = DEFAULT_LIMITS) -> HandPose:
    """The pose that a hand shows: angles of the model's joints and the place of its wrist.

    Raises:
        PrehendError: As `model_of`.
    """
    return read_pose(armature, model_of(armature, hand, limits=limits))


def apply_posture(
    armature: Any,
    hand: HandMap,
    angles: FloatArray,
    *,
    view_layer: Any,
    limits: str = DEFAULT_LIMITS,
    within_limits: bool = True,
) -> WriteResult:
    """Give a hand a posture; its wrist stays where it is.

    Args:
        armature: The armature object.
        hand: Which of its bones make up the hand.
        angles: Flexion, abduction and twist of the model's joints in [rad]. Shape (m, 3).
        view_layer: View layer that shows the armature.
        limits: Key of a set of joint limits.
        within_limits: Whether angles are moved into their ranges first.

    Raises:
        ShapeError: The angles are not of this hand.
        ReadOnlyArmatureError: The pose cannot be changed. Nothing was.
        PrehendError: As `model_of`.
    """
    model = model_of(armature, hand, limits=limits)
    array = np.asarray(angles, dtype=np.float64)
    if array.shape != model.rest_angles.shape:
        raise ShapeError("angles", expected=model.rest_angles.shape, found=array.shape)
    return write_angles(armature, model, clamp(model, array) if within_limits else array, view_layer=view_layer)


def copy_posture(
    source: Any,
    source_hand: HandMap,
    target: Any,
    target_hand: HandMap,
    *,
    view_layer: Any,
    limits: str = DEFAULT_LIMITS,
) -> WriteResult:
    """Give one hand the posture of another, of the same or another character, of the same or the other side.

    Left and right hands count their angles alike, so copying to the other side mirrors.

    Args:
        source: Armature object that shows the posture.
        source_hand: Its hand.
        target: Armature object to pose; may be the same.
        target_hand: Its hand.
        view_layer: View layer that shows the target.
        limits: Key of the set of joint limits that both are measured by.

    Raises:
        ReadOnlyArmatureError: The target's pose cannot be changed. Nothing was.
        PrehendError: As `model_of`.
    """
    from_model, to_model = (
        model_of(source, source_hand, limits=limits),
        model_of(target, target_hand, limits=limits),
    )
    angles = retarget(from_model, to_model, read_pose(source, from_model).angles)
    return write_angles(target, to_model, angles, view_layer=view_layer)


def mirror_posture(
    armature: Any, source_hand: HandMap, target_hand: HandMap, *, view_layer: Any, limits: str = DEFAULT_LIMITS
) -> WriteResult:
    """Give one hand of an armature the mirrored posture of the other; its wrist stays where it is.

    Raises:
        PrehendError: As `copy_posture`.
    """
    return copy_posture(armature, source_hand, armature, target_hand, view_layer=view_layer, limits=limits)
