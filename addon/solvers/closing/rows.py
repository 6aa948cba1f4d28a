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
    rates: FloatArray
    """How fast they turn, in [rad] for each unit of the movement. Shape (t, l)."""
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

    def end(self, task: int) -> int:
        """The row after a task's last."""
        return int(self.begins[task + 1]) if task + 1 < len(self.begins) else len(self.point)

    def speeds(self, rows: IntArray, stopped: IntArray) -> FloatArray:
        """How far rows move at most for each unit of the movement, in [m].

        Args:
            rows: Which. Shape (k,).
            stopped: Number of joints of each task that turn no more. Shape (t,).
        """
        tasks = self.task[rows]
        turning: BoolArray = np.arange(int(self.rates.shape[1])) >= stopped[tasks][:, None]
        return np.einsum("nl,nl->n", self.skinned.levers[self.point[rows]], np.where(turning, self.rates[tasks], 0.0))

    def measure(self, rows: IntArray, places: FloatArray, *, precise: bool) -> FloatArray:
        """How far in [m] rows may still go where their probes are at `places` (k, 3)."""
        out = np.empty(len(rows))
        radii = self.skinned.probes.radii[self.point[rows]]
        for number, barrier in enumerate(self.barriers):
            own = np.flatnonzero(self.barrier[rows] == number) if len(self.barriers) > 1 else np.arange(len(rows))
            if len(own):
                distance = barrier.precise if precise else barrier.distance
                gaps = distance(self.posture[self.task[rows[own]]], places[own])
                out[own] = gaps - radii[own] + barrier.give[self.point[rows[own]]]
        return out

    def lower_bounds(self, places: FloatArray) -> FloatArray:
        """How far rows may go at least, from distances of few probes that speak for their neighbours. Shape (n,).

        Args:
            places: All probes of all postures in [m]. Shape (a, p, 3).
        """
        out = np.empty(len(self.point))
        leads, lead_of = self.skinned.speakers
        spoken = places[:, leads]
        apart = np.linalg.norm(places - spoken[:, lead_of], axis=2) + self.skinned.probes.radii
        posture = np.repeat(np.arange(len(places)), len(leads))
        for number, barrier in enumerate(self.barriers):
            own = np.flatnonzero(self.barrier == number)
            at, point = self.posture[self.task[own]], self.point[own]
            if barrier.kind == ITSELF:
                # Few probes, and capsules are quick: each is asked for itself.
                found = barrier.distance(at, places[at, point]) - self.skinned.probes.radii[point]
            else:
                told = barrier.distance(posture, spoken.reshape(-1, 3)).reshape(len(places), -1)
                found = told[at, lead_of[point]] - apart[at, point]
            out[own] = found + barrier.give[point]
        return out


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
    return Rows(
        skinned=skinned,
        barriers=barriers,
        finger=finger,
        posture=posture,
        length=(joints >= 0).sum(axis=1),
        rates=np.where(joints >= 0, movement.rates[posture[:, None], joints], 0.0),
        begins=np.cumsum(sizes) - sizes,
        task=np.repeat(np.arange(len(finger)), sizes),
        point=point,
        barrier=barrier,
        kind=kinds[barrier],
        place=skinned.place[point],
    )
