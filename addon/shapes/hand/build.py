# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""From a plan to a finished hand: mesh, skeleton, weights and limits of the asked side and scale."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...core.skeleton import Skeleton
from ..mesh import MeshData
from .layout import lay_out, make_limits, make_skeleton
from .palm import palm_field
from .plan import HandPlan
from .skin import Skin, build_skin
from .spec import HandBuild, HandSpec
from .tint import skin_flush
from .weights import skin_weights

MILLIMETRE = 1e-3
"""Plans are in millimetres, hands in metres."""
MIRROR = np.array([-1.0, 1.0, 1.0])
"""A left hand is a right one mirrored in x."""


def build_flesh(plan: HandPlan, spec: HandSpec) -> HandBuild:
    """A hand of flesh."""
    layout = lay_out(plan)
    field = palm_field(layout)
    skin = build_skin(field)
    weights = skin_weights(skin, layout, (field.thumb, *field.fingers))
    right = HandBuild(
        skeleton=make_skeleton(layout, spec.side),
        mesh=_skin_mesh(skin),
        weights=weights,
        limits=make_limits(layout),
        flush=skin_flush(skin, layout),
    )
    return finish(right, spec)


def finish(right: HandBuild, spec: HandSpec) -> HandBuild:
    """A right hand in [mm] brought to metres, scale and side."""
    unit = MILLIMETRE * spec.scale
    hand = replace(right, skeleton=_scaled_skeleton(right.skeleton, unit), mesh=_scaled_mesh(right.mesh, unit))
    return hand if spec.side == "R" else _mirrored(hand)


def _scaled_skeleton(skeleton: Skeleton, unit: float) -> Skeleton:
    return replace(skeleton, heads=skeleton.heads * unit, tails=skeleton.tails * unit)


def _scaled_mesh(mesh: MeshData, unit: float) -> MeshData:
    return replace(mesh, vertices=mesh.vertices * unit)


def _mirrored(right: HandBuild) -> HandBuild:
    skeleton, mesh, limits = right.skeleton, right.mesh, right.limits
    ends = np.cumsum(mesh.sizes)
    face = np.repeat(np.arange(len(ends)), mesh.sizes)
    backwards = ends[face] - 1 - (np.arange(len(mesh.corners)) - (ends - mesh.sizes)[face])
    return replace(
        right,
        skeleton=replace(
            skeleton,
            heads=skeleton.heads * MIRROR,
            tails=skeleton.tails * MIRROR,
            # Mirroring a frame makes it left-handed; turning its x axis round again keeps positive turns closing.
            rotations=MIRROR[:, None] * skeleton.rotations * MIRROR,
        ),
        mesh=replace(mesh, vertices=mesh.vertices * MIRROR, corners=mesh.corners[backwards]),
        limits=np.stack([limits[:, 0], -limits[:, 1, ::-1], -limits[:, 2, ::-1]], axis=1),
    )


def _skin_mesh(skin: Skin) -> MeshData:
    return MeshData(
        vertices=skin.points,
        corners=skin.quads.ravel(),
        sizes=np.full(len(skin.quads), 4),
        materials=skin.materials,
        material_names=("Prehend Skin", "Prehend Nail"),
    )
