# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint limits of one hand, from a set of limits and the hand's own rest pose."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import FloatArray, IntArray, frozen_floats, frozen_ints
from ..core.limits import LimitSet
from .chains import Chains


@dataclass(frozen=True, eq=False)
class JointLimits:
    """What the joints of one hand may do. Row indices are joints."""

    ranges: FloatArray
    """Lowest and highest flexion, abduction and twist in [rad]. Shape (m, 3, 2)."""
    followers: IntArray
    """Joints whose flexion follows another's. Shape (c,)."""
    leaders: IntArray
    """The joints they follow. Shape (c,)."""
    ratios: FloatArray
    """Flexion of the follower over that of its leader. Shape (c,)."""
    neighbours: IntArray
    """Pairs of joints whose flexions are compared. Shape (n, 2)."""
    differences: FloatArray
    """Lowest and highest flexion of the first minus that of the second in [rad]. Shape (n, 2)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        c, n = len(self.followers), len(self.neighbours)
        set_field = object.__setattr__
        set_field(self, "ranges", frozen_floats(self.ranges, (-1, 3, 2), "ranges"))
        set_field(self, "followers", frozen_ints(self.followers, (c,), "followers"))
        set_field(self, "leaders", frozen_ints(self.leaders, (c,), "leaders"))
        set_field(self, "ratios", frozen_floats(self.ratios, (c,), "ratios"))
        set_field(self, "neighbours", frozen_ints(self.neighbours, (n, 2), "neighbours"))
        set_field(self, "differences", frozen_floats(self.differences, (n, 2), "differences"))


def find_limits(
    chains: Chains,
    rest_angles: FloatArray,
    limits: LimitSet,
    *,
    radial: bool = False,
    own: dict[str, FloatArray] | None = None,
) -> JointLimits:
    """Limits of a hand's joints, widened so that its rest pose is allowed.

    Args:
        chains: Joints of the hand.
        rest_angles: Flexion, abduction and twist at rest in [rad]. Shape (m, 3).
        limits: The set to take them from.
        radial: The hand is a gripper, whose fingers do not spread.
        own: Ranges in [rad] by bone name that replace the set's, each of shape (3, 2).
    """
    ranges = np.empty((len(chains.names), 3, 2))
    for j, (name, kind) in enumerate(zip(chains.names, chains.kinds, strict=True)):
        ranges[j] = limits.ranges(chains.fingers[int(chains.finger_of[j])], kind)
        if radial:
            ranges[j, 1] = 0.0
        if own is not None and name in own:
            ranges[j] = own[name]
    ranges[..., 0] = np.minimum(ranges[..., 0], rest_angles)
    ranges[..., 1] = np.maximum(ranges[..., 1], rest_angles)
    followers, leaders, ratios = _find_couplings(chains, limits)
    neighbours = [
        (*pair, row.difference)
        for row in limits.neighbours
        for pair in [(_joint(chains, row.finger, row.joint), _joint(chains, row.neighbour, row.joint))]
        if None not in pair
    ]
    return JointLimits(
        ranges=ranges,
        followers=np.array(followers, dtype=np.int64),
        leaders=np.array(leaders, dtype=np.int64),
        ratios=np.array(ratios),
        neighbours=np.array([row[:2] for row in neighbours], dtype=np.int64).reshape(-1, 2),
        differences=np.array([row[2] for row in neighbours]).reshape(-1, 2),
    )


def _find_couplings(chains: Chains, limits: LimitSet) -> tuple[list[int], list[int], list[float]]:
    followers: list[int] = []
    leaders: list[int] = []
    ratios: list[float] = []
    for row in limits.couplings:
        for finger in chains.fingers:
            if row.fingers != finger and (row.fingers != "finger" or finger == "thumb"):
                continue
            follower, leader = _joint(chains, finger, row.follower), _joint(chains, finger, row.leader)
            if follower is not None and leader is not None:
                followers.append(follower)
                leaders.append(leader)
                ratios.append(row.ratio)
    return followers, leaders, ratios


def _joint(chains: Chains, finger: str, kind: str) -> int | None:
    """The last joint of that kind in a finger."""
    if finger not in chains.fingers:
        return None
    found = [j for j in chains.of(chains.fingers.index(finger)) if chains.kinds[j] == kind]
    return found[-1] if found else None
