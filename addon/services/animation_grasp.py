# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The grasp that is animated: what the hand shows now, or what it held in an animation made before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.errors import UnknownChoiceError
from ..hands.model import HandModel
from ..hands.movements import movement_angles
from ..presets.movements import load_movements
from ..rig.keyframes import Track, Values, curves_of
from ..rig.skin import skin_objects
from .animation_check import FrameCheck, FrameJudge
from .animation_hand import HandKeys
from .animation_records import AnimationRecord
from .animation_request import AnimationError, AnimationRequest
from .closing import without
from .grasp_records import GRASPS_KEY, load_candidates
from .sizes import size_class
from .surfaces import surface_of

TOUCHING = 1.5e-3
"""Skin nearer than this in [m] may be said to hold; of giants' hands so many times more as they are larger."""
TOO_DEEP = 1e-3
"""Skin deeper than this in [m] is said to be inside."""
_CHANGED = 1e-4


@dataclass(frozen=True, eq=False)
class HeldGrasp:
    """A hand that holds a prop."""

    wrist: FloatArray
    """The hand's frame in the world in [m]. Shape (4, 4)."""
    angles: FloatArray
    """Angles in [rad]. Shape (m, 3)."""
    place: FloatArray
    """The prop's world matrix. Shape (4, 4)."""
    values: dict[Track, Values]
    """Channels that hold; empty where they have to be found anew."""
    movement: str
    """Key of the movement that the hand opens with."""
    depth: float = 0.0
    """How deep in [m] the deepest skin is."""


def find_held(
    keys: HandKeys, prop: Any, old: AnimationRecord | None, request: AnimationRequest, *, view_layer: Any
) -> HeldGrasp:
    """The grasp that is shown, or that of an animation that nobody has changed since.

    Raises:
        AnimationError: The hand does not hold the prop.
        UnknownChoiceError: There is no such movement.
    """
    if request.movement != "auto" and request.movement not in load_movements():
        raise UnknownChoiceError("movement", request.movement, ("auto", *load_movements()))
    if old is not None and not _was_changed(keys, old):
        return _stored(keys, old, request)
    check = _look(keys, prop, view_layer)
    gaps = check.gaps
    nearest = min(gaps.of_finger(number) for number in range(len(keys.model.fingers)))
    size = max(size_class(keys.model), 1.0)
    if nearest > size * TOUCHING:
        raise AnimationError(
            f"No finger of {keys.model.binding.wrist} holds '{prop.name}': press Grasp or Close Fingers first."
        )
    if check.depth > size * TOO_DEEP:
        raise AnimationError(
            f"The hand is {1e3 * check.depth:.1f} mm inside '{prop.name}': press Grasp or Close Fingers again first."
        )
    pose = check.pose
    return HeldGrasp(
        wrist=np.array(pose.T_world_hand),
        angles=np.array(pose.angles),
        place=np.array(prop.matrix_world, dtype=np.float64),
        values=keys.read(),
        movement=_movement(keys.model, prop, np.array(pose.angles), request),
        depth=check.depth,
    )


def moved_held(held: HeldGrasp, place: FloatArray) -> HeldGrasp:
    """The same grasp of a prop that is elsewhere (4, 4); its channels have to be found anew."""
    wrist = place @ np.linalg.inv(held.place) @ held.wrist
    return HeldGrasp(wrist, held.angles, place, {}, held.movement, held.depth)


def _look(keys: HandKeys, prop: Any, view_layer: Any) -> FrameCheck:
    skins = skin_objects(keys.armature, without(prop, view_layer.objects))
    surface = surface_of(prop, view_layer.depsgraph)
    return FrameJudge(keys.armature, keys.model, skins, surface, (), view_layer=view_layer).look(np.eye(4))


def _was_changed(keys: HandKeys, old: AnimationRecord) -> bool:
    """Whether the hand is posed other than its keys have it at the frame that is shown."""
    armature, scene = keys.armature, keys.scene
    frame = scene.frame_current + scene.frame_subframe
    curves = curves_of(armature, old.keys)
    if len({curve.data_path for curve in curves}) < len(old.keys):
        return True
    for curve in curves:
        now = armature.path_resolve(curve.data_path)[curve.array_index]
        if abs(now - curve.evaluate(frame)) > _CHANGED:
            return True
    return False


def _stored(keys: HandKeys, old: AnimationRecord, request: AnimationRequest) -> HeldGrasp:
    if set(keys.model.names) != set(old.angles):
        raise AnimationError(
            f"The bones of {old.hand} have changed since it was animated: press Grasp first, then Animate."
        )
    values = {track: tuple(old.held[track.path]) for track in keys.tracks if track.path in old.held}
    return HeldGrasp(
        wrist=np.array(old.wrist),
        angles=np.array([old.angles[name] for name in keys.model.names]),
        place=np.array(old.place),
        # After a change of a rotation mode channels have other names.
        values=values if len(values) == len(keys.tracks) else {},
        movement=old.movement if request.movement == "auto" else request.movement,
    )


def _movement(model: HandModel, prop: Any, angles: FloatArray, request: AnimationRequest) -> str:
    if request.movement != "auto":
        return request.movement
    if prop.get(GRASPS_KEY) is not None:
        records, chosen = load_candidates(prop)
        if records[chosen].movement in load_movements():
            return records[chosen].movement
    return nearest_movement(model, angles)


def nearest_movement(model: HandModel, angles: FloatArray) -> str:
    """The movement that a posture lies nearest to."""
    off: dict[str, float] = {}
    for key, movement in load_movements().items():
        way = movement_angles(model, movement)
        low, high = np.minimum(way.start, way.end), np.maximum(way.start, way.end)
        off[key] = float(np.abs(angles - np.clip(angles, low, high)).mean())
    return min(off, key=lambda key: off[key])
