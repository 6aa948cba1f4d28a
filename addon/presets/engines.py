# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the programs want that exported files are made for: axes, units and what skeletons look like, and why."""

from __future__ import annotations

from ..core.engine import Engine

ENGINES = {
    # -Z forward and Y up: Blender's front, -Y, becomes +Z, which is forward in Unity. A unit scale factor of 100 in the
    # file with a scale of 1 on all nodes is what Unity's importer shows as "1m (File) to 1m (Unity)".
    "unity": Engine(
        label="Unity",
        description="Y up, metres, no turned or scaled nodes",
        clean_nodes=True,
        fbx_scale="FBX_SCALE_ALL",
        usd_up="Y",
        usd_forward="NEGATIVE_Z",
    ),
    # Unreal converts every file to Z up, -Y to the front, right-handed, in centimetres, and what has to be converted
    # ends as a turn or a scale of the root bone. Blender's own axes with +Y forward are exactly these, so that nothing
    # is left to convert. It takes every node over the bones for a bone, but for one called "Armature" in a file by
    # Blender, and it refuses skeletons with several roots.
    "unreal": Engine(
        label="Unreal",
        description="Z up, centimetres, one root bone, no turned or scaled nodes",
        clean_nodes=True,
        fbx_forward="Y",
        fbx_up="Z",
        node_name="Armature",
        root_bone="root",
        usd_meters_per_unit=0.01,
    ),
    # Godot's own format is glTF, which has its axes (Y up, models face +Z) and metres; FBX files it reads with ufbx,
    # which converts both from what the file says.
    "godot": Engine(
        label="Godot",
        description="Y up, metres, no turned or scaled nodes",
        clean_nodes=True,
        fbx_scale="FBX_SCALE_ALL",
        usd_up="Y",
        usd_forward="NEGATIVE_Z",
    ),
    # What Blender's importer undoes exactly: objects come back with the place, turn and scale that they have here.
    "blender": Engine(
        label="Blender",
        description="Objects come back as they are here",
        clean_nodes=False,
    ),
}
"""All programs by key."""

FORMATS = {
    "fbx": ("FBX", "For Unity, Unreal and most others", (".fbx",)),
    "gltf": ("glTF", "For Godot and the web, in one file (.glb) or as text (.gltf)", (".glb", ".gltf")),
    "usd": ("USD", "For Omniverse, Houdini, Maya and Unreal", (".usdc", ".usda", ".usd", ".usdz")),
}
"""Label, description and file endings, the usual one first, of all formats by key."""


def format_of(ending: str) -> str | None:
    """Key of the format with a file ending such as ".fbx", or None."""
    return next((key for key, (_, _, endings) in FORMATS.items() if ending.lower() in endings), None)
