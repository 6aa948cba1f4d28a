# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A hand and an object as a problem for the search: where the object can be taken, and with which movements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.errors import PrehendError, UnknownChoiceError
from ..hands.model import HandModel
from ..hands.movements import hand_scale, hand_size, opposition_axis
from ..hands.preshape import Preshape
from ..presets.movements import REFERENCE_PALM_WIDTH, Movement, load_movements
from ..solvers.hooks import Hook, find_hooks
from ..solvers.search import Attempt, Problem, Weights
from .closing_hands import closing_skin
from .grasp_tries import AUTO, MOST_ATTEMPTS, make_tries, rate_pairs
from .sizes import hook_fields
from .surfaces import WorldSurface, nearest_of

FOREARM = 0.22
"""Length of forearm in [m], for the hand that movements are made for, that has to stay clear of the object."""
FOREARM_RADIUS = 0.033
FAR_HOOK = 0.03
"""A hook this far in [m] off the object's surface cannot be meant."""


def tries_of(attempts: Sequence[Attempt], pairs: int) -> int:
    """How many attempts belong to the first so many pairs of a hook and a movement."""
    seen: set[tuple[str, int]] = set()
    for number, attempt in enumerate(attempts):
        if attempt.label not in seen and len(seen) == pairs:
            return number
        seen.add(attempt.label)
    return len(attempts)


class NoHookError(PrehendError):
    """The object has no place that the hand could take."""


@dataclass(frozen=True, eq=False)
class GraspProblem:
    """What is searched, and how to tell about it."""

    problem: Problem
    """In the object's frame."""
    hooks: tuple[Hook, ...]
    """Places that are tried, best first."""
    movements: tuple[Movement, ...]
    """The movement of each attempt."""
    reasons: tuple[str, ...]
    """Why each attempt is made, in a sentence."""
    preshapes: tuple[Preshape | None, ...]
    """How the fingers of each attempt are curled before they close; None where they begin open."""


def find_places(surface: WorldSurface, triangles: IntArray, model: HandModel) -> tuple[Hook, ...]:
    """The places of an object, of triangles (n, 3), that a hand can take it by, best first."""
    quick, careful = hook_fields(surface, model)
    return find_hooks(surface.vertices, triangles, quick, hand=hand_size(model), careful=careful)


def build_problem(
    model: HandModel,
    surface: WorldSurface,
    triangles: IntArray,
    *,
    movement: str = AUTO,
    hooks: Sequence[FloatArray] = (),
    depth: float,
    walls: Sequence[WorldSurface] = (),
    weights: Weights | None = None,
    forearm: bool = True,
    pairs: int = MOST_ATTEMPTS,
) -> GraspProblem:
    """The problem of holding an object.

    Args:
        model: The hand.
        surface: The object.
        triangles: Its triangles as vertex indices. Shape (n, 3).
        movement: Key of a movement, or "auto" for those that suit.
        hooks: World points in [m] at which to take it, each of shape (3,); found on the mesh where none is given.
        depth: How far skin gives in [m].
        walls: What must not be touched.
        weights: What counts how much.
        forearm: Whether a forearm has to stay clear of the object.
        pairs: How many pairs of a hook and a movement are wanted at most, the most promising ones.

    Raises:
        UnknownChoiceError: There is no such movement.
        NoHookError: A given hook is far from the object, or there is none that fits the hand.
    """
    known = load_movements()
    if movement != AUTO and movement not in known:
        raise UnknownChoiceError("movement", movement, (AUTO, *known))
    size = hand_size(model)
    places = _own_hooks(surface, hooks, size) if len(hooks) else None
    if places is None:
        places = find_places(surface, triangles, model)
        if not places:
            raise NoHookError(
                f"'{surface.name}' has no part that this hand could close round "
                f"(it is {100.0 * surface.size.max():.0f} cm large): check its scale or set a hook yourself."
            )
    offered = [each for each in known.values() if movement != AUTO or each.auto]
    scale = hand_scale(model)
    bulk = float(np.prod(surface.surface.high - surface.surface.low) ** (1.0 / 3.0)) / scale
    rated = rate_pairs(places, offered, movement, size, bulk)
    tries = make_tries(model, places, rated[: min(pairs, MOST_ATTEMPTS)], size, chosen=movement != AUTO)
    up = surface.T_world_frame[2, :3]
    thumb = {"R": 1.0, "L": -1.0}.get(model.side, 0.0)
    walls = list(walls)

    def blocked(points: FloatArray) -> FloatArray:
        world = points @ surface.T_world_frame[:3, :3].T + surface.T_world_frame[:3, 3]
        return nearest_of(walls, world)

    vertices = surface.vertices
    middle = 0.5 * (surface.surface.low + surface.surface.high)
    problem = Problem(
        skin=closing_skin(model),
        ranges=model.limits.ranges,
        approach=model.approach,
        thumb_way=np.array([thumb, 0.0, 0.0]),
        attempts=tuple(each.attempt for each in tries),
        distance=surface.quick_in_frame,
        # Where balls are what touches, their middles are too far off for a grid to be right to a tenth of a millimetre.
        refined=surface.surface.distance if model.skin is not None else surface.surface.exact_distance,
        precise=surface.surface.exact_distance,
        normals=surface.surface.gradient,
        up=up,
        floor=float((vertices @ up).min()),
        middle=middle,
        radius=float(np.linalg.norm(vertices - middle, axis=1).max()),
        bulk=bulk,
        depth=depth,
        near=surface.surface.near_distance if model.skin is not None else None,
        obstacles=blocked if walls else None,
        arm=FOREARM * scale if forearm else 0.0,
        arm_radius=FOREARM_RADIUS * scale,
        weights=weights or Weights(),
    )
    return GraspProblem(
        problem,
        tuple(places),
        tuple(each.choice.movement for each in tries),
        tuple(each.choice.reason for each in tries),
        tuple(each.preshape for each in tries),
    )


def _own_hooks(surface: WorldSurface, hooks: Sequence[FloatArray], size: float) -> tuple[Hook, ...]:
    """Hooks at points that the user gave, with the shape that the object has there."""
    found: list[Hook] = []
    for point in hooks:
        local = surface.to_frame(np.asarray(point, dtype=np.float64)[None])
        off = float(surface.surface.exact_distance(local)[0])
        if off > FAR_HOOK * size / REFERENCE_PALM_WIDTH:
            raise NoHookError(
                f"The hook is {1000.0 * off:.0f} mm away from '{surface.name}': set it on or in the object."
            )
        found.append(_hook_at(surface, local[0], size))
    return tuple(found)


def _hook_at(surface: WorldSurface, point: FloatArray, size: float) -> Hook:
    """The shape round a point: what is near it, its long and its thin direction."""
    reach = 0.5 * size
    near = surface.vertices[np.linalg.norm(surface.vertices - point, axis=1) < reach]
    if len(near) < 8:
        near = surface.vertices[np.argsort(np.linalg.norm(surface.vertices - point, axis=1))[:64]]
    middle = 0.5 * (near.min(axis=0) + near.max(axis=0))
    _, _, axes = np.linalg.svd(near - near.mean(axis=0), full_matrices=False)
    extents = np.ptp((near - middle) @ axes.T, axis=0)
    long, wide, thin = (float(each) for each in extents)
    if long > 1.6 * wide:
        across = axes[2] if wide > 1.8 * thin else None
        return Hook(point, axes[0], across, "tube", 0.5 * (wide + thin) if across is None else thin, long, 0.0, 1.0)
    if wide > 2.2 * thin:
        return Hook(point, None, axes[2], "thin", thin, long, 0.0, 1.0)
    return Hook(point, None, None, "compact", (long + wide + thin) / 3.0, long, 0.0, 1.0)


def push_way(model: HandModel, movement: Movement) -> FloatArray:
    """Direction in the hand's frame in which a movement's hand is pushed onto an object. Shape (3,)."""
    if movement.centre.place == "side" and not model.radial:
        return opposition_axis(model, movement)
    return model.approach
