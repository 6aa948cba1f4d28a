# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Find where and how a hand takes a prop, show it while it is sought, and keep what was found with the prop."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.errors import PrehendError
from ..core.handmap import HandMap
from ..hands.model import HandModel
from ..hands.movements import movement_angles
from ..hands.preshape import preshaped
from ..presets.limits import DEFAULT_LIMITS
from ..presets.movements import load_movements
from ..rig.placement import ArmatureMover, PropMover, WristMover
from ..rig.snapshot import Snapshot, put_back, take_snapshot
from ..rig.surface import read_placed
from ..rig.write import check_writable, write_angles
from ..solvers.search import Candidate, back_off, search
from .closing import DEFAULT_DEPTH, CloseRequest, close_fingers
from .closing_checks import check_object, check_size
from .closing_hands import closing_skin
from .closing_report import CloseReport
from .grasp_problem import AUTO, GraspProblem, build_problem, push_way, tries_of
from .grasp_records import GraspRecord, record_candidate, store_candidates
from .posture import model_of
from .surfaces import WorldSurface, place_surface, surface_of

DEFAULT_ATTEMPTS = 5
"""Pairs of a hook and a movement that are tried unless told otherwise."""
MOST_CANDIDATES = 8
"""Grasps that are kept to choose from."""
HAND, PROP = "hand", "prop"


class NoGraspError(PrehendError):
    """Nothing was found that holds."""


@dataclass(frozen=True)
class GraspRequest:
    """What to look for."""

    movement: str = AUTO
    """Key of a movement, or "auto"."""
    hooks: tuple[tuple[float, float, float], ...] = ()
    """World points in [m] at which to take the prop; found on its mesh where none is given."""
    depth: float = DEFAULT_DEPTH
    """How far skin gives in [m]."""
    seed: int = 0
    """Same seed, same grasps."""
    attempts: int = DEFAULT_ATTEMPTS
    """Pairs of a hook and a movement that are tried."""
    seconds: float | None = None
    """When to stop trying further ones; never by default."""
    place: str = AUTO
    """What moves: "hand", "prop" or "auto" for the hand where it has no arm, else the prop."""
    limits: str = DEFAULT_LIMITS
    """Key of a set of joint limits."""


@dataclass(frozen=True, eq=False)
class GraspProgress:
    """How far a search is."""

    share: float
    """0 to 1."""
    text: str
    """One line for the user."""
    improved: bool
    """Whether the best grasp has changed."""


class GraspSearch:
    """A search for one hand and one prop; lives no longer than the operator or script that made it."""

    def __init__(
        self,
        armature: Any,
        hand: HandMap,
        prop: Any,
        request: GraspRequest,
        *,
        view_layer: Any,
        obstacles: Iterable[Any] = (),
    ) -> None:
        """Check everything and prepare the search; nothing is changed yet.

        Raises:
            PrehendError: The hand or the prop will not do; the sentence says why.
        """
        if request.attempts < 1 or (request.seconds is not None and request.seconds <= 0.0):
            raise NoGraspError("The budget leaves no time to try anything: give at least one attempt.")
        check_writable(armature)
        check_object(prop, armature, hand)
        self.armature, self.hand, self.prop, self.request, self.view_layer = armature, hand, prop, request, view_layer
        self.obstacles = list(obstacles)
        self.mover = choose_mover(armature, hand, prop, request.place)
        self.model: HandModel = model_of(armature, hand, limits=request.limits, objects=view_layer.objects)
        placed = read_placed(prop, view_layer.depsgraph)
        self.surface: WorldSurface = place_surface(prop.name, placed)
        check_size(self.surface, self.model)
        self.before: Snapshot = take_snapshot(armature, prop)
        self.candidates: list[Candidate] = []
        self.closings = 0
        self.times: dict[str, float] = {}
        started = time.perf_counter()
        _ = self.surface.surface.grid
        self.times["surface"] = time.perf_counter() - started
        started = time.perf_counter()
        walls = [surface_of(each, view_layer.depsgraph) for each in self.obstacles]
        self.problem: GraspProblem = build_problem(
            self.model,
            self.surface,
            placed.triangles,
            movement=request.movement,
            hooks=[np.array(point) for point in request.hooks],
            depth=request.depth,
            # Where the prop comes to the hand, what stands round it stays behind.
            walls=walls if isinstance(self.mover, ArmatureMover) else (),
        )
        self.times["hooks"] = time.perf_counter() - started

    def run(self) -> Generator[GraspProgress, None, None]:
        """Search; yields after each attempt and may be left then. The scene is not changed."""
        started = time.perf_counter()
        best: Candidate | None = None
        most = tries_of(self.problem.problem.attempts, self.request.attempts)
        steps = search(self.problem.problem, seed=self.request.seed, most=most)
        for progress in steps:
            self.candidates = list(progress.found)[:MOST_CANDIDATES]
            self.closings = progress.closings
            self.times["search"] = time.perf_counter() - started
            improved = progress.best is not None and progress.best is not best
            best = progress.best
            label = self.problem.problem.attempts[min(progress.done, progress.count) - 1].label[0]
            text = f"{progress.done} of {progress.count} tried, {len(self.candidates)} grasps, last {label}"
            yield GraspProgress(progress.done / progress.count, text, improved)
            if self.request.seconds is not None and time.perf_counter() - started > self.request.seconds:
                break

    def show(self, number: int = 0) -> None:
        """Bring hand and prop together as a candidate has them, as it was searched."""
        candidate = self.candidates[number]
        self._place(candidate)
        write_angles(self.armature, self.model, candidate.angles, view_layer=self.view_layer)

    def accept(self, number: int = 0) -> CloseReport:
        """Bring hand and prop together and close on the skin that is shown; all candidates are kept with the prop.

        Raises:
            NoGraspError: There is none. Everything is as it was.
        """
        if not self.candidates:
            self.restore()
            raise NoGraspError(
                f"No grasp of '{self.prop.name}' was found that touches and clears it: "
                "choose a movement or set a hook, or give it more attempts."
            )
        records = self.records()
        self._place(self.candidates[number])
        report = close_fingers(
            self.armature,
            self.hand,
            self.prop,
            CloseRequest(
                movement=records[number].movement,
                depth=self.request.depth,
                limits=self.request.limits,
                preshape=records[number].preshape,
            ),
            view_layer=self.view_layer,
            obstacles=self.obstacles if isinstance(self.mover, ArmatureMover) else (),
        )
        store_candidates(self.prop, records, number)
        return report

    def records(self) -> list[GraspRecord]:
        """The candidates in a form that can be kept."""
        return [
            record_candidate(each, self.problem, self.model, self.surface, self.prop, self.hand)
            for each in self.candidates
        ]

    def restore(self) -> None:
        """Put hand and prop back where they were, to the bit."""
        put_back(self.before, self.armature, self.prop, view_layer=self.view_layer)

    def _place(self, candidate: Candidate) -> None:
        put_back(self.before, self.armature, self.prop, view_layer=self.view_layer)
        T_frame_hand = np.vstack([candidate.wrist, [0.0, 0.0, 0.0, 1.0]])
        frame = self.surface.T_world_frame
        self.mover.move(self.armature, self.model, frame @ T_frame_hand, view_layer=self.view_layer)


def choose_mover(armature: Any, hand: HandMap, prop: Any, place: str) -> WristMover:
    """What brings hand and prop together."""
    if place == AUTO:
        place = PROP if has_arm(armature, hand) else HAND
    return ArmatureMover() if place == HAND else PropMover(prop)


def has_arm(armature: Any, hand: HandMap) -> bool:
    """Whether a hand hangs on an arm: two or more bones above its wrist, or other hands on the same armature."""
    bone = armature.data.bones[hand.wrist]
    return len(bone.parent_recursive) >= 2


def grasp(
    armature: Any,
    hand: HandMap,
    prop: Any,
    request: GraspRequest,
    *,
    view_layer: Any,
    obstacles: Iterable[Any] = (),
) -> tuple[CloseReport, GraspSearch]:
    """Find the best grasp and take it.

    Raises:
        PrehendError: Nothing was found, or the hand or the prop will not do. Nothing was changed.
    """
    found = GraspSearch(armature, hand, prop, request, view_layer=view_layer, obstacles=obstacles)
    for _ in found.run():
        pass
    try:
        return found.accept(), found
    except PrehendError:
        found.restore()
        raise


def apply_record(
    armature: Any,
    hand: HandMap,
    prop: Any,
    record: GraspRecord,
    *,
    view_layer: Any,
    depth: float = DEFAULT_DEPTH,
    place: str = AUTO,
    obstacles: Sequence[Any] = (),
) -> CloseReport:
    """Bring a hand, of this or another character, to a prop as a kept grasp has it, and close on its own skin.

    A hand of the other side takes the grasp as if the prop were seen in a mirror.

    Raises:
        PrehendError: The hand does not fit there. Nothing was changed.
    """
    check_writable(armature)
    check_object(prop, armature, hand)
    model = model_of(armature, hand, objects=view_layer.objects)
    before = take_snapshot(armature, prop)
    mover = choose_mover(armature, hand, prop, place)
    surface = surface_of(prop, view_layer.depsgraph)
    T_world_hand = record.hand_frame(surface, model)
    movement = load_movements().get(record.movement)
    if movement is not None:
        # Another hand is thicker elsewhere: it stands back until it is outside.
        angles = movement_angles(model, movement)
        start = (angles if record.preshape is None else preshaped(model, angles, record.preshape)).start
        T_world_hand[:3] = back_off(
            closing_skin(model).fine,
            start,
            T_world_hand[None, :3],
            push_way(model, movement),
            surface.distance,
            depth,
            touch=movement.centre.place == "side",
        )[0]
    try:
        mover.move(armature, model, T_world_hand, view_layer=view_layer)
        return close_fingers(
            armature,
            hand,
            prop,
            CloseRequest(movement=record.movement, depth=depth, preshape=record.preshape),
            view_layer=view_layer,
            obstacles=obstacles if isinstance(mover, ArmatureMover) else (),
        )
    except PrehendError:
        put_back(before, armature, prop, view_layer=view_layer)
        raise


def world_frame(surface: WorldSurface, wrist: FloatArray) -> FloatArray:
    """A wrist (3, 4) of the object's frame in the world. Shape (4, 4)."""
    return surface.T_world_frame @ np.vstack([wrist, [0.0, 0.0, 0.0, 1.0]])
