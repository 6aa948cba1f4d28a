# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""With which face a bone touches, told by the object's direction there, for many postures at a time.

This is what the search ranks by, where balls stand for skin; `contact_regions` measures it on the skin itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import BoolArray, FloatArray, frozen_bools, frozen_floats
from .articulation import JointFrames

SURE, NEVER = float(np.cos(np.radians(50.0))), float(np.cos(np.radians(75.0)))
"""Skin that looks no farther than this from a face's direction is of that face, and none beyond the second."""


@dataclass(frozen=True, eq=False)
class FaceWishes:
    """What of a hand is to touch, each wish by one of some bones with one of their faces. The palm is the last bone."""

    bones: BoolArray
    """Bones of which one has to touch. Shape (w, m + 1)."""
    directions: FloatArray
    """Where the face looks in the bone's frame; nothing for any face. Shape (w, 3)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        w, m = self.bones.shape
        set_field = object.__setattr__
        set_field(self, "bones", frozen_bools(self.bones, (w, m), "bones"))
        set_field(self, "directions", frozen_floats(self.directions, (w, 3), "directions"))


def looks_in_bone_frames(frames: JointFrames, wrists: FloatArray, normals: FloatArray) -> FloatArray:
    """Where each bone's skin looks that lies on a surface, the palm last, in the bones' frames. Shape (a, m + 1, 3).

    Args:
        frames: Joint frames of the postures in the hand's frame.
        wrists: The hand's frames in the world in [m]. Shape (a, 3, 4).
        normals: The surface's outward directions where each bone is nearest to it. Shape (a, m + 1, 3).
    """
    out = -np.einsum("aji,amj->ami", wrists[:, :, :3], normals)
    out[:, :-1] = np.einsum("amji,amj->ami", frames.rotations, out[:, :-1])
    return out


def match_looks(
    wishes: FaceWishes, looks: FloatArray, gaps: FloatArray, *, touching: float, reach: float = 4e-3
) -> FloatArray:
    """How well each wish is met, 0 to 1: 1 for a bone that touches with the right face. Shape (a, w).

    Args:
        wishes: What is to touch.
        looks: Where the skin of each bone nearest to the object looks, in the bone's frame. Shape (a, m + 1, 3).
        gaps: How near that is in [m]. Shape (a, m + 1).
        touching: Skin nearer than this in [m] touches.
        reach: Skin that is this much farther away in [m] counts a third.
    """
    cosines = np.einsum("ami,wi->amw", looks, wishes.directions)
    right = np.clip((cosines - NEVER) / (SURE - NEVER), 0.0, 1.0)
    right = np.where((wishes.directions == 0.0).all(axis=1), 1.0, right)
    near = np.exp(-np.maximum(gaps - touching, 0.0) / reach)
    return np.where(wishes.bones.T, right * near[..., None], 0.0).max(axis=1)
