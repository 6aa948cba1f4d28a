# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables from the distance between a finger's tip and base to PIP and DIP (Lu 1997).

The thesis fills bins of distance with pairs of angles. With DIP tied to PIP the pairs lie on one curve, which rises to
its turning point and falls: split there and sampled evenly in sqrt(D_max - D) it needs no bins and has no steps.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..core.arrays import FloatArray, IntArray
from .chain import ChainError
from .dorsal_finger import DorsalFinger

_FINE = 20001
"""Samples of PIP from which branches are made; the turning point is known to a 200th of a degree."""


@dataclass(frozen=True, eq=False)
class Branch:
    """One side of a coupled finger's turning point."""

    roots: FloatArray
    """sqrt(D_max - D) in [m^0.5], rising in equal steps from 0. Shape (n,)."""
    pips: FloatArray
    """PIP in [rad]. Shape (n,)."""


@dataclass(frozen=True, eq=False)
class BranchTable:
    """Distances of a finger whose DIP follows PIP."""

    finger: DorsalFinger
    ratio: float
    """DIP per PIP (rho)."""
    intercept: float
    """DIP at PIP 0 in [rad]."""
    farthest: float
    """Largest distance in [m]."""
    turning_point: float
    """PIP of the largest distance in [rad]."""
    branches: tuple[Branch, ...]
    """The flexed side first."""

    def dip(self, pip: float) -> float:
        """DIP that goes with a PIP, in [rad]."""
        return self.ratio * pip + self.intercept

    def pips_at(self, distance: float) -> list[float]:
        """PIP in [rad] on each branch that holds a distance; out of range, the turning point or the most flexed."""
        root = math.sqrt(max(self.farthest - distance, 0.0))
        found = [
            float(np.interp(root, branch.roots, branch.pips))
            for branch in self.branches
            if root <= branch.roots[-1] + 1e-9
        ]
        return found or [float(self.branches[0].pips[-1])]

    def is_ambiguous(self, distance: float) -> bool:
        """Whether two PIP give this distance."""
        return len(self.pips_at(distance)) > 1


@dataclass(frozen=True, eq=False)
class BinTable:
    """Pairs of PIP and DIP sorted into bins of distance, as the thesis builds it."""

    width: float
    """Width of a bin in [m]."""
    pairs: FloatArray
    """PIP and DIP in [rad], sorted by bin. Shape (m, 2)."""
    starts: IntArray
    """Where each bin begins in `pairs`; one more than there are bins."""
    first: int
    """Number of the first bin: it begins at `first * width`."""

    @property
    def used(self) -> int:
        """Number of bins that hold pairs."""
        return int((np.diff(self.starts) > 0).sum())

    def pairs_at(self, distance: float) -> FloatArray:
        """Pairs of the bin of a distance, or of the nearest one that holds any. Shape (k, 2)."""
        last = len(self.starts) - 2
        at = min(max(math.floor(distance / self.width) - self.first, 0), last) if distance < math.inf else last
        for step in range(last + 1):
            for bin_ in (at + step, at - step):  # The larger distance wins ties (appendix C.2).
                if 0 <= bin_ <= last and self.starts[bin_] < self.starts[bin_ + 1]:
                    return self.pairs[self.starts[bin_] : self.starts[bin_ + 1]]
        raise ChainError("The table is empty.")


def build_branches(
    finger: DorsalFinger,
    *,
    ratio: float,
    intercept: float = 0.0,
    pip_limits: tuple[float, float],
    samples: int = 512,
) -> BranchTable:
    """The table of a finger whose DIP follows PIP.

    Args:
        finger: The finger.
        ratio: DIP per PIP.
        intercept: DIP at PIP 0 in [rad].
        pip_limits: Lowest and highest PIP in [rad]; beyond a second turning point the table ends.
        samples: Samples of each branch.
    """
    pip = np.linspace(*pip_limits, _FINE)
    distance = finger.distance(pip, ratio * pip + intercept)
    top = int(distance.argmax())
    branches = [
        _sample(pip[side], distance[side], float(distance[top]), samples)
        for side in (slice(top, None), slice(top, None, -1))
    ]
    kept = tuple(branch for branch in branches if branch is not None)
    if not kept:
        raise ChainError("The limits of PIP leave nothing to tabulate; widen them.")
    return BranchTable(finger, ratio, intercept, float(distance[top]), float(pip[top]), kept)


def build_bins(
    finger: DorsalFinger,
    *,
    pip_limits: tuple[float, float],
    dip_limits: tuple[float, float] | None,
    ratio: float = 2.0 / 3.0,
    angle_step: float = math.radians(0.1),
    width: float = 1e-4,
) -> BinTable:
    """The table of the thesis, free (all pairs within limits) or coupled.

    Args:
        finger: The finger.
        pip_limits: Lowest and highest PIP in [rad].
        dip_limits: Lowest and highest DIP in [rad]; None ties DIP to PIP.
        ratio: DIP per PIP of a coupled table.
        angle_step: Step of the angles in [rad].
        width: Width of a bin in [m].
    """
    pip = _steps(pip_limits, angle_step)
    if dip_limits is None:
        dip = ratio * pip
    else:
        pip, dip = (axis.ravel() for axis in np.meshgrid(pip, _steps(dip_limits, angle_step), indexing="ij"))
    bins = np.floor(finger.distance(pip, dip) / width).astype(np.int64)
    order = np.argsort(bins, kind="stable")
    first, last = int(bins.min()), int(bins.max())
    starts = np.searchsorted(bins[order], np.arange(first, last + 2))
    return BinTable(width, np.stack([pip, dip], axis=1)[order], starts.astype(np.int64), first)


def _sample(pip: FloatArray, distance: FloatArray, farthest: float, samples: int) -> Branch | None:
    """A branch resampled up to where its distance stops falling; None where it is too short to hold any."""
    turns = np.flatnonzero(np.diff(distance) >= 0.0)
    end = int(turns[0]) + 1 if len(turns) else len(pip)
    if end < 3:
        return None
    roots = np.sqrt(np.maximum(farthest - distance[:end], 0.0))
    even = np.linspace(0.0, float(roots[-1]), samples)
    return Branch(even, np.interp(even, roots, pip[:end]))


def _steps(limits: tuple[float, float], step: float) -> FloatArray:
    low, high = limits
    return low + step * np.arange(math.floor((high - low) / step + 1e-9) + 1, dtype=np.float64)
