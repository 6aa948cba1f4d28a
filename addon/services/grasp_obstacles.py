# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of the objects round a prop a hand, or its forearm, could touch at all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..hands.model import HandModel
from ..hands.movements import hand_scale
from ..rig.surface import NoMeshError
from ..solvers.surface.errors import SurfaceError
from .closing_hands import closing_skin
from .grasp_problem import FOREARM
from .surfaces import WorldSurface, surface_of


def room_round(surface: WorldSurface, model: HandModel) -> tuple[FloatArray, float]:
    """Middle (3,) and radius in [m] of where a hand that takes a prop, or its forearm, may be."""
    middle = 0.5 * (surface.surface.low + surface.surface.high)
    world = surface.T_world_frame[:3, :3] @ middle + surface.T_world_frame[:3, 3]
    scale = hand_scale(model)
    return world, 0.5 * float(np.linalg.norm(surface.size)) + closing_skin(model).hand.reach + 2.0 * FOREARM * scale


def near_obstacles(objects: Iterable[Any], surface: WorldSurface, model: HandModel, *, depsgraph: Any) -> list[Any]:
    """Objects near a prop that have a surface; scenes are full of things that are far away, or have no faces.

    Args:
        objects: What stands round.
        surface: The prop.
        model: The hand that takes it.
        depsgraph: Evaluated dependency graph.
    """
    world, room = room_round(surface, model)
    near: list[Any] = []
    for obj in objects:
        if obj.type == "ARMATURE":
            # A body: only what of it is near is read.
            near.append(obj)
            continue
        matrix = np.array(obj.matrix_world, dtype=np.float64)
        corners = np.array([list(corner) for corner in obj.bound_box]) @ matrix[:3, :3].T + matrix[:3, 3]
        if np.linalg.norm(world - np.clip(world, corners.min(axis=0), corners.max(axis=0))) >= room:
            continue
        try:
            surface_of(obj, depsgraph)
        except (NoMeshError, SurfaceError):
            continue
        near.append(obj)
    return near
