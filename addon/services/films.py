# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Films of hands and props for review: round what is held, or of the animation, as a film or as single pictures."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ..compat import action_fcurves, use_movie_format
from ..core.arrays import FloatArray
from ..core.errors import OutputError
from ..rig.stands import STAND
from .picture import render_picture, use_cycles

COLUMNS = 4
"""Pictures in a row of a strip."""
STUDIO = "Studio"
"""Collection that a studio is in."""


def turn_studio(scene: Any, middle: FloatArray, frames: int) -> None:
    """Have a scene's studio go once round a place in so many frames, from the scene's first: a turntable.

    Camera, lights and backdrop keep to each other, so that it looks as if the subject turned.

    Args:
        scene: The scene, with a studio.
        middle: What the studio goes round, in [m]. Shape (3,).
        frames: Frames of the whole turn.
    """
    collection = scene.collection.children[STUDIO]
    pivot = bpy.data.objects.new("Turntable", None)
    collection.objects.link(pivot)
    pivot.matrix_world = Matrix.Translation(middle.tolist())
    for obj in list(collection.objects):
        # Plinths belong to the props, not to the studio.
        if obj != pivot and not obj.name.startswith(STAND):
            obj.parent, obj.matrix_parent_inverse = pivot, pivot.matrix_world.inverted()
    for frame, angle in ((scene.frame_start, 0.0), (scene.frame_start + frames, 2.0 * math.pi)):
        pivot.rotation_euler[2] = angle
        pivot.keyframe_insert("rotation_euler", index=2, frame=frame)
    for curve in action_fcurves(pivot.animation_data.action, pivot):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"


def render_film(scene: Any, path: Path, *, samples: int, movie: bool = True) -> list[Path]:
    """Render a scene's frame range and give the files: one film, or a folder of pictures where films are not to be had.

    Args:
        scene: The scene, with a camera.
        path: File to write, without its ending.
        samples: Quality.
        movie: Whether to write a film if this Blender can.

    Raises:
        OutputError: It could not be rendered.
    """
    use_cycles(scene, samples)
    render = scene.render
    if movie and use_movie_format(render.image_settings):
        render.ffmpeg.format, render.ffmpeg.codec = "MPEG4", "H264"
        render.ffmpeg.constant_rate_factor = "HIGH"
        # H.264 wants even numbers of pixels.
        render.resolution_x += render.resolution_x % 2
        render.resolution_y += render.resolution_y % 2
        film = path.with_name(f"{path.name}.mp4")
        render.filepath, render.use_file_extension = str(film), False
        try:
            bpy.ops.render.render(animation=True, scene=scene.name)
        except RuntimeError as error:
            raise OutputError(f"The film {film} could not be rendered: {error}") from error
        if not film.is_file():
            raise OutputError(f"The film {film} could not be written: choose another folder.")
        return [film]
    path.mkdir(parents=True, exist_ok=True)
    pictures: list[Path] = []
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        pictures.append(path / f"{frame:04d}.png")
        render_picture(scene, pictures[-1], samples=samples)
    return pictures


def render_strip(scene: Any, path: Path, frames: list[int], *, samples: int) -> None:
    """Render some frames beside and below each other into one picture: a film at a glance.

    Raises:
        OutputError: It could not be rendered.
    """
    pictures = []
    for frame in frames:
        scene.frame_set(frame)
        single = path.with_name(f".{path.stem}-{frame}.png")
        render_picture(scene, single, samples=samples)
        image = bpy.data.images.load(str(single))
        width, height = image.size
        pixels = np.empty(width * height * 4, dtype=np.float32)
        image.pixels.foreach_get(pixels)
        pictures.append(pixels.reshape(height, width, 4))
        bpy.data.images.remove(image)
        single.unlink()
    # Pixels of images go from the bottom upwards.
    rows = [np.concatenate(pictures[k : k + COLUMNS], axis=1) for k in range(0, len(pictures), COLUMNS)]
    strip = np.concatenate([row for row in reversed(rows) if row.shape == rows[0].shape], axis=0)
    image = bpy.data.images.new(path.stem, strip.shape[1], strip.shape[0])
    image.pixels.foreach_set(np.ascontiguousarray(strip).ravel())
    image.filepath_raw, image.file_format = str(path), "PNG"
    image.save()
    bpy.data.images.remove(image)
