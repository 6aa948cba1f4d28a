# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Curve objects as lines of points in the world, with their modifiers, finer than they are shown."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from ..core.arrays import FloatArray

FINE = 64
"""Points for each segment of a curve: 0.02 mm from the curve where a quarter of a circle is 30 cm long."""
MOST_POINTS = 20_000
"""Points of a whole curve beyond which it is taken as it is shown."""


def read_lines(obj: Any, scene: Any, view_layer: Any) -> list[FloatArray]:
    """The lines of a curve object at the frame that is shown, in its own direction, closed ones with both ends.

    What thickens a curve (bevel, extrusion, filling) is left out. A copy is looked at and removed again, as neither the
    resolution of the user's curve nor whether it can be seen should count.

    Args:
        obj: The curve object.
        scene: Scene to look at it in.
        view_layer: One of the scene's view layers.

    Returns:
        World points in [m] of each line. Shape (n, 3) each.
    """
    if obj.mode == "EDIT":
        obj.update_from_editmode()
    copy, data = obj.copy(), obj.data.copy()
    copy.data = data
    try:
        _thin(data)
        copy.hide_viewport = False
        scene.collection.objects.link(copy)
        view_layer.update()
        shown = copy.evaluated_get(view_layer.depsgraph)
        mesh = shown.to_mesh()
        try:
            points = np.empty(3 * len(mesh.vertices))
            mesh.vertices.foreach_get("co", points)
            edges = np.empty(2 * len(mesh.edges), dtype=np.int32)
            mesh.edges.foreach_get("vertices", edges)
        finally:
            shown.to_mesh_clear()
        matrix = np.array(copy.matrix_world, dtype=np.float64)
        world = points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
    finally:
        bpy.data.objects.remove(copy)
        bpy.data.curves.remove(data)
        view_layer.update()
    return [world[line] for line in join_edges(edges.reshape(-1, 2).tolist())]


def _thin(data: Any) -> None:
    """Make a curve's data a fine line without any thickness."""
    data.bevel_depth = data.extrude = 0.0
    data.bevel_object = None
    if data.dimensions == "2D":
        data.fill_mode = "NONE"
    points = sum(len(spline.bezier_points) + len(spline.points) for spline in data.splines)
    for spline in data.splines:
        if points * FINE <= MOST_POINTS:
            spline.resolution_u = max(spline.resolution_u, FINE)


def join_edges(edges: list[list[int]]) -> list[list[int]]:
    """Lines of vertices that edges make, each from its end with the lower number; nothing where they branch."""
    beside: dict[int, list[int]] = {}
    for first, last in edges:
        beside.setdefault(first, []).append(last)
        beside.setdefault(last, []).append(first)
    if any(len(each) > 2 for each in beside.values()):
        return []
    lines: list[list[int]] = []
    left = set(beside)
    # Open lines first: what is left afterwards is closed.
    for start in [*sorted(each for each in beside if len(beside[each]) == 1), *sorted(beside)]:
        if start not in left:
            continue
        line = [start]
        left.discard(start)
        while following := [each for each in sorted(beside[line[-1]]) if each in left]:
            line.append(following[0])
            left.discard(following[0])
        if len(line) > 2 and len(beside[start]) == 2:
            line.append(start)
        lines.append(line)
    return lines
