# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Write a hand with its skin, what it holds and their animation to files that other programs read."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ..core.engine import Engine
from ..core.errors import OutputError, UnknownChoiceError
from ..presets.engines import ENGINES, FORMATS, format_of
from ..rig.export_copies import FileSpace, copy_armature, copy_prop, copy_skin
from ..rig.export_materials import plain_material
from ..rig.export_samples import Motion, sample_motion, shown_mesh, skin_mesh
from ..rig.export_stage import lent_names, nothing_left, side_scene
from ..rig.export_values import kept_values
from ..rig.export_writers import Take, fbx_space, missing_writer, write_fbx, write_gltf, write_usd
from .export_files import check_writable, staged_files
from .export_subjects import Subjects, check_tight, gather_subjects, rigid_bone
from .export_takes import check_takes, whole_timeline

USD_SCALE_STEP = 1.0 / 32.0
"""Exact in half precision, and more than the hundredth that the USD exporter takes for no change."""


@dataclass(frozen=True)
class ExportRequest:
    """What is written where, and for whom."""

    path: Path
    """File to write; its ending tells the format."""
    preset: str = "unity"
    """Key of the program that it is made for."""
    takes: tuple[Take, ...] = ()
    """Stretches of the timeline, each under its name; empty takes the scene's whole range."""
    deform_only: bool = True
    """Whether bones that deform nothing are left out."""
    hidden: bool = False
    """Whether skins that cannot be seen are exported too."""
    overwrite: bool = False
    """Whether files that exist are replaced."""


@dataclass(frozen=True)
class ExportReport:
    """What was written."""

    paths: tuple[Path, ...]
    """The files."""
    objects: tuple[str, ...]
    """Names of the objects in them."""
    bones: int
    """How many bones."""
    takes: tuple[Take, ...]
    """What is animated."""
    left_out: tuple[str, ...]
    """Skins that cannot be seen and were left out."""

    def sentence(self) -> str:
        """It in words."""
        names = ", ".join(path.name for path in self.paths)
        frames = ", ".join(f"{take.name} {take.start} to {take.end}" for take in self.takes)
        text = f"Wrote {names}: {self.bones} bones, {len(self.objects)} objects, frames of {frames}"
        return f"{text}; left out as hidden: {', '.join(self.left_out)}" if self.left_out else text


def export_grasp(
    context: Any,
    armature: Any,
    props: Sequence[Any],
    request: ExportRequest,
    *,
    progress: Callable[[float], None] | None = None,
) -> ExportReport:
    """Write an armature, its skins and props with their animation in one go; see `export_steps`.

    Args:
        context: Gives the scene, and the exporters a window.
        armature: The armature object.
        props: Objects that go with it; their children with faces come along.
        request: What is written where.
        progress: Is told the share that is done, 0 to 1.

    Raises:
        PrehendError: Something cannot be exported or written; there is no new file then.
    """
    steps = export_steps(context, armature, props, request)
    while True:
        try:
            share, _ = next(steps)
        except StopIteration as end:
            return end.value
        if progress is not None:
            progress(share)


def export_steps(
    context: Any, armature: Any, props: Sequence[Any], request: ExportRequest
) -> Generator[tuple[float, str], None, ExportReport]:
    """Write an armature, its skins and props with their animation; nothing in the file that is open changes.

    Everything is read in a scene beside the user's and copied with every frame keyed, so that constraints, drivers,
    control bones, modifiers and parents need no exporter that understands them. Yields the share that is done and
    what is being done, and returns what was written. Closed after any of these, it leaves the scene as it was, no new
    file, and files that were to be replaced as they were.

    Raises:
        PrehendError: Something cannot be exported or written; there is no new file then.
    """
    engine, form = check_request(request)
    scene = context.scene
    takes = request.takes or (whole_timeline(scene),)
    check_takes(scene, takes)
    subjects = gather_subjects(
        armature, props, context.view_layer, deform_only=request.deform_only, hidden=request.hidden
    )
    # A USD stage has one timeline, so that every take gets a file.
    parts = [(take,) for take in takes] if form == "usd" else [tuple(takes)]
    paths = [request.path.with_stem(f"{request.path.stem}_{_plain(part[0].name)}") for part in parts]
    paths = paths if len(parts) > 1 else [request.path]
    check_writable(paths, overwrite=request.overwrite)
    try:
        with ExitStack() as undo:
            undo.enter_context(kept_values(context.view_layer))
            undo.enter_context(nothing_left())
            stage = undo.enter_context(staged_files(request.path.absolute().parent, overwrite=request.overwrite))
            for number, (path, part) in enumerate(zip(paths, parts, strict=True)):
                frames = range(min(take.start for take in part), max(take.end for take in part) + 1)
                motion, meshes = yield from _read(scene, subjects, frames, number / len(parts), 0.7 / len(parts))
                check_tight(subjects, motion)
                yield (number + 0.7) / len(parts), f"writing {path.name}"
                _write(context, stage / path.name, engine, form, part, subjects, motion, meshes)
            yield 1.0, "finishing"
    except (RuntimeError, OSError) as error:
        reason = str(error).strip().splitlines()[-1:] or ["no reason given"]
        raise OutputError(f"{request.path} could not be written: {reason[0]}") from error
    names = tuple(obj.name for obj in subjects.objects)
    return ExportReport(tuple(paths), names, len(subjects.bones.names), tuple(takes), subjects.left_out)


def check_request(request: ExportRequest) -> tuple[Engine, str]:
    """The program that a file is for and the key of its format.

    Raises:
        UnknownChoiceError: There is no such program.
        OutputError: The file's ending tells no format, or this Blender cannot write it.
    """
    if request.preset not in ENGINES:
        raise UnknownChoiceError("preset", request.preset, tuple(ENGINES))
    form = format_of(request.path.suffix)
    if form is None:
        endings = ", ".join(ending for _, _, endings in FORMATS.values() for ending in endings)
        raise OutputError(f"{request.path.name} tells no format: let its name end in one of {endings}.")
    reason = missing_writer(form)
    if reason is not None:
        raise OutputError(f"{request.path.name} cannot be written: {reason}.")
    return ENGINES[request.preset], form


def _plain(name: str) -> str:
    """A take's name as part of a file's."""
    return re.sub(r"[^\w-]+", "_", name)


def _read(
    scene: Any, subjects: Subjects, frames: Sequence[int], begun: float, part: float
) -> Generator[tuple[float, str], None, tuple[Motion, dict[str, Any]]]:
    """How everything moves, and new meshes of skins and props by full name; this part of the work has begun there."""
    with side_scene(scene) as beside:
        others = (*subjects.skins, *subjects.props)
        steps = sample_motion(beside, subjects.armature, subjects.bones.names, others, frames)
        motion: Motion | None = None
        for step in steps:
            if isinstance(step, Motion):
                motion = step
            else:
                yield begun + part * step, "reading frames"
        assert motion is not None
        beside.frame_set(frames[0])
        beside.view_layers[0].update()
        meshes = {obj.name_full: skin_mesh(beside, obj) for obj in subjects.skins}
        meshes |= {obj.name_full: shown_mesh(beside, obj) for obj in subjects.props}
        # What is linked from other files cannot be set back, but by its animation.
        beside.frame_set(scene.frame_current, subframe=scene.frame_subframe)
    return motion, meshes


def _write(
    context: Any,
    path: Path,
    engine: Engine,
    form: str,
    takes: Sequence[Take],
    subjects: Subjects,
    motion: Motion,
    meshes: dict[str, Any],
) -> None:
    """Make the copies in a scene of their own and have them written."""
    source = context.scene
    unit = float(source.unit_settings.scale_length) if source.unit_settings.system != "NONE" else 1.0
    frame = fbx_space(engine) if form == "fbx" else np.eye(4)
    step = USD_SCALE_STEP if form == "usd" else 0.0
    space = FileSpace(frame, unit, engine.clean_nodes, scale_step=step)
    with side_scene(source) as scene, ExitStack() as names:
        copies, data = _copies(scene.collection, engine, space, subjects, motion, meshes)
        names.enter_context(lent_names([(scene, takes[0].name)], bpy.data.scenes))
        names.enter_context(lent_names(copies, bpy.data.objects))
        names.enter_context(lent_names(data, bpy.data.meshes))
        names.enter_context(lent_names(_plain_materials([mesh for mesh, _ in data]), bpy.data.materials))
        armature = copies[0][0]
        # The armature's, which USD files are given the name of.
        names.enter_context(lent_names([(armature.animation_data.action, takes[0].name)], bpy.data.actions))
        names.enter_context(lent_names([(armature.data, subjects.armature.data.name)], bpy.data.armatures))
        if form == "fbx":
            write_fbx(context, scene, path, engine, takes)
        elif form == "gltf":
            write_gltf(context, scene, path, takes)
        else:
            write_usd(context, scene, path, engine, takes[0])
    if not path.is_file():
        raise OutputError(f"{path.name} could not be written: Blender's exporter gave no file.")


def _copies(
    collection: Any, engine: Engine, space: FileSpace, subjects: Subjects, motion: Motion, meshes: dict[str, Any]
) -> tuple[list[tuple[Any, str]], list[tuple[Any, str]]]:
    """Copies of everything, the armature first, and of their meshes, each with the name that it has in the file."""
    bones = subjects.bones
    armature, to_rest = copy_armature(collection, "Prehend Copy", bones, motion, space, root_bone=engine.root_bone)
    objects = [(armature, engine.node_name or str(subjects.armature.name))]
    data: list[tuple[Any, str]] = []
    for obj in subjects.skins:
        T_rest_mesh = motion.objects[obj.name_full][0]
        bone = rigid_bone(obj, subjects.armature)
        if bone:
            b = bones.names.index(bone)
            back = motion.armature[0] @ bones.rest[b] @ np.linalg.inv(motion.armature[0] @ motion.bones[0, b])
            T_rest_mesh = back @ T_rest_mesh
        groups = [group.name for group in obj.vertex_groups]
        mesh = meshes[obj.name_full]
        copy = copy_skin(collection, "Prehend Copy", mesh, groups, armature, to_rest @ T_rest_mesh, rigid_bone=bone)
        objects.append((copy, str(obj.name)))
        data.append((mesh, str(obj.data.name)))
    for obj in subjects.props:
        mesh = meshes[obj.name_full]
        copy = copy_prop(collection, "Prehend Copy", mesh, motion.objects[obj.name_full], motion.frames, space)
        objects.append((copy, str(obj.name)))
        data.append((mesh, str(obj.data.name)))
    return objects, data


def _plain_materials(meshes: Sequence[Any]) -> list[tuple[Any, str]]:
    """Give new meshes materials that files can hold; those that were made, each with the name that it stands for."""
    made: dict[str, tuple[Any, str]] = {}
    for mesh in meshes:
        for number, material in enumerate(mesh.materials):
            if material is None:
                continue
            if material.name_full not in made:
                made[material.name_full] = (plain_material(material), str(material.name))
            mesh.materials[number] = made[material.name_full][0]
    return [(plain, name) for full, (plain, name) in made.items() if plain.name_full != full]


def export_fbx(context: Any, path: Path, objects: list[Any]) -> None:
    """Write an armature, its visible skins and props with the scene's frame range as FBX that Blender reads back.

    Args:
        context: Gives the exporter its scene; what is selected there does not count.
        path: File to write.
        objects: The armature and its props; skins among them go with the armature.

    Raises:
        OutputError: Blender could not write the file.
    """
    armature = next(obj for obj in objects if obj.type == "ARMATURE")
    props = [obj for obj in objects if obj != armature]
    request = ExportRequest(path, preset="blender", deform_only=False, overwrite=True)
    export_grasp(context, armature, props, request)
