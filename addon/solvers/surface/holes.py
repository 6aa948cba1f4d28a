# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Close the holes of a mesh, each by a fan of triangles, so that it has an inside."""

from __future__ import annotations

import numpy as np

from ...core.arrays import FloatArray, IntArray
from .parts import connected_parts
from .soup import Soup

PART = 0.25
"""Holes wider than this share of the part that they are in are not small: a leaf has nothing but an outline."""

MOST_OPEN = 20000
"""Meshes with more open edges than this (leaves, hair, grass) are not looked at: they are all sheets."""


def fill_holes(vertices: FloatArray, triangles: IntArray) -> tuple[FloatArray, IntArray]:
    """The mesh with a fan about the middle of every loop of open edges: vertices (n + h, 3), triangles (m + e, 3).

    Open are edges with an odd number of faces. At every vertex an even number of them meets, as faces have closed
    outlines, so that they always make up loops. Corners at the same place count as one: importers split them at seams.
    """
    _, first, same = np.unique(vertices.round(7), axis=0, return_index=True, return_inverse=True)
    loops = _loops(_open_edges(same.reshape(-1)[triangles], len(first)))
    return _with_fans(vertices, triangles, [first[loop] for loop in loops])


def fill_small_holes(soup: Soup) -> tuple[Soup, int]:
    """Welded triangles with the same in holes of parts that are much larger; and how many there were."""
    edges = _open_edges(soup.triangles, len(soup.vertices))
    if len(edges) > MOST_OPEN:
        return soup, 0
    labels = connected_parts(soup)
    part_of = np.empty(len(soup.vertices), dtype=np.int64)
    part_of[soup.triangles] = labels[:, None]
    corners = soup.vertices[soup.triangles]
    low, high = np.full((labels.max() + 1, 3), np.inf), np.full((labels.max() + 1, 3), -np.inf)
    np.minimum.at(low, labels, corners.min(axis=1))
    np.maximum.at(high, labels, corners.max(axis=1))
    sizes = PART * (high - low).max(axis=1)
    small = [loop for loop in _loops(edges) if _width(soup.vertices[loop]) <= sizes[part_of[loop[0]]]]
    if not small:
        return soup, 0
    return Soup(*_with_fans(soup.vertices, soup.triangles, small)), len(small)


def _width(places: FloatArray) -> float:
    """About how far apart the farthest of places (n, 3) are, in [m]."""
    return 2.0 * float(np.linalg.norm(places - places.mean(axis=0), axis=1).max())


def _with_fans(vertices: FloatArray, triangles: IntArray, loops: list[IntArray]) -> tuple[FloatArray, IntArray]:
    middles = [vertices[loop].mean(axis=0)[None] for loop in loops]
    fans = [
        np.stack([np.roll(loop, -1), loop, np.full(len(loop), len(vertices) + number)], axis=1)
        for number, loop in enumerate(loops)
    ]
    return np.concatenate([vertices, *middles]), np.concatenate([triangles, *fans])


def _open_edges(triangles: IntArray, count: int) -> IntArray:
    """Edges with an odd number of faces, as most of their faces run along them. Shape (e, 2).

    Args:
        triangles: Indices of places of which no two are the same. Shape (m, 3).
        count: Of those places.
    """
    tails = triangles.reshape(-1)
    heads = np.roll(triangles, -1, axis=1).reshape(-1)
    proper = tails != heads
    tails, heads = tails[proper], heads[proper]
    keys, edge, faces = np.unique(
        np.minimum(tails, heads) * count + np.maximum(tails, heads), return_inverse=True, return_counts=True
    )
    rising = np.bincount(edge.reshape(-1), weights=np.where(tails < heads, 1.0, -1.0), minlength=len(keys)) > 0.0
    is_open = faces % 2 == 1
    ends = np.stack(np.divmod(keys[is_open], count), axis=1)
    return np.where(rising[is_open][:, None], ends, ends[:, ::-1])


def _loops(edges: IntArray) -> list[IntArray]:
    """Loops that use every edge (e, 2) once, each as its vertices in order, which is that of most of its edges."""
    beside: dict[int, list[int]] = {}
    along: set[tuple[int, int]] = set()
    for one, other in edges.tolist():
        beside.setdefault(one, []).append(other)
        beside.setdefault(other, []).append(one)
        along.add((one, other))
    found: list[IntArray] = []
    for start in beside:
        path: list[int] = [start]
        place = {start: 0}
        while beside[path[-1]]:
            now = path[-1]
            after = beside[now].pop()
            beside[after].remove(now)
            if after in place:
                loop = path[place[after] :]
                with_it = sum((one, other) in along for one, other in zip(loop, [*loop[1:], loop[0]], strict=True))
                found.append(np.array(loop if 2 * with_it >= len(loop) else loop[::-1], dtype=np.int64))
                for gone in loop[1:]:
                    del place[gone]
                del path[place[after] + 1 :]
            else:
                place[after] = len(path)
                path.append(after)
    return found
