# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Other ways out for hands that the usual one takes through the object, as those with fingers through a handle.

An order of joints that suits each finger in place is chosen by how deep it presses, which says little about walls that
are thinner than that. So joints are turned back together, partly or wholly, while the hand goes back, and it gives way
to what is still in its way. What counts in the end is how deep the skin is at each frame.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...core.arrays import FloatArray, IntArray
from ...core.rotations import angle_between
from .approach import OPENINGS, Approach, choose_approach
from .clearance import Surroundings
from .opening import Opening
from .task import GraspPlan, GraspTask
from .timeline import Timeline
from .timing import eased
from .ways import Way
from .yielding import Motion, give_way

DEPTH, DEEPER = 3.5e-4, 1.5e-4
"""Depth in [m] that skin may have on its way, or what it has where it holds, and how much more."""
LITTLE = 0.025
"""A hand that yields by less than this in [m] looks as if it did not."""
KEYED = (5e-4, np.radians(0.5))
"""By how much in [m] or [rad] wrist or joints have to yield to be posed for it,"""
KEYED_EACH = 2
"""and at which frames."""


@dataclass(frozen=True, eq=False)
class Side:
    """Coming, looked at backwards, or going."""

    going: bool
    around: Surroundings
    """The hand and what is round it."""
    ways: Sequence[Way]
    """Ways away, the most natural first."""

    def rows(self, plan: GraspPlan) -> IntArray:
        """Rows of a plan from the grasp outwards."""
        f = plan.frames
        return (
            np.arange(plan.row(f.hold), plan.row(f.away) + 1) if self.going else np.arange(plan.row(f.contact), -1, -1)
        )

    def keep(self, plan: GraspPlan) -> FloatArray:
        """How much of what it has yielded a hand keeps at those rows: all while it opens."""
        f = plan.frames
        first, last = (
            (f.release - f.hold, f.away - f.hold) if self.going else (f.contact - f.arrive, f.contact - f.approach)
        )
        return 1.0 - eased((np.arange(last + 1) - first) / (last - first))


def free_side(
    task: GraspTask, plan: GraspPlan, side: Side, like: Approach | None = None
) -> Iterator[float | GraspPlan]:
    """Yields shares of the work, and at last the plan with one side clear of everything, or as nearly so as can be.

    Args:
        task: The grasp.
        plan: As it is; given back where it is clear.
        side: What is looked at.
        like: What is tried first, as both sides should be alike.
    """
    best, short, given = plan, _short(side, _motion(side, plan)), 0.0
    # What is threaded is through the object; for what only obstacles bar all has been tried.
    if _short(side, _motion(side, plan), column=0) > 0.0:
        tried = 0
        for approach in _others(task, plan, side, like):
            yield min(0.25 * tried, 0.9)
            if approach is None:
                continue
            tried += 1
            trial = _laid(task, plan, side, approach)
            missing, moved = _short(side, _motion(side, trial)), 0.0
            if missing > 0.0:
                trial, moved = _yielded(task, trial, side)
                missing = _short(side, _motion(side, trial))
            if _worse(missing, moved) < _worse(short, given):
                best, short, given = _missing(trial, side, missing), missing, moved
            if missing <= 0.0 and moved <= LITTLE:
                break
    yield best


def _others(task: GraspTask, plan: GraspPlan, side: Side, like: Approach | None) -> Iterator[Approach | None]:
    """Ways and openings to try, the most likely first; None while they are looked for."""
    if like is not None:
        yield like
    together = Opening(task.held, task.start, np.tile([0.0, 1.0], (len(task.held), 1)))
    usual = plan.going if side.going else plan.coming
    # What fingers are through does not let go of them at the width that is natural beside it.
    for opening in (together, usual.opening):
        for found in choose_approach(side.around, opening, side.ways, least=OPENINGS[0]):
            # Whoever gives delays means them, and the hand gives way.
            yield None if found is None else replace(found, in_step=not any(task.delays))
    yield usual


def _laid(task: GraspTask, plan: GraspPlan, side: Side, approach: Approach) -> GraspPlan:
    """The plan with another approach on one side; what the other side has yielded stays."""
    coming, going = (plan.coming, approach) if side.going else (approach, plan.going)
    laid = Timeline(task, coming, going).plan()
    rows = side.rows(plan)
    angles, wrists = np.array(plan.angles), np.array(plan.wrists)
    angles[rows], wrists[rows] = laid.angles[rows], laid.wrists[rows]
    f = plan.frames
    span = range(f.hold, f.away + 1) if side.going else range(f.approach, f.contact + 1)

    def keys(old: tuple[int, ...], new: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted({*(each for each in old if each not in span), *(each for each in new if each in span)}))

    joints = zip(plan.joint_keys, laid.joint_keys, strict=True)
    return replace(
        laid,
        angles=angles,
        wrists=wrists,
        wrist_keys=keys(plan.wrist_keys, laid.wrist_keys),
        joint_keys=tuple(keys(*each) for each in joints),
    )


def _yielded(task: GraspTask, plan: GraspPlan, side: Side) -> tuple[GraspPlan, float]:
    """The plan with a hand that gives way on one side, and how far in [m] it does at most."""
    rows, planned = side.rows(plan), _motion(side, plan)
    ends = [plan.angles[..., 0].min(axis=0), plan.angles[..., 0].max(axis=0), task.start[:, 0], task.end[:, 0]]
    bounds = np.stack([np.min(ends, axis=0), np.max(ends, axis=0)], axis=1)
    given = give_way(side.around, planned, side.keep(plan), bounds=bounds, moves=task.moves)
    angles, wrists = np.array(plan.angles), np.array(plan.wrists)
    angles[rows], wrists[rows] = given.angles, given.wrists
    reach = side.around.skin.hand.reach
    shifts = np.linalg.norm(given.wrists[:, :3, 3] - planned.wrists[:, :3, 3], axis=1)
    shifts = shifts + reach * angle_between(given.wrists[:, :3, :3], planned.wrists[:, :3, :3])
    bends = np.abs(given.angles - planned.angles).max(axis=2)
    # Rows count from the grasp; the frames between are told by the curves, or posed where those would not do.
    posed = np.arange(0, len(rows), KEYED_EACH)
    numbers = rows[posed] + plan.frames.approach
    wrist_keys = {*plan.wrist_keys, *numbers[shifts[posed] > KEYED[0]].tolist()}
    joint_keys = [
        tuple(sorted({*old, *numbers[bends[posed, joint] > KEYED[1]].tolist()}))
        for joint, old in enumerate(plan.joint_keys)
    ]
    plan = replace(
        plan, angles=angles, wrists=wrists, wrist_keys=tuple(sorted(wrist_keys)), joint_keys=tuple(joint_keys)
    )
    return plan, float(shifts.max())


def _motion(side: Side, plan: GraspPlan) -> Motion:
    rows = side.rows(plan)
    return Motion(plan.angles[rows], plan.wrists[rows])


def _short(side: Side, motion: Motion, *, column: int | None = None) -> float:
    """How much in [m] the skin is deeper than it may be at the worst frame; 0 for none, in the object (0) or in all."""
    near = side.around.nearest(motion.angles, motion.wrists)
    near = near if column is None else near[:, [column]]
    allowed = np.minimum(near[0], -DEPTH) - DEEPER
    return float(np.maximum(allowed - near, 0.0).max())


def _missing(plan: GraspPlan, side: Side, missing: float) -> GraspPlan:
    if side.going:
        return replace(plan, going=replace(plan.going, missing=missing))
    return replace(plan, coming=replace(plan.coming, missing=missing))


def _worse(short: float, moved: float) -> tuple[float, float]:
    """What orders plans: a tenth of a millimetre of depth first, then how far the hand yields."""
    return round(1e4 * short), moved
