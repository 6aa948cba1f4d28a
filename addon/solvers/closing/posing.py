# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the joints of closing fingers take points, again and again: what does not change is computed once."""

from __future__ import annotations

import numpy as np

from ...core.arrays import FloatArray, IntArray
from ...core.articulation import compose_axes_first, turns_axes_first
from .motion import Skinned
from .movement import Movement


class Posing:
    """Points of the closing fingers of a movement in the world; the twin of `Skinned.motions` and `positions`.

    Only closing fingers are computed, with what they hang on, and where fingers close without going aside a turn is the
    sum of three matrices, two of them times the cosine and sine of the flexion.
    """

    def __init__(self, skinned: Skinned, movement: Movement) -> None:
        """Find what stays the same."""
        self._skinned, self._movement = skinned, movement
        hand = skinned.hand
        parents = hand.articulation.parents
        wanted = movement.fingers[hand.finger_of]
        for j in range(len(parents) - 1, -1, -1):
            if wanted[j] and parents[j] >= 0:
                wanted[parents[j]] = True
        self._joints = np.flatnonzero(wanted)
        # Where each joint is among those, the wrist last.
        self._number = np.full(len(parents) + 1, len(self._joints), dtype=np.int64)
        self._number[self._joints] = np.arange(len(self._joints))
        self._levels: list[tuple[IntArray, IntArray, FloatArray]] = []
        for joints, above in hand.articulation.levels:
            mine = np.flatnonzero(wanted[joints])
            if len(mine):
                offsets = hand.articulation.offsets[joints[mine]].T[..., None]
                self._levels.append((self._number[joints[mine]], self._number[above[mine]], offsets))
        signs = hand.articulation.signs[self._joints]
        self._start = (signs * movement.start[:, self._joints]).transpose(2, 1, 0)
        self._way = (signs * (movement.end - movement.start)[:, self._joints]).transpose(2, 1, 0)
        self._flexing = not self._way[1:].any()
        self._zeros = hand.articulation.zeros[self._joints].transpose(1, 2, 0)[..., None]
        self._parts = self._flexing_parts() if self._flexing else None
        self.take(np.arange(len(movement.start)))

    def take(self, postures: IntArray) -> None:
        """Go on with some of the postures (b,)."""
        self.postures = postures
        self._wrists = np.ascontiguousarray(self._movement.wrists[postures].transpose(1, 2, 0))
        self._from, self._to = self._start[..., postures], self._way[..., postures]
        self._local = None if self._parts is None else [part[..., postures] for part in self._parts]

    def positions(self, shares: FloatArray, posture: IntArray, point: IntArray) -> FloatArray:
        """World positions in [m] of points in postures but for what other fingers carry. Shape (n, 3).

        Args:
            shares: Share of its turn that each joint of the postures taken has made. Shape (b, m).
            posture: Number of each point's posture among those taken. Shape (n,).
            point: Shape (n,).
        """
        table = self._table(np.ascontiguousarray(shares[:, self._joints].T))
        skinned = self._skinned
        slots = self._number[skinned.slots[point]]
        rows = table.take((slots + (len(self._joints) + 1) * posture[:, None]), axis=0)
        out = np.einsum("nc,nci->ni", skinned.slot_coefficients[point], rows.reshape(len(point), -1, 3))
        if skinned.bulges:
            bulging = np.flatnonzero(skinned.probes.volume[point])
            chains = self._number[skinned.chains_and_wrist[skinned.finger[point[bulging]]]]
            rows = table.take(chains + (len(self._joints) + 1) * posture[bulging][:, None], axis=0)
            out[bulging] = skinned.bulge(rows.reshape(len(bulging), -1, 3), point[bulging])
        return out

    def _table(self, shares: FloatArray) -> FloatArray:
        """Axes and origins of all joints in the world, posture by posture, the wrist last. Shape (b (j + 1), 12)."""
        j, b = shares.shape
        if self._local is not None:
            flexion = self._from[0] + shares * self._to[0]
            local = self._local[1] * np.cos(flexion)
            local += self._local[0]
            local += self._local[2] * np.sin(flexion)
        else:
            local = compose_axes_first(self._zeros, turns_axes_first(self._from + shares * self._to))
        # Rows 0 to 2 are the axes, row 3 the origin; the second index is the world's axis.
        frames = np.empty((4, 3, j + 1, b))
        frames[:3, :, j] = self._wrists[:, :3].transpose(1, 0, 2)
        frames[3, :, j] = self._wrists[:, 3]
        for joints, parents, offsets in self._levels:
            before, turn = frames[:, :, parents], local[:, :, joints]
            frames[:3, :, joints] = (
                turn[0][:, None] * before[0] + turn[1][:, None] * before[1] + turn[2][:, None] * before[2]
            )
            frames[3][:, joints] = before[3] + before[0] * offsets[0] + before[1] * offsets[1] + before[2] * offsets[2]
        return np.ascontiguousarray(frames.transpose(3, 2, 0, 1)).reshape(b * (j + 1), 12)

    def _flexing_parts(self) -> list[FloatArray]:
        """Turns as a sum: what is added, what the flexion's cosine takes and what its sine. Shapes (3, 3, j, a)."""
        still = self._start.copy()
        still[0] = 0.0
        rest = turns_axes_first(still)
        first, second, third = self._zeros[:, :1], self._zeros[:, 1:2], self._zeros[:, 2:]
        return [first * rest[0], second * rest[1] + third * rest[2], third * rest[1] - second * rest[2]]
