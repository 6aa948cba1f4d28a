#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes charts of poses: docs/alphabet.png, A to Z and 0 to 9 on the demo hand, or any poses on any hand.

Run it with the Python of an environment that has Blender:

    .venv/bpy-4.5/bin/python scripts/make_alphabet_picture.py
    .venv/bpy-4.5/bin/python scripts/make_alphabet_picture.py --hand FILE --groups everyday --out chart.png
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
from mathutils import Matrix, Vector

CHECKOUT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(CHECKOUT), str(CHECKOUT / "scripts")]

from commands.subjects import load_hand  # noqa: E402

from addon.hands.model import HandModel  # noqa: E402 (after the path is set)
from addon.hands.poses import pose_angles  # noqa: E402
from addon.presets.poses import GROUPS, Pose, load_poses  # noqa: E402
from addon.rig.read import read_hand_frame, read_placement  # noqa: E402
from addon.rig.skin import skin_objects  # noqa: E402
from addon.services.picture import View, add_studio, render_picture  # noqa: E402
from addon.services.pose_previews import turn_for_picture  # noqa: E402
from addon.services.posture import apply_posture, model_of  # noqa: E402

CELL = (230, 250)
"""Width and height of a cell in pixels."""
COLUMNS = 9
INK = 0.12
PAPER = np.array([0.93, 0.94, 0.95])
SEEN = 1.42
"""Height of what is seen, over the hand's length from its wrist to its longest fingertip."""


def main() -> None:
    """Pose, render one by one and put the pictures side by side."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=CHECKOUT / "docs" / "alphabet.png")
    parser.add_argument("--hand", default="demo", help="as of the other commands: demo, demo:VARIANT or a file")
    parser.add_argument("--groups", nargs="+", choices=GROUPS, default=["letters", "digits"])
    parser.add_argument("--samples", type=int, default=24)
    options = parser.parse_args()
    options.armature, options.side = None, "R"
    armature, hand = load_hand(options)
    context: Any = bpy.context  # noqa: TID251 (a script has no other way to the scene)
    scene, layer = context.scene, context.view_layer
    model = model_of(armature, hand)
    poses = [pose for pose in load_poses().values() if pose.group in options.groups]
    studio = Studio(scene, armature, model)
    cells = []
    with tempfile.TemporaryDirectory() as folder:
        for number, pose in enumerate(poses):
            result = apply_posture(armature, hand, pose_angles(model, pose), view_layer=layer)
            studio.turn(pose)
            path = Path(folder) / f"{number}.png"
            render_picture(scene, path, samples=options.samples)
            image: Any = bpy.data.images.load(str(path))
            pixels = np.array(image.pixels[:], dtype=np.float32).reshape(CELL[1], CELL[0], 4)
            cells.append(labelled(pixels, pose.label))
            print(f"{pose.label}: off by {np.degrees(result.swings.max()):.2f} degrees", flush=True)
    save(sheet(cells), options.out)


class Studio:
    """A camera that goes round the hand as the poses ask for, so that the hand itself stays where its rig has it."""

    def __init__(self, scene: Any, armature: Any, model: HandModel) -> None:
        scene.render.resolution_x, scene.render.resolution_y = CELL
        context: Any = bpy.context  # noqa: TID251 (a script has no other way to the scene)
        skins = skin_objects(armature, scene.objects)
        if not skins:
            raise SystemExit(f"'{armature.name}' has no skin to take a picture of.")
        add_studio(scene, context.evaluated_depsgraph_get(), skins, View(margin=1.0), size=CELL)
        for obj in list(scene.objects):
            # Lights and backdrop go with the camera.
            if obj.users_collection[0].name.startswith("Studio") and obj.type == "MESH":
                bpy.data.objects.remove(obj)
        self.scene, self.armature, self.model = scene, armature, model
        self.camera = scene.camera
        self.lights = [obj for obj in scene.objects if obj.type == "LIGHT"]
        for light in self.lights:
            bpy.data.objects.remove(light)
        self.size = float(max(model.palm_length + model.lengths[model.joints(f)].sum() for f in model.fingers))
        self.camera.data.type = "ORTHO"
        self.camera.data.ortho_scale = SEEN * self.size
        for name, energy, place in (("Key", 1.0, (-0.5, 0.7, 0.8)), ("Fill", 0.35, (0.9, 0.1, 0.6))):
            light = bpy.data.lights.new(name, "AREA")
            light.energy = energy * 320.0 * self.size**2
            light.size = 2.0 * self.size
            obj = bpy.data.objects.new(name, light)
            scene.collection.objects.link(obj)
            obj.parent = self.camera
            # The hand is as far before the camera as six times its size.
            obj.location = [self.size * value for value in (4.0 * place[0], 4.0 * place[1], 4.0 * place[2] - 4.0)]
            way = Vector((0.0, 0.0, -6.0 * self.size)) - obj.location
            obj.rotation_euler = way.to_track_quat("-Z", "Y").to_euler()
        world = bpy.data.worlds.new("Chart")
        world.use_nodes = True
        world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.83, 0.85, 0.88, 1.0)
        world.node_tree.nodes["Background"].inputs["Strength"].default_value = 0.45
        scene.world = world
        scene.view_settings.view_transform = "Standard"
        scene.render.film_transparent = True
        scene.render.image_settings.color_mode = "RGBA"

    def turn(self, pose: Pose) -> None:
        """Place the camera before the palm, turned the other way than the pose wants the hand turned."""
        frame = read_hand_frame(self.armature, self.model, read_placement(self.armature))
        side = -1.0 if self.model.side == "L" else 1.0
        # The camera's axes in the hand's frame: it looks along +y at the palm, fingers up.
        eye = np.column_stack([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
        turn = turn_for_picture((side * pose.turn_deg[0], pose.turn_deg[1], side * pose.turn_deg[2]))
        middle = np.array([0.0, -0.1, 0.4]) * self.size
        axes = frame[:3, :3] @ turn.T @ eye
        matrix = np.eye(4)
        matrix[:3, :3] = axes
        matrix[:3, 3] = frame[:3, 3] + frame[:3, :3] @ middle + 6.0 * self.size * axes[:, 2]
        self.camera.matrix_world = Matrix(matrix.tolist())


def labelled(pixels: np.ndarray, text: str) -> np.ndarray:
    """A picture on paper with a word in its upper left corner."""
    word = draw_word(text)
    # Blender's pixels are straight, not premultiplied.
    alpha = pixels[..., 3:]
    out = np.concatenate([pixels[..., :3] * alpha + PAPER * (1.0 - alpha), np.ones_like(alpha)], axis=2)
    height, width = word.shape
    corner = out[-height - 8 : -8, 10 : 10 + width, :3]
    corner[...] = corner * (1.0 - word[..., None]) + INK * word[..., None]
    return out


def draw_word(text: str, height: int = 26) -> np.ndarray:
    """Coverage of a word, drawn with Blender's own font. Shape (h, w)."""
    import blf
    import imbuf

    width = max(18 * len(text), 24)
    buffer = imbuf.new((width, height))
    blf.size(0, 0.8 * height)
    blf.color(0, 1.0, 1.0, 1.0, 1.0)
    with blf.bind_imbuf(0, buffer):
        blf.position(0, 1, 0.22 * height, 0)
        blf.draw_buffer(0, text)
    path = Path(tempfile.gettempdir()) / "prehend_word.png"
    imbuf.write(buffer, filepath=str(path))
    image: Any = bpy.data.images.load(str(path), check_existing=False)
    pixels = np.array(image.pixels[:], dtype=np.float32).reshape(height, width, 4)
    bpy.data.images.remove(image)
    path.unlink()
    return pixels[..., 3] * pixels[..., 0]


def sheet(cells: list[np.ndarray]) -> np.ndarray:
    """All cells in rows, the first at the upper left."""
    blank = np.broadcast_to(cells[0][:1, :1], cells[0].shape)
    rows = [cells[start : start + COLUMNS] for start in range(0, len(cells), COLUMNS)]
    rows[-1] += [blank] * (COLUMNS - len(rows[-1])) if len(rows) > 1 else []
    return np.concatenate([np.concatenate(row, axis=1) for row in reversed(rows)], axis=0)


def save(pixels: np.ndarray, path: Path) -> None:
    """Write a picture of shape (height, width, 4)."""
    height, width = pixels.shape[:2]
    image = bpy.data.images.new("chart", width, height)
    image.pixels.foreach_set(pixels.astype(np.float32).ravel())
    image.filepath_raw, image.file_format = str(path.absolute()), "PNG"
    image.save()


if __name__ == "__main__":
    main()
    # Blender as a module may wait for ever in its own clean-up.
    sys.stdout.flush()
    os._exit(0)
