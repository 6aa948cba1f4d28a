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

from capsule_mesh import Capsules  # noqa: E402
from commands.subjects import load_hand  # noqa: E402

from addon.core.handmap import HandMap  # noqa: E402 (after the path is set)
from addon.core.raster import Eye, draw_triangles, smooth_normals  # noqa: E402
from addon.hands.model import HandModel  # noqa: E402
from addon.hands.poses import pose_angles  # noqa: E402
from addon.presets.poses import GROUPS, Pose, load_poses  # noqa: E402
from addon.rig.read import read_hand_frame, read_placement, read_pose  # noqa: E402
from addon.rig.skin import skin_objects  # noqa: E402
from addon.rig.surface import read_triangles  # noqa: E402
from addon.services.picture import render_picture  # noqa: E402
from addon.services.pose_previews import SKIN, turn_for_picture  # noqa: E402
from addon.services.posture import apply_posture, model_of  # noqa: E402

CELL = (230, 250)
"""Width and height of a cell in pixels."""
COLUMNS = 9
INK = 0.12
LEAST_SHARE = 0.3
"""Skin that the hand moves by less than this share is not shown."""
PAPER = np.array([0.93, 0.94, 0.95])
SEEN = 1.42
"""Height of what is seen, over the hand's length from its wrist to its longest fingertip."""


def main() -> None:
    """Pose, render one by one and put the pictures side by side."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=CHECKOUT / "docs" / "alphabet.png")
    parser.add_argument("--hand", default="demo", help="as of the other commands: demo, demo:VARIANT or a file")
    parser.add_argument("--groups", nargs="+", choices=GROUPS, default=["letters", "digits"])
    parser.add_argument("--samples", type=int, default=24, help="quality; 0 draws without a renderer, in no time")
    parser.add_argument(
        "--again", nargs="+", default=[], help="labels of the cells to make anew in a chart that is there"
    )
    parser.add_argument("--capsules", action="store_true", help="show rods in the bones' places, not the skin")
    options = parser.parse_args()
    options.armature, options.side = None, "R"
    armature, hand = load_hand(options)
    context: Any = bpy.context  # noqa: TID251 (a script has no other way to the scene)
    scene, layer = context.scene, context.view_layer
    show_hand_only(armature, hand, scene)
    model = model_of(armature, hand)
    poses = [pose for pose in load_poses().values() if pose.group in options.groups]
    if options.capsules:
        for skin in skin_objects(armature, scene.objects):
            bpy.data.objects.remove(skin)
    studio = Studio(scene, armature, model)
    cells = []
    with tempfile.TemporaryDirectory() as folder:
        for number, pose in enumerate(poses):
            if options.again and pose.label not in options.again:
                cells.append(cell_of(options.out, number))
                continue
            result = apply_posture(armature, hand, pose_angles(model, pose), view_layer=layer)
            studio.turn(pose)
            if options.samples:
                pixels = render(scene, Path(folder) / f"{number}.png", options.samples)
            else:
                layer.update()
                pixels = studio.draw()
            cells.append(labelled(pixels, pose.label))
            print(f"{pose.label}: off by {np.degrees(result.swings.max()):.2f} degrees", flush=True)
    save(sheet(cells), options.out)


class Studio:
    """A camera that goes round the hand as the poses ask for, so that the hand itself stays where its rig has it."""

    def __init__(self, scene: Any, armature: Any, model: HandModel) -> None:
        scene.render.resolution_x, scene.render.resolution_y = CELL
        scene.render.resolution_percentage = 100
        for light in [obj for obj in scene.objects if obj.type in {"LIGHT", "CAMERA"}]:
            bpy.data.objects.remove(light)
        self.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
        scene.collection.objects.link(self.camera)
        scene.camera = self.camera
        self.capsules = None if skin_objects(armature, scene.objects) else Capsules(scene)
        self.scene, self.armature, self.model = scene, armature, model
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
        if self.capsules is not None:
            self.capsules.follow(self.model, read_pose(self.armature, self.model).angles, frame)
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
        self.eye = matrix

    def draw(self) -> np.ndarray:
        """A cell drawn from the shown meshes alone. Shape (height, width, 4)."""
        context: Any = bpy.context  # noqa: TID251 (a script has no other way to the scene)
        graph = context.evaluated_depsgraph_get()
        skins = [self.capsules.object] if self.capsules else skin_objects(self.armature, self.scene.objects)
        corners, normals = [], []
        for skin in skins:
            found = read_triangles(skin, graph)
            corners.append(found.vertices[found.triangles])
            normals.append(smooth_normals(found.vertices, found.triangles))
        triangles = np.concatenate(corners)
        eye = Eye(self.eye, width=SEEN * self.size * CELL[0] / CELL[1])
        return draw_triangles(
            triangles, np.tile(SKIN, (len(triangles), 1)), eye, size=CELL, normals=np.concatenate(normals)
        )


def render(scene: Any, path: Path, samples: int) -> np.ndarray:
    """A rendered cell. Shape (height, width, 4)."""
    render_picture(scene, path, samples=samples)
    image: Any = bpy.data.images.load(str(path))
    return np.array(image.pixels[:], dtype=np.float32).reshape(CELL[1], CELL[0], 4)


def show_hand_only(armature: Any, hand: HandMap, scene: Any) -> None:
    """Hide a character's skin but for what the hand moves, as the rest would stand in the light."""
    names = {*hand.bones(), *(bone for finger in hand.fingers for bone in finger.deform)}
    for skin in skin_objects(armature, scene.objects):
        groups = {group.index for group in skin.vertex_groups if group.name in names}
        ours = [
            vertex.index
            for vertex in skin.data.vertices
            if sum(each.weight for each in vertex.groups if each.group in groups) > LEAST_SHARE
        ]
        skin.vertex_groups.new(name="chart").add(ours, 1.0, "REPLACE")
        skin.modifiers.new("Chart", "MASK").vertex_group = "chart"


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
    with blf.bind_imbuf(0, buffer):  # type: ignore[attr-defined]
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


def cell_of(path: Path, number: int) -> np.ndarray:
    """A cell of a chart that is there. Shape (height, width, 4)."""
    image: Any = bpy.data.images.load(str(path.absolute()), check_existing=True)
    width, height = image.size
    pixels = np.array(image.pixels[:], dtype=np.float32).reshape(height, width, 4)
    row, column = divmod(number, COLUMNS)
    top = height - row * CELL[1]
    return pixels[top - CELL[1] : top, column * CELL[0] : (column + 1) * CELL[0]]


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
