# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Close a hand's fingers on an object, so that the skin that is shown ends on its surface."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..core.arrays import BoolArray, FloatArray
from ..core.errors import UnknownChoiceError
from ..core.handmap import HandMap
from ..hands.model import HandModel
from ..hands.movements import movement_angles
from ..hands.posture import HandPose
from ..hands.preshape import Preshape, preshaped
from ..presets.limits import DEFAULT_LIMITS
from ..presets.movements import load_movements
from ..rig.own_skin import own_skin
from ..rig.read import read_pose
from ..rig.skin import skin_objects
from ..rig.write import WriteResult, check_writable, write_angles
from ..solvers.closing import EVERY_WAY, OBJECT, USUAL, Closing, Movement, Scene, close, close_again
from .closing_checks import check_object, check_size, check_start, inside_note
from .closing_hands import closing_skin
from .closing_report import CloseReport, Gaps, measured_gaps, report_fingers, shown_gaps
from .posture import model_of
from .surfaces import WorldSurface, nearest_of, surface_of
from .walls import walls_of

DEFAULT_MOVEMENT = "medium_diameter"
DEFAULT_DEPTH = 3e-4
"""How far in [m] skin gives where it touches, unless told otherwise."""
DEEPEST = 3e-3
"""How far skin may be asked to give in [m]."""
_CORRECTIONS = 6
"""Times that fingers are closed again after looking at the skin that is shown."""
_DEEP_ENOUGH = 1.5e-4
"""How much deeper in [m] than asked for the skin that is shown may be."""
_CLOSE_ENOUGH = 1e-4
"""How far in [m] the skin that is shown may be from where it should be."""
_FAR = 1e-3
"""Fingers that are more than this in [m] too far out may come to touch elsewhere than where they were measured."""
_EXTRA_MOST = 4e-3
"""Corrections never ask for more than this in [m]."""


@dataclass(frozen=True)
class CloseRequest:
    """How to close."""

    movement: str = DEFAULT_MOVEMENT
    """Key of a movement."""
    fingers: frozenset[str] | None = None
    """Names of the fingers that close; None for those that the movement takes."""
    depth: float = DEFAULT_DEPTH
    """How far in [m] skin gives where it touches."""
    adapt: bool = True
    """Whether each finger may close knuckle first or last and go aside, to lie better on the object."""
    limits: str = DEFAULT_LIMITS
    """Key of a set of joint limits."""
    preshape: Preshape | None = None
    """How fingers are curled before they close; None to begin as the movement does."""


def close_fingers(
    armature: Any,
    hand: HandMap,
    obj: Any,
    request: CloseRequest,
    *,
    view_layer: Any,
    obstacles: Iterable[Any] = (),
) -> CloseReport:
    """Close the fingers of a hand on an object; the wrist stays where it is.

    Args:
        armature: The armature object.
        hand: Which of its bones make up the hand.
        obj: The object to close on.
        request: How.
        view_layer: View layer that shows both.
        obstacles: Objects that the fingers must not touch.

    Raises:
        PrehendError: The object, the hand or its place will not do; the sentence says why. Nothing was changed.
    """
    check_writable(armature)
    check_object(obj, armature, hand)
    depsgraph = view_layer.depsgraph
    model = model_of(armature, hand, limits=request.limits, objects=without(obj, view_layer.objects))
    pose = read_pose(armature, model)
    surface = surface_of(obj, depsgraph)
    check_size(surface, model)
    movement = plan(model, pose, request)
    begun = check_start(model, movement, surface, request.depth)
    walls = walls_of(
        obstacles,
        armature,
        model,
        prop=obj,
        view_layer=view_layer,
        centre=pose.T_world_hand[:3, 3],
        radius=1.2 * closing_skin(model).hand.reach,
    )
    scene = scene_of(surface, request.depth, walls, exact=model.skin is None)
    task = _Task(armature, obj, model, pose, movement, surface, request, view_layer)
    gaps, closing, result = task.close(scene)
    inside = inside_note(begun, gaps, request.depth, obj.name)
    return CloseReport(
        hand=hand.wrist,
        prop=obj.name,
        movement=request.movement,
        fingers=report_fingers(gaps, movement.fingers, closing.stopped_by[0]),
        palm_gap_mm=1e3 * gaps.palm,
        locked=tuple(result.locked),
        notes=tuple(note for note in (inside, surface.surface.note, *model.notes) if note),
    )


def open_hand(armature: Any, hand: HandMap, request: CloseRequest, *, view_layer: Any) -> WriteResult:
    """Give a hand the open posture that a movement starts from.

    Raises:
        PrehendError: The armature cannot be posed, or there is no such movement. Nothing was changed.
    """
    check_writable(armature)
    model = model_of(armature, hand, limits=request.limits, objects=view_layer.objects)
    movement = plan(model, read_pose(armature, model), request)
    joints = _written(model, request)
    return write_angles(armature, model, movement.start[0], view_layer=view_layer, joints=joints)


def without(obj: Any, objects: Iterable[Any]) -> list[Any]:
    """Objects other than one: a prop that hangs on the wrist must not be taken for the hand's skin."""
    return [each for each in objects if each != obj]


def plan(model: HandModel, pose: HandPose, request: CloseRequest) -> Movement:
    """The movement of one hand where it is; fingers that were not asked for keep their posture.

    Raises:
        UnknownChoiceError: There is no such movement, or none of the fingers.
    """
    movements = load_movements()
    if request.movement not in movements:
        raise UnknownChoiceError("movement", request.movement, tuple(movements))
    angles = movement_angles(model, movements[request.movement])
    if request.preshape is not None:
        angles = preshaped(model, angles, request.preshape)
    fingers = np.array(angles.taking_part)
    chosen = _chosen(model, request)
    if request.fingers is not None:
        if not chosen.any():
            raise UnknownChoiceError("finger", ", ".join(sorted(request.fingers)), model.fingers)
        fingers = chosen & (fingers | ~(chosen & fingers).any())
    mine = chosen[model.finger_of][:, None]
    return Movement(
        start=np.where(mine, angles.start, pose.angles)[None],
        end=np.where(mine, angles.end, pose.angles)[None],
        wrists=pose.T_world_hand[None, :3],
        fingers=fingers,
    )


def _chosen(model: HandModel, request: CloseRequest) -> BoolArray:
    """Fingers that were asked for; all if none were named. Shape (f,)."""
    return np.array([request.fingers is None or finger in request.fingers for finger in model.fingers])


def _written(model: HandModel, request: CloseRequest) -> list[int]:
    """Joints of the fingers that were asked for; the channels of others are not even rounded."""
    return [int(j) for j in np.flatnonzero(_chosen(model, request)[model.finger_of])]


def scene_of(
    surface: WorldSurface, depth: float, walls: Collection[WorldSurface] = (), *, exact: bool = False
) -> Scene:
    """What a hand closes on.

    Args:
        surface: The object's.
        depth: How far skin gives in [m].
        walls: What must not be touched.
        exact: Never ask the grid, which is good near the surface only: the middles of capsules are far from it.
    """
    obstacles = list(walls)

    def blocked(points: FloatArray) -> FloatArray:
        return nearest_of(obstacles, points)

    walls_distance = blocked if obstacles else None
    if exact:
        return Scene(surface.exact_distance, surface.exact_distance, depth, obstacles=walls_distance)
    return Scene(
        surface.distance,
        surface.exact_distance,
        depth,
        obstacles=walls_distance,
        near=surface.near_distance,
        quick=surface.quick_distance,
    )


def judge_skin(off: FloatArray, depth: float) -> tuple[float, bool]:
    """How bad it is that fingers are off, and whether all are good enough.

    Args:
        off: How much too far out in [m] the skin of each finger is, negative for too deep. Shape (f,).
        depth: How far skin gives in [m].
    """
    deep = float(np.maximum(-off - _DEEP_ENOUGH, 0.0).max(initial=0.0))
    out = float(np.maximum(off - depth - _CLOSE_ENOUGH, 0.0).max(initial=0.0))
    # What is too deep counts for more than what is too far out, and both for more than what is good enough.
    return 10.0 * deep + out + 0.01 * float(np.abs(off).max(initial=0.0)), deep + out == 0.0


@dataclass(frozen=True, eq=False)
class _Task:
    """One hand on its way to one object; lives for a single call."""

    armature: Any
    obj: Any
    model: HandModel
    pose: HandPose
    movement: Movement
    surface: WorldSurface
    request: CloseRequest
    view_layer: Any

    def close(self, scene: Scene) -> tuple[Gaps, Closing, WriteResult]:
        """Close and write until the skin that is shown, with all modifiers, is where the measured skin should be."""
        extra = np.zeros(len(self.model.fingers))
        opened, sent = np.zeros(len(extra), dtype=np.bool_), np.zeros(len(extra), dtype=np.bool_)
        best: tuple[float, Closing, Gaps, WriteResult] | None = None
        for left in range(_CORRECTIONS, -1, -1):
            closing = self._solve(scene, extra, None if best is None else best[1])
            result = self._write(closing)
            gaps = self._gaps(closing)
            off = self._off(closing, gaps)
            cost, good = judge_skin(off, self.request.depth)
            if best is None or cost < best[0]:
                best = cost, closing, gaps, result
            if not left or good:
                break
            # Fingers that share skin push one another out and in: those that were opened come back by half, and those
            # that were sent far open by half.
            halved = (opened & (off > 0.0)) | (sent & (off < 0.0))
            extra = np.clip(extra + np.where(halved, off / 2.0, off), -_EXTRA_MOST, _EXTRA_MOST)
            opened |= off < -_CLOSE_ENOUGH
            sent |= off > _FAR
        assert best is not None
        _, kept, gaps, result = best
        if kept is not closing:
            result = self._write(kept)
        return gaps, kept, result

    def _solve(self, scene: Scene, extra: FloatArray, before: Closing | None) -> Closing:
        skin, ranges = closing_skin(self.model), self.model.limits.ranges
        scene = replace(scene, extra=extra)
        if before is not None:
            return close_again(skin, self.movement, scene, ranges, before)
        return close(skin, self.movement, scene, ranges, ways=EVERY_WAY if self.request.adapt else USUAL)

    def _write(self, closing: Closing) -> WriteResult:
        joints = _written(self.model, self.request)
        return write_angles(self.armature, self.model, closing.angles[0], view_layer=self.view_layer, joints=joints)

    def _gaps(self, closing: Closing) -> Gaps:
        """Where the skin is that is shown; that of a bare armature is computed."""
        angles, frame = closing.angles[0], self.pose.T_world_hand
        skins = skin_objects(self.armature, without(self.obj, self.view_layer.objects))
        if not skins or self.model.skin is None:
            return measured_gaps(self.model, angles, frame, self.surface)
        graph, own = self.view_layer.depsgraph, own_skin(self.armature, self.model)
        return shown_gaps(skins, self.model, angles, frame, self.surface, depsgraph=graph, own=own)

    def _off(self, closing: Closing, gaps: Gaps) -> FloatArray:
        """How much too far out, or in, the skin of each closing finger is that stopped at the object, in [m]."""
        out = np.zeros(len(self.model.fingers))
        for finger in np.flatnonzero(self.movement.fingers).tolist():
            joints = self.model.joints(self.model.fingers[finger])
            off = gaps.of_finger(finger) + self.request.depth
            stopped = (closing.stopped_by[0, joints] == OBJECT).any()
            inside = closing.depths[0, finger] > 0.0
            if not inside and ((stopped and off < _EXTRA_MOST) or off < 0.0):
                out[finger] = off
            # Asked in this order, as how deep webs began is seldom needed and long to tell.
            web = np.inf if gaps.shared is None else float(gaps.shared[finger])
            if web < -self.request.depth - _CLOSE_ENOUGH and web < self._deepest_web:
                out[finger] = min(out[finger], web + self.request.depth)
        return out

    @cached_property
    def _deepest_web(self) -> float:
        """How far in [m], negative inside, skin between fingers and of the palm may be: no deeper than when open."""
        start = measured_gaps(self.model, self.movement.start[0], self.pose.T_world_hand, self.surface)
        return min(-self.request.depth, float(start.by_bone.min())) - _CLOSE_ENOUGH
