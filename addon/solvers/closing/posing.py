# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the joints of closing fingers take points, again and again: what does not change is computed once.

Arrays have the axes of space first and postures last, as numpy then runs along joints and postures: products of many
small matrices take it several times as long.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import FloatArray, IntArray
from ...core.articulation import compose_axes_first, turns_axes_first
from .motion import Skinned
from .movement import Movement

_AXES = np.eye(3)
_TURN_PARTS = np.array([(np.outer(e, e), _AXES - np.outer(e, e), np.cross(e, _AXES).T) for e in _AXES])
"""A turn about each axis is the sum of the first, the second times its cosine and the third times its sine."""


@dataclass(frozen=True, eq=False)
class _Group:
    """Joints of whose angles the same ones change during the movement, or differ between postures."""

    joints: IntArray
    """Their numbers among the joints of closing fingers. Shape (j,)."""
    start: FloatArray
    """Those angles at the start in [rad]. Shape (v, j, a)."""
    way: FloatArray
    """By how much they change. Shape (v, j, a)."""
    parts: FloatArray
    """What the products of 1, cosine and sine of those angles are weighted with. Shape (j, 12, 3^v)."""

    def take(self, postures: IntArray) -> _Group:
        """The same for some of the postures (b,)."""
        return _Group(self.joints, self.start[..., postures], self.way[..., postures], self.parts)


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
        levels = [joints[wanted[joints]] for joints, _ in articulation.levels]
        levels = [joints for joints in levels if len(joints)]
        self._joints = np.concatenate([np.empty(0, dtype=np.int64), *levels])
        # Where each joint is among those, the wrist last.
        self._number = np.full(len(wanted) + 1, len(self._joints), dtype=np.int64)
        self._number[self._joints] = np.arange(len(self._joints))
        ends = np.cumsum([len(joints) for joints in levels]).tolist()
        self._levels = [
            (slice(end - len(joints), end), self._number[articulation.parents[joints]])
            for end, joints in zip(ends, levels, strict=True)
        ]
        groups: dict[tuple[bool, ...], list[int]] = {}
        start, end = movement.start[:, self._joints], movement.end[:, self._joints]
        changing = (end != start).any(axis=0) | (start != start[:1]).any(axis=0)
        for j, axes in zip(self._joints.tolist(), changing.tolist(), strict=True):
            groups.setdefault(tuple(axes), []).append(j)
        self._every = [self._group(np.array(joints), varying) for varying, joints in groups.items()]
        self.take(np.arange(len(movement.start)))

    def take(self, postures: IntArray) -> None:
        """Go on with some of the postures (b,)."""
        self.postures = postures
        whole = len(postures) == len(self._movement.start)
        self._groups = self._every if whole else [group.take(postures) for group in self._every]
        # Rows are the axes and the origin of each frame: first in the one before, then in the world, the wrist's last.
        self._local = np.empty((12, len(self._joints), len(postures)))
        self._frames = np.empty((4, 3, len(self._joints) + 1, len(postures)))
        self._frames[:, :, -1] = self._movement.wrists[postures].transpose(2, 1, 0)
        for group in self._groups:
            if not len(group.start):
                self._local[:, group.joints] = group.parts.transpose(1, 0, 2)
        if self._movement.windows is not None:
            windows = self._movement.windows[np.ix_(postures, self._joints)].transpose(2, 1, 0)
            self._begin, self._length = windows[0], windows[1] - windows[0]

    def positions(self, shares: FloatArray, posture: IntArray, point: IntArray) -> FloatArray:
        """World positions in [m] of points in postures but for what other fingers carry. Shape (n, 3).

        Args:
            shares: Share of its turn that each joint of the postures taken has made. Shape (b, m).
            posture: Number of each point's posture among those taken. Shape (n,).
            point: Shape (n,).
        """
        return self._places(shares.T.take(self._joints, axis=0), posture, point)

    def positions_at(self, progress: FloatArray, posture: IntArray, point: IntArray) -> FloatArray:
        """The same where every joint of any posture (a, m) is that far in the movement. Shape (n, 3)."""
        shares = progress.T.take(self._joints, axis=0)
        if shares.shape[1] != len(self.postures):
            shares = shares.take(self.postures, axis=1)
        if self._movement.windows is not None:
            shares -= self._begin
            shares /= self._length
        np.maximum(shares, 0.0, out=shares)
        np.minimum(shares, 1.0, out=shares)
        return self._places(shares, posture, point)

    def _places(self, shares: FloatArray, posture: IntArray, point: IntArray) -> FloatArray:
        """Positions when joints of closing fingers have made those shares (j, b) of their turns."""
        self._pose(shares)
        skinned, count = self._skinned, shares.shape[1]
        slots, coefficients = skinned.slots_by_place
        frames: FloatArray = self._frames.reshape(12, -1)
        node: IntArray = self._number.take(slots.take(point, axis=1))
        node *= count
        node += posture
        rows: FloatArray = frames.take(node, axis=1)
        rows = rows.reshape(4, 3, *node.shape)
        out = np.einsum("rkn,rckn->cn", coefficients.take(point, axis=2), rows).T
        if skinned.bulges:
            bulging = skinned.probes.volume[point].nonzero()[0]
            chains = self._number[skinned.chains_and_wrist[skinned.finger[point[bulging]]]]
            spots: IntArray = count * chains + posture[bulging][:, None]
            rows = frames.take(spots, axis=1)
            rows = rows.transpose(1, 2, 0).reshape(len(bulging), -1, 3)
            out[bulging] = skinned.bulge(rows, point[bulging])
        return out

    def _pose(self, shares: FloatArray) -> None:
        """Bring all frames to where joints have made those shares (j, b) of their turns."""
        frames = self._frames
        for group in self._groups:
            if len(group.start):
                factors = _products(group.start + shares.take(group.joints, axis=0) * group.way)
                self._local[:, group.joints] = (group.parts @ factors.swapaxes(0, 1)).swapaxes(0, 1)
        local = self._local.reshape(4, 3, *self._local.shape[1:])
        for joints, parents in self._levels:
            before = frames.take(parents, axis=2)
            now = np.einsum("rkjb,kcjb->rcjb", local[:, :, joints], before[:3])
            now[3] += before[3]
            frames[:, :, joints] = now

    def _group(self, joints: IntArray, varying: tuple[bool, ...]) -> _Group:
        """Joints of whose angles those change."""
        articulation, movement = self._skinned.hand.articulation, self._movement
        signs = articulation.signs[joints].T[..., None]
        start = signs * movement.start[:, joints].transpose(2, 1, 0)
        way = signs * (movement.end[:, joints] - movement.start[:, joints]).transpose(2, 1, 0)
        # Axes of the matrices, terms and joints.
        terms = articulation.zeros[joints].transpose(1, 2, 0)[:, :, None]
        for axis, varies in enumerate(varying):
            if varies:
                parts = _TURN_PARTS[axis].transpose(1, 2, 0)[:, :, None, :, None]
                terms = compose_axes_first(terms[:, :, :, None], parts).reshape(3, 3, -1, len(joints))
            elif start[axis].any():
                angles = np.zeros((3, len(joints)))
                angles[axis] = start[axis, :, 0]
                terms = compose_axes_first(terms, turns_axes_first(angles)[:, :, None])
        parts = np.zeros((len(joints), 4, 3, terms.shape[2]))
        parts[:, :3] = terms.transpose(3, 1, 0, 2)
        parts[:, 3, :, 0] = articulation.offsets[joints]
        chosen = np.array(varying)
        return _Group(self._number[joints], start[chosen], way[chosen], parts.reshape(len(joints), 12, -1))


def _products(angles: FloatArray) -> FloatArray:
    """Products of 1, the cosine or the sine of every angle, the last angle's fastest. Shape (v, ...) to (3^v, ...)."""
    each = np.empty((len(angles), 3, *angles.shape[1:]))
    each[:, 0] = 1.0
    np.cos(angles, out=each[:, 1])
    np.sin(angles, out=each[:, 2])
    out = each[0]
    for more in each[1:]:
        out = (out[:, None] * more).reshape(-1, *more.shape[1:])
    return out
