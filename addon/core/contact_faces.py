# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""With which face a bone touches: on its pad, its side or its back, for many postures at a time."""

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
    axes: FloatArray
    """Both ends of each bone's middle line in its own frame in [m]. Shape (m + 1, 2, 3)."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        w, m = self.bones.shape
        set_field = object.__setattr__
        set_field(self, "bones", frozen_bools(self.bones, (w, m), "bones"))
        set_field(self, "directions", frozen_floats(self.directions, (w, 3), "directions"))
        set_field(self, "axes", frozen_floats(self.axes, (m, 2, 3), "axes"))


def in_bone_frames(frames: JointFrames, wrists: FloatArray, points: FloatArray) -> FloatArray:
    """World points of each bone, the palm last, in the bones' own frames in [m]. Shape (a, m + 1, 3).

    Args:
        frames: Joint frames of the postures in the hand's frame.
        wrists: The hand's frames in the world in [m]. Shape (a, 3, 4).
        points: Shape (a, m + 1, 3).
    """
    in_hand = np.einsum("aji,amj->ami", wrists[:, :, :3], points - wrists[:, None, :, 3])
    out = in_hand.copy()
    out[:, :-1] = np.einsum("amji,amj->ami", frames.rotations, in_hand[:, :-1] - frames.origins)
    return out


def facing(axes: FloatArray, points: FloatArray) -> FloatArray:
    """Unit directions in which points of the skin lie off their bones' middle lines. Shape (a, m, 3).

    Args:
        axes: Both ends of each middle line in [m]. Shape (m, 2, 3).
        points: In the bones' frames in [m]. Shape (a, m, 3).
    """
    first, along = axes[:, 0], axes[:, 1] - axes[:, 0]
    length = np.maximum(np.einsum("mi,mi->m", along, along), 1e-18)
    share = np.clip(np.einsum("ami,mi->am", points - first, along) / length, 0.0, 1.0)
    off = points - first - share[..., None] * along
    return off / np.maximum(np.linalg.norm(off, axis=2, keepdims=True), 1e-12)


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


def match_faces(
    wishes: FaceWishes, points: FloatArray, gaps: FloatArray, *, touching: float, reach: float = 4e-3
) -> FloatArray:
    """How well each wish is met, 0 to 1: 1 for a bone that touches with the right face. Shape (a, w).

    Args:
        wishes: What is to touch.
        points: The skin of each bone that is nearest to the object, in the bone's frame in [m]. Shape (a, m + 1, 3).
        gaps: How near that is in [m]. Shape (a, m + 1).
        touching: Skin nearer than this in [m] touches.
        reach: Skin that is this much farther away in [m] counts a third.
    """
    looks = facing(wishes.axes, np.nan_to_num(points))
    return match_looks(wishes, looks, gaps, touching=touching, reach=reach)


def match_looks(
    wishes: FaceWishes, looks: FloatArray, gaps: FloatArray, *, touching: float, reach: float = 4e-3
) -> FloatArray:
    """The same by where the skin that is nearest looks, in the bones' frames, (a, m + 1, 3). Shape (a, w)."""
    cosines = np.einsum("ami,wi->amw", looks, wishes.directions)
    right = np.clip((cosines - NEVER) / (SURE - NEVER), 0.0, 1.0)
    right = np.where((wishes.directions == 0.0).all(axis=1), 1.0, right)
    near = np.exp(-np.maximum(gaps - touching, 0.0) / reach)
    return np.where(wishes.bones.T, right * near[..., None], 0.0).max(axis=1)
