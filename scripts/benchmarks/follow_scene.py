# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A generated Rigify human with five moving fingertip targets, and the two loops that are timed on it."""

from __future__ import annotations

import contextlib
import io
import statistics
import time
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from addon.core.arrays import FloatArray
from addon.hands.forward import forward
from addon.rig.channels import Channels, get_channels, set_channels
from addon.rig.read import read_pose
from addon.services.detection import store_hands
from addon.services.finger_ik import TipOptions
from addon.services.poses import hands_of
from addon.services.posture import model_of
from addon.services.tip_follow import TipFollower
from addon.services.tips import add_tip_targets, fingertips

_PERIOD = 60
"""Updates in which the fingers bend and stretch once."""


@dataclass(frozen=True, eq=False)
class FollowScene:
    """Names of what moves; the rig is found by name."""

    rig: str
    bones: int
    """Of the whole rig."""
    fingers: tuple[str, ...]
    """Bones that the fingers are posed with."""
    targets: tuple[str, ...]
    paths: FloatArray
    """Places of the targets, one round, in [m]. Shape (p, f, 3)."""


@dataclass(frozen=True, eq=False)
class Loop:
    """Medians of a loop's updates."""

    seconds: float
    """One whole update."""
    processor_seconds: float
    """Processor time of that, of all threads, which others on the machine hardly change."""
    own_seconds: float
    """Prehend's part."""
    solve_seconds: float
    """The solvers' part of that."""
    miss: float
    """Largest distance in [m] between a tip and its target at the end of an update."""


def start_empty() -> None:
    """A new file with nothing in it."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def add_rigify_human(vertices: int) -> Any:
    """A generated Rigify human.

    Args:
        vertices: About how many vertices it carries; 0 for a bare rig.
    """
    with contextlib.redirect_stdout(io.StringIO()):
        bpy.ops.preferences.addon_enable(module="rigify")
        bpy.ops.object.armature_human_metarig_add()
        metarig = _context().object
        bpy.ops.pose.rigify_generate()
    metarig.hide_set(True)  # As its users do.
    rig = _context().object
    if vertices:
        _add_skin(rig, _context().scene, vertices)
    return rig


def prepare(rig: Any) -> FollowScene:
    """Give the fingers of a rig's right hand targets at their tips, and those a way to go.

    Args:
        rig: The armature object, which must have such a hand.
    """
    scene = _context().scene
    hand = hands_of(rig, side="R")[0]
    store_hands(rig, [hand])
    targets = add_tip_targets(rig, [hand], scene=scene)
    _context().view_layer.update()
    model = model_of(rig, hand, objects=scene.objects)
    pose = read_pose(rig, model)
    # From the rest pose two thirds of the way to every finger joint's largest flexion, and back.
    share = 0.33 * (1.0 - np.cos(np.linspace(0.0, 2.0 * np.pi, _PERIOD, endpoint=False)))
    angles = np.tile(pose.angles, (_PERIOD, 1, 1))
    joints = [j for finger in model.fingers for j in model.joints(finger)]
    most = model.limits.ranges[joints, 0, 1]
    angles[:, joints, 0] += share[:, None] * (most - pose.angles[joints, 0])
    tips = forward(model, angles).tips @ pose.T_world_hand[:3, :3].T + pose.T_world_hand[:3, 3]
    return FollowScene(
        rig=rig.name,
        bones=len(rig.pose.bones),
        fingers=tuple(model.names[j] for j in joints),
        targets=tuple(targets),
        paths=tips[:, [model.fingers.index(scene.objects[name]["prehend_tip_finger"]) for name in targets]],
    )


def measure(made: FollowScene, rounds: int) -> tuple[Loop, Loop]:
    """Time updates in which Prehend brings the tips to their targets, and the same ones with channels known already.

    Whole rounds of the movement take turns, so that what else the machine does falls on both.

    Args:
        made: The scene.
        rounds: How often the targets go round in each of the two ways.
    """
    scene, layer = _context().scene, _context().view_layer
    rig, follower, options = bpy.data.objects[made.rig], TipFollower(), TipOptions(thorough=False)
    channels: list[tuple[Channels, ...]] = []
    missed = 0.0
    for place in range(_PERIOD):  # The first round builds models and Blender's graph; it is not timed.
        _move(made, place)
        layer.update()
        follower.update(scene, options)
        layer.update()
        channels.append(tuple(get_channels(rig.pose.bones[name]) for name in made.fingers))
        missed = max(missed, _miss(made, place))
    followed: list[tuple[float, ...]] = []
    alone: list[tuple[float, ...]] = []
    for _ in range(rounds):
        for place in range(_PERIOD):
            started, used = time.perf_counter(), time.process_time()
            _move(made, place)
            layer.update()
            report = follower.update(scene, options)
            layer.update()
            if report is None:
                raise RuntimeError("The follower did not notice that its targets had moved.")
            own = report.seconds, report.solve_seconds
            followed.append((time.perf_counter() - started, time.process_time() - used, *own))
        for place in range(_PERIOD):
            started, used = time.perf_counter(), time.process_time()
            _move(made, place)
            layer.update()
            for name, values in zip(made.fingers, channels[place], strict=True):
                set_channels(rig.pose.bones[name], values)
            layer.update()
            alone.append((time.perf_counter() - started, time.process_time() - used, 0.0, 0.0))
    first, second = (
        Loop(*(statistics.median(column) for column in zip(*rows, strict=True)), miss=missed)
        for rows in (followed, alone)
    )
    return first, second


def _context() -> Any:
    return bpy.context  # noqa: TID251 (a script has no other way to the scene)


def _move(made: FollowScene, place: int) -> None:
    for name, point in zip(made.targets, made.paths[place].tolist(), strict=True):
        bpy.data.objects[name].location = point


def _miss(made: FollowScene, place: int) -> float:
    rig = bpy.data.objects[made.rig]
    model = model_of(rig, hands_of(rig, side="R")[0], objects=_context().scene.objects)
    tips = fingertips(model, read_pose(rig, model))
    order = [model.fingers.index(bpy.data.objects[name]["prehend_tip_finger"]) for name in made.targets]
    return float(np.linalg.norm(tips[order] - made.paths[place], axis=1).max())


def _add_skin(rig: Any, scene: Any, vertices: int) -> None:
    """A tube round every deforming bone, weighted to it and, near its ends, to the bone before."""
    bones = [bone for bone in rig.data.bones if bone.use_deform]
    around = 12
    rings = max(vertices // (around * len(bones)), 2)
    turn = np.linspace(0.0, 2.0 * np.pi, around, endpoint=False)
    points, faces, weights = [], [], {}
    for bone in bones:
        frame = np.array(bone.matrix_local)[:3, :3]
        first = len(points)
        for ring in range(rings):
            along = ring / (rings - 1)
            middle = np.array(bone.head_local) + frame[:, 1] * bone.length * along
            radius = 0.15 * bone.length
            for k, angle in enumerate(turn.tolist()):
                place = middle + radius * (frame[:, 0] * np.cos(angle) + frame[:, 2] * np.sin(angle))
                own = 0.5 + 0.5 * along if bone.parent is not None and bone.parent.use_deform else 1.0
                weights.setdefault(bone.name, []).append((len(points), own))
                if own < 1.0:
                    weights.setdefault(bone.parent.name, []).append((len(points), 1.0 - own))
                points.append(place.tolist())
                if ring:
                    a, b = first + (ring - 1) * around, first + ring * around
                    faces.append((a + k, a + (k + 1) % around, b + (k + 1) % around, b + k))
    mesh = bpy.data.meshes.new("Skin")
    mesh.from_pydata(points, [], faces)
    skin = bpy.data.objects.new("Skin", mesh)
    scene.collection.objects.link(skin)
    skin.parent = rig
    for name, rows in weights.items():
        group = skin.vertex_groups.new(name=name)
        for vertex, weight in rows:
            group.add([vertex], weight, "REPLACE")
    skin.modifiers.new("Armature", "ARMATURE").object = rig
