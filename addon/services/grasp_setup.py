# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""From what a user asks for to the problem that is searched: chosen hooks, moved grasp centres, weights, the arm."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..hands.model import HandModel
from ..hands.movements import hand_scale
from ..presets.limits import DEFAULT_LIMITS
from ..solvers.search import Attempt, HookSearch, Weights
from .closing import DEFAULT_DEPTH
from .grasp_checks import HookError, check_hooks
from .grasp_places import ARM, AUTO, FIXED, Place, Reacher
from .grasp_problem import FOREARM, GraspProblem, build_problem
from .grasp_tries import MOST_ATTEMPTS
from .surfaces import WorldSurface

DEFAULT_ATTEMPTS = 5
"""Pairs of a hook and a movement that are tried unless told otherwise."""
SAME_HOOK = 0.004
"""Hooks nearer than this in [m], for the reference hand, are the same one."""

EXACT_WALL = 0.03
"""Within this distance in [m] of an obstacle's box distances are exact."""

Point = tuple[float, float, float]


@dataclass(frozen=True)
class GraspRequest:
    """What to look for."""

    movement: str = AUTO
    """Key of a movement, or "auto"."""
    hooks: tuple[Point, ...] = ()
    """World points in [m] at which to take the prop; found on its mesh where none is given."""
    only: tuple[Point, ...] = ()
    """Of the places that are found on its mesh, those at these world points in [m]; all where none is given."""
    depth: float = DEFAULT_DEPTH
    """How far skin gives in [m]."""
    seed: int = 0
    """Same seed, same grasps."""
    attempts: int = DEFAULT_ATTEMPTS
    """Pairs of a hook and a movement that are tried."""
    seconds: float | None = None
    """When to stop trying further ones; never by default."""
    place: str = AUTO
    """What moves, one of `PLACES`."""
    limits: str = DEFAULT_LIMITS
    """Key of a set of joint limits."""
    weights: Weights = field(default_factory=Weights)
    """What counts how much in the ranking."""
    published: HookSearch | None = None
    """What of the published hook search is used instead of our own; None for our own."""


def weights_of(values: Mapping[str, float]) -> Weights:
    """Weights with some of them set, by name; names that are none are left out."""
    known = {each.name for each in fields(Weights)}
    return Weights(**{name: float(value) for name, value in values.items() if name in known})


def set_up(
    model: HandModel,
    surface: WorldSurface,
    triangles: IntArray,
    request: GraspRequest,
    place: Place,
    *,
    walls: Iterable[WorldSurface] = (),
    centres: Mapping[str, FloatArray] | None = None,
) -> tuple[GraspProblem, Reacher]:
    """The problem of a request, and what tells how an arm gets along with it.

    Args:
        model: The hand.
        surface: The prop.
        triangles: Its triangles as vertex indices. Shape (n, 3).
        request: What is asked for.
        place: How hand and prop come together.
        walls: What must not be touched.
        centres: Offsets of grasp centres in the hand's frame in [m] by movement, each of shape (3,).

    Raises:
        PrehendError: There is no such movement, or no place where the prop could be taken.
    """
    own = [np.array(point, dtype=np.float64) for point in request.hooks]
    check_hooks(surface, model, own)
    near = list(walls) if place.prop_stays else []

    def build(hooks: Sequence[FloatArray]) -> GraspProblem:
        return build_problem(
            model,
            surface,
            triangles,
            movement=request.movement,
            hooks=hooks,
            depth=request.depth,
            walls=near,
            weights=request.weights,
            forearm=not place.knows_forearm,
            pairs=_pairs_needed(request, place),
        )

    found = build(own)
    if request.only:
        everywhere = found if not own else build([])
        rows, left = _rows_at(everywhere, surface, model, request.only)
        parts = [found] if own else []
        parts += [_picked(everywhere, rows)] if rows else []
        # Places that are not among the most promising ones are tried like a user's own.
        parts += [build([np.array(point) for point in left])] if left else []
        found = parts[0]
        for part in parts[1:]:
            found = _joined(found, part)
    if centres:
        found = _recentred(found, centres)
    problem = found.problem
    if near:
        problem = replace(problem, obstacles=_Walls(near, surface))
        found = replace(found, problem=problem)
    scaled = FOREARM * hand_scale(model)
    reacher = Reacher(place, replace(problem, arm=scaled), surface)
    if place.knows_forearm:
        found = replace(found, problem=replace(problem, reach=reacher))
    return found, reacher


def _pairs_needed(request: GraspRequest, place: Place) -> int:
    """How many pairs of a hook and a movement may come to be tried, or chosen from."""
    # What is promising may be out of an arm's reach, a hand that stays tries every movement, and others go on from
    # chosen places or in an order of their own.
    all_of_them = place.kind in (ARM, FIXED) or request.only or request.published is not None
    return MOST_ATTEMPTS if all_of_them else request.attempts


class _Walls:
    """Distances to what must not be touched, exact only near it: many points are asked for and few are near."""

    def __init__(self, walls: Sequence[WorldSurface], surface: WorldSurface) -> None:
        self.walls, self.T_world_frame = walls, surface.T_world_frame

    def __call__(self, points: FloatArray) -> FloatArray:
        """Signed distances in [m] of points of the prop's frame (n, 3), too short where they are large. Shape (n,)."""
        world = points @ self.T_world_frame[:3, :3].T + self.T_world_frame[:3, 3]
        found = np.full(len(points), np.inf)
        for wall in self.walls:
            local = wall.to_frame(world)
            away = np.linalg.norm(local - np.clip(local, wall.surface.low, wall.surface.high), axis=1)
            rows = np.flatnonzero(away < EXACT_WALL)
            away[rows] = wall.surface.exact_distance(local[rows])
            found = np.minimum(found, away)
        return found


def _rows_at(
    found: GraspProblem, surface: WorldSurface, model: HandModel, only: Sequence[Point]
) -> tuple[list[int], list[Point]]:
    """Attempts at the chosen hooks, and those of the chosen hooks at which nothing is attempted.

    Raises:
        HookError: A chosen hook is none of the object's.
    """
    same = SAME_HOOK * hand_scale(model)
    rows: set[int] = set()
    left: list[Point] = []
    known = np.array([hook.point for hook in found.hooks])
    for point, local in zip(only, surface.to_frame(np.array(only, dtype=np.float64)), strict=True):
        if np.linalg.norm(known - local, axis=1).min() > same:
            raise HookError(f"The chosen places of '{surface.name}' are no longer there: press Find Hooks again.")
        hook = int(np.argmin(np.linalg.norm(known - local, axis=1)))
        mine = {k for k, attempt in enumerate(found.problem.attempts) if attempt.label[1] == hook}
        rows |= mine
        left += [] if mine else [point]
    return sorted(rows), left


def _picked(found: GraspProblem, rows: Sequence[int]) -> GraspProblem:
    return replace(
        found,
        problem=replace(found.problem, attempts=tuple(found.problem.attempts[k] for k in rows)),
        movements=tuple(found.movements[k] for k in rows),
        reasons=tuple(found.reasons[k] for k in rows),
        preshapes=tuple(found.preshapes[k] for k in rows),
    )


def _joined(first: GraspProblem, second: GraspProblem) -> GraspProblem:
    """Both problems' attempts, the most promising first; the second's hooks count on from the first's."""
    shift = len(first.hooks)
    moved = [replace(each, label=(each.label[0], each.label[1] + shift)) for each in second.problem.attempts]
    attempts: list[Attempt] = [*first.problem.attempts, *moved]
    both = replace(
        first,
        problem=replace(first.problem, attempts=tuple(attempts)),
        hooks=(*first.hooks, *second.hooks),
        movements=(*first.movements, *second.movements),
        reasons=(*first.reasons, *second.reasons),
        preshapes=(*first.preshapes, *second.preshapes),
    )
    return _picked(both, sorted(range(len(attempts)), key=lambda k: -attempts[k].prior))


def _recentred(found: GraspProblem, centres: Mapping[str, FloatArray]) -> GraspProblem:
    attempts = tuple(
        replace(attempt, centre=attempt.centre + centres[movement.key]) if movement.key in centres else attempt
        for attempt, movement in zip(found.problem.attempts, found.movements, strict=True)
    )
    return replace(found, problem=replace(found.problem, attempts=attempts))
