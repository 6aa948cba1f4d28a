# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""From where a grasp is looked at: from where most of the object and of the hand on it is seen."""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

from addon.rig.studio import evaluated_points

ELEVATION_DEG = 22.0
"""How high the camera stands."""
ASIDE_DEG = (0.0, 25.0, -25.0, 50.0, -50.0, 75.0, -75.0, 110.0, -110.0)
"""Turns of the camera that are compared, the usual one first."""
CLEARER = 1.25
"""How many times as much has to be seen from elsewhere for the camera to go there."""
ENOUGH = 0.35
"""Share of the hand that has to be seen: half of it always looks away."""
MOST_LOOKED_AT = 400
"""Places of the object, and of the hand, that are looked at."""
OFF = 1e-4
"""How far in [m] before the surface a place is looked at."""


def choose_azimuth(scene: Any, model: Any, frame: Any, prop: Any, skins: list[Any]) -> float:
    """Turn of a camera in [deg] that sees thumb, fingers and prop.

    Before the fingertips, from the thumb's side, unless more is seen from elsewhere.

    Args:
        scene: Where they are.
        model: The hand.
        frame: Where it is in the world in [m]. Shape (4, 4).
        prop: What it holds.
        skins: What shows the hand.
    """
    thumb = {"L": -1.0}.get(model.side, 1.0)
    towards = 0.8 * frame[:3, 2] + 0.7 * thumb * frame[:3, 0] + 0.3 * (frame[:3, :3] @ model.approach)
    usual = math.degrees(math.atan2(float(towards[0]), -float(towards[1])))
    middle = frame[:3, 3] + model.palm_length * frame[:3, 2]
    return clearest(scene, prop, skins, usual, around=(middle, 1.2 * model.palm_length))


def clearest(scene: Any, prop: Any, skins: list[Any], usual: float, *, around: tuple[Any, float]) -> float:
    """The turn of a camera in [deg] near the usual one from which most of an object and of the hand on it is seen.

    Args:
        scene: Where they are.
        prop: The object.
        skins: What shows the hand.
        usual: The turn to begin with.
        around: Only what is within a distance in [m] of a point is the hand.
    """
    graph = bpy.context.evaluated_depsgraph_get()  # noqa: TID251 (a script has no other way to the scene)
    held, skin = (evaluated_points(objects, graph) for objects in ([prop], skins))
    held, hand = _some(held), _some(skin[np.linalg.norm(skin - around[0], axis=1) < around[1]])

    def seen(azimuth: float) -> float:
        turn, up = math.radians(azimuth), math.radians(ELEVATION_DEG)
        towards = Vector((math.sin(turn) * math.cos(up), -math.cos(turn) * math.cos(up), math.sin(up)))
        free = [place for place in held if not scene.ray_cast(graph, place + OFF * towards, towards)[0]]
        if len(free) < 3:
            return 0.0
        # What is seen end-on, as a pen from its tip, is hardly seen.
        flat = np.array([place - place.dot(towards) * towards for place in free])
        spread = len(free) * float(np.linalg.norm(flat - flat.mean(axis=0), axis=1).mean())
        shown = sum(not scene.ray_cast(graph, place + OFF * towards, towards)[0] for place in hand)
        return spread * (min(shown / (ENOUGH * len(hand)), 1.0) if hand else 1.0)

    found = {aside: seen(usual + aside) for aside in ASIDE_DEG}
    best = max(ASIDE_DEG, key=lambda aside: found[aside])
    return usual + (best if found[best] > CLEARER * found[0.0] else 0.0)


def _some(places: np.ndarray) -> list[Any]:
    return [Vector(place) for place in places[:: max(len(places) // MOST_LOOKED_AT, 1)].tolist()]
