# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hands that give way: what opens within a handle is pushed aside by what its fingers would run into.

Fingers that hold a handle or a ring are threaded through it. No order of their joints takes them out in place, as
people's do not either: the hand goes along with its fingers, and they straighten as far as there is room. So a planned
motion is followed from the grasp outwards in short steps, and after each of them wrist and joints yield by the least
that keeps the skin out. What they have yielded stays while the hand is close and fades on its way.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray, frozen_floats
from ...core.articulation import joint_frames
from ...core.rotations import axis_angle_from_matrix, matrix_from_axis_angle
from .clearance import NearSkin, Surroundings

CLEAR = 4e-4
"""Distance in [m] that yielding skin keeps, unless it is nearer where it holds."""
STEP = 1e-3
"""How far in [m] skin that is near moves at most before it yields: less than half of a thin wall."""
MOST_STEPS = 60
"""Steps from one frame to the next at most."""
ROUNDS = 10
"""Times that a hand yields in a step at most."""
CLOSE_BY = 5e-4
"""Skin that is this much farther in [m] than it has to be is looked at too, lest what is pushed out of one wall goes
into another."""
MOST_YIELD = 1.5e-3
"""How far in [m] a hand yields at a time."""
STIFF = 2.0
"""How much rather the wrist yields than a joint."""
DAMPING = 0.02
"""Part of the normal equations' mean that is added, so that nothing is pushed farther than it has to be."""
_ENOUGH = 3e-5
_TINY = 1e-12


@dataclass(frozen=True, eq=False)
class Motion:
    """A hand's motion from where it holds outwards."""

    angles: FloatArray
    """Angles at each frame in [rad]. Shape (n, m, 3)."""
    wrists: FloatArray
    """The hand's frames in [m]. Shape (n, 4, 4)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        n = len(self.angles)
        object.__setattr__(self, "angles", frozen_floats(self.angles, (n, -1, 3), "angles"))
        object.__setattr__(self, "wrists", frozen_floats(self.wrists, (n, 4, 4), "wrists"))


def give_way(around: Surroundings, motion: Motion, keep: FloatArray, *, bounds: FloatArray, moves: bool) -> Motion:
    """A motion that is as near to the planned one as the skin's being kept out of everything allows.

    Args:
        around: The hand and what it must not touch.
        motion: As planned. The first frame stays, and so does the last if nothing is kept there.
        keep: How much of what the hand has yielded it keeps at each frame, from 1 down to 0. Shape (n,).
        bounds: Least and largest flexion of each joint in [rad]. Shape (m, 2).
        moves: Whether the wrist may yield.
    """
    return _Yielding(around, motion, bounds, moves=moves).follow(keep)


class _Yielding:
    """Follows one motion."""

    def __init__(self, around: Surroundings, motion: Motion, bounds: FloatArray, *, moves: bool) -> None:
        self.around, self.motion, self.bounds, self.moves = around, motion, bounds, moves
        hand = around.skin.hand
        self.lever = max(0.5 * hand.reach, 1e-3)
        """Where the hand turns about, in front of its wrist, in [m]."""
        self.moved_by = _moved_by(hand.articulation.parents)
        self.free = np.flatnonzero(np.ptp(motion.angles[:, :, 0], axis=0) > 1e-6)
        self.need = np.minimum(around.each_gap(motion.angles[:1], motion.wrists[:1])[:, 0], CLEAR)
        self.shift, self.turn, self.bent = np.zeros(3), np.eye(3), np.zeros(len(bounds))

    def follow(self, keep: FloatArray) -> Motion:
        planned = self.motion
        angles, wrists = [planned.angles[0]], [planned.wrists[0]]
        gap = 0.0
        for row in range(1, len(keep)):
            length = self._length(row)
            share, kept = 0.0, float(keep[row - 1])
            while share < 1.0:
                step = max(max(STEP, 0.5 * gap) / max(length, _TINY), 1.0 / MOST_STEPS)
                share = min(share + step, 1.0)
                now = float(keep[row - 1] + share * (keep[row] - keep[row - 1]))
                self._fade(now / kept if kept > _TINY else 0.0)
                kept = now
                if now > 0.0 or row + 1 < len(keep):
                    gap = self._yield(*self._planned(row, share))
            posture, wrist = self._placed(*self._planned(row, 1.0))
            angles.append(posture)
            wrists.append(wrist)
        return Motion(np.array(angles), np.array(wrists))

    def _planned(self, row: int, share: float) -> tuple[FloatArray, FloatArray]:
        """Angles and hand as planned, at a share of the way to a frame from the one before it."""
        angles, wrists = self.motion.angles, self.motion.wrists
        wrist = wrists[row - 1] + share * (wrists[row] - wrists[row - 1])
        axis, angle = axis_angle_from_matrix(wrists[row, :3, :3] @ wrists[row - 1, :3, :3].T)
        wrist[:3, :3] = matrix_from_axis_angle(axis, share * angle) @ wrists[row - 1, :3, :3]
        return angles[row - 1] + share * (angles[row] - angles[row - 1]), wrist

    def _placed(self, angles: FloatArray, wrist: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Angles and hand after what they have yielded."""
        out, placed = angles.copy(), wrist.copy()
        out[self.free, 0] = np.clip(angles[self.free, 0] + self.bent[self.free], *self.bounds[self.free].T)
        pivot = self._pivot(wrist)
        placed[:3, :3] = self.turn @ wrist[:3, :3]
        placed[:3, 3] = self.turn @ (wrist[:3, 3] - pivot) + pivot + self.shift
        return out, placed

    def _pivot(self, wrist: FloatArray) -> FloatArray:
        return wrist[:3, 3] + self.lever * wrist[:3, 2]

    def _fade(self, part: float) -> None:
        axis, angle = axis_angle_from_matrix(self.turn)
        self.shift, self.bent = part * self.shift, part * self.bent
        self.turn = matrix_from_axis_angle(axis, part * angle)

    def _length(self, row: int) -> float:
        """How far in [m] a few balls of the hand go at most from the frame before to this one, as planned."""
        skinned, rows = self.around.skin.coarse, slice(row - 1, row + 1)
        motions = skinned.motions(self.motion.angles[rows], self.motion.wrists[rows, :3])
        before, after = skinned.all_positions(motions)
        return float(np.linalg.norm(after - before, axis=1).max())

    def _yield(self, angles: FloatArray, wrist: FloatArray) -> float:
        """Yield to what the skin runs into; how near in [m] the rest of it is at least."""
        least = 0.0
        for _ in range(ROUNDS):
            posture, placed = self._placed(angles, wrist)
            near = self.around.near_skin(posture, placed, within=self.need, margin=CLOSE_BY)
            least = near.least
            if not len(near.short) or near.short.max() < _ENOUGH:
                break
            self._push(near, posture, placed, self._pivot(wrist) + self.shift)
            self.bent[self.free] = (
                np.clip(angles[self.free, 0] + self.bent[self.free], *self.bounds[self.free].T) - angles[self.free, 0]
            )
        return max(least, 0.0)

    def _push(self, near: NearSkin, angles: FloatArray, wrist: FloatArray, pivot: FloatArray) -> None:
        """Move wrist and joints by the least that takes the skin out: damped least squares."""
        arms = np.cross(near.points - pivot, near.normals) / self.lever
        frames = joint_frames(self.around.skin.hand.articulation, angles)
        axes, origins = self._axes(frames.rotations) @ wrist[:3, :3].T, frames.origins @ wrist[:3, :3].T + wrist[:3, 3]
        levers = np.cross(axes, near.points[:, None] - origins)
        bends = np.einsum("pji,pi->pj", levers, near.normals) * self.moved_by[near.owners]
        J = np.column_stack([near.normals, arms, bends[:, self.free] / self.lever])
        if not self.moves:
            J[:, :6] = 0.0
        H = J.T @ J
        weights = np.concatenate([np.ones(6), np.full(len(self.free), STIFF)])
        H[np.diag_indices_from(H)] += DAMPING * max(float(np.trace(H)) / len(H), _TINY) * weights
        x = np.linalg.solve(H, J.T @ np.maximum(near.short, 0.0))
        x *= min(1.0, MOST_YIELD / max(float(np.abs(x).max()), _TINY))
        self.shift = self.shift + x[:3]
        angle = float(np.linalg.norm(x[3:6])) / self.lever
        if angle > _TINY:
            self.turn = matrix_from_axis_angle(x[3:6] / (angle * self.lever), angle) @ self.turn
        self.bent[self.free] += x[6:] / self.lever

    def _axes(self, rotations: FloatArray) -> FloatArray:
        """About what each joint flexes, in the hand's frame. Shape (m, 3)."""
        joints = self.around.skin.hand.articulation
        before = np.where((joints.parents < 0)[:, None, None], np.eye(3), rotations[joints.parents])
        return np.einsum("mij,mj->mi", before, joints.zeros[:, :, 0] * joints.signs[:, :1])


def _moved_by(parents: IntArray) -> BoolArray:
    """Which joints move the skin of which, the palm last: that has none. Shape (m + 1, m)."""
    m = len(parents)
    out = np.zeros((m + 1, m), dtype=np.bool_)
    for joint in range(m):
        above = joint
        while above >= 0:
            out[joint, above] = True
            above = int(parents[above])
    return out
