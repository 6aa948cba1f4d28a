# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A path for `bench animate`, and how far what is carried along it is off."""

from __future__ import annotations

from typing import Any


def add_path(scene: Any, prop: Any, layer: Any) -> Any:
    """A Bezier curve that begins at the prop, goes up, back and down."""
    import bpy

    data = bpy.data.curves.new("Path", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("BEZIER")
    spline.bezier_points.add(3)
    steps = ((0.0, 0.0, 0.0), (0.02, 0.03, 0.04), (0.05, 0.0, 0.05), (0.06, -0.05, 0.01))
    for point, step in zip(spline.bezier_points, steps, strict=True):
        point.co = prop.matrix_world.translation.copy()
        for axis in range(3):
            point.co[axis] += step[axis]
        point.handle_left_type = point.handle_right_type = "AUTO"
    path = bpy.data.objects.new("Path", data)
    scene.collection.objects.link(path)
    layer.update()
    return path


def off_path_um(prop: Any, path: Any, frames: Any, scene: Any) -> float:
    """How far the prop's origin is from the curve at worst while it is carried, by the curve's own formula."""
    import numpy as np
    from mathutils.geometry import interpolate_bezier

    knots = path.data.splines[0].bezier_points
    line = np.array(
        [
            path.matrix_world @ point
            for k in range(len(knots) - 1)
            for point in interpolate_bezier(
                knots[k].co, knots[k].handle_right, knots[k + 1].handle_left, knots[k + 1].co, 1000
            )
        ]
    )
    worst = 0.0
    for frame in range(frames.lift, frames.put + 1):
        scene.frame_set(frame)
        place = np.array(prop.matrix_world.translation)
        worst = max(worst, _from_line(place, line))
    return 1e6 * worst


def _from_line(place: Any, line: Any) -> float:
    """Distance of a point (3,) from a line of points (n, 3)."""
    import numpy as np

    along = np.diff(line, axis=0)
    length = np.maximum(np.sum(along**2, axis=1), 1e-18)
    share = np.clip(np.sum((place - line[:-1]) * along, axis=1) / length, 0.0, 1.0)
    return float(np.linalg.norm(line[:-1] + share[:, None] * along - place, axis=1).min())
