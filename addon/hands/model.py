# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The hand as solvers see it: joints, axes, limits and shape in its own frame, whatever its rig is like."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np

from ..core.arrays import FloatArray, IntArray, frozen_floats, frozen_ints
from ..core.articulation import Articulation
from ..core.rotations import unit
from .capsules import Capsules
from .limits import JointLimits
from .skinning import SkinPoints


@dataclass(frozen=True, eq=False)
class Binding:
    """How the joints' frames sit on the bones of the rig, constant in every pose."""

    wrist: str
    """Bone that the hand map calls the wrist."""
    carrier: str
    """Bone whose frame the hand's frame is fixed to."""
    hand_in_carrier: FloatArray
    """The hand's frame in the carrier bone's frame, translation in [m]; mirrored rigs mirror it. Shape (4, 4)."""
    joint_in_bone: FloatArray
    """Joint frames in the frames of the bones that are written. Shape (m, 3, 3)."""
    readers: tuple[str, ...]
    """Bones that show each joint's true place: the deforming ones on control rigs, else the bones themselves."""
    joint_in_reader: FloatArray
    """Joint frames in the frames of the readers. Shape (m, 3, 3)."""
    loose: tuple[str, ...]
    """Bones that no joint of the hand carries along in Blender, though they should be: flat hierarchies."""
    tips: tuple[str | None, ...]
    """Bones that mark the fingertips. Length f."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        m = len(self.readers)
        set_field = object.__setattr__
        set_field(self, "hand_in_carrier", frozen_floats(self.hand_in_carrier, (4, 4), "hand_in_carrier"))
        set_field(self, "joint_in_bone", frozen_floats(self.joint_in_bone, (m, 3, 3), "joint_in_bone"))
        set_field(self, "joint_in_reader", frozen_floats(self.joint_in_reader, (m, 3, 3), "joint_in_reader"))


@dataclass(frozen=True, eq=False)
class HandModel:
    """A hand in its own frame: wrist at the origin, z along the fingers, x across the knuckles, y out of the back.

    A joint's frame is `parent zero Rx(flexion) Ry(abduction) Rz(twist)`, each angle times its sign; see `axes`.
    """

    side: str
    """"L" or "R"; "" for a gripper."""
    radial: bool
    """A gripper: fingers stand round the z axis and close towards it."""
    names: tuple[str, ...]
    """Bone that each joint turns, parents first. Length m."""
    kinds: tuple[str, ...]
    """Joint names as in `core.limits.FINGER_JOINTS` and `THUMB_JOINTS`. Length m."""
    fingers: tuple[str, ...]
    """Finger names, thumb first where there is one. Length f."""
    finger_of: IntArray
    """Index of each joint's finger. Shape (m,)."""
    parents: IntArray
    """Index of the joint before, -1 for the wrist. Shape (m,)."""
    offsets: FloatArray
    """Joint positions in the frame before, in [m]. Shape (m, 3)."""
    zeros: FloatArray
    """Joint frames at zero angles in the frame before. Shape (m, 3, 3)."""
    signs: FloatArray
    """+1 or -1 for each angle, so that left and right hands share their angles. Shape (m, 3)."""
    lengths: FloatArray
    """From each joint to the next, or to the fingertip, in [m]: along z but for a thumb's first joint. Shape (m,)."""
    rest_angles: FloatArray
    """Flexion, abduction and twist at rest in [rad]. Shape (m, 3)."""
    fans: FloatArray
    """Directions of the fingers at rest in the palm's plane, counted like abduction, in [rad]. Shape (f,)."""
    limits: JointLimits
    """What the joints may do."""
    palm_width: float
    """Distance of the outer knuckles in [m]."""
    palm_length: float
    """Distance from the wrist to the knuckles in [m]."""
    capsules: Capsules
    """The hand's volume."""
    skin: SkinPoints | None
    """Points of the skin; None for a bare armature."""
    binding: Binding
    """How it sits on its rig."""
    notes: tuple[str, ...] = ()
    """What was doubtful, one sentence each."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        m, f = len(self.names), len(self.fingers)
        set_field = object.__setattr__
        for name, shape in {"finger_of": (m,), "parents": (m,)}.items():
            set_field(self, name, frozen_ints(cast(IntArray, getattr(self, name)), shape, name))
        shapes: dict[str, tuple[int, ...]] = {
            "offsets": (m, 3),
            "zeros": (m, 3, 3),
            "signs": (m, 3),
            "lengths": (m,),
            "rest_angles": (m, 3),
            "fans": (f,),
        }
        for name, shape in shapes.items():
            set_field(self, name, frozen_floats(cast(FloatArray, getattr(self, name)), shape, name))

    @cached_property
    def last_joints(self) -> IntArray:
        """The joint that carries each finger's tip. Shape (f,)."""
        return np.array([int(np.flatnonzero(self.finger_of == f)[-1]) for f in range(len(self.fingers))])

    @cached_property
    def directions(self) -> FloatArray:
        """Where each bone points in its joint's frame: z, but for a thumb's first joint. Shape (m, 3)."""
        out = np.tile([0.0, 0.0, 1.0], (len(self.names), 1))
        for j, parent in enumerate(self.parents):
            if parent >= 0:
                out[parent] = unit(self.offsets[j])
        return out

    @cached_property
    def articulation(self) -> Articulation:
        """Its joints alone."""
        return Articulation(parents=self.parents, offsets=self.offsets, zeros=self.zeros, signs=self.signs)

    @property
    def approach(self) -> FloatArray:
        """Direction the palm looks in, in the hand's frame: -y, or z for a gripper. Shape (3,)."""
        return np.array([0.0, 0.0, 1.0]) if self.radial else np.array([0.0, -1.0, 0.0])

    def joints(self, finger: str, *, metacarpal: bool = False) -> list[int]:
        """Joints of a finger, root first."""
        number = self.fingers.index(finger)
        return [j for j in self._joints_of[number] if metacarpal or self.kinds[j] != "metacarpal"]

    @cached_property
    def _joints_of(self) -> tuple[list[int], ...]:
        """Joints of every finger, root first."""
        return tuple(np.flatnonzero(self.finger_of == number).tolist() for number in range(len(self.fingers)))
