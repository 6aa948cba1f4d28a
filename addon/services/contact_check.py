# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a closed hand touches as its movement's type wants it: which fingers, and with which face."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.articulation import joint_frames
from ..core.contact_faces import in_bone_frames, match_faces
from ..hands.contact_roles import face_wishes, touched_face, wanted_touches
from ..hands.model import HandModel
from ..hands.posture import HandPose
from ..presets.movements import Movement
from ..solvers.closing import measure_near
from .closing_hands import closing_skin
from .closing_report import NEAR
from .surfaces import WorldSurface

TOUCHING = 5e-4
"""Skin nearer than this in [m] touches; what is measured is the skin as computed, which Blender's may differ from."""

SOFT_PALM = 2e-3
"""The palm's skin touches when it is nearer than this in [m]: its flesh gives more than that of fingers."""


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
class TouchReport:
    """What touches, and whether it is what a type asks for."""

    wanted: tuple[TouchResult, ...]
    """All that is asked for."""
    touching: tuple[tuple[str, str], ...]
    """Bones that touch, each with the face it does so with."""

    @property
    def missing(self) -> tuple[str, ...]:
        """What is asked for and does not touch, in words."""
        return tuple(f"{each.finger} {each.face}" for each in self.wanted if each.match < 0.5)


def check_touches(model: HandModel, pose: HandPose, surface: WorldSurface, movement: Movement) -> TouchReport:
    """Compare where a hand's skin touches an object with what a movement asks for."""
    wrists = pose.T_world_hand[None, :3]
    near = measure_near(closing_skin(model).fine, pose.angles[None], wrists, surface.exact_distance, within=NEAR)
    local = in_bone_frames(joint_frames(model.articulation, pose.angles[None]), wrists, near.points)
    gaps = near.gaps.copy()
    inner = [j for j, kind in enumerate(model.kinds) if kind == "metacarpal"]
    gaps[:, [*inner, -1]] -= SOFT_PALM - TOUCHING
    found = match_faces(face_wishes(model, movement), local, gaps, touching=TOUCHING, reach=1e-4)[0]
    wanted = tuple(
        TouchResult(each.finger, each.face, float(match))
        for each, match in zip(wanted_touches(model, movement), found, strict=True)
    )
    touching = [
        (name, touched_face(model, joint, local[0, joint]))
        for joint, name in enumerate(model.names)
        if gaps[0, joint] <= TOUCHING
    ]
    if gaps[0, -1] <= TOUCHING:
        touching.append((model.binding.wrist, "palm"))
    return TouchReport(wanted, tuple(touching))
