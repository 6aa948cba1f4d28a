# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fingertip targets that cannot be reached: a line from the tip to the target, with the distance."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import blf
import bpy
import gpu
from bpy_extras.view3d_utils import location_3d_to_region_2d
from gpu_extras.batch import batch_for_shader

from ..services.tip_gaps import TipGap, find_gaps

COLOUR = (1.0, 0.35, 0.2, 1.0)
TEXT_SIZE = 12.0
"""In points, before the interface's scale."""


def register(undo: ExitStack) -> None:
    """Draw lines in the scene and numbers over it."""
    for draw, kind in ((_draw_lines, "POST_VIEW"), (_draw_numbers, "POST_PIXEL")):
        handle = bpy.types.SpaceView3D.draw_handler_add(draw, (), "WINDOW", kind)
        undo.callback(bpy.types.SpaceView3D.draw_handler_remove, handle, "WINDOW")


def _gaps(context: Any) -> list[TipGap]:
    # Overlays that are switched off hide these too.
    if context.space_data is None or not context.space_data.overlay.show_overlays:
        return []
    return find_gaps(context.scene)


def _draw_lines() -> None:
    gaps = _gaps(bpy.context)  # noqa: TID251 (a draw handler is given nothing)
    if not gaps:
        return
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    points = [tuple(point) for gap in gaps for point in (gap.tip, gap.target)]
    batch = batch_for_shader(shader, "LINES", {"pos": points})
    gpu.state.line_width_set(2.0)
    shader.bind()
    shader.uniform_float("color", COLOUR)
    batch.draw(shader)
    gpu.state.line_width_set(1.0)


def _draw_numbers() -> None:
    context: Any = bpy.context  # noqa: TID251 (as above)
    gaps = _gaps(context)
    if not gaps:
        return
    blf.size(0, TEXT_SIZE * context.preferences.system.ui_scale)
    blf.color(0, *COLOUR)
    for gap in gaps:
        place = location_3d_to_region_2d(context.region, context.region_data, tuple(0.5 * (gap.tip + gap.target)))
        if place is not None:
            blf.position(0, place.x + 6.0, place.y, 0.0)
            blf.draw(0, f"{gap.finger} {gap.text}")
