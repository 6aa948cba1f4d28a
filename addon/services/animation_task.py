# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A held grasp as a problem for the planner: what is round the hand, how it opens, where it comes from and goes to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..compat import action_fcurves, strip_fcurves
from ..core.arrays import FloatArray
from ..core.rotations import nearest_rotation
from ..hands.movements import hand_scale, movement_angles
from ..hands.poses import pose_angles
from ..hands.posture import HandPose
from ..presets.movements import load_movements
from ..presets.poses import load_poses
from ..rig.placement import ArmatureMover
from ..rig.read import read_pose
from ..solvers.animation import COARSE, Carry, End, Frames, GraspTask, PathCarry, Surroundings
from .animation_grasp import HeldGrasp
from .animation_hand import HandKeys
from .animation_request import AUTO, BACK, AnimationRequest
from .closing_hands import closing_skin
from .surfaces import WorldSurface, nearest_of

UP = np.array([0.0, 0.0, 1.0])
MARGIN = 0.014
"""How far in [m] the fingertips of a hand of the usual size open beyond the prop: people open 2 to 3 cm more."""
LIFTS = (1.0, 1.5, 2.2, 3.5)
"""Times the lift that are tried until what is carried is clear of obstacles."""
_CARRY_SAMPLES = 24


def build_task(
    keys: HandKeys,
    held: HeldGrasp,
    request: AnimationRequest,
    frames: Frames,
    *,
    surface: WorldSurface,
    walls: Sequence[WorldSurface],
    target: Any,
    line: FloatArray | None = None,
) -> GraspTask:
    """The planner's problem; frames are changed while poses are read, for the caller to go back.

    Args:
        keys: The hand's channels.
        held: The grasp.
        request: How to animate.
        frames: When what happens.
        surface: The prop where it is taken.
        walls: What to keep clear of.
        target: Object that the prop is carried to, or None.
        line: Points in [m] along which it is carried, or None. Shape (n, 3).
    """
    model = keys.model
    movement = movement_angles(model, load_movements()[held.movement])
    scale = hand_scale(model)
    skin = closing_skin(model)
    carry = _carry(held, request, frames, surface, target, line)
    put = np.array(carry.end) @ np.linalg.inv(carry.start) @ held.wrist
    if model.skin is not None:
        _ = surface.surface.grid

    def round_(placed: WorldSurface) -> Surroundings:
        # Middles of capsules are far from surfaces, where grids are coarse.
        distance = placed.exact_distance if model.skin is None else placed.distance
        return Surroundings(skin, distance, _blocked(walls) if walls else None)

    task = GraspTask(
        around=round_(surface),
        around_put=round_(replace(surface, T_world_frame=np.array(carry.end))),
        fingers=model.fingers,
        part=np.array(movement.taking_part),
        held=held.angles,
        start=np.array(movement.start),
        end=np.array(movement.end),
        wrist=held.wrist,
        approach=model.approach,
        up=UP,
        before=replace(
            _end(keys, request, frames.approach, held.wrist, request.back * scale),
            ground=_underside(keys, surface, carry.start),
        ),
        after=replace(
            _end(keys, request, frames.away, put, request.back * scale), ground=_underside(keys, surface, carry.end)
        ),
        frames=frames,
        carry=carry,
        distance=request.back * scale,
        margin=MARGIN * scale,
        overlap=request.overlap,
        delays=tuple(request.delays),
        smooth=request.smooth,
        moves=keys.mover is not None,
    )
    # Whoever gives a path means that path.
    return replace(task, carry=_raised(task, surface)) if frames.carries and walls and line is None else task


def _underside(keys: HandKeys, surface: WorldSurface, frame: FloatArray) -> float:
    """Height in [m] of the lowest point of a surface in a frame (4, 4); minus infinity for hands on arms."""
    # An arm does not reach everywhere: its hand keeps to the usual ways.
    if not isinstance(keys.mover, ArmatureMover):
        return -np.inf
    return float((surface.vertices @ frame[:3, :3].T @ UP).min() + frame[:3, 3] @ UP)


def _blocked(walls: Sequence[WorldSurface]) -> Callable[[FloatArray], FloatArray]:
    def measure(points: FloatArray) -> FloatArray:
        return nearest_of(walls, points)

    return measure


def _carry(
    held: HeldGrasp,
    request: AnimationRequest,
    frames: Frames,
    surface: WorldSurface,
    target: Any,
    line: FloatArray | None,
) -> Carry | PathCarry:
    start = np.array(surface.T_world_frame)
    if not frames.carries:
        return Carry(start, start, 0.0, UP)
    at = rigid(held.place)
    to = None if target is None else rigid(np.array(target.matrix_world, dtype=np.float64))
    if line is not None:
        shift = at[:3, 3] - line[0] if request.path_here else np.zeros(3)
        return PathCarry(start, at, line + shift, to)
    return Carry(start, start if to is None else to @ np.linalg.inv(at) @ start, request.lift, UP)


def _raised(task: GraspTask, surface: WorldSurface) -> Carry:
    """The carry with the smallest lift that keeps hand and prop clear of obstacles."""
    blocked = task.around.obstacles
    assert blocked is not None
    assert isinstance(task.carry, Carry)
    points = surface.vertices[:: max(len(surface.vertices) // 300, 1)]
    shares = np.linspace(0.0, 1.0, _CARRY_SAMPLES)
    angles = np.repeat(task.held[None], _CARRY_SAMPLES, axis=0)
    best, most = task.carry, -np.inf
    for times in LIFTS:
        carry = replace(task.carry, lift=times * task.carry.lift)
        moves = carry.frames(shares)
        hand = moves @ np.linalg.inv(task.carry.start) @ task.wrist
        clear = task.around.obstacle_gaps(angles, hand, detail=COARSE)
        world = np.einsum("aij,pj->api", moves[:, :3, :3], points) + moves[:, None, :3, 3]
        prop = blocked(world.reshape(-1, 3)).reshape(len(moves), -1).min(axis=1)
        # What rests on something is clear of it once it is no deeper in it than at either end.
        allowed = min(float(prop[0]), float(prop[-1]), 0.0) - 1e-3
        least = min(float(clear.min()), float(prop.min()) - allowed)
        if least > most:
            best, most = carry, least
        if least >= 0.0:
            break
    return best


def _end(keys: HandKeys, request: AnimationRequest, frame: int, held: FloatArray, back: float) -> End:
    """How the hand is at an end of the animation, from which it comes to where it holds (4, 4), or goes.

    A pose nearer than `back` [m] is none to come from: it would be in the prop's way.
    """
    model = keys.model
    ease = np.array(model.rest_angles) if model.radial else pose_angles(model, load_poses()["relaxed"])
    animated = animated_paths(keys.armature)
    moving = any(track.path in animated for track in keys.wrist)
    if request.begin == BACK or (request.begin == AUTO and not moving):
        return End(ease)
    pose = _shown_without(keys, frame, animated)
    turning = any(track.path in animated for tracks in keys.joints for track in tracks)
    # The armature object has no rest to come from.
    somewhere = moving or bool(keys.wrist and keys.wrist[0].bone)
    somewhere &= float(np.linalg.norm(pose.T_world_hand[:3, 3] - held[:3, 3])) > 0.8 * back
    return End(np.array(pose.angles) if turning else ease, np.array(pose.T_world_hand) if somewhere else None)


def animated_paths(obj: Any) -> set[str]:
    """Data paths that an object's action or its NLA strips animate."""
    data = obj.animation_data
    if data is None:
        return set()
    found = {curve.data_path for track in data.nla_tracks for strip in track.strips for curve in strip_fcurves(strip)}
    if data.action is not None:
        found |= {curve.data_path for curve in action_fcurves(data.action, obj)}
    return found


def _shown_without(keys: HandKeys, frame: int, animated: set[str]) -> HandPose:
    """The pose at a frame without ours: what is animated as animated, the bones' other channels at rest."""
    keys.scene.frame_set(frame)
    before = keys.read()
    for track in keys.tracks:
        if track.bone and track.path not in animated:
            rest = {"location": (0.0,) * 3, "rotation_quaternion": (1.0, 0.0, 0.0, 0.0)}
            track.write(keys.armature, rest.get(track.name, (0.0,) * len(before[track])))
    keys.view_layer.update()
    pose = read_pose(keys.armature, keys.model)
    keys.write(before)
    keys.view_layer.update()
    return pose


def rigid(matrix: FloatArray) -> FloatArray:
    """A matrix without its scale and shear. Shape (4, 4)."""
    out = np.eye(4)
    turn = nearest_rotation(matrix[:3, :3])
    out[:3, :3] = turn if np.linalg.det(turn) > 0.0 else -turn
    out[:3, 3] = matrix[:3, 3]
    return out
