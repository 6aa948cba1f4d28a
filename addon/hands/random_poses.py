# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random postures that a hand at work could have: within its limits, its couplings and its own way."""

from __future__ import annotations

import numpy as np

from ..core.arrays import FloatArray
from .forward import forward
from .model import HandModel
from .posture import clamp, follow, neighbour_excess
from .synergies import HandSynergies

FREEDOM = 0.12
"""Share of its range by which each joint strays from what the synergies say, as standard deviation."""
MOST_TRIES = 40
"""Draws after which a hand whose fingers are always in each other's way is left at rest."""
PALM_KINDS = ("metacarpal", "carpometacarpal")
"""Joints whose bones lie in the palm."""
DEEPEST = 0.12
"""How far capsules of two fingers may overlap, over the sum of their radii: pads are soft."""


def random_posture(
    model: HandModel, synergies: HandSynergies, rng: np.random.Generator, *, amount: float = 1.0
) -> FloatArray:
    """A random natural posture in [rad]. Shape (m, 3).

    Args:
        model: The hand.
        synergies: How its postures differ.
        rng: Where chance comes from; the same state gives the same posture.
        amount: 0 is the mean posture, 1 as different as the postures of the basis, more is more.
    """
    ranges: FloatArray = model.limits.ranges[..., 1] - model.limits.ranges[..., 0]
    rest = np.array(model.rest_angles)
    posture = settle(model, rest)
    for attempt in range(MOST_TRIES):
        # The same number of draws whatever comes out, so that a seed means the same on every machine.
        along = rng.standard_normal(len(synergies.directions))
        aside: FloatArray = rng.standard_normal(ranges.shape)
        off: FloatArray = np.einsum("k,kmc->mc", along, synergies.directions) + FREEDOM * ranges * aside
        # Fingers may be in each other's way however often one draws: each draw opens the hand a little more.
        openness = attempt / MOST_TRIES
        drawn = settle(model, rest + (1.0 - openness) * (synergies.mean + amount * off - rest))
        if not in_own_way(model, drawn):
            return drawn
    return posture


def settle(model: HandModel, angles: FloatArray) -> FloatArray:
    """A posture (m, 3) moved into its joints' ranges, its couplings and what neighbouring fingers may differ by."""
    out = clamp(model, angles)
    limits = model.limits
    for _ in range(len(limits.neighbours) + 1):
        if neighbour_excess(model, out).max(initial=0.0) < 1e-9:
            break
        for (one, two), (low, high) in zip(limits.neighbours.tolist(), limits.differences.tolist(), strict=True):
            difference = out[one, 0] - out[two, 0]
            off = max(difference - high, 0.0) + min(difference - low, 0.0)
            out[one, 0] -= 0.5 * off
            out[two, 0] += 0.5 * off
        out = clamp(model, out)
    return follow(model, _meet(model, out))


def in_own_way(model: HandModel, angles: FloatArray) -> bool:
    """Whether bones of two fingers, or of a finger and the palm, overlap by more than pads give."""
    capsules, frames = model.capsules, forward(model, angles)
    ends = np.stack([capsules.starts, capsules.ends], axis=1)
    moved = np.flatnonzero(capsules.joints >= 0)
    joints = capsules.joints[moved]
    turned = np.einsum("cij,ckj->cki", frames.rotations[joints], ends[moved])
    ends[moved] = turned + frames.origins[joints][:, None]
    places = [_place(model, int(j)) for j in capsules.joints]
    finger = np.array([each[0] for each in places])
    near = np.array([each[1] for each in places])
    one, two = np.triu_indices(len(places), 1)
    # Bones that meet at a knuckle, and knuckles side by side, always overlap a little.
    rivals = (finger[one] != finger[two]) & ~(near[one] & near[two])
    one, two = one[rivals], two[rivals]
    thick = capsules.radii.min(axis=1)
    gaps = _segment_gaps(ends[one], ends[two])
    return bool((gaps < (1.0 - DEEPEST) * (thick[one] + thick[two])).any())


def _place(model: HandModel, joint: int) -> tuple[int, bool]:
    """The finger of a joint, -1 in the palm, and whether its bone is the palm or next to it."""
    if joint < 0 or model.kinds[joint] in PALM_KINDS:
        return -1, True
    before = int(model.parents[joint])
    return int(model.finger_of[joint]), before < 0 or model.kinds[before] in PALM_KINDS


def _meet(model: HandModel, angles: FloatArray) -> FloatArray:
    """What is left over of neighbours that differ by too much, taken from the one that is bent more."""
    out, limits = np.array(angles), model.limits
    for _ in range(2 * len(limits.neighbours)):
        for (one, two), (low, high) in zip(limits.neighbours.tolist(), limits.differences.tolist(), strict=True):
            out[one, 0] = min(out[one, 0], out[two, 0] + high)
            out[two, 0] = min(out[two, 0], out[one, 0] - low)
    return clamp(model, out)


def _segment_gaps(first: FloatArray, second: FloatArray) -> FloatArray:
    """Smallest distances between segments, by the closest points of a few of their places. Shape (n, 2, 3) to (n,)."""
    places = np.linspace(0.0, 1.0, 7)
    one = first[:, None, 0] + places[None, :, None] * (first[:, None, 1] - first[:, None, 0])
    way = second[:, 1] - second[:, 0]
    squares = np.maximum((way**2).sum(axis=1), 1e-18)
    along = np.einsum("nsk,nk->ns", one - second[:, None, 0], way) / squares[:, None]
    near = second[:, None, 0] + np.clip(along, 0.0, 1.0)[..., None] * way[:, None]
    return np.linalg.norm(one - near, axis=2).min(axis=1)
