# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Capsules round the bones against spheres, half spaces and distance fields: depth, exit normal and deepest point."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...core.arrays import FloatArray, frozen_floats
from ...core.rotations import unit
from .contacts import Contacts, Detector, contacts_at
from .kinematics import Frames

DistanceField = Callable[[FloatArray], tuple[FloatArray, FloatArray]]
"""From points (m, 3) to signed distances (m,), negative inside, and unit outward normals (m, 3)."""


@dataclass(frozen=True, eq=False)
class Capsule:
    """All points within a radius of a segment that is fixed to a joint."""

    joint: int
    """The joint that carries it."""
    start: FloatArray
    """One end of the segment in the joint's frame in [m]. Shape (3,)."""
    end: FloatArray
    """The other end. Shape (3,)."""
    radius: float
    """Radius in [m]."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        object.__setattr__(self, "start", frozen_floats(self.start, (3,), "start"))
        object.__setattr__(self, "end", frozen_floats(self.end, (3,), "end"))


@dataclass(frozen=True, eq=False)
class Touch:
    """How deep a capsule is in an obstacle."""

    depth: float
    """Depth in [m]; negative when apart."""
    normal: FloatArray
    """Unit vector along which the capsule leaves the obstacle. Shape (3,)."""
    point: FloatArray
    """The capsule's deepest point in [m]. Shape (3,)."""


@dataclass(frozen=True, eq=False)
class Sphere:
    """A solid ball."""

    centre: FloatArray
    """Centre in the base frame in [m]. Shape (3,)."""
    radius: float
    """Radius in [m]."""

    def touch(self, start: FloatArray, end: FloatArray, radius: float) -> Touch:
        """How deep a capsule is in the ball."""
        along = end - start
        square = float(along @ along)
        share = float(np.clip((self.centre - start) @ along / square, 0.0, 1.0)) if square > 0.0 else 0.0
        nearest = start + share * along
        away = nearest - self.centre
        distance = float(np.linalg.norm(away))
        # From the very centre every way out is as long: take one across the segment.
        normal = away / distance if distance > 1e-12 else _across(along)
        return Touch(depth=self.radius + radius - distance, normal=normal, point=nearest - radius * normal)


@dataclass(frozen=True, eq=False)
class HalfSpace:
    """Everything on one side of a plane."""

    origin: FloatArray
    """A point of the plane in [m]. Shape (3,)."""
    normal: FloatArray
    """Unit vector out of the solid side. Shape (3,)."""

    def touch(self, start: FloatArray, end: FloatArray, radius: float) -> Touch:
        """How deep a capsule is in the solid side."""
        heights = [float((place - self.origin) @ self.normal) for place in (start, end)]
        lowest = start if heights[0] <= heights[1] else end
        return Touch(depth=radius - min(heights), normal=self.normal, point=lowest - radius * self.normal)


@dataclass(frozen=True, eq=False)
class Field:
    """A solid of any shape, given by its signed distance."""

    distance: DistanceField
    """Signed distance and outward normal at points."""
    samples: int = 9
    """Points along a capsule's segment that are asked for."""

    def touch(self, start: FloatArray, end: FloatArray, radius: float) -> Touch:
        """How deep the deepest of the sampled points is."""
        places = start + np.linspace(0.0, 1.0, self.samples)[:, None] * (end - start)
        distances, normals = self.distance(places)
        k = int(np.argmin(distances))
        return Touch(depth=radius - float(distances[k]), normal=normals[k], point=places[k] - radius * normals[k])


Obstacle = Sphere | HalfSpace | Field


def detector(capsules: Sequence[Capsule], obstacles: Sequence[Obstacle], *, margin: float = 0.0) -> Detector:
    """A collision test that gives one contact for each capsule and obstacle that overlap.

    Args:
        capsules: What moves.
        obstacles: What is in the way.
        margin: Distance in [m] below which bodies that are apart count as touching too.
    """

    def detect(frames: Frames) -> Contacts:
        joints: list[int] = []
        found: list[Touch] = []
        for capsule in capsules:
            start, end = (
                frames.positions[capsule.joint] + frames.rotations[capsule.joint] @ place
                for place in (capsule.start, capsule.end)
            )
            for obstacle in obstacles:
                touch = obstacle.touch(start, end, capsule.radius)
                if touch.depth > -margin:
                    joints.append(capsule.joint)
                    found.append(touch)
        return contacts_at(
            frames,
            np.array(joints, dtype=np.int64),
            np.array([touch.point for touch in found]).reshape(-1, 3),
            np.array([touch.normal for touch in found]).reshape(-1, 3),
            np.array([touch.depth for touch in found]),
        )

    return detect


def _across(along: FloatArray) -> FloatArray:
    least = np.eye(3)[int(np.argmin(np.abs(along)))]
    return unit(np.cross(along, least)) if np.any(along) else np.array([0.0, 0.0, 1.0])
