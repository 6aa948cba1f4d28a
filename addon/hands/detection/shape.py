# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures of a hand's shape: where fingers end, which chain is the thumb, and which side the hand is of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import FloatArray
from .names import read_name
from .tree import Candidate, Finger, Tree

METACARPAL_REACH = 0.35
"""A metacarpal starts within this share of the way from the wrist to the fingertip; knuckles lie at 0.45 and more."""
CHIRALITY_MARGIN = 0.04
"""Palm depth over hand size below which a shape does not tell left from right."""


def unit(vector: FloatArray) -> FloatArray:
    """A vector of length 1, or zeros for a vector without a direction."""
    length = float(np.linalg.norm(vector))
    return vector / length if length > 1e-12 else np.zeros(3)


def chain_end(tree: Tree, bones: list[int]) -> FloatArray:
    """Where a chain without a tip bone ends in [m]: its last tail if that is plausible, else a guess."""
    heads = tree.skeleton.heads[bones]
    if len(bones) < 2:
        return tree.skeleton.tails[bones[-1]]
    along = heads[-1] - heads[-2]
    length = float(np.linalg.norm(along))
    bone = tree.skeleton.tails[bones[-1]] - heads[-1]
    size = float(np.linalg.norm(bone))
    if 0.2 * length < size < 2.0 * length and bone @ along > 0.4 * size * length:
        return tree.skeleton.tails[bones[-1]]
    return heads[-1] + 0.8 * along


def finger_points(tree: Tree, finger: Finger) -> FloatArray:
    """Joints of a finger from its knuckle to its end in [m]. Shape (bones + 1, 3)."""
    end = chain_end(tree, finger.chain) if finger.tip is None else tree.head(finger.tip)
    return np.vstack([tree.skeleton.heads[finger.chain], end])


def split_chain(tree: Tree, wrist: int, bones: list[int], *, is_thumb: bool) -> Finger:
    """A chain from the palm outwards parted into metacarpal, bending bones and tip, by names and by proportions."""
    rest = list(bones)
    tip = rest.pop() if len(rest) > 2 and read_name(tree.names[rest[-1]]).is_tip else None
    metacarpal = None
    wanted = 3
    if not is_thumb and len(rest) > wanted and _starts_in_palm(tree, wrist, rest):
        metacarpal = rest.pop(0)
    if tip is None and len(rest) == wanted + 1:
        tip = rest.pop()
    return Finger("", rest, metacarpal=metacarpal, tip=tip)


def _starts_in_palm(tree: Tree, wrist: int, bones: list[int]) -> bool:
    origin = tree.head(wrist)
    heads = tree.skeleton.heads[bones]
    reach = float(np.linalg.norm(chain_end(tree, bones) - origin))
    lengths = np.linalg.norm(np.diff(heads, axis=0), axis=1)
    return float(np.linalg.norm(heads[0] - origin)) < METACARPAL_REACH * reach and lengths[0] > lengths[1]


@dataclass(frozen=True, eq=False)
class _Row:
    """Measures of the chains of one hand, one row per chain."""

    knuckles: FloatArray
    """First bending joints from the wrist in [m]. Shape (n, 3)."""
    ends: FloatArray
    """Ends from the wrist in [m]. Shape (n, 3)."""
    directions: FloatArray
    """Unit vectors from knuckle to end. Shape (n, 3)."""
    axis: FloatArray
    """Unit vector along the hand. Shape (3,)."""
    counts: tuple[int, ...]
    """Bones in each chain."""


def _row(tree: Tree, wrist: int, fingers: list[Finger]) -> _Row:
    origin = tree.head(wrist)
    points = [finger_points(tree, finger) - origin for finger in fingers]
    knuckles = np.array([point[0] for point in points])
    ends = np.array([point[-1] for point in points])
    return _Row(
        knuckles=knuckles,
        ends=ends,
        directions=np.array([unit(point[-1] - point[0]) for point in points]),
        axis=unit(np.median(ends, axis=0)),
        counts=tuple(len(finger.bones()) for finger in fingers),
    )


def find_thumb(tree: Tree, wrist: int, fingers: list[Finger]) -> int | None:
    """Which of the fingers leaves the hand lowest and sideways; None if no finger stands out."""
    if len(fingers) < 2:
        return None
    row = _row(tree, wrist, fingers)
    scores = [_thumb_score(row, one) for one in range(len(fingers))]
    if len(fingers) == 2:
        lowness = [float(knuckle @ unit(row.ends.mean(axis=0))) for knuckle in row.knuckles]
        low, high = int(np.argmin(lowness)), int(np.argmax(lowness))
        return low if lowness[low] < 0.6 * lowness[high] else None
    order = np.argsort(scores)
    best, second = int(order[-1]), int(order[-2])
    stands_out = scores[best] > 0.8 and scores[best] > 1.4 * scores[second]
    return best if stands_out else None


def _thumb_score(row: _Row, one: int) -> float:
    """How much chain `one` differs from the row of the others: turned away, rooted lower, ending lower, fewer bones."""
    others = [other for other in range(len(row.counts)) if other != one]
    direction = unit(row.directions[others].mean(axis=0))
    axis = unit(row.ends[others].mean(axis=0))
    turned = float(np.arccos(np.clip(row.directions[one] @ direction, -1.0, 1.0)))
    knuckles, ends = row.knuckles @ axis, row.ends @ axis
    reach = max(float(np.median(ends[others])), 1e-9)
    lower = (float(np.min(knuckles[others])) - float(knuckles[one])) / reach
    shorter = (float(np.min(ends[others])) - float(ends[one])) / reach
    fewer = 0.3 if row.counts[one] < min(row.counts[other] for other in others) else 0.0
    return turned / 0.6 + 2.0 * max(lower, -0.2) + max(shorter, -0.2) + fewer


def order_across(tree: Tree, wrist: int, fingers: list[Finger], *, thumb: int | None) -> list[int]:
    """The fingers other than the thumb in order across the palm, nearest to the thumb first."""
    row = _row(tree, wrist, fingers)
    rest = [one for one in range(len(fingers)) if one != thumb]
    if len(rest) < 2:
        return rest
    places = row.knuckles[rest] + 0.25 * (row.ends[rest] - row.knuckles[rest])
    flat = places - np.outer(places @ row.axis, row.axis)
    across = np.linalg.svd(flat - flat.mean(axis=0))[2][0]
    along = flat @ across
    if thumb is not None:
        turned = 0.5 * (row.knuckles[thumb] + row.ends[thumb]) @ across > along.mean()
    else:
        turned = across @ tree.left > 0.0
    along = -along if turned else along
    return [rest[place] for place in np.argsort(along, kind="stable")]


def chirality(tree: Tree, candidate: Candidate) -> float:
    """How surely the shape is of a left (> 0) or right (< 0) hand: palm depth over hand size, signed.

    Fingers bend towards the palm at rest and the thumb stands on the palm's side of the knuckles. With f along the
    fingers, t from the last finger to the first and p out of the palm, p . (f x t) is positive on a left hand.
    """
    thumb = next((finger for finger in candidate.fingers if finger.name == "thumb"), None)
    row = [finger for finger in candidate.fingers if finger.name != "thumb"]
    if thumb is None or not row:
        return 0.0
    origin = tree.head(candidate.wrist)
    points = [finger_points(tree, finger) for finger in row]
    knuckles = np.array([point[0] for point in points])
    size = float(np.max([np.linalg.norm(point[-1] - origin) for point in points]))
    if size < 1e-9:
        return 0.0
    along = unit(knuckles.mean(axis=0) - origin)
    thumb_points = finger_points(tree, thumb)
    to_thumb = thumb_points.mean(axis=0) - knuckles.mean(axis=0) if len(row) < 2 else knuckles[0] - knuckles[-1]
    normal = unit(np.asarray(np.cross(along, to_thumb), dtype=np.float64))
    bends = np.array([_bend(np.vstack([origin, point])) for point in points], dtype=np.float64)
    depth = (thumb_points[-2:].mean(axis=0) - knuckles[0]) / size
    return float((0.5 * bends.mean(axis=0) + depth) @ normal)


def _bend(points: FloatArray) -> FloatArray:
    """Sum of the changes of direction along a chain: points to the side that the chain bends to. Shape (3,)."""
    steps = np.array([unit(step) for step in np.diff(points, axis=0)])
    return steps[-1] - steps[1] if len(steps) > 2 else steps[-1] - steps[0]
