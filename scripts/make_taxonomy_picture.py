#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes docs/taxonomy.png: a demo hand on the typical object of each of the 33 types of the GRASP taxonomy.

Run it with the Python of an environment that has Blender:

    .venv/bpy-4.5/bin/python scripts/make_taxonomy_picture.py [--only 9,14] [--out FILE] [--hand demo:cartoon]
                                                              [--hand RIG.gltf] [--samples 12] [--cells FOLDER]

With `--hand FILE` the hand of a character holds the objects; `--samples 0` draws without a renderer, in no time.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Euler

CHECKOUT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(CHECKOUT), str(CHECKOUT / "scripts")]

from commands.subjects import load_hand  # noqa: E402 (after the path is set)
from make_alphabet_picture import Capsules  # noqa: E402

from addon.core.errors import PrehendError  # noqa: E402
from addon.core.raster import Eye, draw_triangles, smooth_normals  # noqa: E402
from addon.hands.model import HandModel  # noqa: E402
from addon.hands.movements import grasp_centre  # noqa: E402
from addon.presets.movements import KINDS, Movement, load_movements  # noqa: E402
from addon.rig.read import read_pose  # noqa: E402
from addon.rig.skin import skin_objects  # noqa: E402
from addon.rig.surface import read_triangles  # noqa: E402
from addon.services.examples import hold_example  # noqa: E402
from addon.services.picture import View, add_studio, render_picture  # noqa: E402
from addon.services.pose_previews import SKIN  # noqa: E402
from addon.services.posture import model_of  # noqa: E402

CELL = 220
LABEL = 26
HEADING = 34
COLUMNS = 8
PAPER, INK = (0.955, 0.955, 0.945), (0.10, 0.11, 0.12)

# How the hand is turned (about the world's x, y and z axes in degrees), and from where it is seen (azimuth, elevation),
# by the type's number: so that what touches is seen.
UPRIGHT = (0.0, 0.0, 0.0)
USUAL = (UPRIGHT, (-55.0, 12.0))
VIEWS: dict[int, tuple[tuple[float, float, float], tuple[float, float]]] = {
    1: (UPRIGHT, (50.0, 14.0)),
    2: (UPRIGHT, (25.0, 12.0)),
    3: (UPRIGHT, (30.0, 12.0)),
    4: (UPRIGHT, (25.0, 12.0)),
    5: (UPRIGHT, (-45.0, 14.0)),
    7: (UPRIGHT, (40.0, 12.0)),
    8: (UPRIGHT, (40.0, 12.0)),
    10: (UPRIGHT, (30.0, 10.0)),
    11: (UPRIGHT, (45.0, 10.0)),
    15: ((0.0, 180.0, 0.0), (-25.0, 8.0)),
    16: (UPRIGHT, (82.0, 10.0)),
    17: (UPRIGHT, (-60.0, 12.0)),
    18: (UPRIGHT, (118.0, 28.0)),
    19: (UPRIGHT, (32.0, 14.0)),
    20: (UPRIGHT, (88.0, 14.0)),
    21: (UPRIGHT, (88.0, 14.0)),
    22: (UPRIGHT, (118.0, 28.0)),
    23: (UPRIGHT, (112.0, 20.0)),
    25: (UPRIGHT, (90.0, 14.0)),
    28: (UPRIGHT, (60.0, 12.0)),
    29: (UPRIGHT, (80.0, 16.0)),
    30: (UPRIGHT, (25.0, 10.0)),
    31: (UPRIGHT, (65.0, 12.0)),
    32: (UPRIGHT, (95.0, 16.0)),
}
STANDING = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
"""The hand's axes in the world in which cells without a renderer are seen."""
PROP = np.array([0.80, 0.33, 0.18])
ZOOM, AIM = 1.3, 0.75
"""How much nearer than the whole hand is seen, and how far on the way from its middle to the object is aimed."""


def main() -> None:
    """Render every cell and put them together."""
    options = _options()
    chosen = {int(each) for each in options.only.split(",")} if options.only else None
    cells: dict[int, np.ndarray] = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.cells or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for movement in load_movements().values():
            path = folder / f"{movement.number:02d}.png"
            if chosen is None or movement.number in chosen:
                if not path.exists():
                    draw_cell(movement, options, path)
                cells[movement.number] = on_paper(read(path))
        sheet, labels = arrange(cells)
        write_labels(sheet, labels, Path(temporary) / "labels.png")
    options.out.parent.mkdir(parents=True, exist_ok=True)
    save(sheet, options.out)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default="", help="numbers of types, separated by commas")
    parser.add_argument("--out", type=Path, default=CHECKOUT / "docs" / "taxonomy.png")
    parser.add_argument("--hand", default="demo", help="as of the other commands: demo, demo:VARIANT or a file")
    parser.add_argument("--side", choices=("L", "R"), default=None)
    parser.add_argument("--armature", default=None, help="name, where a file holds several")
    parser.add_argument("--samples", type=int, default=12, help="quality; 0 draws without a renderer, in no time")
    parser.add_argument(
        "--cells", type=Path, default=None, help="folder to keep cells in; those that are there are used"
    )
    return parser.parse_args()


def draw_cell(movement: Movement, options: argparse.Namespace, path: Path) -> None:
    """Write the picture of one type, with nothing behind it."""
    armature, hand = load_hand(options)
    context: Any = bpy.context  # noqa: TID251 (a script has no other way to the scene)
    scene, layer = context.scene, context.view_layer
    turn, (azimuth, elevation) = VIEWS.get(movement.number, USUAL)
    model = model_of(armature, hand, objects=scene.objects)
    # Where no skin follows the hand, rods as thick as its model show it.
    skins = skin_objects(armature, scene.objects) if model.skin is not None else []
    if options.hand.startswith("demo"):
        turned = Euler([math.radians(each) for each in turn]).to_matrix().to_4x4()
        armature.matrix_world = turned @ armature.matrix_world
        layer.update()
    frame = read_pose(armature, model).T_world_hand
    focus = frame[:3, :3] @ grasp_centre(model, movement, radius=movement.example.radius) + frame[:3, 3]
    prop = None
    try:
        report = hold_example(armature, hand, movement.key, collection=scene.collection, view_layer=layer)
        prop = bpy.data.objects[report.prop]
        missing = ", ".join(report.touches.missing) or "nothing"
        print(
            f"{movement.number:2d} {movement.title}: {report.close.deepest_mm:.2f} mm deep, missing {missing}",
            flush=True,
        )
    except PrehendError as error:
        print(f"{movement.number:2d} {movement.title}: {error}", flush=True)
    if not options.samples:
        layer.update()
        pose = read_pose(armature, model)
        if not skins:
            rods = Capsules(scene)
            rods.follow(model, pose.angles, pose.T_world_hand)
            layer.update()
            skins = [rods.object]
        save(draw_quickly(skins, prop, model, pose.T_world_hand, (turn, azimuth, elevation)), path)
        return
    view = View(azimuth_deg=azimuth, elevation_deg=elevation, margin=1.12)
    add_studio(scene, context.evaluated_depsgraph_get(), skins, view, size=(CELL, CELL))
    bpy.data.objects.remove(bpy.data.objects["Backdrop"])
    aim(scene.camera, np.array(focus))
    scene.render.film_transparent = True
    render_picture(scene, path, samples=options.samples)


def draw_quickly(
    skins: list[Any],
    prop: Any,
    model: HandModel,
    frame: np.ndarray,
    view: tuple[tuple[float, float, float], float, float],
) -> np.ndarray:
    """A cell drawn from the shown meshes alone, the hand seen from one side whatever its rig. (h, w, 4)."""
    context: Any = bpy.context  # noqa: TID251 (a script has no other way to the scene)
    graph = context.evaluated_depsgraph_get()
    # A hand that stands as the demo hand does: fingers up, its back to +y.
    turn, azimuth, elevation = view
    side = -1.0 if model.side == "L" else 1.0
    upright = np.array(Euler([math.radians(each) for each in turn]).to_matrix()) @ STANDING
    around, above = math.radians(side * azimuth), math.radians(elevation)
    back = np.array([math.sin(around) * math.cos(above), -math.cos(around) * math.cos(above), math.sin(above)])
    across = np.cross([0.0, 0.0, 1.0], back)
    across /= np.linalg.norm(across)
    axes = frame[:3, :3] @ upright.T @ np.column_stack([across, np.cross(back, across), back])
    size = float(max(model.palm_length + model.lengths[model.joints(each)].sum() for each in model.fingers))
    eye = np.eye(4)
    eye[:3, :3] = axes
    eye[:3, 3] = frame[:3, 3] + frame[:3, :3] @ np.array([0.0, -0.12, 0.56]) * size + 4.0 * size * axes[:, 2]
    reach = 1.35 * size
    corners, normals, colours = [], [], []
    for each, colour in [*((skin, SKIN) for skin in skins), *([(prop, PROP)] if prop else [])]:
        found = read_triangles(each, graph)
        triangles = found.vertices[found.triangles]
        # Of a character only its hand; the rest would stand before it.
        near = np.linalg.norm(triangles.mean(axis=1) - frame[:3, 3], axis=1) < (reach if each is not prop else np.inf)
        corners.append(triangles[near])
        normals.append(smooth_normals(found.vertices, found.triangles)[near])
        colours.append(np.tile(colour, (int(near.sum()), 1)))
    return draw_triangles(
        np.concatenate(corners),
        np.concatenate(colours),
        Eye(eye, width=1.05 * size),
        size=(CELL, CELL),
        normals=np.concatenate(normals),
    )


def aim(camera: Any, focus: np.ndarray) -> None:
    """Look at a point from nearer, without turning the camera."""
    data = camera.data
    data.lens *= ZOOM
    seen = np.array(camera.matrix_world.inverted()) @ np.append(focus, 1.0)
    data.shift_x, data.shift_y = (float(AIM * each / -seen[2] * data.lens / data.sensor_width) for each in seen[:2])


def arrange(cells: dict[int, np.ndarray]) -> tuple[np.ndarray, list[tuple[str, float, float, float]]]:
    """Cells in rows under headings, and the texts to write: words, left and lower edge and height in pixels."""
    known = {each.number: each for each in load_movements().values()}
    rows: list[tuple[str | None, list[int]]] = []
    for kind in KINDS:
        numbers = sorted(number for number in cells if known[number].kind == kind)
        for first in range(0, len(numbers), COLUMNS):
            rows.append((None if first else f"{kind.title()} Grasps", numbers[first : first + COLUMNS]))
    height = sum(CELL + LABEL + (HEADING if heading else 0) for heading, _ in rows)
    width = CELL * min(COLUMNS, max(len(numbers) for _, numbers in rows))
    sheet = np.ones((height, width, 3)) * PAPER
    labels: list[tuple[str, float, float, float]] = []
    top = height
    for heading, numbers in rows:
        if heading:
            labels.append((heading, 10.0, top - HEADING + 10.0, 19.0))
            top -= HEADING
        for column, number in enumerate(numbers):
            sheet[top - CELL : top, column * CELL : (column + 1) * CELL] = cells[number]
            labels.append((f"{number}  {known[number].title}", column * CELL + 10.0, top - CELL - LABEL + 12.0, 14.0))
        top -= CELL + LABEL
    return sheet, labels


def write_labels(sheet: np.ndarray, labels: list[tuple[str, float, float, float]], path: Path) -> None:
    """Write texts into a picture of shape (height, width, 3)."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    context: Any = bpy.context  # noqa: TID251 (a script has no other way to the scene)
    scene = context.scene
    height, width = sheet.shape[:2]
    for words, left, low, size in labels:
        text = bpy.data.curves.new(words, type="FONT")
        text.body, text.size = words, size * 1.25
        obj = bpy.data.objects.new(words, text)
        obj.location = (left, low, 0.0)
        scene.collection.objects.link(obj)
    camera_data = bpy.data.cameras.new("Camera")
    camera_data.type, camera_data.ortho_scale = "ORTHO", max(width, height)
    camera_data.clip_end = 100.0
    camera = bpy.data.objects.new("Camera", camera_data)
    camera.location = (width / 2.0, height / 2.0, 10.0)
    scene.collection.objects.link(camera)
    scene.camera = camera
    scene.render.resolution_x, scene.render.resolution_y = width, height
    scene.render.film_transparent = True
    render, cycles = scene.render, scene.cycles
    render.engine, cycles.device, cycles.samples, cycles.use_denoising = "CYCLES", "CPU", 8, False
    render.image_settings.file_format, render.filepath = "PNG", str(path)
    bpy.ops.render.render(write_still=True)
    alpha = read(path)[..., 3:]
    sheet[:] = alpha * np.array(INK) + (1.0 - alpha) * sheet


def read(path: Path) -> np.ndarray:
    """Pixels of a picture, first row at the bottom. Shape (height, width, 4)."""
    image: Any = bpy.data.images.load(str(path), check_existing=False)
    width, height = image.size
    pixels = np.empty(width * height * 4, dtype=np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    return pixels.reshape(height, width, 4).astype(np.float64)


def on_paper(pixels: np.ndarray) -> np.ndarray:
    """A picture with transparency laid on paper. Shape (height, width, 3)."""
    alpha = pixels[..., 3:]
    return alpha * pixels[..., :3] + (1.0 - alpha) * np.array(PAPER)


def save(pixels: np.ndarray, path: Path) -> None:
    """Write a picture of shape (height, width, 3 or 4)."""
    height, width = pixels.shape[:2]
    image = bpy.data.images.new("taxonomy", width, height, alpha=True)
    full = pixels if pixels.shape[2] == 4 else np.concatenate([pixels, np.ones((height, width, 1))], axis=2)
    image.pixels.foreach_set(full.astype(np.float32).ravel())
    image.filepath_raw, image.file_format = str(path), "PNG"
    image.save()


if __name__ == "__main__":
    main()
    # Blender as a module may wait for ever in its own clean-up.
    sys.stdout.flush()
    os._exit(0)
