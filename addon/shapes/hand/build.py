# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""From a plan to a finished hand: mesh, skeleton, weights and limits of the asked side and scale."""

from __future__ import annotations

import numpy as np

from ...core.arrays import FloatArray
from ...core.skeleton import Skeleton
from ..mesh import MeshData
from .layout import lay_out, make_limits, make_skeleton
from .palm import palm_field
from .plan import HandPlan
from .skin import Skin, build_skin
from .spec import HandBuild, HandSpec
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
    return finish(
        make_skeleton(layout, spec.side), _skin_mesh(skin), weights, make_limits(layout), spec=spec
    )


def finish(
    skeleton: Skeleton, mesh: MeshData, weights: FloatArray, limits: FloatArray, *, spec: HandSpec
) -> HandBuild:
    """A right hand in [mm] brought to metres, scale and side."""
    unit = MILLIMETRE * spec.scale * (MIRROR if spec.side == "L" else np.ones(3))
    left = spec.side == "L"
    rotations, corners, faces = skeleton.rotations, mesh.corners, mesh.materials
    if left:
        # Mirroring a frame makes it left-handed; turning its x axis round again keeps positive turns closing.
        rotations = MIRROR[:, None] * rotations * MIRROR
        ends = np.cumsum(mesh.sizes)
        face = np.repeat(np.arange(len(ends)), mesh.sizes)
        corners = corners[ends[face] - 1 - (np.arange(len(corners)) - (ends - mesh.sizes)[face])]
        limits = np.stack([limits[:, 0], -limits[:, 1, ::-1], -limits[:, 2, ::-1]], axis=1)
    return HandBuild(
        skeleton=Skeleton(
            names=skeleton.names,
            parents=skeleton.parents,
            heads=skeleton.heads * unit,
            tails=skeleton.tails * unit,
            rotations=rotations,
            deform=skeleton.deform,
        ),
        mesh=MeshData(
            vertices=mesh.vertices * unit,
            corners=corners,
            sizes=mesh.sizes,
            materials=faces,
            material_names=mesh.material_names,
            flat_angle=mesh.flat_angle,
        ),
        weights=weights,
        limits=limits,
    )


def _skin_mesh(skin: Skin) -> MeshData:
    return MeshData(
        vertices=skin.points,
        corners=skin.quads.ravel(),
        sizes=np.full(len(skin.quads), 4),
        materials=skin.materials,
        material_names=("Prehend Skin", "Prehend Nail"),
    )
