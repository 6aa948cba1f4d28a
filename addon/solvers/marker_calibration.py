# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A finger's measures from recorded markers (Lu 1997, section 4.2): segments, DIP per PIP, heights over the joints.

The thesis measures the heights with a caliper; here they are fitted to the distance of the tip from the knuckle, which
they change by several millimetres, over a movement whose angles are known.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray
from ..core.errors import PrehendError

_ROUNDS = 30
"""Most Gauss-Newton steps; four to six suffice."""


class CalibrationError(PrehendError):
    """Recorded markers from which a measure cannot be told."""


@dataclass(frozen=True)
class Segment:
    """A length over some frames."""

    length: float
    """Mean in [m]."""
    deviation: float
    """Standard deviation over the frames in [m]; much of it means that the markers moved against each other."""
    frames: int
    """Frames in which both markers were seen."""


@dataclass(frozen=True)
class CouplingLine:
    """DIP as a line over PIP."""

    ratio: float
    """DIP per PIP."""
    intercept: float
    """DIP of a straight PIP in [rad]."""
    deviation: float
    """Root mean square of what the line leaves, in [rad]."""


def measure_segment(first: ArrayLike, second: ArrayLike) -> Segment:
    """The distance of two markers, frames without either left out.

    Args:
        first: One marker, frame by frame, in [m]; NaN where it was not seen. Shape (n, 3).
        second: The other.

    Raises:
        CalibrationError: There is no frame with both.
    """
    gaps = np.linalg.norm(np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64), axis=-1)
    seen = gaps[np.isfinite(gaps)]
    if len(seen) == 0:
        raise CalibrationError("No frame shows both markers of the segment: record them again.")
    return Segment(float(seen.mean()), float(seen.std()), len(seen))


def fit_coupling(pip: ArrayLike, dip: ArrayLike) -> CouplingLine:
    """The line through PIP and DIP angles in [rad], each of shape (n,) (Eq. 4.3, with the intercept it leaves out).

    Raises:
        CalibrationError: PIP hardly moves.
    """
    x, y = np.asarray(pip, dtype=np.float64), np.asarray(dip, dtype=np.float64)
    seen = np.isfinite(x) & np.isfinite(y)
    x, y = x[seen], y[seen]
    if len(x) < 3 or np.ptp(x) < 0.1:
        raise CalibrationError("PIP hardly moves in this recording: bend and stretch the finger.")
    middle_x, middle_y = x.mean(), y.mean()
    ratio = float((x - middle_x) @ (y - middle_y) / np.square(x - middle_x).sum())
    intercept = float(middle_y - ratio * middle_x)
    return CouplingLine(ratio, intercept, float(np.sqrt(np.square(y - ratio * x - intercept).mean())))


def tip_distances(lengths: ArrayLike, radii: ArrayLike, angles: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Distance of a marker on the tip from one over the knuckle in [m], and its derivatives by the heights.

    Args:
        lengths: Proximal, middle and distal segment in [m]. Shape (3,).
        radii: Heights over MCP, PIP and DIP in [m]. Shape (3,).
        angles: Flexion of MCP, PIP and DIP in [rad]. Shape (n, 3).

    Returns:
        Distances of shape (n,) and derivatives of shape (n, 3).
    """
    turns = np.cumsum(np.asarray(angles, dtype=np.float64), axis=-1)
    along = np.exp(1j * turns)
    before = np.concatenate([np.ones((len(along), 1)), along[:, :-1]], axis=1)
    # A joint whose axis lies r below the line opens it by r times the change of the dorsal normal, -i times the
    # direction: places are linear in the heights.
    opening = -1j * (along - before)
    tips = along @ np.asarray(lengths, dtype=np.float64) + opening @ np.asarray(radii, dtype=np.float64)
    distances = np.abs(tips)
    slopes = np.real(opening * np.conj(tips / distances)[:, None])
    return distances, np.asarray(slopes, dtype=np.float64)


def fit_radii(lengths: ArrayLike, angles: ArrayLike, distances: ArrayLike) -> FloatArray:
    """Heights of the markers over MCP, PIP and DIP in [m] that explain the tip's distances best. Shape (3,).

    Args:
        lengths: Proximal, middle and distal segment in [m]. Shape (3,).
        angles: Flexion of MCP, PIP and DIP in [rad], frame by frame. Shape (n, 3).
        distances: Distance of the tip's marker from the knuckle's in [m]. Shape (n,).

    Raises:
        CalibrationError: The movement does not tell the heights apart.
    """
    wanted, poses = np.asarray(distances, dtype=np.float64), np.asarray(angles, dtype=np.float64)
    seen = np.isfinite(wanted) & np.isfinite(poses).all(axis=1)
    wanted, poses = wanted[seen], poses[seen]
    radii = np.full(3, 0.1 * float(np.sum(lengths)))
    for _ in range(_ROUNDS):
        found, slopes = tip_distances(lengths, radii, poses)
        if len(wanted) < 3 or np.linalg.cond(slopes) > 1e4:
            raise CalibrationError("The recording does not tell the joints apart: bend each of them by itself as well.")
        step = np.linalg.lstsq(slopes, wanted - found, rcond=None)[0]
        radii = radii + step
        if np.abs(step).max() < 1e-12:
            break
    return np.maximum(radii, 0.0)
