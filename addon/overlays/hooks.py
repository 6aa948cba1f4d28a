# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Places where the prop can be taken: a mark and a number at each, a line along handles and edges."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import blf
import bpy
import gpu
from bpy_extras.view3d_utils import location_3d_to_region_2d
from gpu_extras.batch import batch_for_shader
from mathutils import Vector

COLOUR = (0.25, 0.75, 1.0, 1.0)
TICKED = (1.0, 0.75, 0.1, 1.0)
TEXT_SIZE = 12.0
"""In points, before the interface's scale."""


def register(undo: ExitStack) -> None:
    """Draw marks in the scene and numbers over it."""
    for draw, kind in ((_draw_marks, "POST_VIEW"), (_draw_numbers, "POST_PIXEL")):
        handle = bpy.types.SpaceView3D.draw_handler_add(draw, (), "WINDOW", kind)
        undo.callback(bpy.types.SpaceView3D.draw_handler_remove, handle, "WINDOW")


def marks(context: Any) -> list[tuple[Vector, Vector, bool]]:
    """Place, axis and whether it is ticked of every hook of the picked prop, in the world; none when switched off."""
    settings = context.scene.prehend
    prop = settings.prop
    if context.space_data is not None and not context.space_data.overlay.show_overlays:
        return []
    if prop is None or not settings.show_hooks or not prop.visible_get(view_layer=context.view_layer):
        return []
    matrix = prop.matrix_world
    turn = matrix.to_3x3()
    return [(matrix @ Vector(each.point), turn @ Vector(each.axis), each.use) for each in prop.prehend.hooks]


def _draw_marks() -> None:
    found = marks(bpy.context)  # noqa: TID251 (a draw handler is given nothing)
    if not found:
        return
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    shader.bind()
    gpu.state.line_width_set(2.0)
    gpu.state.point_size_set(9.0)
    for colour, mine in ((COLOUR, [m for m in found if not m[2]]), (TICKED, [m for m in found if m[2]])):
        if not mine:
            continue
        shader.uniform_float("color", colour)
        batch_for_shader(shader, "POINTS", {"pos": [place.to_tuple() for place, _, _ in mine]}).draw(shader)
        ends = [
            (place + sign * axis).to_tuple() for place, axis, _ in mine if axis.length > 0.0 for sign in (-0.5, 0.5)
        ]
        if ends:
            batch_for_shader(shader, "LINES", {"pos": ends}).draw(shader)
    gpu.state.line_width_set(1.0)
    gpu.state.point_size_set(1.0)


def _draw_numbers() -> None:
    context: Any = bpy.context  # noqa: TID251 (as above)
    found = marks(context)
    if not found:
        return
    blf.size(0, TEXT_SIZE * context.preferences.system.ui_scale)
    for number, (point, _, ticked) in enumerate(found, start=1):
        place = location_3d_to_region_2d(context.region, context.region_data, point)
        if place is not None:
            blf.color(0, *(TICKED if ticked else COLOUR))
            blf.position(0, place.x + 8.0, place.y + 4.0, 0.0)
            blf.draw(0, str(number))
