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
from dataclasses import dataclass, replace

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray
from .care import CLOSE_CARE, Care
from .clearance import ITSELF, Barrier
from .motion import Skinned
from .motions import Motions
from .movement import Movement
from .tasks import RESTS, Tasks

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
            while self.alive.any() and rounds < _MOST_ROUNDS:
                rounds += 1
                self._round()
            self._keep(np.ones(len(self.share), dtype=np.bool_))
        return Stops(self.movement.shares(self.progress), self.stopped_by, self.depths, self.pressed, rounds)

    def _begin(self, others: FloatArray | None) -> None:
        """Bounds of all rows, from distances of few where these can speak for others, and how deep rows begin."""
        skinned, task = self.skinned, self.rows.task
        self.speed = np.maximum(self.rows.moved(self._pass_rests(self.alive)), RESTS)
        self.drift = -self.speed
        # What moves later in the movement may begin inside as well. What never moves is never met.
        moves = self.rows.moved(self.rows.pace.left(self.share, self._limits())) > 0.0
        if skinned.few:
            near = moves.nonzero()[0]
            bound = np.full(len(moves), np.inf)
            places = self._places(near, task.take(near), self.share)
        else:
            motions = skinned.motions(self.movement.start, self.movement.wrists)
            every = skinned.all_positions(motions)
            if others is not None and len(skinned.shared):
                elsewhere = skinned.motions(others, self.movement.wrists)
                every[:, skinned.shared] += skinned.carried(elsewhere) - skinned.carried(motions)
            bound = np.where(moves, self.rows.lower_bounds(every), np.inf)
            near = (bound < self.care.look_ahead * self.speed).nonzero()[0]
            posture, point = self.rows.posture[task[near]], self.rows.point[near]
            places = every[posture, point]
            # The other fingers close at the same time; what they do to shared skin is taken as it is now.
            self._note_carried(every, motions)
        self._note_start(near, self.rows.measure(near, places), bound)
        self._leave_out()

    def _note_carried(self, every: FloatArray, motions: Motions) -> None:
        """Keep what other fingers do to rows' points, which are in all postures at `every` (a, p, 3)."""
        mixed = self.skinned.is_shared[self.rows.point].nonzero()[0]
        self.mixed[mixed] = np.arange(len(mixed))
        posture, point = self.rows.posture[self.rows.task[mixed]], self.rows.point[mixed]
        self.carried = every[posture, point] - self.skinned.positions(motions, posture, point)

    def _note_start(self, near: IntArray, gaps: FloatArray, bound: FloatArray) -> None:
        """Begin with gaps in [m] of rows that were measured (k,) and lower bounds of the others (n,)."""
        rows = self.rows
        slack = np.minimum(gaps, 0.0)
        bound[near] = gaps - slack
        # A bone that starts inside may not go deeper, and its finger is said to have begun there; not so the skin of
        # the palm beside it, which no opening takes out.
        deep = (slack < 0.0).nonzero()[0]
        if len(deep):
            give = rows.give.copy()
            give[near[deep]] -= slack[deep]
            self.rows = replace(rows, give=give)
            for deepest, own in ((self.depths, True), (self.pressed, False)):
                some = deep[((rows.place[near[deep]] >= 0) == own) & (rows.kind[near[deep]] != ITSELF)]
                task = rows.task[near[some]]
                np.maximum.at(deepest, (rows.posture[task], rows.finger[task]), -slack[some])
        here = self.share.take(rows.task)
        self.meet = here + bound / self.speed
        self.seen[near] = here[near]
        self.limit = self.meet + self.care.dip / self.speed

    def _round(self) -> None:
        task = self.rows.task
        target = self._targets()
        step = target - self.share
        # While a contact is narrowed down only those that may be met count; else those of the next step too.
        ahead = np.where(self.narrowing > 0, target, target + self.care.look_ahead)
        if self.done:
            ahead[~self.alive] = -np.inf
        asked = (self.meet < ahead.take(task)).nonzero()[0]
        tasks = task.take(asked)
        gaps = self._gaps(asked, tasks, target)
        inside = (gaps < -min(self.care.touch, _INSIDE)).nonzero()[0]
        # Rows that were measured before tell how fast they come nearer, and whether they did so as was thought.
        here, speed = self.share.take(tasks), self.speed.take(asked)
        known = self.seen.take(asked) == here
        change = gaps - (self.meet.take(asked) - here) * speed
        steps = step.take(tasks)
        short = (known & (change < self.drift.take(asked) * steps - 2.0 * self.care.dip)).nonzero()[0]
        if not len(inside) and not len(short):
            free = self.alive
            self.shorter = np.full(len(target), np.inf)
            self._limit_plainly(self.tracked)
        else:
            hit, early = np.zeros((2, len(target)), dtype=np.bool_)
            hit[tasks[inside]] = True
            early[tasks[short]] = True
            self.shorter = np.where(early & ~hit, 0.5 * step, np.inf)
            free = self.alive & ~(early | hit)
            if len(inside):
                self._enclose(hit, target, asked[inside], gaps[inside])
            gone = free.take(task.take(self.tracked))
            self._limit_plainly(self.tracked[gone])
            passed = free.take(tasks).nonzero()[0]
            asked, tasks, gaps, known = asked[passed], tasks[passed], gaps[passed], known[passed]
            speed, change, steps = speed[passed], change[passed], steps[passed]
            self.tracked = self.tracked[~gone]
        drift = np.where(known, np.maximum(change / np.maximum(steps, 1e-12), -speed), -speed)
        self._note(asked, target.take(tasks), gaps, speed, drift)
        tracked = asked[known]
        self.tracked = np.concatenate([self.tracked, tracked]) if free is not self.alive else tracked
        self.share = np.where(free, target, self.share)
        self._settle(free, asked[gaps <= self.care.touch])

    def _note(self, asked: IntArray, at: FloatArray, gaps: FloatArray, speed: FloatArray, drift: FloatArray) -> None:
        """Keep what was measured of rows: where in the movement, gaps in [m] and how fast they change. All (k,)."""
        away = np.maximum(gaps, 0.0)
        most = 2.0 * (away + self.care.dip) / (speed - np.minimum(drift, _LEAVING * speed))
        # Those that come nearer are gone to meet, a little less far so that they are met from outside.
        met = ((drift < -_MEETING * speed) & (drift > -_HEAD_ON * speed)).nonzero()[0]
        if len(met):
            most[met] = np.minimum(most[met], (away[met] - 0.3 * self.care.touch) / -drift[met])
        self.meet[asked] = at + gaps / speed
        self.limit[asked] = at + most
        self.seen[asked] = at
        self.drift[asked] = drift

    def _enclose(self, hit: BoolArray, target: FloatArray, inside: IntArray, gaps: FloatArray) -> None:
        """Note where tasks met something, which of their rows did, and how far in [m] these were inside."""
        self.high = np.where(hit, target, self.high)
        self.narrowing[hit] += 1
        self._forget_inner(hit)
        self.beyond[inside] = gaps
        self.inner = np.concatenate([self.inner, inside])

    def _places(self, asked: IntArray, tasks: IntArray, target: FloatArray) -> FloatArray:
        """Where in the world rows of tasks are when these have come to `target`. Shape (k, 3)."""
        places = self.posing.positions_at(
            self._progress(target), self.row_posture.take(tasks), self.rows.point.take(asked)
        )
        if len(self.carried):
            carried = self.mixed.take(asked)
            mixed = (carried >= 0).nonzero()[0]
            places[mixed] += self.carried[carried[mixed]]
        return places

    def _gaps(self, asked: IntArray, tasks: IntArray, target: FloatArray) -> FloatArray:
        """Clearance of rows of tasks when these have come to `target`."""
        rows = self.rows
        if not len(asked):
            return np.empty(0)
        places = self._places(asked, tasks, target)
        gaps = rows.measure(asked, places, exactly=_PRECISE if self.care.touch < _PRECISE[1] / 2.0 else None)
        gaps[rows.place.take(asked) < self.stopped.take(tasks)] += self.care.fold
        return gaps

    def _targets(self) -> FloatArray:
        """Where each task goes next: as far as is safe, or into the interval that encloses its contact."""
        rows = self.rows
        limit = np.minimum.reduceat(self.limit, rows.begins)
        out = np.minimum(limit, self.share + self.shorter)
        out = np.minimum(np.maximum(out, self.share + 1e-6), self.until)
        # Nothing is left to stop these.
        out = np.where(np.isinf(limit), np.maximum(out, 1.0), out)
        if len(self.inner):
            tasks, away = rows.task.take(self.inner), np.maximum(self.bounds(self.inner), 0.0)
            roots = np.full(len(out), 1.0)
            np.minimum.at(roots, tasks, away / np.maximum(away - self.beyond.take(self.inner), 1e-12))
            part = np.where(self.narrowing > _SECANTS, 0.5, np.minimum(np.maximum(roots, 0.02), 0.98))
            narrowing = self.narrowing > 0
            span = np.where(narrowing, self.high - self.share, 0.0)
            out = np.where(narrowing, self.share + np.minimum(part * span, self.shorter), out)
        return np.where(self.alive, out, self.share) if self.done else out

    def _settle(self, free: BoolArray, near: IntArray) -> None:
        """Stop the bones whose contact is found, and finish fingers that came to their end.

        Args:
            free: Tasks that went on. Shape (t,).
            near: Rows of theirs that are as near as contacts are brought.
        """
        task = self.rows.task
        found = np.zeros(len(self.share), dtype=np.bool_)
        if len(near):
            # What is near and comes nearer touches. The one that does so fastest is the one that stops its finger.
            drift, speed = self.drift.take(near), self.speed.take(near)
            touches = (drift < -_MEETING * speed) & (drift > -_HEAD_ON * speed)
            touches = (touches & (self.narrowing.take(task.take(near)) == 0)).nonzero()[0]
            near = near[touches[np.argsort(-drift[touches], kind="stable")]]
            self.offender[task[near]] = near
            found[task[near]] = True
        if len(self.inner):
            # The one that goes in deepest stops its finger, if the contact is found or it was near a moment before.
            inner = self.inner[np.argsort(-self.beyond[self.inner], kind="stable")]
            self.offender[task[inner]] = inner
            close = (self.high - self.share) * self.speed[self.offender] <= self.care.touch
            found |= (self.narrowing > 0) & close
            here = self.share.take(task.take(inner))
            inner = inner[(self.seen[inner] == here) & (self.bounds(inner) <= self.care.touch)]
            self.offender[task[inner]] = inner
            found[task[inner]] = True
        # Only there joints begin or cease to turn.
        changed = found | (free & (self.share >= self.until))
        stopped = found.nonzero()[0]
        if len(stopped):
            self._stop(stopped)
        if changed.any():
            self._find_pace(changed)
        done = (self.until <= self.share) & self.alive & (self.narrowing == 0)
        if done.any():
            self._finish(done)
