# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is tried: pairs of a hook and a movement, the most promising first, and how a hand goes about each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..core.contact_faces import FaceWishes
from ..hands.contact_roles import bone_axes, face_wishes, region_wishes
from ..hands.model import HandModel
from ..hands.movements import MovementOnHand, grasp_axis, square_axis
from ..hands.preshape import MOST_CURLED, Preshape, find_preshapes, preshaped
from ..presets.movements import Movement
from ..solvers.hooks import Hook, HookSizes
from ..solvers.search import Attempt, Demand
from .movement_choice import MovementChoice, choose_movements

AUTO = "auto"
MOST_ATTEMPTS = 24
"""Pairs of a hook and a movement that are tried at most."""
LEAST_SCORE = 0.12
"""Movements that suit a hook less than this are not tried, unless none suits more."""
HANDLE_BONUS = 1.6
"""How much more promising handles are: they were made to be held by."""
REST = 0.75
"""How much less promising everything else is then: a dumbbell is not held by its plates."""
THREADED = 1.2
"""How much more promising it is to put fingers through the opening of a handle than to close round it."""
FEWER = 0.6
"""How much of that is left when fewer fingers are put through than there is room for."""
SAME_KIND = 2
"""Hooks of one kind that are tried with one movement before anything else gets its turn."""

Rated = tuple[float, int, MovementChoice]
"""How promising a pair is, its hook's number and its movement."""


@dataclass(frozen=True, eq=False)
class Try:
    """An attempt, and why it is made."""

    attempt: Attempt
    choice: MovementChoice
    preshape: Preshape | None = None


def rate_pairs(hooks: Sequence[Hook], known: list[Movement], wanted: str, size: float, bulk: float) -> list[Rated]:
    """Pairs of hook and movement, the most promising first."""
    rated: list[Rated] = []
    given = any(hook.main for hook in hooks)
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
            elif given:
                prior *= REST
            rated.append((prior, number, choice))
    rated.sort(key=lambda each: -each[0])
    return _mixed(rated, hooks)


def make_tries(
    model: HandModel, hooks: Sequence[Hook], rated: Sequence[Rated], size: float, *, chosen: bool
) -> list[Try]:
    """What is tried of each pair; with more of them, what is tried first stays the same."""
    tries: list[Try] = []
    threaded: set[int] = set()
    known: dict[str, _Means] = {}
    for prior, number, choice in rated:
        movement = choice.movement
        if movement.key not in known:
            known[movement.key] = _means(model, movement, chosen=chosen)
        means = known[movement.key]
        usual = _attempt(model, hooks[number], means, prior, (movement.key, number))
        through = _threaded(model, hooks[number], choice, usual, means, size) if number not in threaded else []
        if through:
            threaded.add(number)
            # Who can put fingers through a handle does not close on it from outside.
            usual = replace(usual, prior=prior - 0.5 * THREADED)
        tries += [*through, Try(usual, choice)]
    return tries


@dataclass(frozen=True, eq=False)
class _Means:
    """What all attempts with one movement share."""

    way: MovementOnHand
    faces: FaceWishes
    demand: Demand | None
    """What is asked for of a movement that was chosen."""


def _means(model: HandModel, movement: Movement, *, chosen: bool) -> _Means:
    demand = Demand(movement.kind, region_wishes(model, movement), bone_axes(model)) if chosen else None
    return _Means(MovementOnHand(model, movement), face_wishes(model, movement), demand)


def _threaded(
    model: HandModel, hook: Hook, choice: MovementChoice, usual: Attempt, means: _Means, size: float
) -> list[Try]:
    """The same with fingers that are curled through the opening of a handle before they close."""
    if hook.opening is None or not usual.palm or usual.hand_axis is None:
        return []
    angles = means.way.angles
    counts = hook.opening.counts(HookSizes().of_hand(size).finger)
    preshapes = [
        each
        for fingers in counts
        for each in find_preshapes(model, angles, fingers=fingers, radius=hook.opening.radius)
    ]
    tries: list[Try] = []
    for preshape, ring in preshapes:
        attempt = replace(
            usual,
            start=preshaped(model, angles, preshape).start,
            centre=ring.centre,
            behind=hook.opening.direction,
            prior=usual.prior + THREADED * (1.0 if preshape.fingers >= min(counts[0], MOST_CURLED) else FEWER),
        )
        tries.append(Try(attempt, choice, preshape))
    return tries


def _mixed(rated: list[Rated], hooks: Sequence[Hook]) -> list[Rated]:
    """The same, with the third and further of one movement at one kind of hook put off to the end."""
    seen: Counter[tuple[str, str]] = Counter()
    first: list[Rated] = []
    later: list[Rated] = []
    for each in rated:
        kind = (each[2].movement.key, hooks[each[1]].kind)
        seen[kind] += 1
        (first if seen[kind] <= SAME_KIND else later).append(each)
    return [*first, *later]


def _attempt(model: HandModel, hook: Hook, means: _Means, prior: float, label: tuple[str, int]) -> Attempt:
    movement, angles = means.way.movement, means.way.angles
    # Slabs are as thick as they are flat where they lie on the palm.
    radius = 0.5 * (hook.flat or hook.thickness)
    press = means.way.press(radius)
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
        centre=means.way.centre(radius),
        hand_axis=lies,
        press_axis=press,
        palm=movement.centre.place == "palm" and not model.radial,
        prior=prior,
        label=label,
        side=movement.centre.place == "side" and not model.radial,
        faces=means.faces,
        demand=means.demand,
    )
