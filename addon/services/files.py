# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Open the files that characters and props come in."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ..core.errors import PrehendError
from ..rig.surface import read_triangles

CHARACTER_ENDINGS = (".blend", ".fbx", ".glb", ".gltf", ".vrm")
PROP_ENDINGS = (".blend", ".obj", ".stl", ".ply", ".glb", ".gltf", ".fbx", ".usd", ".usda", ".usdc", ".usdz")


class InputFileError(PrehendError):
    """A file is missing, of an unknown kind or damaged."""


def check_character_file(path: Path) -> None:
    """See that a file is there and of a kind that can be opened.

    Raises:
        InputFileError: It is not.
    """
    _check_there(path)
    if path.suffix.lower() not in CHARACTER_ENDINGS:
        raise InputFileError(f"{path.name} is no character file: give one of {', '.join(CHARACTER_ENDINGS)}.")


def _check_there(path: Path) -> None:
    if path.is_dir():
        raise InputFileError(f"{path} is a folder: give a file in it.")
    if not path.is_file():
        raise InputFileError(f"There is no file {path}: check the path.")


def open_character(path: Path) -> None:
    """Replace the running Blender's data by what is in a file.

    Raises:
        InputFileError: The file is missing, of an unknown kind or damaged.
    """
    check_character_file(path)
    try:
        if path.suffix.lower() == ".blend":
            bpy.ops.wm.open_mainfile(filepath=str(path.absolute()), load_ui=False)
            return
        bpy.ops.wm.read_homefile(use_empty=True)
        _import(path.absolute())
    except _DAMAGE as error:
        raise _damaged(path, error) from error


def check_prop_file(path: Path) -> None:
    """See that a file is there and of a kind that objects come in.

    Raises:
        InputFileError: It is not.
    """
    _check_there(path)
    if path.suffix.lower() not in PROP_ENDINGS:
        raise InputFileError(f"{path.name} is no file of an object: give one of {', '.join(PROP_ENDINGS)}.")


def add_prop(path: Path, scene: Any) -> Any:
    """Bring the meshes of a file into a scene as one object, where the file has them, and give it.

    Modifiers and parents are applied and cameras, lights and armatures left out: a prop is a thing to hold.

    Raises:
        InputFileError: The file is missing, of an unknown kind, damaged or without faces. Nothing was added.
    """
    check_prop_file(path)
    before = {block for blocks in _collections() for block in blocks}
    try:
        _import_prop(path.absolute(), scene)
        vertices, triangles = _shown_triangles([obj for obj in bpy.data.objects if obj not in before], scene)
    except _DAMAGE as error:
        raise _damaged(path, error) from error
    finally:
        _remove_all_but(before)
    if not len(triangles):
        raise InputFileError(f"{path.name} holds nothing with faces: give a file with a mesh.")
    mesh = bpy.data.meshes.new(path.stem)
    mesh.from_pydata(vertices.tolist(), [], triangles.tolist())
    obj = bpy.data.objects.new(path.stem, mesh)
    scene.collection.objects.link(obj)
    for layer in scene.view_layers:
        layer.update()
    return obj


_DAMAGE = (RuntimeError, OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, ImportError)
"""What Blender's importers raise on files that they cannot read."""


def _damaged(path: Path, error: Exception) -> InputFileError:
    reason = str(error).strip().splitlines()[-1:] or ["no reason given"]
    return InputFileError(f"{path.name} cannot be read, it may be damaged: {reason[0]}")


def _collections() -> tuple[Any, ...]:
    """Kinds of data that importers bring along."""
    data = bpy.data
    objects = (data.objects, data.collections, data.scenes)
    return (*objects, data.meshes, data.curves, data.cameras, data.lights, data.armatures, data.actions, data.materials)


def _remove_all_but(kept: set[Any]) -> None:
    for blocks in _collections():
        for block in [each for each in blocks if each not in kept]:
            blocks.remove(block)


def _shown_triangles(objects: list[Any], scene: Any) -> tuple[np.ndarray, np.ndarray]:
    """All triangles of objects in the world: vertices (n, 3) and indices (m, 3)."""
    layer = scene.view_layers[0]
    layer.update()
    vertices, triangles, count = [np.empty((0, 3))], [np.empty((0, 3), dtype=np.int64)], 0
    for obj in objects:
        if obj.type == "MESH" and len(obj.data.polygons):
            found = read_triangles(obj, layer.depsgraph)
            vertices.append(found.vertices)
            triangles.append(found.triangles + count)
            count += len(found.vertices)
    return np.concatenate(vertices), np.concatenate(triangles)


def _import_prop(path: Path, scene: Any) -> None:
    ending = path.suffix.lower()
    if ending == ".blend":
        with bpy.data.libraries.load(str(path)) as (found, wanted):  # pyright: ignore[reportGeneralTypeIssues]
            wanted.objects = list(found.objects)
        for obj in wanted.objects:
            if obj is not None and obj.name not in scene.collection.objects:
                scene.collection.objects.link(obj)
    elif ending in {".obj", ".stl", ".ply"}:
        getattr(bpy.ops.wm, f"{ending[1:]}_import")(filepath=str(path))
    elif ending.startswith(".usd"):
        if "usd_import" not in dir(bpy.ops.wm):
            raise InputFileError(
                f"{path.name} cannot be read: this Blender was built without USD, give another format."
            )
        bpy.ops.wm.usd_import(filepath=str(path))
    else:
        _import(path)


def _import(path: Path) -> None:
    if path.suffix.lower() == ".fbx":
        bpy.ops.import_scene.fbx(filepath=str(path))
    elif path.suffix.lower() == ".vrm":
        # A VRM file is a binary glTF under another name, and the importer goes by the name.
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / f"{path.stem}.glb"
            shutil.copy(path, copy)
            bpy.ops.import_scene.gltf(filepath=str(copy))
    else:
        bpy.ops.import_scene.gltf(filepath=str(path))
