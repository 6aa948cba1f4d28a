# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a closed hand touches as its movement's type wants it: which bones, and with which region of their skin."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.arrays import FloatArray
from ..core.contact_regions import TOUCHING, match_regions, region_of
from ..hands.contact_roles import bone_axes, region_wishes, thumb_sign, wanted_touches
from ..hands.model import HandModel
from ..hands.posture import HandPose
from ..presets.movements import PALM, Movement
from ..solvers.contact_patches import measure_patches
from .closing_hands import closing_skin
from .closing_report import NEAR
from .surfaces import WorldSurface


@dataclass(frozen=True)
class TouchResult:
    """One thing that a type asks for."""

    finger: str
    """Which finger; "palm" for the palm."""
    face: str
    """With which face, as in `presets.movements.Touch`."""
    match: float
    """How well it is met, 0 to 1."""


@dataclass(frozen=True)
class BoneTouch:
    """One bone that touches."""

    finger: str
    """Of which finger; "palm" for the palm and the bones in it."""
    bone: str
    """Which bone."""
    region: str
    """With which region of its skin, out of `core.contact_regions.REGIONS`."""
    share: float
    """Where along it, 0 at its joint and 1 at its end."""


@dataclass(frozen=True)
class TouchReport:
    """What touches, and whether it is what a type asks for."""

    wanted: tuple[TouchResult, ...]
    """All that is asked for."""
    touching: tuple[BoneTouch, ...]
    """Bones that touch."""

    @property
    def missing(self) -> tuple[str, ...]:
        """What is asked for and does not touch, in words."""
        return tuple(f"{each.finger} {each.face}" for each in self.wanted if each.match < 0.5)


def _outward(surface: WorldSurface, points: FloatArray) -> FloatArray:
    """Unit directions in the world in which points (n, 3) leave the object. Shape (n, 3)."""
    turn = surface.T_world_frame[:3, :3]
    return surface.surface.gradient(surface.to_frame(points)) @ turn.T


def check_touches(model: HandModel, pose: HandPose, surface: WorldSurface, movement: Movement) -> TouchReport:
    """Compare where a hand's skin touches an object with what a movement asks for."""
    patches = measure_patches(
        closing_skin(model).fine,
        pose.angles[None],
        pose.T_world_hand[None, :3],
        surface.exact_distance,
        axes=bone_axes(model),
        within=NEAR,
        normals=lambda points: _outward(surface, points),
    )
    found = match_regions(region_wishes(model, movement), patches)[0]
    wanted = tuple(
        TouchResult(each.finger, each.face, float(match))
        for each, match in zip(wanted_touches(model, movement), found, strict=True)
    )
    touching = tuple(
        BoneTouch(
            finger=PALM if model.kinds[j] == "metacarpal" else model.fingers[int(model.finger_of[j])],
            bone=name,
            region=region_of(patches.directions[0, j], thumb_sign(model)),
            share=float(patches.shares[0, j]),
        )
        for j, name in enumerate(model.names)
        if patches.gaps[0, j] <= TOUCHING
    )
    if patches.gaps[0, -1] <= TOUCHING:
        wrist = region_of(patches.directions[0, -1], thumb_sign(model))
        touching += (BoneTouch(PALM, model.binding.wrist, wrist, float(patches.shares[0, -1])),)
    return TouchReport(wanted, touching)
