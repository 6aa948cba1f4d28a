# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small pictures of grasps, as text that can be kept with them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..hands.model import HandModel
from ..solvers.search import Candidate
from ..solvers.thumbnail import ball_points, draw, pack, surface_points, view_from
from .closing_hands import closing_skin
from .surfaces import WorldSurface

_AZIMUTH, _ELEVATION = np.radians(28.0), np.radians(24.0)
_POINTS = 6000
_MARGIN = 1.04
_NEAR = 0.6
"""How far from where they meet hand and object have to be in the picture, over the hand's reach."""


def draw_candidates(
    candidates: Sequence[Candidate], model: HandModel, surface: WorldSurface, triangles: IntArray
) -> list[str]:
    """A picture of every candidate, all seen from the same side of the object, as text."""
    if not candidates:
        return []
    thing = surface_points(surface.vertices, triangles, _POINTS)
    skin = closing_skin(model).fine
    hands: list[FloatArray] = []
    for each in candidates:
        places = skin.all_positions(skin.motions(each.angles[None], each.wrist[None]))[0]
        hands.append(ball_points(places, skin.probes.radii))
    view = view_from(_AZIMUTH, _ELEVATION) @ surface.T_world_frame[:3, :3]
    # What matters is where fingers and object meet; forearms and the far ends of long objects may be cut off.
    room = _NEAR * closing_skin(model).hand.reach
    pictures: list[str] = []
    for hand, each in zip(hands, candidates, strict=True):
        touched = each.points[np.isfinite(each.gaps) & np.isfinite(each.points).all(axis=1)]
        centre = touched.mean(axis=0) if len(touched) else hand.mean(axis=0)
        seen = np.concatenate([hand, thing])
        seen = seen[np.linalg.norm(seen - centre, axis=1) < room] @ view.T
        low, high = seen.min(axis=0), seen.max(axis=0)
        span = _MARGIN * float((high - low)[:2].max())
        pictures.append(pack(draw(hand, thing, view, 0.5 * (low + high) @ view, span)))
    return pictures
