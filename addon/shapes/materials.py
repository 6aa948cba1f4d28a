# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How the demo hands and props look, as data: one entry per material name used by a mesh."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class MaterialSpec:
    """Inputs of a physically based surface; colours are linear RGB."""

    color: tuple[float, float, float]
    """Base colour."""
    roughness: float = 0.5
    """0 is a mirror, 1 is chalk."""
    metallic: float = 0.0
    """1 for bare metal."""
    subsurface: float = 0.0
    """Share of light that scatters below the surface."""
    transmission: float = 0.0
    """1 for clear glass."""
    bump: float = 0.0
    """Strength of a fine procedural relief, as of skin."""


MATERIALS: dict[str, MaterialSpec] = {
    "Prehend Skin": MaterialSpec(color=(0.62, 0.36, 0.26), roughness=0.48, subsurface=0.12, bump=0.15),
    "Prehend Nail": MaterialSpec(color=(0.72, 0.45, 0.38), roughness=0.25, subsurface=0.08),
}
