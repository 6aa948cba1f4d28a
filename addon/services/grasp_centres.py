# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Grasp centres that a user moved: how far off the computed one, by hand and movement, kept with the armature."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.handmap import HandMap

CENTRES_KEY = "prehend_grasp_centres"
"""Custom property of the armature's data: offsets in [m] in the hand's frame, by wrist bone and movement, as JSON."""


def read_centres(armature: Any, hand: HandMap) -> dict[str, FloatArray]:
    """Offsets of a hand's grasp centres by movement; none where nothing, or nothing readable, is kept."""
    found: dict[str, FloatArray] = {}
    for movement, value in _entries(armature).get(hand.wrist, {}).items():
        offset = np.array(value, dtype=np.float64) if isinstance(value, list) else np.zeros(0)
        if offset.shape == (3,) and np.isfinite(offset).all():
            found[movement] = offset
    return found


def keep_centre(armature: Any, hand: HandMap, movement: str, offset: FloatArray | None) -> None:
    """Keep how far a movement's grasp centre is off the computed one, in [m] (3,); None for not at all."""
    entries = _entries(armature)
    mine = dict(entries.get(hand.wrist, {}))
    mine.pop(movement, None)
    if offset is not None:
        mine[movement] = [float(value) for value in offset]
    entries = {**entries, hand.wrist: mine}
    armature.data[CENTRES_KEY] = json.dumps(entries)


def _entries(armature: Any) -> dict[str, dict[str, Any]]:
    try:
        found = json.loads(str(armature.data.get(CENTRES_KEY, "{}")))
    except ValueError:
        return {}
    if not isinstance(found, dict):
        return {}
    return {wrist: each for wrist, each in found.items() if isinstance(each, dict)}
