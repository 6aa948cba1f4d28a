# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Why a search found nothing, and what to do about it, in one sentence."""

from __future__ import annotations

import numpy as np

from .grasp_places import ARM, FIXED, Place, Reacher
from .surfaces import WorldSurface


def why_none(place: Place, reacher: Reacher, surface: WorldSurface, armature: str, *, dropped: bool) -> str:
    """Why nothing was found.

    Args:
        place: How hand and prop should have come together.
        reacher: What was asked about the arm's reach.
        surface: The prop.
        armature: Name of the character.
        dropped: Whether grasps were found that turned out not to work there.
    """
    name = surface.name
    if place.kind == FIXED:
        return (
            f"Where the hand is it cannot hold '{name}': move the palm to it, with open fingers round it, "
            "or let hand or prop be moved."
        )
    if place.kind == ARM and (dropped or reacher.reached == 0):
        middle = surface.T_world_frame @ np.append(0.5 * (surface.surface.low + surface.surface.high), 1.0)
        known = ""
        if place.arm is not None:
            away = 1e2 * float(np.linalg.norm(place.arm.shoulder - middle[:3]))
            known = f" (the shoulder is {away:.0f} cm away, the arm {1e2 * float(place.arm.lengths.sum()):.0f} cm long)"
        return (
            f"The arm of '{armature}' reaches no grasp of '{name}'{known}: "
            "move the prop before the character, or let it come to the hand."
        )
    if dropped:
        return f"Every grasp of '{name}' that was found touches something else: make room, or leave Obstacles out."
    return (
        f"No grasp of '{name}' was found that touches and clears it: "
        "choose a movement or set a hook, or give it more attempts."
    )
