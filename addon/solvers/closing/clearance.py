# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far points of a hand are from what stops them: the object, obstacles, and the hand itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray
from ...core.articulation import JointFrames
from .hand import Volumes

Distance = Callable[[FloatArray], FloatArray]
"""World points (n, 3) in [m] to signed distances (n,) in [m], negative inside."""


NearDistance = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
"""The same where those between a second and a third argument (n,) in [m] are to be exact."""

OBJECT, OBSTACLE, ITSELF = 1, 2, 3
"""What a bone was stopped by."""


@dataclass(frozen=True, eq=False)
class Barrier:
    """Something that stops a hand."""

    kind: int
    """What it is."""
    distance: Callable[[IntArray, FloatArray], FloatArray]
    """Signed distances in [m] of world points (n, 3) of postures (n,), shorter than the truth rather than longer."""
    precise: Callable[[IntArray, FloatArray], FloatArray]
    """The same, exact, for few points."""
    give: FloatArray
    """How deep in [m] each point of the hand may go; negative for a distance to keep. Shape (p,)."""
    probes: BoolArray
    """Points of the hand that it stops. Shape (p,)."""
    near: NearDistance | None = None
    """Both at once, where that is quicker."""


@dataclass(frozen=True, eq=False)
class Scene:
    """What a hand closes on."""

    distance: Distance
    """Distance to the object, at least as short as the truth away from its surface."""
    precise: Distance
    """The same, exact, for few points."""
    depth: float = 0.0
    """How far skin may give, in [m]: contact is when a point is this deep."""
    extra: FloatArray | None = None
    """What is added to the depth for each finger in [m], where the skin shown is not the skin measured. Shape (f,)."""
    obstacles: Distance | None = None
    """Distance to what must not be touched."""
    clear: float = 1e-3
    """How far to stay from obstacles in [m]."""
    near: NearDistance | None = None
    """The first two at once, where that is quicker."""
    quick: Distance | None = None
    """Distance to the object for balls, whose middles are not near its surface when they touch; None for the first."""

    @property
    def rough(self) -> Scene:
        """The same for balls."""
        return self if self.quick is None else replace(self, distance=self.quick, near=None)

    def barriers(self, fingers: IntArray) -> list[Barrier]:
        """The object and the obstacles, for probes of those fingers (p,)."""
        every = np.ones(len(fingers), dtype=np.bool_)
        give = np.full(len(fingers), self.depth)
        if self.extra is not None:
            give += np.append(self.extra, 0.0)[fingers]
        out = [Barrier(OBJECT, _anywhere(self.distance), _anywhere(self.precise), give, every, self.near)]
        if self.obstacles is not None:
            distance = _anywhere(self.obstacles)
            out.append(Barrier(OBSTACLE, distance, distance, np.full(len(fingers), -self.clear), every))
        return out


def _anywhere(distance: Distance) -> Callable[[IntArray, FloatArray], FloatArray]:
    """A distance that is the same for all postures."""

    def measure(_: IntArray, points: FloatArray) -> FloatArray:
        return distance(points)

    return measure


@dataclass(frozen=True, eq=False)
class Blocks:
    """Capsules of the hand in the world, for each of many postures."""

    starts: FloatArray
    """First ends in [m]. Shape (a, k, 3)."""
    spans: FloatArray
    """From the first ends to the second in [m]. Shape (a, k, 3)."""
    radii: FloatArray
    """Radii at both ends in [m]. Shape (k, 2)."""

    def of_some(self, capsules: IntArray) -> Blocks:
        """Some of the capsules (j,) in all postures."""
        return Blocks(self.starts[:, capsules], self.spans[:, capsules], self.radii[capsules])

    def barrier(self, probes: BoolArray) -> Barrier:
        """What stops those probes of the same hand."""
        return Barrier(ITSELF, self.distance, self.distance, np.zeros(len(probes)), probes)

    def distance(self, posture: IntArray, points: FloatArray) -> FloatArray:
        """Signed distance in [m] of each point to the nearest capsule of its posture. Shape (n,)."""
        return self.distances(posture, points).min(axis=1)

    def distances(self, posture: IntArray, points: FloatArray) -> FloatArray:
        """Signed distances in [m] to every capsule. Shape (n, k)."""
        origins, weights = self._products
        local = points - origins.take(posture, axis=0)
        rows = np.ones((len(local), 1, 4))
        rows[:, 0, :3] = local
        # A product of many small matrices, which is several times as fast as a sum of products here.
        both = (rows @ weights.take(posture, axis=0))[:, 0]
        return self._from_products(both, (local * local).sum(axis=1)[:, None])

    def distances_of(self, points: FloatArray) -> FloatArray:
        """Signed distances in [m] of as many points of each posture (a, q, 3) to every capsule. Shape (a, q, k)."""
        origins, weights = self._products
        local = points - origins[:, None]
        both = np.concatenate([local, np.ones((*local.shape[:2], 1))], axis=2) @ weights
        return self._from_products(both, (local * local).sum(axis=2)[..., None])

    def _from_products(self, both: FloatArray, squares: FloatArray) -> FloatArray:
        """Distances in [m] from what `_products` gives for points, and from their squares."""
        count, lengths = len(self.radii), self._lengths
        reach, away = both[..., :count], both[..., count:]
        along = np.maximum(reach, 0.0)
        np.minimum(along, lengths, out=along)
        # The square of what is left of the offset without its part along the capsule.
        reach *= -2.0
        reach += along
        reach *= along
        away += reach
        away += squares
        np.maximum(away, 0.0, out=away)
        np.sqrt(away, out=away)
        along *= (self.radii[:, 1] - self.radii[:, 0]) / np.maximum(lengths, 1e-9)
        along += self.radii[:, 0]
        away -= along
        return away

    @cached_property
    def _lengths(self) -> FloatArray:
        """Lengths in [m], which no posture changes. Shape (k,)."""
        return np.linalg.norm(self.spans, axis=2).max(axis=0, initial=0.0)

    @cached_property
    def _products(self) -> tuple[FloatArray, FloatArray]:
        """A place among the capsules of each posture (a, 3), and what points seen from there are weighted with.

        Of x, y, z and 1 the first k columns make how far along each capsule a point is, the others the square of its
        distance from the first end, less that from the place. Shape (a, 4, 2 k). From there, as squares of large
        coordinates would leave nothing of their differences.
        """
        count = len(self.radii)
        origins = self.starts.mean(axis=1)
        starts, along = self.starts - origins[:, None], self.spans / np.maximum(self._lengths, 1e-9)[:, None]
        weights = np.empty((len(origins), 4, 2 * count))
        weights[:, :3, :count], weights[:, :3, count:] = np.swapaxes(along, 1, 2), -2.0 * np.swapaxes(starts, 1, 2)
        weights[:, 3, :count] = -np.einsum("aki,aki->ak", starts, along)
        weights[:, 3, count:] = np.einsum("aki,aki->ak", starts, starts)
        return origins, weights


def place_volumes(volumes: Volumes, chosen: IntArray, frames: JointFrames, wrists: FloatArray) -> Blocks:
    """Some of a hand's capsules in the world.

    Args:
        volumes: The hand's capsules.
        chosen: Which of them. Shape (k,).
        frames: Joint frames of many postures in the hand's frame.
        wrists: The hand's frames in the world in [m]. Shape (a, 3, 4).
    """
    joints = volumes.joints[chosen]
    fixed = joints < 0
    turns = np.where(fixed[:, None, None], np.eye(3), frames.rotations[:, joints])
    origins = np.where(fixed[:, None], 0.0, frames.origins[:, joints])
    ends = np.einsum("akij,kej->akei", turns, volumes.ends[chosen]) + origins[:, :, None]
    ends = np.einsum("aij,akej->akei", wrists[:, :, :3], ends) + wrists[:, None, None, :, 3]
    return Blocks(ends[:, :, 0], ends[:, :, 1] - ends[:, :, 0], volumes.radii[chosen])
