# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the joints of closing fingers take points, again and again: what does not change is computed once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import FloatArray, IntArray
from ...core.articulation import turns_axes_first
from .motion import Skinned
from .movement import Movement

_AXES = np.eye(3)
_TURN_PARTS = np.array([(np.outer(e, e), _AXES - np.outer(e, e), np.cross(e, _AXES).T) for e in _AXES])
"""A turn about each axis is the sum of the first, the second times its cosine and the third times its sine."""


@dataclass(frozen=True, eq=False)
class _Group:
    """Joints of whose angles the same ones change during the movement."""

    joints: IntArray
    """Their numbers among the joints of closing fingers. Shape (j,)."""
    start: FloatArray
    """Those angles at the start in [rad]. Shape (v, a, j)."""
    way: FloatArray
    """By how much they change. Shape (v, a, j)."""
    parts: FloatArray
    """What the products of 1, cosine and sine of those angles are weighted with. Shape (3^v, a, j, 4, 4)."""

    def take(self, postures: IntArray) -> _Group:
        """The same for some of the postures (b,)."""
        return _Group(self.joints, self.start[:, postures], self.way[:, postures], self.parts[:, postures])


class Posing:
    """Points of the closing fingers of a movement in the world; the twin of `Skinned.motions` and `positions`.

    Only closing fingers are computed, with what they hang on. A turn about a fixed axis is a sum of three matrices, two
    of them times the cosine and the sine of its angle, so a joint's frame is a sum of fixed matrices as well.
    """

    def __init__(self, skinned: Skinned, movement: Movement) -> None:
        """Find what stays the same."""
        self._skinned, self._movement = skinned, movement
        articulation = skinned.hand.articulation
        wanted = movement.fingers[skinned.hand.finger_of]
        for j in range(len(wanted) - 1, -1, -1):
            parent = int(articulation.parents[j])
            wanted[parent] |= parent >= 0 and wanted[j]
        self._joints = np.flatnonzero(wanted)
        # Where each joint is among those, the wrist last.
        self._number = np.full(len(wanted) + 1, len(self._joints), dtype=np.int64)
        self._number[self._joints] = np.arange(len(self._joints))
        levels = [joints[wanted[joints]] for joints, _ in articulation.levels]
        self._levels = [(self._number[each], self._number[articulation.parents[each]]) for each in levels if len(each)]
        groups: dict[tuple[int, ...], list[int]] = {}
        for j, changing in zip(self._joints, (movement.end != movement.start).any(axis=0)[self._joints], strict=True):
            groups.setdefault(tuple(np.flatnonzero(changing).tolist()), []).append(int(j))
        self._every = [self._group(np.array(joints), varying) for varying, joints in groups.items()]
        self.take(np.arange(len(movement.start)))

    def take(self, postures: IntArray) -> None:
        """Go on with some of the postures (b,)."""
        self.postures = postures
        self._groups = [group.take(postures) for group in self._every]
        # Rows are the axes and the origin of each frame: first in the one before, then in the world.
        self._local = np.empty((len(postures), len(self._joints), 4, 4))
        self._frames = np.empty((len(postures), len(self._joints) + 1, 4, 3))
        self._frames[:, -1] = np.swapaxes(self._movement.wrists[postures], -1, -2)

    def positions(self, shares: FloatArray, posture: IntArray, point: IntArray) -> FloatArray:
        """World positions in [m] of points in postures but for what other fingers carry. Shape (n, 3).

        Args:
            shares: Share of its turn that each joint of the postures taken has made. Shape (b, m).
            posture: Number of each point's posture among those taken. Shape (n,).
            point: Shape (n,).
        """
        self._pose(shares[:, self._joints])
        skinned, count = self._skinned, len(self._joints) + 1
        frames = self._frames.reshape(-1, 12)
        rows = frames.take(self._number[skinned.slots[point]] + (count * posture)[:, None], axis=0)
        out = (skinned.slot_coefficients[point][:, None] @ rows.reshape(len(point), -1, 3))[:, 0]
        if skinned.bulges:
            bulging = skinned.probes.volume[point].nonzero()[0]
            chains = self._number[skinned.chains_and_wrist[skinned.finger[point[bulging]]]]
            rows = frames.take(chains + (count * posture[bulging])[:, None], axis=0)
            out[bulging] = skinned.bulge(rows.reshape(len(bulging), -1, 3), point[bulging])
        return out

    def _pose(self, shares: FloatArray) -> None:
        """Bring all frames to where joints have made those shares (b, j) of their turns."""
        for group in self._groups:
            factors = _products(group.start + shares[:, group.joints] * group.way)
            self._local[:, group.joints] = np.einsum("kbj,kbjxy->bjxy", factors, group.parts)
        for joints, parents in self._levels:
            self._frames[:, joints] = self._local[:, joints] @ self._frames[:, parents]

    def _group(self, joints: IntArray, varying: tuple[int, ...]) -> _Group:
        """Joints of whose angles those change."""
        articulation, movement = self._skinned.hand.articulation, self._movement
        signs = articulation.signs[joints]
        start = (signs * movement.start[:, joints]).transpose(2, 0, 1)
        way = (signs * (movement.end[:, joints] - movement.start[:, joints])).transpose(2, 0, 1)
        terms = np.broadcast_to(articulation.zeros[joints], (1, *start.shape[1:], 3, 3))
        for axis in range(3):
            if axis in varying:
                terms = (terms[:, None] @ _TURN_PARTS[axis][:, None, None]).reshape(-1, *terms.shape[1:])
            elif start[axis].any():
                angles = np.zeros_like(start)
                angles[axis] = start[axis]
                terms = terms @ turns_axes_first(angles).transpose(2, 3, 0, 1)
        parts = np.zeros((*terms.shape[:3], 4, 4))
        parts[..., :3, :3] = np.swapaxes(terms, -1, -2)
        parts[0, ..., 3, :3] = articulation.offsets[joints]
        parts[0, ..., 3, 3] = 1.0
        chosen = list(varying)
        return _Group(self._number[joints], start[chosen], way[chosen], parts)


def _products(angles: FloatArray) -> FloatArray:
    """Products of 1, the cosine or the sine of every angle, the last angle's fastest. Shape (v, ...) to (3^v, ...)."""
    out = np.ones((1, *angles.shape[1:]))
    for cosine, sine in zip(np.cos(angles), np.sin(angles), strict=True):
        more = np.empty((len(out), 3, *out.shape[1:]))
        more[:, 0] = out
        np.multiply(out, cosine, out=more[:, 1])
        np.multiply(out, sine, out=more[:, 2])
        out = more.reshape(-1, *out.shape[1:])
    return out
