# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cuboids with rounded edges, and what is made of one: a parcel, a deck of cards and a book."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.arrays import BoolArray, FloatArray, IntArray
from ..mesh import MeshData
from .placement import on_table
from .surface import FLAT_ANGLE


def build_box(*, length: float = 0.150, width: float = 0.100, height: float = 0.050, bevel: float = 0.0018) -> MeshData:
    """A cardboard parcel with tape round its length; long side along x."""
    half = np.array([length, width, height]) / 2.0
    tape, overlap = 0.24 * width, 0.30 * height
    vertices, quads = cuboid(
        half,
        bevel,
        [
            np.linspace(-0.75, 0.75, 7) * half[0],
            np.array([-tape, -0.5 * tape, 0.0, 0.5 * tape, tape]),
            np.array([overlap - half[2], 0.0, half[2] - overlap]),
        ],
    )
    centres = vertices[quads].mean(axis=1)
    taped = (np.abs(centres[:, 1]) < tape) & (np.abs(centres[:, 2]) > half[2] - overlap)
    return on_table(_mesh(vertices, quads, taped, ("Prehend Cardboard", "Prehend Tape")))


def build_card_deck(*, length: float = 0.091, width: float = 0.060, height: float = 0.018) -> MeshData:
    """A pack of playing cards in its box, lying flat; long side along x."""
    half = np.array([length, width, height]) / 2.0
    lines = [
        np.linspace(-0.8, 0.8, 9) * half[0],
        np.linspace(-0.7, 0.7, 7) * half[1],
        np.linspace(-0.5, 0.5, 3) * half[2],
    ]
    vertices, quads = cuboid(half, 0.0008, lines)
    centres = vertices[quads].mean(axis=1)
    framed = (np.abs(centres[:, 2]) > 0.98 * half[2]) & (np.abs(centres[:, :2]) < 0.72 * half[:2]).all(axis=1)
    return on_table(_mesh(vertices, quads, framed, ("Prehend Card Red", "Prehend Paper")))


def build_book(*, length: float = 0.178, width: float = 0.111, height: float = 0.021) -> MeshData:
    """A paperback that lies flat; its spine is at -y, long side along x."""
    half = np.array([length, width, height]) / 2.0
    lines = [
        np.linspace(-0.85, 0.85, 11) * half[0],
        np.linspace(-0.85, 0.85, 7) * half[1],
        np.linspace(-0.6, 0.6, 3) * half[2],
    ]
    vertices, quads = cuboid(half, 0.0007, lines)
    centres = vertices[quads].mean(axis=1)
    inside = np.abs(centres[:, 2]) < half[2] - 0.0008
    ends = (np.abs(centres[:, 0]) > half[0] - 0.0004) | (centres[:, 1] > half[1] - 0.0004)
    return on_table(_mesh(vertices, quads, inside & ends, ("Prehend Book Cover", "Prehend Paper")))


def cuboid(half: FloatArray, bevel: float, inner: Sequence[FloatArray]) -> tuple[FloatArray, IntArray]:
    """Vertices (n, 3) in [m] and quads (f, 4) of a cuboid with rounded edges about the origin.

    Args:
        half: Half its sides in [m]. Shape (3,).
        bevel: Radius of its edges in [m].
        inner: Positions in [m] of further lines of its grid, for each axis.
    """
    lines = [_bevelled_axis(float(half[axis]), bevel, inner[axis]) for axis in range(3)]
    points, quads = _lattice_surface(lines)
    core = np.clip(points, bevel - half, half - bevel)
    offset = points - core
    return core + bevel * offset / np.linalg.norm(offset, axis=1, keepdims=True), quads


def _mesh(vertices: FloatArray, quads: IntArray, second: BoolArray, names: tuple[str, str]) -> MeshData:
    return MeshData(
        vertices=vertices,
        corners=quads.ravel(),
        sizes=np.full(len(quads), 4),
        materials=second.astype(np.int64),
        material_names=names,
        flat_angle=FLAT_ANGLE,
    )


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
