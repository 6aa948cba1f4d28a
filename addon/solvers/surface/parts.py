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
    edges, runs_up = _edges(soup)
    count = np.bincount(edges)
    balance = np.bincount(edges, weights=np.where(runs_up, 1.0, -1.0))
    labels = _connected(edges, len(soup.triangles))
    number = int(labels.max()) + 1
    open_edge = (count % 2 == 1)[edges]
    is_open = np.zeros(number, dtype=np.bool_)
    is_open[np.tile(labels, 3)[open_edge]] = True
    solid = np.flatnonzero(~is_open[labels])
    disagrees = (balance != 0.0)[edges] & ~is_open[np.tile(labels, 3)]
    oriented = not bool(disagrees.any())
    triangles = soup.triangles
    if oriented and len(solid):
        flipped = _flips(soup, labels, ~is_open)[labels]
        triangles = np.where(flipped[:, None], triangles[:, ::-1], triangles)
    return Parts(
        solid=Soup(soup.vertices, triangles[solid]),
        shell=soup.only(np.flatnonzero(is_open[labels])),
        oriented=oriented,
        solid_parts=int((~is_open).sum()),
        shell_parts=int(is_open.sum()),
    )


def _edges(soup: Soup) -> tuple[IntArray, BoolArray]:
    """Index of every triangle side's undirected edge, side by side (3 m,), and whether it runs to the higher vertex."""
    tails = soup.triangles.T.reshape(-1)
    heads = np.roll(soup.triangles, -1, axis=1).T.reshape(-1)
    key = np.minimum(tails, heads) * len(soup.vertices) + np.maximum(tails, heads)
    return np.unique(key, return_inverse=True)[1].reshape(-1).astype(np.int64), tails < heads


def _connected(edges: IntArray, number: int) -> IntArray:
    """Part index of each triangle, from its three edges. Shape (m,)."""
    sides = np.tile(np.arange(number), 3)
    order = np.argsort(edges, kind="stable")
    same = edges[order][1:] == edges[order][:-1]
    left, right = sides[order][:-1][same], sides[order][1:][same]
    labels = np.arange(number)
    while True:
        low = np.minimum(labels[left], labels[right])
        hooked = labels.copy()
        # Roots first hook onto lower roots, then everything jumps to its root: a dozen rounds at most in practice.
        np.minimum.at(hooked, labels[left], low)
        np.minimum.at(hooked, labels[right], low)
        while not np.array_equal(hooked, hooked[hooked]):
            hooked = hooked[hooked]
        if np.array_equal(hooked, labels):
            break
        labels = hooked
    return np.unique(labels, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _flips(soup: Soup, labels: IntArray, solid: BoolArray) -> BoolArray:
    """Which parts have to be turned inside out. Shape (parts,)."""
    corners = soup.corners() - soup.vertices.mean(axis=0)
    volumes = np.bincount(
        labels, weights=np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6.0
    )
    flips = volumes < 0.0
    ranked = np.flatnonzero(solid)
    if len(ranked) == 1 or len(ranked) > MOST_NESTED_PARTS:
        return flips
    low, high = _boxes(corners, labels, len(volumes))
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
