# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Closing by measured distance: fingers go as far as is safe, and contacts are found by bisection.

Every finger of every posture is a task of its own with one number, its share of the movement. A step is as long as the
nearest point's distance over its greatest speed allows, so nothing is jumped over; where two steps enclose a contact it
is narrowed down. The bone that touches stops with those before it, the bones after it go on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray
from .care import CLOSE_CARE, Care
from .clearance import ITSELF, Barrier
from .motion import Skinned
from .movement import Movement
from .posing import Posing
from .rows import Rows, build_rows

_MOST_ROUNDS = 400
_PRECISE_BELOW = 4e-4
"""Distances under this in [m] are asked for exactly while a contact is narrowed down."""

_WORTH_LEAVING = 0.5
"""Finished tasks are left out when no more than this share goes on."""


@dataclass(frozen=True, eq=False)
class Stops:
    """How far every joint came."""

    shares: FloatArray
    """Share of its own turn that each joint made, 0 to 1. Shape (a, m)."""
    stopped_by: IntArray
    """What the bone of each joint touched (`OBJECT`, `OBSTACLE`, `ITSELF`); 0 for nothing. Shape (a, m)."""
    depths: FloatArray
    """How deep in [m] a finger's skin was beyond what is allowed before it moved; 0 for a free one. Shape (a, f)."""
    rounds: int
    """Times that distances were measured."""


def advance(skinned: Skinned, movement: Movement, barriers: Sequence[Barrier], care: Care = CLOSE_CARE) -> Stops:
    """Close fingers until something stops them.

    Args:
        skinned: The hand's probes.
        movement: From where to where.
        barriers: What stops them.
        care: How closely.
    """
    return _Advance(skinned, movement, barriers, care).run()


class _Advance:
    """One call's state: of tasks, that is fingers of postures, and of their rows, as in `Rows`."""

    _TASKS = (
        *("share", "high", "high_gap", "daring", "offender", "alive", "narrowing"),
        *("stopped", "held", "most", "touched", "driving"),
    )
    _ROWS = ("bound", "slack", "fresh", "speed")

    def __init__(self, skinned: Skinned, movement: Movement, barriers: Sequence[Barrier], care: Care) -> None:
        self.skinned, self.movement, self.care = skinned, movement, care
        self.rows: Rows = build_rows(skinned, movement, barriers)
        rows = self.rows
        tasks, chain = len(rows.finger), skinned.hand.chains.shape[1]
        self.share = np.zeros(tasks)
        self.high = np.full(tasks, np.nan)
        self.high_gap = np.zeros(tasks)
        self.offender = np.zeros(tasks, dtype=np.int64)
        self.stopped: IntArray = np.zeros(tasks, dtype=np.int64)
        self.held = np.zeros((tasks, chain))
        self.most = np.full((tasks, chain), np.inf)
        self.touched = np.zeros((tasks, chain), dtype=np.int64)
        self.alive = np.ones(tasks, dtype=np.bool_)
        self.narrowing = np.zeros(tasks, dtype=np.bool_)
        self.done = False
        self.fastest = np.empty(0)
        self.daring = np.full(tasks, care.dare)
        self.driving: BoolArray = (rows.rates > 0.0) & _drives(skinned)[rows.finger]
        self.carried = np.empty((0, 0, 3))
        self.speed = rows.speeds(self.stopped)
        self.bound: FloatArray = np.full(len(rows.point), np.inf)
        self.slack = np.zeros(len(rows.point))
        self.fresh = np.zeros(len(rows.point), dtype=np.bool_)
        # What the tasks that are left out have come to.
        self.progress = np.zeros(movement.start.shape[:2])
        self.stopped_by = np.zeros(movement.start.shape[:2], dtype=np.int64)
        self.depths = np.zeros((len(movement.start), len(skinned.hand.chains)))
        self.posing = Posing(skinned, movement)

    def run(self) -> Stops:
        rounds = 0
        if len(self.rows.finger):
            self._begin()
            while len(self.share) and rounds < _MOST_ROUNDS:
                rounds += 1
                self._round()
            self._keep(np.ones(len(self.share), dtype=np.bool_))
        return Stops(self.movement.shares(self.progress), self.stopped_by, self.depths, rounds)

    def _begin(self) -> None:
        """Bounds of all rows from distances of few, and how deep those are that start inside."""
        rows = self.rows
        motions = self.skinned.motions(self.movement.start, self.movement.wrists)
        self.carried = self.skinned.carried(motions)
        places = self.skinned.all_positions(motions, self.carried)
        self.bound = rows.lower_bounds(places)
        near = np.flatnonzero((self.speed > 0.0) & (self.bound < self.care.look_ahead * self.speed))
        gaps = rows.measure(near, places[rows.posture[rows.task[near]], rows.point[near]], precise=False)
        self.slack[near] = np.minimum(gaps, 0.0)
        self.bound[near] = gaps - self.slack[near]
        self.fresh[near] = True
        # A bone that starts inside may not go deeper, and its finger is said to have begun there; not so the skin of
        # the palm beside it, which no opening takes out.
        outer = near[(rows.kind[near] != ITSELF) & (rows.place[near] >= 0)]
        task = rows.task[outer]
        np.maximum.at(self.depths, (rows.posture[task], rows.finger[task]), -self.slack[outer])
        self._find_places()
        self._leave_out()

    def _round(self) -> None:
        task = self.rows.task
        target = self._targets()
        expected = self.bound - self.speed * (target - self.share)[task]
        # While a contact is narrowed down only those that may be met count; else those of the next step too.
        ahead = np.where(self.narrowing, 0.0, self.care.look_ahead)
        ahead[~self.alive] = -np.inf
        asked = (expected < ahead[task] * self.speed).nonzero()[0]
        tasks = task[asked]
        gaps = self._gaps(asked, tasks, target)
        lowest = np.full(len(self.share), np.inf)
        np.minimum.at(lowest, tasks, gaps)
        hit = lowest < 0.0
        free = self.alive & ~hit
        if hit.any():
            worst = (gaps <= np.minimum(lowest, 0.0)[tasks]).nonzero()[0]
            self.offender[tasks[worst]] = asked[worst]
            self.high = np.where(hit, target, self.high)
            self.high_gap = np.where(hit, lowest, self.high_gap)
            self.narrowing |= hit
            passed = free[tasks].nonzero()[0]
            asked, gaps = asked[passed], gaps[passed]
            kept = free[task]
            self.bound = np.where(kept, expected, self.bound)
            self.fresh &= ~kept
        else:
            self.bound = np.where(self.alive[task], expected, self.bound) if self.done else expected
            self.fresh[:] = False
        self.bound[asked] = gaps
        self.fresh[asked] = True
        self.daring = np.where(hit, self.care.dare, np.minimum(1.5 * self.daring, self.care.dare_most))
        self.share = np.where(free, target, self.share)
        self._settle()

    def _gaps(self, asked: IntArray, tasks: IntArray, target: FloatArray) -> FloatArray:
        """Clearance of rows of tasks when these have come to `target`."""
        rows = self.rows
        if not len(asked):
            return np.empty(0)
        points = rows.point[asked]
        shares = self.movement.shares(self._progress(target))[self.posing.postures]
        places = self.posing.positions(shares, self.row_posture[tasks], points)
        if len(self.skinned.shared):
            shared = self.skinned.shared_place[points]
            mixed = (shared >= 0).nonzero()[0]
            # The other fingers close at the same time; what they do to shared skin is taken as at the start.
            places[mixed] += self.carried[rows.posture[tasks[mixed]], shared[mixed]]
        gaps = rows.measure(asked, places, precise=False) - self.slack[asked]
        if self.care.touch < _PRECISE_BELOW / 2.0 and self.narrowing.any():
            near = (self.narrowing[tasks] & (np.abs(gaps) < _PRECISE_BELOW)).nonzero()[0]
            if len(near):
                gaps[near] = rows.measure(asked[near], places[near], precise=True) - self.slack[asked[near]]
        gaps[rows.place[asked] < self.stopped[tasks]] += self.care.fold
        return gaps

    def _targets(self) -> FloatArray:
        """Where each task goes next: as far as is safe, or into the interval that encloses its contact."""
        step = np.minimum.reduceat(self.bound / self.speed, self.rows.begins)
        out = np.minimum(self.share + np.maximum(step, self.daring / self.fastest), 1.0)
        if self.narrowing.any():
            low_gap = np.where(self.narrowing, self.bound[self.offender], 0.0)
            part = np.minimum(np.maximum(low_gap / np.maximum(low_gap - self.high_gap, 1e-12), 0.1), 0.9)
            out = np.where(self.narrowing, self.share + part * (self.high - self.share), out)
        return np.where(self.alive, out, self.share) if self.done else out

    def _settle(self) -> None:
        """Stop the bones whose contact is found, and finish fingers that came to their end."""
        stopped = False
        if self.narrowing.any():
            offender = self.offender
            near = self.fresh[offender] & (self.bound[offender] <= self.care.touch)
            near |= (self.high - self.share) * self.speed[offender] <= self.care.touch
            found = (near & self.narrowing).nonzero()[0]
            stopped = len(found) > 0
            if stopped:
                self._stop(found)
        done = self.share >= 1.0
        if stopped:
            done |= ~self._moving()
        done &= self.alive & ~self.narrowing
        if done.any():
            self._finish(done)

    def _finish(self, done: BoolArray) -> None:
        """Keep tasks where they are."""
        self._hold(done.nonzero()[0], self.held.shape[1])
        self.alive &= ~done
        self.done = True
        if np.count_nonzero(self.alive) <= _WORTH_LEAVING * len(self.alive):
            self._leave_out()

    def _leave_out(self) -> None:
        """Go on without tasks that are done and rows that can be met no more."""
        rows = self.rows
        met = self.bound < self.speed * (1.0 - self.share + self.care.look_ahead)[rows.task]
        met &= self.alive[rows.task] & (self.speed > 1e-12)
        met[self.offender[self.narrowing]] = True
        left = np.bincount(rows.task[met], minlength=len(self.share)) > 0
        # Nothing is left to stop these, but those that move nothing stay.
        self.share[self.alive & ~left & self._moving()] = 1.0
        self._keep(~left)
        row_number = np.cumsum(met) - 1
        self.offender = np.where(met[self.offender], row_number[self.offender], 0)
        self.rows = rows.take(left, met)
        for name in self._TASKS:
            setattr(self, name, getattr(self, name)[left])
        for name in self._ROWS:
            setattr(self, name, getattr(self, name)[met])
        self.done = False
        self._find_places()

    def _moving(self) -> BoolArray:
        """Tasks with a joint that still turns and moves something. Shape (t,)."""
        driving: BoolArray = np.array(self.driving, dtype=np.bool_)
        places: IntArray = np.arange(len(self.skinned.hand.chains.T), dtype=np.int64)
        later: BoolArray = places >= self.stopped[:, None]
        return np.any(driving & later, axis=1)

    def _stop(self, tasks: IntArray) -> None:
        """Hold the bones that touched and those before them; skin that folds holds the first joint that still turns."""
        rows = self.rows
        place, stopped = rows.place[self.offender[tasks]], self.stopped[tasks]
        last = np.maximum(place, stopped)
        self._hold(tasks, last[:, None] + 1)
        touching = place >= stopped
        self.touched[tasks[touching], last[touching]] = rows.kind[self.offender[tasks[touching]]]
        self.stopped[tasks] = last + 1
        self.high[tasks] = np.nan
        self.narrowing[tasks] = False
        hit = np.zeros(len(self.alive), dtype=np.bool_)
        hit[tasks] = True
        own = hit[rows.task]
        speed = rows.speeds(self.stopped)
        # What has just touched may be a hair inside; it must not keep the next bones from moving. What moves no more
        # is never met.
        bound = np.where(speed > 0.0, np.maximum(self.bound, 0.0), np.inf)
        self.bound = np.where(own, bound, self.bound)
        self.speed = np.where(own, np.maximum(speed, 1e-12), self.speed)
        self.fastest = np.maximum.reduceat(self.speed, rows.begins)
        self._couple(hit)

    def _hold(self, tasks: IntArray, until: IntArray | int) -> None:
        """Keep the joints of tasks that still turn where they are, up to a place in their chains."""
        chain = np.arange(self.held.shape[1])
        held = (chain >= self.stopped[tasks][:, None]) & (chain < until)
        there = np.minimum(self.share[tasks][:, None], self.most[tasks])
        self.held[tasks] = np.where(held, there, self.held[tasks])

    def _couple(self, hit: BoolArray) -> None:
        """Keep joints from bending on alone when the joint that they follow has stopped."""
        hand, rows, movement = self.skinned.hand, self.rows, self.movement
        for follower, leader, ratio in zip(hand.followers.tolist(), hand.leaders.tolist(), hand.ratios, strict=True):
            place = int(hand.places[leader])
            own = (hit & (rows.finger == hand.finger_of[leader]) & (self.stopped > place)).nonzero()[0]
            if len(own):
                bend = movement.flexion_at(rows.posture[own], leader, self.held[own, place])
                most = movement.progress_at(rows.posture[own], follower, ratio * bend + self.care.coupling_give)
                self.most[own, hand.places[follower]] = most

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
        self.fastest = np.maximum.reduceat(self.speed, self.rows.begins) if len(self.speed) else np.empty(0)
        postures, self.row_posture = np.unique(self.rows.posture, return_inverse=True)
        self.posing.take(postures)


def _drives(skinned: Skinned) -> BoolArray:
    """Joints, by finger and place, that move any probe of their finger. Shape (f, l)."""
    out = np.zeros(skinned.hand.chains.shape, dtype=np.bool_)
    for finger, row in enumerate(out):
        row[:] = (skinned.levers[skinned.finger == finger] > 0.0).any(axis=0)
    return out
