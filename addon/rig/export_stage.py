# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Work beside the user's scene: a scene of its own, names lent for a while, and nothing left behind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import bpy


@contextmanager
def side_scene(like: Any, name: str = "Prehend Export") -> Iterator[Any]:
    """A new scene that runs at the speed of another and is gone afterwards."""
    scene = bpy.data.scenes.new(name)
    try:
        for key in ("fps", "fps_base", "frame_map_old", "frame_map_new"):
            setattr(scene.render, key, getattr(like.render, key))
        yield scene
    finally:
        bpy.data.scenes.remove(scene)


@contextmanager
def nothing_left() -> Iterator[None]:
    """Remove whatever data is made inside, also by an exporter that fails."""
    before = {block for blocks in _collections() for block in blocks}
    try:
        yield
    finally:
        made = [block for blocks in _collections() for block in blocks if block not in before]
        bpy.data.batch_remove(made)


def _collections() -> tuple[Any, ...]:
    data = bpy.data
    objects = (data.objects, data.collections, data.scenes)
    return (*objects, data.meshes, data.armatures, data.actions, data.materials, data.worlds)


@contextmanager
def lent_names(names: Sequence[tuple[Any, str]], blocks: Any) -> Iterator[None]:
    """Give data-blocks names that others of the same kind may have; afterwards those have them back.

    Exporters write the names that objects have in Blender, where each can be had once only.

    Args:
        names: Data-blocks and the names that they get.
        blocks: The collection that they are in, such as `bpy.data.objects`.
    """
    lenders: list[tuple[Any, str]] = []
    try:
        for block, name in names:
            # Linked data has names of its own, which are in nobody's way.
            owner = blocks.get((name, None))
            if owner is not None and owner != block:
                lenders.append((owner, name))
                owner.name = "Prehend Lender"
            block.name = name
        yield
    finally:
        for block, _ in names:
            block.name = "Prehend Borrower"
        for owner, name in lenders:
            owner.name = name


@contextmanager
def kept_window(context: Any) -> Iterator[None]:
    """Have the window show the same scene and view layer afterwards, as the glTF exporter changes them."""
    window = context.window
    shown = (window.scene, window.view_layer) if window is not None else None
    try:
        yield
    finally:
        if shown is not None and window.scene != shown[0]:
            window.scene = shown[0]
            window.view_layer = shown[1]
