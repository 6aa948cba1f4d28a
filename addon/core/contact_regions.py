# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Regions of a hand's skin, and whether those that a grasp type asks for touch.

Round every bone the skin is divided by where it lies off the bone's middle line: palmar up to 60 degrees from straight
towards the palm, as far round as a finger's pulp reaches; then the two sides, the one that looks to the thumb and the
outer one, the back, and the end of a last bone. Every point of skin is of exactly one region. A pad is the palmar
region of a last bone without the part next to its joint; a tip its palmar region or end near the end.

Where a bone touches is where it presses: the skin that lies deepest, and what is near that, weighted by depth.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import BoolArray, FloatArray, frozen_bools, frozen_floats

REGIONS = ("palmar", "side", "outer", "back", "end")
"""Names of the regions round a bone: "side" looks to the thumb, "outer" away from it."""
PULP = float(np.radians(60.0))
"""How far from straight towards the palm skin still is palmar, in [rad]."""
PAD_FROM, TIP_FROM = 0.25, 0.7
"""Shares of a last bone's middle line from which its skin is pad, and tip."""
TOUCHING = 5e-4
"""Skin nearer than this in [m] touches. Skin gives by 0.3 mm; what is measured is the skin as computed."""

_SOFT, _SOFT_SHARE = 0.6, 0.4
_PULP_WEIGHT = float(np.tan(PULP))


@dataclass(frozen=True, eq=False)
class RegionWishes:
    """What of a hand is to touch: each wish by one of some bones with one of some regions. The palm is the last."""

    bones: BoolArray
    """Bones of which one has to touch. Shape (w, m + 1)."""
    regions: BoolArray
    """Regions with which it may, in the order of `REGIONS`. Shape (w, 5)."""
    shares: FloatArray
    """Share of the bone's middle line from which on. Shape (w,)."""
    thumb_sign: float
    """Where the thumb's side is along a bone's x: 1 for right hands, -1 for left ones."""

    def __post_init__(self) -> None:
        """Check the shapes once and make the arrays read-only."""
        w = len(self.bones)
        set_field = object.__setattr__
        set_field(self, "bones", frozen_bools(self.bones, (w, -1), "bones"))
        set_field(self, "regions", frozen_bools(self.regions, (w, len(REGIONS)), "regions"))
        set_field(self, "shares", frozen_floats(self.shares, (w,), "shares"))


@dataclass(frozen=True, eq=False)
class Patches:
    """Where each bone of a hand presses, or would first, in many postures; the palm is the last bone."""

    directions: FloatArray
    """Where that skin lies off the bone's middle line: unit vectors in the bone's frame. Shape (a, m + 1, 3)."""
    shares: FloatArray
    """Where along the middle line, 0 at its start and 1 at its end; beyond them on the caps. Shape (a, m + 1)."""
    gaps: FloatArray
    """Distance of the nearest skin in [m]; infinite for bones without. Shape (a, m + 1)."""


def region_values(directions: FloatArray, thumb_sign: float) -> FloatArray:
    """How much directions in a bone's frame, (..., 3), are of each region; the greatest is theirs. Shape (..., 5)."""
    x, y, z = thumb_sign * directions[..., 0], directions[..., 1], directions[..., 2]
    return np.stack([-_PULP_WEIGHT * y, x, -x, y, z], axis=-1)


def region_of(direction: FloatArray, thumb_sign: float) -> str:
    """The name of the region that a direction in a bone's frame, (3,), belongs to."""
    return REGIONS[int(np.argmax(region_values(direction, thumb_sign)))]


def match_regions(
    wishes: RegionWishes, patches: Patches, *, touching: float = TOUCHING, reach: float = 1e-4
) -> FloatArray:
    """How well each wish is met, 0 to 1; above a half where the right skin touches, at 1 well within. Shape (a, w).

    Args:
        wishes: What is to touch.
        patches: Where bones press.
        touching: Skin nearer than this in [m] touches.
        reach: Skin this much farther away in [m] counts a third.
    """
    values = region_values(patches.directions, wishes.thumb_sign)[:, :, None]
    allowed = wishes.regions[None, None]
    best = np.where(allowed, values, -np.inf).max(axis=3)
    others = np.where(allowed, -np.inf, values).max(axis=3)
    right = np.where(np.isinf(others), 1.0, np.clip(0.5 + (best - others) / _SOFT, 0.0, 1.0))
    along = np.clip(0.5 + (patches.shares[:, :, None] - wishes.shares) / _SOFT_SHARE, 0.0, 1.0)
    right = np.minimum(right, np.where(wishes.shares > 0.0, along, 1.0))
    off = np.maximum(patches.gaps - touching, 0.0)[:, :, None]
    # What does not touch never counts as met, however near it is.
    near = np.where(off > 0.0, 0.49 * np.exp(-off / reach), 1.0)
    return np.where(wishes.bones.T, right * near, 0.0).max(axis=1)
