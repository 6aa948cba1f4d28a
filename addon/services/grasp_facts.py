# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A grasp that was taken, as facts for other programs: what `grasp.json` holds."""

from __future__ import annotations

import time
from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.handmap import to_json
from ..rig.read import read_pose
from ..rig.skin import skin_objects
from ..rig.surface import PlacedTriangles, read_placed
from ..solvers.metrics import CELL, intersection_volume
from ..solvers.surface.holes import fill_holes
from .closing import without
from .closing_report import CloseReport, contact_points
from .grasping import GraspSearch
from .sizes import size_class
from .surfaces import WorldSurface, place_surface, surface_of

SCHEMA_VERSION = 1


def grasp_facts(
    search: GraspSearch, report: CloseReport, *, hand_file: str, object_file: str, versions: Mapping[str, str]
) -> dict[str, Any]:
    """Everything about a grasp as it is in the scene now, in metres and degrees, ready for JSON.

    Args:
        search: The search that found it, after it was accepted.
        report: What closing told.
        hand_file: Where the hand came from.
        object_file: Where the object came from.
        versions: Of the programs that made it, by name.
    """
    started = time.perf_counter()
    armature, prop, model = search.armature, search.prop, search.model
    surface = surface_of(prop, search.view_layer.depsgraph)
    pose = read_pose(armature, model)
    record = search.records()[0]
    hook = surface.T_world_frame @ np.array([*record.hook, 1.0])
    contacts = contact_points(model, pose, surface)
    skins = skin_objects(armature, without(prop, search.view_layer.objects))
    depsgraph = search.view_layer.depsgraph
    volume = shared_volume(skins, surface, depsgraph=depsgraph, cell=CELL * size_class(model))
    return {
        "schema_version": SCHEMA_VERSION,
        "versions": dict(versions),
        "hand": {
            "file": hand_file,
            "armature": armature.name,
            "meshes": [each.name for each in skins],
            "bone": search.hand.wrist,
            "side": search.hand.side,
            "convention": search.hand.convention,
            "bones": to_json(search.hand),
        },
        "object": {
            "file": object_file,
            "name": prop.name,
            "matrix": np.array(prop.matrix_world, dtype=np.float64).round(8).tolist(),
        },
        "movement": report.movement,
        "reason": record.reason,
        "place": search.place.kind,
        "hook": hook[:3].round(6).tolist(),
        "seed": search.request.seed,
        "wrist_matrix": pose.T_world_hand.round(8).tolist(),
        "posture_deg": {
            bone: dict(zip(("flexion", "abduction", "twist"), row, strict=True))
            for bone, row in zip(model.names, np.degrees(pose.angles).round(4).tolist(), strict=True)
        },
        "contacts": [
            {
                "finger": each.finger,
                "bone": each.bone,
                "point": [round(value, 6) for value in each.point],
                "normal": [round(value, 6) for value in each.normal],
                "distance_mm": round(each.distance_mm, 4),
            }
            for each in contacts
        ],
        "penetration": {
            "max_mm": round(report.deepest_mm, 4),
            "volume_cm3": None if volume is None else round(1e6 * volume, 4),
        },
        "quality": {"score": round(record.score, 4), **{name: round(value, 4) for name, value in record.terms.items()}},
        "notes": list(report.notes),
        "search": {
            "method": "usual" if search.request.published is None else "hook",
            "steps": search.tried,
            "candidates": len(search.candidates),
            "closings": search.closings,
            "seconds": {
                **{name: round(value, 3) for name, value in search.times.items()},
                "measure": round(time.perf_counter() - started, 3),
            },
        },
    }


def shared_volume(skins: list[Any], surface: WorldSurface, *, depsgraph: Any, cell: float = CELL) -> float | None:
    """Volume in [m^3] that skins and an object share, on a grid of cells in [m]; None where nothing tells inside.

    Holes of the skin, such as the wrist's where a hand ends there, are closed for the purpose.
    """
    if not skins or not surface.surface.closed:
        return None
    total = 0.0
    for obj in skins:
        placed = read_placed(obj, depsgraph)
        skin = place_surface(obj.name, placed)
        if not skin.surface.closed:
            vertices, triangles = fill_holes(placed.vertices, placed.triangles)
            skin = place_surface(obj.name, PlacedTriangles(vertices, triangles, placed.T_world_frame))
            if not skin.surface.closed:
                return None
        low = np.maximum(_corners(surface).min(axis=0), _corners(skin).min(axis=0))
        high = np.minimum(_corners(surface).max(axis=0), _corners(skin).max(axis=0))
        if (high > low).all():
            total += intersection_volume(surface.exact_distance, skin.exact_distance, low, high, cell=cell)
    return total


def _corners(surface: WorldSurface) -> FloatArray:
    """Corners of a surface's box in the world. Shape (8, 3)."""
    ends = zip(surface.surface.low.tolist(), surface.surface.high.tolist(), strict=True)
    local = np.array(list(product(*ends)))
    return local @ surface.T_world_frame[:3, :3].T + surface.T_world_frame[:3, 3]
