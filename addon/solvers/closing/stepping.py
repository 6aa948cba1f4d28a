# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The published simulation's steps (see `literal`) for many wrists at once, without making all of them.

All wrists make the same movement, so where a probe is after each of N interpolations is computed once, in the frame of
the last joint that has stopped. Between two interpolations a probe cannot come nearer to anything than it moves: those
at which it cannot touch are skipped, and what is left are exactly the steps at which it might.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.arrays import BoolArray, FloatArray, IntArray
from ...core.errors import PrehendError
from .clearance import Distance
from .motion import Skinned

_AT_A_TIME = 1200
"""Distances asked for in a round at least, as long as there are steps to look at: a round costs more than they do."""


@dataclass(frozen=True, eq=False)
class SteppedClosings:
    """Where bones stopped, for many wrists."""

    steps: IntArray
    """Interpolations that each joint made, 0 to N. Shape (a, m)."""
    touched: BoolArray
    """Bones that stopped a finger; of several at the same interpolation the last in the chain. Shape (a, m)."""
    angles: FloatArray
    """Flexion, abduction and twist in [rad]. Shape (a, m, 3)."""


@dataclass(frozen=True, eq=False)
class SteppedMovement:
    """A movement of one hand in N interpolations, prepared for any wrist."""

    skinned: Skinned
    """The hand's probes; each follows one joint, as balls along capsules do."""
    angles: FloatArray
    """Posture after every interpolation in [rad]. Shape (n + 1, m, 3)."""
    fingers: BoolArray
    """Fingers that close. Shape (f,)."""
    open_places: FloatArray
    """All probes at the start, in the hand's frame in [m]. Shape (p, 3)."""
    rows: IntArray
    """Probes of the fingers that close, finger by finger. Shape (r,)."""
    row_finger: IntArray
    """Place of their fingers among those that close. Shape (r,)."""
    row_place: IntArray
    """Position of their joints in their chains. Shape (r,)."""
    row_radii: FloatArray
    """Their radii in [m]. Shape (r,)."""
    places: FloatArray
    """Each row after s interpolations in the frame before its finger's k-th joint, in [m]. Shape (l, r, n + 1, 3)."""
    moves: FloatArray
    """How far apart it is there after s and after t interpolations, in [m]. Shape (l, r, n + 1, n + 1)."""
    ahead: NDArray[np.float32]
    """The same for each t after s, and nothing before; infinite for the one after the last. Shape (l r (n + 1), n + 2).

    Single precision, rounded up: half of what has to be read, and a step too many is no mistake.
    """
    onward: FloatArray
    """Frame before a finger's q-th joint in that before its k-th after s of them. Shape (g, l, l + 1, n + 1, 3, 4)."""

    @property
    def steps(self) -> int:
        """N of the paper."""
        return len(self.angles) - 1


def build_steps(
    skinned: Skinned, start: FloatArray, end: FloatArray, fingers: BoolArray, *, steps: int = 20
) -> SteppedMovement:
    """Prepare a movement.

    Args:
        skinned: The hand's probes, each of which must follow one joint.
        start: Open posture in [rad]. Shape (m, 3).
        end: Closed posture in [rad]. Shape (m, 3).
        fingers: Fingers that close. Shape (f,).
        steps: Interpolations, N of the paper.

    Raises:
        PrehendError: Probes follow several joints, or a finger hangs on another.
    """
    hand, probes = skinned.hand, skinned.probes
    if len(probes.points) and float(probes.weights.max(axis=1).min()) < 1.0 - 1e-9:
        raise PrehendError("Closing in steps takes capsules, not skin that follows several joints.")
    if (hand.articulation.parents[hand.chains[:, 0]] >= 0).any():
        raise PrehendError("Closing in steps takes fingers that begin at the wrist.")
    postures = start + np.linspace(0.0, 1.0, steps + 1)[:, None, None] * (end - start)
    still = np.broadcast_to(np.eye(3, 4), (steps + 1, 3, 4))
    motions = skinned.motions(postures, still)
    spots = skinned.all_positions(motions)
    closing = np.flatnonzero(fingers)
    length = hand.chains.shape[1]
    turns, origins = _frames_before(hand.chains[closing], motions.frames.rotations, motions.frames.origins)
    owned = probes.owners >= 0
    rows = np.concatenate([np.flatnonzero(owned & (skinned.finger == f)) for f in closing.tolist()] or [closing])
    group = np.searchsorted(closing, skinned.finger[rows])
    # (l, r, n + 1): frames before the k-th joint of each row's finger.
    turn, origin = turns[group].transpose(1, 0, 2, 3, 4), origins[group].transpose(1, 0, 2, 3)
    offsets = spots[:, rows].transpose(1, 0, 2)[None] - origin[:length]
    places = np.einsum("krsij,krsi->krsj", turn[:length], offsets)
    before = turns[:, :length, None], origins[:, :length, None]
    onward = np.empty((len(closing), length, length + 1, steps + 1, 3, 4))
    onward[..., :3] = np.swapaxes(before[0], -1, -2) @ turns[:, None]
    onward[..., 3] = np.einsum("gkqsij,gkqsi->gkqsj", before[0], origins[:, None] - before[1])
    moves = np.ascontiguousarray(np.linalg.norm(places[:, :, :, None] - places[:, :, None], axis=-1))
    return SteppedMovement(
        skinned=skinned,
        angles=postures,
        fingers=np.array(fingers),
        open_places=spots[0],
        rows=rows,
        row_finger=group,
        row_place=skinned.place[rows],
        row_radii=probes.radii[rows],
        places=np.ascontiguousarray(places),
        moves=moves,
        ahead=_ahead(moves),
        onward=onward,
    )


def close_in_steps(
    movement: SteppedMovement,
    wrists: FloatArray,
    distance: Distance,
    *,
    depth: float = 0.0,
    open_gaps: FloatArray | None = None,
) -> SteppedClosings:
    """Close the hand at many wrists.

    Args:
        movement: What it does.
        wrists: The hand's frames in the world in [m]. Shape (a, 3, 4).
        distance: Distance to the object, not longer than the truth.
        depth: How deep in [m] a probe is when it touches.
        open_gaps: Distances in [m] of all probes at the start where they are known, without the depth. Shape (a, p).
    """
    return _Walk(movement, wrists, distance, depth, open_gaps).run()


class _Walk:
    """One call's state: tasks are closing fingers of wrists, rows are probes of tasks."""

    def __init__(
        self,
        movement: SteppedMovement,
        wrists: FloatArray,
        distance: Distance,
        depth: float,
        open_gaps: FloatArray | None,
    ) -> None:
        self.movement, self.distance = movement, distance
        count, groups = len(wrists), len(movement.onward)
        self.shape = (count, groups)
        self.give = movement.row_radii - depth
        if open_gaps is None:
            spots = movement.open_places @ np.swapaxes(wrists[:, :, :3], 1, 2) + wrists[:, None, :, 3]
            open_gaps = distance(spots.reshape(-1, 3)).reshape(count, -1) - movement.skinned.probes.radii
        r = len(movement.rows)
        self.finger = np.tile(np.arange(groups), count)
        self.frames = np.repeat(wrists, groups, axis=0)
        self.phase = np.zeros(count * groups, dtype=np.int64)
        self.made = np.full((count * groups, movement.onward.shape[1]), movement.steps)
        self.touched = np.zeros(self.made.shape, dtype=np.bool_)
        # Rows that may still touch, by what is known of each: its gap after some interpolation.
        self.row = np.tile(np.arange(r), count)
        self.task = np.repeat(np.arange(count) * groups, r) + np.tile(movement.row_finger, count)
        self.gap = (open_gaps[:, movement.rows] + depth).reshape(-1)
        self.step = np.zeros(len(self.row), dtype=np.int64)
        # Interpolation, times the chain's length, of the first contact that is known, less its place in the chain.
        self.none = movement.steps * self.made.shape[1] + 1
        self.first = np.full(count * groups, self.none)

    def run(self) -> SteppedClosings:
        movement, length = self.movement, self.made.shape[1]
        count, width = len(movement.rows), movement.steps + 1
        now = np.zeros(len(self.phase), dtype=np.int64)
        place = movement.row_place[self.row]
        while len(self.row):
            task = self.task
            phase = self.phase[task]
            reach = movement.ahead.take((phase * count + self.row) * width + self.step, axis=0)
            ahead = (reach >= self.gap[:, None]).argmax(axis=1)
            key = ahead * length - place
            asked = (key < self.first[task]).nonzero()[0]
            if len(asked):
                self._look(asked, ahead[asked], phase[asked])
            waiting = np.zeros(len(self.first), dtype=np.bool_)
            waiting[task[asked]] = True
            found = (~waiting & (self.first < self.none)).nonzero()[0]
            if len(found):
                self._stop(found, now)
            # Rows that touch no more, and those of fingers that came to their end, are left out.
            open_ = waiting.copy()
            open_[found] = True
            kept = (open_[task] & (place >= self.phase[task])).nonzero()[0]
            self.row, self.task, self.gap, self.step = self.row[kept], task[kept], self.gap[kept], self.step[kept]
            place = place[kept]
        return self._closings()

    def _look(self, asked: IntArray, ahead: IntArray, phase: IntArray) -> None:
        """Measure rows at the next interpolation at which they may touch, and at some after it where few are left."""
        movement, length = self.movement, self.made.shape[1]
        row, task = self.row[asked], self.task[asked]
        times = min(max(_AT_A_TIME // len(asked), 1), movement.steps)
        steps = np.minimum(ahead[:, None] + np.arange(times), movement.steps)
        width = movement.steps + 1
        local = movement.places.reshape(-1, 3).take(
            ((phase * len(movement.rows) + row) * width)[:, None] + steps, axis=0
        )
        # Three products and not many small matrices, which take numpy longer.
        frames = self.frames[task][:, None]
        spots = frames[..., 0] * local[..., :1]
        spots += frames[..., 1] * local[..., 1:2]
        spots += frames[..., 2] * local[..., 2:]
        spots += frames[..., 3]
        gaps = self.distance(spots.reshape(-1, 3)).reshape(steps.shape) - self.give[row][:, None]
        touching = gaps <= 0.0
        first = touching.argmax(axis=1)
        hit = touching[np.arange(len(row)), first].nonzero()[0]
        if len(hit):
            key = steps[hit, first[hit]] * length - movement.row_place[row[hit]]
            np.minimum.at(self.first, task[hit], key)
        self.gap[asked], self.step[asked] = gaps[:, -1], steps[:, -1]
        # What touched is known as far as that: it may be asked for again when a joint before it has stopped.
        self.gap[asked[hit]] = gaps[hit, first[hit]]
        self.step[asked[hit]] = steps[hit, first[hit]]

    def _stop(self, tasks: IntArray, now: IntArray) -> None:
        """Hold the bones that touched and those before them; the bones after them go on."""
        movement, length = self.movement, self.made.shape[1]
        first = self.first[tasks]
        step = -(-first // length)
        place = step * length - first
        before = self.phase[tasks]
        chain = np.arange(length)
        held = (chain >= before[:, None]) & (chain <= place[:, None])
        self.made[tasks] = np.where(held, step[:, None], self.made[tasks])
        self.touched[tasks, place] = True
        frames = self.frames[tasks]
        moved = frames[:, :, :3] @ movement.onward[self.finger[tasks], before, place + 1, step]
        moved[:, :, 3] += frames[:, :, 3]
        self.frames[tasks] = moved
        self.phase[tasks] = place + 1
        now[tasks] = step
        self.first[tasks] = self.none
        # What is known of the rows that go on, at the interpolation at which they begin anew.
        old = np.full(len(self.phase), -1)
        old[tasks] = before
        phase = old[self.task]
        mine = (phase >= 0).nonzero()[0]
        reached = now[self.task[mine]]
        width = movement.steps + 1
        here = (phase[mine] * len(movement.rows) + self.row[mine]) * width + self.step[mine]
        self.gap[mine] -= movement.moves.reshape(-1).take(here * width + reached)
        self.step[mine] = reached

    def _closings(self) -> SteppedClosings:
        movement = self.movement
        hand = movement.skinned.hand
        count = self.shape[0]
        steps = np.zeros((count, len(hand.finger_of)), dtype=np.int64)
        touched = np.zeros(steps.shape, dtype=np.bool_)
        made = self.made.reshape(*self.shape, -1)
        touches = self.touched.reshape(*self.shape, -1)
        for g, f in enumerate(np.flatnonzero(movement.fingers).tolist()):
            joints = hand.chains[f][hand.chains[f] >= 0]
            steps[:, joints] = made[:, g, : len(joints)]
            touched[:, joints] = touches[:, g, : len(joints)]
        angles = movement.angles[steps, np.arange(steps.shape[1])]
        return SteppedClosings(steps, touched, angles)


def _frames_before(chains: IntArray, rotations: FloatArray, origins: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Frames before every joint of fingers, and last that of the last joint: shapes (g, l + 1, n + 1, 3, 3), (…, 3).

    Args:
        chains: Joints of the fingers, filled up with -1. Shape (g, l).
        rotations: Joint frames of all postures. Shape (n + 1, m, 3, 3).
        origins: Joint positions. Shape (n + 1, m, 3).
    """
    count = len(rotations)
    turns = np.tile(np.eye(3), (len(chains), chains.shape[1] + 1, count, 1, 1))
    places = np.zeros((*turns.shape[:3], 3))
    for g, chain in enumerate(chains):
        for k, joint in enumerate(chain.tolist()):
            if joint >= 0:
                turns[g, k + 1], places[g, k + 1] = rotations[:, joint], origins[:, joint]
    return turns, places


def _ahead(moves: FloatArray) -> NDArray[np.float32]:
    """`SteppedMovement.ahead` of all moves (l, r, n + 1, n + 1)."""
    width = moves.shape[-1]
    out = np.full((*moves.shape[:-1], width + 1), np.inf, dtype=np.float32)
    out[..., :width] = np.nextafter(moves.astype(np.float32), np.float32(np.inf))
    out[..., :width][..., np.tri(width, dtype=np.bool_)] = -np.inf
    return out.reshape(-1, width + 1)
