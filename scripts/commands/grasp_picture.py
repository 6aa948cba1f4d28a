# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The picture of a grasp: framed round hand and object, from where most of them is seen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

MOST_SHOWN = 6.0
"""How far from the hand's middle, in palm lengths, an object is still shown whole: a suitcase is, a broom is not."""


def take_picture(
    path: Path, model: Any, armature: Any, prop: Any, skins: list[Any], *, width: int, samples: int
) -> None:
    """Render the prop as it is held, and leave camera and lights in the scene."""
    import bpy
    from capsule_mesh import Capsules
    from grasp_view import ELEVATION_DEG, choose_azimuth
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
        context.view_layer.update()
    # The hand and what it holds, wherever the rest of a character or of a long object may be.
    length = model.palm_length
    middle = pose.T_world_hand[:3, 3] + length * pose.T_world_hand[:3, 2]
    far = max((Vector(middle.tolist()) - prop.matrix_world @ Vector(corner)).length for corner in prop.bound_box)
    azimuth = choose_azimuth(scene, model, pose.T_world_hand, prop, skins)
    add_studio(
        scene,
        context.evaluated_depsgraph_get(),
        [*skins, prop],
        View(azimuth_deg=azimuth, elevation_deg=ELEVATION_DEG),
        size=(width, width * 3 // 4),
        around=(middle, max(1.7 * length, min(far, MOST_SHOWN * length))),
    )
    render_picture(scene, path, samples=samples)
    scene.render.filepath = "//"
    if rods is not None:
        rods.remove()
