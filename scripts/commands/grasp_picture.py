# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The picture of a grasp: framed round hand and object, from where most of the object is seen."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

ELEVATION_DEG = 22.0
"""How high the camera stands."""
MOST_SHOWN = 6.0
"""How far from the hand's middle, in palm lengths, an object is still shown whole: a suitcase is, a broom is not."""
ASIDE_DEG = (0.0, 25.0, -25.0, 50.0, -50.0, 75.0, -75.0)
"""Turns of the camera that are compared, the usual one first."""
CLEARER = 1.25
"""How many times as much of an object has to be seen from elsewhere for the camera to go there."""
MOST_LOOKED_AT = 400


def take_picture(
    path: Path, model: Any, armature: Any, prop: Any, skins: list[Any], *, width: int, samples: int
) -> None:
    """Render the prop as it is held, and leave camera and lights in the scene."""
    import bpy
    from capsule_mesh import Capsules
    from mathutils import Vector

    from addon.rig.read import read_pose
    from addon.services.picture import View, add_studio, render_picture

    context = bpy.context  # noqa: TID251 (a script has no other way to the scene)
    scene = context.scene
    pose = read_pose(armature, model)
    # Rods in the place of skin that is not there, for the picture alone.
    rods = Capsules(scene) if model.skin is None else None
    if rods is not None:
        rods.follow(model, pose.angles, pose.T_world_hand)
        skins = [rods.object]
    # The hand and what it holds, wherever the rest of a character or of a long object may be.
    length = model.palm_length
    middle = pose.T_world_hand[:3, 3] + length * pose.T_world_hand[:3, 2]
    far = max((Vector(middle.tolist()) - prop.matrix_world @ Vector(corner)).length for corner in prop.bound_box)
    add_studio(
        scene,
        context.evaluated_depsgraph_get(),
        [*skins, prop],
        View(azimuth_deg=clearest(scene, prop, _azimuth(model, pose.T_world_hand)), elevation_deg=ELEVATION_DEG),
        size=(width, width * 3 // 4),
        around=(middle, max(1.7 * length, min(far, MOST_SHOWN * length))),
    )
    render_picture(scene, path, samples=samples)
    scene.render.filepath = "//"
    if rods is not None:
        rods.remove()


def clearest(scene: Any, prop: Any, usual: float) -> float:
    """The turn of a camera in [deg] near the usual one from which most of an object is seen past the hand."""
    import bpy
    import numpy as np
    from mathutils import Vector

    graph = bpy.context.evaluated_depsgraph_get()  # noqa: TID251 (a script has no other way to the scene)
    mesh = prop.evaluated_get(graph).to_mesh()
    every = max(len(mesh.vertices) // MOST_LOOKED_AT, 1)
    points = [prop.matrix_world @ vertex.co for vertex in list(mesh.vertices)[::every]]
    prop.evaluated_get(graph).to_mesh_clear()

    def seen(azimuth: float) -> float:
        turn, up = math.radians(azimuth), math.radians(ELEVATION_DEG)
        towards = Vector((math.sin(turn) * math.cos(up), -math.cos(turn) * math.cos(up), math.sin(up)))
        free = [p for p in points if not scene.ray_cast(graph, p + 1e-4 * towards, towards)[0]]
        if len(free) < 3:
            return 0.0
        # What is seen end-on, as a pen from its tip, is hardly seen.
        flat = np.array([p - p.dot(towards) * towards for p in free])
        return len(free) * float(np.linalg.norm(flat - flat.mean(axis=0), axis=1).mean())

    found = {aside: seen(usual + aside) for aside in ASIDE_DEG}
    best = max(ASIDE_DEG, key=lambda aside: found[aside])
    return usual + (best if found[best] > CLEARER * found[0.0] else 0.0)


def _azimuth(model: Any, frame: Any) -> float:
    """Turn of a camera in [deg] that sees thumb, fingers and prop: before the fingertips, from the thumb's side."""
    thumb = {"L": -1.0, "R": 1.0}.get(model.side, 1.0)
    towards = 0.8 * frame[:3, 2] + 0.7 * thumb * frame[:3, 0] + 0.3 * (frame[:3, :3] @ model.approach)
    return math.degrees(math.atan2(float(towards[0]), -float(towards[1])))
