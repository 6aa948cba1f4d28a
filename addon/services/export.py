# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Write objects and their animation to files that other programs read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy

from ..core.errors import OutputError


def export_fbx(context: Any, path: Path, objects: list[Any]) -> None:
    """Write the objects with the animation of their scene's frame range as FBX; selection and scene stay as they are.

    Args:
        context: Gives the exporter its scene; what is selected there does not count.
        path: File to write.
        objects: Armatures, skins and props.

    Raises:
        OutputError: Blender could not write the file.
    """
    try:
        with context.temp_override(selected_objects=objects):
            bpy.ops.export_scene.fbx(
                filepath=str(path),
                use_selection=True,
                use_visible=True,
                object_types={"ARMATURE", "MESH"},
                add_leaf_bones=False,
                bake_anim=True,
                bake_anim_use_all_actions=False,
                bake_anim_use_nla_strips=False,
                bake_anim_simplify_factor=0.0,
            )
    except (RuntimeError, OSError) as error:
        raise OutputError(f"{path} could not be written: {error}") from error
