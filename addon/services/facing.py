# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bring an object before a hand's palm, as near as the open hand allows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from mathutils import Matrix

from ..core.arrays import FloatArray
from ..core.errors import OutputError, PrehendError
from ..core.handmap import HandMap
from ..hands.model import HandModel
from ..hands.movements import grasp_axis, grasp_centre
from ..hands.posture import HandPose
from ..presets.movements import Movement, load_movements
from ..rig.read import read_pose
from ..rig.state import why_read_only
from ..solvers.closing import Movement as PlannedMovement
from ..solvers.closing import close, touching
from .closing import CloseRequest, plan, scene_of, without
from .closing_checks import check_object, check_size
from .closing_hands import closing_skin
from .closing_report import measured_gaps
from .grasp_places import PROP
from .grasping import GraspRequest, GraspSearch
from .posture import model_of
from .surfaces import WorldSurface, surface_of

SIDE = "side"
"""Opposition of movements that hold against a finger's side."""
SIDE_ATTEMPTS = 3
"""Places of an object that are tried for those."""
CLEAR = 5e-4
"""How far in [m] the open hand stays from the object."""
UPRIGHT = 0.7
"""An object whose height is at least this share of its longest extent is held round its height."""
FLAT = 1.9
"""An object that is this many times as wide as it is thick is flat."""
_ALONG = (0.0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9)
"""Places along the fingers that are tried, in palm lengths from where the movement has its middle."""
_STEPS = 60
"""Most steps towards the hand; each goes as far as the nearest skin is away."""


def face_palm(armature: Any, hand: HandMap, obj: Any, request: CloseRequest, *, view_layer: Any) -> FloatArray:
    """Move an object before the palm of a hand that is going to close on it, and give its new world matrix (4, 4).

    Movements that hold against a finger's side have nothing before the palm: for them it goes to where a search finds
    that side and the thumb on it, and before the palm only if there is no such place. The hand is left as it is; what
    has to be clear of the object is the posture that closing begins with.

    Raises:
        PrehendError: The object cannot be moved or closed on, or there is no such movement. Nothing was changed.
    """
    check_object(obj, armature, hand)
    reason = why_read_only(obj)
    if reason is not None:
        raise OutputError(f"Object '{obj.name}' {reason}.")
    model = model_of(armature, hand, limits=request.limits, objects=without(obj, view_layer.objects))
    pose = read_pose(armature, model)
    planned = plan(model, pose, request)
    surface = surface_of(obj, view_layer.depsgraph)
    check_size(surface, model)
    movement = load_movements()[request.movement]
    places = _places_at_side(armature, hand, obj, request, surface, view_layer) if movement.opposition == SIDE else []
    # As the search closed them, fingers may have begun curled otherwise than they will.
    place = next((each for each in places if _touches(model, planned, request, surface, each)), None)
    if place is None:
        place = place_before_palm(model, HandPose(planned.start[0], pose.T_world_hand), surface, movement)
    matrix = place @ np.linalg.inv(surface.T_world_frame) @ np.array(obj.matrix_world, dtype=np.float64)
    obj.matrix_world = Matrix(matrix.tolist())
    view_layer.update()
    return matrix


def _places_at_side(
    armature: Any, hand: HandMap, obj: Any, request: CloseRequest, surface: WorldSurface, view_layer: Any
) -> list[FloatArray]:
    """Where the frame of an object's surface may be (4, 4), the best first, so that a finger's side is behind it."""
    wanted = GraspRequest(
        movement=request.movement, depth=request.depth, limits=request.limits, place=PROP, attempts=SIDE_ATTEMPTS
    )
    try:
        search = GraspSearch(armature, hand, obj, wanted, view_layer=view_layer)
    except PrehendError:
        # Such as things with nothing to take hold of in this way.
        return []
    for _ in search.run():
        pass
    if search.through_body:
        return []
    T_frames_hand = [np.vstack([each.wrist, [0.0, 0.0, 0.0, 1.0]]) for each in search.candidates]
    return [search.hand_frame() @ np.linalg.inv(each) for each in T_frames_hand]


def _touches(
    model: HandModel, planned: PlannedMovement, request: CloseRequest, surface: WorldSurface, place: FloatArray
) -> bool:
    """Whether several fingers of a hand, or its only one, come upon an object there (4, 4) when it closes."""
    scene = scene_of(replace(surface, T_world_frame=place), request.depth, exact=model.skin is None)
    skin = closing_skin(model)
    closing = close(skin, planned, scene, model.limits.ranges)
    touched = touching(skin.hand, closing.stopped_by)[0] & planned.fingers
    return int(touched.sum()) >= min(2, int(planned.fingers.sum()))


def place_before_palm(
    model: HandModel, pose: HandPose, surface: WorldSurface, movement: Movement, *, clear: float = CLEAR
) -> FloatArray:
    """Where the frame of an object's surface belongs, so that the palm faces the object. Shape (4, 4).

    The object's height, or else its longest extent, lies in the hand as the movement wants it. From afar it comes along
    the palm's direction until the skin of the open hand is `clear` [m] away, or, for movements that hold things between
    fingertips, until its middle is between them. Where a thumb in front of the palm keeps it away, it comes in further
    along the fingers.

    Args:
        model: The hand.
        pose: Where it is, opened as it will be before it closes.
        surface: The object.
        movement: How the hand is going to close.
        clear: Distance to keep from all skin in [m].
    """
    axes, thickness = _turned_axes(model, movement, surface)
    way = _Way(
        model=model,
        start=pose.angles,
        T_world_hand=pose.T_world_hand,
        surface=surface,
        axes=axes,
        centre=grasp_centre(model, movement, radius=thickness / 2.0),
        # Fingertips hold where their movement says; a palm is to be touched, wherever its skin is.
        least=0.0 if movement.centre.place != "palm" and not model.radial else -(thickness + model.palm_width),
        clear=clear,
    )
    best, least_off = np.eye(4), np.inf
    for share in (0.0,) if model.radial else _ALONG:
        along = share * model.palm_length
        if along >= least_off:
            break
        frame, ahead = way.come(along)
        off = float(np.hypot(max(ahead, 0.0), along))
        if off < least_off:
            best, least_off = frame, off
    return best


@dataclass(frozen=True, eq=False)
class _Way:
    """An object on its way to an open hand."""

    model: HandModel
    start: FloatArray
    """Angles of the open hand in [rad]. Shape (m, 3)."""
    T_world_hand: FloatArray
    surface: WorldSurface
    axes: FloatArray
    """Axes of the surface's frame in the hand's frame, as columns. Shape (3, 3)."""
    centre: FloatArray
    """Where its middle should be in the hand's frame in [m]. Shape (3,)."""
    least: float
    """How near in [m] to that place it may come; negative goes beyond it."""
    clear: float

    def come(self, along: float) -> tuple[FloatArray, float]:
        """Its frame in the world (4, 4) once it is near, and how far it still is from its place in [m].

        Args:
            along: How far along the fingers it is off its place in [m].
        """
        size = self.surface.size
        ahead = float(np.linalg.norm(size)) + 2.0 * (self.model.palm_length + self.model.palm_width)
        for _ in range(_STEPS):
            frame = self._frame(along, ahead)
            placed = replace(self.surface, T_world_frame=frame)
            gaps = measured_gaps(self.model, self.start, self.T_world_hand, placed)
            left = float(gaps.by_bone.min()) - self.clear
            # The last step may have gone a hair too near, as distances are rounded.
            if -1e-6 <= left <= 1e-5 or (left > 0.0 and ahead <= self.least):
                break
            ahead = max(ahead - left, self.least) if left > 0.0 else ahead - left
        return frame, ahead

    def _frame(self, along: float, ahead: float) -> FloatArray:
        turn, origin = self.T_world_hand[:3, :3], self.T_world_hand[:3, 3]
        middle = (self.surface.surface.low + self.surface.surface.high) / 2.0
        frame = np.eye(4)
        frame[:3, :3] = turn @ self.axes
        place = self.centre + ahead * self.model.approach + np.array([0.0, 0.0, along])
        frame[:3, 3] = turn @ place + origin - frame[:3, :3] @ middle
        return frame


def _turned_axes(model: HandModel, movement: Movement, surface: WorldSurface) -> tuple[FloatArray, float]:
    """Axes of the surface's frame in the hand's frame, as columns (3, 3), and the thickness in [m] before the palm.

    Flat things show the palm their flat side. Others show it the side that is not the longer one, and turn what sticks
    out of them, such as the handle of a mug, away from the palm.
    """
    size = surface.size
    long = 2 if size[2] >= UPRIGHT * size.max() else int(np.argmax(size))
    short, other = sorted((axis for axis in range(3) if axis != long), key=lambda axis: float(size[axis]))
    outward = short if size[short] * FLAT <= size[other] else other
    last = other if outward == short else short
    across = grasp_axis(model, movement)
    if across is None:
        across = np.array([1.0, 0.0, 0.0])
    middle = (surface.surface.low + surface.surface.high) / 2.0
    heavy = float(surface.vertices[:, outward].mean() - middle[outward])
    axes = np.empty((3, 3))
    axes[:, long] = across
    axes[:, outward] = -model.approach if heavy > 0.05 * size[outward] else model.approach
    axes[:, last] = np.cross(across, model.approach)
    if np.linalg.det(axes) < 0.0:
        axes[:, last] = -axes[:, last]
    return axes, float(size[outward])
