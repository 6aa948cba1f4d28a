# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A hand and an object as a problem for the search: where the object can be taken, and with which movements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.errors import PrehendError, UnknownChoiceError
from ..hands.contact_roles import bone_axes, face_wishes, region_wishes
from ..hands.model import HandModel
from ..hands.movements import (
    grasp_axis,
    grasp_centre,
    hand_scale,
    hand_size,
    movement_angles,
    opposition_axis,
    square_axis,
)
from ..hands.preshape import Preshape, find_preshapes, preshaped
from ..presets.movements import REFERENCE_PALM_WIDTH, Movement, load_movements
from ..solvers.hooks import Hook, HookSizes, find_hooks
from ..solvers.search import Attempt, Demand, Problem, Weights
from .closing_hands import closing_skin
from .movement_choice import MovementChoice, choose_movements
from .sizes import hook_field
from .surfaces import WorldSurface, nearest_of

AUTO = "auto"
FOREARM = 0.22
"""Length of forearm in [m], for the hand that movements are made for, that has to stay clear of the object."""
FOREARM_RADIUS = 0.033
MOST_ATTEMPTS = 24
"""Pairs of a hook and a movement that are tried at most."""
LEAST_SCORE = 0.12
"""Movements that suit a hook less than this are not tried, unless none suits more."""
HANDLE_BONUS = 1.6
"""How much more promising handles are: they were made to be held by."""
THREADED = 1.2
"""How much more promising it is to put fingers through the opening of a handle than to close round it."""
SAME_KIND = 2
"""Hooks of one kind that are tried with one movement before anything else gets its turn."""
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
        places = find_hooks(surface.vertices, triangles, hook_field(surface, model), hand=size)
        if not places:
            raise NoHookError(
                f"'{surface.name}' has no part that this hand could close round "
                f"(it is {100.0 * surface.size.max():.0f} cm large): check its scale or set a hook yourself."
            )
    offered = [each for each in known.values() if movement != AUTO or each.auto]
    scale = hand_scale(model)
    bulk = float(np.prod(surface.surface.high - surface.surface.low) ** (1.0 / 3.0)) / scale
    tries = _tries(model, places, offered, movement, size, bulk)
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


@dataclass(frozen=True, eq=False)
class _Try:
    """An attempt, and why it is made."""

    attempt: Attempt
    choice: MovementChoice
    preshape: Preshape | None = None


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


def _tries(
    model: HandModel, hooks: Sequence[Hook], known: list[Movement], wanted: str, size: float, bulk: float
) -> list[_Try]:
    """Pairs of hook and movement, the most promising first."""
    rated: list[tuple[float, int, MovementChoice]] = []
    for number, hook in enumerate(hooks):
        choices = choose_movements(hook, size, known, bulk=bulk)
        if wanted != AUTO:
            choices = [choice for choice in choices if choice.movement.key == wanted]
        else:
            choices = [choice for choice in choices if choice.score >= LEAST_SCORE][:3] or choices[:1]
        for choice in choices:
            # A hook's place in the list matters less than how well the movement fits it.
            prior = choice.score * (0.35 + 0.65 * hook.score / max(hooks[0].score, 1e-9))
            if hook.main:
                prior = min(HANDLE_BONUS * prior, 1.5)
            rated.append((prior, number, choice))
    rated.sort(key=lambda each: -each[0])
    tries: list[_Try] = []
    threaded: set[int] = set()
    for prior, number, choice in _mixed(rated, hooks)[:MOST_ATTEMPTS]:
        usual = _attempt(model, hooks[number], choice.movement, prior, (choice.movement.key, number))
        if wanted != AUTO:
            regions, axes = region_wishes(model, choice.movement), bone_axes(model)
            usual = replace(usual, demand=Demand(choice.movement.kind, regions, axes))
        through = _threaded(model, hooks[number], choice, usual, size) if number not in threaded else []
        if through:
            threaded.add(number)
            # Who can put fingers through a handle does not close on it from outside.
            usual = replace(usual, prior=prior - 0.5 * THREADED)
        tries += [*through, _Try(usual, choice)]
    return tries


def _threaded(model: HandModel, hook: Hook, choice: MovementChoice, usual: Attempt, size: float) -> list[_Try]:
    """The same with fingers that are curled through the opening of a handle before they close."""
    if hook.opening is None or not usual.palm or usual.hand_axis is None:
        return []
    angles = movement_angles(model, choice.movement)
    fingers = hook.opening.room(HookSizes().of_hand(size).finger)
    tries: list[_Try] = []
    for preshape, ring in find_preshapes(model, angles, fingers=fingers, radius=hook.opening.radius):
        attempt = replace(
            usual,
            start=preshaped(model, angles, preshape).start,
            centre=ring.centre,
            behind=hook.opening.direction,
            prior=usual.prior + THREADED,
        )
        tries.append(_Try(attempt, choice, preshape))
    return tries


def _mixed(
    rated: list[tuple[float, int, MovementChoice]], hooks: Sequence[Hook]
) -> list[tuple[float, int, MovementChoice]]:
    """The same, with the third and further of one movement at one kind of hook put off to the end."""
    seen: Counter[tuple[str, str]] = Counter()
    first: list[tuple[float, int, MovementChoice]] = []
    later: list[tuple[float, int, MovementChoice]] = []
    for each in rated:
        kind = (each[2].movement.key, hooks[each[1]].kind)
        seen[kind] += 1
        (first if seen[kind] <= SAME_KIND else later).append(each)
    return [*first, *later]


def push_way(model: HandModel, movement: Movement) -> FloatArray:
    """Direction in the hand's frame in which a movement's hand is pushed onto an object. Shape (3,)."""
    if movement.centre.place == "side" and not model.radial:
        return opposition_axis(model, movement)
    return model.approach


def _attempt(model: HandModel, hook: Hook, movement: Movement, prior: float, label: tuple[str, int]) -> Attempt:
    angles = movement_angles(model, movement)
    # Slabs are as thick as they are flat where they lie on the palm.
    radius = 0.5 * (hook.flat or hook.thickness)
    press = opposition_axis(model, movement, radius=radius)
    lies = grasp_axis(model, movement)
    if lies is None and hook.kind == "tube":
        # However a bar lies, it is not pressed together along its length.
        lies = square_axis(press, model.approach)
    return Attempt(
        hook=hook.point,
        hook_axis=hook.axis,
        hook_across=hook.across,
        hook_length=hook.length if hook.axis is not None else 0.0,
        start=angles.start,
        end=angles.end,
        fingers=angles.taking_part,
        centre=grasp_centre(model, movement, radius=radius),
        hand_axis=lies,
        press_axis=press,
        palm=movement.centre.place == "palm" and not model.radial,
        prior=prior,
        label=label,
        side=movement.centre.place == "side" and not model.radial,
        faces=face_wishes(model, movement),
    )
