# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Have a hand hold the typical object of a grasp type as the type's data says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.contact_regions import TOUCHING, RegionWishes, match_regions
from ..core.errors import PrehendError, UnknownChoiceError
from ..core.handmap import HandMap
from ..core.rotations import unit
from ..hands.contact_roles import bone_axes, region_wishes
from ..hands.model import HandModel
from ..hands.movements import grasp_centre, hand_scale, opposition_axis
from ..presets.movements import Movement, load_movements
from ..rig.placement import PropMover
from ..rig.read import read_pose
from ..rig.surface import read_placed
from ..solvers.closing import USUAL, Scene, close, measure_all, measure_near
from ..solvers.contact_patches import measure_patches
from ..solvers.search import Attempt, Problem, Weights, back_off
from ..solvers.search.placing import lift_free, neighbours, push_way
from ..solvers.search.ranking import TOUCHING as ROUGHLY_TOUCHING
from ..solvers.search.ranking import score_terms, total
from .closing import DEFAULT_DEPTH, CloseRequest, close_fingers
from .closing_report import NEAR, CloseReport
from .contact_check import TouchReport, check_touches
from .demo import Placement, add_demo_prop
from .grasp_problem import build_problem
from .posture import model_of
from .surfaces import WorldSurface, place_surface, surface_of

STEPS = ((0.14, 0.005), (0.08, 0.003), (0.05, 0.0015))
"""Turn in [rad] and shift in [m] of the steps by which the place of an example is improved."""
LAST_STEPS = ((0.04, 0.001), (0.02, 0.0005))
"""The same for the last ones, for which hands are closed on all of their skin."""
_FACES = 3.0
"""What it counts that the right parts of the hand touch, beside the other terms of the search's ranking."""
_WORST = 2.0
"""What it counts that none of them is missed."""
MOST_DEEP_MM = 0.5
"""Skin that is deeper is too deep."""
_OFF = (0.4, 0.02)
"""Turn in [rad] and shift in [m] away from where the data has the object that cost as much as one such term."""


@dataclass(frozen=True, eq=False)
class ExampleReport:
    """A hand on the typical object of a movement."""

    prop: str
    """Name of the object, which was added."""
    close: CloseReport
    """How it closed."""
    touches: TouchReport
    """Whether it touches as its type asks for."""

    @property
    def fault(self) -> tuple[int, float]:
        """How much is wrong: what of the type is missed, and by how many millimetres skin is too deep."""
        return len(self.touches.missing), max(self.close.deepest_mm - MOST_DEEP_MM, 0.0)


def hold_example(
    armature: Any, hand: HandMap, movement: str, *, collection: Any, view_layer: Any, refine: bool = True
) -> ExampleReport:
    """Add the typical object of a movement in a hand, as large as it suits that hand, and close on it.

    Args:
        armature: The armature object.
        hand: Which of its bones make up the hand.
        movement: Key of a movement.
        collection: Takes the object.
        view_layer: View layer that shows both.
        refine: Whether the object may be turned and shifted a little so that more of the hand touches as it should.

    Raises:
        PrehendError: There is no such movement, or this hand does not fit round the object. Nothing is left behind.
    """
    known = load_movements()
    if movement not in known:
        raise UnknownChoiceError("movement", movement, tuple(known))
    chosen = known[movement]
    model = model_of(armature, hand, objects=view_layer.objects)
    scale = hand_scale(model)
    name = add_demo_prop(Placement(collection, view_layer), chosen.example.prop, scale=scale)
    prop = next(each for each in collection.objects if each.name == name)
    view_layer.update()
    holder = _Holder(armature, hand, model, prop, prop.matrix_world.copy(), chosen, view_layer)
    try:
        placed = read_placed(prop, view_layer.depsgraph)
        surface = place_surface(name, placed)
        T_prop_hand = np.asarray(np.linalg.inv(example_frame(model, chosen)), dtype=np.float64)
        report = holder.hold(T_prop_hand, may_fail=refine)
        if refine and (report is None or any(report.fault)):
            point = _example_point(model, chosen)
            other = _refined(model, chosen, surface, placed.triangles, point, T_prop_hand)
            refined = holder.hold(other, may_fail=report is not None)
            if report is None or (refined is not None and refined.fault < report.fault):
                report = refined
            else:
                report = holder.hold(T_prop_hand)
    except PrehendError:
        collection.objects.unlink(prop)
        raise
    assert report is not None
    return report


@dataclass(frozen=True, eq=False)
class _Holder:
    """A hand that its typical object is brought to; lives for a single call."""

    armature: Any
    hand: HandMap
    model: HandModel
    prop: Any
    home: Any
    """Where the prop was added, which frames are given for."""
    movement: Movement
    view_layer: Any

    def hold(self, T_prop_hand: FloatArray, *, may_fail: bool = False) -> ExampleReport | None:
        """Bring the object to where the hand's frame is as given for the prop at home, and close on it.

        Raises:
            PrehendError: The hand does not fit round it there; None instead where that `may_fail`.
        """
        self.prop.matrix_world = self.home
        self.view_layer.update()
        PropMover(self.prop).move(self.armature, self.model, T_prop_hand, view_layer=self.view_layer)
        request = CloseRequest(movement=self.movement.key, adapt=False)
        try:
            report = close_fingers(self.armature, self.hand, self.prop, request, view_layer=self.view_layer)
        except PrehendError:
            if may_fail:
                return None
            raise
        surface = surface_of(self.prop, self.view_layer.depsgraph)
        touches = check_touches(self.model, read_pose(self.armature, self.model), surface, self.movement)
        return ExampleReport(self.prop.name, report, touches)


def example_frame(model: HandModel, movement: Movement) -> FloatArray:
    """The frame of a movement's typical object, as large as suits a hand, in the hand's frame in [m]. Shape (4, 4)."""
    example = movement.example
    scale = hand_scale(model)
    aside = np.array([-1.0 if model.side == "L" else 1.0, 1.0, 1.0])
    basis = np.eye(3) * aside
    if example.basis == "grip":
        press = opposition_axis(model, movement, radius=scale * example.radius)
        beside = unit(basis[:, 0] - (basis[:, 0] @ press) * press)
        # The third axis points away from the hand for either side.
        basis = np.stack([press, beside, aside[0] * np.cross(press, beside)], axis=1)
    z = unit(basis @ np.array(example.z))
    x = basis @ np.array(example.x)
    x = unit(x - (x @ z) * z)
    frame = np.eye(4)
    if model.side == "L" and example.mirror == "z":
        # Its y axis is mirrored like its x axis, and z points the other way.
        z = -z
    frame[:3, :3] = np.stack([x, np.cross(z, x), z], axis=1)
    centre = grasp_centre(model, movement, radius=scale * example.radius) + scale * aside * np.array(example.offset)
    frame[:3, 3] = centre - frame[:3, :3] @ _example_point(model, movement)
    return frame


def _example_point(model: HandModel, movement: Movement) -> FloatArray:
    """The point of a movement's typical object that comes to the grasp centre, in its frame in [m]. Shape (3,)."""
    # Frames cannot be mirrored: of an object that lies in a left hand as in a mirror, y points the other way (or z, of
    # which the point is in the middle).
    mirrored = np.array([1.0, -1.0 if model.side == "L" and movement.example.mirror == "y" else 1.0, 1.0])
    return hand_scale(model) * mirrored * np.array(movement.example.point)


def _refined(
    model: HandModel,
    movement: Movement,
    surface: WorldSurface,
    triangles: Any,
    point: FloatArray,
    T_world_hand: FloatArray,
) -> FloatArray:
    """The hand's frame, for a prop at the world's origin, moved a little so that it holds better. Shape (4, 4)."""
    weights = Weights(upright=0.0, above=0.0, arm_above=0.0, prior=0.0, fingers=0.0, faces=_FACES)
    found = build_problem(
        model,
        surface,
        triangles,
        movement=movement.key,
        hooks=[surface.closest(point[None]).points[0]],
        depth=DEFAULT_DEPTH,
        weights=weights,
        forearm=False,
    )
    frame = np.linalg.inv(surface.T_world_frame) @ T_world_hand
    centre = np.linalg.inv(T_world_hand)[:3, :3] @ (point - T_world_hand[:3, 3])
    hook = surface.to_frame(point[None])[0]
    usual = next(each for each in found.problem.attempts if each.behind is None)
    attempt = replace(usual, hook=hook, hook_axis=None, hook_across=None, centre=centre)
    wanted = _Wanted(region_wishes(model, movement), bone_axes(model), frame[:3])
    best = _improve(found.problem, attempt, wanted)
    return surface.T_world_frame @ np.vstack([best, [0.0, 0.0, 0.0, 1.0]])


@dataclass(frozen=True, eq=False)
class _Wanted:
    """How the hand should hold."""

    regions: RegionWishes
    """What has to touch."""
    axes: FloatArray
    """Middle lines of the hand's bones. Shape (m + 1, 2, 3)."""
    wrist: FloatArray
    """Where the data has the hand. Shape (3, 4)."""


def _improve(problem: Problem, attempt: Attempt, wanted: _Wanted) -> FloatArray:
    """The wrist (3, 4) near a wanted one whose hand holds best."""
    best = wanted.wrist
    for fine, steps in ((False, STEPS), (True, LAST_STEPS)):
        # Balls tell skin only roughly: where the data has the object may still be best on all of the skin.
        best, score = _best(problem, attempt, wanted, np.stack([best, wanted.wrist]), fine=fine)
        for angle, shift in steps:
            for _ in range(2 if fine else 3):
                pivot = best[:, :3] @ attempt.centre + best[:, 3]
                tried, found = _best(
                    problem,
                    attempt,
                    wanted,
                    neighbours(best[None], pivot[None], angle=angle, shift=shift)[0],
                    fine=fine,
                )
                if found <= score + 1e-6:
                    break
                best, score = tried, found
    return best


def _best(
    problem: Problem, attempt: Attempt, wanted: _Wanted, wrists: FloatArray, *, fine: bool
) -> tuple[FloatArray, float]:
    """The best (3, 4) of some wrists (a, 3, 4), moved free, and its score."""
    wrists, scores = _rate(problem, attempt, wanted, wrists, fine=fine)
    top = int(np.argmax(scores))
    return wrists[top], float(scores[top])


def _rate(
    problem: Problem, attempt: Attempt, wanted: _Wanted, wrists: FloatArray, *, fine: bool
) -> tuple[FloatArray, FloatArray]:
    """The wrists (a, 3, 4) moved free, and how well hands hold there (a,)."""
    if fine:
        way, touch = push_way(problem, attempt), attempt.palm or attempt.side
        wrists = back_off(problem.skin.fine, attempt.start, wrists, way, problem.refined, problem.depth, touch=touch)
        lifted = np.zeros(len(wrists))
    else:
        wrists, lifted = lift_free(problem, attempt, wrists)
    scene = Scene(problem.refined if fine else problem.distance, problem.precise, problem.depth)
    closing = close(problem.skin, attempt.closing_at(wrists), scene, problem.ranges, ways=USUAL, fine=fine)
    if fine:
        near = measure_near(problem.skin.fine, closing.angles, wrists, problem.refined, within=NEAR)
    else:
        near = measure_all(problem.skin.coarse, closing.angles, wrists, problem.distance)
    touching = TOUCHING if fine else ROUGHLY_TOUCHING
    scores = total(problem, attempt, score_terms(problem, attempt, wrists, closing, near, touching=touching))
    if fine:
        patches = measure_patches(
            problem.skin.fine,
            closing.angles,
            wrists,
            problem.refined,
            axes=wanted.axes,
            within=NEAR,
            normals=problem.normals,
        )
        match = match_regions(wanted.regions, patches, reach=1e-3)
        scores = scores + _FACES * match.mean(axis=1) + _WORST * match.min(axis=1)
    return wrists, np.where(np.isinf(lifted), -np.inf, scores - _off(attempt, wanted.wrist, wrists))


def _off(attempt: Attempt, wanted: FloatArray, wrists: FloatArray) -> FloatArray:
    """What it costs that wrists (a, 3, 4) are turned and shifted away from the wanted one. Shape (a,)."""
    cosine = (np.einsum("aij,ij->a", wrists[:, :, :3], wanted[:, :3]) - 1.0) / 2.0
    turn = np.arccos(np.clip(cosine, -1.0, 1.0))
    middle = wanted[:, :3] @ attempt.centre + wanted[:, 3]
    off = np.linalg.norm(wrists[:, :, :3] @ attempt.centre + wrists[:, :, 3] - middle, axis=1)
    return (turn / _OFF[0]) ** 2 + (off / _OFF[1]) ** 2
