# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fingernails: a plate in a groove, sewn into a gap of the finger's back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import FloatArray, IntArray
from .cage import Cage, square_ring
from .plan import FingerPlan
from .profile import FingerProfile

NAIL_MATERIAL = 1
"""Place of the nails' material among the hand's materials."""
FOLD_MM = 1.0
"""Width of the skin fold round the nail."""
FOLD_HEIGHT_MM = 0.22
"""How far the fold stands out of the skin."""
GROOVE_MM = 0.45
"""How deep the groove is cut below the plate."""

DROP_MM = 0.65
"""How far the plate bends down at its free edge."""
RIM_ROW, RIM_COLUMN = 0.06, 0.965
"""Where the flat of the plate starts inside its rim."""


@dataclass(frozen=True)
class Nail:
    """A nail's plate in [mm], in the finger's own coordinates."""

    root: float
    """`s` of the middle of its root."""
    edge: float
    """`s` of the middle of its free edge."""
    half_width: float
    """Half its width."""
    arc: float
    """How much the root's ends lie further out than its middle."""
    fold: float
    """Width of the skin fold round it."""

    def place(self, rows: FloatArray, columns: FloatArray) -> tuple[FloatArray, FloatArray]:
        """`s` and across of places on the plate: rows 0 (root) to 1 (edge), columns -1 to 1."""
        narrow = 1.0 - 0.14 * np.clip(1.0 - rows, 0.0, 1.0) ** 4 - 0.08 * np.clip(rows, 0.0, 1.0) ** 6
        start = self.root + self.arc * columns**2
        end = self.edge - 0.16 * (self.edge - self.root) * columns**2
        return start + (end - start) * rows, self.half_width * columns * narrow


def nail_outline(plan: FingerPlan, profile: FingerProfile, girth: float) -> Nail:
    """Where a finger's nail lies."""
    start, length = profile.marks[-2], profile.marks[-1] - profile.marks[-2]
    root, edge = start + plan.nail.root * length, start + plan.nail.edge * length
    return Nail(
        root=float(root),
        edge=float(edge),
        half_width=float(plan.nail.width * profile.axes_at(np.array([0.5 * (root + edge)]))[0, 0]),
        arc=float(0.20 * (edge - root)),
        fold=FOLD_MM * girth,
    )


def add_nail(cage: Cage, nail: Nail, profile: FingerProfile, gap: IntArray, *, owner: int, girth: float) -> None:
    """Fill a gap of the finger's back with the fold, the groove and the plate of a nail.

    Args:
        cage: Mesh to add to.
        nail: Where the nail lies.
        profile: The finger's skin.
        gap: Vertices of the gap, rows from root to tip, columns from the thumb's side on. Shape (rows, columns).
        owner: Number of the finger.
        girth: Thickness relative to the mean hand.
    """
    rows, columns = gap.shape[0] - 1, gap.shape[1] - 1
    ring = square_ring(columns, rows)
    skin = gap[ring[:, 0], ring[:, 1]]
    v, u = ring[:, 0] / rows, 1.0 - 2.0 * ring[:, 1] / columns
    skin_points = cage.points[skin]
    edge, up = _plate(nail, profile, v, u, girth)
    raised = np.where(v < 1.0, FOLD_HEIGHT_MM * (1.0 - v * v), 0.0)[:, None] * girth
    fold = 0.5 * (skin_points + edge) + up * raised
    groove = edge - up * (GROOVE_MM * girth)
    rim, up = _plate(nail, profile, RIM_ROW + (1.0 - RIM_ROW) * v, RIM_COLUMN * u, girth)
    loops = [skin]
    loops += [
        cage.add_vertices(points, owner=owner, fixed=True) for points in (fold, groove, rim + up * (0.05 * girth))
    ]
    cage.add_grid(np.array(loops[:3]), closed=True)
    cage.add_grid(np.array(loops[2:]), closed=True, material=NAIL_MATERIAL)
    plate = np.full(gap.shape, -1)
    plate[ring[:, 0], ring[:, 1]] = loops[-1]
    i, j = np.nonzero(plate < 0)
    inner, up = _plate(
        nail, profile, RIM_ROW + (1.0 - RIM_ROW) * i / rows, RIM_COLUMN * (1.0 - 2.0 * j / columns), girth
    )
    plate[i, j] = cage.add_vertices(inner + up * (0.12 * girth), owner=owner, fixed=True)
    cage.add_grid(plate, material=NAIL_MATERIAL)


def _plate(
    nail: Nail, profile: FingerProfile, rows: FloatArray, columns: FloatArray, girth: float
) -> tuple[FloatArray, FloatArray]:
    """Points of the plate (n, 3) and the directions out of the finger's back there (n, 3)."""
    s, across = nail.place(rows, columns)
    up = -profile.spine(s)[1][:, :, 2]
    return profile.back_at(s, across) - up * (DROP_MM * girth * rows**3)[:, None], up
