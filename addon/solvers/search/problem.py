# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a search for a grasp is given. Everything is in the object's frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ...core.arrays import BoolArray, FloatArray, frozen_bools, frozen_floats
from ...core.contact_faces import FaceWishes
from ...core.rotations import unit
from ..closing import ClosingSkin, Distance, Movement, NearDistance
from .demand import Demand

Reach = Callable[[FloatArray], FloatArray]
"""Wrists (a, 3, 4) to what reaching them costs (a,): 0 for comfortable, infinite for out of reach."""


@dataclass(frozen=True, eq=False)
class Attempt:
    """One place of the object, and one movement to take it with."""

    hook: FloatArray
    """Where, in [m]. Shape (3,)."""
    hook_axis: FloatArray | None
    """Direction of a handle, neck or edge there, either way; None for compact places. Shape (3,)."""
    hook_across: FloatArray | None
    """Direction in which a flat part is thin; None for round ones. Shape (3,)."""
    hook_length: float
    """How far the place goes on along its axis in [m]."""
    start: FloatArray
    """Open posture in [rad]. Shape (m, 3)."""
    end: FloatArray
    """Closed posture in [rad]. Shape (m, 3)."""
    fingers: BoolArray
    """Fingers that take part. Shape (f,)."""
    centre: FloatArray
    """Grasp centre in the hand's frame in [m]. Shape (3,)."""
    hand_axis: FloatArray | None
    """How a long object lies in the hand, either way, in the hand's frame; None for any way. Shape (3,)."""
    press_axis: FloatArray
    """Direction in which the object is pressed together, in the hand's frame. Shape (3,)."""
    palm: bool
    """Whether the object is held against the palm, and not between pads."""
    prior: float
    """How promising it is before anything is tried, 0 to 1."""
    label: tuple[str, int] = ("", 0)
    """Key of the movement and number of the hook."""
    behind: FloatArray | None = None
    """Where a handle is fixed, seen from it: the palm looks there. Only for fingers that are put through an opening,
    whose hands stay where they are set. Shape (3,)."""
    faces: FaceWishes | None = None
    """Which bones have to touch, and with which face; None for any."""
    side: bool = False
    """Whether the object is held against a finger's side, which does not close: the hand is pushed on to it."""
    demand: Demand | None = None
    """What the movement's type asks for, where it was chosen; None where movements compete by one formula."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        m = len(self.start)
        set_field = object.__setattr__
        for name, shape in {"hook": (3,), "start": (m, 3), "end": (m, 3), "centre": (3,), "press_axis": (3,)}.items():
            set_field(self, name, frozen_floats(getattr(self, name), shape, name))
        set_field(self, "fingers", frozen_bools(self.fingers, (-1,), "fingers"))

    def closing_at(self, wrists: FloatArray) -> Movement:
        """What hands at wrists (a, 3, 4) do to close."""
        count = len(wrists)
        return Movement(
            start=np.repeat(self.start[None], count, axis=0),
            end=np.repeat(self.end[None], count, axis=0),
            wrists=wrists,
            fingers=np.array(self.fingers),
        )


@dataclass(frozen=True)
class Weights:
    """What counts how much in the ranking; every term is 0 to 1."""

    contact: float = 1.0
    """Share of the fingers that touch."""
    fingers: float = 0.8
    """Share of all of the hand's fingers that touch, less so on small things."""
    wrap: float = 0.8
    """How closely all bones of those fingers lie on the object."""
    opposition: float = 1.4
    """How straight thumb and fingers, or palm and fingers, press against each other."""
    faces: float = 0.6
    """How far the right parts touch with the right face: pads in a pinch, the index finger's side under a key."""
    palm: float = 0.5
    """How close the palm is, for grasps against the palm."""
    centre: float = 0.5
    """How near the grasp centre is to the hook."""
    upright: float = 1.3
    """How usual the hand's direction is: thumb not down, palm not up."""
    above: float = 0.9
    """How little the hand reaches below what the object stands on."""
    arm_above: float = 0.9
    """That the forearm does not come from below there."""
    prior: float = 1.1
    """How well movement and hook suit."""
    firm: float = 0.4
    """How firmly the contacts hold (force closure)."""
    reach: float = 0.6
    """What reaching there costs the arm."""
    loose: float = 0.8
    """What it costs that nothing opposes the fingers."""
    beyond: float = 0.9
    """What it costs that a finger reaches over the end of the bar that is held in the palm."""
    inside: float = 300.0
    """What each metre that a finger begins inside costs."""


@dataclass(frozen=True, eq=False)
class Problem:
    """A hand, an object and what may be tried."""

    skin: ClosingSkin
    """The hand."""
    ranges: FloatArray
    """Lowest and highest angles of its joints in [rad]. Shape (m, 3, 2)."""
    approach: FloatArray
    """Direction in which the palm looks, in the hand's frame. Shape (3,)."""
    thumb_way: FloatArray
    """Direction from the hand's middle to the thumb's side, in the hand's frame; nothing for grippers. Shape (3,)."""
    attempts: tuple[Attempt, ...]
    """What may be tried, the most promising first."""
    distance: Distance
    """Distance to the object for many points."""
    refined: Distance
    """The same, right in thin walls too."""
    precise: Distance
    """The same, exact, for few."""
    normals: Callable[[FloatArray], FloatArray]
    """Directions in which the distance grows: points (n, 3) to unit vectors (n, 3)."""
    up: FloatArray
    """Where up is. Shape (3,)."""
    floor: float
    """Height of what the object stands on, along up, in [m]."""
    middle: FloatArray
    """The object's middle in [m]. Shape (3,)."""
    radius: float
    """The object's radius in [m]."""
    bulk: float = 0.06
    """Edge in [m] of a cube as large as the box round the object, for the hand that movements are made for."""
    depth: float = 3e-4
    """How far skin gives in [m]."""
    near: NearDistance | None = None
    """The last two distances at once, where that is quicker."""
    obstacles: Distance | None = None
    """Distance to what must not be touched."""
    arm: float = 0.22
    """Length of forearm behind the wrist in [m] that has to stay outside; 0 for hands without."""
    arm_radius: float = 0.035
    """Its radius in [m]."""
    reach: Reach | None = None
    """What it costs to bring the hand somewhere."""
    weights: Weights = field(default_factory=Weights)
    """What counts how much."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        set_field = object.__setattr__
        for name in ("approach", "thumb_way", "up", "middle"):
            set_field(self, name, frozen_floats(getattr(self, name), (3,), name))
        set_field(self, "ranges", frozen_floats(self.ranges, (-1, 3, 2), "ranges"))


@dataclass(frozen=True, eq=False)
class Candidate:
    """A grasp that was found, in the object's frame."""

    wrist: FloatArray
    """The hand's frame in [m]. Shape (3, 4)."""
    angles: FloatArray
    """Posture in [rad]. Shape (m, 3)."""
    attempt: int
    """Which of the problem's attempts it comes from."""
    score: float
    """What orders grasps."""
    terms: dict[str, float]
    """What the score is made of."""
    gaps: FloatArray
    """Distance of every bone's skin in [m], the palm last. Shape (m + 1,)."""
    points: FloatArray
    """Where those skins are nearest, in [m]. Shape (m + 1, 3)."""


def axes_of(direction: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Two unit vectors square to a direction and to each other, chosen the same way each time."""
    other = np.eye(3)[int(np.argmin(np.abs(direction)))]
    first = unit(np.cross(direction, other))
    return first, unit(np.cross(direction, first))
