# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fingers that are curled before they close, so that they can be put through the opening of a handle."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..core.arrays import BoolArray, FloatArray
from ..core.rotations import unit
from .forward import forward
from .model import HandModel
from .movements import MovementAngles

KNUCKLES_DEG = (30.0, 50.0)
CURLS_DEG = (70.0, 85.0, 100.0, 110.0)
"""Bends of the first and of the second joint that are compared; the last bends with the second."""
TIP_SHARE = 2.0 / 3.0
"""How far the last joint bends with the one before it, as it does in people."""
MOST_CURLED = 3
"""Fingers that are curled: a little finger is too short to go round the same bar, and closes later."""
_CELLS = 40


@dataclass(frozen=True)
class Preshape:
    """How fingers are curled before they close."""

    knuckle_deg: float
    """Bend of the first joint."""
    curl_deg: float
    """Bend of the second joint."""
    fingers: int
    """How many of the row, from the thumb's side; the others begin open."""


@dataclass(frozen=True, eq=False)
class Ring:
    """The room that curled fingers enclose."""

    centre: FloatArray
    """Middle of the largest bar that fits, in the hand's frame in [m]. Shape (3,)."""
    radius: float
    """Its radius in [m]."""


def preshaped(model: HandModel, angles: MovementAngles, preshape: Preshape) -> MovementAngles:
    """A movement that begins with curled fingers."""
    start = np.array(angles.start)
    for finger in _row(model, angles.taking_part)[: preshape.fingers]:
        bends = np.radians([preshape.knuckle_deg, preshape.curl_deg, TIP_SHARE * preshape.curl_deg])
        for joint, bend in zip(_bending(model, finger), bends, strict=False):
            low, high = model.limits.ranges[joint, 0]
            # Nothing begins more closed than it ends.
            start[joint, 0] = np.clip(min(bend, angles.end[joint, 0]), low, high)
    return replace(angles, start=start)


def find_preshapes(
    model: HandModel, angles: MovementAngles, *, fingers: int, radius: float, most: int = 2
) -> list[tuple[Preshape, Ring]]:
    """Ways to curl fingers round a bar that leave just enough room for it, the most open knuckles first.

    Args:
        model: The hand.
        angles: The movement that they close with.
        fingers: How many are curled.
        radius: The bar's, in [m].
        most: How many ways at most.
    """
    found: list[tuple[Preshape, Ring]] = []
    row = _row(model, angles.taking_part)[: min(fingers, MOST_CURLED)]
    if not row or any(len(_bending(model, each)) < 2 for each in row):
        return []
    for knuckle in KNUCKLES_DEG:
        fitting: tuple[Preshape, Ring] | None = None
        for curl in CURLS_DEG:
            preshape = Preshape(knuckle, curl, len(row))
            ring = enclosed(model, preshaped(model, angles, preshape).start, row)
            # The tighter the curl, the shallower the opening that it goes through.
            if ring is not None and ring.radius > radius + 1e-3:
                fitting = (preshape, ring)
        if fitting is not None:
            found.append(fitting)
    return found[:most]


def enclosed(model: HandModel, angles: FloatArray, fingers: list[str]) -> Ring | None:
    """The largest bar across the hand that curled fingers have room for; None where they enclose nothing."""
    frames = forward(model, angles)
    capsules = model.capsules
    turns = np.where(capsules.joints[:, None, None] < 0, np.eye(3), frames.rotations[capsules.joints])
    origins = np.where(capsules.joints[:, None] < 0, 0.0, frames.origins[capsules.joints])
    starts = origins + np.einsum("kij,kj->ki", turns, capsules.starts)
    ends = origins + np.einsum("kij,kj->ki", turns, capsules.ends)
    outlines: list[FloatArray] = []
    middle = float(np.mean([frames.origins[_bending(model, each)[0], 0] for each in fingers]))
    for finger in fingers:
        joints = _bending(model, finger)
        index = model.fingers.index(finger)
        outlines.append(np.vstack([frames.origins[joints], frames.tips[index]])[:, 1:])
    corners = np.concatenate(outlines)
    low: FloatArray = corners.min(axis=0)
    high: FloatArray = corners.max(axis=0)
    cells = np.linspace(0.0, 1.0, _CELLS)
    share: FloatArray = np.stack([np.repeat(cells, _CELLS), np.tile(cells, _CELLS)], axis=1)
    places: FloatArray = low + share * (high - low)
    # Fingers differ in length: a bar that the middle one of them encloses has to clear the others.
    places = places[_within(places, outlines[(len(fingers) - 1) // 2])]
    if not len(places):
        return None
    room = np.full(len(places), np.inf)
    for k, joint in enumerate(capsules.joints):
        if joint < 0 or model.fingers[model.finger_of[joint]] in fingers:
            room = np.minimum(room, _gap(places, starts[k, 1:], ends[k, 1:], capsules.radii[k]))
    best = places[int(np.argmax(room))]
    radius = float(room.max())
    if not np.isfinite(radius) or radius <= 0.0:
        return None
    return Ring(np.array([middle, best[0], best[1]]), radius)


def _row(model: HandModel, taking_part: BoolArray) -> list[str]:
    """Fingers that take part but for the thumb, from its side on."""
    return [each for each, part in zip(model.fingers, taking_part, strict=True) if part and each != "thumb"]


def _bending(model: HandModel, finger: str) -> list[int]:
    """A finger's joints without those inside the palm."""
    return [int(j) for j in model.joints(finger) if model.kinds[int(j)] != "metacarpal"]


def _within(points: FloatArray, outline: FloatArray) -> BoolArray:
    """Which points lie inside a polygon. Shapes (n, 2) and (k, 2) to (n,)."""
    inside = np.zeros(len(points), dtype=np.bool_)
    for (ya, za), (yb, zb) in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        crosses = (za > points[:, 1]) != (zb > points[:, 1])
        with np.errstate(divide="ignore", invalid="ignore"):
            at = ya + (points[:, 1] - za) / (zb - za) * (yb - ya)
        inside ^= crosses & (points[:, 0] < at)
    return inside


def _gap(points: FloatArray, start: FloatArray, end: FloatArray, radii: FloatArray) -> FloatArray:
    """Distance in [m] of points of the plane from a capsule seen along the knuckles. Shape (n,)."""
    span = end - start
    length = float(np.linalg.norm(span))
    if length < 1e-9:
        return np.linalg.norm(points - start, axis=1) - radii.max()
    along = np.clip((points - start) @ unit(span) / length, 0.0, 1.0)
    off = np.linalg.norm(points - start - along[:, None] * span, axis=1)
    return off - (radii[0] + along * (radii[1] - radii[0]))
