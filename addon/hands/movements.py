# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Movements on any hand: its joints' angles from open to closed, and where the object belongs in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..core.arrays import BoolArray, FloatArray, frozen_bools, frozen_floats
from ..core.rotations import unit
from ..presets.movements import REFERENCE_PALM_WIDTH, Movement
from ..presets.poses import Pose
from .forward import forward
from .model import HandModel
from .poses import pose_angles, stand_in
from .skin_places import pad_points, palm_face, palm_point, side_point

REFERENCE_FINGER = 0.0923
"""Length in [m] of the longest finger, knuckle to tip, of the hand that object sizes are given for."""
LARGEST_GRASP = 1.1
"""What a hand can just hold, over its size."""
SOFT = 0.012
"""Pads nearer to each other than this in [m] press where they look rather than along the line between their middles."""
_SHARES = np.linspace(0.0, 1.0, 65)


@dataclass(frozen=True, eq=False)
class MovementAngles:
    """A movement of one hand: flexion, abduction and twist of its joints in [rad]."""

    start: FloatArray
    """Open. Shape (m, 3)."""
    end: FloatArray
    """Closed. Shape (m, 3)."""
    taking_part: BoolArray
    """Which fingers move and are to touch. Shape (f,)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        m = len(self.start)
        set_field = object.__setattr__
        set_field(self, "start", frozen_floats(self.start, (m, 3), "start"))
        set_field(self, "end", frozen_floats(self.end, (m, 3), "end"))
        set_field(self, "taking_part", frozen_bools(self.taking_part, (-1,), "taking_part"))

    def at(self, share: float) -> FloatArray:
        """The posture at a share of the way from start, 0, to end, 1. Shape (m, 3)."""
        return self.start + share * (self.end - self.start)


def hand_size(model: HandModel) -> float:
    """Palm width in [m] of a human hand that could hold the same things.

    Fingers decide what a hand can hold, so the longest one is measured, or how wide a gripper opens.
    """
    if model.radial:
        angles = np.array(model.rest_angles)
        angles[:, 0] = model.limits.ranges[:, 0, 0]
        pads = pad_points(model, forward(model, angles))
        # Fingers stand evenly round the axis; what fits between them is a circle.
        return float(2.0 * np.linalg.norm(pads[:, :2] - pads[:, :2].mean(axis=0), axis=1).mean()) / LARGEST_GRASP
    row = [finger for finger in model.fingers if finger != "thumb"]
    longest = max(float(model.lengths[model.joints(finger)].sum()) for finger in row)
    return REFERENCE_PALM_WIDTH * longest / REFERENCE_FINGER


def hand_scale(model: HandModel) -> float:
    """Size of a hand over that of the hand that movements were made for."""
    return hand_size(model) / REFERENCE_PALM_WIDTH


def movement_angles(model: HandModel, movement: Movement) -> MovementAngles:
    """A movement's angles on a hand, within its limits.

    Fingers that the movement does not know do what the one in their place of the row does; where none of a hand's
    fingers would move against the thumb (or one another), all of them take the part of those that should. Grippers
    open as far as they can, use all their fingers and stop where these meet.
    """
    part = fingers_of(model, movement)
    start, end = (pose_angles(model, pose) for pose in _postures(model, movement, part))
    moving = part[model.finger_of]
    end = np.where(moving[:, None], end, start)
    if model.radial:
        start[:, 0] = model.limits.ranges[:, 0, 0]
        if movement.centre.place == "between":
            # What a hand does with the sides of its fingers, a gripper can only do by closing.
            end[:, 0] = model.limits.ranges[:, 0, 1]
        end = _until_they_meet(model, start, end)
    return MovementAngles(start=start, end=end, taking_part=part)


def grasp_centre(model: HandModel, movement: Movement, *, radius: float | None = None) -> FloatArray:
    """Where an object's middle belongs in a hand, in the hand's frame in [m]. Shape (3,).

    Args:
        model: The hand.
        movement: How it closes.
        radius: Half the object's thickness in [m]; that of a middling object for this hand if not given.
    """
    return MovementOnHand(model, movement).centre(radius)


def _beside(model: HandModel, movement: Movement) -> FloatArray:
    """How far beside the middle between pads an object belongs, in the hand's frame in [m]. Shape (3,)."""
    aside = np.array([-1.0 if model.side == "L" else 1.0, 1.0, 1.0])
    return hand_scale(model) * aside * np.array(movement.centre.offset)


def grasp_axis(model: HandModel, movement: Movement) -> FloatArray | None:
    """How a long object lies in the hand: a unit vector in the hand's frame, either way; None for any way."""
    if model.radial or movement.axis == "any":
        return None
    if movement.lies is not None:
        # A left hand's thumb stands at -x.
        return unit(np.array(movement.lies) * (-1.0 if model.side == "L" else 1.0, 1.0, 1.0))
    return np.array([1.0, 0.0, 0.0]) if movement.axis == "across" else np.array([0.0, 0.0, 1.0])


def square_axis(press: FloatArray, approach: FloatArray) -> FloatArray:
    """How a bar lies that is pressed together along `press`: across the fingers as far as that allows. Shape (3,).

    Args:
        press: Unit direction in the hand's frame. Shape (3,).
        approach: Where the palm looks, for hands that press across themselves. Shape (3,).
    """
    across = np.array([1.0, 0.0, 0.0])
    square = across - float(across @ press) * press
    return unit(square) if float(np.linalg.norm(square)) > 0.5 else unit(np.cross(approach, press))


def opposition_axis(model: HandModel, movement: Movement, *, radius: float | None = None) -> FloatArray:
    """Unit direction in the hand's frame in which the object is pressed together. Shape (3,).

    From the pads of the fingers (or the index finger's side) to the thumb's; out of the palm for palm opposition. The
    thinner the object, the less the line between two pads says, and the more it counts where they look.
    """
    return MovementOnHand(model, movement).press(radius)


class MovementOnHand:
    """What one movement is on one hand, computed once for objects of any thickness."""

    def __init__(self, model: HandModel, movement: Movement) -> None:
        """Take the hand and the movement; nothing is computed before it is asked for."""
        self.model, self.movement = model, movement

    @cached_property
    def angles(self) -> MovementAngles:
        """Its angles."""
        return movement_angles(self.model, self.movement)

    def centre(self, radius: float | None = None) -> FloatArray:
        """What `grasp_centre` says."""
        model, movement = self.model, self.movement
        half = _usual_radius(model, movement) if radius is None else radius
        if model.radial or movement.centre.place != "palm" or "thumb" not in model.fingers:
            grip = self._grips.fitting(half)
            return (grip.ours + grip.theirs) / 2.0 + _beside(model, movement) if not model.radial else grip.theirs
        return palm_point(model, movement) + half * model.approach

    def press(self, radius: float | None = None) -> FloatArray:
        """What `opposition_axis` says."""
        model, movement = self.model, self.movement
        if model.radial or movement.centre.place == "palm":
            return model.approach if not model.radial else np.array([1.0, 0.0, 0.0])
        grip = self._grips.fitting(_usual_radius(model, movement) if radius is None else radius)
        soft = SOFT * hand_scale(model)
        return unit(grip.ours - grip.theirs + soft * (grip.their_look - grip.our_look))

    @cached_property
    def _grips(self) -> _Grips:
        return _grips(self.model, self.movement, self.angles)


def _postures(model: HandModel, movement: Movement, part: BoolArray) -> tuple[Pose, Pose]:
    """Start and end with the fingers that stand in for others named as this hand names them."""
    start, end = dict(movement.start.fingers), dict(movement.end.fingers)
    for finger, takes in zip(model.fingers, part, strict=True):
        if not takes or finger in movement.fingers:
            continue
        first = next((name for name in movement.fingers if name != "thumb"), None)
        # A gripper's fingers are alike; on a hand each finger follows the nearest of those that take part.
        source = first if model.radial else stand_in(finger, model, movement.fingers)
        if source is not None and (model.radial or finger in start):
            start[finger], end[finger] = movement.start.fingers[source], movement.end.fingers[source]
    return Pose("", "", start), Pose("", "", end)


def fingers_of(model: HandModel, movement: Movement) -> BoolArray:
    """Which of a hand's fingers take part in a movement. Shape (f,)."""
    names = list(movement.start.fingers)
    part = np.array(
        [
            (finger if finger in names else stand_in(finger, model, names)) in movement.fingers
            for finger in model.fingers
        ]
    )
    thumb = np.array([finger == "thumb" for finger in model.fingers])
    wanted = 2 if model.radial or "thumb" not in model.fingers else 1
    if model.radial or (part & ~thumb).sum() < min(wanted, (~thumb).sum()):
        part = part | ~thumb
    return part


def _until_they_meet(model: HandModel, start: FloatArray, end: FloatArray) -> FloatArray:
    """The end, or the first posture on the way in which a gripper's pads reach its middle."""
    postures = start + _SHARES[:, None, None] * (end - start)
    frames = forward(model, postures)
    pads = pad_points(model, frames)[..., :2]
    feet = frames.origins[0][[model.joints(finger)[0] for finger in model.fingers]][:, :2]
    middle = feet.mean(axis=0)
    # How far each pad still is from the middle, seen from its own foot.
    left = np.einsum("sfk,fk->sf", pads - middle, unit(feet - middle)).min(axis=1)
    return postures[int(np.argmax(left <= 0.0)) if (left <= 0.0).any() else -1]


def _usual_radius(model: HandModel, movement: Movement) -> float:
    smallest, largest = movement.object_size
    return 0.5 * float(np.sqrt(smallest * largest)) * hand_scale(model)


@dataclass(frozen=True, eq=False)
class _Grip:
    """Where thumb and fingers press on an object, in the hand's frame. Shapes (3,)."""

    ours: FloatArray
    """The thumb's place in [m]."""
    theirs: FloatArray
    """The fingers' place in [m]."""
    our_look: FloatArray
    """Where the thumb's skin looks there."""
    their_look: FloatArray
    """Where the fingers' skin looks, in the mean."""


@dataclass(frozen=True, eq=False)
class _Grips:
    """The same all along a movement. Shapes (s, 3)."""

    places: _Grip
    """One row for every posture."""
    gaps: FloatArray
    """How thick in [m] the object is that would fit. Shape (s,)."""

    def fitting(self, half: float) -> _Grip:
        """Where an object of that radius in [m] is pressed."""
        row, all_ = int(np.argmin(np.abs(self.gaps - 2.0 * half))), self.places
        return _Grip(all_.ours[row], all_.theirs[row], all_.our_look[row], all_.their_look[row])


def _grips(model: HandModel, movement: Movement, angles: MovementAngles) -> _Grips:
    """Where the thumb and the others press on objects of any thickness."""
    frames = forward(model, angles.start + _SHARES[:, None, None] * (angles.end - angles.start))
    pads, looks = pad_points(model, frames), -frames.rotations[..., 1][:, model.last_joints]
    thumb = np.array([finger == "thumb" for finger in model.fingers])
    others = angles.taking_part & ~thumb
    if not others.any():
        others = ~thumb
    theirs, their_look = pads[:, others].mean(axis=1), looks[:, others].mean(axis=1)
    first = int(np.argmax(others))
    if model.radial:
        ours, our_look = theirs, -their_look
        gaps = 2.0 * np.linalg.norm(pads - theirs[:, None], axis=-1).mean(axis=1)
    elif _between_two(model, movement, others):
        second = int(np.flatnonzero(others)[1])
        ours, our_look = side_point(model, frames, first, outer=True)
        theirs, their_look = side_point(model, frames, second)
        gaps = np.linalg.norm(ours - theirs, axis=-1)
    else:
        if movement.centre.place == "side":
            theirs, their_look = side_point(model, frames, first)
        number = int(np.argmax(thumb))
        ours = pads[:, number] if thumb.any() else palm_face(model, theirs)
        our_look = looks[:, number] if thumb.any() else np.broadcast_to(model.approach, their_look.shape)
        apart = ours - theirs
        # A stick may lie under the thumb wherever it likes along its length.
        gaps = np.linalg.norm(apart[:, 1:] if movement.axis == "across" else apart, axis=-1)
    return _Grips(_Grip(ours, theirs, our_look, their_look), gaps)


def _between_two(model: HandModel, movement: Movement, others: BoolArray) -> bool:
    """Whether the object is held between two neighbouring fingers, which takes a hand with two of them."""
    return movement.centre.place == "between" and not model.radial and int(others.sum()) >= 2
