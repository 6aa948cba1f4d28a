# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The bookkeeping of closing: one row for every point of every closing finger that some barrier may stop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray
from .clearance import ITSELF, Barrier
from .motion import Skinned
from .movement import Movement
from .pace import Pace, pace_of

_NOTICED = 1e-4
"""Skin of others that a finger moves by less than this in [m] is not looked at when it closes..."""
_LITTLE = 0.7
"""... and neither is what it moves less than this, over how far the finger moves it that has most of a share."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Tasks are fingers of postures; rows are pairs of a task's probe and a barrier, in the order of the tasks."""

    skinned: Skinned
    """The probes."""
    barriers: Sequence[Barrier]
    """What may stop them."""
    finger: IntArray
    """Finger of each task. Shape (t,)."""
    posture: IntArray
    """Posture of each task. Shape (t,)."""
    length: IntArray
    """Joints of each task's finger. Shape (t,)."""
    pace: Pace
    """When and how fast they turn."""
    begins: IntArray
    """First row of each task. Shape (t,)."""
    task: IntArray
    """Task of each row. Shape (n,)."""
    point: IntArray
    """Probe of each row. Shape (n,)."""
    barrier: IntArray
    """Barrier of each row. Shape (n,)."""
    kind: IntArray
    """What that is. Shape (n,)."""
    place: IntArray
    """Position in its chain of the joint that owns the probe. Shape (n,)."""
    levers: FloatArray
    """How far the probe moves at most for each radian of each joint, in [m/rad]. Shape (n, l)."""
    give: FloatArray
    """How deep in [m] the probe's middle may go: what its barrier gives, less its radius. Shape (n,)."""

    def moved(self, turns: FloatArray) -> FloatArray:
        """How far all rows move at most in [m] when the joints of tasks turn by `turns` in [rad] (t, l). Shape (n,)."""
        return np.einsum("nl,nl->n", self.levers, turns.take(self.task, axis=0))

    def some_moved(self, rows: IntArray, turns: FloatArray) -> FloatArray:
        """The same for some rows (k,). Shape (k,)."""
        return np.einsum("nl,nl->n", self.levers.take(rows, axis=0), turns.take(self.task.take(rows), axis=0))

    def take(self, tasks: BoolArray, rows: BoolArray) -> Rows:
        """Some of the tasks (t,) and of their rows (n,), of which each needs one at least."""
        number = np.cumsum(tasks) - 1
        task = number[self.task[rows]]
        return Rows(
            skinned=self.skinned,
            barriers=self.barriers,
            finger=self.finger[tasks],
            posture=self.posture[tasks],
            length=self.length[tasks],
            pace=self.pace.take(tasks),
            begins=np.flatnonzero(np.diff(task, prepend=-1)),
            task=task,
            point=self.point[rows],
            barrier=self.barrier[rows],
            kind=self.kind[rows],
            place=self.place[rows],
            levers=self.levers[rows],
            give=self.give[rows],
        )

    def measure(self, rows: IntArray, places: FloatArray, *, exactly: tuple[float, float] | None = None) -> FloatArray:
        """How far in [m] rows may still go where their probes are at `places` (k, 3).

        Args:
            rows: Shape (k,).
            places: In the world in [m]. Shape (k, 3).
            exactly: Results between these in [m] are to be exact.
        """
        give, which = self.give.take(rows), self.barrier.take(rows)
        if len(self.barriers) == 1:
            return self._distances(self.barriers[0], rows, places, give, exactly) + give
        out = give.copy()
        for number, barrier in enumerate(self.barriers):
            own = (which == number).nonzero()[0]
            if len(own):
                out[own] += self._distances(barrier, rows[own], places[own], give[own], exactly)
        return out

    def _distances(
        self,
        barrier: Barrier,
        rows: IntArray,
        places: FloatArray,
        give: FloatArray,
        exactly: tuple[float, float] | None,
    ) -> FloatArray:
        """Signed distances in [m] of rows to the barrier that they all belong to; as for `measure`. Shape (k,)."""
        if exactly is not None and barrier.near is not None:
            return barrier.near(places, exactly[0] - give, exactly[1] - give)
        posture = self.posture.take(self.task.take(rows))
        found = barrier.distance(posture, places)
        if exactly is not None:
            left = found + give
            near = ((left > exactly[0]) & (left < exactly[1])).nonzero()[0]
            if len(near):
                found[near] = barrier.precise(posture[near], places[near])
        return found

    def lower_bounds(self, places: FloatArray) -> FloatArray:
        """How far rows may go at least, from distances of few probes that speak for their neighbours. Shape (n,).

        Args:
            places: All probes of all postures in [m]. Shape (a, p, 3).
        """
        out = np.empty(len(self.point))
        leads, lead_of = self.skinned.speakers
        spoken = places[:, leads]
        away = places - spoken[:, lead_of]
        apart = np.sqrt(np.einsum("api,api->ap", away, away))
        posture = np.repeat(np.arange(len(places)), len(leads))
        for number, barrier in enumerate(self.barriers):
            own = np.flatnonzero(self.barrier == number)
            at, point = self.posture[self.task[own]], self.point[own]
            if barrier.kind == ITSELF:
                # Few probes, and capsules are quick: each is asked for itself.
                found = barrier.distance(at, places[at, point])
            else:
                told = barrier.distance(posture, spoken.reshape(-1, 3)).reshape(len(places), -1)
                found = told[at, lead_of[point]] - apart[at, point]
            out[own] = found
        return out + self.give


def build_rows(skinned: Skinned, movement: Movement, barriers: Sequence[Barrier]) -> Rows:
    """Rows of all closing fingers of all postures."""
    hand, count = skinned.hand, len(movement.start)
    points: list[IntArray] = []
    numbers: list[IntArray] = []
    closing: list[int] = []
    for f in np.flatnonzero(movement.fingers).tolist():
        own = [np.flatnonzero((skinned.finger == f) & barrier.probes) for barrier in barriers]
        if sum(map(len, own)):
            closing.append(f)
            points.append(np.concatenate(own))
            numbers.append(np.repeat(np.arange(len(own)), [len(each) for each in own]))
    empty = np.empty(0, dtype=np.int64)
    sizes = np.tile(np.array([len(each) for each in points], dtype=np.int64), count)
    finger = np.tile(np.array(closing, dtype=np.int64), count)
    posture = np.repeat(np.arange(count), len(closing))
    point = np.tile(np.concatenate([empty, *points]), count)
    barrier = np.tile(np.concatenate([empty, *numbers]), count)
    joints = hand.chains[finger]
    kinds = np.array([each.kind for each in barriers], dtype=np.int64)
    gives = np.array([each.give - skinned.probes.radii for each in barriers]).reshape(
        len(barriers), -1 if barriers else 0
    )
    return Rows(
        skinned=skinned,
        barriers=barriers,
        finger=finger,
        posture=posture,
        length=(joints >= 0).sum(axis=1),
        pace=pace_of(movement, posture, joints, skinned.drives[finger]),
        begins=np.cumsum(sizes) - sizes,
        task=np.repeat(np.arange(len(finger)), sizes),
        point=point,
        barrier=barrier,
        kind=kinds[barrier],
        place=skinned.place[point],
        levers=skinned.levers[point],
        give=gives[barrier, point],
    )


def stirred(skinned: Skinned, movement: Movement, closing: BoolArray) -> BoolArray:
    """Probes that fingers are to stop at in a movement: all but copies that their fingers move little. Shape (p,).

    A point that another closing finger moves much more is left to that one: it gives way by a hair, where the finger
    that has a small share in it would stop far from what it is to touch.

    Args:
        skinned: The probes.
        movement: The whole movement.
        closing: Fingers that close in it, now or before. Shape (f,).
    """
    out = np.ones(len(skinned.finger), dtype=np.bool_)
    if skinned.copies is not None:
        count, sources = len(skinned.copies.base.finger), skinned.copies.sources
        turns = np.abs(movement.end - movement.start).sum(axis=2).max(axis=0)
        turns = np.append(np.where(closing[skinned.hand.finger_of], turns, 0.0), 0.0)
        moved = np.einsum("nl,nl->n", skinned.levers, turns[skinned.hand.chains[skinned.finger]])
        out[count:] = moved[count:] > np.maximum(_NOTICED, _LITTLE * moved[sources[count:]])
    return out
