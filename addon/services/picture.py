# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Take a well-lit, well-framed picture of objects."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ..core.arrays import FloatArray
from ..core.errors import OutputError, PrehendError
from ..rig.studio import View, build_studio, evaluated_points

__all__ = ["NothingToShowError", "View", "add_studio", "render_picture"]


class NothingToShowError(PrehendError):
    """There is no mesh to take a picture of."""


def add_studio(
    scene: Any,
    depsgraph: Any,
    objects: list[Any],
    view: View,
    *,
    size: tuple[int, int],
    around: tuple[FloatArray, float] | None = None,
) -> None:
    """Set a scene up for pictures of `objects`: camera, lights, backdrop and picture size in pixels.

    Args:
        scene: The scene.
        depsgraph: Its evaluated dependency graph.
        objects: What is to be seen.
        view: From where.
        size: Width and height in pixels.
        around: Only what is within a distance in [m] of a point (3,) has to be in the picture: a character's hand.

    Raises:
        NothingToShowError: None of the objects has a surface.
    """
    points = evaluated_points(objects, depsgraph)
    if around is not None:
        near = points[np.linalg.norm(points - around[0], axis=1) < around[1]]
        points = near if len(near) else points
    if len(points) == 0:
        raise NothingToShowError("None of the given objects is a mesh with vertices: choose a hand's skin or a prop.")
    scene.render.resolution_x, scene.render.resolution_y = size
    scene.render.resolution_percentage = 100
    build_studio(scene, points, view)


def _choose_denoiser(cycles: Any) -> bool:
    """Whether this Blender was built with a denoiser that runs on the processor."""
    try:
        cycles.denoiser = "OPENIMAGEDENOISE"
    except TypeError:
        return False
    return True


def use_cycles(scene: Any, samples: int) -> None:
    """Have a scene rendered with Cycles on the processor, the same each time."""
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = samples
    scene.cycles.seed = 0
    # Four bounces light a hand and a prop in a studio; more only cost time.
    scene.cycles.max_bounces = 4
    scene.cycles.caustics_reflective = scene.cycles.caustics_refractive = False
    scene.cycles.use_adaptive_sampling = True
    scene.cycles.adaptive_threshold = 0.03
    scene.cycles.use_denoising = _choose_denoiser(scene.cycles)


def render_picture(scene: Any, path: Path, *, samples: int = 64) -> None:
    """Render the scene's current frame with Cycles on the processor and write it as PNG.

    Raises:
        OutputError: The picture could not be written.
    """
    use_cycles(scene, samples)
    render = scene.render
    render.image_settings.file_format = "PNG"
    render.filepath = str(path)
    try:
        bpy.ops.render.render(write_still=True, scene=scene.name)
    except RuntimeError as error:
        raise OutputError(f"The picture {path} could not be rendered: {error}") from error
    if not path.is_file():
        raise OutputError(f"The picture {path} could not be written: choose another folder.")
