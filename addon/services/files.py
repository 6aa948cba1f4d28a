# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Open the files that characters come in."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import bpy

from ..core.errors import PrehendError

CHARACTER_ENDINGS = (".blend", ".fbx", ".glb", ".gltf", ".vrm")


class InputFileError(PrehendError):
    """A file is missing, of an unknown kind or damaged."""


def check_character_file(path: Path) -> None:
    """See that a file is there and of a kind that can be opened.

    Raises:
        InputFileError: It is not.
    """
    if not path.is_file():
        raise InputFileError(f"There is no file {path}: check the path.")
    if path.suffix.lower() not in CHARACTER_ENDINGS:
        raise InputFileError(f"{path.name} is no character file: give one of {', '.join(CHARACTER_ENDINGS)}.")


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
    except (RuntimeError, OSError, ValueError, KeyError) as error:
        reason = str(error).strip().splitlines()[-1:] or ["no reason given"]
        raise InputFileError(f"{path.name} cannot be read, it may be damaged: {reason[0]}") from error


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
