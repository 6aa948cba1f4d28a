# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces of what a hand must not touch: other objects, and the body of its own character."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.sampling import points_between
from ..hands.arm import find_arm
from ..hands.arm_bones import arm_bones
from ..hands.model import HandModel
from ..rig.body import read_body
from ..rig.skeletons import read_skeleton
from ..rig.skin import skin_objects
from ..rig.surface import PlacedTriangles
from ..solvers.surface.errors import SurfaceError
from .surfaces import WorldSurface, place_surface, surface_of


def walls_of(
    obstacles: Iterable[Any],
    armature: Any,
    model: HandModel,
    *,
    prop: Any,
    view_layer: Any,
    centre: FloatArray,
    radius: float,
) -> list[WorldSurface]:
    """The surfaces of obstacles; the armature among them stands for the body of its character.

    Args:
        obstacles: Objects that must not be touched.
        armature: The armature object of the hand.
        model: The hand.
        prop: What it takes, which is no part of the body even where it hangs on it.
        view_layer: View layer that shows them.
        centre: Middle of where the hand may come in the world in [m]; a body is read no farther away. Shape (3,).
        radius: How far that reaches in [m].
    """
    out: list[WorldSurface] = []
    for each in obstacles:
        if each != armature:
            out.append(surface_of(each, view_layer.depsgraph))
            continue
        body = body_wall(armature, model, prop=prop, view_layer=view_layer, centre=centre, radius=radius)
        out += [body] if body is not None else []
    return out


def body_wall(
    armature: Any, model: HandModel, *, prop: Any, view_layer: Any, centre: FloatArray, radius: float
) -> WorldSurface | None:
    """The body of a hand's character as an obstacle, but for the hand's own arm; None for hands without one."""
    placed = _read(armature, model, prop=prop, view_layer=view_layer, centre=centre, radius=radius)
    if placed is None:
        return None
    try:
        return place_surface(f"{armature.name} (body)", placed)
    except SurfaceError:
        return None


def body_points(
    armature: Any, model: HandModel, *, prop: Any, view_layer: Any, centre: FloatArray, radius: float, spacing: float
) -> FloatArray:
    """Points in the world in [m] on the body of a hand's character, but for the hand's own arm. Shape (k, 3).

    Args:
        armature: The armature object of the hand.
        model: The hand.
        prop: What it takes.
        view_layer: View layer that shows them.
        centre: Middle of where the body counts in [m]. Shape (3,).
        radius: How far that reaches in [m].
        spacing: Where vertices are farther apart than this in [m], points between them are given, too.
    """
    placed = _read(armature, model, prop=prop, view_layer=view_layer, centre=centre, radius=radius)
    if placed is None:
        return np.empty((0, 3))
    between = points_between(placed.vertices, placed.triangles, spacing).mix(placed.vertices)
    points = np.concatenate([placed.vertices, between])
    return points[np.linalg.norm(points - centre, axis=1) < radius]


def _read(
    armature: Any, model: HandModel, *, prop: Any, view_layer: Any, centre: FloatArray, radius: float
) -> PlacedTriangles | None:
    skeleton = read_skeleton(armature)
    arm = find_arm(skeleton, model)
    if arm is None:
        return None
    skins = [
        each
        for each in skin_objects(armature, view_layer.objects)
        if each != prop and each.visible_get(view_layer=view_layer)
    ]
    return read_body(
        skins,
        arm_bones(skeleton, model, arm),
        centre=np.asarray(centre, dtype=np.float64),
        radius=radius,
        depsgraph=view_layer.depsgraph,
    )
