# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cuboids with rounded edges, and the parcel made of one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.arrays import FloatArray, IntArray
from ..mesh import MeshData
from .placement import on_table
from .surface import FLAT_ANGLE


def build_box(*, length: float = 0.150, width: float = 0.100, height: float = 0.050, bevel: float = 0.0018) -> MeshData:
    """A cardboard parcel with tape round its length; long side along x."""
    half = np.array([length, width, height]) / 2.0
    tape, overlap = 0.24 * width, 0.30 * height
    lines = [
        _bevelled_axis(half[0], bevel, np.linspace(-0.75, 0.75, 7) * half[0]),
        _bevelled_axis(half[1], bevel, np.array([-tape, -0.5 * tape, 0.0, 0.5 * tape, tape])),
        _bevelled_axis(half[2], bevel, np.array([overlap - half[2], 0.0, half[2] - overlap])),
    ]
    points, quads = _lattice_surface(lines)
    inner = np.clip(points, bevel - half, half - bevel)
    offset = points - inner
    vertices = inner + bevel * offset / np.linalg.norm(offset, axis=1, keepdims=True)
    centres = vertices[quads].mean(axis=1)
    taped = (np.abs(centres[:, 1]) < tape) & (np.abs(centres[:, 2]) > half[2] - overlap)
    mesh = MeshData(
        vertices=vertices,
        corners=quads.ravel(),
        sizes=np.full(len(quads), 4),
        materials=taped.astype(np.int64),
        material_names=("Prehend Cardboard", "Prehend Tape"),
        flat_angle=FLAT_ANGLE,
    )
    return on_table(mesh)


def _bevelled_axis(half: float, bevel: float, inner: FloatArray, segments: int = 2) -> FloatArray:
    """Grid lines along one axis: `inner` ones and those that split the bevels into equal angles."""
    steps = np.tan(np.linspace(0.0, np.pi / 4.0, segments + 1))
    edge = np.concatenate([[half - 1.6 * bevel], half - bevel + bevel * steps])
    return np.concatenate([-edge[::-1], inner, edge])


def _lattice_surface(lines: Sequence[FloatArray]) -> tuple[FloatArray, IntArray]:
    """Points and outward quads on the outside of the lattice with these grid lines per axis."""
    shape = tuple(len(line) for line in lines)
    ids = np.arange(int(np.prod(shape))).reshape(shape)
    sides: list[IntArray] = []
    for axis in range(3):
        # Cyclic order of the axes keeps the quads counter-clockwise seen from the positive side.
        layers = np.moveaxis(ids, (axis, (axis + 1) % 3, (axis + 2) % 3), (0, 1, 2))
        for layer, flip in ((layers[-1], False), (layers[0], True)):
            quads = np.stack([layer[:-1, :-1], layer[1:, :-1], layer[1:, 1:], layer[:-1, 1:]], axis=2).reshape(-1, 4)
            sides.append(quads[:, ::-1] if flip else quads)
    quads = np.concatenate(sides)
    points = np.stack(np.meshgrid(*lines, indexing="ij"), axis=3).reshape(-1, 3)
    used, corners = np.unique(quads, return_inverse=True)
    return points[used], corners.reshape(-1, 4)
