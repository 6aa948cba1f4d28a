# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a file's properties are set to, kept over looking at other frames: poses that are not keyed are not lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bpy

from ..compat import all_fcurves
from .snapshot import put_back, take_snapshot


@contextmanager
def kept_values(view_layer: Any) -> Iterator[None]:
    """Put back afterwards what animation sets, in whichever scene it was played.

    Args:
        view_layer: The one that the user sees; it is brought up to date.
    """
    objects = [obj for obj in bpy.data.objects if obj.library is None]
    snapshot = take_snapshot(*objects)
    values = [(block, path, _read(block, path)) for block, path in _animated()]
    try:
        yield
    finally:
        # Data that came and went has animation evaluated once more, which must not happen after this.
        view_layer.update()
        # Animated values first: they include places of objects, which the snapshot has to the bit.
        for block, path, value in values:
            if value is not None and _read(block, path) != value:
                _write(block, path, value)
        put_back(snapshot, *objects, view_layer=view_layer)


def _animated() -> Iterator[tuple[Any, str]]:
    """All data-blocks that can be changed, with the paths of their properties that actions set."""
    data = bpy.data
    for blocks in (data.objects, data.shape_keys, data.armatures, data.materials, data.lights, data.cameras):
        for block in blocks:
            animation = block.animation_data
            if block.library is not None or animation is None:
                continue
            actions = [animation.action, *(strip.action for track in animation.nla_tracks for strip in track.strips)]
            paths = {curve.data_path for action in actions if action is not None for curve in all_fcurves(action)}
            yield from ((block, path) for path in sorted(paths))


def _read(block: Any, path: str) -> Any:
    """A property's value; None where there is none of that path, or it is no plain one."""
    try:
        value = block.path_resolve(path)
    except ValueError:
        return None
    if isinstance(value, (bool, int, float, str)):
        return value
    try:
        return tuple(float(each) for each in value)
    except TypeError:
        return None


def _write(block: Any, path: str, value: Any) -> None:
    if path.endswith('"]'):
        base, _, key = path.rpartition('["')
        owner = block.path_resolve(base) if base else block
        owner[key[:-2]] = value
        return
    base, _, name = path.rpartition(".")
    setattr(block.path_resolve(base) if base else block, name, value)
