# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The search for a grasp: attempt by attempt, many wrists at a time, the best of each refined and closed on the skin.

Every attempt leaves the grasps that it ends with, and what has been found is never taken back: more budget can only
add to it.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np

from ...core.arrays import FloatArray
from ..closing import USUAL, Nearness, Scene, close, measure_moved, measure_near
from ..metrics import force_closure
from .demand import Demand
from .diversity import are_near, distinct, spread
from .placing import TOO_DEEP, WITHIN, back_off, hand_turns, lift_free, neighbours, place_wrists, push_way
from .problem import Attempt, Candidate, Problem
from .ranking import OPPOSED, forearm_clearance, score_terms, stance, total

REFINED = 3
"""Wrists of an attempt that are improved."""
FINISHED = 2
"""Wrists of an attempt that are closed on all of the skin at most."""
_BEHIND = 0.15
"""Wrists whose scores are farther than this behind the attempt's best are not."""
_SECOND, _HOPELESS, _GAIN = 0.3, 1.2, 0.4
"""Attempts that are farther than this behind the best grasp so far get one wrist closed on the skin, and none; and what
improving a wrist may be worth."""
_CHOICE, _NO_RIVAL = 3, 0.5
"""With this many grasps to choose from, attempts that are farther than this behind get none: what balls promise is
seldom short by as much of what the skin keeps."""
_BAD_STAND = 1.0
"""Hands that stand worse by more than this than the best of their attempt are not closed."""
_STEPS = ((0.22, 0.01), (0.09, 0.004))
"""Turn in [rad] and shift in [m] of the steps that improve a wrist."""
_LAST_STEPS = ((0.1, 0.004), (0.06, 0.002), (0.03, 0.001))
"""The same on all of the skin, where a type was chosen and it counts which regions of the skin touch."""
_CHOSEN = 4
"""Wrists of an attempt that are closed on all of the skin where its type was chosen."""
AGAIN = 4
"""Wrists beside them that are closed on all of the skin when none of those holds."""
ELSEWHERE = 3
"""The same of wrists that differ as much as grasps do."""
_BESIDE = (0.002, 0.06)
"""How far those are apart, in [m] and [rad]."""
_PINCH_STEPS = ((0.12, 0.002), (0.06, 0.001))
"""Turns in [rad] and shifts in [m] that are tried on all of the skin when a pinch does not hold."""
_TOUCHING = 2e-4
"""Skin nearer than this in [m] touches."""


@dataclass(frozen=True, eq=False)
class Progress:
    """How far a search is."""

    done: int
    """Attempts made."""
    count: int
    """Attempts in all."""
    closings: int
    """Hands closed so far."""
    found: tuple[Candidate, ...]
    """Grasps so far that differ, best first."""

    @property
    def best(self) -> Candidate | None:
        """The best grasp so far."""
        return self.found[0] if self.found else None


@dataclass(frozen=True, eq=False)
class SearchResult:
    """What a search found."""

    candidates: tuple[Candidate, ...]
    """Grasps that differ, best first; none when nothing could be held."""
    attempts: int
    """Attempts made."""
    closings: int
    """Hands closed."""


def search(problem: Problem, *, seed: int = 0, most: int | None = None) -> Generator[Progress, None, SearchResult]:
    """Look for grasps, the most promising attempts first; yields after each, and may be left after any of them.

    Args:
        problem: What is to be held, and with what.
        seed: Same seed, same grasps.
        most: Attempts to make; all by default.
    """
    found: list[Candidate] = []
    closings = 0
    attempts = problem.attempts[:most]
    for number, attempt in enumerate(attempts):
        # Each attempt has its own numbers, so that it goes the same ways whatever was tried before it.
        rng = np.random.default_rng([seed, number])
        rival = _Rival(found[0].score, _patience(problem, found)) if found else _Rival()
        candidates, closed = _try(problem, attempt, number, rng, rival)
        closings += closed
        found = distinct([*found, *candidates])
        yield Progress(number + 1, len(attempts), closings, tuple(found))
    return SearchResult(tuple(found), len(attempts), closings)


def drain(steps: Generator[Progress, None, SearchResult]) -> SearchResult:
    """Run a search to its end."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


@dataclass(frozen=True)
class _Rival:
    """The best grasp so far."""

    score: float = -np.inf
    """Its score."""
    patience: float = _HOPELESS
    """What is farther behind it than this is not closed on all of the skin."""


def _patience(problem: Problem, found: list[Candidate]) -> float:
    """How far behind the best an attempt may be; less when there is a choice and nothing of it will be turned down."""
    sure = problem.reach is None and problem.obstacles is None
    return _NO_RIVAL if sure and len(found) >= _CHOICE else _HOPELESS


def _try(
    problem: Problem, attempt: Attempt, number: int, rng: np.random.Generator, rival: _Rival
) -> tuple[list[Candidate], int]:
    """The best grasps of one attempt, and how many hands were closed for them.

    Args:
        problem: The problem.
        attempt: What is tried.
        number: Its place in the list.
        rng: Its random numbers.
        rival: What it has to come near to.
    """
    wrists = place_wrists(attempt, hand_turns(attempt, problem.approach, rng))
    wrists, scores = _rate(problem, attempt, wrists)
    closed = len(wrists)
    best = spread(wrists, scores, REFINED)
    best = best[scores[best] > rival.score - rival.patience - _GAIN]
    wrists, scores = wrists[best], scores[best]
    others, their_scores = wrists, scores
    for angle, shift in _STEPS:
        if not len(wrists):
            break
        pivots = (wrists[:, :, :3] @ attempt.centre) + wrists[:, :, 3]
        around = neighbours(wrists, pivots, angle=angle, shift=shift)
        tried, rated = _rate(problem, attempt, around.reshape(-1, 3, 4))
        closed += len(tried)
        others, their_scores = tried, rated
        tried, rated = tried.reshape(around.shape), rated.reshape(around.shape[:2])
        pick = np.argmax(rated, axis=1)
        rows = np.arange(len(wrists))
        wrists, scores = tried[rows, pick], rated[rows, pick]
    best = spread(wrists, scores, FINISHED if attempt.demand is None else _CHOSEN)
    if attempt.demand is not None:
        # Balls tell regions of the skin only roughly: what is a little behind may be the one that touches rightly.
        wrists = _polished(problem, attempt, attempt.demand, wrists[best])
        return finish(problem, attempt, number, wrists), closed + len(best)
    best = best[scores[best] > scores[best].max(initial=-np.inf) - _BEHIND]
    best = best[scores[best] > rival.score - rival.patience]
    if len(best) and scores[best[0]] < rival.score - _SECOND:
        best = best[:1]
    found, closed = finish(problem, attempt, number, wrists[best]), closed + len(best)
    if len(best) and scores[best[0]] > rival.score - _SECOND and not any(_holds(each) for each in found):
        # The balls promised more than the skin keeps, as on the edge of something thin: the next place may keep it.
        done = [any(are_near(each, wrist, _BESIDE) for wrist in wrists[best]) for each in others]
        left = np.where(done, -np.inf, their_scores)
        # Beside what did not hold; of fingers through a handle, which fit in few ways, well away from it as well.
        elsewhere = 0 if attempt.behind is None else ELSEWHERE
        more = np.union1d(spread(others, left, AGAIN, apart=_BESIDE), spread(others, left, elsewhere))
        found, closed = [*found, *finish(problem, attempt, number, others[more])], closed + len(more)
        for angle, shift in _PINCH_STEPS if not attempt.palm else ():
            if not found or any(_holds(each) for each in found):
                break
            # Pads that meet beside something as thin as a wire stop each other: it has to lie just where they meet.
            start = min(found, key=lambda each: _farthest(problem, attempt, each)).wrist[None]
            pivots = (start[:, :, :3] @ attempt.centre) + start[:, :, 3]
            around = neighbours(start, pivots, angle=angle, shift=shift)[0, 1:]
            found, closed = [*found, *finish(problem, attempt, number, around)], closed + len(around)
    return found, closed


def _holds(candidate: Candidate) -> bool:
    """Whether something opposes the fingers of a grasp."""
    return candidate.terms["opposition"] >= OPPOSED


def _farthest(problem: Problem, attempt: Attempt, candidate: Candidate) -> float:
    """How far in [m] that finger is from the object which is the farthest of those that take part."""
    hand = problem.skin.hand
    ends = [int(chain[chain >= 0][-1]) for f, chain in enumerate(hand.chains) if attempt.fingers[f]]
    return float(candidate.gaps[ends].max())


def _polished(problem: Problem, attempt: Attempt, demand: Demand, wrists: FloatArray) -> FloatArray:
    """Wrists (a, 3, 4) moved a little so that the right regions of the skin touch."""
    scene = _skin_scene(problem)
    for angle, shift in _LAST_STEPS if len(wrists) else ():
        pivots = (wrists[:, :, :3] @ attempt.centre) + wrists[:, :, 3]
        around = neighbours(wrists, pivots, angle=angle, shift=shift)
        tried, lifted = lift_free(problem, attempt, around.reshape(-1, 3, 4))
        tried = _backed_off(problem, attempt, tried)
        closing = close(problem.skin, attempt.closing_at(tried), scene, problem.ranges, ways=USUAL)
        near = measure_near(problem.skin.fine, closing.angles, tried, problem.refined, within=WITHIN)
        terms = score_terms(problem, attempt, tried, closing, near, touching=_TOUCHING)
        terms["faces"] = demand.met(problem.skin.fine, closing.angles, tried, problem.refined, problem.normals)
        scores = np.where(np.isinf(lifted), -np.inf, total(problem, attempt, terms)).reshape(around.shape[:2])
        wrists = tried.reshape(around.shape)[np.arange(len(wrists)), np.argmax(scores, axis=1)]
    return wrists


def _rate(problem: Problem, attempt: Attempt, wrists: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Wrists moved free, and the scores of what closes there.

    Hands that do not come free, whose forearm is in the way, that are out of the arm's reach or that stand so badly
    that no closing makes up for it are not closed.
    """
    wrists, lifted = lift_free(problem, attempt, wrists)
    scores = np.full(len(wrists), -np.inf)
    free = np.isfinite(lifted) & (forearm_clearance(problem, wrists) >= 0.0)
    if problem.reach is not None:
        # Before stances are compared, as the best stance may be one that no arm gets to.
        free &= np.isfinite(problem.reach(wrists))
    stand = stance(problem, attempt, wrists)
    rows = np.flatnonzero(free & (stand > stand[free].max(initial=-np.inf) - _BAD_STAND))
    if len(rows):
        closing = close(
            problem.skin, attempt.closing_at(wrists[rows]), _scene(problem), problem.ranges, ways=USUAL, fine=False
        )
        motions = problem.skin.coarse.motions(closing.angles, wrists[rows])
        near = measure_moved(problem.skin.coarse, motions, problem.distance)
        terms = score_terms(problem, attempt, wrists[rows], closing, near, motions=motions)
        scores[rows] = total(problem, attempt, terms)
    return wrists, scores


def finish(problem: Problem, attempt: Attempt, number: int, wrists: FloatArray) -> list[Candidate]:
    """Close on all of the skin, and rate what is really touched."""
    if not len(wrists):
        return []
    wrists = _backed_off(problem, attempt, wrists)
    closing = close(problem.skin, attempt.closing_at(wrists), _skin_scene(problem), problem.ranges)
    near = measure_near(
        problem.skin.fine, closing.angles, wrists, problem.refined, within=WITHIN, precise=problem.precise
    )
    terms = score_terms(problem, attempt, wrists, closing, near, touching=_TOUCHING)
    if attempt.demand is not None:
        terms["faces"] = attempt.demand.met(problem.skin.fine, closing.angles, wrists, problem.precise, problem.normals)
    terms["firm"] = _firmness(problem, near)
    scores = total(problem, attempt, terms)
    return [
        Candidate(
            wrist=wrists[a],
            angles=closing.angles[a],
            attempt=number,
            score=float(scores[a]),
            terms={name: float(values[a]) for name, values in terms.items()},
            gaps=near.gaps[a],
            points=near.points[a],
        )
        for a in range(len(wrists))
        if np.isfinite(scores[a]) and near.gaps[a].min() >= -problem.depth - TOO_DEEP
    ]


def _backed_off(problem: Problem, attempt: Attempt, wrists: FloatArray) -> FloatArray:
    """Wrists (a, 3, 4) moved until the open hand's skin is no deeper than it gives, and touches where it has to."""
    # Where the palm has to touch, near is not enough.
    touch = attempt.side or (attempt.palm and attempt.demand is not None)
    way = push_way(problem, attempt)
    return back_off(problem.skin.fine, attempt.start, wrists, way, problem.refined, problem.depth, touch=touch)


def _firmness(problem: Problem, near: Nearness) -> FloatArray:
    """How firmly the contacts hold, 0 to 1: the epsilon of the grasp over that of a very good one. Shape (a,)."""
    out = np.zeros(len(near.gaps))
    for a, (gaps, points) in enumerate(zip(near.gaps, near.points, strict=True)):
        touching = np.flatnonzero(gaps <= _TOUCHING)
        if len(touching) >= 2:
            normals = problem.normals(points[touching])
            closure = force_closure(points[touching], normals, centre=problem.middle, radius=problem.radius)
            out[a] = min(closure.epsilon / 0.25, 1.0)
    return out


def _scene(problem: Problem) -> Scene:
    return Scene(problem.distance, problem.precise, problem.depth, obstacles=problem.obstacles)


def _skin_scene(problem: Problem) -> Scene:
    """The same for closing on all of the skin; balls close on it as they do before."""
    return replace(_scene(problem), distance=problem.refined, near=problem.near, quick=problem.distance)
