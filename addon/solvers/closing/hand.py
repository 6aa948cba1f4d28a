# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A hand as closing sees it: joints in chains, what of it may touch, and what its fingers must not run into."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray, frozen_bools, frozen_floats, frozen_ints
from ...core.articulation import Articulation, JointFrames, joint_frames


@dataclass(frozen=True, eq=False)
class Probes:
    """Points of a hand that may touch: vertices of its skin, or balls along its capsules."""

    points: FloatArray
    """Positions at rest in the hand's frame in [m]. Shape (p, 3)."""
    joints: IntArray
    """Joints that move each point, -1 for the wrist. Shape (p, k)."""
    weights: FloatArray
    """Their shares, rows sum to 1. Shape (p, k)."""
    radii: FloatArray
    """Radius round each point in [m]; 0 for skin. Shape (p,)."""
    volume: BoolArray
    """Whether the point's motions are blended as dual quaternions ("Preserve Volume"). Shape (p,)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        p = len(self.points)
        set_field = object.__setattr__
        set_field(self, "points", frozen_floats(self.points, (p, 3), "points"))
        set_field(self, "joints", frozen_ints(self.joints, (p, -1), "joints"))
        set_field(self, "weights", frozen_floats(self.weights, self.joints.shape, "weights"))
        set_field(self, "radii", frozen_floats(self.radii, (p,), "radii"))
        set_field(self, "volume", frozen_bools(self.volume, (p,), "volume"))

    def take(self, chosen: IntArray) -> Probes:
        """Some of the points, in the order given."""
        return Probes(
            points=self.points[chosen],
            joints=self.joints[chosen],
            weights=self.weights[chosen],
            radii=self.radii[chosen],
            volume=self.volume[chosen],
        )

    @cached_property
    def owners(self) -> IntArray:
        """The joint with the largest share in each point, -1 for the wrist. Shape (p,)."""
        return self.joints[np.arange(len(self.joints)), np.argmax(self.weights, axis=1)]


@dataclass(frozen=True, eq=False)
class Volumes:
    """Tapered capsules that fill the hand, for fingers to stay out of."""

    joints: IntArray
    """Joint that carries each, -1 for the wrist. Shape (k,)."""
    ends: FloatArray
    """Both ends in the joint's frame (the hand's for the wrist) in [m]. Shape (k, 2, 3)."""
    radii: FloatArray
    """Radii at both ends in [m]. Shape (k, 2)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        k = len(self.joints)
        set_field = object.__setattr__
        set_field(self, "joints", frozen_ints(self.joints, (k,), "joints"))
        set_field(self, "ends", frozen_floats(self.ends, (k, 2, 3), "ends"))
        set_field(self, "radii", frozen_floats(self.radii, (k, 2), "radii"))


@dataclass(frozen=True, eq=False)
class ClosingHand:
    """Joints, volumes and chains of a hand in its own frame."""

    articulation: Articulation
    """Its joints."""
    finger_of: IntArray
    """Finger of each joint. Shape (m,)."""
    rest_angles: FloatArray
    """Angles at which the probes are given, in [rad]. Shape (m, 3)."""
    volumes: Volumes
    """What its fingers must not run into."""
    thumb: int = -1
    """Index of the finger that opposes the others and closes last; -1 for none."""
    followers: IntArray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    """Joints whose flexion follows another's, as a finger's last follows its middle one. Shape (c,)."""
    leaders: IntArray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    """The joints they follow. Shape (c,)."""
    ratios: FloatArray = field(default_factory=lambda: np.empty(0))
    """Flexion of the follower over that of its leader. Shape (c,)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        m, c = len(self.articulation.parents), len(self.followers)
        set_field = object.__setattr__
        set_field(self, "followers", frozen_ints(self.followers, (c,), "followers"))
        set_field(self, "leaders", frozen_ints(self.leaders, (c,), "leaders"))
        set_field(self, "ratios", frozen_floats(self.ratios, (c,), "ratios"))
        set_field(self, "finger_of", frozen_ints(self.finger_of, (m,), "finger_of"))
        set_field(self, "rest_angles", frozen_floats(self.rest_angles, (m, 3), "rest_angles"))

    @cached_property
    def chains(self) -> IntArray:
        """Joints of each finger, root first, filled up with -1. Shape (f, l)."""
        fingers = [np.flatnonzero(self.finger_of == f) for f in range(int(self.finger_of.max()) + 1)]
        out = np.full((len(fingers), max(map(len, fingers))), -1, dtype=np.int64)
        for row, joints in zip(out, fingers, strict=True):
            row[: len(joints)] = joints
        return out

    @cached_property
    def places(self) -> IntArray:
        """Position of each joint in its chain. Shape (m,)."""
        out = np.empty(len(self.finger_of), dtype=np.int64)
        for chain in self.chains:
            joints = chain[chain >= 0]
            out[joints] = np.arange(len(joints))
        return out

    @cached_property
    def reach(self) -> float:
        """Distance of the wrist from the farthest end of a capsule at rest in [m]."""
        joints, ends = self.volumes.joints, self.volumes.ends
        turned = np.einsum("kij,kej->kei", self.rest.rotations[joints], ends) + self.rest.origins[joints][:, None]
        places = np.where((joints < 0)[:, None, None], ends, turned)
        return float(np.linalg.norm(places, axis=2).max())

    @cached_property
    def rest(self) -> JointFrames:
        """Joint frames at rest."""
        return joint_frames(self.articulation, self.rest_angles)


def capsule_probes(volumes: Volumes, rest: JointFrames, *, spacing: float) -> Probes:
    """Balls along capsules: what touches where there is no skin.

    Args:
        volumes: The capsules.
        rest: Joint frames at rest.
        spacing: Distance of neighbouring balls at most, in [m].
    """
    points: list[FloatArray] = []
    owners: list[IntArray] = []
    radii: list[FloatArray] = []
    for joint, (start, end), (first, last) in zip(volumes.joints.tolist(), volumes.ends, volumes.radii, strict=True):
        count = int(np.ceil(float(np.linalg.norm(end - start)) / spacing)) + 1
        along = np.linspace(0.0, 1.0, max(count, 2))
        local = start + along[:, None] * (end - start)
        points.append(local if joint < 0 else local @ rest.rotations[joint].T + rest.origins[joint])
        owners.append(np.full(len(along), joint))
        radii.append(first + along * (last - first))
    joints = np.concatenate(owners)[:, None]
    return Probes(
        points=np.concatenate(points),
        joints=joints,
        weights=np.ones(joints.shape),
        radii=np.concatenate(radii),
        volume=np.zeros(len(joints), dtype=np.bool_),
    )
