#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes docs/images/signs.png: M, I, G, 1 and 5 of American Sign Language, the demo hand's fingertips at targets.

The paper whose closed form this uses spells its conference like that (Duits 2015, figure 1). Run it with the Python of
an environment that has Blender:

    .venv/bpy-4.5/bin/python scripts/make_signs_picture.py
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

CHECKOUT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CHECKOUT))

from addon.hands.model import HandModel  # noqa: E402 (after the path is set)
from addon.hands.posture import HandPose, clamp  # noqa: E402
from addon.rig.read import read_pose  # noqa: E402
from addon.services.demo import HandSpec, Placement, add_demo_hand  # noqa: E402
from addon.services.finger_ik import TipOptions  # noqa: E402
from addon.services.picture import View, add_studio, render_picture  # noqa: E402
from addon.services.poses import hands_of  # noqa: E402
from addon.services.posture import model_of  # noqa: E402
from addon.services.tips import add_tip_targets, fingertips, gather_targets, solve_tips  # noqa: E402

SIZE = (240, 320)
LYING = "G"
"""The sign with a level forearm: the index points aside, the thumb lies above it, the back looks at the viewer."""
WIDE = 330
"""Its width, in pixels."""
FIST, UP = (88, 0, 105, 60), (0, 0, 2, 2)
UNDER, ACROSS = (78, 0, 62, 35), (35, 38, 30, 45)
# Where the fingertips are when the base joint flexes and abducts and the next two flex by so many degrees.
SIGNS: dict[str, dict[str, tuple[int, int, int, int]]] = {
    "M": {"index": UNDER, "middle": UNDER, "ring": UNDER, "pinky": FIST, "thumb": (42, 14, 55, 35)},
    "I": {"index": FIST, "middle": FIST, "ring": FIST, "pinky": (0, 5, 2, 2), "thumb": ACROSS},
    "G": {"index": (5, 0, 5, 5), "middle": FIST, "ring": FIST, "pinky": FIST, "thumb": (14, 38, 0, 12)},
    "1": {"index": UP, "middle": FIST, "ring": FIST, "pinky": FIST, "thumb": ACROSS},
    "5": {
        "index": (0, 14, 2, 2),
        "middle": UP,
        "ring": (0, 10, 2, 2),
        "pinky": (0, 16, 2, 2),
        "thumb": (-15, 30, 0, 0),
    },
}


def main() -> None:
    """Pose, render one by one and put the pictures side by side."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    context: Any = bpy.context  # noqa: TID251 (a script has no other way to the scene)
    scene, layer = context.scene, context.view_layer
    made = add_demo_hand(Placement(scene.collection, layer), HandSpec(side="R"))
    armature, skin = bpy.data.objects[made.armature], bpy.data.objects[made.mesh]
    upright = armature.matrix_world.copy()
    hand = hands_of(armature)[0]
    model = model_of(armature, hand, objects=scene.objects)
    add_tip_targets(armature, [hand], scene=scene)
    layer.update()
    pictures = []
    with tempfile.TemporaryDirectory() as folder:
        # The open hand comes first: the camera is set up for it.
        for name in sorted(SIGNS, key="5MIG1".index):
            turn_hand(armature, upright, lying=name == LYING)
            layer.update()
            place_targets(armature, model, scene, name)
            layer.update()
            report = solve_tips(armature, scene=scene, view_layer=layer, options=TipOptions())
            print(name, *(f"{each.finger} {1000 * each.gap:.3f} mm" for each in report.outcomes))
            if name == "5":
                view = View(azimuth_deg=12, elevation_deg=6, margin=1.1)
                add_studio(scene, context.evaluated_depsgraph_get(), [skin], view, size=SIZE)
                # A wider picture must not come nearer.
                lens = scene.camera.data
                lens.sensor_fit, lens.sensor_height = "VERTICAL", lens.sensor_width
            scene.render.resolution_x = WIDE if name == LYING else SIZE[0]
            path = Path(folder) / f"{name}.png"
            render_picture(scene, path, samples=16)
            image: Any = bpy.data.images.load(str(path))
            pictures.append((name, np.array(image.pixels[:]).reshape(SIZE[1], -1, 4)))
    pictures.sort(key=lambda pair: list(SIGNS).index(pair[0]))
    save(np.concatenate([pixels for _, pixels in pictures], axis=1), CHECKOUT / "docs" / "images" / "signs.png")


def turn_hand(armature: Any, upright: Matrix, *, lying: bool) -> None:
    """Stand the hand up, its palm towards the viewer, or lay it level with its back there and the thumb on top."""
    if not lying:
        armature.matrix_world = upright
        return
    middle = Matrix.Translation((0.0, 0.0, 0.06))
    back, level = Matrix.Rotation(np.pi, 4, "Z"), Matrix.Rotation(np.pi / 2, 4, "Y")
    armature.matrix_world = middle @ level @ back @ middle.inverted() @ upright


def place_targets(armature: Any, model: HandModel, scene: Any, name: str) -> None:
    """Move the targets to where a sign has its fingertips."""
    now = read_pose(armature, model)
    angles = np.array(model.rest_angles)
    for finger, degrees in SIGNS[name].items():
        joints = model.joints(finger)
        angles[joints[0], :2] = np.radians(degrees[:2])
        angles[joints[1:], 0] = np.radians(degrees[2:])
    tips = fingertips(model, HandPose(clamp(model, angles), now.T_world_hand))
    for each in gather_targets(armature, scene=scene):
        for target in each.targets:
            bpy.data.objects[target.name].location = tips[model.fingers.index(target.finger)].tolist()


def save(pixels: np.ndarray, path: Path) -> None:
    """Write a picture of shape (height, width, 4)."""
    height, width = pixels.shape[:2]
    image = bpy.data.images.new("signs", width, height)
    image.pixels.foreach_set(pixels.astype(np.float32).ravel())
    image.filepath_raw, image.file_format = str(path), "PNG"
    image.save()


if __name__ == "__main__":
    main()
    # Blender as a module may wait for ever in its own clean-up.
    sys.stdout.flush()
    os._exit(0)
