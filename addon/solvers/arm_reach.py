# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of many frames an arm can bring its hand to, and how comfortably: closed form over samples of the elbow.

It only estimates: the elbow is tried at evenly spread places of its circle. What matters in the end is solved exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import FloatArray, frozen_floats
from ..core.rotations import angles_from_rotation, unit

SWIVELS = 20
"""Places of the elbow on its circle that are tried."""
SLACK = 0.16
"""How far in [rad] beyond its limits a joint may seem to be, as the elbow's best place lies between those tried."""
_TWIST_ROUNDS = 3
_STRETCHED = 0.93
"""From this share of its length on, an arm is stretched uncomfortably."""
_SHARES = np.array([0.35, 0.2, 0.25, 0.2])
"""What shoulder, forearm twist, wrist and stretch have in discomfort."""


@dataclass(frozen=True, eq=False)
class ReachableArm:
    """An arm where its shoulder is now, in the world."""

    base: FloatArray
    """Turn of what carries the upper arm from its rest. Shape (3, 3)."""
    shoulder: FloatArray
    """Position in [m]. Shape (3,)."""
    frames: FloatArray
    """Joint frames of upper arm, forearm and hand at rest: z along the bone, x the axis of flexion. Shape (3, 3, 3)."""
    lengths: FloatArray
    """Upper arm and forearm in [m]. Shape (2,)."""
    limits: FloatArray
    """Flexion, abduction and twist from rest in [rad]. Shape (3, 3, 2)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        shapes = {"base": (3, 3), "shoulder": (3,), "frames": (3, 3, 3), "lengths": (2,), "limits": (3, 3, 2)}
        for name, shape in shapes.items():
            object.__setattr__(self, name, frozen_floats(getattr(self, name), shape, name))


@dataclass(frozen=True, eq=False)
class Reached:
    """How an arm gets to some frames."""

    costs: FloatArray
    """0 for comfortable, 1 for at the limits, infinite for out of reach. Shape (a,)."""
    elbows: FloatArray
    """Where the elbow would be in [m]. Shape (a, 3)."""


def rate_reach(arm: ReachableArm, wrists: FloatArray) -> Reached:
    """What it costs the arm to bring the hand to frames of the world.

    Args:
        arm: The arm.
        wrists: Wanted frames of the hand in [m]. Shape (a, 3, 4).
    """
    count = len(wrists)
    place = (wrists[:, :, 3] - arm.shoulder) @ arm.base
    far = np.linalg.norm(place, axis=1)
    upper, fore = (float(each) for each in arm.lengths)
    costs, elbows = np.full(count, np.inf), np.repeat(arm.shoulder[None], count, axis=0)
    rows = np.flatnonzero((far < upper + fore) & (far > abs(upper - fore) + 1e-9))
    if not len(rows):
        return Reached(costs, elbows)
    places, hands = place[rows], arm.base.T @ wrists[rows, :, :3]
    best, at = np.full(len(rows), np.inf), np.zeros((len(rows), 3))
    for sign in (1.0, -1.0):
        tried, points = _rate(arm, places, hands, far[rows], sign)
        pick = np.argmin(tried, axis=1)
        lowest = tried[np.arange(len(rows)), pick]
        better = lowest < best
        best = np.where(better, lowest, best)
        at = np.where(better[:, None], points[np.arange(len(rows)), pick], at)
    costs[rows] = best
    elbows[rows] = arm.shoulder + at @ arm.base.T
    return Reached(costs, elbows)


def _rate(
    arm: ReachableArm, places: FloatArray, hands: FloatArray, far: FloatArray, sign: float
) -> tuple[FloatArray, FloatArray]:
    """Costs (a, s) and elbows (a, s, 3) in the base's frame, with the elbow bent one way or the other."""
    upper, fore = (float(each) for each in arm.lengths)
    rest = arm.frames[0].T @ arm.frames[1]
    bend_at_rest = float(np.arctan2(rest[2, 1], rest[1, 1]))
    cosine = np.clip((far**2 - upper**2 - fore**2) / (2.0 * upper * fore), -1.0, 1.0)
    flexion = sign * np.arccos(cosine) - bend_at_rest
    off = _beyond(flexion, arm.limits[1, 0])
    angles = np.arange(SWIVELS) * 2.0 * np.pi / SWIVELS
    line = places / far[:, None]
    first = unit(np.cross(line, np.eye(3)[np.argmin(np.abs(line), axis=1)]))
    second = np.cross(line, first)
    along = (upper**2 + far**2 - fore**2) / (2.0 * far)
    across = np.sqrt(np.maximum(upper**2 - along**2, 0.0))
    around = np.cos(angles)[:, None] * first[:, None] + np.sin(angles)[:, None] * second[:, None]
    elbows = (along[:, None] * line)[:, None] + across[:, None, None] * around
    axis = sign * np.cross(line[:, None], -around)
    one = _frames(unit(elbows), axis)
    two = _frames(unit(places[:, None] - elbows), axis)
    shoulder = angles_from_rotation(arm.frames[0].T @ one)
    twist, wrist = _wrist(arm, np.swapaxes(two, -1, -2) @ hands[:, None])
    worst = np.maximum(
        np.maximum(_beyond(shoulder, arm.limits[0]).max(axis=-1), off[:, None]),
        np.maximum(_beyond(twist, arm.limits[1, 2]), _beyond(wrist, arm.limits[2, :2]).max(axis=-1)),
    )
    stretch = np.clip((far / (upper + fore) - _STRETCHED) / (1.0 - _STRETCHED), 0.0, 1.0)
    cost = (
        _SHARES[0] * _strain(shoulder, arm.limits[0]).mean(axis=-1)
        + _SHARES[1] * _strain(twist, arm.limits[1, 2])
        + _SHARES[2] * _strain(wrist, arm.limits[2, :2]).max(axis=-1)
        + _SHARES[3] * stretch[:, None]
    )
    return np.where(worst > SLACK, np.inf, cost), elbows


def _wrist(arm: ReachableArm, turns: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Twist of the forearm (...) and flexion and abduction of the wrist (..., 2) that make up turns (..., 3, 3)."""
    rest = arm.frames[1].T @ arm.frames[2]
    twist = np.zeros(turns.shape[:-2])
    angles = np.zeros((*twist.shape, 3))
    for _ in range(_TWIST_ROUNDS):
        # The hand has no twist of its own: what would be left of it is the forearm's.
        cosine, sine = np.cos(twist), np.sin(twist)
        back = np.zeros(turns.shape)
        back[..., 0, 0], back[..., 0, 1], back[..., 1, 0], back[..., 1, 1] = cosine, sine, -sine, cosine
        back[..., 2, 2] = 1.0
        angles = angles_from_rotation(rest.T @ back @ turns)
        twist = (twist + angles[..., 2] + np.pi) % (2.0 * np.pi) - np.pi
    return twist, angles[..., :2]


def _frames(z: FloatArray, x: FloatArray) -> FloatArray:
    """Frames with those z and x axes, the latter made square. Shape (..., 3, 3)."""
    x = unit(x - np.einsum("...i,...i->...", x, z)[..., None] * z)
    return np.stack([x, np.cross(z, x), z], axis=-1)


def _beyond(angles: FloatArray, limits: FloatArray) -> FloatArray:
    """How far in [rad] angles are outside their limits; 0 inside."""
    return np.maximum(np.maximum(limits[..., 0] - angles, angles - limits[..., 1]), 0.0)


def _strain(angles: FloatArray, limits: FloatArray) -> FloatArray:
    """0 at rest, 1 at the limits, growing with the square."""
    most = np.where(angles < 0.0, -limits[..., 0], limits[..., 1])
    return np.minimum((angles / np.maximum(most, 1e-3)) ** 2, 1.0)
