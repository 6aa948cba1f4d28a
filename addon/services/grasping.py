# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Find where and how a hand takes a prop, show it while it is sought, and keep what was found with the prop."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.errors import PrehendError
from ..core.handmap import HandMap
from ..hands.model import HandModel
from ..rig.read import read_hand_frame, read_placement
from ..rig.snapshot import Snapshot, put_back, put_back_untouched, take_snapshot
from ..rig.surface import read_placed
from ..rig.write import check_writable, write_angles
from ..solvers.search import Candidate, search_at_size
from .closing import CloseRequest, close_fingers
from .closing_checks import check_size
from .closing_report import CloseReport
from .grasp_acceptance import Acceptance
from .grasp_apply import apply_record
from .grasp_centres import read_centres
from .grasp_checks import check_prop
from .grasp_fixed import close_here
from .grasp_obstacles import near_obstacles, room_round
from .grasp_pictures import draw_candidates
from .grasp_places import ARM, AUTO, FIXED, NEAR, PROP, Place, Reacher, choose_place, go, has_arm
from .grasp_problem import GraspProblem, tries_of
from .grasp_records import GraspRecord, record_candidate, store_candidates
from .grasp_refusals import why_none
from .grasp_setup import DEFAULT_ATTEMPTS, GraspRequest, set_up
from .posture import model_of
from .sizes import size_class
from .surfaces import WorldSurface, place_surface, surface_of
from .walls import walls_of

__all__ = [
    "AUTO",
    "DEFAULT_ATTEMPTS",
    "GraspProgress",
    "GraspRequest",
    "GraspSearch",
    "NoGraspError",
    "apply_record",
    "grasp",
    "has_arm",
]

MOST_CANDIDATES = 8
"""Grasps that are kept to choose from."""


class NoGraspError(PrehendError):
    """Nothing was found that holds."""


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
        if request.attempts < 1 or (request.seconds is not None and not request.seconds > 0.0):
            raise NoGraspError("The budget leaves no time to try anything: give at least one attempt.")
        if request.seed < 0:
            raise NoGraspError(f"The seed is {request.seed}: give 0 or a larger number.")
        check_writable(armature)
        check_prop(prop, armature, hand, view_layer)
        self.armature, self.hand, self.prop, self.request, self.view_layer = armature, hand, prop, request, view_layer
        self._given = list(obstacles)
        self.model: HandModel = model_of(armature, hand, limits=request.limits, objects=view_layer.objects)
        self.placed = read_placed(prop, view_layer.depsgraph)
        self.surface: WorldSurface = place_surface(prop.name, self.placed)
        check_size(self.surface, self.model)
        self.obstacles = near_obstacles(self._given, self.surface, self.model, depsgraph=view_layer.depsgraph)
        self.before: Snapshot = take_snapshot(armature, prop)
        self.candidates: list[Candidate] = []
        self.closings = self.tried = 0
        self.times: dict[str, float] = {}
        started = time.perf_counter()
        _ = self.surface.surface.grid
        self.times["surface"] = time.perf_counter() - started
        self.place: Place
        self.problem: GraspProblem
        self.reacher: Reacher
        self._set_up(request.place)
        self._remember()

    def _set_up(self, place: str, *, through_body: bool = False) -> None:
        started = time.perf_counter()
        self.place = choose_place(
            self.armature, self.hand, self.model, self.prop, place, self.surface, view_layer=self.view_layer
        )
        self.through_body = through_body
        if through_body:
            self.place = replace(self.place, body=None)
        self.problem, self.reacher = set_up(
            self.model,
            self.surface,
            self.placed.triangles,
            self.request,
            self.place,
            walls=self._walls(),
            centres=read_centres(self.armature, self.hand, self.model, self.view_layer.objects),
        )
        self.acceptance = Acceptance(self.problem.problem, self.reacher)
        self.times["hooks"] = self.times.get("hooks", 0.0) + time.perf_counter() - started

    def _walls(self) -> list[WorldSurface]:
        centre, room = room_round(self.surface, self.model)
        return walls_of(
            self.obstacles,
            self.armature,
            self.model,
            prop=self.prop,
            view_layer=self.view_layer,
            centre=centre,
            radius=room,
        )

    def run(self) -> Generator[GraspProgress, None, None]:
        """Search; yields after each attempt and may be left then. The scene is as before whenever it yields."""
        yield from self._fixed() if self.place.kind == FIXED else self._moving()
        if not self.candidates and self.place.kind == ARM and self.request.place == NEAR:
            # The prop is near, but in no way that the arm could take it: it comes instead.
            self._set_up(PROP)
            yield from self._moving()
        if not self.candidates and self.place.body is not None:
            # There may be no room beside the thigh that an arm hangs at: one that has to be moved is better than none.
            self._set_up(PROP, through_body=True)
            yield from self._moving()

    def _moving(self) -> Generator[GraspProgress, None, None]:
        started, before = time.perf_counter(), self.times.get("search", 0.0)
        best: Candidate | None = None
        closings = self.closings
        # What is promising may be out of an arm's reach: then the others get their turn, until one is not.
        most = None if self.place.kind == ARM else tries_of(self.problem.problem.attempts, self.request.attempts)
        size = size_class(self.model)
        arm = self.place.arm
        for progress in search_at_size(
            self.problem.problem,
            size,
            seed=self.request.seed,
            most=most,
            published=self.request.published,
            shoulder=None if arm is None else self.surface.to_frame(arm.shoulder[None])[0],
        ):
            self.candidates = [each for each in progress.found if self.acceptance.accepts(each)][:MOST_CANDIDATES]
            self.closings, self.tried = closings + progress.closings, progress.done
            self.times["search"] = before + time.perf_counter() - started
            now = self.candidates[0] if self.candidates else None
            improved, best = now is not None and now is not best, now
            text = f"{progress.done} of {progress.count} tried, {len(self.candidates)} found"
            yield GraspProgress(progress.done / progress.count, text, improved)
            if self.request.seconds is not None and time.perf_counter() - started > self.request.seconds:
                break
            if self.candidates and progress.done >= self.request.attempts:
                break

    def _fixed(self) -> Generator[GraspProgress, None, None]:
        started = time.perf_counter()
        frame = np.linalg.inv(self.surface.T_world_frame) @ self.hand_frame()
        movements = {attempt.label[0] for attempt in self.problem.problem.attempts}
        best: Candidate | None = None
        for _, found in close_here(self.problem.problem, frame[:3]):
            self.tried += 1
            if found is not None:
                self.candidates = sorted([*self.candidates, found], key=lambda each: -each.score)[:MOST_CANDIDATES]
            self.closings = self.tried
            self.times["search"] = time.perf_counter() - started
            now = self.candidates[0] if self.candidates else None
            improved, best = now is not best, now
            text = f"{self.tried} of {len(movements)} movements tried"
            yield GraspProgress(self.tried / len(movements), text, improved)

    def surface_now(self) -> WorldSurface:
        """The prop's surface where the prop is now."""
        return surface_of(self.prop, self.view_layer.depsgraph)

    def hand_frame(self) -> FloatArray:
        """Where the hand is now, in the world in [m]. Shape (4, 4)."""
        return read_hand_frame(self.armature, self.model, read_placement(self.armature))

    def show(self, number: int = 0) -> None:
        """Bring hand and prop together as a candidate has them, as it was searched."""
        candidate = self.candidates[number]
        self._go(candidate)
        write_angles(self.armature, self.model, candidate.angles, view_layer=self.view_layer)
        self._remember()

    def _remember(self) -> None:
        """Note how things stand by the search's own doing."""
        self._shown = take_snapshot(self.armature, self.prop)
        self._places = self.places()

    def places(self) -> tuple[tuple[float, ...], ...]:
        """Where the character, its hand and the prop are, to be compared with where they were."""
        carrier = self.armature.pose.bones[self.model.binding.carrier]
        matrices = (self.armature.matrix_world, carrier.matrix, self.prop.matrix_world)
        return tuple(tuple(value for row in matrix for value in row) for matrix in matrices)

    def was_disturbed(self) -> bool:
        """Whether someone else moved the character or the prop since the search did."""
        return self.places() != self._places

    def abandon(self) -> None:
        """Put back what this search moved, to the bit; what someone else moved meanwhile stays."""
        put_back_untouched(self.before, self._shown, self.armature, self.prop, view_layer=self.view_layer)

    def restarted(self) -> GraspSearch:
        """A new search from where someone else put things; what this search moved is put back first.

        Raises:
            PrehendError: There it cannot be searched; things are where they were put.
        """
        self.abandon()
        return GraspSearch(
            self.armature,
            self.hand,
            self.prop,
            self.request,
            view_layer=self.view_layer,
            obstacles=self._given,
        )

    def accept(self, *, pictures: bool = False) -> CloseReport:
        """Bring hand and prop together and close on the skin that is shown; all candidates are kept with the prop.

        A candidate that does not work out on the skin that is shown makes room for the next one.

        Args:
            pictures: Whether small pictures are kept with them, for lists to choose from.

        Raises:
            PrehendError: None works out. Everything is as it was.
        """
        failure: PrehendError = NoGraspError(self._why())
        while self.candidates:
            records = self.records()
            try:
                self._go(self.candidates[0])
                report = close_fingers(
                    self.armature,
                    self.hand,
                    self.prop,
                    CloseRequest(
                        records[0].movement,
                        depth=self.request.depth,
                        limits=self.request.limits,
                        preshape=records[0].preshape,
                    ),
                    view_layer=self.view_layer,
                    obstacles=self.obstacles if self.place.prop_stays else (),
                )
            except PrehendError as error:
                failure = error
                del self.candidates[0]
                continue
            store_candidates(self.prop, self.records(pictures=pictures), 0)
            return replace(report, notes=(*report.notes, *self._notes()))
        self.restore()
        raise failure

    def _why(self) -> str:
        return why_none(self.place, self.reacher, self.surface, self.armature.name, dropped=self.acceptance.dropped)

    def _notes(self) -> tuple[str, ...]:
        return (*self._about_place(), *self._about_body())

    def _about_body(self) -> tuple[str, ...]:
        if not self.through_body:
            return ()
        return (f"'{self.prop.name}' goes through the body of '{self.armature.name}': move the arm away first.",)

    def _about_place(self) -> tuple[str, ...]:
        if self.request.place == NEAR and self.place.kind == PROP and has_arm(self.armature, self.hand):
            return ("The prop came to the hand, as the arm does not reach it.",)
        return ()

    def records(self, *, pictures: bool = False) -> list[GraspRecord]:
        """The candidates in a form that can be kept, with small pictures of them if asked for."""
        drawn = [""] * len(self.candidates)
        if pictures:
            drawn = draw_candidates(self.candidates, self.model, self.surface, self.placed.triangles)
        return [
            replace(record_candidate(each, self.problem, self.model, self.surface, self.prop, self.hand), picture=text)
            for each, text in zip(self.candidates, drawn, strict=True)
        ]

    def restore(self) -> None:
        """Put hand and prop back where they were, to the bit."""
        put_back(self.before, self.armature, self.prop, view_layer=self.view_layer)

    def _go(self, candidate: Candidate) -> None:
        self.restore()
        wanted = self.surface.T_world_frame @ np.vstack([candidate.wrist, [0.0, 0.0, 0.0, 1.0]])
        go(self.place, self.armature, self.model, self.prop, wanted, view_layer=self.view_layer)


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
    return found.accept(), found
