# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses of armatures to hand poses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.errors import PrehendError
from ..core.rotations import nearest_rotation
from ..hands.forward import angles_from_frames
from ..hands.model import HandModel
from ..hands.posture import HandPose

LARGEST_SHEAR = 1e-3
"""Relative difference between the axes of an object that still counts as even scale."""


class ScaleError(PrehendError):
    """An armature object is scaled unevenly, so that its hand has no shape of its own."""

    def __init__(self, name: str) -> None:
        """Keep the object's name."""
        super().__init__(f"Armature '{name}' is scaled unevenly or to nothing; apply its scale (Ctrl+A) first.")
        self.name = name


@dataclass(frozen=True, eq=False)
class Placement:
    """Where an armature object is: armature coordinates to world metres."""

    turn: FloatArray
    """Orthogonal part; mirrored objects mirror. Shape (3, 3)."""
    scale: float
    """World metres for one unit of the armature."""
    origin: FloatArray
    """Position in [m]. Shape (3,)."""

    def to_world(self, points: FloatArray) -> FloatArray:
        """Points of the armature in the world. Shape (..., 3)."""
        return self.scale * points @ self.turn.T + self.origin

    def to_armature(self, points: FloatArray) -> FloatArray:
        """Points of the world in the armature. Shape (..., 3)."""
        return (points - self.origin) @ self.turn / self.scale

    @property
    def mirrored(self) -> bool:
        """Whether a left hand of the armature is a right hand in the world."""
        return bool(np.linalg.det(self.turn) < 0.0)


def read_placement(armature: Any) -> Placement:
    """Where an armature object is.

    Raises:
        ScaleError: It is scaled unevenly.
    """
    placement = _placement(np.array(armature.matrix_world, dtype=np.float64).tobytes())
    if placement is None:
        raise ScaleError(armature.name)
    return placement


# One update of a hand asks three times where its armature and its wrist are, and both seldom move.
@lru_cache(maxsize=16)
def _placement(data: bytes) -> Placement | None:
    """Placement of a matrix given as bytes; None if it scales unevenly."""
    matrix = np.frombuffer(data).reshape(4, 4)
    linear = matrix[:3, :3]
    scale = float(np.cbrt(abs(np.linalg.det(linear))))
    if scale < 1e-9 or np.abs(linear.T @ linear / scale**2 - np.eye(3)).max() > LARGEST_SHEAR:
        return None
    turn = nearest_rotation(linear)
    turn.setflags(write=False)
    return Placement(turn=turn, scale=scale, origin=matrix[:3, 3])


@lru_cache(maxsize=16)
def _turn(data: bytes) -> FloatArray:
    """The rotation nearest to a matrix given as bytes. Shape (3, 3)."""
    turn = nearest_rotation(np.frombuffer(data).reshape(3, 3))
    turn.setflags(write=False)
    return turn


def read_matrices(armature: Any, names: Iterable[str]) -> FloatArray:
    """Pose matrices of bones in the armature's coordinates, as last evaluated. Shape (n, 4, 4)."""
    bones = armature.pose.bones
    # As lists of numbers, as numpy takes four times as long to take Blender's matrices apart.
    rows = [[*x, *y, *z, *w] for x, y, z, w in (bones[name].matrix for name in names)]
    return np.array(rows, dtype=np.float64).reshape(-1, 4, 4)


def read_hand_frame(armature: Any, model: HandModel, placement: Placement) -> FloatArray:
    """The hand's frame in the world, in [m]. Shape (4, 4)."""
    carrier = read_matrices(armature, [model.binding.carrier])[0]
    R_world_carrier = placement.turn @ _turn(carrier[:3, :3].tobytes())
    T_world_hand = np.eye(4)
    T_world_hand[:3, :3] = R_world_carrier @ model.binding.hand_in_carrier[:3, :3]
    T_world_hand[:3, 3] = placement.to_world(carrier[:3, 3]) + R_world_carrier @ model.binding.hand_in_carrier[:3, 3]
    return T_world_hand


def read_pose(armature: Any, model: HandModel) -> HandPose:
    """The pose that an armature shows, constraints and drivers included.

    Raises:
        ScaleError: The object is scaled unevenly.
    """
    placement = read_placement(armature)
    T_world_hand = read_hand_frame(armature, model, placement)
    matrices = read_matrices(armature, model.binding.readers)
    R_world_joint = placement.turn @ nearest_rotation(matrices[:, :3, :3]) @ model.binding.joint_in_reader
    angles = angles_from_frames(model, T_world_hand[:3, :3].T @ R_world_joint)
    return HandPose(angles=angles, T_world_hand=T_world_hand)
