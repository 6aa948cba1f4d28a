# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The hook search as published (Caputo 2015, ch. 5, 6): a hand goes round a hook, always to the better neighbour."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from ...core.arrays import BoolArray, FloatArray
from .hook_closers import (
    STEPS,
    ClosedHands,
    CloseHands,
    literal_closer,
    measured_closer,
    prepare_steps,
    step_closer,
)
from .hook_poses import (
    Freed,
    grid_rotations,
    has_turned,
    nearest_hook,
    place_hands,
    seven_rotations,
    start_rotation,
    three_rotations,
    translate_to_free,
)
from .hook_quality import QualityWeights, WristRange, bone_ends, measure_distances, quality
from .problem import Attempt, Problem, axes_of


@dataclass(frozen=True)
class HookSearch:
    """What of the published search is used."""

    step: Literal["seven", "three"] = "seven"
    """Poses of a step: all six neighbours, or those about one axis, the axes in turn."""
    angle: float | None = float(np.radians(10.0))
    """Turn to a neighbour in [rad]; None for a new one each step, anything up to a half turn."""
    approximate: int = 0
    """Angles about each axis that the first guess is sought among; 0 begins at the shoulder's own pose."""
    kind: Literal["power", "precision"] = "power"
    """Whether the bones that touched first count, or the tips of the thumb and of the finger beside it."""
    weights: QualityWeights = field(default_factory=QualityWeights)
    """What counts how much."""
    wrist_range: WristRange | None = field(default_factory=WristRange)
    """How far the hand may turn from where it begins; None for any way."""
    closing: Literal["steps", "measured", "literal"] = "steps"
    """How hands close: the published steps, by measured distance, or the published steps one by one."""
    interpolations: int = STEPS
    """N of the paper."""
    lift: float = 4e-3
    """Length in [m] of a step of the hand back from the hook."""
    most_lifts: int = 40
    """Such steps at most."""


@dataclass(frozen=True, eq=False)
class HookPose:
    """A hand about a hook, closed."""

    rotation: FloatArray
    """The hook's frame. Shape (3, 3)."""
    wrist: FloatArray
    """The hand's frame in [m]. Shape (3, 4)."""
    angles: FloatArray
    """Closed posture in [rad]. Shape (m, 3)."""
    touched: BoolArray
    """Bones that touched. Shape (m,)."""
    quality: float
    """What orders poses; minus infinity for those out of range or never free."""


@dataclass(frozen=True, eq=False)
class HookProgress:
    """How far a search is."""

    step: int
    """Steps made since the search began."""
    closings: int
    """Hands closed so far."""
    restarts: int
    """How often the character's moving made it begin anew."""
    pose: HookPose
    """The best pose since it last began."""
    done: bool
    """Whether no neighbour is better."""


Shoulder = Callable[[], FloatArray]
"""Where the character's shoulder is now, in [m]. Shape (3,)."""


def choose_hook(attempts: tuple[Attempt, ...], place: FloatArray) -> int:
    """Which of several attempts takes the object at the hook that is nearest to a place (3,)."""
    return nearest_hook(np.array([attempt.hook for attempt in attempts]), place)


def search_hook(
    problem: Problem,
    attempt: Attempt,
    options: HookSearch,
    rng: np.random.Generator,
    *,
    max_steps: int,
    shoulder: FloatArray | Shoulder | None = None,
) -> Generator[HookProgress, None, HookPose]:
    """Go from pose to better pose; yields after each step and returns the last pose.

    Args:
        problem: Hand and object.
        attempt: Hook, movement and grasp centre.
        options: What of the search is used.
        rng: Where random angles come from.
        max_steps: Steps at most; it ends earlier where a whole round of fixed steps finds nothing better.
        shoulder: Of the character in [m], or what tells where it is now; None for a hand without, which comes flat
            from above.
    """
    evaluator = Evaluator(problem, attempt, options)
    began = place_of(shoulder)
    at = began if began is not None else attempt.hook + axes_of(problem.up)[0]
    start, pose = evaluator.begin(at, began)
    closings, restarts, idle = 1, 0, 0
    for number in range(1, max_steps + 1):
        now = place_of(shoulder)
        if began is not None and now is not None and has_turned(attempt.hook, began, now, problem.up):
            began, idle = now, 0
            restarts += 1
            start, pose = evaluator.begin(now, now)
            closings += 1
        angle = float(rng.uniform(0.0, np.pi)) if options.angle is None else options.angle
        if options.step == "seven":
            rotations = seven_rotations(pose.rotation, angle)
        else:
            rotations = three_rotations(pose.rotation, (number - 1) % 3, angle)
        best = evaluator.best(rotations, start, now)
        closings += len(rotations)
        # The first is the current pose: where it is as good as any, the hand stays.
        idle = idle + 1 if (best.rotation == pose.rotation).all() else 0
        pose = best
        done = options.angle is not None and idle >= (1 if options.step == "seven" else 3)
        yield HookProgress(number, closings, restarts, pose, done)
        if done and not callable(shoulder):
            break
    return pose


def drain_hook(steps: Generator[HookProgress, None, HookPose]) -> HookPose:
    """Run a hook search to its end."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def place_of(shoulder: FloatArray | Shoulder | None) -> FloatArray | None:
    """Where the shoulder is now."""
    return shoulder() if callable(shoulder) else shoulder


class Evaluator:
    """Poses about one hook, closed and rated."""

    def __init__(self, problem: Problem, attempt: Attempt, options: HookSearch) -> None:
        """Prepare what is the same for all poses."""
        self.problem, self.attempt, self.options = problem, attempt, options
        self.movement = prepare_steps(problem.skin.coarse, attempt, steps=options.interpolations)
        self.ends = bone_ends(problem.skin.hand)
        self.fingers = counted_fingers(problem, attempt, options.kind)
        self.left = float(problem.thumb_way[0]) < 0.0
        self.close: CloseHands = {
            "steps": lambda: step_closer(problem, self.movement),
            "measured": lambda: measured_closer(problem, attempt),
            "literal": lambda: literal_closer(problem, attempt, steps=options.interpolations),
        }[options.closing]()

    def begin(self, place: FloatArray, shoulder: FloatArray | None) -> tuple[FloatArray, HookPose]:
        """The frame that the wrist's range counts from, and the pose that the search begins with."""
        start = start_rotation(place, self.attempt.hook, self.problem.approach, self.problem.up)
        rotation = self.approximate(start) if self.options.approximate else start
        return start, self.best(rotation[None], start, shoulder)

    def approximate(self, start: FloatArray) -> FloatArray:
        """The frame of a grid whose grasp centre is nearest to the hook once the open hand is free (5.6.2.1)."""
        rotations = np.concatenate([start[None], grid_rotations(start, self.options.approximate)])
        if self.options.wrist_range is not None:
            rotations = rotations[self.options.wrist_range.allows(start, rotations, left=self.left)]
        return rotations[int(np.argmin(self.free(rotations).lifts))]

    def free(self, rotations: FloatArray) -> Freed:
        """Hands at the hook, moved back until they are free."""
        return translate_to_free(
            place_hands(rotations, self.attempt.hook, self.attempt.centre),
            self.movement.open_places,
            self.problem.skin.coarse.probes.radii,
            -self.problem.approach,
            self.problem.distance,
            step=self.options.lift,
            most=self.options.most_lifts,
            depth=self.problem.depth,
        )

    def evaluate(
        self, rotations: FloatArray, start: FloatArray, shoulder: FloatArray | None
    ) -> tuple[FloatArray, ClosedHands, FloatArray]:
        """Wrists, closed hands and their qualities (a,)."""
        freed = self.free(rotations)
        closed = self.close(freed.wrists, freed.gaps)
        distances = measure_distances(
            self.problem.skin.hand,
            self.ends,
            freed.wrists,
            closed.angles,
            closed.reached,
            closed.touched,
            fingers=self.fingers,
            hook=self.attempt.hook,
            centre=self.attempt.centre,
            shoulder=shoulder,
            tips=self.options.kind == "precision",
        )
        values = np.where(np.isinf(freed.lifts), -np.inf, quality(distances, self.options.weights))
        if self.options.wrist_range is not None:
            allowed = self.options.wrist_range.allows(start, rotations, left=self.left)
            values = np.where(allowed, values, -np.inf)
        return freed.wrists, closed, values

    def best(self, rotations: FloatArray, start: FloatArray, shoulder: FloatArray | None) -> HookPose:
        """The best of some frames, the first of equals."""
        wrists, closed, values = self.evaluate(rotations, start, shoulder)
        row = int(np.argmax(values))
        return HookPose(rotations[row], wrists[row], closed.angles[row], closed.touched[row], float(values[row]))


def counted_fingers(problem: Problem, attempt: Attempt, kind: str) -> BoolArray:
    """Fingers that the quality counts: all that close, or the thumb and the first beside it. Shape (f,)."""
    if kind == "power":
        return np.array(attempt.fingers)
    out = np.zeros(len(attempt.fingers), dtype=np.bool_)
    thumb = problem.skin.hand.thumb
    closing = [f for f in np.flatnonzero(attempt.fingers).tolist() if f != thumb]
    out[closing[: 1 if thumb >= 0 and attempt.fingers[thumb] else 2]] = True
    if thumb >= 0:
        out[thumb] = attempt.fingers[thumb]
    return out
