# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a hand's probes go: skinning of many postures at once, and how fast each may move."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray
from ...core.articulation import joint_frames
from .hand import ClosingHand, Probes
from .motions import Motions
from .shares import chain_shares, finger_shares, guarding, joint_coefficients, lever_lengths, posed_spreads
from .volume import blend_volume

_CLUSTER = 8e-3
"""Size in [m] of the groups of probes that are ruled out by one distance."""
_SPEAKERS = 0.5
"""Where more than this share of all probes would speak for others, each is asked for itself."""
_NOTICED = 0.01
"""Fingers with less of a share in a point do not move it noticeably: by half a millimetre at most."""


@dataclass(frozen=True, eq=False)
class Copies:
    """Which points are copies of which, each for a finger of its own."""

    base: Skinned
    """Every point once."""
    sources: IntArray
    """The point that each is a copy of; the points themselves come first. Shape (p,)."""
    fingers: IntArray
    """The finger that each is moved by. Shape (p,)."""


@dataclass(frozen=True, eq=False)
class Skinned:
    """Probes of a hand, prepared for moving.

    A point belongs to the finger that moves it most. What other fingers do to it, as to the skin between two of them,
    is added as `carried`, which is computed for whole postures and kept while one finger closes. `doubled` has a copy
    of it for each of those fingers, so that they stop at it too.
    """

    hand: ClosingHand
    """Whose they are."""
    probes: Probes
    """The points."""
    copies: Copies | None = None
    """Which of them are copies; None where none is."""

    @cached_property
    def finger(self) -> IntArray:
        """The finger that moves each point most, or that it is a copy for; -1 for none. Shape (p,)."""
        if self.copies is not None:
            return self.copies.fingers
        most = np.argmax(self._finger_shares, axis=1)
        return np.where(self._finger_shares[np.arange(len(most)), most] > 1e-4, most, -1)

    @cached_property
    def _finger_shares(self) -> FloatArray:
        """Share of each finger in each point. Shape (p, f)."""
        return finger_shares(self.hand, self.probes)

    @cached_property
    def doubled(self) -> Skinned:
        """The points, and copies of those that several fingers move for all but the finger that moves them most."""
        shares = np.where(np.arange(len(self.hand.chains)) == self.finger[:, None], 0.0, self._finger_shares)
        point, finger = np.nonzero(shares > _NOTICED)
        if not len(point):
            return self
        sources = np.concatenate([np.arange(len(self.finger)), point])
        copies = Copies(self, sources, np.concatenate([self.finger, finger]))
        return Skinned(self.hand, self.probes.take(sources), copies)

    @cached_property
    def place(self) -> IntArray:
        """Position in its chain of the joint that owns each point, -1 for the palm. Shape (p,)."""
        owners = self.probes.owners
        own = (owners >= 0) & (self.hand.finger_of[owners] == self.finger)
        return np.where(own, self.hand.places[owners], -1)

    @cached_property
    def shares(self) -> FloatArray:
        """Share of each joint of the point's finger, and last that of everything else. Shape (p, l + 1)."""
        return chain_shares(self.hand, self.probes, self.finger)

    @cached_property
    def local(self) -> FloatArray:
        """Each point in the rest frames of its finger's joints, last in the hand's. Shape (p, l + 1, 3)."""
        chains, rest = self.hand.chains, self.hand.rest
        points = self.probes.points
        out = np.empty((len(points), chains.shape[1] + 1, 3))
        out[:, -1] = points
        for place in range(chains.shape[1]):
            joint = chains[self.finger, place]
            turn, origin = rest.rotations[joint], rest.origins[joint]
            out[:, place] = np.einsum("pi,pij->pj", points - origin, turn)
        return out

    @cached_property
    def coefficients(self) -> FloatArray:
        """What the rows of a finger's motion are weighted with to give a point. Shape (p, 4 (l + 1))."""
        ones = np.ones((*self.local.shape[:2], 1))
        return (self.shares[:, :, None] * np.concatenate([self.local, ones], axis=2)).reshape(len(self.local), -1)

    @cached_property
    def slots_by_place(self) -> tuple[IntArray, FloatArray]:
        """Joints with a share in each point, -1 for the wrist and to fill up (k, p), and coefficients (4, k, p).

        These are what the rows of the joints' motions are weighted with to give the point.
        """
        order = self._slot_order
        slots = np.where(order >= 0, self.chains_and_wrist[self.finger[:, None], order], -1)
        coefficients = self.coefficients.reshape(len(self.local), -1, 4)
        taken = coefficients[np.arange(len(self.local))[:, None], order]
        taken = np.where(order[..., None] >= 0, taken, 0.0)
        return np.ascontiguousarray(slots.T), np.ascontiguousarray(taken.transpose(2, 1, 0))

    @cached_property
    def _slot_order(self) -> IntArray:
        """Places in their chains of the joints with a share in each point, the wrist's last, -1 to fill up. (p, k)."""
        order = np.argsort(self.shares == 0.0, axis=1, kind="stable")
        count: IntArray = np.array((self.shares != 0.0).sum(axis=1), dtype=np.int64)
        most = max(int(count.max(initial=0)), 1)
        within: BoolArray = np.arange(most) < count[:, None]
        return np.where(within, order[:, :most], -1)

    @cached_property
    def chains_and_wrist(self) -> IntArray:
        """Joints of each finger, filled up with -1, and -1 for the wrist. Shape (f, l + 1)."""
        return np.column_stack([self.hand.chains, np.full(len(self.hand.chains), -1)])

    @cached_property
    def bulges(self) -> bool:
        """Whether any point's motions are blended as dual quaternions."""
        return bool(self.probes.volume.any())

    @cached_property
    def levers(self) -> FloatArray:
        """How far a point moves at most for each radian of each joint of its finger, in [m/rad]. Shape (p, l)."""
        return lever_lengths(self.hand, self.finger, self.shares, self.local, self.probes.volume)

    @cached_property
    def guards(self) -> BoolArray:
        """Points that may run into the hand itself. Shape (p,)."""
        return guarding(self.hand, self.probes, self.finger, self.place)

    @cached_property
    def drives(self) -> BoolArray:
        """Joints, by finger and place, that move any probe of their finger. Shape (f, l)."""
        out = np.zeros(self.hand.chains.shape, dtype=np.bool_)
        for finger, row in enumerate(out):
            row[:] = (self.levers[self.finger == finger] > 0.0).any(axis=0)
        return out

    @cached_property
    def by_owner(self) -> tuple[IntArray, IntArray]:
        """Points in the order of the joints that own them (p,), and where each joint's begin among them."""
        owners = self.probes.owners
        order = np.argsort(owners, kind="stable")
        return order, np.flatnonzero(np.diff(owners[order], prepend=-2))

    @cached_property
    def by_finger(self) -> tuple[tuple[int, IntArray, FloatArray], ...]:
        """Fingers that move any point, those points, and their coefficients."""
        found = [(f, np.flatnonzero(self.finger == f)) for f in range(-1, len(self.hand.chains))]
        return tuple((f, mine, self.coefficients[mine]) for f, mine in found if len(mine))

    @cached_property
    def leads(self) -> IntArray:
        """A near point of the same joint that can speak for each point. Shape (p,)."""
        cells = np.floor(self.probes.points / _CLUSTER).astype(np.int64)
        keys = np.column_stack([cells, self.probes.owners, self.finger])
        _, first, group = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        return first[group.reshape(-1)]

    @cached_property
    def speakers(self) -> tuple[IntArray, IntArray]:
        """The points that speak for others (q,), and for each point its speaker's place among them (p,)."""
        if self.copies is not None:
            leads, lead_of = self.copies.base.speakers
            return leads, lead_of[self.copies.sources]
        leads, lead_of = np.unique(self.leads, return_inverse=True)
        return leads, lead_of.reshape(-1)

    @cached_property
    def few(self) -> bool:
        """Whether hardly any point can speak for another, and no finger moves what is another's."""
        return len(self.speakers[0]) > _SPEAKERS * len(self.finger) and not len(self.shared)

    @cached_property
    def spreads(self) -> FloatArray:
        """How far in [m] each point may be from its speaker in any posture; not for dual quaternions. Shape (p,)."""
        return posed_spreads(self.hand, self.probes, self.leads)

    @cached_property
    def shared(self) -> IntArray:
        """Points that joints of other fingers move too. Shape (s,)."""
        return np.flatnonzero(self.is_shared)

    @cached_property
    def of_several(self) -> Skinned:
        """The shared points alone."""
        return Skinned(self.hand, self.probes.take(self.shared))

    @cached_property
    def is_shared(self) -> BoolArray:
        """Whether joints of other fingers move a point too. Shape (p,)."""
        return np.asarray(self._foreign.any(axis=1))

    @cached_property
    def _foreign(self) -> BoolArray:
        """Which weights are of other fingers' joints. Shape (p, k)."""
        joints = self.probes.joints
        other = (joints >= 0) & (self.hand.finger_of[joints] != self.finger[:, None])
        return other & (self.probes.weights > 1e-6)

    def carried(self, motions: Motions) -> FloatArray:
        """How far in [m] other fingers carry the shared points in the world, from where they lie at rest. (a, s, 3)."""
        carriers, still = self._carriers
        frames, count = motions.frames, len(motions.wrists)
        rows = np.empty((count, len(self.hand.finger_of), 4, 3))
        rows[:, :, :3], rows[:, :, 3] = np.swapaxes(frames.rotations, -1, -2), frames.origins
        return (carriers @ rows.reshape(count, -1, 3) - still) @ np.swapaxes(motions.wrists[:, :, :3], -1, -2)

    @cached_property
    def _carriers(self) -> tuple[FloatArray, FloatArray]:
        """What rows x, y, z and 1 of all joints carry the shared points with, and what that is at rest.

        Most of it is zeros, but one product of large matrices takes less time than many of small ones. Shapes (s, 4 m),
        (s, 3).
        """
        place, slot = np.nonzero(self._foreign[self.shared])
        point = self.shared[place]
        joint, weight = self.probes.joints[point, slot], self.probes.weights[point, slot]
        away = self.probes.points[point] - self.hand.rest.origins[joint]
        local = np.einsum("si,sij->sj", away, self.hand.rest.rotations[joint])
        carriers = np.zeros((len(self.shared), len(self.hand.finger_of), 4))
        np.add.at(carriers, (place, joint), weight[:, None] * np.column_stack([local, np.ones(len(local))]))
        still = np.zeros((len(self.shared), 3))
        np.add.at(still, place, weight[:, None] * self.probes.points[point])
        return carriers.reshape(len(self.shared), -1), still

    def motions(self, angles: FloatArray, wrists: FloatArray) -> Motions:
        """Motions of all joints in the world.

        Args:
            angles: Shape (a, m, 3) in [rad].
            wrists: The hand's frames in the world in [m]. Shape (a, 3, 4).
        """
        frames = joint_frames(self.hand.articulation, angles)
        turn, origin = wrists[:, None, :, :3], wrists[:, None, :, 3]
        rotations = turn @ frames.rotations
        origins = (turn @ frames.origins[..., None])[..., 0] + origin
        # Rows x, y, z and 1 of every joint; the wrist last, where the chains' -1 finds it.
        rows = np.empty((len(angles), len(self.hand.finger_of) + 1, 4, 3))
        rows[:, :-1, :3], rows[:, :-1, 3] = np.swapaxes(rotations, -1, -2), origins
        rows[:, -1, :3], rows[:, -1, 3] = np.swapaxes(wrists[:, :, :3], -1, -2), wrists[:, :, 3]
        chains = self.chains_and_wrist
        # For points of no finger any chain does: only the wrist moves them.
        return Motions(rows[:, chains].reshape(len(angles), len(chains), -1, 3), rows, frames, wrists)

    def positions(self, motions: Motions, posture: IntArray, point: IntArray) -> FloatArray:
        """World positions in [m] of points in postures but for what is carried, one row for each pair. Shape (n, 3)."""
        rows = motions.rows[posture, self.finger[point]]
        out = np.einsum("nc,nci->ni", self.coefficients[point], rows)
        bulging = self.probes.volume[point]
        if bulging.any():
            out[bulging] = self.bulge(rows[bulging], point[bulging])
        return out

    def some_positions(self, motions: Motions, posture: IntArray, point: IntArray) -> FloatArray:
        """World positions in [m] of points in postures, carried ones too; not for dual quaternions. Shape (n, 3)."""
        rows = motions.joints[posture[:, None], self.probes.joints[point]].reshape(len(point), -1, 3)
        return (self._all_coefficients[point][:, None] @ rows)[:, 0]

    @cached_property
    def _all_coefficients(self) -> FloatArray:
        """What the rows of the motions of all joints of a point are weighted with. Shape (p, 4 k)."""
        return joint_coefficients(self.hand, self.probes)

    def all_positions(self, motions: Motions) -> FloatArray:
        """World positions in [m] of all points in all postures. Shape (a, p, 3)."""
        if self.copies is not None:
            return self.copies.base.all_positions(motions).take(self.copies.sources, axis=1)
        count = len(motions.rows)
        out = np.empty((count, len(self.finger), 3))
        for finger, mine, coefficients in self.by_finger:
            rows = motions.rows[:, finger].transpose(1, 0, 2).reshape(coefficients.shape[1], -1)
            out[:, mine] = (coefficients @ rows).reshape(len(mine), count, 3).transpose(1, 0, 2)
        if self.bulges:
            bulging = np.flatnonzero(self.probes.volume)
            posture, point = np.repeat(np.arange(count), len(bulging)), np.tile(bulging, count)
            found = self.bulge(motions.rows[posture, self.finger[point]], point)
            out[:, bulging] = found.reshape(count, len(bulging), 3)
        if len(self.shared):
            out[:, self.shared] += self.carried(motions)
        return out

    def positions_at(self, angles: FloatArray, wrists: FloatArray) -> FloatArray:
        """World positions in [m] of all points of one posture (m, 3) at many wrists (a, 3, 4). Shape (a, p, 3)."""
        places = self.all_positions(self.motions(angles[None], np.eye(3, 4)[None]))[0]
        return places @ np.swapaxes(wrists[:, :, :3], -1, -2) + wrists[:, None, :, 3]

    def bulge(self, rows: FloatArray, point: IntArray) -> FloatArray:
        """Positions in [m] by blending dual quaternions of motions from rest. Shape (n, 3).

        Args:
            rows: Rows of `Motions` for the posture and the finger of each point. Shape (n, 4 (l + 1), 3).
            point: Shape (n,).
        """
        joints, rest = self.hand.chains[self.finger[point]], self.hand.rest
        still = np.broadcast_to(np.eye(3), (len(rows), 1, 3, 3))
        turns = np.concatenate([rest.rotations[joints], still], axis=1)
        origins = np.concatenate([rest.origins[joints], np.zeros((len(rows), 1, 3))], axis=1)
        return blend_volume(rows, turns, origins, self.shares[point], self.probes.points[point])
