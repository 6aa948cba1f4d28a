# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Digits as markers on their backs see them (Lu 1997): each joint adds a hidden link where the skin opens.

A marker line that runs `r` above a joint's axis is opened by flexion: between its two segments lies a chord of length
`2 r sin(angle / 2)` at half the angle. This equals a skeleton of pin joints whose centres lie `r` below the line.
Planar frame: x along the straight digit, y towards the palm. Lengths in [m], angles in [rad].
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..core.arrays import FloatArray, frozen_floats
from .chain import ChainError


@dataclass(frozen=True, eq=False)
class DorsalFinger:
    """Segments between markers and heights of the markers over the joints."""

    lengths: FloatArray
    """Proximal, middle and distal segment in [m]. Shape (3,)."""
    radii: FloatArray
    """Height over the axes of MCP, PIP and DIP in [m]; MCP's is 0 where its marker is taken as the base. Shape (3,)."""

    def __post_init__(self) -> None:
        """Check the values once and make the arrays read-only.

        Raises:
            ChainError: A length is not positive or a radius negative.
        """
        object.__setattr__(self, "lengths", frozen_floats(self.lengths, (3,), "lengths"))
        object.__setattr__(self, "radii", frozen_floats(self.radii, (3,), "radii"))
        if not ((self.lengths > 0.0).all() and (self.radii >= 0.0).all() and np.isfinite(self.radii).all()):
            raise ChainError("A finger needs three lengths above 0 and three radii of 0 or more.")

    def tip(self, pip: FloatArray, dip: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The tip seen from the centre of MCP, whose flexion is 0: x and y in [m] (Eq. 4.8 with its indices mended)."""
        l1, l2, l3 = self.lengths
        r_mcp, r_pip, r_dip = self.radii
        hidden1, hidden2 = 2.0 * r_pip * np.sin(0.5 * pip), 2.0 * r_dip * np.sin(0.5 * dip)
        total = pip + dip
        x = l1 + hidden1 * np.cos(0.5 * pip) + l2 * np.cos(pip) + hidden2 * np.cos(pip + 0.5 * dip)
        y = hidden1 * np.sin(0.5 * pip) + l2 * np.sin(pip) + hidden2 * np.sin(pip + 0.5 * dip)
        return x + l3 * np.cos(total), y + l3 * np.sin(total) - r_mcp

    def distance(self, pip: FloatArray, dip: FloatArray) -> FloatArray:
        """Distance of the tip from the base in [m]."""
        return np.hypot(*self.tip(pip, dip))

    def farthest(self) -> tuple[float, float, float]:
        """Largest distance of the tip from a base on the skin in [m], and the PIP and DIP that give it."""
        l1, l2, l3 = self.lengths.tolist()
        _, r1, r2 = self.radii.tolist()
        step = math.atan((r1 - r2) / l2)
        distance = math.hypot(l1, r1) + math.hypot(l2, r1 - r2) + math.hypot(l3, r2)
        return distance, math.atan(r1 / l1) + step, math.atan(r2 / l3) - step


@dataclass(frozen=True)
class DorsalThumb:
    """Segments from the thumb's MCP to its tip and the marker's height over its IP, in [m]."""

    proximal: float
    distal: float
    radius: float

    def __post_init__(self) -> None:
        """Check the values once.

        Raises:
            ChainError: A length is not positive or the radius negative.
        """
        if not (0.0 < self.proximal < math.inf and 0.0 < self.distal < math.inf and 0.0 <= self.radius < math.inf):
            raise ChainError("A thumb needs two lengths above 0 and a radius of 0 or more.")

    @property
    def turning_point(self) -> float:
        """IP at which the tip is farthest from MCP, in [rad]."""
        return math.atan(self.radius / self.proximal) + math.atan(self.radius / self.distal)

    def tip(self, ip: float) -> tuple[float, float]:
        """The tip seen from MCP, whose flexion is 0: x and y in [m]."""
        hidden = 2.0 * self.radius * math.sin(0.5 * ip)
        x = self.proximal + hidden * math.cos(0.5 * ip) + self.distal * math.cos(ip)
        return x, hidden * math.sin(0.5 * ip) + self.distal * math.sin(ip)

    def ip_at(self, distance: float) -> tuple[float, float]:
        """Both IP in [rad], the straighter one first, that put the tip at a distance; out of range, the nearest."""
        l1, l2, r = self.proximal, self.distal, self.radius
        cosine = distance * distance - l1 * l1 - l2 * l2 - 2.0 * r * r
        cosine /= 2.0 * math.sqrt((l1 * l1 + r * r) * (l2 * l2 + r * r))
        spread = math.acos(min(max(cosine, -1.0), 1.0))
        return self.turning_point - spread, self.turning_point + spread
