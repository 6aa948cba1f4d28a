# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`turntable`: films of grasps for review, from the files that `grasp` and `demo` wrote."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from launcher.errors import SetupError
from launcher.output import add_overwrite, check_folder, check_new, quiet, staged

HELP = "render the grasps in a folder as .mp4, or as pictures where films are not to be had"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is rendered, and how well."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="folder with .blend files of grasps")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder to write (default: the same folder)")
    parser.add_argument("--animation", action="store_true", help="the animation from one side, not a turn of the hold")
    parser.add_argument("--strip", action="store_true", help="one picture of eight frames, not a film")
    parser.add_argument("--pictures", action="store_true", help="a folder of pictures, not a film")
    parser.add_argument("--frames", type=int, default=36, help="pictures of a whole turn (default: 36)")
    parser.add_argument("--samples", type=int, default=8, help="quality (default: 8)")
    parser.add_argument("--width", type=int, default=480, help="width in pixels (default: 480)")
    add_overwrite(parser, "films and pictures")


def check(options: argparse.Namespace) -> None:
    """See that there is something to render and somewhere to write."""
    if not options.folder.is_dir():
        raise SetupError(f"there is no folder {options.folder}: check the path.")
    if not sorted(options.folder.glob("*.blend")):
        raise SetupError(f"{options.folder} holds no .blend files: run 'grasp' or 'demo' with --out {options.folder}.")
    if options.frames < 2 or options.samples < 1 or options.width < 16:
        raise SetupError("a film needs two frames, one sample and 16 pixels at least.")
    options.out = options.out or options.folder
    check_folder(options.out)
    check_new(_outputs(options), overwrite=options.overwrite)


def run(options: argparse.Namespace) -> None:
    """Render every file."""
    from addon.core.errors import PrehendError

    failed: list[str] = []
    for path in sorted(options.folder.glob("*.blend")):
        started = time.monotonic()
        print(f"{path.name} ...", end=" ", flush=True)
        try:
            # Whole or not at all: a film that is replaced stays until the new one is there.
            with staged(options.out, overwrite=options.overwrite) as stage, quiet():
                made = _render(path, stage.absolute() / _stem(path, options), options)
        except PrehendError as error:
            print(error)
            failed.append(path.name)
            continue
        print(f"{made}, {time.monotonic() - started:.1f} s", flush=True)
    if failed:
        raise SetupError(f"{', '.join(failed)} could not be rendered: see above.")


def _stem(path: Path, options: argparse.Namespace) -> str:
    kind = "strip" if options.strip else "animation" if options.animation else "turntable"
    return f"{path.stem}_{kind}"


def _outputs(options: argparse.Namespace) -> list[Path]:
    stems = [options.out / _stem(path, options) for path in sorted(options.folder.glob("*.blend"))]
    if options.strip:
        return [each.with_name(f"{each.name}.png") for each in stems]
    return [path for each in stems for path in (each.with_name(f"{each.name}.mp4"), each)]


def _render(path: Path, stem: Path, options: argparse.Namespace) -> str:
    import bpy
    import numpy as np

    from addon.rig.studio import View, build_studio
    from addon.services.films import STUDIO, render_film, render_strip, turn_studio

    bpy.ops.wm.open_mainfile(filepath=str(path))
    context = bpy.context  # noqa: TID251 (a script has no other way to the scene)
    scene, layer = context.scene, context.view_layer
    hold, span = _frames(scene)
    old = scene.collection.children.get(STUDIO)
    azimuth = _azimuth(scene)
    for obj in list(old.objects) if old is not None else ():
        bpy.data.objects.remove(obj)
    if old is not None:
        bpy.data.collections.remove(old)
    layer.update()
    moving = options.animation or options.strip
    # A camera that stays has to see where the hand comes from as well.
    every, ground = _seen(scene, layer, range(span[0], span[1] + 1) if moving else [hold])
    scene.frame_set(hold)
    scene.render.resolution_x, scene.render.resolution_y = options.width, options.width * 3 // 4
    scene.render.resolution_percentage = 100
    build_studio(scene, every, View(azimuth_deg=azimuth, elevation_deg=20.0), ground=ground)
    if options.strip:
        frames = [round(each) for each in np.linspace(span[0], span[1], 8)]
        strip = stem.with_name(f"{stem.name}.png")
        render_strip(scene, strip, frames, samples=options.samples)
        return strip.name
    scene.frame_start, scene.frame_end = span
    if not options.animation:
        _freeze(layer)
        scene.frame_start, scene.frame_end = 1, options.frames
        turn_studio(scene, (every.min(axis=0) + every.max(axis=0)) / 2.0, options.frames)
    made = render_film(scene, stem, samples=options.samples, movie=not options.pictures)
    return made[0].name if len(made) == 1 else f"{len(made)} pictures in {stem.name}"


def _frames(scene: Any) -> tuple[int, tuple[int, int]]:
    """A frame at which a prop is held, and the first and the last of the animation."""
    from addon.services.film_scene import animated_records

    spans = [each.span for _, each in animated_records(scene)]
    if not spans:
        return scene.frame_current, (scene.frame_start, scene.frame_end)
    return spans[0].hold, (min(each.approach for each in spans), max(each.away for each in spans))


def _seen(scene: Any, layer: Any, frames: Sequence[int]) -> tuple[Any, Any]:
    """Points (n, 3) that have to be in the picture, and what is below them; None for a floor below all."""
    import numpy as np

    from addon.rig.studio import evaluated_points
    from addon.services.film_scene import look_at_film

    film = look_at_film(scene, layer, frames)
    if film is not None:
        return film.points, film.ground
    shown = [obj for obj in scene.objects if obj.type == "MESH" and obj.visible_get(view_layer=layer)]
    clouds: list[Any] = []
    for frame in sorted({frames[0], frames[len(frames) // 2], frames[-1]}):
        scene.frame_set(frame)
        clouds.append(evaluated_points(shown, layer.depsgraph))
    return np.concatenate(clouds), None


def _azimuth(scene: Any) -> float:
    """Turn in [deg] of the camera that is there; the usual one without."""
    if scene.camera is None:
        return 35.0
    towards = scene.camera.matrix_world.col[2]
    return math.degrees(math.atan2(towards[0], -towards[1]))


def _freeze(layer: Any) -> None:
    """Leave everything as it is at the frame that is shown."""
    for obj in layer.objects:
        if obj.animation_data is not None:
            obj.animation_data_clear()
    layer.update()
