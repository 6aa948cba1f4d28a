# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A grasp over time: how the hand opens, which way it comes and goes, and where everything is at every frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...core.arrays import FloatArray
from .approach import Approach, choose_approach, widths_needed
from .freeing import Side, free_side
from .opening import plan_opening
from .task import End, GraspPlan, GraspTask
from .timeline import Timeline
from .ways import Way, ways_back, ways_to

SUNK = 5e-3
"""Hands that stand back lower than what the object stands on by more than this in [m] come from below it."""


def plan_grasp(task: GraspTask) -> Iterator[float | GraspPlan]:
    """Plan an animation; yields shares of the work and at last the plan."""
    opening, _ = plan_opening(task.around, task.held, task.start, task.end, task.wrist)
    yield 0.2
    least = max(widths_needed(task.around, opening, task.wrist, task.part, task.margin), 0.1)
    come, go = Side(False, task.around, _ways(task, task.wrist, task.before)), None
    coming: Approach | None = None
    for found in choose_approach(come.around, opening, come.ways, least=least):
        coming = found
        yield 0.3
    assert coming is not None
    going: Approach | None = coming
    if task.frames.carries or task.after.wrist is not None or task.before.wrist is not None:
        put = task.carry.frames(np.ones(1))[0] @ np.linalg.inv(task.carry.start) @ task.wrist
        go = Side(True, task.around_put, _ways(task, put, task.after))
        for found in choose_approach(go.around, opening, go.ways, least=least, prefer=coming.opened):
            going = found
            yield 0.5
    assert going is not None
    plan = Timeline(task, coming, going).plan()
    for step in free_side(task, plan, come):
        if isinstance(step, GraspPlan):
            plan = step
        else:
            yield 0.6 + 0.2 * step
    if task.frames.away > task.frames.hold:
        alike = plan.coming if go is None else None
        for step in free_side(task, plan, go or Side(True, task.around_put, come.ways), alike):
            if isinstance(step, GraspPlan):
                plan = step
            else:
                yield 0.8 + 0.2 * step
    yield plan


def _ways(task: GraspTask, held: FloatArray, end: End) -> Sequence[Way]:
    if not task.moves:
        return ways_back(held, task.approach, 0.0, up=task.up)[:1]
    if end.wrist is not None:
        return ways_to(held, end.wrist, task.approach, task.distance, up=task.up)
    ways = ways_back(held, task.approach, task.distance, up=task.up)
    # What stands on something is not taken from below it, where there is another way.
    skin = task.around.skin.coarse
    places = skin.all_positions(skin.motions(task.start[None], held[None, :3]))[0]
    lowest = float((places @ task.up - skin.probes.radii).min())
    sunk = [lowest + float((way.away - held)[:3, 3] @ task.up) < min(end.ground, lowest) - SUNK for way in ways]
    return [way for _, way in sorted(zip(sunk, ways, strict=True), key=lambda each: each[0])]
