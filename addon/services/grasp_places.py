# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What brings hand and prop together: the whole hand, the arm, the prop, or nothing; and what an arm can reach."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.arrays import BoolArray, FloatArray
from ..core.errors import PrehendError, UnknownChoiceError
from ..core.handmap import HandMap
from ..core.rotations import angle_between
from ..core.sampling import spread_out
from ..hands.arm import ArmModel, find_arm
from ..hands.model import HandModel
from ..rig.placement import ArmatureMover, ControlMover, PropMover, WristMover, read_arm
from ..rig.read import read_hand_frame, read_placement
from ..rig.skeletons import read_skeleton
from ..rig.snapshot import put_back, take_snapshot
from ..solvers.arm_reach import ReachableArm, rate_reach
from ..solvers.search import Problem
from .arm_ik import ArmPose, solve_arm
from .grasp_checks import hangs_on
from .reach import wrist_mover
from .surfaces import WorldSurface
from .walls import body_points

AUTO, NEAR, HAND, ARM, PROP, FIXED = "auto", "near", "hand", "arm", "prop", "fixed"
PLACES = (AUTO, NEAR, HAND, ARM, PROP, FIXED)
"""AUTO: hands without an arm go to the prop, to others it comes. NEAR: arms reach for what they can reach, too."""
ARRIVED = 1e-3
"""A hand that stays farther away than this in [m] has not arrived."""
TURNED = np.radians(1.0)
"""Nor one that is turned by more than this in [rad]."""
BODY_SPACING = 0.2
"""Distance of the points that stand for a body, over the length of the palm."""
MOST_BODY = 250
"""Points of a body that wrists are rated by; those that are offered are asked for all."""
BRUSHED = 2e-3
"""How deep in [m] a prop that comes to a hand may be in the body."""
_ALONG = np.linspace(0.3, 1.0, 6)
"""Where the forearm is looked at, from wrist to elbow; near the palm it may touch."""


class PlaceError(PrehendError):
    """Hand and prop cannot be brought together that way."""


@dataclass(frozen=True, eq=False)
class Place:
    """How hand and prop come together; lives as long as one search."""

    kind: str
    """HAND, ARM, PROP or FIXED."""
    words: str
    """What moves, for people: "the arm"."""
    mover: WristMover | None
    """What moves it; None where nothing does."""
    arm: ReachableArm | None = None
    """The arm that reaches, where it was found."""
    elbow: FloatArray | None = None
    """Elbow in the hand's frame in [m], where the forearm keeps its place to the hand. Shape (3,)."""
    body: FloatArray | None = None
    """Points of the character's body in the hand's frame in [m], which a prop that comes keeps clear of. (k, 3)."""
    find_elbow: Callable[[FloatArray], FloatArray | None] | None = None
    """From the hand's wanted frame (4, 4) to the elbow (3,) in the world in [m]; None where the arm misses it."""

    @property
    def prop_stays(self) -> bool:
        """Whether the prop stays among what stands round it."""
        return self.kind != PROP

    @property
    def knows_forearm(self) -> bool:
        """Whether the forearm's place is known, so that none has to be made up."""
        return self.elbow is not None or self.kind == ARM


def has_arm(armature: Any, hand: HandMap) -> bool:
    """Whether a hand hangs on an arm: two or more bones above its wrist."""
    return len(armature.data.bones[hand.wrist].parent_recursive) >= 2


def choose_place(
    armature: Any, hand: HandMap, model: HandModel, prop: Any, place: str, surface: WorldSurface, *, view_layer: Any
) -> Place:
    """What brings a hand and a prop together.

    Args:
        armature: The armature object.
        hand: Which of its hands.
        model: Its model.
        prop: The prop object.
        place: One of `PLACES`.
        surface: The prop's surface.
        view_layer: View layer that shows both.

    Raises:
        UnknownChoiceError: There is no such way.
        PlaceError: It cannot be done that way. Nothing was changed.
    """
    if place not in PLACES:
        raise UnknownChoiceError("place", place, PLACES)
    arm = find_arm(read_skeleton(armature), model)
    if place in (AUTO, NEAR):
        place = _usual_place(armature, hand, model, prop, place, arm, surface)
    if place in (HAND, ARM) and hangs_on(prop, armature):
        raise PlaceError(
            f"'{prop.name}' hangs on '{armature.name}' and would go along: clear its parent (Alt+P), "
            "or let the prop come to the hand."
        )
    if place == PROP and hangs_on(armature, prop):
        raise PlaceError(f"'{armature.name}' hangs on '{prop.name}' and would go along: clear its parent (Alt+P).")
    if place == ARM:
        return _arm_place(armature, model, arm, view_layer)
    movers = {HAND: ("the hand", ArmatureMover()), PROP: ("the prop", PropMover(prop)), FIXED: ("nothing", None)}
    words, mover = movers[place]
    elbow = body = None
    if arm is not None:
        T_world_hand = read_hand_frame(armature, model, read_placement(armature))
        elbow = T_world_hand[:3, :3].T @ (read_arm(armature, arm).elbow - T_world_hand[:3, 3])
        if place == PROP:
            radius = float(np.linalg.norm(surface.size)) + 2.0 * model.palm_length
            around = body_points(
                armature,
                model,
                prop=prop,
                view_layer=view_layer,
                centre=T_world_hand[:3, 3],
                radius=radius,
                spacing=BODY_SPACING * model.palm_length,
            )
            body = (around - T_world_hand[:3, 3]) @ T_world_hand[:3, :3] if len(around) else None
    return Place(place, words, mover, elbow=elbow, body=body)


def _usual_place(
    armature: Any, hand: HandMap, model: HandModel, prop: Any, place: str, arm: ArmModel | None, surface: WorldSurface
) -> str:
    if hangs_on(prop, armature):
        return PROP
    if not has_arm(armature, hand):
        return HAND
    if place == NEAR and arm is not None and not hangs_on(armature, prop):
        low, high = surface.surface.low, surface.surface.high
        shoulder = surface.to_frame(read_arm(armature, arm).shoulder[None])[0]
        away = float(np.linalg.norm(shoulder - np.clip(shoulder, low, high)))
        if away < float(arm.lengths.sum()):
            return ARM
    return PROP


def _arm_place(armature: Any, model: HandModel, arm: ArmModel | None, view_layer: Any) -> Place:
    words, mover = wrist_mover(armature, model, view_layer=view_layer)
    if isinstance(mover, ArmatureMover):
        raise PlaceError(
            f"No arm was found that carries '{model.binding.wrist}': let the hand go to the prop or the prop come."
        )
    reading = read_arm(armature, arm) if arm is not None else None
    known = None
    if arm is not None and reading is not None:
        limits = arm.limits
        if isinstance(mover, ControlMover):
            # Blender's own inverse kinematics know no such limits.
            limits = np.broadcast_to(np.array([-np.pi, np.pi]), arm.limits.shape)
        known = ReachableArm(reading.base, reading.shoulder, arm.frames, arm.lengths[:2], limits)

    def by_solver(T_world_hand: FloatArray) -> FloatArray | None:
        assert arm is not None
        assert reading is not None
        found = solve_arm(arm, ArmPose(reading.base, reading.shoulder, reading.frames), T_world_hand)
        if found.residual > ARRIVED or found.rotation_residual > TURNED:
            return None
        return reading.shoulder + arm.lengths[0] * found.frames[0][:, 2]

    def by_trying(T_world_hand: FloatArray) -> FloatArray | None:
        before = take_snapshot(armature)
        try:
            if not _arrives(mover, armature, model, T_world_hand, view_layer):
                return None
            return T_world_hand[:3, 3] if arm is None else read_arm(armature, arm).elbow
        finally:
            put_back(before, armature, view_layer=view_layer)

    trying = isinstance(mover, ControlMover) or arm is None
    return Place(ARM, words, mover, arm=known, find_elbow=by_trying if trying else by_solver)


def _arrives(mover: WristMover, armature: Any, model: HandModel, wanted: FloatArray, view_layer: Any) -> bool:
    gap = mover.move(armature, model, wanted, view_layer=view_layer)
    if isinstance(mover, PropMover):
        return gap <= ARRIVED
    now = read_hand_frame(armature, model, read_placement(armature))
    return gap <= ARRIVED and float(angle_between(now[:3, :3], wanted[:3, :3])) <= TURNED


def go(place: Place, armature: Any, model: HandModel, prop: Any, wanted: FloatArray, *, view_layer: Any) -> None:
    """Bring hand and prop together as if the hand were at a frame of the world (4, 4).

    Raises:
        PlaceError: It did not arrive; the caller puts back what was moved.
    """
    if place.mover is None or _arrives(place.mover, armature, model, wanted, view_layer):
        return
    if place.kind == ARM:
        raise PlaceError(
            f"The arm of '{armature.name}' does not get its hand to this grasp of '{prop.name}': "
            "move the prop nearer, or let it come to the hand."
        )
    stuck = prop if place.kind == PROP else armature
    raise PlaceError(f"'{stuck.name}' does not move as asked: mute its constraints and drivers first.")


class Reacher:
    """What reaching costs in a search, in the prop's frame, and how much of it was out of reach."""

    def __init__(self, place: Place, problem: Problem, surface: WorldSurface) -> None:
        """Take the place, the problem that is searched, and where its frame is."""
        self.place, self.problem = place, problem
        self.turn, self.origin = surface.T_world_frame[:3, :3], surface.T_world_frame[:3, 3]
        self.asked = self.reached = 0
        self._low, self._high = surface.surface.low, surface.surface.high
        self._few = None if place.body is None else place.body[spread_out(place.body, MOST_BODY)]

    def __call__(self, wrists: FloatArray) -> FloatArray:
        """Costs (a,) of wrists (a, 3, 4): 0 for comfortable, infinite for those that must not be offered."""
        costs, elbows = np.zeros(len(wrists)), wrists[:, :, 3]
        if self.place.arm is not None:
            world = np.empty_like(wrists)
            world[:, :, :3] = self.turn @ wrists[:, :, :3]
            world[:, :, 3] = wrists[:, :, 3] @ self.turn.T + self.origin
            found = rate_reach(self.place.arm, world)
            costs, elbows = found.costs, (found.elbows - self.origin) @ self.turn
        elif self.place.elbow is not None:
            elbows = wrists[:, :, :3] @ self.place.elbow + wrists[:, :, 3]
        self.asked += len(wrists)
        self.reached += int(np.isfinite(costs).sum())
        rows = np.flatnonzero(np.isfinite(costs))
        costs = costs.copy()
        costs[rows[self._blocked(wrists[rows, :, 3], elbows[rows])]] = np.inf
        if self._few is not None:
            rows = np.flatnonzero(np.isfinite(costs))
            costs[rows[self._in_body(wrists[rows], self._few)]] = np.inf
        return costs

    def accepts(self, wrist: FloatArray) -> bool:
        """Whether the arm really gets there, exactly, with its forearm outside. Shape (3, 4)."""
        if self.place.body is not None and self._in_body(wrist[None], self.place.body)[0]:
            return False
        if self.place.find_elbow is None:
            return True
        T_frame_hand = np.vstack([wrist, [0.0, 0.0, 0.0, 1.0]])
        T_world_frame = np.eye(4)
        T_world_frame[:3, :3], T_world_frame[:3, 3] = self.turn, self.origin
        elbow = self.place.find_elbow(T_world_frame @ T_frame_hand)
        if elbow is None:
            return False
        local = (elbow - self.origin) @ self.turn
        return not self._blocked(wrist[None, :, 3], local[None])[0]

    def _blocked(self, wrists: FloatArray, elbows: FloatArray) -> BoolArray:
        """Whether forearms between points (a, 3) touch the object or an obstacle. Shape (a,)."""
        points = wrists[:, None] + _ALONG[:, None] * (elbows - wrists)[:, None]
        flat = points.reshape(-1, 3)
        if not len(flat):
            return np.zeros(0, dtype=np.bool_)
        gaps = self.problem.distance(flat)
        if self.problem.obstacles is not None:
            gaps = np.minimum(gaps, self.problem.obstacles(flat))
        straight = np.linalg.norm(elbows - wrists, axis=1) > 1e-6
        return straight & (gaps.reshape(points.shape[:2]).min(axis=1) < self.problem.arm_radius)

    def _in_body(self, wrists: FloatArray, body: FloatArray) -> BoolArray:
        """Whether points (k, 3) of a body, seen from hands at wrists (a, 3, 4), are inside the object. Shape (a,)."""
        points = np.einsum("aij,kj->aki", wrists[:, :, :3], body) + wrists[:, None, :, 3]
        found = np.zeros(len(wrists), dtype=np.bool_)
        near = np.nonzero(((points > self._low) & (points < self._high)).all(axis=2))
        if len(near[0]):
            found[near[0][self.problem.distance(points[near]) < -BRUSHED]] = True
        return found
