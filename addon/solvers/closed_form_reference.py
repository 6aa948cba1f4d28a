# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the closed form is measured against: the published method bare, the exact ratio, and gradient descent.

All of it in the finger's plane and without limits, as in the paper (Duits 2015); distances and lengths in any one unit.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..core.arrays import FloatArray

RATIO = 2.0 / 3.0
"""DIP per PIP, lambda of Eq. 1."""
DESCENT_SHARE = 0.75
"""Share of the Newton step that the paper's gradient descent takes (section 5.3)."""
DESCENT_ERROR_MM = 1e-4
"""Error of the distance at which it stops; 10 to 15 rounds from the middle of the domain."""


class PlainFinger(NamedTuple):
    """Links of a finger and the constants of Eq. 8 and 9."""

    pp: float
    ip: float
    dp: float
    reach: float
    frequency: float


class Bends(NamedTuple):
    """PIP and DIP in [rad], arrays of one shape; NaN where the method has no answer."""

    pip: FloatArray
    dip: FloatArray


def build_plain(pp: float, ip: float, dp: float, theta_u: float) -> PlainFinger:
    """A finger with the constants of the approximation."""
    anchor = theta_u / (1.0 + RATIO)
    distance = float(coupled_distance(np.array([pp, ip, dp]), np.array(anchor)))
    return PlainFinger(pp, ip, dp, pp + ip + dp, math.acos(distance / (pp + ip + dp)) / anchor)


def plain_bend(finger: PlainFinger, distance: float) -> tuple[float, float]:
    """PIP and DIP of the published method, Eq. 11 to 15; NaN where its triangles do not close."""
    pp, ip, dp, reach, frequency = finger
    if not 0.0 < distance <= reach:
        return math.nan, math.nan
    pip = math.acos(distance / reach) / frequency
    m_squared = pp * pp + ip * ip + 2.0 * pp * ip * math.cos(pip)
    m = math.sqrt(m_squared)
    beta = (dp * dp + m_squared - distance * distance) / (2.0 * dp * m)
    if not -1.0 <= beta <= 1.0:
        return math.nan, math.nan
    alpha = (ip * ip + m_squared - pp * pp) / (2.0 * ip * m)
    # Eq. 15; line 9 of the paper's pseudocode, alpha + beta, is a misprint.
    return pip, math.pi - math.acos(min(max(alpha, -1.0), 1.0)) - math.acos(beta)


def descend_bend(finger: PlainFinger, distance: float) -> tuple[float, float]:
    """PIP and DIP at the exact ratio by the paper's gradient descent; distances in [mm] for its stopping rule."""
    pp, ip, dp, _, _ = finger
    constant = pp * pp + ip * ip + dp * dp
    pip = 0.5 * math.pi / (1.0 + RATIO)
    for _ in range(100):
        squared = constant + 2.0 * pp * ip * math.cos(pip)
        squared += 2.0 * pp * dp * math.cos((1.0 + RATIO) * pip) + 2.0 * ip * dp * math.cos(RATIO * pip)
        now = math.sqrt(squared)
        if abs(now - distance) < DESCENT_ERROR_MM:
            break
        slope = pp * ip * math.sin(pip) + (1.0 + RATIO) * pp * dp * math.sin((1.0 + RATIO) * pip)
        slope = -(slope + RATIO * ip * dp * math.sin(RATIO * pip)) / now
        pip -= DESCENT_SHARE * (now - distance) / slope
    return pip, RATIO * pip


def published_bends(lengths: FloatArray, distance: FloatArray, theta_u: float) -> Bends:
    """PIP and DIP of the published method for many fingers.

    Args:
        lengths: The three links. Shape (..., 3).
        distance: Distances from MCP to the tip, broadcast against the fingers.
        theta_u: Turn of PIP and DIP together at the anchor in [rad].
    """
    pp, ip, dp = np.moveaxis(lengths, -1, 0)
    reach = lengths.sum(axis=-1)
    anchor = theta_u / (1.0 + RATIO)
    frequency = np.arccos(coupled_distance(lengths, np.asarray(anchor)) / reach) / anchor
    with np.errstate(invalid="ignore"):
        pip = np.arccos(distance / reach) / frequency
        m = np.sqrt(pp * pp + ip * ip + 2.0 * pp * ip * np.cos(pip))
        alpha = np.arccos(np.clip((ip * ip + m * m - pp * pp) / (2.0 * ip * m), -1.0, 1.0))
        beta = np.arccos((dp * dp + m * m - distance * distance) / (2.0 * dp * m))
    return Bends(pip, np.pi - alpha - beta)


def exact_bends(lengths: FloatArray, distance: FloatArray) -> Bends:
    """PIP and DIP at the exact ratio for many fingers, by Newton steps kept between 0 and a total turn of pi.

    Args:
        lengths: The three links. Shape (..., 3).
        distance: Distances from MCP to the tip, broadcast against the fingers.
    """
    pp, ip, dp = np.moveaxis(lengths, -1, 0)
    low = np.zeros(np.broadcast_shapes(distance.shape, pp.shape))
    high = np.full_like(low, math.pi / (1.0 + RATIO))
    pip = 0.5 * (low + high)
    for _ in range(50):
        excess = coupled_distance(lengths, pip) ** 2 - distance * distance
        # The finger shortens as it bends.
        low, high = np.where(excess > 0.0, pip, low), np.where(excess > 0.0, high, pip)
        slope = pp * ip * np.sin(pip) + (1.0 + RATIO) * pp * dp * np.sin((1.0 + RATIO) * pip)
        slope = -2.0 * (slope + RATIO * ip * dp * np.sin(RATIO * pip))
        with np.errstate(divide="ignore", invalid="ignore"):
            after = pip - excess / slope
        after = np.where((after > low) & (after < high), after, 0.5 * (low + high))
        change, pip = np.abs(after - pip).max(initial=0.0), after
        if change < 1e-14:
            break
    return Bends(pip, RATIO * pip)


def coupled_distance(lengths: FloatArray, pip: FloatArray) -> FloatArray:
    """Distance from MCP to the tip at the exact ratio (Eq. 5; printed as Eq. 4)."""
    pp, ip, dp = np.moveaxis(lengths, -1, 0)
    squared = pp * pp + ip * ip + dp * dp + 2.0 * pp * ip * np.cos(pip)
    squared = squared + 2.0 * pp * dp * np.cos((1.0 + RATIO) * pip) + 2.0 * ip * dp * np.cos(RATIO * pip)
    return np.sqrt(np.maximum(squared, 0.0))


def joint_offsets(lengths: FloatArray, first: Bends, second: Bends) -> tuple[FloatArray, FloatArray]:
    """How far PIP and DIP of two poses lie apart when both tips lie on the same target.

    Args:
        lengths: The three links. Shape (..., 3).
        first: One set of poses.
        second: Another, with tips equally far from MCP.
    """
    pips, dips = zip(*(_joints(lengths, bends) for bends in (first, second)), strict=True)
    return np.abs(pips[0] - pips[1]), np.abs(dips[0] - dips[1])


def _joints(lengths: FloatArray, bends: Bends) -> tuple[FloatArray, FloatArray]:
    """PIP and DIP as complex numbers, seen along the line from MCP to the tip."""
    pp, ip, dp = np.moveaxis(lengths, -1, 0)
    middle = pp + ip * np.exp(1j * bends.pip)
    tip = middle + dp * np.exp(1j * (bends.pip + bends.dip))
    with np.errstate(invalid="ignore"):
        back = np.conj(tip) / np.abs(tip)
    return pp * back, middle * back
