# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is known of fingers that close: how far each has come, which bones have stopped, and what may still be met.

What is known of a row is kept as shares of the movement: where it may be met at the earliest, and how far its task may
go because of it. As long as its probe moves no faster than it did these stay as they are while the task goes on, so a
round has to do with the few rows that are near.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray
from .care import Care
from .clearance import Barrier
from .motion import Skinned
from .movement import Movement
from .posing import Posing
from .rows import Rows, build_rows

_WORTH_LEAVING = 0.5
"""Finished tasks are left out when no more than this share goes on..."""
_MANY_ROWS = 1500
"""... and more rows are left than this: sorting out costs more than they do."""
RESTS = 1e-12
"""Stands for the speed of a row that rests, in [m] for each unit of the movement."""


class Tasks:
    """One call's state: of tasks, that is fingers of postures, and of their rows, as in `Rows`."""

    _TASKS = (
        "share",
        "until",
        "shorter",
        "high",
        "narrowing",
        "offender",
        "alive",
        "stopped",
        "held",
        "most",
        "touched",
    )
    _ROWS = ("meet", "limit", "seen", "speed", "drift", "beyond", "mixed")

    def __init__(self, skinned: Skinned, movement: Movement, barriers: Sequence[Barrier], care: Care) -> None:
        """Have all fingers at the start, with nothing known."""
        self.skinned, self.movement, self.care = skinned, movement, care
        self.rows: Rows = build_rows(skinned, movement, barriers)
        tasks, chain, number = len(self.rows.finger), skinned.hand.chains.shape[1], len(self.rows.point)
        self.share = np.zeros(tasks)
        # Where the pace changes, and the longest step after one that went too far.
        self.until = np.ones(tasks)
        self.shorter = np.full(tasks, np.inf)
        # Where a point was inside, and how often a contact before it has been narrowed down.
        self.high = np.full(tasks, np.inf)
        self.narrowing: IntArray = np.zeros(tasks, dtype=np.int64)
        self.offender = np.zeros(tasks, dtype=np.int64)
        self.stopped: IntArray = np.zeros(tasks, dtype=np.int64)
        self.held = np.zeros((tasks, chain))
        self.most = np.full((tasks, chain), np.inf)
        self.touched = np.zeros((tasks, chain), dtype=np.int64)
        self.alive = np.ones(tasks, dtype=np.bool_)
        self.done = False
        # How far in [m] other fingers carry points, for those rows of which they do, and its place in it for each row.
        self.carried = np.empty((0, 3))
        self.mixed: IntArray = np.full(number, -1)
        # Where in the movement rows may be met at the earliest, how far their tasks may go because of them, and where
        # they were measured last.
        self.meet: FloatArray = np.full(number, np.inf)
        self.limit: FloatArray = np.full(number, np.inf)
        self.seen: FloatArray = np.full(number, np.nan)
        # How fast they may move, and how fast what is left to go changed.
        self.speed = np.full(number, RESTS)
        self.drift = np.zeros(number)
        # How far rows that were inside were so at `high`; infinite for the others.
        self.beyond = np.full(number, np.inf)
        # Rows whose change is known, and those that were inside.
        self.tracked: IntArray = np.empty(0, dtype=np.int64)
        self.inner: IntArray = np.empty(0, dtype=np.int64)
        # What the tasks that are left out have come to.
        self.progress = np.zeros(movement.start.shape[:2])
        self.stopped_by = np.zeros(movement.start.shape[:2], dtype=np.int64)
        self.depths = np.zeros((len(movement.start), len(skinned.hand.chains)))
        self.pressed = np.zeros(self.depths.shape)
        self.posing = Posing(skinned, movement)
        self._find_places()

    def bounds(self, rows: IntArray) -> FloatArray:
        """How far in [m] rows (k,) may go at least from where their tasks are. Shape (k,)."""
        return (self.meet.take(rows) - self.share.take(self.rows.task.take(rows))) * self.speed.take(rows)

    def _limit_plainly(self, rows: IntArray) -> None:
        """Have tasks go as far as is safe if rows (k,) came as fast as they may."""
        self.limit[rows] = self.meet.take(rows) + self.care.dip / self.speed.take(rows)

    def _find_pace(self, tasks: BoolArray) -> None:
        """How fast rows of tasks move from where these are; what rests is passed over at once."""
        tasks = tasks & self.alive & (self.narrowing == 0)
        before, rates = self.share, self._pass_rests(tasks)
        # What can be met no more need not be known.
        own = (tasks.take(self.rows.task) & np.isfinite(self.meet)).nonzero()[0]
        task = self.rows.task.take(own)
        old, new = self.speed.take(own), np.maximum(self.rows.some_moved(own, rates), RESTS)
        changed = ((np.abs(new - old) > 1e-9) | (self.share != before).take(task)).nonzero()[0]
        if len(changed):
            own, task, old, new = own[changed], task[changed], old[changed], new[changed]
            was, here = before.take(task), self.share.take(task)
            self.meet[own] = here + (self.meet.take(own) - was) * old / new
            self.seen[own] = np.where(self.seen.take(own) == was, here, np.nan)
            self.speed[own] = new
            self.drift[own] = -new
            self._limit_plainly(own)

    def _pass_rests(self, tasks: BoolArray) -> FloatArray:
        """Bring tasks (t,) on which rest to where their joints turn, and find how fast these do in [rad]. (t, l)."""
        pace, limits = self.rows.pace, self._limits()
        while True:
            rates, until = pace.now(self.share, limits), pace.next_change(self.share, limits)
            resting = tasks & ~rates.any(axis=1) & np.isfinite(until)
            if not resting.any():
                break
            self.share = np.where(resting, until, self.share)
        # Nothing turns any more: that is the end.
        self.until = np.where(tasks, np.where(np.isfinite(until), until, self.share), self.until)
        return rates

    def _limits(self) -> FloatArray:
        """How far in the movement joints go at most, below 0 for those that have stopped. Shape (t, l)."""
        return np.where(np.arange(self.most.shape[1]) < self.stopped[:, None], -1.0, self.most)

    def _finish(self, done: BoolArray) -> None:
        """Keep tasks where they are."""
        self._hold(done.nonzero()[0], self.held.shape[1])
        self.alive &= ~done
        self.done = True
        left = np.count_nonzero(self.alive)
        if 0 < left <= _WORTH_LEAVING * len(self.alive) and len(self.meet) > _MANY_ROWS:
            self._leave_out()

    def _leave_out(self) -> None:
        """Go on without tasks that are done and rows that can be met no more."""
        rows = self.rows
        left = rows.pace.left(self.share, self._limits())
        bound = (self.meet - self.share.take(rows.task)) * self.speed
        met = (bound < rows.moved(left)) & self.alive.take(rows.task)
        met[self.inner] = True
        some = np.bincount(rows.task[met], minlength=len(self.share)) > 0
        # Nothing is left to stop these, but those that move nothing stay.
        self.share[self.alive & ~some & (left > 0.0).any(axis=1)] = 1.0
        self._keep(~some)
        number = np.cumsum(met) - 1
        self.offender = np.where(met[self.offender], number[self.offender], 0)
        self.tracked, self.inner = number[self.tracked[met[self.tracked]]], number[self.inner]
        self.rows = rows.take(some, met)
        for name in self._TASKS:
            setattr(self, name, getattr(self, name)[some])
        for name in self._ROWS:
            setattr(self, name, getattr(self, name)[met])
        self.done = False
        self._find_places()

    def _stop(self, tasks: IntArray) -> None:
        """Hold the bones that touched and those before them; skin that folds holds the first joint that still turns."""
        rows = self.rows
        place, stopped = rows.place[self.offender[tasks]], self.stopped[tasks]
        last = np.maximum(place, stopped)
        self._hold(tasks, last[:, None] + 1)
        touching = place >= stopped
        self.touched[tasks[touching], last[touching]] = rows.kind[self.offender[tasks[touching]]]
        self.stopped[tasks] = last + 1
        self.high[tasks], self.narrowing[tasks] = np.inf, 0
        hit = np.zeros(len(self.alive), dtype=np.bool_)
        hit[tasks] = True
        self._forget_inner(hit)
        self._couple(tasks)
        # What has just touched may be a hair inside; it must not keep the next bones from moving. What can be met no
        # more is not looked at again.
        own = (hit.take(rows.task) & np.isfinite(self.meet)).nonzero()[0]
        here = self.share.take(rows.task.take(own))
        far = rows.some_moved(own, rows.pace.left(self.share, self._limits()))
        meet = np.maximum(self.meet.take(own), here)
        self.meet[own] = np.where((meet - here) * self.speed.take(own) < far, meet, np.inf)
        self.drift[own] = -self.speed.take(own)
        self._limit_plainly(own)

    def _forget_inner(self, tasks: BoolArray) -> None:
        """Forget which rows of tasks (t,) were inside."""
        if len(self.inner):
            gone = tasks.take(self.rows.task.take(self.inner))
            self.beyond[self.inner[gone]] = np.inf
            self.inner = self.inner[~gone]

    def _hold(self, tasks: IntArray, until: IntArray | int) -> None:
        """Keep the joints of tasks that still turn where they are, up to a place in their chains."""
        chain = np.arange(self.held.shape[1])
        held = (chain >= self.stopped[tasks][:, None]) & (chain < until)
        there = np.minimum(self.share[tasks][:, None], self.most[tasks])
        self.held[tasks] = np.where(held, there, self.held[tasks])

    def _couple(self, tasks: IntArray) -> None:
        """Keep joints from bending on alone when the joint that they follow has stopped."""
        hand, rows, movement = self.skinned.hand, self.rows, self.movement
        if not len(hand.leaders):
            return
        place = hand.places[hand.leaders]
        own = (rows.finger[tasks][:, None] == hand.finger_of[hand.leaders]) & (self.stopped[tasks][:, None] > place)
        task, couple = own.nonzero()
        if len(task):
            task, posture = tasks[task], rows.posture[tasks[task]]
            bend = movement.flexion_at(posture, hand.leaders[couple], self.held[task, place[couple]])
            most = hand.ratios[couple] * bend + self.care.coupling_give
            follower = hand.followers[couple]
            self.most[task, hand.places[follower]] = movement.progress_at(posture, follower, most)

    def _progress(self, share: FloatArray) -> FloatArray:
        """How far in the movement every joint is: where it stopped, or where its finger is. Shape (a, m)."""
        stopped: BoolArray = np.arange(self.held.shape[1]) < self.stopped[:, None]
        values = np.where(stopped, self.held, np.minimum(share[:, None], self.most))
        self.progress.reshape(-1)[self.places] = values[self.real]
        return self.progress

    def _keep(self, tasks: BoolArray) -> None:
        """Write down how far tasks came that are done."""
        self._hold(np.flatnonzero(tasks & self.alive), self.held.shape[1])
        kept = np.broadcast_to(tasks[:, None], self.real.shape)[self.real]
        self.progress.reshape(-1)[self.places[kept]] = self.held[self.real][kept]
        self.stopped_by.reshape(-1)[self.places[kept]] = self.touched[self.real][kept]

    def _find_places(self) -> None:
        """Where the joints of tasks are among all joints of all postures, and which of each chain there are."""
        joints = self.skinned.hand.chains[self.rows.finger]
        self.real: BoolArray = joints >= 0
        count = len(self.skinned.hand.finger_of)
        self.places: IntArray = (joints + count * self.rows.posture[:, None])[self.real]
        postures, self.row_posture = np.unique(self.rows.posture, return_inverse=True)
        if len(postures) != len(self.posing.postures):
            self.posing.take(postures)
