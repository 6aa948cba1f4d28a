# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A tree of joints that each turn about three axes, and where many postures at once take them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from .arrays import FloatArray, IntArray, frozen_floats, frozen_ints
from .errors import ShapeError


@dataclass(frozen=True, eq=False)
class Articulation:
    """Joints in a common frame, parents first: `frame = parent zero Rx(flexion) Ry(abduction) Rz(twist)`."""

    parents: IntArray
    """Index of the joint before, -1 for the common frame. Shape (m,)."""
    offsets: FloatArray
    """Joint positions in the frame before, in [m]. Shape (m, 3)."""
    zeros: FloatArray
    """Joint frames at zero angles in the frame before. Shape (m, 3, 3)."""
    signs: FloatArray
    """+1 or -1 for each angle. Shape (m, 3)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        m = len(self.parents)
        set_field = object.__setattr__
        set_field(self, "parents", frozen_ints(self.parents, (m,), "parents"))
        set_field(self, "offsets", frozen_floats(self.offsets, (m, 3), "offsets"))
        set_field(self, "zeros", frozen_floats(self.zeros, (m, 3, 3), "zeros"))
        set_field(self, "signs", frozen_floats(self.signs, (m, 3), "signs"))

    @cached_property
    def levels(self) -> tuple[tuple[IntArray, IntArray], ...]:
        """Joints and their parents by the number of joints before them: what can be computed at a time."""
        depth = np.zeros(len(self.parents), dtype=np.int64)
        for j, parent in enumerate(self.parents):
            depth[j] = depth[parent] + 1 if parent >= 0 else 0
        levels = [np.flatnonzero(depth == level) for level in range(int(depth.max()) + 1)]
        return tuple((joints, self.parents[joints]) for joints in levels)


@dataclass(frozen=True, eq=False)
class JointFrames:
    """Joint frames of one or many postures in the common frame."""

    rotations: FloatArray
    """Joint frames. Shape (..., m, 3, 3)."""
    origins: FloatArray
    """Joint positions in [m]. Shape (..., m, 3)."""


def joint_frames(articulation: Articulation, angles: ArrayLike) -> JointFrames:
    """Joint frames of one or many postures.

    Args:
        articulation: The joints.
        angles: Flexion, abduction and twist in [rad]. Shape (..., m, 3).
    """
    array = np.asarray(angles, dtype=np.float64)
    m = len(articulation.parents)
    if array.ndim < 2 or array.shape[-2:] != (m, 3):
        raise ShapeError("angles", expected=(-1, m, 3), found=array.shape)
    shape = array.shape[:-2]
    # Postures last: numpy then runs along them, five times faster than over many small matrices.
    turns = turns_axes_first((array * articulation.signs).reshape(-1, m, 3).transpose(2, 1, 0))
    local = compose_axes_first(articulation.zeros.transpose(1, 2, 0)[..., None], turns)
    rotations = np.empty_like(local)
    origins = np.empty((3, m, local.shape[-1]))
    for joints, parents in articulation.levels:
        offsets = articulation.offsets[joints].T[..., None]
        if parents[0] < 0:
            rotations[:, :, joints] = local[:, :, joints]
            origins[:, joints] = offsets
            continue
        before = rotations[:, :, parents]
        rotations[:, :, joints] = compose_axes_first(before, local[:, :, joints])
        origins[:, joints] = origins[:, parents] + _apply(before, offsets)
    return JointFrames(
        rotations=rotations.transpose(3, 2, 0, 1).reshape(*shape, m, 3, 3),
        origins=origins.transpose(2, 1, 0).reshape(*shape, m, 3),
    )


def turns_axes_first(angles: FloatArray) -> FloatArray:
    """`rotation_from_angles` with the matrices' axes first. Shape (3, ...) to (3, 3, ...)."""
    (sa, sb, sc), (ca, cb, cc) = np.sin(angles), np.cos(angles)
    out = np.empty((3, *angles.shape))
    sasb, casb = sa * sb, ca * sb
    out[0, 0], out[0, 1], out[0, 2] = cb * cc, -cb * sc, sb
    out[1, 0], out[1, 1], out[1, 2] = ca * sc + sasb * cc, ca * cc - sasb * sc, -sa * cb
    out[2, 0], out[2, 1], out[2, 2] = sa * sc - casb * cc, sa * cc + casb * sc, ca * cb
    return out


def compose_axes_first(first: FloatArray, second: FloatArray) -> FloatArray:
    """Matrix products with the matrices' axes first. Shape (3, 3, ...)."""
    return first[:, 0, None] * second[0] + first[:, 1, None] * second[1] + first[:, 2, None] * second[2]


def _apply(matrices: FloatArray, vectors: FloatArray) -> FloatArray:
    """Matrices times vectors with their axes first. Shape (3, ...)."""
    return matrices[:, 0] * vectors[0] + matrices[:, 1] * vectors[1] + matrices[:, 2] * vectors[2]
