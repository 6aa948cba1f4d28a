#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes docs/images/closing.png: twelve hands closed on props, seen from the side where clipping would show.

Run it with the Python of an environment that has Blender:

    .venv/bpy-4.5/bin/python scripts/make_closing_picture.py
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import bpy
import numpy as np

CHECKOUT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CHECKOUT))

from addon.services.closing import CloseRequest, close_fingers  # noqa: E402 (after the path is set)
from addon.services.demo import HandSpec, Placement, add_demo_hand, add_demo_prop  # noqa: E402
from addon.services.examples import hold_example  # noqa: E402
from addon.services.facing import face_palm  # noqa: E402
from addon.services.picture import View, add_studio, render_picture  # noqa: E402
from addon.services.poses import hands_of  # noqa: E402

SIZE = (320, 320)
COLUMNS = 4
# Hand, side, prop, movement, and the direction that the picture is taken from in degrees. Props come before the palm
# as `prehend.py close` places them; None takes the movement's typical one where the movement has it.
CASES = (
    ("human", "R", "ball", "power_sphere", 100, 15),
    ("human", "R", "bottle", "medium_diameter", 100, 25),
    ("human", "L", "mug", "large_diameter", -100, 25),
    ("human", "R", "box", "medium_diameter", 100, 15),
    ("human", "R", "pen", "tripod", 100, 10),
    ("human", "R", None, "lateral", 110, 20),
    ("human", "L", "dumbbell", "small_diameter", -100, 15),
    ("human", "R", None, "prismatic_four_finger", 100, 10),
    ("cartoon", "R", "ball", "power_sphere", 100, 15),
    ("six_finger", "R", "bottle", "medium_diameter", 100, 25),
    ("gripper_2", "R", "ball", "medium_diameter", 15, 10),
    ("gripper_3", "R", "ball", "power_sphere", 20, 10),
)


def main() -> None:
    """Close, render one by one and put the pictures on one sheet."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, default=CHECKOUT / "docs" / "images" / "closing.png")
    parser.add_argument("--samples", type=int, default=16)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        pictures = [picture(case, Path(folder) / "picture.png", options.samples) for case in CASES]
    rows = [np.concatenate(pictures[k : k + COLUMNS], axis=1) for k in range(0, len(pictures), COLUMNS)]
    # Blender's pictures begin at the bottom.
    save(np.concatenate(rows[::-1], axis=0), options.out)


def picture(case: tuple[str, Any, str | None, str, float, float], path: Path, samples: int) -> np.ndarray:
    """Pixels of one case. Shape (height, width, 4)."""
    variant, side, prop_key, movement, azimuth, elevation = case
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    context: Any = bpy.context  # noqa: TID251 (a script has no other way to the scene)
    scene, layer = context.scene, context.view_layer
    placement = Placement(scene.collection, layer)
    made = add_demo_hand(placement, HandSpec(side=side, variant=variant))
    armature = bpy.data.objects[made.armature]
    layer.update()
    hand, request = hands_of(armature)[0], CloseRequest(movement=movement)
    if prop_key is None:
        held = hold_example(armature, hand, movement, collection=scene.collection, view_layer=layer)
        prop, report = bpy.data.objects[held.prop], held.close
    else:
        prop = bpy.data.objects[add_demo_prop(placement, prop_key)]
        layer.update()
        face_palm(armature, hand, prop, request, view_layer=layer)
        report = close_fingers(armature, hand, prop, request, view_layer=layer)
    print(f"{variant} {side}, {movement}: {report.sentence()}")
    view = View(azimuth_deg=azimuth, elevation_deg=elevation, margin=1.05)
    shown = [bpy.data.objects[made.mesh], prop]
    add_studio(scene, context.evaluated_depsgraph_get(), shown, view, size=SIZE)
    render_picture(scene, path, samples=samples)
    image: Any = bpy.data.images.load(str(path))
    return np.array(image.pixels[:]).reshape(SIZE[1], SIZE[0], 4)


def save(pixels: np.ndarray, path: Path) -> None:
    """Write a picture of shape (height, width, 4)."""
    height, width = pixels.shape[:2]
    image = bpy.data.images.new("closing", width, height)
    image.pixels.foreach_set(pixels.astype(np.float32).ravel())
    image.filepath_raw, image.file_format = str(path), "PNG"
    image.save()


if __name__ == "__main__":
    main()
    # Blender as a module may wait for ever in its own clean-up.
    sys.stdout.flush()
    os._exit(0)
