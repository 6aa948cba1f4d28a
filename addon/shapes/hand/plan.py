# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a hand of flesh is proportioned, as data: where its fingers stand, how thick they are, how they may turn."""

from __future__ import annotations

from dataclasses import dataclass

Range = tuple[float, float]


@dataclass(frozen=True)
class JointPlan:
    """Rest angle and range of one joint; ranges count from the straight finger in [deg]."""

    rest_deg: float = 0.0
    """Flexion at rest."""
    flexion_deg: Range = (0.0, 0.0)
    """Lowest and highest flexion."""
    twist_deg: Range = (0.0, 0.0)
    """Turn about the bone itself."""
    spread_deg: Range = (0.0, 0.0)
    """Turn away from (negative) and towards (positive) the little finger."""


@dataclass(frozen=True)
class Section:
    """Half-axes of a finger's cross-section in [mm], round the line through the joints."""

    at: float
    """Place along the finger: 0 is the first joint, 1 the second ..., a fraction lies between them."""
    side: float
    """Half width."""
    back: float
    """From the joint line to the skin of the back."""
    pad: float
    """From the joint line to the skin of the palm's side."""


@dataclass(frozen=True)
class NailPlan:
    """Place and size of a fingernail."""

    root: float
    """Where it leaves the skin, as a fraction of the last bone."""
    width: float
    """Half its width, as a fraction of the finger's half width there."""
    edge: float = 0.985
    """Where its free edge lies, as a fraction of the last bone."""


@dataclass(frozen=True)
class FingerPlan:
    """One finger of the mean hand."""

    name: str
    """Unique within the hand."""
    bones: tuple[str, ...]
    """Names of the metacarpal and the phalanges."""
    lengths_mm: tuple[float, ...]
    """Their lengths for the asked size."""
    base_mm: tuple[float, float, float]
    """Where the metacarpal starts on the carpus."""
    knuckle_mm: tuple[float, float]
    """Across and height of the knuckle; its distance follows from the metacarpal's length."""
    spread_deg: float
    """Direction of the finger in the palm's plane, positive towards the thumb."""
    roll_deg: float
    """Turn of the finger about itself, positive turns the nail towards the thumb."""
    joints: tuple[JointPlan, ...]
    """One per bone, the metacarpal's first."""
    sections: tuple[Section, ...]
    """Cross-sections from the first to the last joint."""
    nail: NailPlan
    """Its nail."""
    web: float = 0.46
    """How far the web reaches up the first phalanx, as a fraction of it."""
    segments: tuple[int, int] = (6, 6)
    """Faces across the back (and the pad) and across each side."""


@dataclass(frozen=True)
class ThumbPlan:
    """How the thumb stands: its metacarpal's direction and where its nail looks."""

    finger: FingerPlan
    """Everything else; `knuckle_mm`, `spread_deg`, `roll_deg` and `web` are not used."""
    abduction_deg: float
    """Angle between the metacarpal and the fingers in the palm's plane."""
    lift_deg: float
    """Angle of the metacarpal out of the palm's plane, towards the palm's side."""
    nail_deg: float
    """How far the nail is turned from the fingers' nails towards the radial side."""


@dataclass(frozen=True)
class HandPlan:
    """All proportions of a hand of flesh."""

    thumb: ThumbPlan
    """The thumb."""
    fingers: tuple[FingerPlan, ...]
    """The other fingers from the thumb's neighbour on."""
    girth: float
    """Factor on all thicknesses and on the palm's breadth."""
    wrist_mm: tuple[float, float] = (28.5, 17.5)
    """Half width and half thickness of the wrist."""
    relief: float = 1.0
    """Strength of knuckles, tendons and pads; 0 is a balloon."""
    web_depth_mm: float = 4.5
    """Width of the blend between fingers and palm."""
