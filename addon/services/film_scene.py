# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a film of animated grasps shows: hands and props at all of its frames, and what the props rest on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..rig.skin import skin_objects
from ..rig.stands import Ground, plan_ground
from ..rig.studio import evaluated_points
from .animation_records import AnimationRecord, load_animations

MOST_FRAMES = 24
"""Frames that are looked at: hands move little between them."""
BEYOND = 1.12
"""Skin within this times the distance of the wrist from the farthest fingertip is the hand's."""
BEHIND = 0.2
"""How much of that distance is shown of what is behind the wrist."""
NEAR = 0.3
"""How far in [m] round a prop other objects count, as a table that it stands on."""

_UNDER = 1e-3
"""How far in [m] below what is there already the floor is."""


@dataclass(frozen=True, eq=False)
class FilmScene:
    """What has to be in the picture."""

    points: FloatArray
    """Of hands and props, at all frames, in [m]. Shape (n, 3)."""
    ground: Ground
    """What is below."""


def animated_records(scene: Any) -> list[tuple[Any, AnimationRecord]]:
    """Armatures of a scene with each of their animated grasps."""
    return [(obj, each) for obj in scene.objects if obj.type == "ARMATURE" for each in load_animations(obj)]


def look_at_film(scene: Any, layer: Any, frames: Iterable[int]) -> FilmScene | None:
    """What is seen of hands and props at frames, for the caller to go back; None where no grasp is animated.

    Args:
        scene: The scene.
        layer: View layer that shows it.
        frames: Frames of the film.
    """
    found = [(arm, each) for arm, each in animated_records(scene) if each.prop in scene.objects]
    if not found:
        return None
    props = list({each.prop: scene.objects[each.prop] for _, each in found}.values())
    every = sorted(set(frames))
    chosen = sorted({every[round(k)] for k in np.linspace(0, len(every) - 1, min(len(every), MOST_FRAMES))})
    hands: list[FloatArray] = []
    moved: list[FloatArray] = []
    for frame in chosen:
        scene.frame_set(frame)
        hands += [_hand_points(armature, each, props, layer) for armature, each in found]
        moved += [evaluated_points([prop], layer.depsgraph) for prop in props]
    resting = list(_resting(found, scene, layer, chosen))
    seen = np.concatenate([*hands, *moved])
    others = _others(found, props, layer)
    if len(others):
        # Whatever else is there, a table for one, is what things stand on.
        return FilmScene(seen, Ground(min(float(others[:, 2].min()), float(seen[:, 2].min())) - _UNDER))
    passing = np.concatenate(hands)
    if not resting:
        return FilmScene(seen, Ground(float(seen[:, 2].min())))
    # Props that are carried lower than they rest are let down to the floor.
    passing = np.concatenate([passing, np.concatenate(moved)])
    return FilmScene(seen, plan_ground(resting, passing))


def _hand_points(armature: Any, record: AnimationRecord, props: list[Any], layer: Any) -> FloatArray:
    """Skin of one hand as shown. Shape (n, 3)."""
    bones = armature.pose.bones
    if record.hand not in bones:
        return np.zeros((0, 3))
    wrist = np.array(armature.matrix_world @ bones[record.hand].head)
    tails = np.array([armature.matrix_world @ bones[name].tail for name in record.angles if name in bones])
    if not len(tails):
        return np.zeros((0, 3))
    reach = float(np.linalg.norm(tails - wrist, axis=1).max())
    skins = [each for each in skin_objects(armature, layer.objects) if each not in props]
    off = evaluated_points(skins, layer.depsgraph) - wrist
    ahead = tails.mean(axis=0) - wrist
    ahead = ahead / max(float(np.linalg.norm(ahead)), 1e-9)
    kept = off[(np.linalg.norm(off, axis=1) < BEYOND * reach) & (off @ ahead > -BEHIND * reach)]
    return (kept if len(kept) else tails - wrist) + wrist


def _resting(
    found: list[tuple[Any, AnimationRecord]], scene: Any, layer: Any, frames: list[int]
) -> Iterable[FloatArray]:
    """Points of props where they rest before they are taken and after they are put down, within the frames."""
    for _, record in found:
        span, prop = record.span, scene.objects[record.prop]
        ends = [span.approach] + ([span.away] if span.away > span.hold else [])
        for frame in ends:
            held = any(each.prop == record.prop and each.span.contact < frame < each.span.hold for _, each in found)
            if not held and frames[0] <= frame <= frames[-1]:
                scene.frame_set(frame)
                yield evaluated_points([prop], layer.depsgraph)


def _others(found: list[tuple[Any, AnimationRecord]], props: list[Any], layer: Any) -> FloatArray:
    """Points of other visible meshes that come near the props. Shape (n, 3)."""
    skins = {each.name for armature, _ in found for each in skin_objects(armature, layer.objects)}
    known = skins | {prop.name for prop in props}
    own = evaluated_points(props, layer.depsgraph)
    clouds = [np.zeros((0, 3))]
    for obj in layer.objects:
        if obj.type != "MESH" or obj.name in known or not obj.visible_get(view_layer=layer):
            continue
        points = evaluated_points([obj], layer.depsgraph)
        if len(points):
            # A table's corners may be far away: what counts is the box round it.
            apart = np.maximum(np.maximum(points.min(axis=0) - own, own - points.max(axis=0)), 0.0)
            clouds += [points] if float(np.linalg.norm(apart, axis=1).min()) < NEAR else []
    return np.concatenate(clouds)
