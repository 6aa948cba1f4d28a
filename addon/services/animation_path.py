# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that tell where a prop is carried: the place that it goes to and the curve that it goes along."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..rig.curve_lines import read_lines
from .animation_request import AnimationError

SHORTEST = 1e-4
"""Length in [m] below which a curve is no path."""


def check_target(target: Any, prop: Any, armature: Any, scene: Any) -> None:
    """See that a prop can be carried to an object.

    Raises:
        AnimationError: It is no place, it moves along or it is not there any more.
    """
    if target is None:
        return
    _check_there(target, scene, "place to carry it to")
    _check_apart(target, prop, armature, "place to carry it to")
    if not np.isfinite(np.array(target.matrix_world)).all():
        raise AnimationError(f"'{target.name}' is no place to carry anything to: give it a location of numbers.")


def check_path(path: Any, prop: Any, armature: Any, scene: Any) -> None:
    """See that an object is a curve along which a prop can be carried.

    Raises:
        AnimationError: It is none, it moves along or it is not there any more.
    """
    if path is None:
        return
    if path.type != "CURVE":
        raise AnimationError(f"'{path.name}' is no curve: choose a curve object as the path, or clear it.")
    _check_there(path, scene, "path")
    _check_apart(path, prop, armature, "path")
    if not any(len(spline.bezier_points) or len(spline.points) for spline in path.data.splines):
        raise AnimationError(f"Curve '{path.name}' has no points: draw the path first, or choose another.")


def path_line(path: Any, scene: Any, view_layer: Any) -> FloatArray:
    """Points of a path in the world at the frame that is shown in [m]. Shape (n, 3).

    Raises:
        AnimationError: It is no single line, or it has no length.
    """
    lines = read_lines(path, scene, view_layer)
    if len(lines) != 1:
        what = f"is in {len(lines)} pieces" if lines else "is no line once its modifiers are applied"
        raise AnimationError(f"Curve '{path.name}' {what}: let the path be one line.")
    line = lines[0]
    if not np.isfinite(line).all():
        raise AnimationError(f"Curve '{path.name}' has places that are no numbers: draw it anew.")
    if float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum()) < SHORTEST:
        raise AnimationError(f"Curve '{path.name}' has no length: draw the path first, or choose another.")
    return line


def _check_there(obj: Any, scene: Any, what: str) -> None:
    # Blender keeps objects that were deleted for as long as a setting names them.
    if not any(each == obj for each in scene.objects):
        raise AnimationError(
            f"'{obj.name}' is not in this scene, or was deleted: choose another {what}, or clear the field."
        )


def _check_apart(obj: Any, prop: Any, armature: Any, what: str) -> None:
    for above in _above(obj, set()):
        if above in (prop, armature):
            raise AnimationError(f"'{obj.name}' moves with '{above.name}': choose another {what}.")


def _above(obj: Any, seen: set[str]) -> Iterator[Any]:
    """An object and what it hangs on by parents and constraints."""
    if obj is None or obj.name_full in seen:
        return
    seen.add(obj.name_full)
    yield obj
    targets = (getattr(each, "target", None) for each in obj.constraints if not each.mute and each.influence > 0.0)
    for each in (obj.parent, *targets):
        yield from _above(each, seen)
