# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a demo hand is asked to be, and what its generator gives back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ...core.arrays import FloatArray, frozen_floats
from ...core.skeleton import Skeleton
from ..mesh import MeshData

Side = Literal["L", "R"]


@dataclass(frozen=True)
class HandSpec:
    """Choices of a demo hand."""

    variant: str = "human"
    """Key of `variants.VARIANTS`."""
    side: Side = "R"
    """Left or right hand."""
    size_sd: float = 0.0
    """Bone lengths lie this many standard deviations from the anthropometric mean."""
    scale: float = 1.0
    """Overall scale; 1 is real size in metres."""


@dataclass(frozen=True, eq=False)
class HandBuild:
    """A generated hand: wrist joint at the origin, +Z along the fingers, +Y out of the back, a right thumb at +X."""

    skeleton: Skeleton
    """Bones; every bone's local +X is its flexion axis: a positive turn closes towards the palm."""
    mesh: MeshData
    """The skin: one closed surface."""
    weights: FloatArray
    """Share of each bone in each vertex, rows sum to 1. Shape (vertices, bones)."""
    limits: FloatArray
    """Lowest and highest turn of each bone about its x, y and z axis from rest, in [rad]. Shape (bones, 3, 2)."""
    flush: FloatArray
    """How much blood shows through the skin at each vertex, 0 to 1. Shape (vertices,)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        bones = len(self.skeleton.names)
        set_field = object.__setattr__
        set_field(self, "weights", frozen_floats(self.weights, (len(self.mesh.vertices), bones), "weights"))
        set_field(self, "flush", frozen_floats(self.flush, (len(self.mesh.vertices),), "flush"))
        set_field(self, "limits", frozen_floats(self.limits, (bones, 3, 2), "limits"))

    def bone_points(self) -> FloatArray:
        """Heads and tails of all bones. Shape (2 bones, 3)."""
        return np.concatenate([self.skeleton.heads, self.skeleton.tails])
