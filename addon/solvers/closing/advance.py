# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Closing by measured distance: fingers go as far as is safe, and contacts are found by secants.

Every finger of every posture is a task of its own with one number, its share of the movement. A point that moves by m
while its distance goes from g to h has come no nearer than (g + h - m) / 2 on the way. A step is as long as that
allows, going by how distances changed in the one before; where h falls short of what was expected, a shorter one is
made. Where two looks enclose a contact it is narrowed down. The bone that touches stops with those before it, the bones
after it go on.
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
from .tasks import Tasks

_MOST_ROUNDS = 400
_PRECISE = (-4e-4, 1.5e-4)
"""Clearances between these in [m] are asked for exactly: they tell where a contact is."""
_MEETING = 0.1
"""Points that come nearer more slowly than this, over how fast they move, slide along."""
_HEAD_ON = 0.999
"""Points that come nearer faster than this, over how fast they may move, are those of which nothing else is known."""
_LEAVING = 0.6
"""How fast a point may move away at most for steps to be planned on it, over how fast it may move."""
_INSIDE = 2.5e-4
"""Points that are deeper than this in [m] are inside, or deeper than contacts are brought near where that is less."""
_SECANTS = 6
"""Times that a contact is narrowed down by secants; by halves from then on."""
_MANY_ROWS = 1200
"""Rows that can be met no more are looked for at every contact while there are more of them."""


@dataclass(frozen=True, eq=False)
class Stops:
    """How far every joint came."""

    shares: FloatArray
    """Share of its own turn that each joint made, 0 to 1. Shape (a, m)."""
    stopped_by: IntArray
    """What the bone of each joint touched (`OBJECT`, `OBSTACLE`, `ITSELF`); 0 for nothing. Shape (a, m)."""
    depths: FloatArray
    """How deep in [m] a finger's skin was beyond what is allowed before it moved; 0 for a free one. Shape (a, f)."""
    pressed: FloatArray
    """The same for skin that it moves but that is not of its bones: of the palm, and before its neighbours. (a, f)."""
    rounds: int
    """Times that distances were measured."""


def advance(
    skinned: Skinned,
    movement: Movement,
    barriers: Sequence[Barrier],
    care: Care = CLOSE_CARE,
    *,
    others: FloatArray | None = None,
) -> Stops:
    """Close fingers until something stops them.

    Args:
        skinned: The hand's probes.
        movement: From where to where.
        barriers: What stops them.
        care: How closely.
        others: Where fingers are taken to be for what they do to skin that they share with the one that closes, in
            [rad]; at the start if not given. Shape (a, m, 3).
    """
    return _Advance(skinned, movement, barriers, care).run(others)


class _Advance(Tasks):
    """One call: looks, steps and contacts."""

    def run(self, others: FloatArray | None) -> Stops:
        rounds = 0
        if len(self.rows.finger):
            self._begin(others)
            while len(self.share) and rounds < _MOST_ROUNDS:
                rounds += 1
                self._round()
            self._keep(np.ones(len(self.share), dtype=np.bool_))
        return Stops(self.movement.shares(self.progress), self.stopped_by, self.depths, self.pressed, rounds)

    def _begin(self, others: FloatArray | None) -> None:
        """Bounds of all rows from distances of few, and how deep those are that start inside."""
        rows, skinned = self.rows, self.skinned
        motions = skinned.motions(self.movement.start, self.movement.wrists)
        places = skinned.all_positions(motions)
        if others is not None and len(skinned.shared):
            elsewhere = skinned.motions(others, self.movement.wrists)
            places[:, skinned.shared] += skinned.carried(elsewhere) - skinned.carried(motions)
        self.bound = rows.lower_bounds(places)
        self._find_pace(self.alive)
        # What moves later in the movement may begin inside as well.
        left = rows.moved(rows.pace.left(self.share, self._limits()))
        # What never moves is never met.
        self.bound = np.where(left > 0.0, self.bound, np.inf)
        near = np.flatnonzero(self.bound < np.maximum(self.care.look_ahead * self.speed, 0.0))
        gaps = rows.measure(near, places[rows.posture[rows.task[near]], rows.point[near]], precise=False)
        self.slack[near] = np.minimum(gaps, 0.0)
        self.bound[near] = gaps - self.slack[near]
        self.fresh[near] = True
        # A bone that starts inside may not go deeper, and its finger is said to have begun there; not so the skin of
        # the palm beside it, which no opening takes out.
        own = rows.place[near] >= 0
        for deepest, some in ((self.depths, own), (self.pressed, ~own)):
            outer = near[(rows.kind[near] != ITSELF) & some]
            task = rows.task[outer]
            np.maximum.at(deepest, (rows.posture[task], rows.finger[task]), -self.slack[outer])
        self._find_places()
        self._leave_out()
        # The other fingers close at the same time; what they do to shared skin is taken as it is now.
        rows = self.rows
        mixed = skinned.is_shared[rows.point].nonzero()[0]
        self.mixed[mixed] = np.arange(len(mixed))
        posture, point = rows.posture[rows.task[mixed]], rows.point[mixed]
        self.carried = places[posture, point] - skinned.positions(motions, posture, point)

    def _round(self) -> None:
        task = self.rows.task
        target = self._targets()
        step = target - self.share
        expected = self.bound - self.speed * step[task]
        # While a contact is narrowed down only those that may be met count; else those of the next step too.
        ahead = np.where(self.narrowing > 0, 0.0, self.care.look_ahead)
        ahead[~self.alive] = -np.inf
        asked = (expected < ahead[task] * self.speed).nonzero()[0]
        tasks = task[asked]
        gaps = self._gaps(asked, tasks, target)
        lowest = np.full(len(self.share), np.inf)
        np.minimum.at(lowest, tasks, gaps)
        hit = lowest < -min(self.care.touch, _INSIDE)
        early = hit.copy()
        # Rows that were measured before tell how fast they come nearer, and whether they did so as was thought.
        known = self.fresh[asked]
        change = gaps - self.bound[asked]
        short = (known & (change < self.drift[asked] * step[tasks] - 2.0 * self.care.dip)).nonzero()[0]
        early[tasks[short]] = True
        self.shorter = np.where(early & ~hit, 0.5 * step, np.inf)
        free = self.alive & ~early
        if hit.any():
            self._enclose(hit, target, asked, gaps)
        if early.any():
            kept = free[task]
            self.bound = np.where(kept, expected, self.bound)
            self.fresh &= ~kept
            self.drift = np.where(kept, -self.speed, self.drift)
            passed = free[tasks].nonzero()[0]
            asked, tasks = asked[passed], tasks[passed]
            gaps, known, change = gaps[passed], known[passed], change[passed]
        else:
            self.bound = np.where(self.alive[task], expected, self.bound) if self.done else expected
            self.fresh[:] = False
            self.drift = -self.speed
        self.bound[asked] = gaps
        self.fresh[asked] = True
        slope = change / np.maximum(step, 1e-12)[tasks]
        self.drift[asked] = np.where(known, np.maximum(slope, self.drift[asked]), self.drift[asked])
        self.share = np.where(free, target, self.share)
        self._settle(free)

    def _enclose(self, hit: BoolArray, target: FloatArray, asked: IntArray, gaps: FloatArray) -> None:
        """Note where tasks met something, and which of their rows did."""
        self.high = np.where(hit, target, self.high)
        self.narrowing[hit] += 1
        self.beyond[hit[self.rows.task]] = np.inf
        inside = (gaps < -min(self.care.touch, _INSIDE)).nonzero()[0]
        self.beyond[asked[inside]] = gaps[inside]

    def _gaps(self, asked: IntArray, tasks: IntArray, target: FloatArray) -> FloatArray:
        """Clearance of rows of tasks when these have come to `target`."""
        rows = self.rows
        if not len(asked):
            return np.empty(0)
        points = rows.point[asked]
        shares = self.movement.shares(self._progress(target))[self.posing.postures]
        places = self.posing.positions(shares, self.row_posture[tasks], points)
        if len(self.carried):
            carried = self.mixed[asked]
            mixed = (carried >= 0).nonzero()[0]
            places[mixed] += self.carried[carried[mixed]]
        gaps = rows.measure(asked, places, precise=False) - self.slack[asked]
        if self.care.touch < _PRECISE[1] / 2.0:
            near = ((gaps > _PRECISE[0]) & (gaps < _PRECISE[1])).nonzero()[0]
            if len(near):
                gaps[near] = rows.measure(asked[near], places[near], precise=True) - self.slack[asked[near]]
        gaps[rows.place[asked] < self.stopped[tasks]] += self.care.fold
        return gaps

    def _targets(self) -> FloatArray:
        """Where each task goes next: as far as is safe, or into the interval that encloses its contact."""
        speed, begins = self.speed, self.rows.begins
        drift = np.minimum(self.drift, _LEAVING * speed)
        away = np.maximum(self.bound, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            most = 2.0 * (away + self.care.dip) / (speed - drift)
            # Those that come nearer are gone to meet, a little less far so that they are met from outside.
            meeting = (drift < -_MEETING * speed) & (drift > -_HEAD_ON * speed)
            most = np.where(meeting, np.minimum(most, (away - 0.3 * self.care.touch) / -drift), most)
        step = np.minimum(np.minimum.reduceat(most, begins), self.shorter)
        out = np.minimum(self.share + np.maximum(step, 1e-6), self.until)
        if self.narrowing.any():
            inside = np.isfinite(self.beyond).nonzero()[0]
            roots = np.full(len(out), 1.0)
            away = away[inside]
            np.minimum.at(roots, self.rows.task[inside], away / np.maximum(away - self.beyond[inside], 1e-12))
            part = np.where(self.narrowing > _SECANTS, 0.5, np.minimum(np.maximum(roots, 0.02), 0.98))
            narrowed = self.share + np.minimum(part * (self.high - self.share), self.shorter)
            out = np.where(self.narrowing > 0, narrowed, out)
        return np.where(self.alive, out, self.share) if self.done else out

    def _settle(self, free: BoolArray) -> None:
        """Stop the bones whose contact is found, and finish fingers that came to their end."""
        task, narrowing = self.rows.task, self.narrowing > 0
        found = np.zeros(len(self.share), dtype=np.bool_)
        if narrowing.any():
            worst = np.isfinite(self.beyond).nonzero()[0]
            worst = worst[np.argsort(-self.beyond[worst])]
            self.offender[task[worst]] = worst
            found = narrowing & ((self.high - self.share) * self.speed[self.offender] <= self.care.touch)
        near = (self.fresh & (self.bound <= self.care.touch)).nonzero()[0]
        if len(near):
            # What is near and comes nearer touches, and so does what is near and was inside a moment later.
            drift, speed = self.drift[near], self.speed[near]
            beyond = self.beyond[near]
            touches = (drift < -_MEETING * speed) & (drift > -_HEAD_ON * speed)
            touches = np.where(narrowing[task[near]], np.isfinite(beyond), touches) & self.alive[task[near]]
            # The one that goes in deepest is the one that stops its finger.
            deepest = np.argsort(-np.where(narrowing[task[near]], beyond, drift)[touches], kind="stable")
            near = near[touches][deepest]
            self.offender[task[near]] = near
            found[task[near]] = True
        stopped = found.nonzero()[0]
        if len(stopped):
            self._stop(stopped)
            self._find_pace(free | found)
        elif (free & (self.share >= self.until)).any():
            self._find_pace(free)
        done = (self.until <= self.share) & self.alive & (self.narrowing == 0)
        if done.any():
            self._finish(done)
        elif len(stopped) and len(self.bound) > _MANY_ROWS:
            self._leave_out()
