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
    flush: tuple[float, float, float] | None = None
    """Colour where the mesh's `FLUSH_ATTRIBUTE` is 1, as of skin where blood shows through."""


FLUSH_ATTRIBUTE = "prehend_flush"
"""Name of the vertex attribute that mixes `MaterialSpec.flush` in; meshes without it show the base colour."""


MATERIALS: dict[str, MaterialSpec] = {
    "Prehend Backdrop": MaterialSpec(color=(0.42, 0.45, 0.48), roughness=0.9),
    "Prehend Skin": MaterialSpec(
        color=(0.60, 0.34, 0.235), flush=(0.62, 0.225, 0.165), roughness=0.46, subsurface=0.14, bump=0.12
    ),
    "Prehend Nail": MaterialSpec(color=(0.68, 0.38, 0.30), roughness=0.3, subsurface=0.1),
    "Prehend Metal": MaterialSpec(color=(0.56, 0.57, 0.59), roughness=0.3, metallic=1.0),
    "Prehend Dark Metal": MaterialSpec(color=(0.075, 0.08, 0.088), roughness=0.36, metallic=1.0),
    "Prehend Mug Glaze": MaterialSpec(color=(0.035, 0.19, 0.24), roughness=0.22),
    "Prehend Ceramic": MaterialSpec(color=(0.80, 0.76, 0.69), roughness=0.25),
    "Prehend Porcelain": MaterialSpec(color=(0.86, 0.85, 0.83), roughness=0.12),
    "Prehend Gold": MaterialSpec(color=(0.90, 0.62, 0.24), roughness=0.2, metallic=1.0),
    "Prehend Glass": MaterialSpec(color=(0.98, 0.99, 0.99), roughness=0.0, transmission=1.0),
    "Prehend Bottle Plastic": MaterialSpec(color=(0.12, 0.30, 0.24), roughness=0.38),
    "Prehend Label": MaterialSpec(color=(0.83, 0.79, 0.70), roughness=0.7),
    "Prehend Cap": MaterialSpec(color=(0.018, 0.020, 0.022), roughness=0.45),
    "Prehend Ball Rubber": MaterialSpec(color=(0.62, 0.035, 0.025), roughness=0.42),
    "Prehend Ball Stripe": MaterialSpec(color=(0.85, 0.83, 0.78), roughness=0.42),
    "Prehend Cardboard": MaterialSpec(color=(0.46, 0.29, 0.15), roughness=0.85),
    "Prehend Tape": MaterialSpec(color=(0.62, 0.45, 0.22), roughness=0.2),
    "Prehend Steel": MaterialSpec(color=(0.62, 0.63, 0.65), roughness=0.28, metallic=1.0),
    "Prehend Dark Steel": MaterialSpec(color=(0.10, 0.105, 0.11), roughness=0.38, metallic=1.0),
    "Prehend Knurled Steel": MaterialSpec(color=(0.52, 0.53, 0.55), roughness=0.4, metallic=1.0, bump=0.4),
    "Prehend Brass": MaterialSpec(color=(0.82, 0.56, 0.22), roughness=0.22, metallic=1.0),
    "Prehend Nickel": MaterialSpec(color=(0.66, 0.62, 0.55), roughness=0.24, metallic=1.0),
    "Prehend Wood": MaterialSpec(color=(0.50, 0.25, 0.095), roughness=0.42),
    "Prehend Rubber": MaterialSpec(color=(0.022, 0.022, 0.024), roughness=0.62),
    "Prehend Pen Plastic": MaterialSpec(color=(0.02, 0.055, 0.26), roughness=0.2),
    "Prehend Phone Frame": MaterialSpec(color=(0.30, 0.31, 0.33), roughness=0.3, metallic=1.0),
    "Prehend Phone Back": MaterialSpec(color=(0.13, 0.15, 0.19), roughness=0.3),
    "Prehend Screen": MaterialSpec(color=(0.006, 0.006, 0.008), roughness=0.05),
    "Prehend Wallpaper": MaterialSpec(color=(0.02, 0.06, 0.16), roughness=0.05),
    "Prehend Icon Blue": MaterialSpec(color=(0.05, 0.32, 0.80), roughness=0.05),
    "Prehend Icon Green": MaterialSpec(color=(0.08, 0.55, 0.16), roughness=0.05),
    "Prehend Icon Orange": MaterialSpec(color=(0.85, 0.28, 0.03), roughness=0.05),
    "Prehend Icon White": MaterialSpec(color=(0.80, 0.80, 0.82), roughness=0.05),
    "Prehend Felt": MaterialSpec(color=(0.48, 0.62, 0.045), roughness=0.95),
    "Prehend Celluloid": MaterialSpec(color=(0.84, 0.80, 0.72), roughness=0.4),
    "Prehend Ball Seam": MaterialSpec(color=(0.78, 0.30, 0.06), roughness=0.4),
    "Prehend Marble": MaterialSpec(color=(0.03, 0.17, 0.42), roughness=0.08),
    "Prehend Pill Red": MaterialSpec(color=(0.60, 0.04, 0.035), roughness=0.25),
    "Prehend Pill White": MaterialSpec(color=(0.84, 0.82, 0.78), roughness=0.25),
    "Prehend Lacquer": MaterialSpec(color=(0.30, 0.02, 0.016), roughness=0.16),
    "Prehend Lacquer Gold": MaterialSpec(color=(0.62, 0.38, 0.10), roughness=0.25, metallic=0.6),
    "Prehend Pencil Paint": MaterialSpec(color=(0.78, 0.36, 0.02), roughness=0.25),
    "Prehend Pale Wood": MaterialSpec(color=(0.66, 0.45, 0.25), roughness=0.6),
    "Prehend Lead": MaterialSpec(color=(0.02, 0.02, 0.022), roughness=0.35),
    "Prehend Tool Red": MaterialSpec(color=(0.55, 0.028, 0.02), roughness=0.3),
    "Prehend Aluminium": MaterialSpec(color=(0.74, 0.75, 0.76), roughness=0.22, metallic=1.0),
    "Prehend Can Print": MaterialSpec(color=(0.03, 0.16, 0.40), roughness=0.2, metallic=0.4),
    "Prehend Jar": MaterialSpec(color=(0.36, 0.50, 0.42), roughness=0.08),
    "Prehend Tin": MaterialSpec(color=(0.66, 0.52, 0.22), roughness=0.24, metallic=1.0),
    "Prehend Card Red": MaterialSpec(color=(0.42, 0.02, 0.03), roughness=0.4),
    "Prehend Paper": MaterialSpec(color=(0.80, 0.76, 0.66), roughness=0.85),
    "Prehend Book Cover": MaterialSpec(color=(0.04, 0.12, 0.20), roughness=0.45),
    "Prehend Case": MaterialSpec(color=(0.10, 0.16, 0.19), roughness=0.35),
    "Prehend Lens": MaterialSpec(color=(0.004, 0.005, 0.010), roughness=0.02),
}
