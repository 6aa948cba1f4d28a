# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Close the holes of a mesh, each by a fan of triangles, so that it has an inside."""

from __future__ import annotations

import numpy as np

from ...core.arrays import FloatArray, IntArray


def fill_holes(vertices: FloatArray, triangles: IntArray) -> tuple[FloatArray, IntArray]:
    """The mesh with a fan about the middle of every loop of open edges: vertices (n + h, 3), triangles (m + e, 3).

    Open are edges with an odd number of faces. At every vertex an even number of them meets, as faces have closed
    outlines, so that they always make up loops. Corners at the same place count as one: importers split them at seams.
    """
    _, first, same = np.unique(vertices.round(7), axis=0, return_index=True, return_inverse=True)
    corners = same.reshape(-1)[triangles]
    edges = np.sort(np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]]), axis=1)
    pairs, counts = np.unique(edges[edges[:, 0] != edges[:, 1]], axis=0, return_counts=True)
    points: list[FloatArray] = [vertices]
    added: list[IntArray] = [triangles]
    for number, loop in enumerate(_loops(pairs[counts % 2 == 1])):
        places = first[np.array(loop)]
        points.append(vertices[places].mean(axis=0)[None])
        middle = np.full(len(loop), len(vertices) + number)
        added.append(np.stack([np.roll(places, -1), places, middle], axis=1))
    return np.concatenate(points), np.concatenate(added)


def _loops(edges: IntArray) -> list[list[int]]:
    """Loops that use every edge (e, 2) once, each as its vertices in order."""
    beside: dict[int, list[int]] = {}
    for one, other in edges.tolist():
        beside.setdefault(one, []).append(other)
        beside.setdefault(other, []).append(one)
    found: list[list[int]] = []
    for start in beside:
        path: list[int] = [start]
        while beside[path[-1]]:
            now = path[-1]
            after = beside[now].pop()
            beside[after].remove(now)
            if after in path:
                place = path.index(after)
                found.append(path[place:])
                del path[place + 1 :]
            else:
                path.append(after)
    return found
