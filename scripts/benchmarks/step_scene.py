# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What `bench step` measures: a hand of 24 bones about a hook of a ring of 5 040 triangles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from addon.core.arrays import FloatArray, IntArray
from addon.core.articulation import joint_frames
from addon.hands.build import build_model
from addon.hands.detection import detect_hands
from addon.hands.movements import grasp_centre, movement_angles
from addon.hands.skinning import RestSkin
from addon.presets.conventions import load_conventions
from addon.presets.limits import load_limits
from addon.presets.movements import load_movements
from addon.services.closing_hands import closing_skin
from addon.shapes.hand import HandSpec, build_hand
from addon.solvers.closing import ClosingHand, ClosingSkin, Distance, Probes, Skinned, Volumes
from addon.solvers.search import Attempt, Problem
from addon.solvers.search.hook_poses import place_hands, seven_rotations, start_rotation
from addon.solvers.search.hook_search import HookSearch
from addon.solvers.surface import Surface, build_surface
from addon.solvers.surface.quick import QuickDistance

RING = (0.04, 0.014)
"""Radii in [m]."""
SAMPLES = 3
"""Balls along a capsule."""
SHOULDER = np.array([0.15, -0.5, 0.35])
OPTIONS = HookSearch(interpolations=20, lift=8e-3, most_lifts=12, wrist_range=None)


@dataclass(frozen=True, eq=False)
class StepScene:
    """A problem and the seven poses of one step."""

    problem: Problem
    attempt: Attempt
    surface: Surface
    vertices: FloatArray
    triangles: IntArray
    start: FloatArray
    """The hook's frame from the shoulder. Shape (3, 3)."""
    rotations: FloatArray
    """The step's frames. Shape (7, 3, 3)."""


def build_scene() -> StepScene:
    """The same every time."""
    hand = build_hand(HandSpec(variant="six_finger"))
    order = np.argsort(-hand.weights, axis=1)[:, :4]
    weights = np.take_along_axis(hand.weights, order, axis=1)
    rest = RestSkin(points=hand.mesh.vertices, bones=order, weights=weights / weights.sum(axis=1, keepdims=True))
    found = detect_hands(hand.skeleton, load_conventions())[0]
    model = build_model(hand.skeleton, found, load_limits("static"), skin=rest)
    skin = closing_skin(model)
    whole = skin.hand
    # One radius for each bone, as others know no other capsules.
    radii = np.repeat(whole.volumes.radii.mean(axis=1, keepdims=True), 2, axis=1)
    even = ClosingHand(
        articulation=whole.articulation,
        finger_of=whole.finger_of,
        rest_angles=whole.rest_angles,
        volumes=Volumes(whole.volumes.joints, whole.volumes.ends, radii),
        thumb=whole.thumb,
    )
    movement = load_movements()["power_sphere"]
    angles = movement_angles(model, movement)
    vertices, triangles = ring(72, 35)
    surface = build_surface(vertices, triangles)
    distance: Distance = QuickDistance(surface.grid)
    attempt = Attempt(
        hook=np.array([RING[0], 0.0, 0.0]),
        hook_axis=None,
        hook_across=None,
        hook_length=0.0,
        start=angles.start,
        end=angles.end,
        fingers=angles.taking_part,
        centre=grasp_centre(model, movement, radius=RING[1]),
        hand_axis=None,
        press_axis=np.array([0.0, 1.0, 0.0]),
        palm=True,
        prior=1.0,
    )
    problem = Problem(
        skin=three_balls(even),
        ranges=model.limits.ranges,
        approach=model.approach,
        thumb_way=np.array([1.0, 0.0, 0.0]),
        attempts=(attempt,),
        distance=distance,
        refined=distance,
        precise=surface.exact_distance,
        normals=surface.gradient,
        up=np.array([0.0, 0.0, 1.0]),
        floor=-1.0,
        middle=np.zeros(3),
        radius=sum(RING),
        depth=0.0,
    )
    start = start_rotation(SHOULDER, attempt.hook, problem.approach, problem.up)
    return StepScene(
        problem, attempt, surface, vertices, triangles, start, seven_rotations(start, float(np.radians(10.0)))
    )


def three_balls(hand: ClosingHand) -> ClosingSkin:
    """Three balls along every capsule: what others test too."""
    volumes, rest = hand.volumes, hand.rest
    local = volumes.ends[:, :1] + np.linspace(0.0, 1.0, SAMPLES)[:, None] * np.diff(volumes.ends, axis=1)
    turned = np.einsum("kij,kej->kei", rest.rotations[volumes.joints], local) + rest.origins[volumes.joints][:, None]
    points = np.where((volumes.joints < 0)[:, None, None], local, turned).reshape(-1, 3)
    owners = np.repeat(volumes.joints, SAMPLES)[:, None]
    probes = Probes(
        points=points,
        joints=owners,
        weights=np.ones(owners.shape),
        radii=np.repeat(volumes.radii[:, 0], SAMPLES),
        volume=np.zeros(len(points), dtype=np.bool_),
    )
    return ClosingSkin(Skinned(hand, probes), Skinned(hand, probes))


def ring(columns: int, rows: int) -> tuple[FloatArray, IntArray]:
    """Vertices and triangles of a ring about z."""
    u, v = np.meshgrid(2 * np.pi * np.arange(columns) / columns, 2 * np.pi * np.arange(rows) / rows, indexing="ij")
    reach = RING[0] + RING[1] * np.cos(v)
    vertices = np.stack([reach * np.cos(u), reach * np.sin(u), RING[1] * np.sin(v)], axis=-1).reshape(-1, 3)
    a = np.arange(columns * rows).reshape(columns, rows)
    b, d = np.roll(a, -1, axis=0), np.roll(a, -1, axis=1)
    c = np.roll(b, -1, axis=1)
    a, b, c, d = (each.reshape(-1) for each in (a, b, c, d))
    return vertices, np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


def as_question(scene: StepScene, runs: int) -> dict[str, Any]:
    """The step for those who know neither our hands nor our surfaces."""
    hand = scene.problem.skin.hand
    joints, attempt = hand.articulation, scene.attempt
    n = OPTIONS.interpolations
    postures = attempt.start + np.linspace(0.0, 1.0, n + 1)[:, None, None] * (attempt.end - attempt.start)
    # Frames in the one before: as if every joint hung on the wrist.
    loose = type(joints)(np.full(len(joints.parents), -1), joints.offsets, joints.zeros, joints.signs)
    frames = joint_frames(loose, postures)
    local = np.zeros((n + 1, len(joints.parents), 4, 4))
    local[..., :3, :3], local[..., :3, 3], local[..., 3, 3] = frames.rotations, frames.origins, 1.0
    wrists = np.zeros((len(scene.rotations), 4, 4))
    wrists[:, :3] = place_hands(scene.rotations, attempt.hook, attempt.centre)
    wrists[:, 3, 3] = 1.0
    return {
        "runs": runs,
        "wrists": wrists.tolist(),
        "back": (-scene.problem.approach).tolist(),
        "lift_m": OPTIONS.lift,
        "most_lifts": OPTIONS.most_lifts,
        "parents": joints.parents.tolist(),
        "local": local.tolist(),
        "owners": hand.volumes.joints.tolist(),
        "ends": hand.volumes.ends.tolist(),
        "radii": hand.volumes.radii[:, 0].tolist(),
        "samples": SAMPLES,
        "vertices": scene.vertices.tolist(),
        "triangles": scene.triangles.tolist(),
    }
