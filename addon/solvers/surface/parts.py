# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which triangles bound a solid and which are mere sheets, with the solids' faces turned outwards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray
from .soup import Soup

MOST_NESTED_PARTS = 2000
"""Meshes of more parts (gravel, chains) are not searched for cavities: that takes the square of the number."""


@dataclass(frozen=True, eq=False)
class Parts:
    """A mesh taken apart at its edges: parts that enclose something, and sheets."""

    solid: Soup
    """Triangles of parts where every edge has an even number of faces."""
    shell: Soup
    """Triangles of all other parts."""
    oriented: bool
    """Whether all faces of every solid run the same way round, so that windings count."""
    solid_parts: int
    """Number of solid parts."""
    shell_parts: int
    """Number of open or non-manifold parts."""


def take_apart(soup: Soup) -> Parts:
    """The solid and open parts of a mesh, each connected over edges.

    Solids overlap as a union whichever way their faces point, and a part that lies inside another and is turned
    against it is a cavity: each part is turned to enclose a positive volume, except those that were turned against
    a part whose box holds theirs. Where faces inside a part disagree, `oriented` is false and parity has to do.
    """
    sides = _sides(soup)
    labels = _connected(sides, len(soup.triangles))
    number = int(labels.max()) + 1
    is_open, oriented = np.zeros(number, dtype=np.bool_), True
    if not sides.paired:
        begins = np.flatnonzero(sides.first)
        odd = np.diff(np.append(begins, len(sides.first))) % 2 == 1
        is_open[labels[sides.triangle[begins[odd]]]] = True
        disagrees = np.add.reduceat(np.where(sides.rises, 1, -1), begins) != 0
        oriented = not bool((disagrees & ~is_open[labels[sides.triangle[begins]]]).any())
    solid = np.flatnonzero(~is_open[labels]) if is_open.any() else np.arange(len(labels))
    flipped = _flips(soup, labels, ~is_open) if oriented and len(solid) else np.zeros(number, dtype=np.bool_)
    turned = soup
    if flipped.any():
        turned = Soup(soup.vertices, np.where(flipped[labels][:, None], soup.triangles[:, ::-1], soup.triangles))
    return Parts(
        solid=turned.only(solid),
        shell=soup.only(np.flatnonzero(is_open[labels])),
        oriented=oriented,
        solid_parts=int((~is_open).sum()),
        shell_parts=int(is_open.sum()),
    )


def connected_parts(soup: Soup) -> IntArray:
    """Which part of a mesh each triangle belongs to, connected over edges. Shape (m,)."""
    return _connected(_sides(soup), len(soup.triangles))


@dataclass(frozen=True, eq=False)
class _Sides:
    """Sides of all triangles in the order of their edges."""

    triangle: IntArray
    """Whose each is. Shape (3 m,)."""
    rises: BoolArray
    """Whether it runs to the higher vertex. Shape (3 m,)."""
    first: BoolArray
    """Whether it is the first of its edge. Shape (3 m,)."""
    paired: bool
    """Whether every edge has two sides that run against each other, as in all closed meshes without faults."""


def _sides(soup: Soup) -> _Sides:
    count = len(soup.triangles)
    tails = np.ascontiguousarray(soup.triangles.T)
    heads = tails[[1, 2, 0]]
    key = np.minimum(tails, heads) * len(soup.vertices) + np.maximum(tails, heads)
    rises, triangle = tails < heads, np.broadcast_to(np.arange(count), (3, count))
    bits = count.bit_length() + 1
    if (len(soup.vertices) ** 2).bit_length() + bits < 63:
        # All goes into the number: sorting those takes half as long as finding an order. Stable, as that is several
        # times as fast where neighbours are near each other already, as in most meshes.
        key <<= bits
        key |= triangle << 1
        key |= rises
        key = np.sort(key, axis=None, kind="stable")
        rises, triangle = (key & 1).astype(np.bool_), (key & ((1 << bits) - 1)) >> 1
        key >>= bits
    else:
        order = np.argsort(key, axis=None, kind="stable")
        key, rises, triangle = key.reshape(-1)[order], rises.reshape(-1)[order], triangle.reshape(-1)[order]
    first = np.ones(len(key), dtype=np.bool_)
    np.not_equal(key[1:], key[:-1], out=first[1:])
    paired = len(key) % 2 == 0 and bool((first[::2] & ~first[1::2] & (rises[::2] != rises[1::2])).all())
    return _Sides(triangle, rises, first, paired)


def _connected(sides: _Sides, number: int) -> IntArray:
    """Part index of each triangle. Shape (m,)."""
    left, right = sides.triangle[::2], sides.triangle[1::2]
    if not sides.paired:
        after = np.flatnonzero(~sides.first)
        left, right = sides.triangle[after - 1], sides.triangle[after]
    labels = np.arange(number)
    while len(left):
        # Roots hook onto any lower root beside them, then everything jumps to its root: a few rounds in practice.
        hooked = np.arange(number)
        hooked[np.maximum(left, right)] = np.minimum(left, right)
        while True:
            further = hooked[hooked]
            if np.array_equal(further, hooked):
                break
            hooked = further
        labels = hooked[labels]
        left, right = hooked[left], hooked[right]
        apart = left != right
        left, right = left[apart], right[apart]
    if not labels.any():
        return labels
    return np.unique(labels, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _flips(soup: Soup, labels: IntArray, solid: BoolArray) -> BoolArray:
    """Which parts have to be turned inside out. Shape (parts,)."""
    volumes = np.bincount(labels, weights=soup.volumes)
    flips = volumes < 0.0
    ranked = np.flatnonzero(solid)
    if len(ranked) == 1 or len(ranked) > MOST_NESTED_PARTS:
        return flips
    low, high = _boxes(soup.corners(), labels, len(volumes))
    ranked = ranked[np.argsort(-np.prod(high - low, axis=1)[ranked], kind="stable")]
    # A part turned against the smallest part round it is a cavity of that part and keeps its relative turn.
    for place, part in enumerate(ranked):
        larger = ranked[:place]
        holds = ((low[larger] <= low[part]) & (high[part] <= high[larger])).all(axis=1)
        if holds.any():
            holder = larger[holds][-1]
            if (volumes[holder] > 0.0) != (volumes[part] > 0.0):
                flips[part] = flips[holder]
    return flips


def _boxes(corners: FloatArray, labels: IntArray, number: int) -> tuple[FloatArray, FloatArray]:
    """Lowest and highest coordinates of each part. Shapes (parts, 3)."""
    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[order], np.arange(number))
    low = np.minimum.reduceat(corners.min(axis=1)[order], starts)
    return low, np.maximum.reduceat(corners.max(axis=1)[order], starts)
