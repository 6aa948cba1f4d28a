# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a whole skin lies beside the bones that move it, and by how much."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.skeleton import Skeleton
from .skinning import RestSkin

LEAST_BONES = 5
"""Bones with skin that are needed to tell; fewer may lie anywhere in it."""
LEAST_POINTS = 4
"""Points that belong mostly to a bone, for it to count."""
OFF = 1.0
"""A bone farther than this from the middle of its skin is beside it, over how far that skin spreads."""
ON = 0.6
"""A bone no farther than this from it is within it. Bones of good rigs are within 0.5."""
NEARLY_ALL = 0.9
"""Share of the bones that one translation has to bring into their skin."""


@dataclass(frozen=True, eq=False)
class _Fleshed:
    """Bones that have a skin, as segments."""

    starts: FloatArray
    """Their heads in [m]. Shape (b, 3)."""
    ends: FloatArray
    """Where they lead to in [m]. Shape (b, 3)."""
    middles: FloatArray
    """Weighted middles of their skin in [m]. Shape (b, 3)."""
    spreads: FloatArray
    """Root mean square distance of that skin from its middle in [m]. Shape (b,)."""

    def far(self, offset: FloatArray) -> FloatArray:
        """How far each bone, moved by an offset (3,), is from its skin's middle, over the spread. Shape (b,)."""
        span = self.ends - self.starts
        away = self.middles - offset - self.starts
        along = np.einsum("bi,bi->b", away, span) / np.einsum("bi,bi->b", span, span)
        left = away - np.clip(along, 0.0, 1.0)[:, None] * span
        return np.linalg.norm(left, axis=1) / self.spreads


def skin_offset(skeleton: Skeleton, skin: RestSkin) -> FloatArray | None:
    """The one translation in [m] from the bones to a skin that lies beside nearly all of them; None otherwise.

    None for skins that are round their bones, for those that are wrong in another way, such as turned or of another
    size, and where too few bones tell. What is smaller than the bones' own scatter counts as nothing: things are put on
    the ground more often than anywhere else. Shape (3,).

    Args:
        skeleton: Bones at rest in [m].
        skin: All of their skin, in the same coordinates.
    """
    bones = _fleshed(skeleton, skin)
    if bones is None or np.median(bones.far(np.zeros(3))) <= OFF:
        return None
    offsets = bones.middles - (bones.starts + bones.ends) / 2.0
    offset = np.median(offsets, axis=0)
    scatter = np.median(np.abs(offsets - offset), axis=0)
    offset[np.abs(offset) < scatter] = 0.0
    return offset if np.mean(bones.far(offset) <= ON) >= NEARLY_ALL else None


def off_by(offset: FloatArray) -> str:
    """How far an offset (3,) in [m] is, for people to read."""
    length = float(np.linalg.norm(offset))
    if length >= 1.0:
        return f"{length:.2f} m"
    return f"{100.0 * length:.0f} cm" if length >= 0.1 else f"{1e3 * length:.0f} mm"


def _fleshed(skeleton: Skeleton, skin: RestSkin) -> _Fleshed | None:
    count = len(skeleton.names)
    flat, shares = skin.bones.ravel(), skin.weights.ravel()
    total = np.bincount(flat, shares, count)
    mostly = np.bincount(flat, shares > 0.5, count)
    ends, known = _ends(skeleton)
    chosen = np.flatnonzero(known & (mostly >= LEAST_POINTS))
    if len(chosen) < LEAST_BONES:
        return None

    def weighted(values: FloatArray) -> FloatArray:
        each = np.repeat(values, skin.bones.shape[1])
        return np.bincount(flat, shares * each, count)[chosen] / total[chosen]

    middles = np.stack([weighted(skin.points[:, axis]) for axis in range(3)], axis=1)
    # About a common middle, as squares of far coordinates would leave no digits for the spread.
    common = skin.points.mean(axis=0)
    squares = weighted(np.einsum("pi,pi->p", skin.points - common, skin.points - common))
    spreads = np.sqrt(np.maximum(squares - np.einsum("bi,bi->b", middles - common, middles - common), 0.0))
    real = spreads > 1e-9
    if np.sum(real) < LEAST_BONES:
        return None
    return _Fleshed(skeleton.heads[chosen][real], ends[chosen][real], middles[real], spreads[real])


def _ends(skeleton: Skeleton) -> tuple[FloatArray, IntArray]:
    """Where each bone leads to (n, 3), and where that is known (n,).

    By the joints that follow, or as the bone before leads on: tails are anywhere after some imports. Bones of hands
    whose joints all hang on one parent say nothing of where they lead.
    """
    count = len(skeleton.names)
    ends = np.zeros((count, 3))
    children = np.bincount(skeleton.parents[skeleton.parents >= 0], minlength=count)
    for bone, parent in enumerate(skeleton.parents.tolist()):
        if parent >= 0:
            ends[parent] += skeleton.heads[bone] / children[parent]
    known = children > 0
    for bone, parent in enumerate(skeleton.parents.tolist()):
        if not known[bone] and parent >= 0 and children[parent] == 1:
            ends[bone] = 2.0 * skeleton.heads[bone] - skeleton.heads[parent]
    only_child = (skeleton.parents >= 0) & (children[skeleton.parents] == 1)
    known = (known | only_child) & (np.linalg.norm(ends - skeleton.heads, axis=1) > 1e-9)
    return ends, known
