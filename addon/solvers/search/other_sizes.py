# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The search for hands that are far larger or smaller than people's: giants, dolls, rigs in centimetres.

Steps, tolerances and the lengths that the ranking knows are those of people's hands. A problem of another size is
shrunk or grown to theirs, by a power of two so that no number is rounded, searched, and what was found is put back.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from dataclasses import replace

import numpy as np

from ...core.arrays import FloatArray
from ..closing import ClosingSkin, NearDistance, build_skin
from .hook_search import HookSearch
from .problem import Attempt, Candidate, Problem, Reach
from .published import search_published
from .search import Progress, SearchResult, search

_Measure = Callable[[FloatArray], FloatArray]


def power_of_two(ratio: float) -> float:
    """The power of two that a ratio of sizes is nearest to: 1 for hands from 0.7 to 1.4 times the usual size."""
    return 2.0 ** round(math.log2(ratio))


def search_at_size(
    problem: Problem,
    size: float,
    *,
    seed: int = 0,
    most: int | None = None,
    published: HookSearch | None = None,
    shoulder: FloatArray | None = None,
) -> Generator[Progress, None, SearchResult]:
    """Look for grasps as `search` does, or as `search_published` does.

    Args:
        problem: What is to be held, and with what.
        size: How large the hand is over the usual, a power of two.
        seed: Same seed, same grasps.
        most: Attempts to make; all by default.
        published: What of the published search is used; None for our own search.
        shoulder: Of the character in [m], for the published search. Shape (3,).
    """

    def steps_of(usual: Problem, shoulder: FloatArray | None) -> Generator[Progress, None, SearchResult]:
        if published is None:
            return search(usual, seed=seed, most=most)
        return search_published(usual, published, seed=seed, most=most, shoulder=shoulder)

    if size == 1.0:
        return (yield from steps_of(problem, shoulder))
    # Each candidate is put back once, as callers tell them apart by which object they are.
    known: dict[int, tuple[Candidate, Candidate]] = {}

    def put_back(candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
        for each in candidates:
            if id(each) not in known:
                known[id(each)] = each, _resized_candidate(each, size)
        return tuple(known[id(each)][1] for each in candidates)

    steps = steps_of(resized(problem, 1.0 / size), None if shoulder is None else shoulder / size)
    while True:
        try:
            progress = next(steps)
        except StopIteration as end:
            result: SearchResult = end.value
            return replace(result, candidates=put_back(result.candidates))
        yield replace(progress, found=put_back(progress.found))


def resized(problem: Problem, factor: float) -> Problem:
    """The same problem with all lengths multiplied."""
    return replace(
        problem,
        skin=_resized_skin(problem.skin, factor),
        attempts=tuple(_resized_attempt(each, factor) for each in problem.attempts),
        distance=_resized_distance(problem.distance, factor),
        refined=_resized_distance(problem.refined, factor),
        precise=_resized_distance(problem.precise, factor),
        normals=_at(problem.normals, factor),
        floor=factor * problem.floor,
        middle=factor * problem.middle,
        radius=factor * problem.radius,
        depth=factor * problem.depth,
        near=None if problem.near is None else _resized_near(problem.near, factor),
        obstacles=None if problem.obstacles is None else _resized_distance(problem.obstacles, factor),
        arm=factor * problem.arm,
        arm_radius=factor * problem.arm_radius,
        reach=None if problem.reach is None else _resized_reach(problem.reach, factor),
    )


def _resized_skin(skin: ClosingSkin, factor: float) -> ClosingSkin:
    hand, probes = skin.hand, skin.fine.probes
    volumes = hand.volumes
    grown = replace(
        hand,
        articulation=replace(hand.articulation, offsets=factor * hand.articulation.offsets),
        volumes=replace(volumes, ends=factor * volumes.ends, radii=factor * volumes.radii),
    )
    return build_skin(grown, replace(probes, points=factor * probes.points, radii=factor * probes.radii))


def _resized_attempt(attempt: Attempt, factor: float) -> Attempt:
    demand = attempt.demand
    return replace(
        attempt,
        hook=factor * attempt.hook,
        hook_length=factor * attempt.hook_length,
        centre=factor * attempt.centre,
        demand=None if demand is None else replace(demand, axes=factor * demand.axes),
    )


def _resized_candidate(candidate: Candidate, factor: float) -> Candidate:
    return replace(
        candidate,
        wrist=_resized_wrists(candidate.wrist, factor),
        gaps=factor * candidate.gaps,
        points=factor * candidate.points,
    )


def _resized_wrists(wrists: FloatArray, factor: float) -> FloatArray:
    """Frames (..., 3, 4) with their places multiplied."""
    return np.concatenate([wrists[..., :3], factor * wrists[..., 3:]], axis=-1)


def _at(measure: _Measure, factor: float) -> _Measure:
    return lambda points: measure(points / factor)


def _resized_distance(distance: _Measure, factor: float) -> _Measure:
    return lambda points: factor * distance(points / factor)


def _resized_near(near: NearDistance, factor: float) -> NearDistance:
    return lambda points, low, high: factor * near(points / factor, low / factor, high / factor)


def _resized_reach(reach: Reach, factor: float) -> Reach:
    return lambda wrists: reach(_resized_wrists(wrists, 1.0 / factor))
